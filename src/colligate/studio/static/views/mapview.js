// The map with its tools, the text under the pointer, and the same as a list.

import { pick, select, toggle } from "../actions.js";
import { el, fill } from "../dom.js";
import { startDrag } from "../drag.js";
import { count, shortened } from "../format.js";
import { followKeyboard, MAP_KEYS } from "../map/keyboard.js";
import { combined } from "../map/lasso.js";
import { DocumentMap } from "../map/map.js";
import { documentAt } from "../model.js";
import { announce } from "../notices.js";
import { choose, chooseNothing } from "../route.js";
import { change, follow, groupOf, nameOf, shortName, state } from "../store.js";
import { tint } from "../theme.js";
import { colourBy } from "./colourby.js";
import { documentList } from "./documentlist.js";
import { followMarks } from "./mapmarks.js";
import { mapTools } from "./maptools.js";

const HOVER_MS = 90;

export function mapView() {
  const tip = el("div", { class: "tip", hidden: true });
  const map = new DocumentMap({
    choose: (i, event) => (i < 0 ? chooseNothing() : pick(i, { isAdding: event.ctrlKey || event.metaKey })),
    hover: (i, x, y) => hover(tip, map, i, x, y),
    lasso: (positions, mode) => selectBy(positions, mode),
    drag: startDrag,
    moved: () => list.moved(),
  });
  const list = listInView(map);
  const colours = colourBy(map);
  const tools = mapTools(map, list.show);
  const bar = el("div", { class: "bar-of-map" }, colours, tools);
  const keys = el("p", { class: "unseen", id: "map-keys" }, MAP_KEYS);
  for (const [name, value] of Object.entries(MAP_ATTRIBUTES)) map.frame.setAttribute(name, value);
  map.labels.obstacles.push(colours, tools);
  const element = el("div", { class: "mapview" }, keys, map.frame, tip, list.element, bar);
  follow(["map"], () => state.map && map.setMap(state.map, state.groups));
  follow(["groups"], () => map.setNames(state.groups));
  followMarks(map);
  followKeyboard(map, {
    visitDocument: (i, k, total) => visitDocument(tip, map, i, k, total),
    visitGroup: (group) => announce(`${nameOf(group)}, ${count(groupOf(group)?.size ?? 0, "document")}`),
    openDocument: (i) => pick(i),
    openGroup: (group) => choose("group", group),
    toggle: (i) => {
      toggle(i);
      announce(`${count(state.selection.size, "document")} selected`);
    },
  });
  return { element, show: () => {} };
}

const MAP_ATTRIBUTES = {
  tabindex: "0",
  role: "application",
  "aria-roledescription": "map",
  "aria-label": "Map of the documents",
  "aria-describedby": "map-keys",
};

/** Change the selection by a lasso, and say how many documents are selected. */
function selectBy(positions, mode) {
  select(combined(state.selection, positions, mode));
  announce(`${count(state.selection.size, "document")} selected`);
}

const SETTLED_MS = 150;

/** The documents in view as a list beside the map; it follows the map while it is on. */
function listInView(map) {
  let [isOn, timer] = [false, 0];
  const list = documentList({
    label: "Documents in view",
    parts: ["box"],
    level: "h2",
    scopeOf: () =>
      state.box && {
        kind: "box",
        key: "box",
        request: { box: state.box },
        order: "doubt",
        showsGroup: true,
        title: (total) => `${count(total, "document")} in view`,
      },
  });
  const element = el("div", { class: "list", hidden: true }, list);
  const look = () => change({ box: isOn ? map.box() : null });
  return {
    element,
    /** The view has moved: list what it shows once it rests. */
    moved: () => {
      clearTimeout(timer);
      if (isOn) timer = setTimeout(look, SETTLED_MS);
    },
    show: (isShown) => {
      isOn = isShown;
      element.hidden = !isShown;
      look();
    },
  };
}

let timer;

/** The text of the document under the pointer, after a moment. */
function hover(tip, map, i, x, y) {
  clearTimeout(timer);
  if (i < 0) return void (tip.hidden = true);
  timer = setTimeout(async () => {
    const hovered = await documentAt(i).catch(() => null);
    if (hovered && map.marks.hovered === i) showTip(tip, map, hovered, x, y);
  }, HOVER_MS);
}

/** Show and announce a document that a key stepped to. */
async function visitDocument(tip, map, i, k, total) {
  clearTimeout(timer);
  const visited = await documentAt(i).catch(() => null);
  if (!visited || map.marks.hovered !== i) return;
  showTip(tip, map, visited, ...map.screenOf(i));
  const heading = shortened(visited.title || "(no text)", 90);
  announce(`${k + 1} of ${total}: ${visited.id}, ${heading}, in ${shortName(visited.group)}`);
}

function showTip(tip, map, { id, title, text, group }, x, y) {
  const rest = text.trim().startsWith(title) ? text.trim().slice(title.length) : text;
  tip.hidden = false;
  tip.style.setProperty("--c", tint(group));
  fill(
    tip,
    el("strong", {}, shortened(title || "(no text)", 90)),
    el("span", { class: "who" }, `${id} in ${shortName(group)}`),
    el("span", {}, shortened(rest.trim().replace(/\s+/g, " "), 220)),
  );
  const { clientWidth: wide, clientHeight: high, offsetLeft: start } = map.frame;
  const [left, top] = [
    Math.max(Math.min(x + 14, wide - tip.offsetWidth - 8), 0),
    Math.max(Math.min(y + 14, high - tip.offsetHeight - 8), 0),
  ];
  tip.style.transform = `translate(${start + left}px, ${top}px)`;
}
