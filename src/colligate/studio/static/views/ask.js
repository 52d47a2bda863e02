// The most useful questions, answered by keyboard, and how the confidence of the groups changes.

import { api } from "../api.js";
import * as actions from "../actions.js";
import { chooseGroup } from "../dialogs.js";
import { button, el, fill } from "../dom.js";
import { count } from "../format.js";
import { keyOf } from "../keys.js";
import { notice, announce } from "../notices.js";
import { follow, state } from "../store.js";
import { confidenceList } from "./confidence.js";
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
  const queue = { questions: [], kinds: "", answered: [], first: null, isBusy: false };

  async function show() {
    queue.first ??= { run: state.run, groups: state.groups };
    if (!element.firstChild) fill(element, el("h2", {}, "Questions"), el("p", { class: "lead" }, "Loading questions …"));
    await refresh();
  }

  async function refresh() {
    queue.questions = await api.questions(state.run, AT_ONCE, queue.kinds);
    draw();
  }

  async function answer(value, group) {
    const [question] = queue.questions;
    if (!question || queue.isBusy) return;
    queue.isBusy = true;
    const sent = group === undefined ? { answer: value } : { answer: value, group };
    const done = await actions.withReason(
      (why) => api.answer(question.id, { ...sent, why }),
      (answered) => answered?.statement,
    );
    queue.isBusy = false;
    if (!done) return;
    if (done.statement) queue.answered.push({ question, run: state.run, id: done.statement.id });
    queue.questions.shift();
    if (queue.questions.length) draw();
    else await actions.attempt(refresh);
  }

  /** Undo the last answer of this session, and ask its question again if the same run is on display. */
  async function takeBack() {
    const last = queue.answered.at(-1);
    if (queue.isBusy) return;
    if (!last) return notice("There is no answer to undo.");
    queue.isBusy = true;
    const done = await actions.undo(last.id);
    queue.isBusy = false;
    if (done === null) return;
    queue.answered = queue.answered.filter((one) => one !== last);
    if (last.run === state.run) queue.questions.unshift(last.question);
    draw();
  }

  async function answerOther() {
    const [{ kind, items }] = queue.questions;
    const [{ document: position, id }] = items;
    const group = await chooseGroup(kind === "word" ? "It is about …" : "It belongs in …", {
      preview: (target) =>
        kind === "word" ? ["category", { group: target, word: id }] : ["label", { group: target }, [position]],
    });
    if (group !== null) await answer("yes", group);
  }

  const handlers = { answer, answerOther, takeBack };

  function draw() {
    const [question] = queue.questions;
    fill(
      element,
      el("div", { class: "between" }, el("h2", {}, "Questions"), kinds()),
      lead(queue.answered.length, handlers),
      el("div", { class: "asking" }, question ? card(question, handlers) : nothing(), confidenceList(queue.first)),
    );
    if (question) announce(question.text);
  }

  function kinds() {
    const choose = (event) => {
      queue.kinds = event.target.value;
      actions.attempt(refresh);
    };
    return el(
      "select",
      { "aria-label": "Kinds of questions", "data-keep": "kinds", onchange: choose },
      Object.entries(KINDS).map(([value, text]) =>
        el("option", { value, selected: value === queue.kinds }, text),
      ),
    );
  }

  follow(["statements"], () => {
    const undone = new Set(state.statements.filter(({ status }) => status === "undone").map(({ id }) => id));
    const left = queue.answered.filter(({ id }) => !undone.has(id));
    if (left.length === queue.answered.length) return;
    queue.answered = left;
    if (state.route.view === "ask") draw();
  });
  addEventListener("keydown", (event) => {
    const isElsewhere =
      state.route.view !== "ask" || document.querySelector("dialog[open]") || event.defaultPrevented;
    if (isElsewhere || event.target.closest("input, textarea, select, dialog")) return;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const act = keyed(keyOf(event), queue.questions[0], handlers);
    if (!act) return;
    event.preventDefault();
    act();
  });
  return { element, show };
}

/** The action of a key on this view; other keys belong to the page. */
function keyed(key, question, { answer, answerOther, takeBack }) {
  if (key === "u") return takeBack;
  if (!question) return null;
  if (key === "s") return () => answer("skip");
  if (question.kind === "pair") return { y: () => answer("yes"), n: () => answer("no") }[key];
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
      ? `${count(answered, "answer")} so far. `
      : "The questions whose answers help most. Each answer is recorded as a statement.",
    answered
      ? [
          button("Undo the last", takeBack, { class: "small", key: "u", "data-keep": "back" }),
          " ",
          button("Cluster again", () => actions.cluster(), { class: "small", key: "Space" }),
        ]
      : null,
  );
}
