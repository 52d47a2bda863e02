// A group: its words and entities, what can be done with it, and its documents by membership.

import { api } from "../api.js";
import * as acts from "../acts.js";
import { button, el, fill } from "../dom.js";
import { count, percent, whole } from "../format.js";
import { groupOf, numberOf, state } from "../store.js";
import { tint } from "../theme.js";
import { documentRow, heading, wordChips } from "./parts.js";

const PAGE = 50;
let order = "membership";

export function groupPanel(number) {
  const group = groupOf(number);
  if (!group) return el("p", { class: "quiet" }, "This group is not in the run that is shown.");
  return el(
    "article",
    { style: { "--c": tint(number) } },
    el("h2", {}, el("span", { class: "swatch" }), el("span", { class: "no" }, numberOf(number)), group.name),
    facts(group),
    el(
      "p",
      { class: "acts" },
      button("Rename", acts.rename, { key: "r" }),
      button("Merge", acts.merge, { key: "g" }),
      button("Split", acts.split, { key: "s" }),
      button(group.frozen ? "Frozen" : "Freeze", acts.freeze, { key: "f", disabled: group.frozen }),
    ),
    heading("Words"),
    wordChips(group.words),
    group.entities.length ? [heading("Entities"), entityList(group.entities)] : null,
    documents(group),
  );
}

function facts({ size, coherence, confidence, moved_in: came, moved_out: left }) {
  const found = [
    ["documents", whole(size)],
    ["sure", percent(confidence)],
  ];
  if (coherence !== null) found.push(["coherence", coherence.toFixed(2)]);
  if (came || left) found.push(["came, left", `${whole(came)}, ${whole(left)}`]);
  return el(
    "dl",
    { class: "facts" },
    found.map(([name, value]) => el("div", {}, el("dt", {}, name), el("dd", {}, value))),
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
  const more = el("p", { class: "acts" });
  let shown = 0;

  async function load() {
    const found = await acts.trying(() => api.members(state.run, group.group, shown, order, PAGE));
    if (!found) return;
    list.append(...found.documents.map((row) => documentRow(row)));
    shown += found.documents.length;
    fill(more, shown < found.total ? button(`Show ${Math.min(PAGE, found.total - shown)} more`, load) : null);
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
        el("option", { value: "membership", selected: order === "membership" }, "surest first"),
        el("option", { value: "id", selected: order === "id" }, "in their own order"),
      ),
    ),
    list,
    more,
  ];
}
