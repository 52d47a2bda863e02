// What the user can do. Every act is a statement in the journal, and can be undone.

import { api } from "./api.js";
import { sentence } from "./describe.js";
import { askText, chooseGroup } from "./dialogs.js";
import { count } from "./format.js";
import { followJob, rowsAt } from "./model.js";
import { notice } from "./notices.js";
import { choose, chosen } from "./place.js";
import { change, groupOf, nameOf, state } from "./store.js";

const MOST_AT_ONCE = 200; // the server takes more, but so many are no single thought

/** Do something and tell why if it is refused. */
export async function trying(act) {
  try {
    return await act();
  } catch (error) {
    notice(error.message, { isBad: true });
    return null;
  }
}

/**
 * Send something with the reason that was written for it. The reason is taken at once, so that nothing
 * said meanwhile carries it too; it is given back if nothing was said with it and no other was written.
 */
export async function withReason(send, isSaid = Boolean) {
  const { why } = state;
  change({ why: "" });
  const done = await trying(() => send(why));
  if (!isSaid(done) && !state.why) change({ why });
  return done;
}

/** Say one thing, with the reason that was written for it; true once it is on the disk. */
export const tell = (kind, body) => tellOnce(kind, async () => body);

/** Say one thing whose body must be fetched first; nothing if there is none. */
async function tellOnce(kind, fetched) {
  const entry = await withReason(async (why) => {
    const body = await fetched();
    const at = { after: state.project.seq, run: state.run };
    return body && api.say({ kind, body, ...at, why, id: crypto.randomUUID() });
  });
  if (!entry) return false;
  notice(capital(sentence(entry)), { todo: "Undo", act: () => undo(entry.id) });
  return true;
}

export const undo = (id) => trying(async () => notice(`Undone: ${sentence(await api.undo(id))}`));
export const redo = () => trying(async () => notice(`Said again: ${sentence(await api.redo())}`));

/** Cluster, going on from the run that is seen. */
export function cluster(request = {}) {
  const origin = state.run === null ? {} : { from_run: state.run };
  return trying(async () => followJob(await api.run({ ...origin, ...request })));
}

export const afresh = () => cluster({ fresh: true });
export const cancel = () => state.job && trying(() => api.cancel(state.job.number));

/** The documents an act is about: those selected, or the one that is chosen. */
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
export const letGo = () => change({ selection: new Set(), pair: null });

export const moveTo = (group, positions = targets()) =>
  tellOf("label", positions, (documents) => ({ ...ofDocuments(documents), group }));

export async function moveSomewhere() {
  if (!targets().length) return notice("Choose a document first.");
  const group = await chooseGroup(`Move ${count(targets().length, "document")} to …`);
  return group === null ? null : moveTo(group);
}

export function outside() {
  if (!targets().length) return notice("Choose a document first.");
  return tellOf("outside", targets(), ofDocuments);
}

/** Documents in the terms of a statement: one or several, or those of a link. */
const ofDocuments = (ids) => (ids.length > 1 ? { documents: ids } : { document: ids[0] });
const ofLinked = (items) => ({ type: state.project.centre, items });

/** Say something of documents at some positions. */
const tellOf = (kind, positions, bodyOf) =>
  tellOnce(kind, async () => {
    const ids = await few(positions);
    return ids && bodyOf(ids);
  });

/** Two or more documents belong together or apart; of a single one, the next one chosen is the other. */
export function link(kind) {
  const positions = targets();
  if (!positions.length) return notice("Choose a document first.");
  if (positions.length === 1) return change({ pair: { kind, at: positions[0] } });
  return tellOf(kind, positions, ofLinked);
}

function finishPair(at) {
  const { kind, at: first } = state.pair;
  change({ pair: null });
  return at === first ? null : tellOf(kind, [first, at], ofLinked);
}

/** The group an act is about: the chosen one, or that of the chosen document. */
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
  const name = await askText(`A name for ${nameOf(group)}`, { value: nameOf(group) });
  if (name) await tell("name", { group, name });
});

export const merge = withGroup(async (group) => {
  const other = await chooseGroup(`${nameOf(group)} and … are one group`, [group]);
  if (other !== null) await tell("merge", { groups: [group, other] });
});

export const split = withGroup((group) => tell("split", { group, into: 2 }));
export const freeze = withGroup((group) => tell("freeze", { group }));

/** The ids of some documents; null, and told why, where they are too many or cannot be had. */
async function few(positions) {
  if (positions.length <= MOST_AT_ONCE) {
    const rows = await trying(() => rowsAt(positions));
    return rows && rows.map(({ id }) => id);
  }
  notice(`${count(positions.length, "document")} are too many for one act; select at most ${MOST_AT_ONCE}.`, {
    isBad: true,
  });
  return null;
}

const capital = (text) => text[0].toUpperCase() + text.slice(1);
