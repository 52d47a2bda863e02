// Two runs side by side: their agreement, where documents went, and how each was made.

import { api } from "../api.js";
import { attempt } from "../actions.js";
import { button, el, fill } from "../dom.js";
import { count, percent, time, whole } from "../format.js";
import { isDamaged, runOf, state } from "../store.js";
import { notice } from "../notices.js";
import { runCommand, runFiles } from "./files.js";
import { heatCell, heatmap } from "./heatmap.js";
import { makeTable } from "./table.js";

const METRICS = {
  accuracy: "Accuracy",
  nmi: "NMI",
  ari: "Adjusted Rand index",
  rand: "Rand index",
  purity: "Purity",
};
let pair = [];
let seen = null; // the displayed run when the pair was chosen

export function compareView() {
  const element = el("div", { class: "page" });
  return { element, show: () => show(element), needs: () => state.runs.length };
}

async function show(element) {
  if (seen !== state.run) {
    const readable = state.runs.map(({ number }) => number).filter((number) => !isDamaged(number));
    const parent = runOf(state.run)?.parent;
    pair = [readable.includes(parent) ? parent : readable[0], state.run];
    seen = state.run;
  }
  const body = el("div");
  fill(
    element,
    el("h2", {}, "Compare runs"),
    el("div", { class: "sides" }, side(0, element), side(1, element)),
    body,
  );
  if (pair[0] === pair[1])
    return fill(
      body,
      el("p", { class: "lead" }, "Choose two runs. To make another run, use Run options (…)."),
    );
  const [comparison, before, after] = await Promise.all([
    api.compare(...pair),
    api.groups(pair[0]),
    api.groups(pair[1]),
  ]);
  return fill(body, agreement(comparison), judged(comparison.metrics), flow(comparison.flow, before, after));
}

function side(which, element) {
  const run = runOf(pair[which]);
  const choose = (event) => {
    pair[which] = Number(event.target.value);
    attempt(() => show(element));
  };
  return el(
    "section",
    { class: "card", "aria-label": which ? "Second run" : "First run" },
    el(
      "select",
      { "aria-label": which ? "Second run" : "First run", "data-keep": `side-${which}`, onchange: choose },
      state.runs.map(({ number, method }) =>
        el(
          "option",
          { value: number, selected: number === run.number, disabled: isDamaged(number) },
          `run ${number}: ${isDamaged(number) ? "damaged" : method}`,
        ),
      ),
    ),
    el(
      "dl",
      { class: "facts" },
      factsOf(run).map(([name, value]) => el("div", {}, el("dt", {}, name), el("dd", {}, value))),
    ),
    el(
      "p",
      { class: "actions" },
      runFiles(run),
      button("Copy the command", () => copy(run.command), { class: "small" }),
    ),
    el(
      "details",
      {},
      el("summary", {}, "Command that makes the same groups"),
      runCommand(run),
    ),
  );
}

function factsOf({ method, parameters, knowledge, started, seconds, at, warnings }) {
  return [
    ["method", method],
    ["groups", whole(parameters.n_clusters)],
    ["knowledge", knowledge ? "with" : "without"],
    ["start", started ? "from the groups before" : "fresh"],
    ["made", `${time(at)}, in ${seconds.toFixed(1)} s`],
    ...(warnings.length ? [["warnings", warnings.join(" ")]] : []),
  ];
}

async function copy(text) {
  await attempt(() => navigator.clipboard.writeText(text));
  notice("The command is copied. It makes the same groups from the exported files.");
}

function agreement({ nmi, ari }) {
  const cards = [
    ["Agreement (NMI)", nmi],
    ["Agreement (adjusted Rand)", ari],
  ];
  return el(
    "dl",
    { class: "figures" },
    cards.map(([name, value]) => el("div", {}, el("dt", {}, name), el("dd", {}, value.toFixed(3)))),
  );
}

/** Both runs compared with the known labels. */
function judged(metrics) {
  if (!metrics) return null;
  const [first, second] = metrics;
  const rows = Object.keys(first).map((name) => ({
    cells: [METRICS[name] ?? name, first[name].toFixed(3), second[name].toFixed(3), gain(second[name] - first[name])],
  }));
  const heads = ["Measure", `Run ${pair[0]}#`, `Run ${pair[1]}#`, "Difference#"];
  return [el("h3", {}, "Compared with the known labels"), makeTable("Compared with the known labels", heads, rows)];
}

const gain = (value) => `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(3)}`;

/** How many documents of each group of the first run are in each group of the second. */
function flow(cells, before, after) {
  const [names, later] = [nameMap(before), nameMap(after)];
  const rows = [...new Set(cells.map(({ source }) => source))].sort((a, b) => a - b);
  const columns = [...new Set([...rows, ...cells.map(({ target }) => target)])].filter((column) =>
    cells.some(({ target }) => target === column),
  );
  const sizes = new Map(cells.map(({ source, target, documents }) => [`${source} ${target}`, documents]));
  const total = (row) =>
    cells.filter(({ source }) => source === row).reduce((sum, { documents }) => sum + documents, 0);
  return heatmap(
    "Where documents went",
    columns.map((column) => el("span", {}, later.get(column) ?? "no group")),
    rows.map((row) => names.get(row) ?? "no group"),
    (line, k) => flowCell(sizes.get(`${rows[line]} ${columns[k]}`) ?? 0, total(rows[line]), columns[k]),
    { caption: `Rows: groups of run ${pair[0]}; columns: groups of run ${pair[1]}`, kind: "numbers" },
  );
}

function flowCell(documents, total, column) {
  const share = documents / total;
  const title = `${count(documents, "document")}, ${percent(share)}`;
  return heatCell(column, 0.55 * share, title, documents ? whole(documents) : "");
}

const nameMap = (groups) => new Map(groups.map(({ group, short }) => [group, short]));
