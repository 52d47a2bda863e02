// Components that several views share.

import { outside, pick, toggle } from "../actions.js";
import { button, el } from "../dom.js";
import { makeDraggable } from "../drag.js";
import { percent, shortened } from "../format.js";
import { choose } from "../route.js";
import { nameOf, shortName, state } from "../store.js";
import { tint } from "../theme.js";
import { openWordForm } from "../wordform.js";

/** A group by its colour and name; choosing it opens it. */
export function groupChip(group) {
  if (group < 0) return el("span", { class: "chip" }, nameOf(group));
  return button(
    [el("span", { class: "swatch" }), el("span", { class: "name" }, shortName(group))],
    () => choose("group", group),
    {
      class: "chip",
      "data-group": group,
      style: { "--c": tint(group) },
    },
  );
}

/** Words as buttons that open a form; the greater the weight, the darker. */
export function wordChips(words) {
  const most = Math.max(...words.map(({ weight }) => Math.abs(weight)), 1e-12);
  return el(
    "ul",
    { class: "words" },
    words.map(({ word, weight }) => el("li", {}, wordChip(word, Math.abs(weight) / most, weight < 0))),
  );
}

function wordChip(word, share, isAgainst) {
  return button(word, () => openWordForm(word), {
    class: isAgainst ? "word against" : "word",
    style: { "--share": percent(0.08 + 0.3 * share).replace(" ", "") },
    title: isAgainst
      ? `“${word}” supports the second-best group; make a statement about it`
      : `Make a statement about “${word}”`,
  });
}

/** The button for documents that belong to no group. */
export const outsideButton = () =>
  button("No group", outside, { key: "o", title: "It belongs to no group, and no group is made for it" });

/** A bar of a share, with the same as text. */
export function meter(share, label) {
  return el(
    "span",
    { class: "meter", title: `${label} ${percent(share)}` },
    el("span", { class: "unseen" }, `${label} ${percent(share)}`),
    el("span", {
      class: "full",
      style: { width: percent(Math.max(0, Math.min(1, share))).replace(" ", "") },
    }),
  );
}

/** A text in pieces; every second one is a hit of the search. */
const marked = (pieces) => pieces.map((piece, k) => (k % 2 ? el("mark", {}, piece) : piece));

/** A part of the text of a document. */
function snippet({ title, text, pieces }) {
  if (pieces.length < 2) return shortened(text, 150) || (title ? "" : "(no text)");
  return marked(pieces);
}

/** A document in a list: choose it, drag it to a group, or add it to the selection; `showsGroup` names its group. */
export function documentRow(row, { showsGroup = false } = {}) {
  const { document: at, id, group, confidence, stated } = row;
  const made = el(
    "li",
    { class: "row", style: { "--c": tint(group) }, "data-document": at, "data-keep": `document-${at}` },
    el("input", {
      type: "checkbox",
      "aria-label": `Select ${id}`,
      "data-keep": `box-${at}`,
      checked: state.selection.has(at),
      onchange: () => toggle(at),
    }),
    button(
      [
        row.title ? el("strong", { class: "title" }, marked(row.title_pieces)) : null,
        el(
          "span",
          { class: "who" },
          el("span", { class: "key" }, id),
          showsGroup ? el("span", { class: "of" }, el("span", { class: "swatch" }), el("span", { class: "name" }, shortName(group))) : null,
          stated ? el("span", { class: "mark", role: "img", "aria-label": "has a statement", title: "has a statement" }, "✓") : null,
          meter(confidence, "confidence"),
        ),
        el("span", { class: "text" }, snippet(row)),
      ],
      (event) => pick(at, { isAdding: event.ctrlKey || event.metaKey }),
      { class: "plain", "data-keep": `row-${at}` },
    ),
  );
  makeDraggable(made, at);
  return made;
}

export const heading = (text, ...more) => el("h3", {}, text, ...more);

/** What should be known of a run before its groups are read. */
export function cautions({ warnings }) {
  if (!warnings.length) return null;
  const items = warnings.map((warning) => el("li", {}, warning));
  return el(
    "section",
    { class: "cautions", "aria-label": "Before you read on" },
    el("h3", {}, "Before you read on"),
    el("ul", {}, items),
  );
}
