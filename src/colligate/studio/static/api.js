// The server's routes. Every answer is JSON except the map.

import { checkServer } from "./connection.js";
import { state } from "./store.js";

const AWAY = {
  what: "the studio does not answer",
  todo: "start it again in its terminal; this was not recorded",
};

/** A refusal: what happened, where, and what to do about it. */
export class Refusal extends Error {
  constructor(status, { what = "the studio did not answer", todo = "", since = [] }) {
    super(todo ? `${what}; ${todo}` : what);
    Object.assign(this, { status, what, todo, since });
  }
}

async function send(method, path, body) {
  if (method !== "GET" && state.server !== "there") throw new Refusal(0, AWAY);
  const sent = { method, headers: {} };
  if (body !== undefined) {
    sent.headers["content-type"] = "application/json";
    sent.body = JSON.stringify(body);
  }
  const answer = await fetch(path, sent).catch(() => {
    checkServer();
    throw new Refusal(0, AWAY);
  });
  if (answer.ok) return answer;
  const content = await answer.json().catch(() => ({}));
  throw new Refusal(answer.status, content.error ?? {});
}

const json = async (method, path, body) => (await send(method, path, body)).json();
const get = (path) => json("GET", path);
const query = (values) => new URLSearchParams(values).toString();

export const api = {
  project: () => get("/api/project"),
  runs: () => get("/api/runs"),
  run: (request) => json("POST", "/api/runs", request),
  cancel: (job) => json("DELETE", `/api/jobs/${job}`),
  groups: (run) => get(`/api/runs/${run}/groups`),
  map: async (run) => (await send("GET", `/api/runs/${run}/map`)).arrayBuffer(),
  documents: (run, request) => json("POST", `/api/runs/${run}/documents`, request),
  similar: (run, at) => get(`/api/runs/${run}/documents/${at}/similar`),
  document: (run, at) => get(`/api/runs/${run}/documents/${at}`),
  words: (run) => get(`/api/runs/${run}/words`),
  association: (run) => get(`/api/runs/${run}/association`),
  hierarchy: (run) => get(`/api/runs/${run}/hierarchy`),
  network: (run) => get(`/api/runs/${run}/network`),
  column: (name) => get(`/api/column?${query({ name })}`),
  columnGroups: (run, name) => get(`/api/runs/${run}/column?${query({ name })}`),
  pending: (run) => get(`/api/runs/${run}/pending`),
  flowDocuments: (run, from, source, target) =>
    get(`/api/runs/${run}/changes/documents?${query({ from, source, target })}`),
  changes: (run, from) => get(`/api/runs/${run}/changes?${query({ from })}`),
  audit: (run, limit = 500) => get(`/api/runs/${run}/audit?${query({ limit })}`),
  search: (run, q) => get(`/api/search?${query({ q, run })}`),
  compare: (first, second) => get(`/api/compare?${query({ runs: `${first},${second}` })}`),
  statements: () => get("/api/statements"),
  record: (statement) => json("POST", "/api/statements", statement),
  preview: (kind, body, at = []) => json("POST", "/api/preview", { kind, body, ...(at.length ? { at } : {}) }),
  undo: (id) => json("POST", "/api/undo", id ? { id } : {}),
  redo: () => json("POST", "/api/redo", {}),
  knowledge: () => get("/api/knowledge"),
  putKnowledge: (text, seq) => json("PUT", "/api/knowledge", { text, seq }),
  questions: (run, n = 5, kinds = "") => get(`/api/questions?${query({ run, n, kinds })}`),
  answers: (id) => get(`/api/questions/${id}/answers`),
  answer: (id, answer) => json("POST", `/api/questions/${id}`, answer),
};
