// One question, with the ways to answer it.

import { button, el } from "../dom.js";
import { count, shortened } from "../format.js";
import { tint } from "../theme.js";

const LONGEST = 900;
export const CHOICES = "abcd";

/** A question with its answers; each answer has a key. */
export function card(question, handlers) {
  const { text, items, kind } = question;
  return el(
    "section",
    { class: "card question", "aria-label": "Question" },
    el("p", { class: "text" }, text),
    kind === "word" ? aboutOf(question) : el("div", { class: "sides" }, items.map(side)),
    kind === "label" ? choices(question, handlers) : yesOrNo(handlers),
    el("p", { class: "quiet" }, effectOf(question)),
  );
}

export const nothing = () =>
  el(
    "p",
    { class: "lead card" },
    "There are no useful questions now. Cluster again to get new ones.",
  );

function yesOrNo({ answer }) {
  return el(
    "p",
    { class: "actions" },
    button("Yes", () => answer("yes"), { key: "y", class: "main", "data-keep": "yes" }),
    button("No", () => answer("no"), { key: "n", class: "main", "data-keep": "no" }),
    button("Skip", () => answer("skip"), { key: "s", "data-keep": "skip" }),
  );
}

function choices({ groups }, { answer, answerOther }) {
  return el(
    "div",
    {},
    el(
      "ol",
      { class: "answers" },
      groups.map((group, at) => el("li", {}, choice(group, at, answer))),
    ),
    el(
      "p",
      { class: "actions" },
      button("Another group", answerOther, { key: "m", "data-keep": "other" }),
      button("Not the first group", () => answer("no"), { key: "n", "data-keep": "no" }),
      button("Skip", () => answer("skip"), { key: "s", "data-keep": "skip" }),
    ),
  );
}

function choice({ group, name, short, words }, at, answer) {
  return el(
    "button",
    {
      type: "button",
      class: "answer",
      "data-keep": `choice-${at}`,
      style: { "--c": tint(group) },
      onclick: () => answer("yes", group),
    },
    el("kbd", { "aria-hidden": "true" }, CHOICES[at]),
    el("span", { class: "swatch" }),
    el("span", { class: "name" }, short),
    el("small", {}, others(name, words)),
  );
}

/** The words that the name does not contain. */
const others = (name, words) => words.filter((word) => !name.includes(word)).join(" ");

function aboutOf({ items: [{ id }], groups: [{ group, name, short, words }] }) {
  return el(
    "div",
    { class: "about", style: { "--c": tint(group) } },
    el("strong", {}, id),
    el("span", { "aria-hidden": "true" }, "→"),
    el("div", {}, el("span", { class: "swatch" }), " ", short, el("small", {}, others(name, words))),
  );
}

function side({ id, text }) {
  return el(
    "blockquote",
    { tabindex: 0, "aria-label": `Document ${id}` },
    el("span", { class: "id" }, id),
    el("p", {}, shortened(text.trim(), LONGEST) || "(no text)"),
  );
}

const effectOf = ({ effect }) =>
  `The answer affects about ${count(Math.max(1, Math.round(effect)), "document")}.`;
