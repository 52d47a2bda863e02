// What the style sheets need to know about the page: its view, and whether the details lie over it on a small screen.

import { follow, state } from "./store.js";

/** Open the details as a sheet on a small screen, also if the same document was chosen before. */
export function openSheet() {
  document.body.dataset.sheet = "open";
}

/**
 * Note the view and what is chosen at the body. On a small screen the details open as a sheet at the bottom, so that a
 * chosen document is in view at once; another view closes it.
 */
export function followLayout() {
  let before = { view: null, chosen: "none null" };
  follow(["route", "selection", "pair"], () => {
    const { view, kind, at } = state.route;
    const chosen = `${kind} ${at} ${state.selection.size} ${state.pair?.at}`;
    const { dataset } = document.body;
    const isChosen = kind !== "none" || state.selection.size > 0 || state.pair !== null;
    if (!isChosen || view !== before.view) dataset.sheet = "closed";
    if (isChosen && chosen !== before.chosen) openSheet();
    Object.assign(dataset, { view, kind });
    before = { view, chosen };
  });
}
