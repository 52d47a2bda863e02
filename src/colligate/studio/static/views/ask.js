// Questions that would help most, answered by keyboard alone, and how the groups firmed up by the answers.

import { api } from "../api.js";
import * as acts from "../acts.js";
import { chooseGroup } from "../dialogs.js";
import { button, el, fill } from "../dom.js";
import { count } from "../format.js";
import { notice, say } from "../notices.js";
import { follow, state } from "../store.js";
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
  const asked = { questions: [], kinds: "", given: [], first: null, isBusy: false };

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
    const done = await acts.withReason(
      (why) => api.answer(question.id, { ...sent, why }),
      (said) => said?.statement,
    );
    asked.isBusy = false;
    if (!done) return;
    if (done.statement) asked.given.push({ question, run: state.run, id: done.statement.id });
    asked.questions.shift();
    if (asked.questions.length) draw();
    else await acts.trying(refresh);
  }

  /** Take the last answer of this sitting back, and put its question again while its groups are seen. */
  async function takeBack() {
    const last = asked.given.at(-1);
    if (asked.isBusy) return;
    if (!last) return notice("There is no answer of this sitting to take back.");
    asked.isBusy = true;
    const done = await acts.undo(last.id);
    asked.isBusy = false;
    if (done === null) return;
    asked.given = asked.given.filter((one) => one !== last);
    if (last.run === state.run) asked.questions.unshift(last.question);
    draw();
  }

  async function answerOther() {
    const group = await chooseGroup("It belongs to …");
    if (group !== null) await answer("yes", group);
  }

  const hands = { answer, answerOther, takeBack };

  function draw() {
    const [question] = asked.questions;
    fill(
      element,
      el("div", { class: "between" }, el("h2", {}, "Questions"), kinds()),
      lead(asked.given.length, hands),
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

  follow(["statements"], () => {
    const undone = new Set(state.statements.filter(({ status }) => status === "undone").map(({ id }) => id));
    const left = asked.given.filter(({ id }) => !undone.has(id));
    if (left.length === asked.given.length) return;
    asked.given = left;
    if (state.place.view === "ask") draw();
  });
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
function keyed(key, question, { answer, answerOther, takeBack }) {
  if (key === "u") return takeBack;
  if (!question) return null;
  if (key === "s") return () => answer("skip");
  if (question.kind !== "label") return { y: () => answer("yes"), n: () => answer("no") }[key];
  if (key === "m") return answerOther;
  const group = key === "y" ? question.groups[0] : question.groups[CHOICES.indexOf(key)];
  if (group) return () => answer("yes", group.group);
  return key === "n" ? () => answer("no") : null;
}

function lead(answered, { takeBack }) {
  return el(
    "p",
    { class: "lead" },
    answered
      ? `${count(answered, "answer")} given. `
      : "What would settle the most. Each answer is a statement like all others.",
    answered
      ? [
          button("Take the last back", takeBack, { class: "small", key: "u", "data-keep": "back" }),
          " ",
          button("Cluster again", () => acts.cluster(), { class: "small", key: "Space" }),
        ]
      : null,
  );
}
