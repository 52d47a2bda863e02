// A document: its text, why it is where it is, and what can be said of it.

import * as acts from "../acts.js";
import { sentence } from "../describe.js";
import { button, el } from "../dom.js";
import { makeDraggable } from "../drag.js";
import { percent, titled } from "../format.js";
import { nameOf } from "../store.js";
import { tint } from "../theme.js";
import { entityList } from "./group.js";
import { groupChip, heading, meter, wordChips } from "./parts.js";

export function documentPanel(found) {
  const { title, rest } = titled(found.text);
  const head = el(
    "header",
    { class: "grip", title: "Drag this to a group" },
    el("p", { class: "who" }, el("span", { class: "id" }, found.id)),
    el("h2", {}, title),
  );
  makeDraggable(head, found.document);
  return el(
    "article",
    { style: { "--c": tint(found.group) } },
    head,
    el("ul", { class: "shares" }, found.memberships.map(share)),
    el(
      "p",
      { class: "acts" },
      button("Move", acts.moveSomewhere, { key: "m" }),
      button("Together", () => acts.link("together"), { key: "t" }),
      button("Apart", () => acts.link("apart"), { key: "a" }),
      button("Outside", acts.outside, { key: "o" }),
    ),
    nextBest(found),
    why(found),
    said(found.statements),
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
    "Next best: ",
    groupChip(next),
    button("It belongs there", () => acts.moveTo(next, [document]), { class: "small" }),
  );
}

function why({ why: { words, links, entities }, group }) {
  if (!words.length && !links.length && !entities.length) return null;
  return [
    heading(group < 0 ? "What it holds" : "Why it is here"),
    words.length ? wordChips(words) : null,
    entities.length ? entityList(entities) : null,
    links.length ? el("ul", { class: "said" }, links.map(link)) : null,
  ];
}

function link({ statement, pull }) {
  return el("li", {}, statement, el("small", {}, pull >= 0 ? " draws it here" : " draws it away"));
}

function said(statements) {
  const live = statements.filter(({ status }) => status === "live");
  if (!live.length) return null;
  return [
    heading("What was said"),
    el(
      "ul",
      { class: "said" },
      live.map((entry) =>
        el(
          "li",
          {},
          sentence(entry),
          " ",
          verdict(entry),
          button("Undo", () => acts.undo(entry.id), { class: "small" }),
          reason(entry),
        ),
      ),
    ),
  ];
}

/** Why the last run counts a statement as broken. */
export const reason = ({ reason: told }) => (told ? el("span", { class: "reason" }, told) : null);

/** What the last run made of a statement. */
export function verdict({ verdict: told, status, kind, overruled }) {
  if (kind === "knowledge" && status === "live") return null;
  if (status !== "live") return el("span", { class: "verdict" }, status);
  if (overruled) return el("span", { class: "verdict" }, `overruled by statement ${overruled}`);
  return told ? el("span", { class: `verdict ${told}` }, told) : el("span", { class: "verdict" }, "new");
}
