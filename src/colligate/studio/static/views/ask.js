// Questions that would help most, answered by keyboard alone, and how the groups firmed up by the answers.

import { api } from "../api.js";
import * as acts from "../acts.js";
import { chooseGroup } from "../dialogs.js";
import { button, el, fill } from "../dom.js";
import { count } from "../format.js";
import { say } from "../notices.js";
import { state } from "../store.js";
import { firmness } from "./firmness.js";
import { CHOICES, card, nothing } from "./question.js";

const AT_ONCE = 5;
const KINDS = {
  "": "all kinds of questions",
  label: "which group a document is in",
  pair: "whether two belong together",
  word: "what a word is about",
};

export function askView() {
  const element = el("div", { class: "page ask" });
  const asked = { questions: [], kinds: "", answered: 0, first: null, isBusy: false };

  async function show() {
    asked.first ??= { run: state.run, groups: state.groups };
    if (!element.firstChild) fill(element, el("h2", {}, "Questions"), el("p", { class: "lead" }, "One moment …"));
    await refresh();
  }

  async function refresh() {
    asked.questions = await api.questions(state.run, AT_ONCE, asked.kinds);
    draw();
  }

  async function answer(told, group) {
    const [question] = asked.questions;
    if (!question || asked.isBusy) return;
    asked.isBusy = true;
    const sent = group === undefined ? { answer: told } : { answer: told, group };
    const done = await acts.trying(() => api.answer(question.id, sent));
    asked.isBusy = false;
    if (!done) return;
    asked.answered += done.statement ? 1 : 0;
    asked.questions.shift();
    if (asked.questions.length) draw();
    else await acts.trying(refresh);
  }

  async function answerOther() {
    const group = await chooseGroup("It belongs to …");
    if (group !== null) await answer("yes", group);
  }

  const hands = { answer, answerOther };

  function draw() {
    const [question] = asked.questions;
    fill(
      element,
      el("div", { class: "between" }, el("h2", {}, "Questions"), kinds()),
      lead(asked.answered),
      el("div", { class: "asking" }, question ? card(question, hands) : nothing(), firmness(asked.first)),
    );
    if (question) say(question.text);
  }

  function kinds() {
    const choose = (event) => {
      asked.kinds = event.target.value;
      acts.trying(refresh);
    };
    return el(
      "select",
      { "aria-label": "Kinds of questions", "data-keep": "kinds", onchange: choose },
      Object.entries(KINDS).map(([value, text]) =>
        el("option", { value, selected: value === asked.kinds }, text),
      ),
    );
  }

  addEventListener("keydown", (event) => {
    const isElsewhere =
      state.place.view !== "ask" || document.querySelector("dialog[open]") || event.defaultPrevented;
    if (isElsewhere || event.target.closest("input, textarea, select, dialog")) return;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const act = keyed(event.key, asked.questions[0], hands);
    if (!act) return;
    event.preventDefault();
    act();
  });
  return { element, show };
}

/** What a key does; the rest of the page has the others. */
function keyed(key, question, { answer, answerOther }) {
  if (!question) return null;
  if (key === "s") return () => answer("skip");
  if (question.kind !== "label") return { y: () => answer("yes"), n: () => answer("no") }[key];
  if (key === "m") return answerOther;
  const group = key === "y" ? question.groups[0] : question.groups[CHOICES.indexOf(key)];
  if (group) return () => answer("yes", group.group);
  return key === "n" ? () => answer("no") : null;
}

function lead(answered) {
  return el(
    "p",
    { class: "lead" },
    answered
      ? `${count(answered, "answer")} given; each can be undone. `
      : "What would settle the most. Each answer is a statement like all others.",
    answered ? button("Cluster again", () => acts.cluster(), { class: "small", key: "Space" }) : null,
  );
}
