// The journal: what was said, the latest first, with undo.

import * as acts from "../acts.js";
import { sentence } from "../describe.js";
import { button, byId, el, fill } from "../dom.js";
import { time } from "../format.js";
import { open } from "../place.js";
import { change, follow, state } from "../store.js";
import { reason, verdict } from "./document.js";

const LISTED = 60;

export function startJournal() {
  const [said, why] = [el("div"), whyField()];
  byId("journal").append(said, el("div", { class: "reasons" }, why));
  follow(["statements", "groups"], () => show(said));
  follow(["why"], () => {
    if (why.value !== state.why) why.value = state.why;
  });
}

/** A line for the reason of what is said next; it may stay empty. */
function whyField() {
  return el("input", {
    type: "text",
    id: "why",
    class: "why",
    maxlength: 500,
    autocomplete: "off",
    "aria-label": "Why: the reason that goes with what you say next, if you like",
    placeholder: "Why? Goes with what you say next",
    oninput: ({ target }) => change({ why: target.value }),
    onkeydown: ({ key, target }) => ["Enter", "Escape"].includes(key) && target.blur(),
  });
}

function show(place) {
  const latest = [...state.statements].reverse().slice(0, LISTED);
  const canUndo = state.statements.some(({ status }) => status === "live");
  const said = Math.max(0, ...state.statements.map(({ seq }) => seq));
  const canRedo = state.statements.some(({ undone }) => undone > said);
  fill(
    place,
    el(
      "header",
      { class: "between" },
      el("h2", {}, "Journal"),
      el(
        "span",
        { class: "acts" },
        button("Undo", () => acts.undo(), {
          key: "u",
          class: "small",
          disabled: !canUndo,
          "data-keep": "undo",
        }),
        button("Redo", acts.redo, { key: "U", class: "small", disabled: !canRedo, "data-keep": "redo" }),
        button("All", () => open("knowledge"), { class: "small", "data-keep": "all" }),
      ),
    ),
    latest.length
      ? el("ol", { class: "said" }, latest.map(line))
      : el(
          "p",
          { class: "quiet" },
          "Nothing was said yet. Whatever you say is written down here, and can be undone.",
        ),
  );
}

function line(entry) {
  return el(
    "li",
    { class: entry.status },
    el("span", { class: "when" }, time(entry.at)),
    el("span", { class: "what" }, sentence(entry)),
    verdict(entry),
    entry.status === "live" && entry.kind !== "knowledge"
      ? button("Undo", () => acts.undo(entry.id), {
          class: "small",
          "aria-label": `Undo: ${sentence(entry)}`,
          "data-keep": entry.id,
        })
      : null,
    reason(entry),
  );
}
