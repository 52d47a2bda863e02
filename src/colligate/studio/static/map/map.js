// The map: points or their density, an overlay, names, gestures and keys.

import { el } from "../dom.js";
import { followTheme } from "../theme.js";
import { Camera } from "./camera.js";
import { Density } from "./density.js";
import { followGestures } from "./gestures.js";
import { Grid } from "./grid.js";
import { makeInteraction } from "./interaction.js";
import { Labels } from "./labels.js";
import { Overlay } from "./overlay.js";
import { StampedPoints } from "./splat.js";
import { WebGlPoints } from "./webgl.js";

const REACH = 12; // pixels from a point that still mean it
const MOVE_MS = 900;
const RESTORE_MS = 3000; // how long a lost graphics card may take to come back
const MANY = 5000; // fewer documents are always drawn one by one
const CROWDED = 0.8; // the share of the groups' area that points may cover before their density is drawn
const STILL = matchMedia("(prefers-reduced-motion: reduce)");

export class DocumentMap {
  /**
   * `act` has the callbacks choose(position or -1), hover(position, x, y), lasso(positions, mode),
   * drag(position, event) and moved(), after which another part of the map is in view.
   */
  constructor(act) {
    this.act = act;
    this.camera = new Camera();
    const lasso = { points: [], mode: "replace" };
    this.marks = { moved: [], pending: [], arrows: [], selected: new Set(), chosen: null, hovered: -1, lasso };
    this.columns = {};
    Object.assign(this, { group: -1, step: 1, lassoMode: null, map: null, seen: false, ratio: 0, rowsOf: () => [] });
    this.frame = el("div", { class: "frame" });
    this.#canvases();
    this.labels = new Labels(this.frame.appendChild(el("div", { class: "labels", "aria-hidden": "true" })));
    this.interaction = makeInteraction(this);
    followGestures(this.frame, this.interaction);
    new ResizeObserver(() => this.#resize()).observe(this.frame);
    followTheme(() => this.#recolour());
  }

  /** Show a map; documents move from their last positions to the new ones. */
  setMap(map, groups) {
    const before = this.map?.n === map.n ? this.places : null;
    const now = new Float32Array(2 * map.n);
    for (let i = 0; i < map.n; i++) now.set([map.x[i], map.y[i]], 2 * i);
    Object.assign(this, { map, places: now, grid: new Grid(map) });
    this.#setColumns({ before: before ?? now, now, lit: new Uint8Array(map.n).fill(1) });
    this.interaction.cancel();
    this.labels.set(groups, map.places);
    if (!before) this.fit();
    else this.#move();
  }

  /** Colour the documents: the number of a colour for each, how sure it is, and all colours of the present theme. */
  setColours({ colour, sure, rowsOf }) {
    this.rowsOf = rowsOf;
    this.#setColumns({ colour, sure });
    this.#recolour();
  }

  /** Dim the documents whose entry is 0. */
  setLit(lit) {
    this.#setColumns({ lit });
    this.redraw();
  }

  setNames(groups) {
    if (this.map) this.labels.set(groups, this.map.places);
    this.redraw();
  }

  /** Mark documents; the name of one group comes before the others. */
  mark(marks, group = this.group) {
    Object.assign(this.marks, marks);
    this.group = group;
    this.redraw();
  }

  fit() {
    if (!this.map || this.camera.width < 2) return;
    this.camera.fit(this.map.places);
    this.seen = true;
    this.redraw();
  }

  zoom(factor) {
    this.camera.zoomAt(factor, this.camera.width / 2, this.camera.height / 2);
    this.redraw();
  }

  pan(dx, dy) {
    this.camera.pan(dx, dy);
    this.redraw();
  }

  /** Pan to a document that is out of view. */
  reveal(i) {
    const [px, py] = this.screenOf(i);
    if (px > 0 && py > 0 && px < this.camera.width && py < this.camera.height) return;
    this.show({ x: this.places[2 * i], y: this.places[2 * i + 1] });
  }

  /** Pan to a place. */
  show({ x, y }) {
    this.camera.go(x, y);
    this.redraw();
  }

  /** Where a document is on the screen. */
  screenOf(i) {
    return this.camera.screen(this.places[2 * i], this.places[2 * i + 1]);
  }

  /** The part of the map in view: left, top, right, bottom. */
  box() {
    return [...this.camera.world(0, 0), ...this.camera.world(this.camera.width, this.camera.height)];
  }

  /** The positions of the documents in the view. */
  inView() {
    const visible = [];
    const [left, top, right, bottom] = this.box();
    this.grid?.each(left, top, right, bottom, (i) => visible.push(i));
    return visible;
  }

  /** The documents in view that are not dimmed, the nearest to the middle first. */
  fromMiddle() {
    const { x, y } = this.camera;
    const far = (i) => (this.map.x[i] - x) ** 2 + (this.map.y[i] - y) ** 2;
    return this.inView()
      .filter((i) => this.columns.lit[i])
      .sort((a, b) => far(a) - far(b) || a - b);
  }

  redraw() {
    this.waiting ??= requestAnimationFrame(() => {
      this.waiting = undefined;
      this.#draw();
      this.#tellMoved();
    });
  }

  /** Call back if another part of the map is in view. */
  #tellMoved() {
    const box = this.box().join();
    if (box !== this.lastBox) this.act.moved();
    this.lastBox = box;
  }

  #draw() {
    if (!this.map || !this.ratio || !this.columns.colour) return;
    const look = { size: this.#size(), step: this.step, crowding: this.#crowding() };
    const isCrowded = this.map.n >= MANY && look.crowding * Math.PI * look.size ** 2 > CROWDED;
    const [shown, other] = isCrowded ? [this.density, this.points] : [this.points, this.density];
    [shown.canvas.hidden, other.canvas.hidden] = [false, true];
    shown.draw(this.camera, look, this.ratio);
    const placeOf = (i) => [this.places[2 * i], this.places[2 * i + 1]];
    const marks = this.step < 1 ? { ...this.marks, moved: [], pending: [], arrows: [] } : this.marks;
    this.overlay.draw(this.camera, look.size, placeOf, marks);
    this.labels.move(this.camera, this.group);
  }

  #canvases() {
    const [dense, points, over] = ["density", "points", "over"].map((name) => el("canvas", { class: name }));
    this.frame.append(dense, points, over);
    this.density = new Density(dense);
    this.overlay = new Overlay(over);
    this.#drawBy(pointsOn(points, () => this.redraw()));
    points.addEventListener("webglcontextlost", () =>
      setTimeout(() => this.points.isLost && this.#replacePoints(), RESTORE_MS),
    );
  }

  #drawBy(points) {
    this.points = points;
    points.canvas.dataset.renderer = points.constructor.name;
  }

