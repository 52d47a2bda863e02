// Word groups × document groups as a picture, the words of each group, and the network's types and relations.

import { api } from "../api.js";
import { button, el, fill } from "../dom.js";
import { percent, whole } from "../format.js";
import { choose } from "../place.js";
import { shortName, state } from "../store.js";
import { tint } from "../theme.js";
import { groupChip, wordChips } from "./parts.js";

export function wordsView() {
  const element = el("div", { class: "page" });
  return { element, show: () => show(element) };
}

async function show(element) {
  const missing = (error) => (error.status === 404 ? null : Promise.reject(error));
  const [association, words, network] = await Promise.all([
    api.association(state.run).catch(missing),
    api.words(state.run),
    api.network(state.run),
  ]);
  const listed = el("div", { class: "wordgroup" });
  fill(element,
    el("h2", {}, "Words and groups"),
    association && words.length
      ? [el("p", { class: "lead" }, "Each row is a group of words, each column a group of documents: the darker, the more of a group's words are of that kind."),
        picture(association, words, listed), listed]
      : el("p", { class: "lead" }, "This method groups the documents alone. Choose a method with word groups to see a picture of both."),
    network.types.length > 2 ? relations(network) : null);
}

function picture({ words: names, groups, mass }, words, listed) {
  const totals = groups.map((_, column) => mass.reduce((sum, row) => sum + row[column], 0) || 1);
  const share = (row, column) => mass[row][column] / totals[column];
  const most = Math.max(...names.flatMap((_, row) => groups.map((_, column) => share(row, column))));
  const order = ordered(mass, totals);
  const show = (row) => fill(listed, wordGroup(words[row]));
  show(order[0]);
  return el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Word groups and document groups" },
    el("table", { class: "heat" },
      el("thead", {}, el("tr", {}, el("td", {}), groups.map((group) => el("th", { scope: "col" },
        button(el("span", {}, shortName(group)), () => choose("group", group), { class: "plain", style: { "--c": tint(group) } }))))),
      el("tbody", {}, order.map((row) => el("tr", {},
        el("th", { scope: "row" }, button(names[row], () => show(row), { class: "plain" })),
        groups.map((group, column) => cell(share(row, column), most, group, () => show(row))))))));
}

/** Word groups in the order of the document groups they go with, so that the picture is a diagonal. */
function ordered(mass, totals) {
  const best = mass.map((row) => row.reduce((found, value, k) => (value / totals[k] > row[found] / totals[found] ? k : found), 0));
  return mass.map((_, row) => row).sort((one, other) => best[one] - best[other] || mass[other][best[other]] - mass[one][best[one]]);
}

function cell(value, most, group, onclick) {
  const strength = percent(Math.sqrt(value / most)).replace(" ", "");
  return el("td", { style: { "--c": tint(group), "--strength": strength }, title: `${percent(value)} of the words of ${shortName(group)}`, onclick },
    el("span", { class: "unseen" }, percent(value)));
}

function wordGroup({ name, size, words, goes_with: groups }) {
  return [
    el("h3", {}, name, el("small", {}, ` ${whole(size)} words`)),
    el("p", { class: "with" }, "goes with ", groups.slice(0, 4).map(({ group }) => groupChip(group))),
    wordChips(words),
  ];
}

function relations({ types, relations: rows }) {
  const row = ({ name, rows: one, columns, entries, weight, share }) => el("tr", {},
    el("th", { scope: "row" }, name), el("td", {}, `${one} × ${columns}`), el("td", { class: "number" }, whole(entries)),
    el("td", { class: "number" }, weight.toPrecision(3)), el("td", { class: "number" }, share === null ? "" : percent(share)));
  return [
    el("h2", {}, "The network"),
    el("ul", { class: "types" }, types.map(({ name, size, groups }) =>
      el("li", {}, el("strong", {}, whole(size)), ` ${name}`, groups ? el("small", {}, ` in ${whole(groups)} groups`) : null))),
    el("div", { class: "scroll" }, el("table", { class: "plain" },
      el("thead", {}, el("tr", {}, ["Relation", "Between", "Entries", "Weight", "Kept by the groups"].map((text) => el("th", { scope: "col" }, text)))),
      el("tbody", {}, rows.map(row)))),
  ];
}
