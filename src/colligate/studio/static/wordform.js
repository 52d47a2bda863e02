// A form for a statement about a word: the group that it is about, or a link to another word.

import { button, el } from "./dom.js";
import { showDialog } from "./dialogs.js";
import { record, targetGroup } from "./actions.js";
import { previewLine } from "./preview.js";
import { state } from "./store.js";

const KINDS = [
  ["category", "is about the group (seed word)"],
  ["together", "belongs together with the word"],
  ["apart", "belongs apart from the word"],
];
const NEW = "new";

/** Ask for a statement about a word, and record it. */
export async function openWordForm(word) {
  const statement = await showDialog(`The word “${word}” …`, (close) => form(word, close));
  if (statement) await record(statement.kind, statement.body);
}

function form(word, close) {
  const line = previewLine();
  const present = targetGroup();
  const kind = el(
    "select",
    { "aria-label": "Statement about the word", onchange: () => update() },
    KINDS.map(([value, label]) => el("option", { value }, label)),
  );
  const group = el(
    "select",
    { "aria-label": "Group", autofocus: true, onchange: () => update() },
    present === null ? el("option", { value: "" }, "Choose a group …") : null,
    state.groups.map(({ group: number, name }) =>
      el("option", { value: number, selected: number === present }, name),
    ),
    el("option", { value: NEW }, "A new group …"),
  );
  const field = el("input", { type: "text", maxlength: 200, oninput: () => preview() });

  /** The statement of the form; null while something is missing. */
  function statement() {
    const text = field.value.trim();
    if (kind.value !== "category")
      return text ? { kind: kind.value, body: { type: state.project.terms, items: [word, text] } } : null;
    if (group.value === "") return null;
    if (group.value !== NEW) return { kind: "category", body: { group: Number(group.value), word } };
    return text ? { kind: "category", body: { new: text, word } } : null;
  }

  function preview() {
    const { body } = (kind.value === "category" && statement()) || {};
    line.show("category", body ?? null);
  }

  function update() {
    const isCategory = kind.value === "category";
    group.hidden = !isCategory;
    field.hidden = isCategory && group.value !== NEW;
    field.setAttribute("aria-label", isCategory ? "Name of the new group" : "Other word");
    field.placeholder = isCategory ? "Name of the new group" : "Other word";
    preview();
  }

  const done = (event) => {
    event.preventDefault();
    const made = statement();
    if (made) close(made);
    else (field.hidden ? group : field).focus();
  };
  update();
  return el(
    "form",
    { onsubmit: done, class: "stacked" },
    kind,
    group,
    field,
    line.element,
    el(
      "p",
      { class: "actions" },
      button("Cancel", () => close(null)),
      el("button", { class: "main" }, "Apply"),
    ),
  );
}
