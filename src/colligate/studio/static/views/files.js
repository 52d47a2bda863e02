// The files of a run: its report, and the files from which the command line makes the same groups.

import { el } from "../dom.js";

/** Links to the files a run has. */
export function runFiles({ number, knowledge, started }) {
  return [
    el("a", { href: `/api/runs/${number}/report`, target: "_blank" }, `Report of run ${number}`),
    knowledge ? download(number, "knowledge.yaml") : null,
    started ? download(number, "start.json") : null,
  ];
}

/** The command that makes the groups of a run; lines break between its options, not inside them. */
export function runCommand({ command }) {
  const [first, ...options] = command.split(/ (?=--)/);
  return el("code", { class: "command" }, first, options.map((option) => [" ", el("span", {}, option)]));
}

function download(number, name) {
  return el("a", { href: `/api/runs/${number}/${name}`, download: name }, `${name} of run ${number}`);
}
