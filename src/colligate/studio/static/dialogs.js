// Dialogs that ask for one thing.

import { button, el, fill } from "./dom.js";
import { count } from "./format.js";
import { previewLine } from "./preview.js";
import { numberOf, state } from "./store.js";
import { tint } from "./theme.js";

/**
 * Show a dialog with a heading; resolves to the value that `close` gets, or null. While the server is away, a value
 * is not taken: the dialog stays open with all that was typed.
 */
export function showDialog(title, body) {
  return new Promise((resolve) => {
    const dialog = el("dialog", { "aria-labelledby": "dialog-title" });
    const problem = el("p", { class: "problem", role: "alert" });
    const finish = (value) => (dialog.remove(), resolve(value ?? null));
    const close = (value) => {
      if ((value ?? null) === null || state.server === "there") return dialog.close(), finish(value);
      problem.textContent = "The studio does not answer. Start it again in its terminal, then try again here.";
    };
    dialog.append(el("h2", { id: "dialog-title" }, title), body(close), problem);
    dialog.addEventListener("close", () => finish(null));
    dialog.addEventListener("click", (event) => event.target === dialog && close(null));
    document.body.append(dialog);
    dialog.showModal();
    dialog.scrollTop = 0; // the focus may be at the end of a long dialog
  });
}

/** Ask for a line of text, with proposals if there are any, and a hint. */
export function askText(title, { value = "", label = title, proposals = [], hint = "" } = {}) {
  return showDialog(title, (close) => {
    const field = el("input", {
      type: "text",
      value,
      "aria-label": label,
      list: "proposals",
      maxlength: 200,
      autofocus: true,
    });
    const done = (event) => (event.preventDefault(), close(field.value.trim() || null));
    queueMicrotask(() => field.select());
    return el(
      "form",
      { onsubmit: done },
      field,
      el(
        "datalist",
        { id: "proposals" },
        proposals.map((value) => el("option", { value })),
      ),
      hint ? el("p", { class: "quiet preview" }, hint) : null,
      el(
        "p",
        { class: "actions" },
        button("Cancel", () => close(null)),
        el("button", { class: "main" }, "Apply"),
      ),
    );
  });
}

/** Ask whether to cluster from a fresh start; say what that does, also to documents like those of no group. */
export function confirmFresh() {
  const ofNoGroup = state.statements.filter(
    ({ kind, status, overruled }) => kind === "outside" && status === "live" && !overruled,
  );
  const documents = [...new Set(ofNoGroup.flatMap(({ body }) => body.documents ?? [body.document]))];
  const marked = `You marked ${count(documents.length, "document")} as no group. `;
  const line = previewLine(({ warning }) => (warning ? el("p", { class: "warning" }, marked, warning) : null));
  if (documents.length) line.show("outside", { documents });
  return showDialog("Cluster from a fresh start?", (close) =>
    el(
      "div",
      {},
      el("p", {}, "The groups are found anew, not from the present ones. Documents may move everywhere."),
      el("p", { class: "preview" }, "Your statements stay and are used. The present run stays in the list of runs."),
      line.element,
      el(
        "p",
        { class: "actions" },
        button("Cancel", () => close(null)),
        button("Fresh start", () => close(true), { class: "main", autofocus: true }),
      ),
    ),
  );
}

/**
 * Ask for a group: type a part of its name or its number; arrows and Enter choose. `marked` is the group that is marked
 * at first, or a promise of it; none if it is null. `preview` shows what choosing the marked group would do.
 */
export function chooseGroup(title, { without = [], marked = null, hint = "", preview = null } = {}) {
  const line = preview === null ? null : previewLine();
  return showDialog(title, (close) => {
    const groups = state.groups.filter(({ group }) => !without.includes(group));
    const list = el("div", { class: "choices", role: "listbox", id: "choices", "aria-label": "Groups" });
    const field = el("input", {
      type: "text",
      role: "combobox",
      "aria-expanded": "true",
      "aria-controls": "choices",
      "aria-label": title,
      placeholder: "Type a name or a number",
      autocomplete: "off",
      autofocus: true,
      oninput: () => show(0),
      onkeydown: (event) => onKey(event),
    });
    let [matches, index] = [groups, -1];

    function show(next) {
      matches = groups.filter((group) => fits(group, field.value.trim().toLowerCase()));
      index = Math.min(next, matches.length - 1);
      fill(
        list,
        matches.map((group, k) => optionOf(group, k === index, () => close(group.group))),
      );
      list.children[index]?.scrollIntoView({ block: "nearest" });
      const now = matches[index];
      field.setAttribute("aria-activedescendant", now ? `choice-${now.group}` : "");
      if (line) line.show(...(now ? preview(now.group) : [null, null]));
    }

    function onKey(event) {
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (step) show(Math.max(0, index + step));
      else if (event.key === "Enter") matches[index] && close(matches[index].group);
      else return;
      event.preventDefault();
    }

    show(-1);
    Promise.resolve(marked).then((group) => {
      if (index < 0 && !field.value) show(groups.findIndex((each) => each.group === group));
    });
    return el("div", {}, hint ? el("p", { class: "hint" }, hint) : null, field, list, line?.element ?? null);
  });
}

function fits({ name, group, words }, text) {
  return (
    !text ||
    name.toLowerCase().includes(text) ||
    numberOf(group) === text ||
    words.some(({ word }) => word === text)
  );
}

function optionOf({ group, name, words }, isChosen, onclick) {
  return el(
    "div",
    {
      role: "option",
      id: `choice-${group}`,
      "aria-selected": String(isChosen),
      onclick,
      style: { "--c": tint(group) },
    },
    el("span", { class: "swatch" }),
    el("span", { class: "no" }, numberOf(group)),
    el("span", { class: "name" }, name),
    el(
      "small",
      {},
      words
        .slice(0, 4)
        .map(({ word }) => word)
        .join(" "),
    ),
  );
}

/** Ask how many parts a group is split into; the parts of the preview are listed with their sizes. */
export function askParts(title, group, size) {
  return showDialog(title, (close) => {
    const line = previewLine(({ moves }) => partList(moves, size));
    const field = el("input", {
      type: "number",
      min: 2,
      max: 8,
      value: 2,
      required: true,
      "aria-label": "Number of parts",
      autofocus: true,
      oninput: () => show(),
    });
    const parts = () => (field.checkValidity() ? Number(field.value) : null);
    const show = () => line.show("split", parts() === null ? null : { group, into: parts() });
    const done = (event) => (event.preventDefault(), close(parts()));
    show();
    return el(
      "form",
      { onsubmit: done, class: "stacked" },
      el("label", {}, "Number of parts", field),
      line.element,
      el(
        "p",
        { class: "actions" },
        button("Cancel", () => close(null)),
        el("button", { class: "main" }, "Split"),
      ),
    );
  });
}

/** The parts of a split: the first keeps the number and the name of the group. */
function partList(moves, size) {
  const moved = moves.reduce((sum, { documents }) => sum + documents.length, 0);
  const line = (text, number) => el("li", {}, text, " ", el("span", { class: "size" }, count(number, "document")));
  return el(
    "ul",
    { class: "parts" },
    line("Part 1 keeps the number:", size - moved),
    moves.map(({ documents }, k) => line(`Part ${k + 2}, a new group:`, documents.length)),
  );
}
