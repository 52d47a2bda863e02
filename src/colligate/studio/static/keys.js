// The keys: one list, which the help shows.

import * as actions from "./actions.js";
import { el } from "./dom.js";
import { showDialog } from "./dialogs.js";
import { MAP_KEYS } from "./map/keyboard.js";
import { chooseNothing, open, VIEWS } from "./route.js";
import { state } from "./store.js";

export const KEYS = [
  ["/", "search", () => document.querySelector("#search input").focus()],
  [" ", "cluster again", () => state.job ?? actions.cluster()],
  ["A", "cluster from a fresh start", () => state.job ?? actions.clusterFresh()],
  ["m", "move the document to a group", actions.moveSomewhere],
  ["t", "the documents belong together", () => actions.link("together")],
  ["a", "the documents belong apart", () => actions.link("apart")],
  ["o", "the document belongs to no group", actions.outside],
  ["r", "rename the group", actions.rename],
  ["g", "merge the group with another", actions.merge],
  ["s", "split the group", actions.split],
  ["f", "freeze the group (no document leaves it), or thaw it", actions.freeze],
  ["n", "next doubtful document", () => actions.stepDoubtful(1)],
  ["N", "previous doubtful document", () => actions.stepDoubtful(-1)],
  ["b", "move the document to its second-best group", actions.moveToNext],
  ["k", "keep the document in its group", actions.keep],
  ["w", "write a reason for the next statement", () => document.querySelector("#why").focus()],
  ["u", "undo", () => actions.undo()],
  ["U", "redo", actions.redo],
  ...VIEWS.map(({ name, help }, number) => [`${number + 1}`, help, () => open(name)]),
  ["Escape", "clear the selection, or close", clearChoice],
  ["?", "this help", () => showHelp()],
];
const SHOWN = { " ": "Space", A: "Shift a", U: "Shift u", N: "Shift n", Escape: "Esc" };
const OF_QUESTIONS = ["y", "n", "m", "s", "a", "b", "c", "d", "u"];
const FIELDS = "input:not([type=checkbox]), textarea, select, [contenteditable]";
const PRESSED = "button, a, summary, input[type=checkbox], [role=button], [role=tab]";

/** The key of an event: Shift makes a capital letter, Caps Lock does not. */
export function keyOf({ key, shiftKey }) {
  if (key.length !== 1) return key;
  return shiftKey ? key.toUpperCase() : key.toLowerCase();
}

function clearChoice() {
  if (state.selection.size || state.pair) actions.clearSelection();
  else chooseNothing();
}

function showHelp() {
  const rows = KEYS.map(([key, meaning]) =>
    el("div", {}, el("dt", {}, el("kbd", {}, SHOWN[key] ?? key)), el("dd", {}, meaning)),
  );
  const gestures =
    "Drag to move the map, wheel or pinch to zoom, Shift and drag to select, Alt and drag to deselect; " +
    `drag a document to a group. While the map has the focus: ${MAP_KEYS}`;
  return showDialog("Keys", (close) =>
    el(
      "div",
      {},
      el("dl", { class: "keys" }, rows),
      el("p", { class: "quiet" }, gestures),
      el(
        "p",
        { class: "actions" },
        el("button", { class: "main", autofocus: true, onclick: () => close(null) }, "Close"),
      ),
    ),
  );
}

/**
 * Listen to the keyboard. Keys typed into a field belong to the field. Space presses a button that has the focus
 * by the keyboard, but not one that was clicked.
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
    const pressed = keyOf(event);
    if (state.route.view === "ask" && OF_QUESTIONS.includes(pressed)) return;
    const binding = KEYS.find(([key]) => key === pressed);
    if (!binding) return;
    event.preventDefault();
    binding[2]();
  });
}

export { showHelp };
