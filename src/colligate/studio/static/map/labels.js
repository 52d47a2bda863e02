// The names of the groups on the map; where names overlap, that of the larger group is shown.

import { el, fill } from "../dom.js";
import { shortened } from "../format.js";
import { choose } from "../route.js";
import { numberOf, shortName } from "../store.js";
import { tint } from "../theme.js";

const GAP = 4;
const NUDGES = [0, 1.2, -1.2]; // heights by which a label may give way

export class Labels {
  constructor(layer) {
    this.layer = layer;
    this.labels = [];
  }

  /** Make the labels; assistive technology reads the list of groups instead. */
  set(groups, places) {
    const at = new Map(places.map((place) => [place.group, place]));
    const known = groups.filter((group) => at.has(group.group) && group.size > 0);
    this.labels = known
      .sort((a, b) => b.size - a.size)
      .map((group) => ({ place: at.get(group.group), made: labelOf(group) }));
    fill(
      this.layer,
      this.labels.map(({ made }) => made),
    );
  }

  move(camera) {
    const taken = [];
    for (const label of this.labels) {
      const { place, made } = label;
      const { width, height } = (label.box ??= boxOf(made)) ?? { width: 0, height: 0 };
      const [px, py] = camera.screen(place.x, place.y);
      const boxes = NUDGES.map((nudge) => boxAt(px, py + nudge * height, width, height));
      const free = boxes.find((box) => taken.every((used) => apart(box, used)));
      made.hidden = !free || px < 0 || py < 0 || px > camera.width || py > camera.height;
      if (made.hidden) continue;
      taken.push(free);
      made.style.transform = `translate(${Math.round(free.left + GAP)}px, ${Math.round(free.top)}px)`;
    }
  }
}

const boxAt = (px, py, width, height) => ({
  left: px - width / 2 - GAP,
  right: px + width / 2 + GAP,
  top: py - height / 2,
  bottom: py + height / 2,
});

/** How large a label is, once it can be seen. */
function boxOf(made) {
  made.hidden = false;
  return made.offsetWidth ? { width: made.offsetWidth, height: made.offsetHeight } : undefined;
}

function labelOf(group) {
  return el(
    "button",
    {
      class: "label",
      type: "button",
      tabindex: "-1",
      "data-group": group.group,
      style: { "--c": tint(group.group) },
      onclick: () => choose("group", group.group),
    },
    el("span", { class: "no" }, numberOf(group.group)),
    shortened(shortName(group.group), 34),
  );
}

const apart = (a, b) => a.right < b.left || b.right < a.left || a.bottom < b.top || b.bottom < a.top;
