// The groups by a column of the input: numbers by value, or bars over time. A cell lists its documents.

import { attempt, select } from "../actions.js";
import { api } from "../api.js";
import { button, el, fill } from "../dom.js";
import { count, percent, whole } from "../format.js";
import { NO_GROUP } from "../map/data.js";
import { choose, chooseNothing } from "../route.js";
import { change, follow, nameOf, numberOf, shortName, state } from "../store.js";
import { tint } from "../theme.js";
import { heatCell, heatmap } from "./heatmap.js";

const KINDS = ["category", "date", "number"]; // free text has too many values
const NO_VALUE = -1; // the code of documents without a value
const TICKS = 4; // labels of the time axis, about
const FEW = 5; // the share of fewer documents says next to nothing
const STEPS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };

let name = null; // the column that is shown
let values = null; // the values of its documents, once a cell was chosen: { name, codes }
let chosen = null; // the chosen cell: { cell, selection, filter }

export function columnsView() {
  const element = el("div", { class: "page" });
  follow(["selection"], forgetCell);
  return {
    element,
    show: () => show(element),
    needs: () => state.groups.map(({ group, name }) => `${group} ${name}`).join(),
  };
}

/** The columns that can be shown by group. */
export const offeredColumns = () => (state.project?.columns.kept ?? []).filter(({ kind }) => KINDS.includes(kind));

async function show(element) {
  const columns = offeredColumns();
  if (!columns.length) {
    const text = "The input has no column of categories, dates or numbers. Columns beside id and text are read from the file.";
    return fill(element, el("h2", {}, "Groups by column"), el("p", { class: "lead" }, text));
  }
  if (!columns.some((column) => column.name === name)) [{ name }] = columns;
  const wanted = name;
  const answer = await api.columnGroups(state.run, wanted);
  if (wanted !== name) return undefined;
  return fill(
    element,
    el("h2", {}, "Groups by column"),
    el(
      "p",
      { class: "actions" },
      el(
        "select",
        {
          "aria-label": "Column",
          "data-keep": "column",
          onchange: (event) => {
            name = event.target.value;
            attempt(() => show(element));
          },
        },
        columns.map((column) => el("option", { value: column.name, selected: column.name === name }, column.name)),
      ),
    ),
    answer.kind === "date" ? timeline(answer) : valueTable(answer),
  );
}

/** The groups in the order of their list; no group comes last. */
function rowsOf({ groups }) {
  const total = ({ counts, missing }) => counts.reduce((sum, each) => sum + each, missing);
  const rows = groups.map((row) => ({ ...row, total: total(row) })).filter((row) => row.total > 0);
  return rows.sort((a, b) => (a.group < 0) - (b.group < 0) || b.total - a.total);
}

function groupHead({ group, total }) {
  const parts = [
    el("span", { class: "swatch" }),
    group < 0 ? null : el("span", { class: "no" }, numberOf(group)),
    el("span", { class: "name" }, shortName(group)),
    el("span", { class: "size" }, whole(total)),
  ];
  const style = { "--c": tint(group) };
  if (group < 0) return el("span", { class: "plain", style }, parts);
  return button(parts, () => choose("group", group), { class: "plain", style, title: nameOf(group) });
}

/** The share of a group in the documents of a bin, with its 95 % interval, in words. */
function describeShare({ group, counts, low, high }, k, totals) {
  if (low[k] === null) return "";
  const total = totals[k] + (group < 0 ? counts[k] : 0);
  return `${percent(counts[k] / total)} of ${whole(total)} (95 %: ${percent(low[k])} to ${percent(high[k])})`;
}

const toCss = (share) => `${(100 * share).toFixed(1)}%`;

/** A table of groups and values. Below each number a line is the 95 % interval of its share in the value. */
function valueTable({ name: column, bins, totals, groups }) {
  const rows = rowsOf({ groups });
  const isComplete = rows.every(({ missing }) => missing === 0);
  const codes = [...bins.keys(), ...(isComplete ? [] : [NO_VALUE])];
  const labelOf = (code) => (code === NO_VALUE ? "no value" : bins[code]);
  const countOf = (row, code) => (code === NO_VALUE ? row.missing : row.counts[code]);
  const table = heatmap(
    `Groups by ${column}`,
    codes.map((code) => el("span", { title: labelOf(code) }, labelOf(code))),
    rows.map(groupHead),
    (line, k) => {
      const row = rows[line];
      const documents = countOf(row, codes[k]);
      const share = documents / row.total;
      const inValue = codes[k] === NO_VALUE ? "" : describeShare(row, k, totals);
      const shares = `${percent(share)} of the group${inValue && `, ${inValue} of the value`}`;
      const title = `${count(documents, "document")} of ${shortName(row.group)}, ${shares}: ${labelOf(codes[k])}`;
      const number = documents ? cellButton(whole(documents), title, line, k, { group: row.group, code: codes[k] }) : "";
      const content = inValue ? [number, interval(row.low[k], row.high[k])] : number;
      return heatCell(row.group, 0.55 * share, title, content);
    },
    { kind: "numbers by-column" },
  );
  const lead = `Documents of each group by ${column}. The stronger the colour of a cell, the greater its share of the group. The line below a number is the 95 % interval of the share of the group in the documents with this value, from 0 at the left to 100 % at the right. Choose a number to list its documents.`;
  return [el("p", { class: "lead" }, lead), steppable(table)];
}

