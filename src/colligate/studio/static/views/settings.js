// What a run may be asked to be, other than going on as before.

import { cluster } from "../acts.js";
import { button, el, fill } from "../dom.js";
import { shown } from "../dialogs.js";
import { runOf, state } from "../store.js";

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
  const { method: present, number: groups, isUneven } = presentRun();
  const method = el("select", { autofocus: true, onchange: () => allow() });
  const number = el("input", {
    type: "number",
    min: 1,
    max: project.counts[project.centre],
    required: true,
    value: groups,
  });
  const told = el("p", { class: "quiet" });
  const knowledge = el("input", { type: "checkbox", checked: true, onchange: () => list(method.value) });
  const list = (chosen) => {
    const names = knowledge.checked ? project.methods : project.untold_methods;
    fill(
      method,
      names.map((name) => el("option", { value: name, selected: name === chosen }, name)),
    );
    told.textContent = knowledge.checked
      ? "Listed are the methods that take everything said so far."
      : "Listed are all methods that take these documents.";
    allow();
  };
  const uneven = el("input", { type: "checkbox", checked: isUneven });
  const allow = () => {
    uneven.disabled = !project.uneven_methods.includes(method.value);
  };
  list(present);
  const fresh = el("input", { type: "checkbox" });
  const done = (event) => {
    event.preventDefault();
    close(
      requestOf({
        method: method.value,
        number: Number(number.value),
        isTold: knowledge.checked,
        isFresh: fresh.checked,
        isUneven: uneven.disabled ? null : uneven.checked,
      }),
    );
  };
  return el(
    "form",
    { onsubmit: done, class: "stacked" },
    el("label", {}, "Method", method),
    el("label", {}, "Number of groups", number),
    el("label", { class: "check" }, knowledge, "with what was said"),
    el("label", { class: "check" }, uneven, "subjects of very different sizes"),
    el("label", { class: "check" }, fresh, "from a fresh start, not from the present groups"),
    told,
    el(
      "p",
      { class: "acts" },
      button("Cancel", () => close(null)),
      el("button", { class: "main" }, "Cluster"),
    ),
  );
}

/** The method and the number of groups of the run that is seen, and whether its subjects are uneven. */
function presentRun() {
  const run = runOf(state.run);
  return run
    ? { method: run.method, number: state.groups.length, isUneven: Boolean(run.parameters.uneven_sizes) }
    : { method: state.project.method, number: state.project.n_clusters, isUneven: false };
}

function requestOf({ method, number, isTold, isFresh, isUneven }) {
  const present = presentRun();
  const request = { knowledge: isTold ? "on" : "off" };
  if (method && method !== present.method) request.method = method;
  if (number !== present.number) request.n_clusters = number;
  if (isUneven !== null && isUneven !== present.isUneven) request.uneven_sizes = isUneven;
  if (isFresh) request.fresh = true;
  return request;
}
