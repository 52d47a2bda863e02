// The route of the page in its address: #/map/group/3. Back, forward and reload work.

import { change, state } from "./store.js";

export const VIEWS = ["map", "words", "compare", "knowledge", "ask"];

function read() {
  const [, view, kind, at] = location.hash.split("/");
  const isKnown = ["group", "document", "changes"].includes(kind);
  return {
    view: VIEWS.includes(view) ? view : "map",
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
