// What a run may be asked to be, other than going on as before.

import { cluster } from "../acts.js";
import { button, el } from "../dom.js";
import { shown } from "../dialogs.js";
import { state } from "../store.js";

export function settings() {
  return button("…", ask, {
    class: "main more",
    "aria-label": "Cluster in another way",
    title: "Cluster in another way",
  });
}

async function ask() {
  const request = await shown("Cluster in another way", form);
  if (request) await cluster(request);
}

function form(close) {
  const { project } = state;
  const method = el(
    "select",
    { autofocus: true },
    project.methods.map((name) => el("option", { value: name, selected: name === project.method }, name)),
  );
  const number = el("input", { type: "number", min: 1, max: 1000, value: project.n_clusters });
  const knowledge = el("input", { type: "checkbox", checked: true });
  const fresh = el("input", { type: "checkbox" });
  const done = (event) => {
    event.preventDefault();
    close(requestOf(method.value, Number(number.value), knowledge.checked, fresh.checked));
  };
  return el(
    "form",
    { onsubmit: done, class: "stacked" },
    el("label", {}, "Method", method),
    el("label", {}, "Number of groups", number),
    el("label", { class: "check" }, knowledge, "with what was said"),
    el("label", { class: "check" }, fresh, "from a fresh start, not from the present groups"),
    el("p", { class: "quiet" }, "Listed are the methods that take everything said so far."),
    el(
      "p",
      { class: "acts" },
      button("Cancel", () => close(null)),
      el("button", { class: "main" }, "Cluster"),
    ),
  );
}

function requestOf(method, number, isTold, isFresh) {
  const request = { knowledge: isTold ? "on" : "off" };
  if (method && method !== state.project.method) request.method = method;
  if (number && number !== state.project.n_clusters) request.n_clusters = number;
  if (isFresh) request.fresh = true;
  return request;
}
