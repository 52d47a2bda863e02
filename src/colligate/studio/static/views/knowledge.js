// All statements with where they came from and what became of them; and the same as a text to edit.

import { api } from "../api.js";
import * as acts from "../acts.js";
import { sentence } from "../describe.js";
import { button, el, fill } from "../dom.js";
import { count, time, whole } from "../format.js";
import { runOf, state } from "../store.js";
import { verdict } from "./document.js";
import { editor } from "./editor.js";

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
    el("p", { class: "lead" }, "Everything that was said, as you would write it into a knowledge file. Nothing else tells the method what you know."),
    el("p", { class: "acts" },
      el("a", { class: "button", href: "/api/knowledge.yaml", download: "knowledge.yaml" }, "Export knowledge.yaml"),
      run.started ? el("a", { class: "button", href: `/api/runs/${run.number}/start.json`, download: "start.json" }, "Export start.json") : null,
      el("a", { class: "button", href: `/api/runs/${run.number}/report`, target: "_blank" }, "Report")),
    el("p", { class: "quiet" }, "The same groups from the command line, with the files of this run beside it:"),
    el("code", { class: "command" }, run.command),
  ];
}

function statements() {
  const latest = [...state.statements].reverse();
  if (!latest.length) return el("p", { class: "quiet" }, "Nothing was said yet.");
  return el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Statements" }, el("table", { class: "plain" },
    el("caption", {}, count(latest.length, "statement")),
    el("thead", {}, el("tr", {}, ["Number", "What", "When", "Who and why", "How it stands", ""].map((name) => el("th", { scope: "col" }, name)))),
    el("tbody", {}, latest.map((entry) => el("tr", { class: entry.status },
      el("td", { class: "number" }, String(entry.seq)),
      el("th", { scope: "row" }, sentence(entry)),
      el("td", { class: "when" }, time(entry.at)),
      el("td", {}, [entry.who, entry.why].filter(Boolean).join(": ")),
      el("td", {}, verdict(entry)),
      el("td", {}, entry.status === "live" ? button("Undo", () => acts.undo(entry.id), { class: "small", "aria-label": `Undo: ${sentence(entry)}` }) : null))))));
}

function lines({ counts, rows, total }) {
  if (!total) return null;
  const told = Object.entries(counts).map(([status, number]) => el("span", { class: `verdict ${status}` }, `${whole(number)} ${status}`));
  return [
    el("h3", {}, `What became of it in run ${state.run}`),
    el("p", { class: "verdicts" }, told),
    el("div", { class: "scroll tall", tabindex: "0", role: "region", "aria-label": "Lines of the knowledge file" }, el("table", { class: "plain" },
      el("thead", {}, el("tr", {}, ["What", "Kind", "How it stands", "Cost", "Source"].map((name) => el("th", { scope: "col" }, name)))),
      el("tbody", {}, rows.map((row) => el("tr", {},
        el("th", { scope: "row" }, row.text), el("td", {}, `${row.type}, ${row.kind}`),
        el("td", {}, el("span", { class: `verdict ${row.status}` }, row.status)),
        el("td", { class: "number" }, row.cost ? row.cost.toPrecision(3) : ""),
        el("td", {}, [row.line, row.note].filter(Boolean).join(", "))))))),
    rows.length < total ? el("p", { class: "quiet" }, `and ${count(total - rows.length, "line")} more`) : null,
  ];
}
