// The knowledge file as a text: line numbers, and what is wrong at its line.

import { api } from "../api.js";
import { button, el, fill } from "../dom.js";
import { notice } from "../notices.js";

const LINE = /(?:\bline |knowledge\.yaml:)(\d+)/;

export function editor() {
  let read = { text: "", seq: 0 };
  const numbers = el("div", { class: "numbers", "aria-hidden": "true" });
  const field = el("textarea", {
    disabled: true, // until the text is there
    spellcheck: "false",
    "aria-label": "The knowledge file",
    "aria-describedby": "problems",
    rows: 18,
    wrap: "off",
    oninput: () => (number([]), mark()),
    onscroll: () => (numbers.scrollTop = field.scrollTop),
  });
  const problems = el("ul", { class: "problems", id: "problems" });
  const save = button("Save", put, { class: "main" });
  const back = button("Discard changes", () => refresh(true));
  const element = el(
    "section",
    { class: "editor", "aria-label": "Edit as text" },
    el("h3", {}, "Edit as text"),
    el("p", { class: "quiet" }, "Saving replaces all statements by this text. It can be undone."),
    el("div", { class: "lined" }, numbers, field),
    problems,
    el("p", { class: "actions" }, back, save),
  );

  const isEdited = () => field.value !== read.text;

  function mark() {
    save.disabled = back.disabled = !isEdited();
  }

  function number(wrong) {
    const lines = field.value.split("\n").length;
    fill(
      numbers,
      Array.from({ length: lines }, (_, k) =>
        el("span", { class: wrong.includes(k + 1) ? "wrong" : null }, String(k + 1)),
      ),
    );
  }

  /** Read the text again, unless it is being edited. */
  async function refresh(isForced = false) {
    const latest = await api.knowledge();
    if (isForced || !isEdited()) take(latest);
    return latest;
  }

  function take(latest) {
    read = latest;
    field.disabled = false;
    field.value = latest.text;
    fill(problems);
    number([]);
    mark();
  }

  async function put() {
    try {
      take(await api.putKnowledge(field.value, read.seq));
      notice("The knowledge file is saved.");
    } catch (error) {
      show(error);
    }
  }

  function show(error) {
    const messages = error.message
      .split("\n")
      .map((text) => text.trim())
      .filter(Boolean);
    const wrong = messages.map((text) => Number(text.match(LINE)?.[1] ?? 0));
    fill(
      problems,
      messages.map((text, k) =>
        el(
          "li",
          {},
          wrong[k] ? button(`Line ${wrong[k]}`, () => goTo(wrong[k]), { class: "small" }) : null,
          text,
        ),
      ),
    );
    number(wrong);
    if (wrong.some(Boolean)) goTo(wrong.find(Boolean));
  }

  function goTo(line) {
    const before =
      field.value
        .split("\n")
        .slice(0, line - 1)
        .join("\n").length + (line > 1 ? 1 : 0);
    const end = field.value.indexOf("\n", before);
    field.focus();
    field.setSelectionRange(before, end < 0 ? field.value.length : end);
    field.scrollTop = Math.max(0, (line - 6) * (field.scrollHeight / field.value.split("\n").length));
  }

  return { element, refresh };
}
