// The tools of the map: zoom, lasso with its modes, the list, and how many documents are selected.

import { clearSelection } from "../actions.js";
import { button, el, fill } from "../dom.js";
import { count } from "../format.js";
import { change, follow, state } from "../store.js";
import { showsMoves } from "./mapmarks.js";

const MODES = {
  replace: ["New", "Select what the lasso goes around, and nothing else"],
  add: ["Add", "Add to the selection (hold Shift)"],
  remove: ["Remove", "Remove from the selection (hold Alt)"],
};

/** The tools; `showList` shows the list of documents in view or hides it. */
export function mapTools(map, showList) {
  const modes = el("span", { class: "modes", role: "group", "aria-label": "Lasso", hidden: true });
  const setMode = (mode) => {
    map.lassoMode = mode;
    modes.hidden = mode === null;
    fill(
      modes,
      Object.entries(MODES).map(([name, [label, title]]) =>
        button(label, () => setMode(name), {
          title,
          "aria-pressed": String(name === mode),
          "data-keep": `lasso-${name}`,
        }),
      ),
    );
    map.redraw();
  };
  const lasso = switched("Lasso", (isOn) => setMode(isOn ? "replace" : null), {
    title: "Draw around documents to select them (or hold Shift to add, Alt to remove)",
  });
  const listed = switched("List", showList, { title: "The documents in view as a list" });
  const selected = el("span", { class: "selected-count" });
  follow(["selection"], () => fill(selected, state.selection.size ? selectedCount() : null));
  const arrows = switched("Arrows", (isOn) => change({ arrows: isOn }), { title: "Where the moved documents came from" });
  follow(["route", "changes"], () => (arrows.hidden = !showsMoves()));
  return el(
    "div",
    { class: "tools", role: "toolbar", "aria-label": "Map" },
    selected,
    arrows,
    modes,
    lasso,
    listed,
    button("Fit", () => map.fit(), { title: "Fit the whole map" }),
    button("−", () => map.zoom(1 / 1.6), { "aria-label": "Zoom out" }),
    button("+", () => map.zoom(1.6), { "aria-label": "Zoom in" }),
  );
}

const selectedCount = () => [
  el("span", {}, `${count(state.selection.size, "document")} selected`),
  button("×", clearSelection, { class: "plain", "aria-label": "Clear the selection", "data-keep": "clear" }),
];

/** A button that is on or off. */
function switched(label, act, attributes) {
  const made = button(
    label,
    () => {
      const isOn = made.getAttribute("aria-pressed") === "false";
      made.setAttribute("aria-pressed", String(isOn));
      act(isOn);
    },
    { "aria-pressed": "false", ...attributes },
  );
  return made;
}
