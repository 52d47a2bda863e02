// What can be said of a word: which category it is about, and which words it goes with or not.

import { button, el } from "./dom.js";
import { shown } from "./dialogs.js";
import { tell } from "./acts.js";
import { state } from "./store.js";

const KINDS = [
  ["category", "is about the category"],
  ["together", "means the same kind of thing as"],
  ["apart", "means another kind of thing than"],
];

/** Ask what is to be said of a word, and say it. */
export async function sayOfWord(word) {
  const said = await shown(`The word “${word}” …`, (close) => form(close));
  if (!said) return;
  if (said.kind === "category") await tell("category", { name: said.value, word });
  else await tell(said.kind, { type: state.project.terms, items: [word, said.value] });
}

function form(close) {
  const kind = el(
    "select",
    { "aria-label": "What is said of it" },
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
      { class: "acts" },
      button("Cancel", () => close(null)),
      el("button", { class: "main" }, "Say it"),
    ),
  );
}

function categories() {
  const said = state.statements.filter(({ kind }) => kind === "category").map(({ body }) => body.name);
  return [...new Set([...said, ...state.groups.map(({ name }) => name)])];
}
