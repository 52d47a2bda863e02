// Export: the displayed run as files for other programs.

import { attempt } from "../actions.js";
import { showDialog } from "../dialogs.js";
import { button, el } from "../dom.js";
import { change, state } from "../store.js";

const FILES = [
  {
    title: "Documents and groups",
    about: "All columns of the input, the text, and whether you said where it belongs. Excel also has a sheet of the groups and one of the knowledge.",
    links: [
      ["Excel", "xlsx"],
      ["CSV", "csv"],
      ["Parquet", "parquet"],
    ],
  },
  {
    title: "Map",
    about: "The page works without the studio. It contains the texts.",
    links: [
      ["Interactive page", "map-html"],
      ["SVG", "map-svg"],
      ["PNG", "map-png"],
    ],
  },
  {
    title: "Annotation tools",
    about: "Tasks with the groups as suggestions. Read the answers with colligate import-labels.",
    links: [
      ["Label Studio", "label-studio"],
      ["Argilla", "argilla"],
    ],
  },
  {
    title: "Session",
    about: "A notebook that makes these groups again, with the knowledge file, the start and the command.",
    links: [["Notebook", "session"]],
  },
];
const PNG_WIDTH = 2000;

export function exportButton() {
  const open = () => (change({ hasExported: true }), showDialog(`Export run ${state.run}`, form));
  return button("Export", open, { "data-keep": "export" });
}

function form(close) {
  return el(
    "div",
    { class: "exports" },
    FILES.map(({ title, about, links }) =>
      el(
        "section",
        {},
        el("h3", {}, title),
        el("p", { class: "quiet" }, about),
        el("p", { class: "actions" }, links.map(download)),
      ),
    ),
    el(
      "p",
      { class: "actions" },
      button("Close", () => close(null)),
    ),
  );
}

const addressOf = (format) => `/api/runs/${state.run}/export?format=${format}`;

function download([label, format]) {
  if (format === "map-png") return button(label, () => attempt(savePng));
  return el("a", { class: "button", href: addressOf(format), download: "" }, label);
}

/** The SVG of the server, drawn by the browser with its fonts. */
async function savePng() {
  const answer = await fetch(addressOf("map-svg"));
  if (!answer.ok) throw new Error("the map could not be drawn; try again");
  const picture = new Image();
  const address = URL.createObjectURL(new Blob([await answer.blob()], { type: "image/svg+xml" }));
  try {
    picture.src = address;
    await picture.decode();
    const canvas = el("canvas", {
      width: PNG_WIDTH,
      height: Math.round((PNG_WIDTH * picture.height) / picture.width),
    });
    canvas.getContext("2d").drawImage(picture, 0, 0, canvas.width, canvas.height);
    save(await new Promise((resolve) => canvas.toBlob(resolve, "image/png")), `${state.project.name}-run-${state.run}-map.png`);
  } finally {
    URL.revokeObjectURL(address);
  }
}

function save(blob, name) {
  const address = URL.createObjectURL(blob);
  el("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
