// The list of groups at the left.

import { button, byId, el, fill } from "../dom.js";
import { count, whole } from "../format.js";
import { choose, chooseNothing } from "../place.js";
import { follow, numberOf, shortName, state } from "../store.js";
import { tint } from "../theme.js";
import { meter } from "./parts.js";

const ORDERS = {
  size: (one, other) => other.size - one.size,
  name: (one, other) => one.name.localeCompare(other.name),
  sureness: (one, other) => one.confidence - other.confidence,
};
const LABELS = { size: "largest first", name: "by name", sureness: "least sure first" };
let order = "size";

export function startGroups() {
  follow(["groups", "place", "run"], show);
}

function show() {
  const groups = [...state.groups].sort(ORDERS[order]);
  fill(byId("groups"), head(groups), el("ol", { class: "groups" }, groups.map(item)));
}

function head(groups) {
  const chooseOrder = (event) => {
    order = event.target.value;
    show();
  };
  return el(
    "header",
    {},
    el("h2", {}, groups.length ? count(groups.length, "group") : "Groups"),
    el(
      "select",
      { "aria-label": "Order of the groups", "data-keep": "order", onchange: chooseOrder },
      Object.entries(LABELS).map(([value, label]) =>
        el("option", { value, selected: value === order }, label),
      ),
    ),
  );
}

function item(group) {
  const isChosen = state.place.kind === "group" && state.place.at === group.group;
  const act = () => (isChosen ? chooseNothing() : choose("group", group.group));
  return el(
    "li",
    { "data-group": group.group, style: { "--c": tint(group.group) } },
    button(
      [
        el(
          "span",
          { class: "line" },
          el("span", { class: "swatch" }),
          el("span", { class: "no" }, numberOf(group.group)),
          el("span", { class: "name" }, shortName(group.group)),
          group.frozen ? el("span", { class: "mark", role: "img", "aria-label": "frozen" }, "❄") : null,
          moves(group),
          el("span", { class: "size" }, whole(group.size)),
        ),
        el(
          "span",
          { class: "best" },
          group.words
            .slice(0, 6)
            .map(({ word }) => word)
            .join(" "),
        ),
        group.entities.length ? el("span", { class: "best" }, names(group.entities)) : null,
        el("span", { class: "sure" }, meter(group.confidence, "sure"), coherenceOf(group)),
      ],
      act,
      { "aria-pressed": String(isChosen), "data-keep": `group-${group.group}` },
    ),
  );
}

function moves({ moved_in: came, moved_out: left }) {
  if (!came && !left) return null;
  return el(
    "span",
    { class: "moves", title: `${came} came, ${left} left` },
    `+${whole(came)} −${whole(left)}`,
    el("span", { class: "unseen" }, ` ${came} came, ${left} left`),
  );
}

const names = (entities) =>
  entities
    .slice(0, 3)
    .map(({ name }) => name)
    .join(", ");

function coherenceOf({ coherence }) {
  if (coherence === null) return null;
  const told = el("span", { class: "unseen" }, "coherence ");
  return el("small", { title: "coherence of its words" }, told, coherence.toFixed(2));
}
