// The right side: the selection, a document, a group, or what moved.

import * as actions from "../actions.js";
import { button, byId, el, fill } from "../dom.js";
import { count } from "../format.js";
import { documentAt, similarTo } from "../model.js";
import { chooseNothing } from "../route.js";
import { follow, runOf, state } from "../store.js";
import { changesPanel, changesSummary } from "./changes.js";
import { documentPanel } from "./document.js";
import { groupPanel } from "./group.js";
import { cautions, outsideButton } from "./components.js";
import { documentList } from "./documentlist.js";

let turn = 0;

export function startDetails() {
  const [bar, content] = [el("div", { class: "bar" }), el("div")];
  const list = documentList({ label: "Documents", parts: ["route", "selection"], scopeOf });
  byId("details").append(bar, content, list);
  follow(["route", "run", "groups", "statements"], () => show(content));
  follow(["job"], () => state.run === null && show(content));
  follow(["selection", "pair"], () => {
    fill(bar, pairBar(), state.selection.size ? selectionBar() : null);
    tick();
  });
}

/** Check the boxes of selected documents in all lists. */
function tick() {
  for (const row of document.querySelectorAll(".row[data-document]"))
    row.querySelector("input").checked = state.selection.has(Number(row.dataset.document));
}

async function show(content) {
  const mine = ++turn;
  const shown = `${state.route.kind} ${state.route.at}`;
  const next = await actions.attempt(() => panel(() => show(content)));
  if (mine !== turn) return;
  const isSame = byId("details").dataset.shown === shown;
  const { scrollTop } = byId("details");
  byId("details").dataset.shown = shown;
  fill(content, next);
  byId("details").scrollTop = isSame ? scrollTop : 0;
}

async function panel(showAgain) {
  const { kind, at } = state.route;
  if (state.run === null) return welcome();
  if (kind === "document") return [back(), documentPanel(await documentAt(at), similarTo(at, showAgain))];
  if (kind === "group") return [back(), groupPanel(at)];
  if (kind === "changes" && state.changes) return [back(), changesPanel()];
  return overview();
}

/** Which documents are listed below: those of the group, of the selection, or all. */
function scopeOf() {
  const { kind, at } = state.route;
  if (kind === "group") return { kind, key: `group ${at}`, request: { group: at }, order: "confidence" };
  if (kind !== "none") return null;
  if (!state.selection.size)
    return { kind: "all", key: "all", request: {}, order: "doubt", showsGroup: true, title: (total) => `All ${count(total, "document")}` };
  const selected = [...state.selection];
  return {
    kind: "selection",
    key: "selection",
    request: { at: selected },
    order: "given",
    given: "as selected",
    showsGroup: true,
    title: () => "Selected documents",
  };
}

const back = () =>
  button("×", chooseNothing, { class: "plain close", "aria-label": "Close", title: "Close (Esc)" });

function pairBar() {
  if (!state.pair) return null;
  const text = state.pair.kind === "together" ? "belongs together with another:" : "belongs apart from another:";
  return el(
    "p",
    { class: "pair", role: "status" },
    `This document ${text} choose that one on the map or in a list. `,
    button("Cancel", actions.clearSelection, { class: "small" }),
  );
}

function welcome() {
  const [title, text] = state.job
    ? ["Clustering", "The documents are being clustered. The map will appear here."]
    : ["There are no groups yet", "Cluster to make groups. All statements are kept."];
  return el("article", {}, el("h2", {}, title), el("p", { class: "quiet" }, text), damage());
}

/** Which runs cannot be read, and why. */
function damage() {
  const { damaged, current } = state.project;
  if (!damaged.length) return null;
  const rest = current === null ? "" : ` Run ${current} is the last one that can be read.`;
  return el(
    "p",
    { class: "damage", role: "note" },
    damaged.map(({ run, what }) => `Run ${run} cannot be read: ${what}.`).join(" "),
    `${rest} All statements are kept.`,
  );
}

function overview() {
  const { project, changes } = state;
  return el(
    "article",
    { "data-keep": "overview" },
    el("h2", {}, project.name),
    el(
      "p",
      { class: "quiet" },
      Object.entries(project.counts)
        .map(([type, size]) => `${size.toLocaleString("en-GB")} ${type}`)
        .join(", "),
    ),
    damage(),
    state.route.view === "knowledge" ? null : cautions(runOf(state.run)), // that page has them itself
    changes ? changesSummary() : null,
    el(
      "p",
      {},
      "Choose a group or a document, and correct what is wrong: move a document, mark two as together or apart, ",
      "rename, merge or split a group. Then cluster again.",
    ),
    el("p", {}, button("Next doubtful document", () => actions.stepDoubtful(1), { key: "n", "data-keep": "doubtful" })),
    el("p", { class: "quiet" }, "Press ", el("kbd", {}, "?"), " for all keys."),
  );
}

/** The actions on the selected documents. */
function selectionBar() {
  return el(
    "section",
    { class: "selected", "aria-label": "Selection" },
    el("h2", {}, `${count(state.selection.size, "document")} selected`),
    el(
      "p",
      { class: "actions" },
      button("Move", actions.moveSomewhere, { key: "m" }),
      button("Together", () => actions.link("together"), { key: "t" }),
      button("Apart", () => actions.link("apart"), { key: "a" }),
      outsideButton(),
      button("Clear", actions.clearSelection, { key: "Esc" }),
    ),
  );
}
