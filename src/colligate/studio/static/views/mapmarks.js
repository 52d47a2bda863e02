// What the map marks: the choice, the selection, documents that moved, and documents with pending statements.

import { arrowsFrom, arrowsOfMerges, arrowsTo } from "../map/arrows.js";
import { chosen } from "../route.js";
import { follow, state } from "../store.js";
import { solid } from "../theme.js";

const MANY = 2000; // selected documents: more are shown by dimming all others, not by rings

/** Keep the marks of a map up to date. */
export function followMarks(map) {
  follow(["map", "route", "changes", "filter", "hits", "selection"], () => state.map && map.setLit(litDocuments()));
  follow(["map", "route", "changes", "selection", "pending", "arrows"], () => showMarks(map));
  follow(["map", "route"], () => {
    const document = chosen("document");
    if (document !== null && state.map && document < state.map.n) map.reveal(document);
  });
}

/** Whether the map shows documents that moved. */
export const showsMoves = () => state.route.kind === "changes" && state.changes !== null;

/** 1 for the documents that are not dimmed: those that moved, of the chosen group, found, or that pass the filter. */
function litDocuments() {
  const { n, group } = state.map;
  const lit = new Uint8Array(n);
  if (showsMoves()) for (const i of state.changes.documents) lit[i] = 1;
  else if (chosen("group") !== null) for (let i = 0; i < n; i++) lit[i] = group[i] === chosen("group") ? 1 : 0;
  else lit.fill(1);
  if (state.hits) {
    const isHit = new Set(state.hits.positions);
    for (let i = 0; i < n; i++) if (!isHit.has(i)) lit[i] = 0;
  }
  if (state.filter) for (let i = 0; i < n; i++) if (!state.filter(i)) lit[i] = 0;
  if (state.selection.size > MANY) for (let i = 0; i < n; i++) if (!state.selection.has(i)) lit[i] = 0;
  return lit;
}

function showMarks(map) {
  if (!state.map) return;
  const moved = showsMoves() ? state.changes.documents : [];
  map.mark(
    {
      moved,
      pending: moved.length ? [] : state.pending.documents,
      arrows: moved.length ? movedArrows() : pendingArrows(),
      selected: state.selection.size > MANY ? new Set() : state.selection,
      chosen: chosen("document"),
    },
    chosen("group") ?? -1,
  );
}

/** On demand, where every moved document came from: its old group in the present layout. */
function movedArrows() {
  return state.arrows ? arrowsFrom(state.map, state.changes.documents, state.changes.sources, solid) : [];
}

function pendingArrows() {
  const { documents, targets, merges } = state.pending;
  return [...arrowsTo(state.map, documents, targets, solid), ...arrowsOfMerges(state.map, merges, solid)];
}
