// A document: its text, its group and the reasons, and the actions on it.

import * as actions from "../actions.js";
import { button, el } from "../dom.js";
import { makeDraggable } from "../drag.js";
import { percent, titled } from "../format.js";
import { nameOf } from "../store.js";
import { tint } from "../theme.js";
import { entityList } from "./group.js";
import { documentRow, groupChip, heading, meter, outsideButton, wordChips } from "./components.js";
import { explainIn, legend, markedText } from "./reasons.js";

const WORDS = 12;

/** `similar` has the most similar documents, or null while they are fetched. */
export function documentPanel(row, similar) {
  const { title, rest } = titled(row.text);
  const explain = explainIn(row.group, row.next);
  const marked = (text) => markedText(text, row.why.words, explain);
  const head = el(
    "header",
    { class: "grip", title: "Drag this to a group" },
    el("p", { class: "who" }, el("span", { class: "id" }, row.id)),
    el("h2", {}, marked(title)),
  );
  makeDraggable(head, row.document);
  return el(
    "article",
    { style: { "--c": tint(row.group), "--next": tint(row.next) }, "data-keep": `document-${row.document}` },
    head,
    el("ul", { class: "shares" }, row.memberships.map(share)),
    row.frozen ? el("p", { class: "quiet" }, "❄ Frozen: it does not leave its group.") : null,
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
    row.why.words.length || rest ? heading("Text") : null,
    row.why.words.length ? legend(row.group, row.next) : null,
    rest ? el("p", { class: "body" }, marked(rest)) : null,
    similarList(similar, row.group),
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
    button("Move it to this group", () => actions.moveTo(next, [document]), { class: "small", key: "b" }),
    button("Keep it here", actions.keep, { class: "small", key: "k" }),
  );
}

function why({ why: { words, links, entities }, group }) {
  if (!words.length && !links.length && !entities.length) return null;
  return [
    heading(group < 0 ? "Its words" : "Why it is in this group"),
    words.length ? wordChips(words.slice(0, WORDS)) : null,
    entities.length ? entityList(entities) : null,
    links.length ? el("ul", { class: "statements" }, links.slice(0, WORDS).map(link)) : null,
  ];
}

function link({ statement, pull }) {
  return el("li", {}, statement, el("small", {}, pull >= 0 ? " supports this group" : " is against this group"));
}

/** The most similar documents; those in other groups are the ones to look at. */
function similarList(similar, group) {
  if (similar === null) return [heading("Similar documents"), el("p", { class: "quiet" }, "Loading …")];
  if (!similar.length) return null;
  const others = similar.filter((row) => row.group !== group).length;
  return [
    heading("Similar documents", others ? el("small", {}, ` ${others} of ${similar.length} in other groups`) : null),
    el(
      "ol",
      { class: "rows" },
      similar.map((row) => documentRow(row, { showsGroup: true })),
    ),
  ];
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
