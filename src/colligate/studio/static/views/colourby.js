// What the colours of the map mean, with a legend. A choice in the legend dims all other documents.

import { attempt } from "../actions.js";
import { api } from "../api.js";
import { el, fill } from "../dom.js";
import { byGroup } from "../map/colouring.js";
import { confidenceScale, scaleOf } from "../map/scales.js";
import { change, follow, state } from "../store.js";
import { followTheme } from "../theme.js";
import { legendOf } from "./legend.js";

const GROUP = "group";
const CONFIDENCE = "confidence";
const COLUMN = "column "; // before the name of a column, which may also be "group"
const COLOURED = ["category", "number", "date"]; // kinds of columns; free text has too many values

/** The control and its legend. */
export function colourBy(map) {
  const legend = el("div", { class: "legend", hidden: true });
  const choice = el("select", { "aria-label": "Colour the map by", "data-keep": "colour-by" });
  let scale = null; // what the colours mean, if not the groups
  const paint = () => {
    if (!state.map) return;
    map.setColours(scale ? scale.colouring() : byGroup(state.map));
    fill(legend, scale ? legendOf(scale) : null);
    legend.hidden = !scale;
  };
  const take = async () => {
    const { value } = choice;
    const taken = await attempt(() => scaleBy(value));
    if (value !== choice.value) return;
    if (taken === null) choice.value = GROUP;
    scale = taken ?? null;
    change({ filter: null });
    paint();
  };
  choice.addEventListener("change", take);
  follow(["project"], () => fillChoice(choice));
  follow(["map"], () => {
    paint();
    if (choice.value === CONFIDENCE) take();
  });
  followTheme(paint);
  return el("div", { class: "colours" }, choice, legend);
}

function fillChoice(choice) {
  const columns = (state.project?.columns.kept ?? []).filter(({ kind }) => COLOURED.includes(kind));
  const options = [[GROUP, GROUP], [CONFIDENCE, CONFIDENCE], ...columns.map(({ name }) => [COLUMN + name, name])];
  const { value } = choice;
  choice.replaceChildren(...options.map(([name, label]) => el("option", { value: name }, `Colour by ${label}`)));
  choice.value = options.some(([name]) => name === value) ? value : GROUP;
}

/** The scale of a choice; undefined for groups. */
async function scaleBy(value) {
  if (value === CONFIDENCE) return confidenceScale(state.map);
  return value.startsWith(COLUMN) ? scaleOf(await api.column(value.slice(COLUMN.length))) : undefined;
}
