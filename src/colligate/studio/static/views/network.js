// The types of the network, and the relations between them.

import { el } from "../dom.js";
import { percent, whole } from "../format.js";
import { makeTable } from "./table.js";

export function networkPart({ types, relations }) {
  const heaviest = [...relations].sort((a, b) => (b.share ?? 0) - (a.share ?? 0));
  return [
    el("h2", {}, "The network"),
    el("ul", { class: "types" }, types.map(typeItem)),
    makeTable(
      "Relations",
      ["Relation", "Between", "Entries#", "Weight#", "Kept by the groups#"],
      heaviest.map((relation) => ({ cells: relationCells(relation) })),
    ),
  ];
}

function typeItem({ name, size, groups }) {
  const grouped = groups ? el("small", {}, ` in ${whole(groups)} groups`) : null;
  return el("li", {}, el("strong", {}, whole(size)), ` ${name}`, grouped);
}

function relationCells({ name, rows, columns, entries, weight, share }) {
  const between = `${rows} × ${columns}`;
  const kept = share === null ? "" : percent(share);
  return [name, between === name ? "" : between, whole(entries), weight.toPrecision(3), kept];
}
