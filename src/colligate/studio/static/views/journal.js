// The journal: all statements, the latest first, with undo.

import * as actions from "../actions.js";
import { button, byId, el, fill } from "../dom.js";
import { time } from "../format.js";
import { open } from "../route.js";
import { change, follow, state } from "../store.js";
import { reason, verdict } from "./document.js";

const LISTED = 60;

export function startJournal() {
  const [list, why] = [el("div"), whyField()];
  byId("journal").append(list, el("div", { class: "reasons" }, why));
  follow(["statements", "groups"], () => show(list));
  follow(["why"], () => {
    if (why.value !== state.why) why.value = state.why;
  });
}

/** A field for the reason of the next statement; it may stay empty. */
function whyField() {
  return el("input", {
    type: "text",
    id: "why",
    class: "why",
    maxlength: 500,
    autocomplete: "off",
    "aria-label": "Reason for your next statement (optional)",
    placeholder: "Reason for your next statement",
    oninput: ({ target }) => change({ why: target.value }),
    onkeydown: ({ key, target }) => ["Enter", "Escape"].includes(key) && target.blur(),
  });
}

function show(list) {
  const latest = [...state.statements].reverse().slice(0, LISTED);
  const canUndo = state.statements.some(({ status }) => status === "live");
  const newest = Math.max(0, ...state.statements.map(({ seq }) => seq));
  const canRedo = state.statements.some(({ undone }) => undone > newest);
  fill(
    list,
    el(
      "header",
      { class: "between", "data-keep": "head" },
      el("h2", {}, "Journal"),
      el(
        "span",
        { class: "actions", "data-keep": "actions" },
        button("Undo", () => actions.undo(), {
          key: "u",
          class: "small",
          disabled: !canUndo,
          "data-keep": "undo",
        }),
        button("Redo", actions.redo, { key: "U", class: "small", disabled: !canRedo, "data-keep": "redo" }),
        button("Show all", () => open("knowledge"), { class: "small", "data-keep": "all" }),
      ),
    ),
    latest.length
      ? el("ol", { class: "statements", "data-keep": "statements" }, latest.map(line))
      : el(
          "p",
          { class: "quiet" },
          "There are no statements yet. Each of your statements is listed here, and can be undone.",
        ),
  );
}

function line(entry) {
  return el(
    "li",
    { class: entry.status, "data-keep": `line-${entry.id}` },
    el("span", { class: "when" }, time(entry.at)),
    el("span", { class: "what" }, entry.sentence),
    verdict(entry),
    entry.status === "live" && entry.kind !== "knowledge"
      ? button("Undo", () => actions.undo(entry.id), {
          class: "small",
          "aria-label": `Undo: ${entry.sentence}`,
          "data-keep": entry.id,
        })
      : null,
    reason(entry),
  );
}
