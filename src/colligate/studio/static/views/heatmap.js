// A heatmap: the stronger the colour of a cell, the greater its value.

import { el } from "../dom.js";
import { percent } from "../format.js";
import { tint } from "../theme.js";

/** Heads of columns and rows are nodes or text; `cellOf(row, column)` makes a cell. */
export function heatmap(label, columns, rows, cellOf, { caption = null, kind = "" } = {}) {
  // with roles, since cells that share the width of a small screen are no table cells for the browser
  const tops = columns.map((head) => el("th", { scope: "col", role: "columnheader" }, head));
  const lines = rows.map((head, row) => {
    const cells = columns.map((_, column) => cellOf(row, column));
    return el("tr", { role: "row" }, el("th", { scope: "row", role: "rowheader" }, head), cells);
  });
  return el(
    "div",
    { class: "scroll", tabindex: "0", role: "region", "aria-label": label },
    el(
      "table",
      { class: `heat ${kind}`, role: "table" },
      caption ? el("caption", {}, caption) : null,
      el("thead", { role: "rowgroup" }, el("tr", { role: "row" }, el("td", { role: "cell" }), tops)),
      el("tbody", { role: "rowgroup" }, lines),
    ),
  );
}

const FAINTEST = 0.04; // smaller shares have no colour, so that the others stand out

/** A cell in the colour of a group. */
export function heatCell(group, share, title, content, onclick) {
  const strength = percent(share < FAINTEST ? 0 : Math.sqrt(share)).replace(" ", "");
  return el("td", { role: "cell", style: { "--c": tint(group), "--strength": strength }, title, onclick }, content);
}
