// Questions that would help most, answered by keyboard alone: y, n, or Space for the next one.

import { api } from "../api.js";
import * as acts from "../acts.js";
import { button, el, fill } from "../dom.js";
import { count, percent, shortened } from "../format.js";
import { say } from "../notices.js";
import { state } from "../store.js";

const AT_ONCE = 5;
const KEYS = { y: "yes", n: "no", " ": "skip" };

export function askView() {
  const element = el("div", { class: "page ask" });
  const asked = { questions: [], answered: 0, sureness: [] };
  const show = async () => {
    asked.questions = await api.questions(state.run, AT_ONCE).catch(() => []);
    asked.sureness.push({ run: state.run, share: meanSureness() });
    draw(element, asked, answer);
  };

  async function answer(told) {
    const question = asked.questions.shift();
    if (!question) return;
    await acts.trying(() => api.answer(question.id, told));
    asked.answered += told === "skip" ? 0 : 1;
    if (asked.questions.length) draw(element, asked, answer);
    else await show();
  }

  addEventListener("keydown", (event) => {
    const isElsewhere = state.place.view !== "ask" || event.target.closest("input, textarea, select, dialog");
    if (isElsewhere || event.ctrlKey || event.metaKey || event.altKey || !KEYS[event.key]) return;
    event.preventDefault();
    answer(KEYS[event.key]);
  });
  return { element, show };
}

function draw(element, { questions, answered, sureness }, answer) {
  const [question] = questions;
  fill(
    element,
    el("h2", {}, "Questions"),
    progress(answered, sureness),
    question ? card(question, answer) : nothing(),
  );
  if (question) say(question.text);
}

function card({ text, items = [], effect }, answer) {
  return el(
    "section",
    { class: "card question", "aria-label": "Question" },
    el("p", { class: "text" }, text),
    el("div", { class: "sides" }, items.map(side)),
    el(
      "p",
      { class: "acts" },
      button("Yes", () => answer("yes"), { key: "y", class: "main" }),
      button("No", () => answer("no"), { key: "n", class: "main" }),
      button("Skip", () => answer("skip"), { key: "Space" }),
    ),
    typeof effect === "number"
      ? el("p", { class: "quiet" }, `Expected effect ${effect.toPrecision(2)}`)
      : null,
  );
}

function side(item) {
  if (typeof item !== "object") return el("blockquote", {}, String(item));
  const { id, name, word, text } = item;
  return el(
    "blockquote",
    {},
    el("span", { class: "id" }, id ?? name ?? word ?? ""),
    text ? el("p", {}, shortened(text, 700)) : null,
  );
}

const nothing = () =>
  el("p", { class: "lead" }, "No question would help now. Cluster again, and there may be new ones.");

function progress(answered, sureness) {
  const [first, last] = [sureness[0], sureness.at(-1)];
  const firmed =
    first === last
      ? ""
      : ` In run ${first.run} they were sure to ${percent(first.share)}, now to ${percent(last.share)}.`;
  return el(
    "p",
    { class: "lead" },
    `${count(answered, "answer")} given. Press Space on the other pages to cluster again with them.${firmed}`,
    " ",
    answered ? button("Cluster again", () => acts.cluster(), { class: "small" }) : null,
  );
}

function meanSureness() {
  const total = state.groups.reduce((sum, { size }) => sum + size, 0) || 1;
  return state.groups.reduce((sum, { size, confidence }) => sum + size * confidence, 0) / total;
}
