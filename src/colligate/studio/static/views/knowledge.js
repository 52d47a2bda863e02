// All statements with their sources and outcomes, and the same as a text to edit.

import { api } from "../api.js";
import * as actions from "../actions.js";
import { button, el, fill } from "../dom.js";
import { count, percent, time, whole } from "../format.js";
import { runOf, state } from "../store.js";
import { addedLines } from "./changes.js";
import { cautions } from "./components.js";
import { reason, verdict } from "./document.js";
import { editor } from "./editor.js";
import { runCommand, runFiles } from "./files.js";
import { makeTable } from "./table.js";

export function knowledgeView() {
  const element = el("div", { class: "page" });
  const text = editor();
  const rest = el("div");
  element.append(el("h2", {}, "Knowledge"), rest, text.element);
  const show = async () => {
    const [audit, file] = await Promise.all([api.audit(state.run), text.refresh()]);
    fill(rest, lead(), statements(file), lines(audit));
  };
  return { element, show, needs: () => state.statements.map(({ seq, status }) => seq + status).join() };
}

function lead() {
  const run = runOf(state.run);
  return [
    cautions(run),
    el(
      "p",
      { class: "lead" },
      "All statements, as a knowledge file. Methods get this file and nothing else.",
    ),
    el(
      "p",
      {},
      el(
        "a",
        { class: "button", href: "/api/knowledge.yaml", download: "knowledge.yaml" },
        "Export knowledge.yaml",
      ),
      el("span", { class: "quiet" }, " with all live statements"),
    ),
    el("h3", {}, `Make the groups of run ${run.number} on the command line`),
    el("p", { class: "actions" }, runFiles(run)),
    runCommand(run),
  ];
}

function statements(file) {
  const latest = [...state.statements].reverse();
  if (!latest.length) return el("p", { class: "quiet" }, "There are no statements yet.");
  const row = (entry) => ({
    kind: entry.status,
    cells: [
      entry.sentence,
      el("span", { class: "when" }, `${entry.seq} · ${time(entry.at)}`),
      [entry.who, entry.why].filter(Boolean).join(": "),
      strengthOf(entry),
      [verdict(entry), reason(entry)],
      entry.status === "live" ? undoButton(entry) : null,
    ],
  });
  const heads = ["Statement", "Number, time", "Who and why", "Strength, trust#", "Outcome", ""];
  return [el("h3", {}, countStated(file)), makeTable("Statements", heads, latest.map(row))];
}

/** How many statements count now; changes to groups have no line in the knowledge file. */
function countStated({ statements, changes }) {
  const stated = count(statements, "statement");
  return changes ? `${stated}, ${count(changes, "change")} to groups` : stated;
}

function undoButton(entry) {
  const label = `Undo: ${entry.sentence}`;
  return button("Undo", () => actions.undo(entry.id), { class: "small", "aria-label": label });
}

function lines({ counts, exemplars, frozen, rows, total }) {
  if (!total) return null;
  const tally = Object.entries(counts).map(([status, number]) => mark(status, `${whole(number)} ${status}`));
  const row = (line) => ({
    kind: line.stands_in || line.frozen ? "added" : null,
    cells: [
      line.text,
      `${line.type}, ${line.frozen ? "frozen" : line.stands_in ? "exemplar" : line.kind}`,
      [mark(line.status, line.status), reason(line)],
      line.cost ? line.cost.toPrecision(3) : "",
      strengthOf(line),
      [line.line, line.note].filter(Boolean).join(", "),
    ],
  });
  const heads = ["Line", "Kind", "Outcome", "Cost#", "Strength, trust#", "Source"];
  return [
    el("h3", {}, `Outcome of every line in run ${state.run}`),
    el("p", { class: "verdicts" }, `${count(sum(counts), "statement")}: `, tally),
    addedLines({ exemplars, frozen }),
    makeTable("Lines of the knowledge file", heads, rows.map(row), { isTall: true }),
    rows.length < total
      ? el("p", { class: "quiet" }, `and ${count(total - rows.length, "line")} more`)
      : null,
  ];
}

/** The strength of a statement and, if the method estimates it, the trust that it is right. */
function strengthOf({ strength, trust }) {
  if (strength === null || strength === undefined) return "";
  const text = strength.toLocaleString("en-GB", { maximumSignificantDigits: 3 });
  if (trust === null || trust === undefined) return text;
  return el("span", { title: `trust ${percent(trust)}` }, `${text} · ${percent(trust)}`);
}

const sum = (counts) => Object.values(counts).reduce((total, number) => total + number, 0);

const mark = (status, text) => el("span", { class: `verdict ${status}` }, text);
