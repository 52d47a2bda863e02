// What moved since the parent run, and which statements were kept or broken.

import { button, el } from "../dom.js";
import { count, whole } from "../format.js";
import { rowsAt } from "../model.js";
import { choose } from "../route.js";
import { runOf, state } from "../store.js";
import { documentRow, groupChip, heading } from "./components.js";

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

/** How many statements were kept and broken; exemplars are counted separately. */
function tally({ kept, broken, standing }) {
  const exemplars = standing.kept + standing.broken;
  if (!kept && !broken && !exemplars) return null;
  return [
    el(
      "p",
      {},
      el("span", { class: "verdict kept" }, `${whole(kept)} kept`),
      " ",
      el("span", { class: broken ? "verdict broken" : "verdict" }, `${whole(broken)} broken`),
    ),
    exemplars ? el("p", { class: "quiet" }, exemplarLine(standing)) : null,
  ];
}

/** How many exemplars of groups stayed in their group. */
export function exemplarLine({ kept, broken }) {
  const stayed = broken ? `${whole(kept)} stayed in their group, ${whole(broken)} did not` : "all stayed in their group";
  return `The studio added ${count(kept + broken, "exemplar")}: ${stayed}.`;
}

export async function changesPanel() {
  const { changes } = state;
  const rows = await rowsAt(changes.documents.slice(0, LISTED));
  return el(
    "article",
    {},
    el("h2", {}, `${count(changes.moved, "document")} moved`),
    el(
      "p",
      { class: "quiet" },
      `Since run ${runOf(state.run).parent}. Agreement of the two runs: NMI ${changes.agreement.toFixed(3)}.`,
    ),
    audit(changes),
    flows(changes.flow),
    rows.length ? heading("Documents") : null,
    el(
      "ol",
      { class: "rows" },
      rows.map(documentRow),
    ),
    changes.moved > rows.length
      ? el("p", { class: "quiet" }, `and ${count(changes.moved - rows.length, "document")} more`)
      : null,
  );
}

function audit(changes) {
  const { newly_broken: newly } = changes;
  const counts = tally(changes);
  if (!counts) return null;
  return [
    heading("Statements"),
    counts,
    newly.length
      ? el(
          "ul",
          { class: "statements" },
          newly.slice(0, 20).map((text) => el("li", {}, "newly broken: ", text)),
        )
      : null,
  ];
}

function flows(flow) {
  const moved = flow.filter(({ source, target }) => source !== target);
  const largest = moved.sort((a, b) => b.documents - a.documents).slice(0, FLOWS);
  if (!largest.length) return null;
  return [
    heading("Moves between groups"),
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
