// The keys of the map, while it has the focus.

const STEP = 80; // pixels of a press of an arrow key
const ZOOM = 1.4;
const PANS = { ArrowLeft: [1, 0], ArrowRight: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

export const MAP_KEYS =
  "Arrow keys move the map, plus and minus zoom, Home shows all. " +
  "Full stop and comma step through the documents in view, nearest to the middle first; " +
  "Page Down and Page Up step through the groups. Enter opens, X selects or deselects the document.";

/**
 * Listen to the keys of the map. `act` has the callbacks visitDocument(position, k, total), visitGroup(group),
 * openDocument(position), openGroup(group) and toggle(position).
 */
export function followKeyboard(map, act) {
  let stops = null; // what a step goes through: { kind, items, k }

  const step = (kind, by) => {
    if (stops?.kind !== kind) stops = { kind, items: kind === "document" ? map.fromMiddle() : groupsOf(map), k: -1 };
    const { items } = stops;
    if (!items.length) return;
    stops.k = stops.k < 0 ? (by > 0 ? 0 : items.length - 1) : (stops.k + by + items.length) % items.length;
    const item = items[stops.k];
    map.mark({ hovered: kind === "document" ? item : -1 });
    if (kind === "document") act.visitDocument(item, stops.k, items.length);
    else {
      map.show(item);
      act.visitGroup(item.group);
    }
  };
  const move = (change) => {
    change();
    if (stops?.kind === "document") forget();
  };
  const forget = () => {
    stops = null;
    map.interaction.cancel();
  };
  const visited = () => stops?.items[stops.k];
  const open = () => {
    if (!stops) return;
    if (stops.kind === "document") act.openDocument(visited());
    else act.openGroup(visited().group);
  };
  const keys = {
    "+": () => move(() => map.zoom(ZOOM)),
    "=": () => move(() => map.zoom(ZOOM)),
    "-": () => move(() => map.zoom(1 / ZOOM)),
    Home: () => move(() => map.fit()),
    ".": () => step("document", 1),
    ",": () => step("document", -1),
    PageDown: () => step("group", 1),
    PageUp: () => step("group", -1),
    Enter: open,
    x: () => stops?.kind === "document" && act.toggle(visited()),
  };
  for (const [key, [dx, dy]] of Object.entries(PANS)) keys[key] = () => move(() => map.pan(STEP * dx, STEP * dy));

  map.frame.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !(event.key in keys) || !map.map) return;
    event.preventDefault();
    keys[event.key]();
  });
  map.frame.addEventListener("blur", forget);
  addEventListener("keydown", ({ key }) => key === "Escape" && forget());
}

/** The groups with documents, the largest first. */
const groupsOf = (map) => [...map.map.places].sort((a, b) => b.radius - a.radius || a.group - b.group);
