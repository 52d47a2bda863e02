// The keys: one list, which the help shows too.

import * as acts from "./acts.js";
import { el } from "./dom.js";
import { shown } from "./dialogs.js";
import { chooseNothing, open } from "./place.js";
import { state } from "./store.js";

export const KEYS = [
  ["/", "search", () => document.querySelector("#search input").focus()],
  [" ", "cluster again", () => state.job ?? acts.cluster()],
  ["A", "cluster afresh, from a new start", () => state.job ?? acts.afresh()],
  ["m", "move the document to a group", acts.moveSomewhere],
  ["t", "these documents belong together", () => acts.link("together")],
  ["a", "these documents belong apart", () => acts.link("apart")],
  ["o", "the document belongs to no group", acts.outside],
  ["r", "rename the group", acts.rename],
  ["g", "merge the group with another", acts.merge],
  ["s", "split the group in two", acts.split],
  ["f", "freeze the group: nobody leaves it", acts.freeze],
  ["w", "write why, for what is said next", () => document.querySelector("#why").focus()],
  ["u", "undo", () => acts.undo()],
  ["U", "redo", acts.redo],
  ["1", "the map", () => open("map")],
  ["2", "words", () => open("words")],
  ["3", "compare runs", () => open("compare")],
  ["4", "knowledge", () => open("knowledge")],
  ["5", "questions", () => open("ask")],
  ["Escape", "let go of what is chosen", letGo],
  ["?", "this help", () => showHelp()],
];
const SHOWN = { " ": "Space", A: "Shift a", U: "Shift u", Escape: "Esc" };
const OF_QUESTIONS = ["y", "n", "m", "s", "a", "b", "c", "d", "u"];
const FIELDS = "input:not([type=checkbox]), textarea, select, [contenteditable]";
const PRESSED = "button, a, summary, input[type=checkbox], [role=button], [role=tab]";

function letGo() {
  if (state.selection.size || state.pair) acts.letGo();
  else chooseNothing();
}

function showHelp() {
  const rows = KEYS.map(([key, meaning]) =>
    el("div", {}, el("dt", {}, el("kbd", {}, SHOWN[key] ?? key)), el("dd", {}, meaning)),
  );
  const hands =
    "Drag to move the map, wheel or pinch to zoom, Shift and drag to select; drag a document to a group.";
  return shown("Keys", (close) =>
    el(
      "div",
      {},
      el("dl", { class: "keys" }, rows),
      el("p", { class: "quiet" }, hands),
      el(
        "p",
        { class: "acts" },
        el("button", { class: "main", autofocus: true, onclick: () => close(null) }, "Close"),
      ),
    ),
  );
}

/**
 * Listen to the keyboard. What is typed into a field stays there, as does Space on a button that was reached by
 * the keyboard; a button that was clicked is done with, and does not keep Space to itself.
 */
export function followKeys() {
  let isClicked = false;
  addEventListener("pointerdown", () => (isClicked = true), true);
  addEventListener("keydown", ({ key }) => (isClicked &&= key !== "Tab"), true);
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (document.querySelector("dialog[open]") || event.target.matches(FIELDS)) return;
    if (event.key === " " && event.target.closest(PRESSED)) {
      if (!isClicked) return;
      event.target.blur();
    }
    if (state.place.view === "ask" && OF_QUESTIONS.includes(event.key)) return;
    const found = KEYS.find(([key]) => key === event.key);
    if (!found) return;
    event.preventDefault();
    found[2]();
  });
}

export { showHelp };
