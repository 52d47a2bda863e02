// Search in texts, ids and words; results open below the field.

import { api } from "../api.js";
import { attempt } from "../actions.js";
import { button, byId, el, fill } from "../dom.js";
import { count } from "../format.js";
import { state } from "../store.js";
import { openWordForm } from "../wordform.js";
import { documentRow, heading } from "./components.js";

const WAIT_MS = 180;
let timer;
let turn = 0;

export function startSearch() {
  const results = el("div", { class: "results", hidden: true });
  const close = () => (results.hidden = true);
  const field = el("input", {
    type: "search",
    placeholder: "Search  /",
    "aria-label": "Search texts and words",
    maxlength: 200,
    oninput: () => {
      clearTimeout(timer);
      timer = setTimeout(() => look(field.value.trim(), results), WAIT_MS);
    },
    onfocus: () => (results.hidden = !results.childElementCount),
    onkeydown: (event) => onKey(event, field, results),
  });
  byId("search").append(field, results);
  results.addEventListener("click", (event) => event.target.closest("button") && (close(), (field.value = "")));
  byId("search").addEventListener(
    "keydown",
    (event) => event.key === "Escape" && (close(), event.stopPropagation()),
  );
  addEventListener("pointerdown", (event) => byId("search").contains(event.target) || close());
}

function onKey(event, field, results) {
  if (event.key === "Escape") field.blur();
  if (event.key !== "ArrowDown" && event.key !== "Enter") return;
  event.preventDefault();
  results.querySelector("button")?.focus();
}

async function look(text, results) {
  const mine = ++turn;
  if (!text || state.run === null) return void (results.hidden = true);
  const answer = await attempt(() => api.search(state.run, text, 30));
  if (mine !== turn || !answer) return;
  const { documents, words } = answer;
  results.hidden = false;
  fill(
    results,
    words.length
      ? [
          heading("Words"),
          el(
            "ul",
            { class: "words" },
            words.slice(0, 12).map((word) =>
              el(
                "li",
                {},
                button(word, () => openWordForm(word), { class: "word" }),
              ),
            ),
          ),
        ]
      : null,
    heading(documents.total ? count(documents.total, "document") : "No document contains this"),
    el(
      "ol",
      { class: "rows" },
      documents.documents.map((row) => documentRow(row)),
    ),
  );
}
