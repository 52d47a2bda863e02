// What the colours of the map mean, with a legend. A choice in the legend dims all other documents.

import { el, fill } from "../dom.js";
import { byGroup } from "../map/colouring.js";
import { confidenceScale } from "../map/scales.js";
import { change, follow, state } from "../store.js";
import { followTheme } from "../theme.js";
import { legendOf } from "./legend.js";

const GROUP = "group";
const CONFIDENCE = "confidence";

/** The control and its legend. */
export function colourBy(map) {
  const legend = el("div", { class: "legend", hidden: true });
  const choice = el(
    "select",
    { "aria-label": "Colour the map by" },
    [GROUP, CONFIDENCE].map((name) => el("option", { value: name }, `Colour by ${name}`)),
  );
  let scale = null; // what the colours mean, if not the groups
  const paint = () => {
    if (!state.map) return;
    map.setColours(scale ? scale.colouring() : byGroup(state.map));
    fill(legend, scale ? legendOf(scale) : null);
    legend.hidden = !scale;
  };
  const take = () => {
    scale = choice.value === CONFIDENCE ? confidenceScale(state.map) : null;
    change({ filter: null });
    paint();
  };
  choice.addEventListener("change", take);
  follow(["map"], () => state.map && take());
  followTheme(paint);
  return el("div", { class: "colours" }, choice, legend);
}
