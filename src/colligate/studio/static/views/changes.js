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
  const { moved, kept, broken } = state.changes;
  return el(
    "div",
    { class: "summary" },
    button(`${count(moved, "document")} moved`, () => choose("changes"), { class: "link" }),
    kept + broken
      ? el(
          "p",
          {},
          el("span", { class: "verdict kept" }, `${whole(kept)} kept`),
          " ",
          el("span", { class: broken ? "verdict broken" : "verdict" }, `${whole(broken)} broken`),
        )
      : null,
  );
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

function audit({ kept, broken, newly_broken: newly }) {
  if (!kept && !broken) return null;
  return [
    heading("What was said"),
    el(
      "p",
      {},
      el("span", { class: "verdict kept" }, `${whole(kept)} kept`),
      " ",
      el("span", { class: broken ? "verdict broken" : "verdict" }, `${whole(broken)} broken`),
    ),
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
