// Plain tables: the first column names the row.

import { el } from "../dom.js";

// a column of buttons
const unseenHead = () => el("span", { class: "unseen" }, "Action");

/** A table in a frame that scrolls; `heads` are names, those of numbers end with #. */
export function makeTable(label, heads, rows, { isTall = false } = {}) {
  const isNumber = heads.map((head) => head.endsWith("#"));
  const row = ({ cells, kind }) => {
    const [first, ...rest] = cells;
    const others = rest.map((cell, k) => el("td", { class: isNumber[k + 1] ? "number" : null }, cell));
    return el("tr", { class: kind }, el("th", { scope: "row" }, first), others);
  };
  const names = heads.map((head, k) =>
    el("th", { scope: "col", class: isNumber[k] ? "number" : null }, head ? head.replace("#", "") : unseenHead()),
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
    el("table", { class: "plain" }, el("thead", {}, el("tr", {}, names)), el("tbody", {}, rows.map(row))),
  );
}
