// Find the nearest document: points sorted into the cells of a grid.

const PER_CELL = 8;

export class Grid {
  constructor({ n, x, y }) {
    Object.assign(this, { x, y, side: Math.max(1, Math.ceil(Math.sqrt(n / PER_CELL))) });
    this.box = boundsOf(x, y, n);
    const cells = Uint32Array.from({ length: n }, (_, i) => this.#cell(x[i], y[i]));
    this.starts = new Uint32Array(this.side * this.side + 1);
    for (const cell of cells) this.starts[cell + 1]++;
    for (let cell = 0; cell < this.side * this.side; cell++) this.starts[cell + 1] += this.starts[cell];
    const free = this.starts.slice();
    this.order = new Uint32Array(n);
    cells.forEach((cell, i) => (this.order[free[cell]++] = i));
  }

  /** The nearest point within a distance; -1 if there is none. */
  nearest(wx, wy, reach) {
    let [best, least] = [-1, reach * reach];
    this.each(wx - reach, wy - reach, wx + reach, wy + reach, (i) => {
      const far = (this.x[i] - wx) ** 2 + (this.y[i] - wy) ** 2;
      if (far <= least) [best, least] = [i, far];
    });
    return best;
  }

  /** Call with every point of a rectangle. */
  each(left, top, right, bottom, visit) {
    const [c0, r0, c1, r1] = [this.#column(left), this.#row(top), this.#column(right), this.#row(bottom)];
    for (let row = r0; row <= r1; row++) {
      const [from, to] = [this.starts[row * this.side + c0], this.starts[row * this.side + c1 + 1]];
      for (let k = from; k < to; k++) {
        const i = this.order[k];
        if (this.x[i] >= left && this.x[i] <= right && this.y[i] >= top && this.y[i] <= bottom) visit(i);
      }
    }
  }

  #cell(x, y) {
    return this.#row(y) * this.side + this.#column(x);
  }

  #column(x) {
    return this.#step((x - this.box.left) / this.box.width);
  }

  #row(y) {
    return this.#step((y - this.box.top) / this.box.height);
  }

  #step(share) {
    return Math.min(Math.max(Math.floor(share * this.side), 0), this.side - 1);
  }
}

function boundsOf(x, y, n) {
  let [left, right, top, bottom] = [0, 1, 0, 1];
  for (let i = 0; i < n; i++) {
    left = Math.min(left, x[i]);
    right = Math.max(right, x[i]);
    top = Math.min(top, y[i]);
    bottom = Math.max(bottom, y[i]);
  }
  return { left, top, width: right - left, height: bottom - top };
}
