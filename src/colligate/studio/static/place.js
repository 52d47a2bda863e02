// Where the page is, as the address tells it: #/map/group/3. Back, forward and a reload lead there again.

import { change, state } from "./store.js";

export const VIEWS = ["map", "words", "compare", "knowledge", "ask"];

function read() {
  const [, view, kind, at] = location.hash.split("/");
  const known = ["group", "document", "changes"].includes(kind);
  return {
    view: VIEWS.includes(view) ? view : "map",
    kind: known ? kind : "none",
    at: known && /^\d+$/.test(at ?? "") ? Number(at) : null,
  };
}

/** Follow the address from now on. */
export function followAddress() {
  addEventListener("hashchange", () => change({ place: read() }));
  change({ place: read() });
}

/** The address of a place. */
export function addressOf({ view, kind, at }) {
  return ["#", view, ...(kind === "none" ? [] : [kind]), ...(at === null ? [] : [at])].join("/");
}

const go = (place) => {
  location.hash = addressOf(place);
};

export const open = (view) => go({ ...state.place, view });
export const choose = (kind, at = null) => go({ ...state.place, kind, at });
export const chooseNothing = () => choose("none");
export const chosen = (kind) => (state.place.kind === kind ? state.place.at : null);
