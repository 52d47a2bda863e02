// The legend of the colours of the map, which is also a filter.

import { select } from "../actions.js";
import { button, el, fill } from "../dom.js";
import { count, whole } from "../format.js";
import { NamedScale } from "../map/scales.js";
import { change, state } from "../store.js";

const SHADES = 12; // steps of the bar
const STEPS = 200; // steps of a slider

/** The legend of a scale. */
export function legendOf(scale) {
  const outcome = el("p", { class: "outcome" });
  const narrow = (filter) => {
    change({ filter });
    fill(outcome, filter ? passed(filter, reset) : null);
  };
  let content;
  const reset = () => {
    content.reset();
    narrow(null);
  };
  content = scale instanceof NamedScale ? values(scale, narrow) : range(scale, narrow);
  return [content.element, outcome];
}

/** How many documents pass the filter, and what to do with them. */
function passed(filter, reset) {
  const documents = Array.from({ length: state.map.n }, (_, i) => i).filter(filter);
  return [
    el("span", { role: "status" }, `${count(documents.length, "document")} shown`),
    button("Select", () => select(documents), { class: "small", title: "Select these documents", disabled: !documents.length }),
    button("All", reset, { class: "small", title: "Show all documents" }),
  ];
}

/** Values by name: those that are pressed are shown. */
function values(scale, narrow) {
  const pressed = new Set();
  const items = scale.names.map((name, code) => {
    const made = button(
      [
        el("span", { class: "swatch" }),
        el("span", { class: "name" }, name),
        el("span", { class: "size" }, whole(scale.counts[code])),
      ],
      () => {
        if (!pressed.delete(code)) pressed.add(code);
        made.setAttribute("aria-pressed", String(pressed.has(code)));
        narrow(pressed.size ? scale.among(pressed) : null);
      },
      { "aria-pressed": "false", style: { "--c": scale.colourOf(code) }, title: name },
    );
    return made;
  });
  const element = el(
    "ul",
    { "aria-label": scale.name },
    items.map((item) => el("li", {}, item)),
  );
  const reset = () => {
    pressed.clear();
    for (const item of items) item.setAttribute("aria-pressed", "false");
  };
  return { element, reset };
}

/** Numbers from low to high, with a slider at each end. */
function range(scale, narrow) {
  const { low, high, write } = scale;
  const bar = el(
    "div",
    { class: "ramp", "aria-hidden": "true" },
    scale.colours(SHADES).map((colour) => el("span", { style: { background: colour } })),
  );
  const ends = el("div", { class: "between" });
  const [least, most] = ["Lowest", "Highest"].map((end) =>
    el("input", { type: "range", min: 0, max: STEPS, "aria-label": `${end} ${scale.name}` }),
  );
  const valueOf = (slider) => low + ((high - low) * Number(slider.value)) / STEPS;
  const show = () => {
    for (const slider of [least, most]) slider.setAttribute("aria-valuetext", write(valueOf(slider)));
    fill(ends, el("span", {}, write(valueOf(least))), el("span", {}, write(valueOf(most))));
  };
  const reset = () => {
    [least.value, most.value] = ["0", String(STEPS)];
    show();
  };
  const apply = ({ target }) => {
    // the ends do not cross
    if (Number(least.value) > Number(most.value)) {
      if (target === least) least.value = most.value;
      else most.value = least.value;
    }
    show();
    const isAll = least.value === "0" && most.value === String(STEPS);
    narrow(isAll ? null : scale.between(valueOf(least), valueOf(most)));
  };
  for (const slider of [least, most]) slider.addEventListener("input", apply);
  reset();
  return { element: el("div", { role: "group", "aria-label": scale.name }, bar, ends, least, most), reset };
}
