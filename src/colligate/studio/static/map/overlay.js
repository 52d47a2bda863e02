// The overlay of the points: rings around documents, and the lasso.

const MAX_RINGS = 3000;

export class Overlay {
  constructor(canvas) {
    this.canvas = canvas;
    this.context = canvas.getContext("2d");
  }

  resize(width, height, ratio) {
    Object.assign(this.canvas, { width: Math.round(width * ratio), height: Math.round(height * ratio) });
  }

  draw(camera, { size, ratio, placeOf, cameFrom, tintOf, moved, selected, chosen, hovered, lasso }) {
    const { context, canvas } = this;
    const isEmpty = !moved.length && !selected.size && chosen === null && hovered < 0 && lasso.length < 2;
    if (isEmpty && this.isEmpty) return;
    this.isEmpty = isEmpty;
    const ink = getComputedStyle(canvas).color;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, camera.width, camera.height);
    const ring = (i, extra, width) => {
      const [px, py] = camera.screen(...placeOf(i));
      context.beginPath();
      context.arc(px, py, size + extra, 0, 2 * Math.PI);
      context.lineWidth = width;
      context.stroke();
    };
    context.strokeStyle = ink;
    first(moved, MAX_RINGS).forEach((i) => {
      this.#way(camera.screen(...cameFrom(i)), camera.screen(...placeOf(i)), size, tintOf(i));
      ring(i, 1, 1.3);
    });
    const thick = selected.size > 30 ? 1.1 : 2;
    first(selected, MAX_RINGS).forEach((i) => ring(i, 1.4, thick));
    if (hovered >= 0) ring(hovered, 2.5, 2);
    if (chosen !== null) {
      ring(chosen, 3, 2.5);
      ring(chosen, 8, 1);
    }
    if (lasso.length > 1) this.#line(lasso, ink);
  }

  /** A document that moved, with a line from where it was. */
  #way(from, to, size, tint) {
    const { context } = this;
    context.globalAlpha = 0.35;
    context.lineWidth = 1;
    context.beginPath();
    context.moveTo(...from);
    context.lineTo(...to);
    context.stroke();
    context.globalAlpha = 1;
    context.beginPath();
    context.arc(...to, size, 0, 2 * Math.PI);
    context.fillStyle = tint;
    context.fill();
  }

  #line(lasso, ink) {
    const { context } = this;
    context.beginPath();
    lasso.forEach(([x, y], k) => (k ? context.lineTo(x, y) : context.moveTo(x, y)));
    context.closePath();
    context.globalAlpha = 0.08;
    context.fillStyle = ink;
    context.fill();
    context.globalAlpha = 1;
    context.lineWidth = 1.5;
    context.setLineDash([5, 4]);
    context.stroke();
    context.setLineDash([]);
  }
}

function first(items, most) {
  const taken = [];
  for (const item of items) {
    if (taken.length >= most) break;
    taken.push(item);
  }
  return taken;
}
