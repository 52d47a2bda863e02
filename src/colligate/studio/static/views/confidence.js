// The confidence of the groups, now and in the run before the first question.

import { el } from "../dom.js";
import { percent } from "../format.js";
import { shortName, state } from "../store.js";
import { tint } from "../theme.js";

/** Every group with a bar for the present and a mark for the first run. */
export function confidenceList(first) {
  const [then, now] = [meanOf(first.groups), meanOf(state.groups)];
  const before = new Map(first.groups.map(({ group, confidence }) => [group, confidence]));
  return el(
    "section",
    { class: "confidence-list", "aria-label": "Confidence of the groups" },
    el("h3", {}, "Confidence of the groups"),
    el(
      "p",
      { class: "mean" },
      el("strong", {}, percent(now)),
      first.run === state.run ? " on average" : `, was ${percent(then)} in run ${first.run}`,
    ),
    el(
      "ul",
      {},
      state.groups.map((group) => line(group, before.get(group.group))),
    ),
  );
}

function line({ group, confidence }, then) {
  const before = then === undefined ? "new" : `was ${percent(then)}`;
  return el(
    "li",
    { style: { "--c": tint(group) }, title: before },
    el("span", { class: "name" }, shortName(group)),
    el("span", { class: "number" }, percent(confidence), el("span", { class: "unseen" }, `, ${before}`)),
    el(
      "span",
      { class: "bar", "aria-hidden": "true" },
      el("span", { class: "full", style: { width: wide(confidence) } }),
      then === undefined ? null : el("span", { class: "then", style: { left: wide(then) } }),
    ),
  );
}

const wide = (share) => `${Math.round(100 * Math.max(0, Math.min(1, share)))}%`;

function meanOf(groups) {
  const total = groups.reduce((sum, { size }) => sum + size, 0) || 1;
  return groups.reduce((sum, { size, confidence }) => sum + size * confidence, 0) / total;
}