/** A line from the low to the high end of a share. */
const interval = (low, high) =>
  el("span", { class: "interval", "aria-hidden": "true" }, el("i", { style: { left: toCss(low), right: toCss(1 - high) } }));

/** The share at the top of all rows of bars: whiskers fit, unless they would press the bars down. */
function findMost(rows, totals) {
  const counted = totals.some((total) => total >= FEW) ? FEW : 1;
  const places = [...totals.keys()].filter((k) => totals[k] >= counted);
  const inGroups = rows.filter(({ group }) => group >= 0);
  const shares = inGroups.flatMap(({ counts }) => places.map((k) => counts[k] / totals[k]));
  const highest = inGroups.flatMap(({ high }) => places.map((k) => high[k]));
  return Math.min(1, Math.max(...highest, 0) || 1, 2 * Math.max(...shares, 0) || 1);
}

/** A row of bars for each group, all on one scale: its share in the documents of each period, with whiskers. */
function timeline({ name: column, bins, unit, totals, groups }) {
  const rows = rowsOf({ groups });
  const most = findMost(rows, totals);
  const onScale = (share) => toCss(Math.min(1, share / most));
  const step = Math.ceil(bins.length / TICKS);
  // the last label would reach over the edge
  const isTick = (k) => k % step === 0 && (k === 0 || k + step / 2 <= bins.length);
  const chart = heatmap(
    `Groups over time by ${column}`,
    bins.map((label, k) => el("span", { class: isTick(k) ? "tick" : "unseen" }, label)),
    rows.map(groupHead),
    (line, k) => {
      const { group, counts, low, high } = rows[line];
      const total = totals[k] + (group < 0 ? counts[k] : 0);
      const share = describeShare(rows[line], k, totals);
      const title = `${bins[k]}: ${count(counts[k], "document")} of ${shortName(group)}${share && `, ${share}`}`;
      const kind = total < FEW ? "bar pale" : "bar";
      const bar = el("span", { class: kind, style: { height: onScale(total ? counts[k] / total : 0) } });
      const text = el("span", { class: "unseen" }, whole(counts[k]));
      const ends = { bottom: onScale(low[k] ?? 0), top: toCss(1 - Math.min(1, (high[k] ?? 0) / most)) };
      const whisker = share ? el("span", { class: "whisker", "aria-hidden": "true", style: ends }) : null;
      const content = counts[k] ? cellButton([bar, text], title, line, k, { group, code: k }) : text;
      return el("td", { style: { "--c": tint(group) }, title }, content, whisker);
    },
    { kind: "bars by-column" },
  );
  chart.style.setProperty("--n", bins.length);
  const missing = rows.reduce((sum, row) => sum + row.missing, 0);
  const lead =
    `The share of each group in the documents of a ${unit} of ${column}; the top of a row is ${percent(most)}. A whisker is the 95 % interval: the fewer documents, the longer. Pale bars have fewer than ${FEW} documents behind them.` +
    `${missing ? ` ${count(missing, "document")} without a date ${missing === 1 ? "is" : "are"} left out.` : ""}` +
    " Choose a bar to list its documents.";
  return [el("p", { class: "lead" }, lead), steppable(chart)];
}

function cellButton(content, label, line, k, part) {
  const made = button(content, () => attempt(() => chooseCell(made, part)), {
    "aria-label": label,
    "aria-pressed": "false",
    tabindex: "-1",
    "data-line": line,
    "data-place": k,
  });
  return made;
}

/** One cell is in the order of Tab; arrows step to the next one with documents. */
function steppable(frame) {
  const cells = [...frame.querySelectorAll("[data-line]")];
  const find = (line, place) => cells.find(({ dataset }) => Number(dataset.line) === line && Number(dataset.place) === place);
  const far = Math.max(0, ...cells.map(({ dataset }) => Math.max(dataset.line, dataset.place)));
  cells[0]?.setAttribute("tabindex", "0");
  frame.addEventListener("keydown", (event) => {
    const [step, current] = [STEPS[event.key], event.target.closest("[data-line]")];
    if (!step || !current) return;
    event.preventDefault();
    let [line, place] = [Number(current.dataset.line), Number(current.dataset.place)];
    for (let k = 0; k <= far; k++) {
      [line, place] = [line + step[0], place + step[1]];
      const next = find(line, place);
      if (!next) continue;
      current.setAttribute("tabindex", "-1");
      next.setAttribute("tabindex", "0");
      next.focus();
      return;
    }
  });
  return frame;
}

/** Select the documents of a cell, and dim all others on the map; a second time, let them go. */
async function chooseCell(cell, { group, code }) {
  if (chosen?.cell === cell) return select([]);
  if (values?.name !== name) values = await api.column(name);
  const { codes } = values;
  const wanted = group < 0 ? NO_GROUP : group;
  const filter = (i) => state.map.group[i] === wanted && codes[i] === code;
  const selection = new Set(Array.from({ length: state.map.n }, (_, i) => i).filter(filter));
  // the list at the side shows the selection if nothing else is chosen
  if (state.route.kind !== "none") chooseNothing();
  change({ selection, filter });
  chosen = { cell, selection, filter };
  cell.setAttribute("aria-pressed", "true");
  return undefined;
}

/** The selection of a cell is gone or another: so is the filter of the map. */
function forgetCell() {
  if (!chosen || chosen.selection === state.selection) return;
  const { cell, filter } = chosen;
  chosen = null;
  cell.setAttribute("aria-pressed", "false");
  if (state.filter === filter) change({ filter: null });
}