  /** Draw by the processor, because the graphics card did not come back. */
  #replacePoints() {
    const canvas = el("canvas", { class: "points" });
    this.points.canvas.replaceWith(canvas);
    this.#drawBy(new StampedPoints(canvas));
    this.points.setColumns(this.columns);
    this.#recolour();
    this.#resize();
  }

  #setColumns(columns) {
    Object.assign(this.columns, columns);
    for (const part of [this.points, this.density]) part.setColumns(columns);
  }

  #resize() {
    const { clientWidth: width, clientHeight: height } = this.frame;
    if (!width || !height) return;
    this.ratio = Math.min(devicePixelRatio || 1, 2);
    for (const part of [this.points, this.density, this.overlay]) part.resize(width, height, this.ratio);
    this.camera.resize(width, height);
    if (this.seen && !this.camera.isWhole) this.redraw();
    else this.fit();
  }

  #recolour() {
    const rows = this.rowsOf();
    for (const part of [this.points, this.density]) part.setColours(rows);
    this.redraw();
  }

  /** The radius of a point in pixels: smaller with more documents, larger when zoomed in. */
  #size() {
    const room = Math.sqrt((this.camera.width * this.camera.height) / Math.max(this.map.n, 1));
    return (
      Math.min(Math.max(0.16 * room, 1.1), 4.5) * Math.min(Math.max(Math.sqrt(this.camera.zoom), 0.7), 2)
    );
  }

  /** The mean number of documents on a pixel of the groups. */
  #crowding() {
    const area = this.map.places.reduce((sum, { radius }) => sum + Math.PI * (radius * this.camera.scale) ** 2, 0);
    return this.map.n / Math.max(area, 1);
  }

  #move() {
    const began = performance.now();
    const go = (time) => {
      const share = STILL.matches ? 1 : Math.min(Math.max((time - began) / MOVE_MS, 0), 1);
      this.step = share * share * (3 - 2 * share);
      this.#draw();
      if (share < 1) requestAnimationFrame(go);
    };
    requestAnimationFrame(go);
  }

  /** The document near a point of the view; -1 if there is none. */
  near([px, py]) {
    return this.grid ? this.grid.nearest(...this.camera.world(px, py), REACH / this.camera.scale) : -1;
  }
}

/** Draw by the graphics card, or by the processor if there is none. */
function pointsOn(canvas, onRestored) {
  try {
    const probe = new WebGlPoints(document.createElement("canvas"));
    if (!probe.isSoftware) return new WebGlPoints(canvas, onRestored);
  } catch {
    // no WebGL2 here
  }
  return new StampedPoints(canvas);
}
