// Fetching what the page shows, and following what the server tells of.

import { api } from "./api.js";
import { readMap } from "./map/data.js";
import { notice } from "./notices.js";
import { choose } from "./place.js";
import { change, runOf, state } from "./store.js";
import { count } from "./format.js";

const ENDED = ["done", "failed", "cancelled"];
let documents = new Map();
let ended = 0; // the last job that did

/** Everything, from the beginning; also after the server was away. */
export async function openProject() {
  const [project, runs, statements] = await Promise.all([api.project(), api.runs(), api.statements()]);
  change({ project, runs, statements, job: project.jobs[0] ?? null });
  for (const { run, what } of project.damaged) notice(`Run ${run} cannot be read: ${what}.`, { isBad: true });
  if (project.current !== null) await seeRun(project.current);
}

/** Show a run; one that cannot be read is told of, and the page stays with the one that is shown. */
export async function seeRun(number) {
  try {
    await showRun(number);
  } catch (error) {
    notice(error.message, { isBad: true });
    change({ project: await api.project(), runs: await api.runs() });
  }
}

const unlessMissing = (error) => (error.status === 404 ? null : Promise.reject(error));

/** Show a run and what moved since the one it came from, if that one can be read. */
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

/** A document of the shown run; asked for once. */
export function documentAt(at) {
  if (!documents.has(at)) {
    const asked = api.document(state.run, at);
    asked.catch(() => documents.delete(at));
    documents.set(at, asked);
  }
  return documents.get(at);
}

/** Several documents, as lists show them. */
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

/** A run has ended: see it, unless this tab looks at a run that it neither came from nor followed. */
async function followRun({ run, seconds }) {
  const before = state.project.current;
  const [project, runs] = await Promise.all([api.project(), api.runs()]);
  change({ project, runs });
  if (![null, before, runOf(run)?.parent].includes(state.run)) {
    await refreshStatements();
    notice(`Run ${run} is done after ${seconds.toFixed(1)} seconds.`, {
      todo: "See it",
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

/** Show a job that runs; of a short one, the answer to who asked for it may come after its end. */
export function followJob(job) {
  if (!ENDED.includes(job.status)) {
    if (job.number <= ended) return;
    if (state.job?.number !== job.number) change({ trace: [], stage: null });
    change({ job });
    return;
  }
  ended = Math.max(ended, job.number);
  if (state.job?.number === job.number) change({ job: null });
  if (job.status === "failed") notice(`The run failed: ${job.message}`, { isBad: true });
  if (job.status === "cancelled") notice("The run was called off.");
}

/** Hear what the server tells, until the page closes. */
export function followEvents() {
  const source = new EventSource("/api/events");
  let wasAway = false;
  const hear = (kind, act) => source.addEventListener(kind, (event) => act(JSON.parse(event.data)));
  hear("statement", refreshStatements);
  hear("job", followJob);
  hear("run", followRun);
  hear("progress", (step) => {
    if (step.objective !== undefined) change({ trace: [...state.trace, step] });
    else change({ stage: step.note || step.stage });
  });
  source.addEventListener("error", () => (wasAway = true));
  source.addEventListener("open", () => {
    if (wasAway) openProject();
    wasAway = false;
  });
}
