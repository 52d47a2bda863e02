// The map with its tools, the text under the pointer, and the same as a list.

import { pick, select, toggle } from "../actions.js";
import { el, fill } from "../dom.js";
import { startDrag } from "../drag.js";
import { count, shortened, titled } from "../format.js";
import { followKeyboard, MAP_KEYS } from "../map/keyboard.js";
import { combined } from "../map/lasso.js";
import { DocumentMap } from "../map/map.js";
import { documentAt, rowsAt } from "../model.js";
import { announce } from "../notices.js";
import { choose, chooseNothing } from "../route.js";
import { follow, groupOf, nameOf, shortName, state } from "../store.js";
import { tint } from "../theme.js";
import { colourBy } from "./colourby.js";
import { documentRow, groupChip, heading } from "./components.js";
import { followMarks } from "./mapmarks.js";
import { mapTools } from "./maptools.js";

const HOVER_MS = 90;
const LISTED = 40;

export function mapView() {
  const tip = el("div", { class: "tip", hidden: true });
  const map = new DocumentMap({
    choose: (i, event) => (i < 0 ? chooseNothing() : pick(i, { isAdding: event.ctrlKey || event.metaKey })),
    hover: (i, x, y) => hover(tip, map, i, x, y),
    lasso: (positions, mode) => selectBy(positions, mode),
    drag: startDrag,
  });
  const list = el("section", { class: "list", hidden: true, "aria-label": "Documents in view" });
  const colours = colourBy(map);
  const tools = mapTools(map, (isOn) => showList(map, list, isOn));
  const keys = el("p", { class: "unseen", id: "map-keys" }, MAP_KEYS);
  for (const [name, value] of Object.entries(MAP_ATTRIBUTES)) map.frame.setAttribute(name, value);
  map.labels.obstacles.push(colours, tools);
  const element = el("div", { class: "mapview" }, keys, map.frame, tip, list, colours, tools);
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

async function showList(map, list, isOn) {
  list.hidden = !isOn;
  if (!isOn) return;
  const seen = map
    .inView()
    .sort((a, b) => state.map.confidence[b] - state.map.confidence[a] || a - b);
  const rows = await rowsAt(seen.slice(0, LISTED));
  fill(
    list,
    heading(
      `${count(seen.length, "document")} in view`,
      rows.length < seen.length ? `, the ${rows.length} most confident` : "",
    ),
    el(
      "table",
      {},
      el(
        "thead",
        {},
        el(
          "tr",
          {},
          ["Document", "Group"].map((name) => el("th", { scope: "col" }, name)),
        ),
      ),
      el(
        "tbody",
        {},
        rows.map((row) =>
          el(
            "tr",
            {},
            el("td", {}, el("ul", { class: "rows" }, documentRow(row))),
            el("td", {}, groupChip(row.group)),
          ),
        ),
      ),
    ),
  );
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
  const { title } = titled(visited.text);
  announce(`${k + 1} of ${total}: ${visited.id}, ${shortened(title, 90)}, in ${shortName(visited.group)}`);
}

function showTip(tip, map, { id, text, group }, x, y) {
  const { title, rest } = titled(text);
  tip.hidden = false;
  tip.style.setProperty("--c", tint(group));
  fill(
    tip,
    el("strong", {}, shortened(title, 90)),
    el("span", { class: "who" }, `${id} in ${shortName(group)}`),
    el("span", {}, shortened(rest.replace(/\s+/g, " "), 220)),
  );
  const { clientWidth: wide, clientHeight: high } = map.frame;
  const [left, top] = [
    Math.max(Math.min(x + 14, wide - tip.offsetWidth - 8), 0),
    Math.max(Math.min(y + 14, high - tip.offsetHeight - 8), 0),
  ];
  tip.style.transform = `translate(${left}px, ${top}px)`;
}
