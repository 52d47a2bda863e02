// The tree of groups: which groups are near each other.

import { el } from "../dom.js";
import { whole } from "../format.js";
import { groupChip } from "./components.js";

const FEWEST = 5; // rows of three groups; two can join in one way only

export function treePart(rows) {
  if (rows.length < FEWEST) return null;
  return [
    el("h2", {}, "How the groups join"),
    el(
      "p",
      { class: "lead" },
      "Two groups join if the method places their documents alike. Joined groups are named by the words that they share. To divide a group, open it and choose Split.",
    ),
    el("ul", { class: "tree", "aria-label": "Tree of groups" }, rows.map(treeRow)),
  ];
}

/** The line of a level before a row: that of the row itself, or one of a level above that goes on or has ended. */
function lineKind(goesOn, isLast) {
  if (isLast) return goesOn ? "child" : "last";
  return goesOn ? "on" : "ended";
}

function treeRow({ lines, name, size, group }) {
  return el(
    "li",
    {},
    lines.map((goesOn, k) => el("i", { class: lineKind(goesOn, k === lines.length - 1) })),
    el("span", { class: "unseen" }, `Level ${lines.length + 1}: `),
    group === null ? el("span", { class: "joined" }, name) : groupChip(group),
    el("small", {}, whole(size)),
  );
}
