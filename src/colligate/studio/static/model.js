// Fetch what the page shows, and follow the events of the server.

import { api } from "./api.js";
import { readMap } from "./map/data.js";
import { notice } from "./notices.js";
import { choose } from "./route.js";
import { change, runOf, state } from "./store.js";
import { count } from "./format.js";

const ENDED = ["done", "failed", "cancelled"];
let documents = new Map();
let lastEnded = 0; // the number of the last job that ended

/** Fetch everything, at the start and after the server was away. */
export async function openProject() {
  const [project, runs, statements] = await Promise.all([api.project(), api.runs(), api.statements()]);
  change({ project, runs, statements, job: project.jobs[0] ?? null });
  for (const { run, what } of project.damaged) notice(`Run ${run} cannot be read: ${what}.`, { isBad: true });
  if (project.current !== null) await seeRun(project.current);
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

/** Show a run, and what moved since its parent if that can be read. */
async function showRun(number) {
  const parent = runOf(number)?.parent ?? null;
  const [groups, buffer, changes] = await Promise.all([
    api.groups(number),
    api.map(number),
    parent === null ? null : api.changes(number, parent).catch(unlessMissing),
  ]);
  documents = new Map();
  change({ run: number, groups, map: readMap(buffer), changes, selection: new Set(), pair: null });
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

/** Fetch several documents as lists show them. */
export async function rowsAt(positions) {
  const at = [...positions];
  return at.length ? (await api.documents(state.run, at)).documents : [];
}

async function refreshStatements() {
  const [statements, project, runs, groups] = await Promise.all([
    api.statements(),
    api.project(),
    api.runs(),
    state.run === null ? [] : api.groups(state.run),
  ]);
  documents = new Map();
  change({ statements, project, runs, groups });
}

/** A run has ended: show it, unless this tab shows a run that is neither its parent nor the last one. */
async function followRun({ run, seconds }) {
  const before = state.project.current;
  const [project, runs] = await Promise.all([api.project(), api.runs()]);
  change({ project, runs });
  if (![null, before, runOf(run)?.parent].includes(state.run)) {
    await refreshStatements();
    notice(`Run ${run} is done after ${seconds.toFixed(1)} seconds.`, {
      todo: "Show it",
      act: () => seeRun(run),
    });
    return;
  }
  await showRun(run);
  await refreshStatements();
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
    if (state.job?.number !== job.number) change({ trace: [], stage: null });
    change({ job });
    return;
  }
  lastEnded = Math.max(lastEnded, job.number);
  if (state.job?.number === job.number) change({ job: null });
  if (job.status === "failed") notice(`The run failed: ${job.message}`, { isBad: true });
  if (job.status === "cancelled") notice("The run was cancelled.");
}

/** Follow the events of the server until the page closes. */
export function followEvents() {
  const source = new EventSource("/api/events");
  let wasAway = false;
  const on = (kind, act) => source.addEventListener(kind, (event) => act(JSON.parse(event.data)));
  on("statement", refreshStatements);
  on("job", followJob);
  on("run", followRun);
  on("progress", (step) => {
    if (step.objective !== undefined) change({ trace: [...state.trace, step] });
    else change({ stage: step.note || step.stage });
  });
  source.addEventListener("error", () => (wasAway = true));
  source.addEventListener("open", () => {
    if (wasAway) openProject();
    wasAway = false;
  });
}
