// Points drawn by the processor: stamped into the pixels of an image with soft edges.

import { PannedImage, wordOf } from "./image.js";

const LEVELS = 4; // tones of a colour, by how sure the group is
const EVEN = 0xfefefefe;
const FAINT = 0.13;

export class StampedPoints extends PannedImage {
  paint(camera, { size, step }) {
    const paper = paperOf(this.canvas);
    this.words.fill(wordOf(paper));
    const stamp = stampOf(size * this.ratio, this.canvas.width);
    const faint = this.rows.map((row) => wordOf(mixed(row, paper, FAINT)));
    const tones = this.rows.map((row) => tonesOf(row, paper));
    const { colour, sure, lit } = this;
    // faint points first, so that they cover no other
    if (lit.includes(0)) this.#stamp(camera, step, stamp, (i) => (lit[i] ? 0 : faint[colour[i]]));
    this.#stamp(camera, step, stamp, (i) => (lit[i] ? tones[colour[i]][sure[i] >> 6] : 0));
  }

  #stamp(camera, step, { core, edge, reach }, colourOf) {
    const { words } = this;
    const { width, height } = this.canvas;
    this.each(camera, step, (i, px, py) => {
      if (px < reach || py < reach || px >= width - reach || py >= height - reach) return;
      const colour = colourOf(i);
      if (colour === 0) return;
      const middle = py * width + px;
      for (let k = 0; k < core.length; k++) words[middle + core[k]] = colour;
      for (let k = 0; k < edge.length; k++) {
        const old = words[middle + edge[k]];
        words[middle + edge[k]] = (((old & EVEN) >>> 1) + ((colour & EVEN) >>> 1)) >>> 0;
      }
    });
  }
}

/** Offsets of the pixels of a disc: those inside, and those that its edge cuts. */
function stampOf(radius, width) {
  const reach = Math.ceil(radius);
  const [core, edge] = [[], []];
  for (let y = -reach; y <= reach; y++) {
    for (let x = -reach; x <= reach; x++) {
      const from = Math.hypot(x, y);
      if (from <= radius - 0.1) core.push(y * width + x);
      else if (from <= radius + 0.35) edge.push(y * width + x);
    }
  }
  return { core: Int32Array.from(core), edge: Int32Array.from(edge), reach };
}

const mixed = (row, paper, share) => row.map((part, k) => Math.round(part * share + paper[k] * (1 - share)));

function tonesOf(row, paper) {
  return Array.from({ length: LEVELS }, (_, level) =>
    wordOf(mixed(row, paper, 0.55 + (0.4 * level) / (LEVELS - 1))),
  );
}

function paperOf(canvas) {
  return getComputedStyle(canvas).backgroundColor.match(/\d+/g).slice(0, 3).map(Number);
}
