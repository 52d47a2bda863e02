// One question, with the ways to answer it.

import { api } from "../api.js";
import { button, el, fill } from "../dom.js";
import { count, shortened } from "../format.js";
import { moveText } from "../preview.js";
import { shortName } from "../store.js";
import { tint } from "../theme.js";

const LONGEST = 900;
const SOURCES_SHOWN = 3;
export const CHOICES = "abcd";

/** A question with its answers; each answer has a key. */
export function card(question, handlers) {
  const { text, items, kind } = question;
  return el(
    "section",
    { class: "card question", "aria-label": "Question" },
    el("p", { class: "text" }, text),
    kind === "word" ? wordOf(items[0]) : el("div", { class: "sides" }, items.map(side)),
    kind === "pair" ? yesOrNo(handlers) : choices(question, handlers),
    outcomes(question),
  );
}

/** What each answer would move: the preview of its statement. */
function outcomes(question) {
  const element = el("div", { class: "quiet outcomes", role: "status", "aria-busy": "true" }, "What the answers move …");
  api
    .answers(question.id)
    .then((answers) => fill(element, (question.kind === "pair" ? answerLines : choiceLines)(answers)))
    .catch((error) => fill(element, el("p", { class: "problem" }, error.message)))
    .finally(() => element.setAttribute("aria-busy", "false"));
  return element;
}

const answerLines = (answers) =>
  answers.map((answer) =>
    el("p", {}, el("strong", {}, answer.answer === "yes" ? "Yes: " : "No: "), describe(answer)),
  );

/** The lines of the groups to choose from; choices that move the same number of documents share one. */
function choiceLines(answers) {
  const keys = new Map();
  answers.forEach((answer, k) => {
    const text = countMoves(answer);
    keys.set(text, [...(keys.get(text) ?? []), answer.answer === "yes" ? CHOICES[k] : "n"]);
  });
  return [...keys].map(([text, letters]) =>
    el("p", {}, letters.map((letter) => [el("kbd", {}, letter), " "]), text),
  );
}

/** The moves of an answer in a sentence; all go to one group. The groups that most documents leave come first. */
function describe({ moves, refusal }) {
  if (refusal) return refusal;
  if (!moves.length) return "no document moves.";
  if (moves.length === 1) return moveText(moves[0]);
  const sources = [...moves].sort((left, right) => right.documents.length - left.documents.length);
  const parts = sources
    .slice(0, SOURCES_SHOWN)
    .map(({ source, documents }) => `${documents.length} from ${source < 0 ? "no group" : shortName(source)}`);
  const others = sources.slice(SOURCES_SHOWN);
  if (others.length) parts.push(`${sum(others)} from ${count(others.length, "other group")}`);
  return `${count(sum(moves), "document")} move to ${shortName(moves[0].target)}: ${parts.join("; ")}.`;
}

function countMoves({ moves, refusal }) {
  if (refusal) return refusal;
  const sizes = [false, true].map((alike) => sum(moves.filter((move) => move.alike === alike)));
  if (!sizes[0]) return "no document moves";
  const verb = sizes[0] === 1 ? "moves" : "move";
  const following = sizes[1] ? `, ${count(sizes[1], "similar document")} ${sizes[1] === 1 ? "follows" : "follow"}` : "";
  return `${count(sizes[0], "document")} ${verb}${following}`;
}

const sum = (moves) => moves.reduce((total, { documents }) => total + documents.length, 0);

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

const wordOf = ({ id }) => el("div", { class: "about" }, el("strong", {}, id));

function side({ id, text }) {
  return el(
    "blockquote",
    { tabindex: 0, "aria-label": `Document ${id}` },
    el("span", { class: "id" }, id),
    el("p", {}, shortened(text.trim(), LONGEST) || "(no text)"),
  );
}
