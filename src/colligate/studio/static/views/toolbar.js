// The right of the top bar: cluster again, progress, the displayed run, theme, help.

import * as actions from "../actions.js";
import { button, byId, el, fill, svg } from "../dom.js";
import { showHelp } from "../keys.js";
import { seeRun } from "../model.js";
import { describeLeft, describeStage } from "../progress.js";
import { follow, isDamaged, runOf, state } from "../store.js";
import { followTheme, nextTheme, themeName } from "../theme.js";
import { exportButton } from "./export.js";
import { settings } from "./settings.js";

export function startToolbar() {
  const [progress, act, runs, more] = Array.from({ length: 4 }, () => el("div", { class: "part" }));
  progress.classList.add("progress");
  byId("running").append(progress, runs, act, more);
  follow(["job", "trace", "progress", "runs", "run"], () => fill(progress, state.job ? running() : stale()));
  follow(["job"], () => fill(act, ...(state.job ? [stop()] : [start(), settings(), fresh()])));
  follow(["runs", "run", "project"], () => fill(runs, chooseRun(), state.runs.length ? exportButton() : null));
  followTheme(() =>
    fill(
      more,
      theme(),
      button("?", showHelp, { class: "plain", "aria-label": "Help and keys", title: "Keys (?)" }),
    ),
  );
}

const start = () =>
  button("Cluster again", () => actions.cluster(), { class: "main", key: "Space", "data-keep": "start" });
const fresh = () =>
  button("Fresh start", actions.clusterFresh, {
    key: "A",
    title: "Cluster from a fresh start, not from the present groups",
    "aria-label": "Cluster from a fresh start",
    "data-keep": "fresh",
  });
const stop = () => button("Cancel", actions.cancel, { "data-keep": "start" });

function running() {
  const { job, trace, progress } = state;
  const last = trace.at(-1);
  const text = [describeStage(job, progress), describeLeft(progress)].filter(Boolean).join(", ");
  return [
    trace.length > 1
      ? line(trace)
      : el("progress", { max: 1, value: progress?.share ?? 0, "aria-label": "Share of the clustering that is done" }),
    el("span", { class: "quiet", title: last ? `objective ${last.objective}` : "" }, text),
  ];
}

/** The objective as a small line. */
function line(trace) {
  const values = trace.map(({ objective }) => objective).filter(Number.isFinite);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const at = (value, k) =>
    `${(96 * k) / Math.max(values.length - 1, 1) + 2},${22 - (20 * (value - low)) / (high - low || 1)}`;
  const drawing = svg("svg", {
    viewBox: "0 0 100 24",
    class: "trace",
    role: "img",
    "aria-label": "The objective by iteration",
  });
  if (values.length > 1) drawing.append(svg("polyline", { points: values.map(at).join(" ") }));
  return drawing;
}

function stale() {
  const run = runOf(state.run);
  if (!run) return null;
  if (run.number !== state.project.current) return el("span", { class: "quiet" }, "Earlier run");
  return run.stale ? el("span", { class: "pending" }, "Pending changes") : null;
}

function chooseRun() {
  if (!state.runs.length) return null;
  // the name of a method that all runs share would only be cut off
  const differ = new Set(state.runs.map(({ method }) => method)).size > 1;
  const describe = ({ method, parameters }) => `${parameters.n_clusters} groups${differ ? `, ${method}` : ""}`;
  const options = [...state.runs]
    .reverse()
    .map((run) =>
      el(
        "option",
        { value: run.number, selected: run.number === state.run, disabled: isDamaged(run.number) },
        `run ${run.number}: ${isDamaged(run.number) ? "damaged" : describe(run)}`,
      ),
    );
  return el(
    "select",
    {
      "aria-label": "Which run is shown",
      "data-keep": "run",
      class: "runs",
      onchange: (event) => actions.attempt(() => seeRun(Number(event.target.value))),
    },
    options,
  );
}

function theme() {
  return button("◐", nextTheme, {
    class: "plain",
    "aria-label": `Colours: ${themeName()}`,
    title: `Colours: ${themeName()}`,
    "data-keep": "theme",
  });
}
