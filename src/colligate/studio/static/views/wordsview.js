// Word groups × document groups as a picture, and the words of each group; below, the tree of groups and the network.

import { api } from "../api.js";
import { button, el, fill } from "../dom.js";
import { percent, whole } from "../format.js";
import { choose } from "../route.js";
import { shortName, state } from "../store.js";
import { tint } from "../theme.js";
import { heatCell, heatmap } from "./heatmap.js";
import { networkPart } from "./network.js";
import { treePart } from "./tree.js";
import { groupChip, wordChips } from "./components.js";

export function wordsView() {
  const element = el("div", { class: "page" });
  return { element, show: () => show(element) };
}

async function show(element) {
  const missing = (error) => (error.status === 404 ? null : Promise.reject(error));
  const [association, words, network, tree] = await Promise.all([
    api.association(state.run).catch(missing),
    api.words(state.run),
    api.network(state.run),
    api.hierarchy(state.run),
  ]);
  const listed = el("div", { class: "wordgroup" });
  fill(
    element,
    el("h2", {}, "Words and groups"),
    association && words.length
      ? [
          el(
            "p",
            { class: "lead" },
            "Columns are groups of documents, rows are groups of words. The stronger the colour, the greater the share of the word group in the words of the document group.",
          ),
          picture(association, words, listed),
          listed,
        ]
      : el(
          "p",
          { class: "lead" },
          "This method groups only the documents. Methods that also group the words show both here.",
        ),
    treePart(tree),
    network.types.length > 2 ? networkPart(network) : null,
  );
}

function picture({ words: names, groups, mass }, words, listed) {
  const totals = groups.map((_, column) => mass.reduce((sum, row) => sum + row[column], 0) || 1);
  const share = (row, column) => mass[row][column] / totals[column];
  const most = groups.map((_, column) => Math.max(...names.map((_, row) => share(row, column)), 1e-12));
  const order = ordered(mass, totals);
  const show = (row) => fill(listed, wordGroup(words[row]));
  show(order[0]);
  const heads = groups.map((group) =>
    button(el("span", {}, shortName(group)), () => choose("group", group), {
      class: "plain",
      style: { "--c": tint(group) },
    }),
  );
  const sides = order.map((row) => button(names[row], () => show(row), { class: "plain" }));
  return heatmap("Word groups and document groups", heads, sides, (line, column) => {
    const [row, value] = [order[line], share(order[line], column)];
    const title = `${percent(value)} of the words of ${shortName(groups[column])}`;
    const text = el("span", { class: "unseen" }, percent(value));
    return heatCell(groups[column], value / most[column], title, text, () => show(row));
  });
}

/** Word groups in the order of the document groups they go with, so that the picture is a diagonal. */
function ordered(mass, totals) {
  const best = mass.map((row) =>
    row.reduce((top, value, k) => (value / totals[k] > row[top] / totals[top] ? k : top), 0),
  );
  return mass
    .map((_, row) => row)
    .filter((row) => mass[row].some((value) => value > 0)) // a group without words
    .sort((a, b) => best[a] - best[b] || mass[b][best[b]] - mass[a][best[a]]);
}

function wordGroup({ name, size, words, goes_with: groups }) {
  return [
    el("h3", {}, name, el("small", {}, ` ${whole(size)} words`)),
    el(
      "p",
      { class: "with" },
      "goes with ",
      groups.slice(0, 4).map(({ group }) => groupChip(group)),
    ),
    wordChips(words),
  ];
}
