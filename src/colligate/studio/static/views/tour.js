// A guided first run of five steps, shown once: each step ends by itself when the user has done it.

import { button, byId, el, fill } from "../dom.js";
import { follow, state } from "../store.js";

// a cookie, since every project has a port of its own, and the storage of a page is that of its port
const COOKIE = "colligate_first_steps";
const DONE = "done";
const YEAR = 365 * 24 * 3600;
const STEPS = [
  {
    title: "Read a group",
    text: "Choose a group in the list or on the map. You see its words and its documents.",
    isDone: () => state.route.kind === "group",
  },
  {
    title: "Open a document",
    text: "Choose a document in the list or a point on the map. You see its text, and why it is in its group.",
    isDone: () => state.route.kind === "document",
  },
  {
    title: "Correct one",
    text: "If it is in the wrong group, press Move (m) and choose the right one. If all is well, rename a group (r).",
    isDone: (begun) => state.statements.length > begun.statements,
  },
  {
    title: "Cluster again",
    text: "Press Space. The groups are computed again with your corrections, and you see what moved.",
    isDone: (begun) => state.runs.length > begun.runs,
  },
  {
    title: "Export",
    text: "Press Export in the top bar: the documents with their groups, the map, or the whole session as files.",
    isDone: () => state.hasExported,
  },
];

/** The step where the user is; null if the tour was done or closed before. */
function storedStep() {
  const stored = document.cookie.match(`(?:^|; )${COOKIE}=([^;]*)`)?.[1];
  if (stored === DONE) return null;
  const step = Number(stored ?? 0);
  return Number.isInteger(step) && step >= 0 && step < STEPS.length ? step : 0;
}

export function startTour() {
  let step = storedStep();
  const counts = () => ({ statements: state.statements.length, runs: state.runs.length });
  let begun = counts();

  function go(next) {
    step = next < STEPS.length ? next : null;
    begun = counts();
    document.cookie = `${COOKIE}=${step ?? DONE}; path=/; max-age=${YEAR}; samesite=strict`;
    show();
  }

  const show = () => fill(byId("tour"), step === null || state.run === null ? null : card(step, go));

  follow(["run", "route", "statements", "runs", "hasExported"], () => {
    if (step !== null && state.run !== null && STEPS[step].isDone(begun)) go(step + 1);
    else show();
  });
}

function card(step, go) {
  const { title, text } = STEPS[step];
  return el(
    "section",
    { class: "tour", "aria-label": "First steps", "data-keep": "tour" },
    el("p", { class: "quiet" }, `First steps, ${step + 1} of ${STEPS.length}`),
    el("h2", {}, title),
    el("p", {}, text),
    el(
      "p",
      { class: "actions" },
      button("Close", () => go(STEPS.length), { class: "small", title: "Close the first steps for good", "data-keep": "end" }),
      button(step + 1 < STEPS.length ? "Next" : "Done", () => go(step + 1), { class: "small main", "data-keep": "next" }),
    ),
  );
}
