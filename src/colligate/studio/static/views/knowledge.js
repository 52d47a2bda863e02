// All statements with where they came from and what became of them; and the same as a text to edit.

import { api } from "../api.js";
import * as acts from "../acts.js";
import { sentence } from "../describe.js";
import { button, el, fill } from "../dom.js";
import { count, percent, time, whole } from "../format.js";
import { runOf, state } from "../store.js";
import { standingLine } from "./changes.js";
import { reason, verdict } from "./document.js";
import { editor } from "./editor.js";
import { runFiles } from "./files.js";
import { plainTable } from "./table.js";

export function knowledgeView() {
  const element = el("div", { class: "page" });
  const text = editor();
  const rest = el("div");
  element.append(el("h2", {}, "Knowledge"), rest, text.element);
  const show = async () => {
    const [audit] = await Promise.all([api.audit(state.run), text.refresh()]);
    fill(rest, lead(), statements(), lines(audit));
  };
  return { element, show, needs: () => state.statements.map(({ seq, status }) => seq + status).join() };
}

function lead() {
  const run = runOf(state.run);
  return [
    el(
      "p",
      { class: "lead" },
      "Everything that was said, as you would write it into a knowledge file. Methods are told nothing else.",
    ),
    el(
      "p",
      {},
      el(
        "a",
        { class: "button", href: "/api/knowledge.yaml", download: "knowledge.yaml" },
        "Export knowledge.yaml",
      ),
      el("span", { class: "quiet" }, " as it stands now"),
    ),
    el("h3", {}, `The groups of run ${run.number} from the command line`),
    el("p", { class: "acts" }, runFiles(run)),
    el("code", { class: "command" }, run.command),
  ];
}

function statements() {
  const latest = [...state.statements].reverse();
  if (!latest.length) return el("p", { class: "quiet" }, "Nothing was said yet.");
  const row = (entry) => ({
    kind: entry.status,
    cells: [
      sentence(entry),
      el("span", { class: "when" }, `${entry.seq} · ${time(entry.at)}`),
      [entry.who, entry.why].filter(Boolean).join(": "),
      strengthOf(entry),
      [verdict(entry), reason(entry)],
      entry.status === "live" ? undoButton(entry) : null,
    ],
  });
  const heads = ["What", "When", "Who and why", "Strength, trust#", "How it stands", ""];
  return [el("h3", {}, count(latest.length, "statement")), plainTable("Statements", heads, latest.map(row))];
}

function undoButton(entry) {
  const label = `Undo: ${sentence(entry)}`;
  return button("Undo", () => acts.undo(entry.id), { class: "small", "aria-label": label });
}

function lines({ counts, standing, rows, total }) {
  if (!total) return null;
  const told = Object.entries(counts).map(([status, number]) => mark(status, `${whole(number)} ${status}`));
  const row = (line) => ({
    kind: line.stands_in ? "added" : null,
    cells: [
      line.text,
      `${line.type}, ${line.stands_in ? "stands for its group" : line.kind}`,
      [mark(line.status, line.status), reason(line)],
      line.cost ? line.cost.toPrecision(3) : "",
      strengthOf(line),
      [line.line, line.note].filter(Boolean).join(", "),
    ],
  });
  const heads = ["What", "Kind", "How it stands", "Cost#", "Strength, trust#", "Source"];
  return [
    el("h3", {}, `What became of it in run ${state.run}`),
    el("p", { class: "verdicts" }, told),
    standing.kept + standing.broken ? el("p", { class: "quiet" }, standingLine(standing)) : null,
    plainTable("Lines of the knowledge file", heads, rows.map(row), { isTall: true }),
    rows.length < total
      ? el("p", { class: "quiet" }, `and ${count(total - rows.length, "line")} more`)
      : null,
  ];
}

/** How strong a statement is and, where the method found out, how far it is trusted to be right. */
function strengthOf({ strength, trust }) {
  if (strength === null || strength === undefined) return "";
  const told = strength.toLocaleString("en-GB", { maximumSignificantDigits: 3 });
  if (trust === null || trust === undefined) return told;
  return el("span", { title: `trusted to ${percent(trust)}` }, `${told} · ${percent(trust)}`);
}

const mark = (status, text) => el("span", { class: `verdict ${status}` }, text);
