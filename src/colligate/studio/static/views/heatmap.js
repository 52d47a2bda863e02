// A heatmap: the stronger the colour of a cell, the greater its value.

import { el } from "../dom.js";
import { percent } from "../format.js";
import { tint } from "../theme.js";

/** Heads of columns and rows are nodes or text; `cellOf(row, column)` makes a cell. */
export function heatmap(label, columns, rows, cellOf, { caption = null, kind = "" } = {}) {
  const tops = columns.map((head) => el("th", { scope: "col" }, head));
  const lines = rows.map((head, row) => {
    const cells = columns.map((_, column) => cellOf(row, column));
    return el("tr", {}, el("th", { scope: "row" }, head), cells);
  });
  return el(
    "div",
    { class: "scroll", tabindex: "0", role: "region", "aria-label": label },
    el(
      "table",
      { class: `heat ${kind}` },
      caption ? el("caption", {}, caption) : null,
      el("thead", {}, el("tr", {}, el("td", {}), tops)),
      el("tbody", {}, lines),
    ),
  );
}

const FAINTEST = 0.04; // smaller shares have no colour, so that the others stand out

/** A cell in the colour of a group. */
export function heatCell(group, share, title, content, onclick) {
  const strength = percent(share < FAINTEST ? 0 : Math.sqrt(share)).replace(" ", "");
  return el("td", { style: { "--c": tint(group), "--strength": strength }, title, onclick }, content);
}
