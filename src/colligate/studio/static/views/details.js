// The right side: the selection, the document, the group, or what moved.

import * as acts from "../acts.js";
import { button, byId, el, fill } from "../dom.js";
import { count } from "../format.js";
import { documentAt, rowsAt } from "../model.js";
import { chooseNothing } from "../place.js";
import { follow, state } from "../store.js";
import { changesPanel, changesSummary } from "./changes.js";
import { documentPanel } from "./document.js";
import { groupPanel } from "./group.js";
import { documentRow } from "./parts.js";

const LISTED = 30;
let turn = 0;

export function startDetails() {
  const [bar, content] = [el("div", { class: "bar" }), el("div")];
  byId("details").append(bar, content);
  let isListed = false;
  follow(["place", "run", "groups"], () => show(content));
  follow(["job"], () => state.run === null && show(content));
  follow(["selection", "pair"], () => {
    fill(bar, pairBar(), state.selection.size ? selectionBar() : null);
    tick();
    const listed = state.place.kind === "none" && state.selection.size > 0;
    if (listed || isListed) show(content);
    isListed = listed;
  });
}

/** Let the boxes of all lists tell what is selected. */
function tick() {
  for (const row of document.querySelectorAll(".row[data-document]"))
    row.querySelector("input").checked = state.selection.has(Number(row.dataset.document));
}

async function show(content) {
  const mine = ++turn;
  const shown = `${state.place.kind} ${state.place.at}`;
  const found = await acts.trying(panel);
  if (mine !== turn) return;
  const isSame = byId("details").dataset.shown === shown;
  const { scrollTop } = byId("details");
  byId("details").dataset.shown = shown;
  fill(content, found);
  byId("details").scrollTop = isSame ? scrollTop : 0;
}

async function panel() {
  const { kind, at } = state.place;
  if (state.run === null) return welcome();
  if (kind === "document") return [back(), documentPanel(await documentAt(at))];
  if (kind === "group") return [back(), groupPanel(at)];
  if (kind === "changes" && state.changes) return [back(), await changesPanel()];
  return state.selection.size ? selection() : overview();
}

const back = () =>
  button("×", chooseNothing, { class: "plain close", "aria-label": "Close", title: "Close (Esc)" });

function pairBar() {
  if (!state.pair) return null;
  const text = state.pair.kind === "together" ? "belongs together with …" : "belongs apart from …";
  return el(
    "p",
    { class: "pair", role: "status" },
    `This document ${text} choose the other one on the map or in a list. `,
    button("Cancel", acts.letGo, { class: "small" }),
  );
}

function welcome() {
  const [title, text] = state.job
    ? ["The first groups are on their way", "The documents are being clustered. The map appears by itself."]
    : ["There are no groups to show", "Cluster to have some. What was said is kept."];
  return el("article", {}, el("h2", {}, title), el("p", { class: "quiet" }, text), damage());
}

/** Which runs cannot be read, and what that means. */
function damage() {
  const { damaged, current } = state.project;
  if (!damaged.length) return null;
  const rest = current === null ? "" : ` Run ${current} is the last that can be read.`;
  return el(
    "p",
    { class: "damage", role: "note" },
    damaged.map(({ run, what }) => `Run ${run} cannot be read: ${what}.`).join(" "),
    `${rest} What was said is kept.`,
  );
}

function overview() {
  const { project, changes } = state;
  return el(
    "article",
    {},
    el("h2", {}, project.name),
    el(
      "p",
      { class: "quiet" },
      Object.entries(project.counts)
        .map(([type, size]) => `${size.toLocaleString("en-GB")} ${type}`)
        .join(", "),
    ),
    damage(),
    changes ? changesSummary() : null,
    el(
      "p",
      {},
      "Choose a group or a document to see it here, and say what is wrong: ",
      "move it, mark two as apart, rename, merge or split a group. Then cluster again.",
    ),
    el("p", { class: "quiet" }, "Press ", el("kbd", {}, "?"), " for all keys."),
  );
}

/** What can be said of the documents that are selected, above whatever is seen. */
function selectionBar() {
  return el(
    "section",
    { class: "selected", "aria-label": "Selection" },
    el("h2", {}, `${count(state.selection.size, "document")} selected`),
    el(
      "p",
      { class: "acts" },
      button("Move", acts.moveSomewhere, { key: "m" }),
      button("Together", () => acts.link("together"), { key: "t" }),
      button("Apart", () => acts.link("apart"), { key: "a" }),
      button("Outside", acts.outside, { key: "o" }),
      button("Let go", acts.letGo, { key: "Esc" }),
    ),
  );
}

async function selection() {
  const positions = [...state.selection];
  const found = await rowsAt(positions.slice(0, LISTED));
  const left = positions.length - found.length;
  return el(
    "article",
    {},
    el(
      "ol",
      { class: "rows" },
      found.map(documentRow),
    ),
    left > 0 ? el("p", { class: "quiet" }, `and ${count(left, "document")} more`) : null,
  );
}
