// What a statement would move, before it is made.

import { api } from "./api.js";
import { el, fill } from "./dom.js";
import { count } from "./format.js";
import { groupOf, shortName } from "./store.js";

const WAIT_MS = 200;

/** A line that says what a statement would do; `show` may be called at every change of a form. */
export function previewLine(describe = describeMoves) {
  const element = el("div", { class: "preview", role: "status" });
  let timer = null;
  let turn = 0;

  /** Ask for the preview of a statement, and show it; nothing if there is no statement yet. */
  function show(kind, body, at = []) {
    const mine = ++turn;
    clearTimeout(timer);
    if (!body) return present(null);
    element.ariaBusy = "true"; // what is shown belongs to another choice
    timer = setTimeout(async () => {
      const shown = await api
        .preview(kind, body, at)
        .then(describe)
        .catch((error) => el("p", { class: "problem" }, error.message));
      if (mine === turn) present(shown);
    }, WAIT_MS);
  }

  function present(shown) {
    element.ariaBusy = "false";
    fill(element, shown);
  }

  return { element, show };
}

/** The moves of a statement in a few words. */
function describeMoves({ moves, new_groups: made }) {
  const lines = [made.length ? "It makes a new group." : null, ...moves.map(moveText)].filter(Boolean);
  return lines.length ? lines.map((text) => el("p", {}, text)) : el("p", {}, "No document moves.");
}

export function moveText({ source, target, documents, alike }) {
  const from = source < 0 ? "" : ` from ${shortName(source)}`;
  const what = count(documents.length, alike ? "similar document" : "document");
  const verb = documents.length === 1 ? "moves" : "move";
  return `${what} ${alike ? verb.replace("move", "follow") : verb}${from} to ${nameOfTarget(target)}.`;
}

const nameOfTarget = (group) => (groupOf(group) ? shortName(group) : "the new group");
