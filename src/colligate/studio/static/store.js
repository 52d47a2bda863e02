// The state of the page, and listeners to its parts.

export const state = {
  project: null,
  runs: [],
  run: null, // the number of the displayed run
  groups: [],
  map: null,
  changes: null, // what moved since the parent run
  statements: [],
  job: null, // the job that runs or waits
  trace: [], // its objective by iteration
  progress: null, // what it has reported so far
  route: { view: "map", kind: "none", at: null },
  selection: new Set(), // positions of documents
  box: null, // the part of the map in view, while its documents are listed
  hits: null, // the documents that a search found: { q, positions, words, notes }
  server: "there", // or "lost", or "refused"
  pending: { documents: [], targets: [], merges: [] }, // what the statements since the displayed run are about
  arrows: false, // whether the map shows where moved documents came from
  filter: null, // whether a document, by position, is not dimmed on the map
  hasExported: false, // whether the user opened the export
  why: "", // the reason for the next statement
  pair: null, // the first document of a link: { kind, at }
};

const listeners = [];

/** Call a listener now and whenever one of these parts changes. */
export function follow(parts, listener) {
  listeners.push({ parts, listener });
  listener();
}

/** Change parts of the state, and call each of their listeners once. */
export function change(parts) {
  Object.assign(state, parts);
  const names = Object.keys(parts);
  for (const { parts: wanted, listener } of listeners) {
    if (wanted.some((part) => names.includes(part))) listener();
  }
}

export const groupOf = (number) => state.groups.find((group) => group.group === number);

/** What a group is called; documents may be in none. */
export const nameOf = (number) => groupOf(number)?.name ?? (number < 0 ? "no group" : `group ${number}`);

/** The name without the words that are added to a label. */
export const shortName = (number) => groupOf(number)?.short ?? nameOf(number);

/** Whether the files of a run could not be read. */
export const isDamaged = (number) => state.project?.damaged.some(({ run }) => run === number) ?? false;

/** The number that a person types for a group. */
export const numberOf = (group) => String(group);

export const runOf = (number) => state.runs.find((run) => run.number === number);
