// What the user can do. Every action is recorded as a statement in the journal, and can be undone.

import { api } from "./api.js";
import { askText, chooseGroup } from "./dialogs.js";
import { count } from "./format.js";
import { followJob, rowsAt } from "./model.js";
import { notice } from "./notices.js";
import { choose, chosen } from "./route.js";
import { change, groupOf, nameOf, state } from "./store.js";

const MAX_AT_ONCE = 200; // the server accepts more, but nobody checks so many

/** Do something, and show the error if it is refused. */
export async function attempt(act) {
  try {
    return await act();
  } catch (error) {
    notice(error.message, { isBad: true });
    return null;
  }
}

/**
 * Send something with the reason in the field. The field is cleared at once, so that no other statement gets
 * the same reason; the reason comes back if the request fails and the field is still empty.
 */
export async function withReason(send, isRecorded = Boolean) {
  const { why } = state;
  change({ why: "" });
  const done = await attempt(() => send(why));
  if (!isRecorded(done) && !state.why) change({ why });
  return done;
}

/** Record a statement with the reason in the field; true once it is on the disk. */
export const record = (kind, body) => recordFetched(kind, async () => body);

/** Record a statement whose body must be fetched first; nothing if there is none. */
async function recordFetched(kind, fetchBody) {
  const entry = await withReason(async (why) => {
    const body = await fetchBody();
    const context = { after: state.project.seq, run: state.run };
    return body && api.record({ kind, body, ...context, why, id: crypto.randomUUID() });
  });
  if (!entry) return false;
  notice(`Recorded: ${entry.sentence}`, { todo: "Undo", act: () => undo(entry.id) });
  return true;
}

export const undo = (id) => attempt(async () => notice(`Undone: ${(await api.undo(id)).sentence}`));
export const redo = () => attempt(async () => notice(`Redone: ${(await api.redo()).sentence}`));

/** Cluster, continuing from the displayed run. */
export function cluster(request = {}) {
  const origin = state.run === null ? {} : { from_run: state.run };
  return attempt(async () => followJob(await api.run({ ...origin, ...request })));
}

export const clusterFresh = () => cluster({ fresh: true });
export const cancel = () => state.job && attempt(() => api.cancel(state.job.number));

/** The documents that an action is about: the selected ones, or the chosen one. */
export function targets() {
  if (state.selection.size) return [...state.selection];
  return chosen("document") === null ? [] : [chosen("document")];
}

/** Choose a document, make it the second one of a pair, or add it to the selection. */
export function pick(at, { isAdding = false } = {}) {
  if (state.pair) return finishPair(at);
  if (isAdding) return toggle(at);
  change({ selection: new Set() });
  return choose("document", at);
}

export function toggle(at) {
  const selection = new Set(state.selection);
  if (!selection.delete(at)) selection.add(at);
  change({ selection });
}

export const select = (positions) => change({ selection: new Set(positions) });
export const clearSelection = () => change({ selection: new Set(), pair: null });

export const moveTo = (group, positions = targets()) =>
  recordOf("label", positions, (documents) => ({ ...ofDocuments(documents), group }));

export async function moveSomewhere() {
  if (!targets().length) return notice("Choose a document first.");
  const group = await chooseGroup(`Move ${count(targets().length, "document")} to …`);
  return group === null ? null : moveTo(group);
}

export function outside() {
  if (!targets().length) return notice("Choose a document first.");
  return recordOf("outside", targets(), ofDocuments);
}

/** Documents as fields of a statement: one or several, or those of a link. */
const ofDocuments = (ids) => (ids.length > 1 ? { documents: ids } : { document: ids[0] });
const ofLinked = (items) => ({ type: state.project.centre, items });

/** Record a statement about documents at some positions. */
const recordOf = (kind, positions, bodyOf) =>
  recordFetched(kind, async () => {
    const ids = await fetchIds(positions);
    return ids && bodyOf(ids);
  });

/** Link two or more documents; with a single one, the document chosen next is the other. */
export function link(kind) {
  const positions = targets();
  if (!positions.length) return notice("Choose a document first.");
  if (positions.length === 1) return change({ pair: { kind, at: positions[0] } });
  return recordOf(kind, positions, ofLinked);
}

function finishPair(at) {
  const { kind, at: first } = state.pair;
  change({ pair: null });
  return at === first ? null : recordOf(kind, [first, at], ofLinked);
}

/** The group that an action is about: the chosen one, or that of the chosen document. */
export function targetGroup() {
  if (chosen("group") !== null) return chosen("group");
  const at = chosen("document");
  const group = at === null ? null : state.map?.group[at];
  return groupOf(group) ? group : null;
}

const withGroup = (act) => () => {
  const group = targetGroup();
  return group === null ? notice("Choose a group first.") : act(group);
};

export const rename = withGroup(async (group) => {
  const name = await askText(`Rename ${nameOf(group)}`, { value: nameOf(group) });
  if (name) await record("name", { group, name });
});

export const merge = withGroup(async (group) => {
  const second = await chooseGroup(`Merge ${nameOf(group)} with …`, [group]);
  if (second !== null) await record("merge", { groups: [group, second] });
});

export const split = withGroup((group) => record("split", { group, into: 2 }));
export const freeze = withGroup((group) => record("freeze", { group }));

/** The ids of documents; null, with a notice, if there are too many or they cannot be fetched. */
async function fetchIds(positions) {
  if (positions.length <= MAX_AT_ONCE) {
    const rows = await attempt(() => rowsAt(positions));
    return rows && rows.map(({ id }) => id);
  }
  notice(`${count(positions.length, "document")} are too many for one action; select at most ${MAX_AT_ONCE}.`, {
    isBad: true,
  });
  return null;
}
