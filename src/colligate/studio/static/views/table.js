// Plain tables: the first column names the row.

import { el } from "../dom.js";

// a column of buttons
const unseenHead = () => el("span", { class: "unseen" }, "Action");

const nameOf = (head) => head.replace("#", "");

/**
 * A table in a frame that scrolls; `heads` are names, those of numbers end with #. On a small screen the cells of a row
 * lie below each other, each with the name of its column; the roles keep it a table for screen readers.
 */
export function makeTable(label, heads, rows, { isTall = false } = {}) {
  const isNumber = heads.map((head) => head.endsWith("#"));
  const row = ({ cells, kind }) => {
    const [first, ...rest] = cells;
    const others = rest.map((cell, k) =>
      el("td", { role: "cell", class: isNumber[k + 1] ? "number" : null, "data-head": nameOf(heads[k + 1]) }, cell),
    );
    return el("tr", { role: "row", class: kind }, el("th", { scope: "row", role: "rowheader" }, first), others);
  };
  const names = heads.map((head, k) =>
    el("th", { scope: "col", role: "columnheader", class: isNumber[k] ? "number" : null }, head ? nameOf(head) : unseenHead()),
  );
  const frame = {
    class: isTall ? "scroll tall" : "scroll",
    tabindex: "0",
    role: "region",
    "aria-label": label,
  };
  return el(
    "div",
    frame,
    el(
      "table",
      { class: "plain", role: "table" },
      el("thead", { role: "rowgroup" }, el("tr", { role: "row" }, names)),
      el("tbody", { role: "rowgroup" }, rows.map(row)),
    ),
  );
}
