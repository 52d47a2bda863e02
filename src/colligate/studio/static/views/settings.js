// Options of a run that does not simply continue.

import { attempt, cluster } from "../actions.js";
import { button, el, fill } from "../dom.js";
import { showDialog } from "../dialogs.js";
import { refreshMethods } from "../model.js";
import { runOf, state } from "../store.js";

export function settings() {
  return button("…", ask, {
    class: "main more",
    "aria-label": "Run options",
    title: "Run options",
  });
}

async function ask() {
  await attempt(refreshMethods);
  const request = await showDialog("Run options", form);
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
  const hint = el("p", { class: "quiet" });
  const knowledge = el("input", { type: "checkbox", checked: true, onchange: () => list(method.value) });
  const list = (chosen) => {
    const names = knowledge.checked ? project.methods : project.methods_without_knowledge;
    fill(
      method,
      names.map((name) => el("option", { value: name, selected: name === chosen }, name)),
    );
    hint.textContent = knowledge.checked
      ? "Only methods that accept all your corrections are listed."
      : "All methods that accept these documents are listed.";
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
        usesKnowledge: knowledge.checked,
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
    project.suggestion.split("\n").map((line) => el("p", { class: "quiet" }, line)),
    el("label", { class: "check" }, knowledge, "Use my corrections"),
    el("label", { class: "check" }, uneven, "Groups may differ much in size"),
    el("label", { class: "check" }, fresh, "Fresh start: find the groups anew; documents may move everywhere"),
    hint,
    el(
      "p",
      { class: "actions" },
      button("Cancel", () => close(null)),
      el("button", { class: "main" }, "Cluster"),
    ),
  );
}

/** The method, the number of groups and the evenness of sizes of the displayed run. */
function presentRun() {
  const run = runOf(state.run);
  return run
    ? { method: run.method, number: state.groups.length, isUneven: Boolean(run.parameters.uneven_sizes) }
    : { method: state.project.method, number: state.project.n_clusters, isUneven: false };
}

function requestOf({ method, number, usesKnowledge, isFresh, isUneven }) {
  const present = presentRun();
  const request = { knowledge: usesKnowledge ? "on" : "off" };
  if (method && method !== present.method) request.method = method;
  if (number !== present.number) request.n_clusters = number;
  if (isUneven !== null && isUneven !== present.isUneven) request.uneven_sizes = isUneven;
  if (isFresh) request.fresh = true;
  return request;
}
