// The map with its tools, the text under the pointer, and the same as a list.

import { pick, select } from "../actions.js";
import { button, el, fill } from "../dom.js";
import { startDrag } from "../drag.js";
import { count, shortened, titled } from "../format.js";
import { DocumentMap, NO_SUCH_GROUP } from "../map/map.js";
import { documentAt, rowsAt } from "../model.js";
import { chooseNothing, chosen } from "../route.js";
import { follow, shortName, state } from "../store.js";
import { tint } from "../theme.js";
import { documentRow, groupChip, heading } from "./components.js";

const HOVER_MS = 90;
const LISTED = 40;

export function mapView() {
  const tip = el("div", { class: "tip", hidden: true });
  const map = new DocumentMap({
    choose: (at, event) =>
      at < 0 ? chooseNothing() : pick(at, { isAdding: event.ctrlKey || event.metaKey }),
    hover: (at, x, y) => hover(tip, map, at, x, y),
    lasso: select,
    drag: startDrag,
  });
  const list = el("section", { class: "list", hidden: true, "aria-label": "Documents in view" });
  const element = el("div", { class: "mapview" }, map.frame, tip, list, tools(map, list));
  follow(["map"], () => state.map && map.setMap(state.map, state.groups));
  follow(["groups"], () => map.setNames(state.groups));
  follow(["route", "map", "selection", "changes"], () => marks(map));
  return { element, show: () => {} };
}

function marks(map) {
  const { kind, at } = state.route;
  const moved = state.changes && kind === "changes" ? state.changes.documents : [];
  const group = moved.length ? NO_SUCH_GROUP : (chosen("group") ?? -1);
  map.mark({ moved, selected: state.selection, chosen: kind === "document" ? at : null }, group);
  if (kind === "document" && state.map && at < state.map.n) map.reveal(at);
}

function tools(map, list) {
  const lasso = button("Lasso", () => toggle(lasso, (isOn) => (map.isLasso = isOn)), {
    "aria-pressed": "false",
    title: "Draw around documents to select them (or hold Shift)",
  });
  const listed = button("List", () => toggle(listed, (isOn) => showList(map, list, isOn)), {
    "aria-pressed": "false",
    title: "The documents in view as a list",
  });
  return el(
    "div",
    { class: "tools", role: "toolbar", "aria-label": "Map" },
    button("+", () => map.zoom(1.6), { "aria-label": "Zoom in" }),
    button("−", () => map.zoom(1 / 1.6), { "aria-label": "Zoom out" }),
    button("Fit", () => map.fit(), { title: "Fit the whole map" }),
    lasso,
    listed,
  );
}

function toggle(made, act) {
  const isOn = made.getAttribute("aria-pressed") === "false";
  made.setAttribute("aria-pressed", String(isOn));
  act(isOn);
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
function hover(tip, map, at, x, y) {
  clearTimeout(timer);
  if (at < 0) return void (tip.hidden = true);
  timer = setTimeout(async () => {
    const hovered = await documentAt(at).catch(() => null);
    if (!hovered || map.marks.hovered !== at) return;
    const { title, rest } = titled(hovered.text);
    tip.hidden = false;
    tip.style.setProperty("--c", tint(hovered.group));
    fill(
      tip,
      el("strong", {}, shortened(title, 90)),
      el("span", { class: "who" }, `${hovered.id} in ${shortName(hovered.group)}`),
      el("span", {}, shortened(rest.replace(/\s+/g, " "), 220)),
    );
    const { clientWidth: wide, clientHeight: high } = map.frame;
    const [left, top] = [
      Math.min(x + 14, wide - tip.offsetWidth - 8),
      Math.min(y + 14, high - tip.offsetHeight - 8),
    ];
    tip.style.transform = `translate(${left}px, ${top}px)`;
  }, HOVER_MS);
}
