// Pieces that several views share.

import { pick, toggle } from "../acts.js";
import { button, el } from "../dom.js";
import { makeDraggable } from "../drag.js";
import { percent, shortened } from "../format.js";
import { choose } from "../place.js";
import { nameOf, shortName, state } from "../store.js";
import { tint } from "../theme.js";
import { sayOfWord } from "../words.js";

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

/** Words as buttons that open what can be said of them, the weightiest the darkest. */
export function wordChips(words) {
  const most = Math.max(...words.map(({ weight }) => Math.abs(weight)), 1e-12);
  return el(
    "ul",
    { class: "words" },
    words.map(({ word, weight }) => el("li", {}, wordChip(word, Math.abs(weight) / most, weight < 0))),
  );
}

function wordChip(word, share, isAgainst) {
  return button(word, () => sayOfWord(word), {
    class: isAgainst ? "word against" : "word",
    style: { "--share": percent(0.08 + 0.3 * share).replace(" ", "") },
    title: isAgainst
      ? `“${word}” speaks for the next best group; say something of it`
      : `Say something of “${word}”`,
  });
}

/** A bar of a share, which is also told in words. */
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

/** A document in a list: choose it, drag it to a group, or add it to the selection. */
export function documentRow(row) {
  const { document: at, id, group, confidence, text } = row;
  const made = el(
    "li",
    { class: "row", style: { "--c": tint(group) }, "data-document": at },
    el("input", {
      type: "checkbox",
      "aria-label": `Select ${id}`,
      "data-keep": `box-${at}`,
      checked: state.selection.has(at),
      onchange: () => toggle(at),
    }),
    button(
      [
        el("span", { class: "who" }, el("span", { class: "id" }, id), meter(confidence, "sure")),
        el("span", { class: "text" }, shortened(text, 150) || "(no text)"),
      ],
      (event) => pick(at, { isAdding: event.ctrlKey || event.metaKey }),
      { class: "plain", "data-keep": `row-${at}` },
    ),
  );
  makeDraggable(made, at);
  return made;
}

export const heading = (text, ...more) => el("h3", {}, text, ...more);
