// The density of the points, for a view in which they would cover each other: each cell has the mean colour of its
// points, and the more points it has, the stronger that colour is.

import { PannedImage, wordOf } from "./image.js";

const CELL = 3; // pixels of the view
const FULL = 2.5; // times the mean density at which a colour has its full strength
const LEAST = 0.15; // the strength of a cell with a single faint point
const FAINT = 0.06; // how much a point counts that is not lit

export class Density extends PannedImage {
  resize(width, height) {
    super.resize(width, height, 1 / CELL);
    this.sums = new Float32Array(4 * this.words.length); // of red, green, blue and points, by cell
  }

  /** `look.crowding` is the mean number of points on a pixel of the view. */
  paint(camera, { step, crowding }) {
    const { words, sums, rows, colour, lit } = this;
    const { width } = this.canvas;
    sums.fill(0);
    this.each(camera, step, (i, px, py) => {
      const [start, row, weight] = [4 * (py * width + px), rows[colour[i]], lit[i] ? 1 : FAINT];
      sums[start] += weight * row[0];
      sums[start + 1] += weight * row[1];
      sums[start + 2] += weight * row[2];
      sums[start + 3] += weight;
    });
    const full = Math.max(1, FULL * crowding * CELL * CELL);
    for (let cell = 0; cell < words.length; cell++) {
      const points = sums[4 * cell + 3];
      if (points === 0) {
        words[cell] = 0;
        continue;
      }
      const mean = [0, 1, 2].map((part) => Math.round(sums[4 * cell + part] / points));
      words[cell] = wordOf(mean, Math.round(255 * Math.max(LEAST, Math.min(1, Math.sqrt(points / full)))));
    }
  }
}
