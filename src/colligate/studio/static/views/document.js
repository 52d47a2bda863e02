// A document: its text, its group and the reasons, and the actions on it.

import * as actions from "../actions.js";
import { button, el } from "../dom.js";
import { makeDraggable } from "../drag.js";
import { percent, titled } from "../format.js";
import { nameOf } from "../store.js";
import { tint } from "../theme.js";
import { entityList } from "./group.js";
import { groupChip, heading, meter, outsideButton, wordChips } from "./components.js";

export function documentPanel(row) {
  const { title, rest } = titled(row.text);
  const head = el(
    "header",
    { class: "grip", title: "Drag this to a group" },
    el("p", { class: "who" }, el("span", { class: "id" }, row.id)),
    el("h2", {}, title),
  );
  makeDraggable(head, row.document);
  return el(
    "article",
    { style: { "--c": tint(row.group) } },
    head,
    el("ul", { class: "shares" }, row.memberships.map(share)),
    el(
      "p",
      { class: "actions" },
      button("Move", actions.moveSomewhere, { key: "m" }),
      button("Together", () => actions.link("together"), { key: "t" }),
      button("Apart", () => actions.link("apart"), { key: "a" }),
      outsideButton(),
    ),
    nextBest(row),
    why(row),
    statementList(row.statements),
    rest ? [heading("Text"), el("p", { class: "body" }, rest)] : null,
  );
}

function share({ group, membership }) {
  return el(
    "li",
    { style: { "--c": tint(group) } },
    groupChip(group),
    meter(membership, nameOf(group)),
    el("span", { class: "size", "aria-hidden": "true" }, percent(membership)),
  );
}

function nextBest({ next, group, document }) {
  if (next < 0 || next === group) return null;
  return el(
    "p",
    { class: "next" },
    "Second-best group: ",
    groupChip(next),
    button("Move it to this group", () => actions.moveTo(next, [document]), { class: "small" }),
  );
}

function why({ why: { words, links, entities }, group }) {
  if (!words.length && !links.length && !entities.length) return null;
  return [
    heading(group < 0 ? "Its words" : "Why it is in this group"),
    words.length ? wordChips(words) : null,
    entities.length ? entityList(entities) : null,
    links.length ? el("ul", { class: "statements" }, links.map(link)) : null,
  ];
}

function link({ statement, pull }) {
  return el("li", {}, statement, el("small", {}, pull >= 0 ? " supports this group" : " is against this group"));
}

function statementList(statements) {
  const live = statements.filter(({ status }) => status === "live");
  if (!live.length) return null;
  return [
    heading("Statements"),
    el(
      "ul",
      { class: "statements" },
      live.map((entry) =>
        el(
          "li",
          {},
          entry.sentence,
          " ",
          verdict(entry),
          button("Undo", () => actions.undo(entry.id), { class: "small" }),
          reason(entry),
        ),
      ),
    ),
  ];
}

/** Why a statement is broken in the last run. */
export const reason = ({ reason: text }) => (text ? el("span", { class: "reason" }, text) : null);

/** The outcome of a statement in the last run. */
export function verdict({ verdict: text, status, kind, overruled }) {
  if (kind === "knowledge" && status === "live") return null;
  if (status !== "live") return el("span", { class: "verdict" }, status);
  if (overruled) return el("span", { class: "verdict" }, `superseded by statement ${overruled}`);
  return text ? el("span", { class: `verdict ${text}` }, text) : el("span", { class: "verdict" }, "new");
}
