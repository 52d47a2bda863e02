// A form for a statement about a word: its category, or a link to another word.

import { button, el } from "./dom.js";
import { showDialog } from "./dialogs.js";
import { record } from "./actions.js";
import { state } from "./store.js";

const KINDS = [
  ["category", "is about the category (seed word)"],
  ["together", "belongs together with the word"],
  ["apart", "belongs apart from the word"],
];

/** Ask for a statement about a word, and record it. */
export async function openWordForm(word) {
  const statement = await showDialog(`The word “${word}” …`, (close) => form(close));
  if (!statement) return;
  const { kind, value } = statement;
  if (kind === "category") await record(kind, { name: value, word });
  else await record(kind, { type: state.project.terms, items: [word, value] });
}

function form(close) {
  const kind = el(
    "select",
    { "aria-label": "Statement about the word" },
    KINDS.map(([value, label]) => el("option", { value }, label)),
  );
  const field = el("input", {
    type: "text",
    "aria-label": "Category or word",
    list: "known",
    maxlength: 200,
    autofocus: true,
  });
  const done = (event) => {
    event.preventDefault();
    close(field.value.trim() ? { kind: kind.value, value: field.value.trim() } : null);
  };
  return el(
    "form",
    { onsubmit: done, class: "stacked" },
    kind,
    field,
    el(
      "datalist",
      { id: "known" },
      categories().map((value) => el("option", { value })),
    ),
    el(
      "p",
      { class: "actions" },
      button("Cancel", () => close(null)),
      el("button", { class: "main" }, "Apply"),
    ),
  );
}

function categories() {
  const stated = state.statements.filter(({ kind }) => kind === "category").map(({ body }) => body.name);
  return [...new Set([...stated, ...state.groups.map(({ name }) => name)])];
}
