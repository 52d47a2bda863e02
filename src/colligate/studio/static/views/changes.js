// What moved since the parent run, and which statements were kept or broken.

import { api } from "../api.js";
import { attempt, select } from "../actions.js";
import { button, el, fill } from "../dom.js";
import { count, percent, whole } from "../format.js";
import { rowsAt } from "../model.js";
import { choose } from "../route.js";
import { groupOf, runOf, shortName, state } from "../store.js";
import { tint } from "../theme.js";
import { cautions, documentRow, heading } from "./components.js";

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

/** How many statements were kept and broken; changes to groups and what was added are counted apart. */
function tally({ kept, broken, group_changes: changes, exemplars, frozen }) {
  const added = addedLines({ exemplars, frozen });
  const changed = changes.kept + changes.broken;
  if (!kept && !broken && !changed && !added.length) return null;
  return [
    kept || broken ? el("p", {}, "Statements: ", verdicts({ kept, broken })) : null,
    changed ? el("p", {}, "Changes to groups: ", verdicts(changes)) : null,
    added,
  ];
}

function verdicts({ kept, broken }) {
  return [
    el("span", { class: "verdict kept" }, `${whole(kept)} kept`),
    " ",
    el("span", { class: broken ? "verdict broken" : "verdict" }, `${whole(broken)} broken`),
  ];
}

/** How many exemplars of groups, and documents of frozen groups, stayed in their group. */
export function addedLines({ exemplars, frozen }) {
  const line = ({ kept, broken }, before, noun, after) => {
    const stayed = broken ? `${whole(kept)} stayed in their group, ${whole(broken)} did not` : "all stayed in their group";
    const text = `${before}${count(kept + broken, noun)}${after}: ${stayed}.`;
    return kept + broken ? el("p", { class: "quiet" }, text) : null;
  };
  return [line(exemplars, "The studio added ", "exemplar", ""), line(frozen, "", "frozen document", "")].filter(Boolean);
}

export function changesPanel() {
  const { changes } = state;
  return el(
    "article",
    {},
    el("h2", {}, `${count(changes.moved, "document")} moved`),
    el(
      "p",
      { class: "quiet" },
      `Since run ${runOf(state.run).parent}. Agreement of the two runs: NMI ${changes.agreement.toFixed(3)}.`,
    ),
    cautions(runOf(state.run)),
    audit(changes),
    flows(changes),
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

/** The moves between groups, the largest first, each with a bar; a move opens its documents. */
function flows({ flow, before }) {
  const moved = flow.filter(({ source, target }) => source !== target);
  if (!moved.length) return null;
  const ordered = moved.sort((a, b) => b.documents - a.documents);
  const names = new Map(before.map(({ group, short }) => [group, short]));
  const list = el("ul", { class: "flows" });
  const more = el("p", { class: "actions" });
  const show = (size) => {
    fill(list, ordered.slice(0, size).map((each) => flowItem(each, ordered[0].documents, names)));
    const left = ordered.length - size;
    fill(more, left > 0 ? button(`Show ${count(left, "more move")}`, () => show(ordered.length)) : null);
  };
  show(FLOWS);
  return [
    heading("Moves between groups"),
    el("p", { class: "quiet" }, "Choose a move to see its documents."),
    list,
    more,
  ];
}

function flowItem({ source, target, documents }, most, names) {
  const listed = el("div", { class: "moved", hidden: true });
  const head = button(
    [
      el("span", { class: "from", style: { "--c": tint(source) } }, el("span", { class: "swatch" }), nameBefore(source, names)),
      el("span", { class: "arrow", "aria-label": "to" }, "→"),
      el("span", { class: "to", style: { "--c": tint(target) } }, el("span", { class: "swatch" }), shortName(target)),
      el("span", { class: "size" }, whole(documents)),
      el("span", {
        class: "bar",
        style: { width: percent(documents / most).replace(" ", ""), "--from": tint(source), "--to": tint(target) },
      }),
      kindOf(source, target, names),
    ],
    () => open(),
    { class: "flow", "aria-expanded": "false" },
  );

  async function open() {
    const isOpen = listed.hidden;
    if (isOpen && !listed.childElementCount) {
      const answer = await attempt(() => api.flowDocuments(state.run, runOf(state.run).parent, source, target));
      if (!answer) return;
      fill(listed, ...(await movedDocuments(answer)));
    }
    listed.hidden = !isOpen;
    head.setAttribute("aria-expanded", String(isOpen));
  }

  return el("li", {}, head, listed);
}

async function movedDocuments({ total, documents }) {
  const rows = (await attempt(() => rowsAt(documents.slice(0, LISTED)))) ?? [];
  return [
    el(
      "p",
      { class: "actions" },
      button(total > documents.length ? `Select the first ${documents.length}` : "Select these", () => select(documents), {
        class: "small",
      }),
    ),
    el("ol", { class: "rows" }, rows.map(documentRow)),
    total > rows.length ? el("p", { class: "quiet" }, `and ${count(total - rows.length, "document")} more`) : null,
  ];
}

/** The name of a group in the run before; a group that is gone has a name only there. */
const nameBefore = (group, names) => (group < 0 ? "no group" : (names.get(group) ?? shortName(group)));

/** Whether a group was merged into another, or split off it. */
function kindOf(source, target, names) {
  if (source >= 0 && !groupOf(source)) return el("small", {}, "merged");
  if (target >= 0 && !names.has(target)) return el("small", {}, "split off");
  return null;
}
