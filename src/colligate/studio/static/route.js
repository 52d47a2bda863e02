// The route of the page in its address: #/map/group/3. Back, forward and reload work.

import { change, state } from "./store.js";

/** The views in the order of their tabs and keys; views/views.js makes each one by its name. One without a title has no tab. */
export const VIEWS = [
  { name: "map", title: "Map", help: "the map" },
  { name: "words", title: "Words", help: "words" },
  { name: "compare", title: "Compare", help: "compare runs" },
  { name: "knowledge", title: "Knowledge", help: "knowledge" },
  { name: "ask", title: "Ask", help: "questions" },
  { name: "columns", help: "groups by a column of the input" },
];

function read() {
  const [, view, kind, at] = location.hash.split("/");
  const isKnown = ["group", "document", "changes"].includes(kind);
  return {
    view: VIEWS.some(({ name }) => name === view) ? view : "map",
    kind: isKnown ? kind : "none",
    at: isKnown && /^\d+$/.test(at ?? "") ? Number(at) : null,
  };
}

/** Follow the address. */
export function followAddress() {
  addEventListener("hashchange", () => change({ route: read() }));
  change({ route: read() });
}

/** The address of a route. */
export function addressOf({ view, kind, at }) {
  return ["#", view, ...(kind === "none" ? [] : [kind]), ...(at === null ? [] : [at])].join("/");
}

const go = (route) => {
  location.hash = addressOf(route);
};

export const open = (view) => go({ ...state.route, view });
export const choose = (kind, at = null) => go({ ...state.route, kind, at });
export const chooseNothing = () => choose("none");
export const chosen = (kind) => (state.route.kind === kind ? state.route.at : null);
