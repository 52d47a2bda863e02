// A group: its words and entities, and the actions on it; its documents are listed below it.

import * as actions from "../actions.js";
import { button, el } from "../dom.js";
import { percent, whole } from "../format.js";
import { groupOf, numberOf } from "../store.js";
import { tint } from "../theme.js";
import { heading, wordChips } from "./components.js";

export function groupPanel(number) {
  const group = groupOf(number);
  if (!group) return el("p", { class: "quiet" }, "This group is not in the displayed run.");
  return el(
    "article",
    { style: { "--c": tint(number) }, "data-keep": `group-${number}` },
    el("h2", {}, el("span", { class: "swatch" }), el("span", { class: "no" }, numberOf(number)), group.name),
    facts(group),
    el(
      "p",
      { class: "actions" },
      button("Rename", actions.rename, { key: "r" }),
      button("Merge", actions.merge, { key: "g" }),
      button("Split", actions.split, { key: "s" }),
      button(group.frozen ? "Thaw" : "Freeze", actions.freeze, {
        key: "f",
        title: group.frozen ? "Documents may leave the group again" : "No document leaves the group",
      }),
    ),
    described(group),
    heading("Words"),
    wordChips(group.words),
    group.entities.length ? [heading("Entities"), entityList(group.entities)] : null,
  );
}

/** The sentence of a language model about the group, and the words that would name it otherwise. */
function described({ description, described_by: model, word_name: words }) {
  if (!model) return null;
  return el(
    "p",
    { class: "described" },
    description,
    el("small", {}, ` Written by the language model ${model}; by its words: ${words}.`),
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
