// What is shown before the first run is done: its stages, the share that is done, and rough first groups.

import { byId, el, fill } from "../dom.js";
import { count, percent, whole } from "../format.js";
import { describeLeft, describeStage, STAGES } from "../progress.js";
import { follow, state } from "../store.js";
import { tint } from "../theme.js";

export function startWaiting() {
  const panel = byId("waiting");
  follow(["run", "job", "progress", "project"], () => {
    const isWaiting = state.run === null && (state.job !== null || state.progress !== null);
    panel.hidden = !isWaiting;
    fill(panel, isWaiting ? content() : null);
  });
}

function content() {
  const { job, progress, project } = state;
  const share = progress?.share ?? 0;
  const sizes = Object.entries(project.counts).map(([type, size]) => `${whole(size)} ${type}`);
  return el(
    "div",
    { class: "card" },
    el("h2", {}, "Clustering the documents"),
    el("ol", { class: "stages" }, line("done", `Read ${sizes.join(", ")}`), STAGES.map(stageLine)),
    el("progress", { max: 1, value: share, "aria-label": "Share of the clustering that is done" }),
    el(
      "p",
      { class: "between quiet" },
      el("span", {}, `${describeStage(job, progress)} …`),
      el("span", {}, [percent(share), describeLeft(progress)].filter(Boolean).join(", ")),
    ),
  );
}

function stageLine([name, text]) {
  const order = STAGES.map(([stage]) => stage);
  const [mine, now] = [order.indexOf(name), order.indexOf(state.progress?.stage)];
  return line(mine < now ? "done" : mine === now ? "now" : "later", text);
}

const MARKS = { done: "✓", now: "▸", later: "·" };
const SPOKEN = { done: "done: ", now: "now: ", later: "" };

const line = (status, text) =>
  el(
    "li",
    { class: status },
    el("span", { class: "mark", "aria-hidden": "true" }, MARKS[status]),
    el("span", { class: "unseen" }, SPOKEN[status]),
    text,
  );

/** Rough groups, shown in the place of the list until the first run is done. */
export function firstLook(groups) {
  return [
    el("header", {}, el("h2", {}, "A first look")),
    el("p", { class: "quiet first-note" }, `${count(groups.length, "rough group")}. They will change when the clustering is done.`),
    el(
      "ol",
      { class: "first-look", "aria-label": "Rough groups" },
      groups.map(({ size, words }, at) =>
        el(
          "li",
          { style: { "--c": tint(at) } },
          el("span", { class: "swatch" }),
          el("span", { class: "name" }, words.slice(0, 3).join(", ") || "(no words)"),
          el("span", { class: "size" }, whole(size)),
          el("span", { class: "best" }, words.slice(3).join(" ")),
        ),
      ),
    ),
  ];
}
