// Fetch what the page shows, and follow the events of the server.

import { api } from "./api.js";
import { followStream } from "./connection.js";
import { readMap } from "./map/data.js";
import { notice } from "./notices.js";
import { choose } from "./route.js";
import { change, state } from "./store.js";
import { count } from "./format.js";

const ENDED = ["done", "failed", "cancelled"];
let documents = new Map();
let similar = new Map();
let lastEnded = 0; // the number of the last job that ended

/** Fetch everything, at the start and after the server was away. What is chosen and selected stays if it can. */
export async function openProject() {
  const before = state.project?.current ?? null;
  const [project, runs, statements, groups] = await Promise.all([
    api.project(),
    api.runs(),
    api.statements(),
    state.run === null ? [] : api.groups(state.run),
  ]);
  change({ project, runs, statements, groups, job: project.jobs[0] ?? null, progress: project.progress });
  for (const { run, what } of project.damaged) notice(`Run ${run} cannot be read: ${what}.`, { isBad: true });
  if (project.current !== before) await seeRun(project.current);
}

/** Show a run; if it cannot be read, show a notice and keep the present one. */
export async function seeRun(number) {
  try {
    await showRun(number);
  } catch (error) {
    notice(error.message, { isBad: true });
    change({ project: await api.project(), runs: await api.runs() });
  }
}

const unlessMissing = (error) => (error.status === 404 ? null : Promise.reject(error));

/** Show a run, and what moved since its parent if that can be read; `more` changes at the same time. */
async function showRun(number, more = {}) {
  const parent = (more.runs ?? state.runs).find((run) => run.number === number)?.parent ?? null;
  const [groups, buffer, pending, changes] = await Promise.all([
    api.groups(number),
    api.map(number),
    api.pending(number),
    parent === null ? null : api.changes(number, parent).catch(unlessMissing),
  ]);
  forgetDocuments();
  const shown = { run: number, groups, map: readMap(buffer), pending, changes };
  change({ ...more, ...shown, selection: new Set(), pair: null });
}

/** Fetch a document of the displayed run, once. */
export function documentAt(at) {
  if (!documents.has(at)) {
    const request = api.document(state.run, at);
    request.catch(() => documents.delete(at));
    documents.set(at, request);
  }
  return documents.get(at);
}

/** The documents most similar to one: null until they are fetched; then `ready` is called, once. */
export function similarTo(at, ready) {
  if (!similar.has(at)) {
    similar.set(at, null);
    const here = similar;
    const keep = (rows) => {
      if (here !== similar) return;
      here.set(at, rows);
      ready();
    };
    api.similar(state.run, at).then(keep, () => here.delete(at));
  }
  return similar.get(at);
}

/** What is known of documents may have changed. */
function forgetDocuments() {
  documents = new Map();
  similar = new Map();
}

/** Fetch several documents as lists show them. */
export async function rowsAt(positions) {
  const at = [...positions];
  return at.length ? (await api.documents(state.run, { at, limit: at.length })).documents : [];
}

let due = null; // what changed since the last refresh
let turn = Promise.resolve();

/** Handle events one after the other, so that no late answer replaces a newer one. */
function inTurn(act) {
  turn = turn.then(act).catch((error) => notice(error.message, { isBad: true }));
}

/** A statement was made or undone: fetch what it changed, once for all statements that come in the meantime. */
function followStatement({ head, stale, groups }) {
  due = { head, stale, groups: groups || Boolean(due?.groups) };
  inTurn(() => due && refresh(due));
}

async function refresh({ head, stale, groups: hasGroups }) {
  due = null;
  const { run } = state;
  const [statements, pending, groups] = await Promise.all([
    api.statements(),
    run === null ? null : api.pending(run),
    hasGroups && run !== null ? api.groups(run) : null,
  ]);
  forgetDocuments();
  const project = { ...state.project, seq: Math.max(head, state.project.seq) };
  const runs = state.runs.map((each) => ({ ...each, stale: stale.includes(each.number) }));
  // another run may have been opened while this was fetched
  const isShown = run !== null && run === state.run;
  change({ statements, project, runs, ...(isShown && { pending, ...(groups && { groups }) }) });
}

/** Fetch which methods accept all present statements; only the run options need it. */
export async function refreshMethods() {
  change({ project: await api.project() });
}

/** A run has ended: show it, unless this tab shows a run that is neither its parent nor the last one. */
async function followRun({ run, seconds }) {
  const before = state.project.current;
  const [project, runs, statements] = await Promise.all([api.project(), api.runs(), api.statements()]);
  const parent = runs.find(({ number }) => number === run)?.parent;
  if (![null, before, parent].includes(state.run)) {
    change({ project, runs, statements });
    notice(`Run ${run} is done after ${seconds.toFixed(1)} seconds.`, {
      todo: "Show it",
      act: () => seeRun(run),
    });
    return;
  }
  await showRun(run, { project, runs, statements });
  const moved = state.changes
    ? `${count(state.changes.moved, "document")} moved`
    : count(state.groups.length, "group");
  notice(`Run ${run} is done after ${seconds.toFixed(1)} seconds: ${moved}.`);
  if (state.changes?.moved) choose("changes");
}

/** Show a running job; the answer to the request of a short job may come after its end. */
export function followJob(job) {
  if (!ENDED.includes(job.status)) {
    if (job.number <= lastEnded) return;
    if (state.job?.number !== job.number) change({ trace: [], progress: null });
    change({ job });
    return;
  }
  lastEnded = Math.max(lastEnded, job.number);
  // the progress of a run that is done is shown until its groups are there
  if (state.job?.number === job.number) change(job.status === "done" ? { job: null } : { job: null, progress: null });
  if (job.status === "failed") notice(`The run failed: ${job.message}`, { isBad: true });
  if (job.status === "cancelled") notice("The run was cancelled.");
}

/** Follow the events of the server until the page closes. */
export function followEvents() {
  followStream("/api/events", listen, () => inTurn(openProject));
}

function listen(source) {
  const on = (kind, act) => source.addEventListener(kind, (event) => act(JSON.parse(event.data)));
  on("statement", followStatement);
  on("job", followJob);
  on("run", (ended) => inTurn(() => followRun(ended)));
  on("progress", (step) => {
    const trace = step.objective === undefined ? {} : { trace: [...state.trace, step] };
    change({ progress: { ...state.progress, ...step }, ...trace });
  });
}
