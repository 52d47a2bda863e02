"use strict";
// The script of the map: of the page (map_start.js) and of the widget (map_widget.js). Data is text from strangers: it
// reaches the page through textContent alone.

/**
 * Show the map in a document or a shadow root that has the elements of map_body.html.
 * `onSelect` gets the rows of the selected documents whenever they change.
 */
function showMap(root, data, { onSelect = null } = {}) {
  const byId = (id) => root.getElementById(id);
  const page = byId("page");
  const { groups, scale } = data;
  const total = data.x.length;
  const X = Float32Array.from(data.x, (value) => value / scale);
  const Y = Float32Array.from(data.y, (value) => 1 - value / scale);
  const stated = new Set(data.stated);
  const LISTED = 60;
  const SNIPPET = 220;
  const REACH = 12; // how near, in pixels, the pointer must be to a document
  const CELLS = 64; // the grid that finds the nearest document
  const MAX_ZOOM = 60;
  const MAX_VALUES = 200; // a column with more values is shown, but not offered as a filter

  const shown = { terms: [], groups: new Set(groups.keys()), column: null, value: null, rows: null };
  const view = { zoom: 1, x: 0.5, y: 0.5 };
  let matches = new Uint8Array(total).fill(1);
  let order = [];
  let listed = LISTED;
  let pinned = -1;
  let hovered = -1;
  let haystacks = null;

  function el(tag, properties = {}, ...children) {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(properties)) {
      if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
      else if (name === "colour") made.style.setProperty("--c", value);
      else if (value !== null && value !== false) made.setAttribute(name, value === true ? "" : value);
    }
    made.append(...children.flat().filter((child) => child !== null));
    return made;
  }

  // ------------------------------------------------------------------ what a document is called

  const firstLine = (text) => text.trimStart().split("\n", 1)[0].slice(0, 120);
  const titleOf = (row) => data.titles[row] || firstLine(data.texts[row]) || data.ids[row];
  const groupOf = (row) => groups[data.group[row]];
  const nameOf = (group) => `${group.number} ${group.name}`;

  const darkness = matchMedia("(prefers-color-scheme: dark)");
  const isDark = () => {
    const { theme } = page.dataset;
    return theme ? theme === "dark" : darkness.matches;
  };
  const colourOf = (group) => group.colours[isDark() ? 1 : 0];

  /** The beginning of a text without its heading, or the part around the first term that occurs later in it. */
  function snippet(row) {
    const heading = titleOf(row);
    const whole = data.texts[row].trimStart();
    const text = (whole.startsWith(heading) ? whole.slice(heading.length) : whole).replace(/\s+/g, " ").trim();
    const lower = text.toLowerCase();
    const places = shown.terms.map((term) => lower.indexOf(term)).filter((place) => place >= 0);
    const first = places.length ? Math.min(...places) : 0;
    const start = first > SNIPPET - 40 ? Math.max(0, first - 60) : 0;
    const part = text.slice(start, start + SNIPPET);
    return (start ? "… " : "") + part + (start + SNIPPET < text.length ? " …" : "");
  }

  /** A text as nodes, with the searched terms marked. */
  function marked(text) {
    if (!shown.terms.length) return [text];
    const escaped = shown.terms.map((term) => term.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
    return text
      .split(new RegExp(`(${escaped.join("|")})`, "gi"))
      .map((part, k) => (k % 2 ? el("mark", {}, part) : part));
  }

  // ------------------------------------------------------------------ search and filters

  function update() {
    if (shown.terms.length && !haystacks)
      haystacks = data.texts.map((text, row) => `${data.ids[row]}\n${data.titles[row]}\n${text}`.toLowerCase());
    const codes = shown.column === null ? null : data.columns[shown.column].codes;
    for (let row = 0; row < total; row++) {
      matches[row] =
        shown.groups.has(data.group[row]) &&
        (shown.rows === null || shown.rows.has(row)) &&
        (codes === null || shown.value === null || codes[row] === shown.value) &&
        shown.terms.every((term) => haystacks[row].includes(term))
          ? 1
          : 0;
    }
    order = [];
    for (let row = 0; row < total; row++) if (matches[row]) order.push(row);
    order.sort((a, b) => data.confidence[b] - data.confidence[a] || a - b);
    listed = LISTED;
    showList();
    draw();
  }

  function showList() {
    const noun = data.noun[order.length === 1 ? 0 : 1];
    byId("count").textContent = `${order.length.toLocaleString("en-GB")} ${noun}`;
    const groupsLeft = shown.groups.size < groups.length;
    byId("clear").hidden = !(shown.terms.length || groupsLeft || shown.value !== null || shown.rows);
    byId("select").hidden = !onSelect || !order.length || order.length === (shown.rows?.size ?? total);
    byId("list").replaceChildren(...order.slice(0, listed).map((row) => el("li", {}, documentButton(row))));
    byId("more").hidden = order.length <= listed;
  }

  function documentButton(row) {
    return el(
      "button",
      {
        type: "button",
        colour: colourOf(groupOf(row)),
        "aria-current": row === pinned,
        onclick: () => (pin(row), reveal(row)),
        "data-row": row,
      },
      el("span", { class: "title" }, marked(titleOf(row))),
      el("small", {}, `${nameOf(groupOf(row))} · `, marked(snippet(row))),
    );
  }

  let waiting = 0;
  byId("search").addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => {
      shown.terms = [...new Set(byId("search").value.toLowerCase().split(/\s+/).filter(Boolean))];
      update();
    }, 120);
  });
  byId("more").addEventListener("click", () => {
    const first = listed;
    listed += LISTED;
    showList();
    byId("list").children[first]?.firstChild.focus();
  });
  byId("clear").addEventListener("click", () => {
    Object.assign(shown, { terms: [], column: null, value: null, rows: null });
    byId("search").value = "";
    if (byId("column").options.length) byId("column").value = "";
    fillValues();
    choose(true);
    report();
    byId("search").focus();
  });

  /** Select documents: the map and the list show them alone; an empty selection shows all again. */
  function select(rows) {
    shown.rows = rows.length ? new Set(rows) : null;
    update();
    report();
  }

  /** Tell which documents are selected, or else which one is pinned. */
  function report() {
    if (!onSelect) return;
    onSelect(shown.rows ? [...shown.rows].sort((a, b) => a - b) : pinned >= 0 ? [pinned] : []);
  }
  byId("select").addEventListener("click", () => select(order));

  function choose(all) {
    shown.groups = new Set(all ? groups.keys() : []);
    for (const box of byId("groups").querySelectorAll("input")) box.checked = all;
    update();
  }
  byId("all").addEventListener("click", () => choose(true));
  byId("none").addEventListener("click", () => choose(false));

  function fillGroups() {
    byId("groups").replaceChildren(...groups.map(groupRow));
  }

  function groupRow(group, k) {
    const onchange = () => (shown.groups[box.checked ? "add" : "delete"](k), update());
    const box = el("input", { type: "checkbox", onchange });
    box.checked = shown.groups.has(k);
    return el(
      "li",
      {},
      el(
        "label",
        { colour: colourOf(group), title: group.words.join(" ") },
        box,
        el("span", { class: "swatch" }),
        el("span", {}, nameOf(group)),
        el("span", { class: "size" }, group.size.toLocaleString("en-GB")),
      ),
    );
  }

  function fillColumns() {
    const usable = [...data.columns.entries()].filter(
      ([, { values }]) => values.length > 1 && values.length <= MAX_VALUES,
    );
    byId("columns").hidden = !usable.length;
    if (!usable.length) return;
    byId("column").append(
      el("option", { value: "" }, "all"),
      ...usable.map(([k, { name }]) => el("option", { value: k }, name)),
    );
    byId("column").addEventListener("change", ({ target }) => {
      shown.column = target.value === "" ? null : Number(target.value);
      shown.value = null;
      fillValues();
      update();
    });
    byId("value").addEventListener("change", ({ target }) => {
      shown.value = target.value === "" ? null : Number(target.value);
      update();
    });
    fillValues();
  }

  function fillValues() {
    const values = shown.column === null ? [] : [...data.columns[shown.column].values.entries()];
    values.sort(([, a], [, b]) => a.localeCompare(b, "en", { numeric: true }));
    byId("value").disabled = shown.column === null;
    byId("value").replaceChildren(
      el("option", { value: "" }, "all"),
      ...values.map(([k, value]) => el("option", { value: k }, value.slice(0, 80) || "(empty)")),
    );
  }

  // ------------------------------------------------------------------ the pinned document

  function pin(row) {
    pinned = row;
    const card = byId("pinned");
    card.hidden = row < 0;
    if (row >= 0) {
      card.style.setProperty("--c", colourOf(groupOf(row)));
      const values = data.columns
        .filter(({ codes }) => codes[row] >= 0)
        .map(({ name, values, codes }) => [name, values[codes[row]]]);
      const close = el("button", { type: "button", class: "close", "aria-label": "Close", onclick: unpin }, "×");
      const parts = [
        close,
        el("h2", {}, marked(titleOf(row))),
        el("p", {}, el("span", { class: "swatch" }), ` ${nameOf(groupOf(row))}, confidence ${data.confidence[row]} %`),
        stated.has(row) ? el("p", {}, "The user named this group.") : null,
        el("p", { class: "quiet" }, data.ids[row]),
        el("dl", {}, values.map(([name, value]) => [el("dt", {}, name), el("dd", {}, value)]).flat()),
        el("p", { class: "text", tabindex: "0" }, marked(data.texts[row])),
      ];
      card.replaceChildren(...parts.filter((part) => part !== null));
      card.scrollIntoView({ block: "nearest" });
    }
    for (const button of byId("list").querySelectorAll("button"))
      button.setAttribute("aria-current", Number(button.dataset.row) === row);
    report();
    draw();
  }

  function unpin() {
    const row = pinned;
    pin(-1);
    byId("list").querySelector(`[data-row="${row}"]`)?.focus();
  }

  /** Move the map so that a document is in view. */
  function reveal(row) {
    const [x, y] = toScreen(X[row], Y[row]);
    if (x < 0 || y < 0 || x > size.width || y > size.height) Object.assign(view, { x: X[row], y: Y[row] });
    draw();
  }

  // ------------------------------------------------------------------ drawing

  const canvas = byId("canvas");
  const pen = canvas.getContext("2d");
  const size = { width: 1, height: 1, ratio: 1 };
  let queued = false;
  let frame = null; // left, top, right and bottom of a rectangle that is being drawn

  /** Positions on the screen, in CSS pixels. */
  function toScreen(x, y) {
    const side = Math.min(size.width, size.height) * 0.94 * view.zoom;
    return [size.width / 2 + (x - view.x) * side, size.height / 2 + (y - view.y) * side];
  }

  function toMap(x, y) {
    const side = Math.min(size.width, size.height) * 0.94 * view.zoom;
    return [view.x + (x - size.width / 2) / side, view.y + (y - size.height / 2) / side];
  }

  const radius = () => Math.min(9, Math.max(1.3, (95 / Math.sqrt(total + 1)) * Math.sqrt(view.zoom)));

  function draw() {
    if (queued) return;
    queued = true;
    requestAnimationFrame(() => {
      queued = false;
      paint();
    });
  }

  /** The pixels of a dot around its middle: offsets, and how much of each pixel is covered, from 0 to 256. */
  function makeStamp(r) {
    const stamp = [];
    const reach = Math.ceil(r + 0.5);
    for (let dy = -reach; dy <= reach; dy++)
      for (let dx = -reach; dx <= reach; dx++) {
        const covered = Math.round(256 * Math.min(1, Math.max(0, r + 0.5 - Math.hypot(dx, dy))));
        if (covered) stamp.push([dx, dy, covered]);
      }
    return { reach, stamp };
  }

  const toPixel = (hex) => {
    const [red, green, blue] = [1, 3, 5].map((start) => parseInt(hex.slice(start, start + 2), 16));
    return ((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0;
  };

  /** Mix two colours; red and blue are mixed in one step, as they do not touch. */
  function mix(below, above, covered) {
    const rest = 256 - covered;
    const outer = ((below & 0xff00ff) * rest + (above & 0xff00ff) * covered) / 256;
    const green = ((below & 0xff00) * rest + (above & 0xff00) * covered) / 256;
    return (0xff000000 | (outer & 0xff00ff) | (green & 0xff00)) >>> 0;
  }

  /** Dots are written as pixels: thousands of calls for circles would take too long for a smooth map. */
  function paintDots() {
    const { width, height } = canvas;
    const image = pen.createImageData(width, height);
    const pixels = new Uint32Array(image.data.buffer);
    pixels.fill(toPixel(isDark() ? "#14171a" : "#fdfcfa"));
    const faint = toPixel(isDark() ? "#31373d" : "#e2dfd8");
    const colours = groups.map((group) => toPixel(colourOf(group)));
    // a few matches among thousands of dots must be easy to see
    const emphasis = order.length < total ? 1.7 : 1;
    const stamps = [makeStamp(radius() * size.ratio), makeStamp(radius() * emphasis * size.ratio)];
    const side = Math.min(size.width, size.height) * 0.94 * view.zoom * size.ratio;
    for (const [wanted, { reach, stamp }] of stamps.entries())
      for (let row = 0; row < total; row++) {
        if (matches[row] !== wanted) continue;
        const x = Math.round(width / 2 + (X[row] - view.x) * side);
        const y = Math.round(height / 2 + (Y[row] - view.y) * side);
        if (x < reach || y < reach || x >= width - reach || y >= height - reach) continue;
        const colour = wanted ? colours[data.group[row]] : faint;
        for (const [dx, dy, covered] of stamp) {
          const place = (y + dy) * width + x + dx;
          pixels[place] = covered === 256 ? colour : mix(pixels[place], colour, covered);
        }
      }
    pen.putImageData(image, 0, 0);
  }

  function paint() {
    pen.setTransform(1, 0, 0, 1, 0, 0);
    paintDots();
    pen.setTransform(size.ratio, 0, 0, size.ratio, 0, 0);
    for (const [row, width] of [[hovered, 2], [pinned, 3]]) if (row >= 0) ring(row, radius() + 3, width);
    paintNames();
    if (frame) paintFrame();
  }

  /** The rectangle that is being drawn around documents. */
  function paintFrame() {
    const [left, top, right, bottom] = frame;
    pen.lineWidth = 1.5;
    pen.strokeStyle = isDark() ? "#8cc1ee" : "#1f5a8c";
    pen.fillStyle = isDark() ? "#8cc1ee22" : "#1f5a8c22";
    pen.fillRect(left, top, right - left, bottom - top);
    pen.strokeRect(left, top, right - left, bottom - top);
  }

  function ring(row, r, width) {
    pen.lineWidth = width;
    pen.strokeStyle = isDark() ? "#ffffff" : "#1d2126";
    pen.beginPath();
    pen.arc(...toScreen(X[row], Y[row]), r, 0, 7);
    pen.stroke();
  }

  /** Names of the shown groups, the largest first; a name that would cover another is left out. */
  function paintNames() {
    const taken = [];
    pen.font = "600 13px system-ui, sans-serif";
    pen.textAlign = "center";
    pen.textBaseline = "middle";
    pen.lineJoin = "round";
    const largest = [...groups.entries()].filter(([k, { size }]) => size && shown.groups.has(k));
    largest.sort(([, a], [, b]) => b.size - a.size);
    for (const [, group] of largest) {
      const [x, y] = toScreen(group.x, 1 - group.y);
      if (x < 0 || y < 0 || x > size.width || y > size.height) continue;
      const name = group.name.length > 40 ? `${group.name.slice(0, 39)}…` : group.name;
      const text = `${group.number} ${name}`;
      const half = pen.measureText(text).width / 2 + 4;
      const middle = Math.min(Math.max(x, half), Math.max(half, size.width - half));
      const line = Math.min(Math.max(y, 12), size.height - 12);
      const box = [middle - half, line - 9, middle + half, line + 9];
      if (taken.some((other) => box[0] < other[2] && other[0] < box[2] && box[1] < other[3] && other[1] < box[3]))
        continue;
      taken.push(box);
      pen.lineWidth = 4;
      pen.strokeStyle = isDark() ? "#14171ae0" : "#fdfcfae0";
      pen.strokeText(text, middle, line);
      pen.fillStyle = isDark() ? "#e9e7e2" : "#1d2126";
      pen.fillText(text, middle, line);
    }
  }

  const resized = new ResizeObserver(() => {
    const { width, height } = canvas.getBoundingClientRect();
    Object.assign(size, { width: Math.max(width, 1), height: Math.max(height, 1), ratio: devicePixelRatio || 1 });
    canvas.width = Math.round(size.width * size.ratio);
    canvas.height = Math.round(size.height * size.ratio);
    paint();
  });
  resized.observe(canvas);

  // ------------------------------------------------------------------ pointing

  const cells = Array.from({ length: CELLS * CELLS }, () => []);
  const cellOf = (value) => Math.min(CELLS - 1, Math.max(0, Math.floor(value * CELLS)));
  for (let row = 0; row < total; row++) cells[cellOf(Y[row]) * CELLS + cellOf(X[row])].push(row);

  /** The nearest document that matches, within reach of a point on the screen; -1 for none. */
  function nearest(x, y) {
    const [low, high] = [toMap(x - REACH, y - REACH), toMap(x + REACH, y + REACH)];
    let [best, least] = [-1, REACH * REACH];
    for (let down = cellOf(low[1]); down <= cellOf(high[1]); down++)
      for (let across = cellOf(low[0]); across <= cellOf(high[0]); across++)
        for (const row of cells[down * CELLS + across]) {
          if (!matches[row]) continue;
          const [px, py] = toScreen(X[row], Y[row]);
          const distance = (px - x) ** 2 + (py - y) ** 2;
          if (distance < least) [best, least] = [row, distance];
        }
    return best;
  }

  function hover(row) {
    if (row === hovered) return;
    hovered = row;
    const tip = byId("tip");
    tip.hidden = row < 0;
    if (row >= 0) {
      tip.replaceChildren(el("b", {}, titleOf(row)), el("span", { class: "quiet" }, nameOf(groupOf(row))), el("br"), snippet(row));
      const [x, y] = toScreen(X[row], Y[row]);
      tip.style.left = `${Math.max(0, Math.min(x + 14, size.width - tip.offsetWidth - 4))}px`;
      tip.style.top = `${y + 14 + tip.offsetHeight > size.height ? Math.max(0, y - tip.offsetHeight - 14) : y + 14}px`;
    }
    draw();
  }

  /** Zoom by a factor; the point of the map under (x, y) stays where it is. */
  function zoom(factor, x = size.width / 2, y = size.height / 2) {
    const before = toMap(x, y);
    view.zoom = Math.min(MAX_ZOOM, Math.max(0.8, view.zoom * factor));
    const after = toMap(x, y);
    view.x += before[0] - after[0];
    view.y += before[1] - after[1];
    hover(-1);
    draw();
  }

  function pan(dx, dy) {
    const [from, to] = [toMap(0, 0), toMap(dx, dy)];
    view.x = Math.min(1.2, Math.max(-0.2, view.x - (to[0] - from[0])));
    view.y = Math.min(1.2, Math.max(-0.2, view.y - (to[1] - from[1])));
    draw();
  }

  function fit() {
    Object.assign(view, { zoom: 1, x: 0.5, y: 0.5 });
    draw();
  }

  const pointers = new Map();
  let moved = 0;
  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    pointers.set(event.pointerId, [event.offsetX, event.offsetY]);
    if (pointers.size === 1) moved = 0;
    frame = event.shiftKey && pointers.size === 1 ? [event.offsetX, event.offsetY, event.offsetX, event.offsetY] : null;
  });
  canvas.addEventListener("pointermove", (event) => {
    const [x, y] = [event.offsetX, event.offsetY];
    const last = pointers.get(event.pointerId);
    if (!last) return hover(nearest(x, y));
    if (frame) {
      [frame[2], frame[3]] = [x, y];
      moved += Math.abs(x - last[0]) + Math.abs(y - last[1]);
      hover(-1);
      pointers.set(event.pointerId, [x, y]);
      return draw();
    }
    const other = [...pointers].find(([id]) => id !== event.pointerId)?.[1];
    if (other) {
      const [was, is] = [Math.hypot(last[0] - other[0], last[1] - other[1]), Math.hypot(x - other[0], y - other[1])];
      zoom(is / Math.max(was, 1), (x + other[0]) / 2, (y + other[1]) / 2);
    }
    pan((x - last[0]) / pointers.size, (y - last[1]) / pointers.size);
    moved += Math.abs(x - last[0]) + Math.abs(y - last[1]);
    if (moved > 4) hover(-1);
    pointers.set(event.pointerId, [x, y]);
  });
  canvas.addEventListener("pointerup", (event) => {
    const [drawn, width] = [frame, moved];
    frame = null;
    if (drawn && width >= 5) {
      pointers.delete(event.pointerId);
      return selectFrame(drawn);
    }
    if (moved < 5 && pointers.size === 1) {
      const row = nearest(event.offsetX, event.offsetY);
      hover(-1);
      if (row >= 0) pin(row);
    }
    pointers.delete(event.pointerId);
  });
  canvas.addEventListener("pointercancel", (event) => {
    frame = null;
    pointers.delete(event.pointerId);
  });

  /** Select the shown documents inside a rectangle on the screen. */
  function selectFrame([x0, y0, x1, y1]) {
    const [[left, top], [right, bottom]] = [toMap(Math.min(x0, x1), Math.min(y0, y1)), toMap(Math.max(x0, x1), Math.max(y0, y1))];
    select(order.filter((row) => X[row] >= left && X[row] <= right && Y[row] >= top && Y[row] <= bottom));
  }
  canvas.addEventListener("pointerleave", () => hover(-1));
  canvas.addEventListener(
    "wheel",
    (event) => {
      event.preventDefault();
      zoom(Math.exp(-event.deltaY * (event.deltaMode ? 0.05 : 0.0015)), event.offsetX, event.offsetY);
    },
    { passive: false },
  );

  const KEYS = {
    ArrowLeft: () => pan(60, 0),
    ArrowRight: () => pan(-60, 0),
    ArrowUp: () => pan(0, 60),
    ArrowDown: () => pan(0, -60),
    "+": () => zoom(1.4),
    "=": () => zoom(1.4),
    "-": () => zoom(1 / 1.4),
    0: fit,
  };
  canvas.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !KEYS[event.key]) return;
    event.preventDefault();
    KEYS[event.key]();
  });
  const unpinByKey = (event) => event.key === "Escape" && pinned >= 0 && unpin();
  root.addEventListener("keydown", unpinByKey);
  byId("in").addEventListener("click", () => zoom(1.6));
  byId("out").addEventListener("click", () => zoom(1 / 1.6));
  byId("fit").addEventListener("click", fit);

  // ------------------------------------------------------------------ colours

  const THEMES = ["", "light", "dark"];
  const recolour = () => {
    fillGroups();
    showList();
    if (pinned >= 0) pin(pinned);
    draw();
  };
  byId("theme").addEventListener("click", ({ currentTarget }) => {
    const next = THEMES[(THEMES.indexOf(page.dataset.theme ?? "") + 1) % THEMES.length];
    if (next) page.dataset.theme = next;
    else delete page.dataset.theme;
    currentTarget.setAttribute("aria-label", `Colours: ${next || "as the system"}`);
    recolour();
  });
  darkness.addEventListener("change", recolour);

  byId("title").textContent = data.title;
  byId("summary").textContent = data.summary;
  canvas.setAttribute("aria-label", data.canvas);
  fillGroups();
  fillColumns();
  update();

  return {
    select: (rows) => {
      if (!rows.length) pin(-1);
      select(rows);
    },
    destroy: () => {
      resized.disconnect();
      darkness.removeEventListener("change", recolour);
      root.removeEventListener("keydown", unpinByKey);
    },
    parts: { X, Y, view, size, pen, groups, toScreen, paint, matches },
  };
}
