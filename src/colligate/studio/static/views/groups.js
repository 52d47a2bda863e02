// The list of groups at the left.

import { button, byId, el, fill } from "../dom.js";
import { count, whole } from "../format.js";
import { choose, chooseNothing, open } from "../route.js";
import { follow, numberOf, shortName, state } from "../store.js";
import { tint } from "../theme.js";
import { offeredColumns } from "./columnsview.js";
import { meter } from "./components.js";
import { firstLook } from "./waiting.js";

const ORDERS = {
  size: (a, b) => b.size - a.size,
  name: (a, b) => a.name.localeCompare(b.name),
  confidence: (a, b) => a.confidence - b.confidence,
};
const LABELS = { size: "largest first", name: "by name", confidence: "least confident first" };
let order = "size";

export function startGroups() {
  follow(["groups", "route", "run", "progress"], show);
}

function show() {
  if (state.run === null && state.progress?.groups) return fill(byId("groups"), firstLook(state.progress.groups));
  const groups = [...state.groups].sort(ORDERS[order]);
  fill(byId("groups"), head(groups), el("ol", { class: "groups", "data-keep": "groups" }, groups.map(item)));
}

function head(groups) {
  const chooseOrder = (event) => {
    order = event.target.value;
    show();
  };
  return el(
    "header",
    { "data-keep": "head" },
    el("h2", {}, groups.length ? count(groups.length, "group") : "Groups"),
    el(
      "select",
      { "aria-label": "Order of the groups", "data-keep": "order", onchange: chooseOrder },
      Object.entries(LABELS).map(([value, label]) =>
        el("option", { value, selected: value === order }, label),
      ),
    ),
    groups.length && offeredColumns().length ? columnsButton() : null,
  );
}

/** Open the groups by a column of the input, or go back to the map. */
function columnsButton() {
  const isOpen = state.route.view === "columns";
  return button("Groups by column", () => open(isOpen ? "map" : "columns"), {
    class: "small",
    title: "Count the documents of every group by class, by number or over time",
    "aria-pressed": String(isOpen),
    "data-keep": "by-column",
  });
}

function item(group) {
  const isChosen = state.route.kind === "group" && state.route.at === group.group;
  const act = () => (isChosen ? chooseNothing() : choose("group", group.group));
  return el(
    "li",
    { "data-group": group.group, "data-keep": `item-${group.group}`, style: { "--c": tint(group.group) } },
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
        el("span", { class: "sure" }, meter(group.confidence, "confidence"), coherenceOf(group)),
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
    { class: "moves", title: `${came} moved in, ${left} moved out` },
    `+${whole(came)} −${whole(left)}`,
    el("span", { class: "unseen" }, ` ${came} moved in, ${left} moved out`),
  );
}

const names = (entities) =>
  entities
    .slice(0, 3)
    .map(({ name }) => name)
    .join(", ");

function coherenceOf({ coherence }) {
  if (coherence === null) return null;
  return el("small", { title: "How often the top words of the group occur together (NPMI)" }, `coherence ${coherence.toFixed(2)}`);
}
