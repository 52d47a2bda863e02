// The names of the groups on the map: the larger the group, the earlier its name gets a place.

import { el, fill } from "../dom.js";
import { shortened } from "../format.js";
import { choose } from "../route.js";
import { numberOf, shortName } from "../store.js";
import { tint } from "../theme.js";
import { placeNames } from "./placement.js";

const EDGE = 4; // pixels between a name and the edge of the map
const LENGTHS = [34, 16]; // characters of a name where there is room, and where there is little

export class Labels {
  constructor(layer) {
    this.layer = layer;
    this.labels = [];
    this.obstacles = []; // elements over the map that names keep clear of
  }

  /** Make the labels; assistive technology reads the list of groups instead. */
  set(groups, places) {
    const placeOf = new Map(places.map((place) => [place.group, place]));
    this.labels = groups
      .filter((group) => placeOf.has(group.group) && group.size > 0)
      .sort((a, b) => b.size - a.size || a.group - b.group)
      .map(({ group }) => ({ group, place: placeOf.get(group), element: labelOf(group), form: -1 }));
    fill(
      this.layer,
      this.labels.map(({ element }) => element),
    );
  }

  /** Move the names to their places on the screen; the chosen group comes first. */
  move(camera, chosen) {
    if (!this.layer.offsetWidth) return;
    for (const label of this.labels) label.forms ??= measure(label);
    const inOrder = [...this.labels].sort((a, b) => (b.group === chosen) - (a.group === chosen));
    const names = inOrder.map(({ place, forms }) => {
      const [x, y] = camera.screen(place.x, place.y);
      return { x, y, radius: place.radius * camera.scale, forms };
    });
    const room = { left: EDGE, top: EDGE, right: camera.width - EDGE, bottom: camera.height - EDGE };
    placeNames(names, room, this.#taken()).forEach((spot, k) => show(inOrder[k], spot));
  }

  /** The boxes of the obstacles on the screen of the map. */
  #taken() {
    const frame = this.layer.getBoundingClientRect();
    return this.obstacles
      .map((element) => element.getBoundingClientRect())
      .filter(({ width }) => width > 0)
      .map(({ left, top, right, bottom }) => ({
        left: left - frame.left,
        top: top - frame.top,
        right: right - frame.left,
        bottom: bottom - frame.top,
      }));
  }
}

/** The sizes of the forms of a label. */
function measure(label) {
  label.element.hidden = false;
  return LENGTHS.map((_, form) => {
    write(label, form);
    const { width, height } = label.element.getBoundingClientRect();
    return { width: Math.ceil(width), height: Math.ceil(height) };
  });
}

function write(label, form) {
  if (label.form === form) return;
  label.form = form;
  label.element.lastChild.textContent = shortened(shortName(label.group), LENGTHS[form]);
}

function show(label, spot) {
  label.element.hidden = !spot;
  if (!spot) return;
  write(label, spot.form);
  label.element.style.transform = `translate(${Math.round(spot.left)}px, ${Math.round(spot.top)}px)`;
}

function labelOf(group) {
  return el(
    "button",
    {
      class: "label",
      type: "button",
      tabindex: "-1",
      title: shortName(group),
      "data-group": group,
      style: { "--c": tint(group) },
      onclick: () => choose("group", group),
    },
    el("span", { class: "no" }, numberOf(group)),
    el("span"),
  );
}
