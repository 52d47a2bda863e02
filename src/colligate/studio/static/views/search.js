// Search: the hits are a list beside the map, which stays while documents open, and marks on the map.

import { api } from "../api.js";
import * as actions from "../actions.js";
import { button, byId, el, fill } from "../dom.js";
import { count } from "../format.js";
import { change, follow, state } from "../store.js";
import { openWordForm } from "../wordform.js";
import { heading } from "./components.js";
import { documentList } from "./documentlist.js";

const WAIT_MS = 180;
const HELP = 'All words must occur. “several words”, -without, group:name, column:value';
let timer;
let turn = 0;

export function startSearch() {
  const field = el("input", {
    type: "search",
    placeholder: "Search  /",
    "aria-label": "Search texts and words",
    "aria-describedby": "search-help",
    title: HELP,
    maxlength: 200,
    oninput: () => {
      clearTimeout(timer);
      timer = setTimeout(() => look(field.value.trim()), WAIT_MS);
    },
    onkeydown: (event) => onKey(event, field),
  });
  byId("search").append(field, el("span", { class: "unseen", id: "search-help" }, HELP));
  const close = () => {
    field.value = "";
    look("");
  };
  byId("hits").append(hitsPanel(field, close));
  byId("hits").addEventListener("keydown", (event) => moveInHits(event, field, close));
  // the groups of a filter may have changed
  follow(["run", "groups"], () => state.hits?.q.includes("group:") && look(state.hits.q));
}

function onKey(event, field) {
  if (event.key === "Escape") field.blur();
  if (event.key !== "ArrowDown" && event.key !== "Enter") return;
  event.preventDefault();
  byId("hits").querySelector(".row button")?.focus();
}

/** Arrows step through the hits; Escape goes back to the field, and from there the hits are closed. */
function moveInHits(event, field, close) {
  if (event.key === "Escape") {
    event.stopPropagation();
    close();
    field.focus();
  }
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const rows = [...byId("hits").querySelectorAll(".row button")];
  const place = rows.indexOf(document.activeElement);
  if (!step || place < 0) return;
  event.preventDefault();
  (rows[place + step] ?? (step < 0 ? field : rows[place])).focus();
}

async function look(q) {
  const mine = ++turn;
  if (!q || state.run === null) return void change({ hits: null });
  const answer = await actions.attempt(() => api.search(state.run, q));
  if (mine === turn && answer) change({ hits: { q, ...answer } });
}

function hitsPanel(field, close) {
  const top = el("div");
  const list = documentList({
    label: "Hits",
    parts: ["hits"],
    scopeOf: () =>
      state.hits && {
        kind: "hits",
        key: `hits ${state.hits.q}`,
        request: { q: state.hits.q },
        order: "given",
        given: "best match first",
        showsGroup: true,
        title: () => "",
      },
  });
  follow(["hits"], () => {
    byId("hits").hidden = state.hits === null;
    fill(top, state.hits ? summary(state.hits, close) : null);
  });
  return el("div", { class: "results" }, top, list);
}

function summary({ positions, words, notes }, close) {
  return [
    el(
      "header",
      { class: "between", "data-keep": "head" },
      el("h2", {}, positions.length ? count(positions.length, "hit") : "No document matches"),
      button("×", close, { class: "plain", "aria-label": "Close the search", title: "Close the search" }),
    ),
    notes.map((note) => el("p", { class: "quiet" }, note)),
    positions.length
      ? el(
          "p",
          { class: "actions" },
          button("Select all hits", () => actions.select(positions), { class: "small", "data-keep": "select" }),
        )
      : null,
    words.length ? [heading("Words"), wordList(words)] : null,
  ];
}

const wordList = (words) =>
  el(
    "ul",
    { class: "words" },
    words.slice(0, 8).map((word) => el("li", {}, button(word, () => openWordForm(word), { class: "word" }))),
  );
