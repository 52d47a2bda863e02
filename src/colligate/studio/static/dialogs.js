// Dialogs that ask for one thing.

import { button, el, fill } from "./dom.js";
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
  });
}

/** Ask for a line of text, with proposals if there are any. */
export function askText(title, { value = "", label = title, proposals = [] } = {}) {
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
      el(
        "p",
        { class: "actions" },
        button("Cancel", () => close(null)),
        el("button", { class: "main" }, "Apply"),
      ),
    );
  });
}

/** Ask for a group: type a part of its name or its number; arrows and Enter choose. */
export function chooseGroup(title, without = []) {
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
    let [matches, index] = [groups, 0];

    function show(next) {
      matches = groups.filter((group) => fits(group, field.value.trim().toLowerCase()));
      index = Math.max(0, Math.min(next, matches.length - 1));
      fill(
        list,
        matches.map((group, k) => optionOf(group, k === index, () => close(group.group))),
      );
      list.children[index]?.scrollIntoView({ block: "nearest" });
      field.setAttribute("aria-activedescendant", matches.length ? `choice-${matches[index].group}` : "");
    }

    function onKey(event) {
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (step) show(index + step);
      else if (event.key === "Enter") matches.length && close(matches[index].group);
      else return;
      event.preventDefault();
    }

    show(0);
    return el("div", {}, field, list);
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
