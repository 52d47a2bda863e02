// What the user can do. Every action is recorded as a statement in the journal, and can be undone.

import { api } from "./api.js";
import { askParts, askText, chooseGroup, confirmFresh } from "./dialogs.js";
import { count } from "./format.js";
import { openSheet } from "./layout.js";
import { documentAt, followJob } from "./model.js";
import { announce, notice } from "./notices.js";
import { choose, chosen } from "./route.js";
import { change, groupOf, nameOf, state } from "./store.js";

export const MOST_AT_ONCE = 100_000; // the server accepts no more documents in one action

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

/**
 * Record a statement with the reason in the field; true once it is on the disk. `at` has positions of documents, and
 * `warning` what else the statement may do.
 */
export async function record(kind, body, at = [], warning = "") {
  const entry = await withReason((why) => {
    const about = at.length ? { at } : {};
    const context = { after: state.project.seq, run: state.run };
    return api.record({ kind, body, ...about, ...context, why, id: crypto.randomUUID() });
  });
  if (!entry) return false;
  notice(`Recorded: ${entry.sentence}${warning && `. ${warning}`}`, { todo: "Undo", act: () => undo(entry.id) });
  return true;
}

export const undo = (id) => attempt(async () => notice(`Undone: ${(await api.undo(id)).sentence}`));
export const redo = () => attempt(async () => notice(`Redone: ${(await api.redo()).sentence}`));

/** Cluster, continuing from the displayed run. */
export function cluster(request = {}) {
  const origin = state.run === null ? {} : { from_run: state.run };
  return attempt(async () => followJob(await api.run({ ...origin, ...request })));
}

/** Cluster from a fresh start, after the user has read what that does. */
export async function clusterFresh() {
  if (state.run === null || (await confirmFresh())) await cluster({ fresh: true });
}

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
  choose("document", at);
  openSheet();
}

export function toggle(at) {
  const selection = new Set(state.selection);
  if (!selection.delete(at)) selection.add(at);
  change({ selection });
}

export const select = (positions) => change({ selection: new Set(positions) });
export const clearSelection = () => change({ selection: new Set(), pair: null });

export const moveTo = (group, positions = targets()) => record("label", { group }, positions);

/** Do something with the documents that an action is about, if there are some and not too many. */
const withTargets = (act) => () => {
  const positions = targets();
  if (!positions.length) return notice("Choose a document first.");
  if (positions.length > MOST_AT_ONCE)
    return notice(`An action can be about ${count(MOST_AT_ONCE, "document")} at most. Select fewer.`, { isBad: true });
  return act(positions);
};

export const moveSomewhere = withTargets(async (positions) => {
  const group = await chooseGroup(`Move ${count(positions.length, "document")} to …`, {
    marked: likelyTarget(positions),
    preview: (target) => ["label", { group: target }, positions],
  });
  return group === null ? null : moveTo(group, positions);
});

/** The group that documents most probably go to: the open one, or the second best of a single document. */
async function likelyTarget(positions) {
  if (chosen("group") !== null) return chosen("group");
  const only = positions.length === 1 ? await attempt(() => documentAt(positions[0])) : null;
  return only?.next ?? null;
}

export const outside = withTargets(async (positions) => {
  const shown = await attempt(() => api.preview("outside", {}, positions));
  return shown && record("outside", {}, positions, shown.warning);
});

/** Move the chosen document to its second-best group. */
export const moveToNext = () => withDocument(({ next, document }) => {
  if (next < 0) return notice("This document has no second-best group.");
  return moveTo(next, [document]);
});

/** State that the chosen document is in the right group. */
export const keep = () => withDocument(({ group, document }) => {
  if (group < 0) return notice("This document is in no group.");
  return moveTo(group, [document]);
});

function withDocument(act) {
  const at = chosen("document");
  return at === null ? notice("Choose a document first.") : attempt(async () => act(await documentAt(at)));
}

let visited = { run: null, positions: [], place: -1 }; // the doubtful documents that were shown

/** Open the most doubtful document that has no statement and was not shown yet; or step back and forth. */
export async function stepDoubtful(step) {
  if (state.run === null) return;
  if (visited.run !== state.run) visited = { run: state.run, positions: [], place: -1 };
  const { positions } = visited;
  const place = Math.max(visited.place + step, 0);
  if (place >= positions.length) {
    const request = { order: "doubt", unstated: true, skip: positions, limit: 1 };
    const page = await attempt(() => api.documents(state.run, request));
    if (!page) return;
    if (!page.documents.length) return notice("Every document was shown or has a statement.");
    positions.push(page.documents[0].document);
    announce(`${count(page.total, "document")} left`);
  }
  visited.place = place;
  change({ selection: new Set() });
  choose("document", positions[place]);
}

/** Link two or more documents; with a single one, the document chosen next is the other. */
export function link(kind) {
  return withTargets((positions) =>
    positions.length === 1 ? change({ pair: { kind, at: positions[0] } }) : record(kind, {}, positions),
  )();
}

function finishPair(at) {
  const { kind, at: first } = state.pair;
  change({ pair: null });
  return at === first ? null : record(kind, {}, [first, at]);
}

/** The group that an action is about: the chosen one, or that of the chosen or selected documents if they share it. */
export function targetGroup() {
  if (chosen("group") !== null) return chosen("group");
  const groups = new Set(targets().map((at) => state.map?.group[at]));
  const [group] = groups;
  return groups.size === 1 && groupOf(group) ? group : null;
}

const withGroup = (act) => () => {
  const group = targetGroup();
  return group === null ? notice("Choose a group first.") : act(group);
};

export const rename = withGroup(async (group) => {
  const name = await askText(`Rename ${nameOf(group)}`, { value: nameOf(group), hint: "A name moves no document." });
  if (name) await record("name", { group, name });
});

export const merge = withGroup(async (group) => {
  const second = await chooseGroup(`Merge another group into ${nameOf(group)}`, {
    hint: `${nameOf(group)} keeps its number and its name. Choose the group whose documents join it.`,
    without: [group],
    preview: (other) => ["merge", { groups: [group, other] }],
  });
  if (second !== null) await record("merge", { groups: [group, second] });
});

export const split = withGroup(async (group) => {
  const into = await askParts(`Split ${nameOf(group)}`, group, groupOf(group).size);
  if (into !== null) await record("split", { group, into });
});

/** Freeze a group, or thaw a frozen one. */
export const freeze = withGroup((group) => record(groupOf(group).frozen ? "thaw" : "freeze", { group }));
