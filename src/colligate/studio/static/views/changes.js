// What moved since the run before, and which statements were kept or broken.

import { button, el } from "../dom.js";
import { count, whole } from "../format.js";
import { rowsAt } from "../model.js";
import { choose } from "../place.js";
import { runOf, state } from "../store.js";
import { documentRow, groupChip, heading } from "./parts.js";

const LISTED = 30;
const FLOWS = 12;

/** A line that leads to the rest. */
export function changesSummary() {
  const { moved } = state.changes;
  return el(
    "div",
    { class: "summary" },
    button(`${count(moved, "document")} moved`, () => choose("changes"), { class: "link" }),
    tally(state.changes),
  );
}

/** How many statements were kept and broken; documents that stand for groups are counted apart. */
function tally({ kept, broken, standing }) {
  const stand = standing.kept + standing.broken;
  if (!kept && !broken && !stand) return null;
  return [
    el(
      "p",
      {},
      el("span", { class: "verdict kept" }, `${whole(kept)} kept`),
      " ",
      el("span", { class: broken ? "verdict broken" : "verdict" }, `${whole(broken)} broken`),
    ),
    stand ? el("p", { class: "quiet" }, standingLine(standing)) : null,
  ];
}

/** What became of the documents that the studio took to stand for groups. */
export function standingLine({ kept, broken }) {
  const told = `${count(kept + broken, "document")} that the studio took to stand for groups`;
  const fate = broken ? `${whole(kept)} stayed there, ${whole(broken)} did not` : "all stayed there";
  return `And ${told}: ${fate}.`;
}

export async function changesPanel() {
  const { changes } = state;
  const found = await rowsAt(changes.documents.slice(0, LISTED));
  return el(
    "article",
    {},
    el("h2", {}, `${count(changes.moved, "document")} moved`),
    el(
      "p",
      { class: "quiet" },
      `Since run ${runOf(state.run).parent}; agreement of the two (NMI) ${changes.agreement.toFixed(3)}.`,
    ),
    audit(changes),
    flows(changes.flow),
    found.length ? heading("Documents") : null,
    el(
      "ol",
      { class: "rows" },
      found.map(documentRow),
    ),
    changes.moved > found.length
      ? el("p", { class: "quiet" }, `and ${count(changes.moved - found.length, "document")} more`)
      : null,
  );
}

function audit(changes) {
  const { newly_broken: newly } = changes;
  const told = tally(changes);
  if (!told) return null;
  return [
    heading("What was said"),
    told,
    newly.length
      ? el(
          "ul",
          { class: "said" },
          newly.slice(0, 20).map((text) => el("li", {}, "newly broken: ", text)),
        )
      : null,
  ];
}

function flows(flow) {
  const moved = flow.filter(({ source, target }) => source !== target);
  const largest = moved.sort((one, other) => other.documents - one.documents).slice(0, FLOWS);
  if (!largest.length) return null;
  return [
    heading("From where to where"),
    el(
      "ul",
      { class: "flows" },
      largest.map(({ source, target, documents }) =>
        el(
          "li",
          {},
          groupChip(source),
          el("span", { "aria-label": "to" }, "→"),
          groupChip(target),
          el("span", { class: "size" }, whole(documents)),
        ),
      ),
    ),
  ];
}
