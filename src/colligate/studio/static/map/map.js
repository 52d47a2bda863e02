// The map: points, an overlay, names and gestures.

import { el } from "../dom.js";
import { followTheme, pixels } from "../theme.js";
import { Camera } from "./camera.js";
import { NO_GROUP } from "./data.js";
import { followGestures } from "./gestures.js";
import { Grid } from "./grid.js";
import { makeInteraction } from "./interaction.js";
import { Labels } from "./labels.js";
import { Overlay } from "./overlay.js";
import { StampedPoints } from "./splat.js";
import { WebGlPoints } from "./webgl.js";

const REACH = 12; // pixels from a point that still mean it
const MOVE_MS = 900;
const GREY = [140, 144, 150];
export const NO_SUCH_GROUP = 1e6; // chosen, it dims all groups
const STILL = matchMedia("(prefers-reduced-motion: reduce)");

export class DocumentMap {
  /** `act` has the callbacks choose(position or -1), hover(position, x, y), lasso(positions), drag(position, event). */
  constructor(act) {
    this.act = act;
    this.camera = new Camera();
    this.marks = { moved: [], selected: new Set(), chosen: null, hovered: -1, lasso: [] };
    Object.assign(this, { group: -1, step: 1, isLasso: false, map: null, seen: false, ratio: 0 });
    this.frame = el("div", { class: "frame" });
    this.#canvases();
    this.labels = new Labels(this.frame.appendChild(el("div", { class: "labels", "aria-hidden": "true" })));
    followGestures(this.frame, makeInteraction(this));
    new ResizeObserver(() => this.#resize()).observe(this.frame);
    followTheme(() => this.#recolour());
  }

  /** Show a map; documents move from their last positions to the new ones. */
  setMap(map, groups) {
    const before = this.map?.n === map.n ? this.places : null;
    const now = new Float32Array(2 * map.n);
    for (let i = 0; i < map.n; i++) now.set([map.x[i], map.y[i]], 2 * i);
    Object.assign(this, { map, before: before ?? now, places: now, grid: new Grid(map) });
    const group = map.group.map((one) =>
      one === NO_GROUP ? this.colours.length - 1 : one % (this.colours.length - 1),
    );
    this.points.setPoints({ n: map.n, before: this.before, now, group, sure: map.confidence });
    this.labels.set(groups, map.places);
    if (!before) this.fit();
    else this.#move();
  }

  setNames(groups) {
    if (this.map) this.labels.set(groups, this.map.places);
    this.redraw();
  }

  /** Mark documents, and dim all groups but one. */
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

  /** Pan to a document that is out of view. */
  reveal(at) {
    const [px, py] = this.camera.screen(this.places[2 * at], this.places[2 * at + 1]);
    if (px > 0 && py > 0 && px < this.camera.width && py < this.camera.height) return;
    this.camera.go(this.places[2 * at], this.places[2 * at + 1]);
    this.redraw();
  }

  /** The positions of the documents in the view. */
  inView() {
    const visible = [];
    const [left, top] = this.camera.world(0, 0);
    const [right, bottom] = this.camera.world(this.camera.width, this.camera.height);
    this.grid?.each(left, top, right, bottom, (i) => visible.push(i));
    return visible;
  }

  redraw() {
    this.waiting ??= requestAnimationFrame(() => {
      this.waiting = undefined;
      this.#draw();
    });
  }

  #draw() {
    if (!this.map || !this.ratio) return;
    const look = { size: this.#size(), step: this.step, chosen: this.group };
    const ratio = this.ratio;
    this.points.draw(this.camera, look, ratio);
    this.overlay.draw(this.camera, {
      ...look,
      ...this.marks,
      ratio,
      moved: this.step < 1 ? [] : this.marks.moved,
      placeOf: (i) => placeIn(this.places, i),
      cameFrom: (i) => placeIn(this.before, i),
      tintOf: (i) => `rgb(${this.colours[this.map.group[i]] ?? GREY})`,
    });
    this.labels.move(this.camera);
  }

  #canvases() {
    const [under, over] = [el("canvas", { class: "points" }), el("canvas", { class: "over" })];
    this.frame.append(under, over);
    this.overlay = new Overlay(over);
    this.points = pointsOn(under);
    under.dataset.renderer = this.points.constructor.name;
  }

  #resize() {
    const { clientWidth: width, clientHeight: height } = this.frame;
    if (!width || !height) return;
    this.ratio = Math.min(devicePixelRatio || 1, 2);
    for (const part of [this.points, this.overlay]) part.resize(width, height, this.ratio);
    this.camera.resize(width, height);
    if (this.seen && !this.camera.isWhole) this.redraw();
    else this.fit();
  }

  #recolour() {
    this.colours = [...pixels(), GREY];
    this.points.setColours(this.colours);
    this.redraw();
  }

  /** The radius of a point in pixels: smaller with more documents, larger when zoomed in. */
  #size() {
    const room = Math.sqrt((this.camera.width * this.camera.height) / Math.max(this.map.n, 1));
    return (
      Math.min(Math.max(0.16 * room, 1.1), 4.5) * Math.min(Math.max(Math.sqrt(this.camera.zoom), 0.7), 2)
    );
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

const placeIn = (places, i) => [places[2 * i], places[2 * i + 1]];

/** Draw by the graphics card, or by the processor if there is none. */
function pointsOn(canvas) {
  try {
    const probe = new WebGlPoints(document.createElement("canvas"));
    if (!probe.isSoftware) return new WebGlPoints(canvas);
  } catch {
    // no WebGL2 here
  }
  return new StampedPoints(canvas);
}
