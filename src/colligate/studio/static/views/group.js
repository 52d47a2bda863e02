// A group: its words and entities, the actions on it, and its documents.

import { api } from "../api.js";
import * as actions from "../actions.js";
import { button, el, fill } from "../dom.js";
import { count, percent, whole } from "../format.js";
import { groupOf, numberOf, state } from "../store.js";
import { tint } from "../theme.js";
import { documentRow, heading, wordChips } from "./components.js";

const PAGE = 50;
let order = "membership";

export function groupPanel(number) {
  const group = groupOf(number);
  if (!group) return el("p", { class: "quiet" }, "This group is not in the displayed run.");
  return el(
    "article",
    { style: { "--c": tint(number) } },
    el("h2", {}, el("span", { class: "swatch" }), el("span", { class: "no" }, numberOf(number)), group.name),
    facts(group),
    el(
      "p",
      { class: "actions" },
      button("Rename", actions.rename, { key: "r" }),
      button("Merge", actions.merge, { key: "g" }),
      button("Split", actions.split, { key: "s" }),
      button(group.frozen ? "Frozen" : "Freeze", actions.freeze, { key: "f", disabled: group.frozen }),
    ),
    heading("Words"),
    wordChips(group.words),
    group.entities.length ? [heading("Entities"), entityList(group.entities)] : null,
    documents(group),
  );
}

function facts({ size, coherence, confidence, moved_in: came, moved_out: left }) {
  const rows = [
    ["documents", whole(size)],
    ["confidence", percent(confidence)],
  ];
  if (coherence !== null) rows.push(["coherence", coherence.toFixed(2)]);
  if (came || left) rows.push(["moved in, out", `${whole(came)}, ${whole(left)}`]);
  return el(
    "dl",
    { class: "facts" },
    rows.map(([name, value]) => el("div", {}, el("dt", {}, name), el("dd", {}, value))),
  );
}

export function entityList(entities) {
  return el(
    "ul",
    { class: "words" },
    entities
      .slice(0, 14)
      .map(({ type, name }) => el("li", { class: "entity", title: type }, name, el("small", {}, ` ${type}`))),
  );
}

function documents(group) {
  const list = el("ol", { class: "rows" });
  const more = el("p", { class: "actions" });
  let shown = 0;

  async function load() {
    const page = await actions.attempt(() => api.members(state.run, group.group, shown, order, PAGE));
    if (!page) return;
    list.append(...page.documents.map((row) => documentRow(row)));
    shown += page.documents.length;
    fill(more, shown < page.total ? button(`Show ${Math.min(PAGE, page.total - shown)} more`, load) : null);
  }

  const chooseOrder = (event) => {
    [order, shown] = [event.target.value, 0];
    list.replaceChildren();
    load();
  };
  load();
  return [
    el(
      "header",
      { class: "between" },
      heading(count(group.size, "document")),
      el(
        "select",
        { "aria-label": "Order of the documents", onchange: chooseOrder },
        el("option", { value: "membership", selected: order === "membership" }, "most confident first"),
        el("option", { value: "id", selected: order === "id" }, "in the order of the file"),
      ),
    ),
    list,
    more,
  ];
}
