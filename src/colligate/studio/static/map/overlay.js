// The overlay of the points: rings around documents, arrows, and the lasso.

const MAX_RINGS = 3000;
const MAX_ARROWS = 500;
const HEAD = 6; // pixels of the head of an arrow

export class Overlay {
  constructor(canvas) {
    this.canvas = canvas;
    this.context = canvas.getContext("2d");
  }

  resize(width, height, ratio) {
    Object.assign(this.canvas, { width: Math.round(width * ratio), height: Math.round(height * ratio) });
    this.ratio = ratio;
  }

  /** Draw the marks: documents by position, arrows { from, to, colour } in units of the map. */
  draw(camera, size, placeOf, { moved, pending, arrows, selected, chosen, hovered, lasso }) {
    const { context, canvas, ratio } = this;
    const ink = getComputedStyle(canvas).color;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, camera.width, camera.height);
    context.strokeStyle = ink;
    const ring = (i, extra, width) => {
      const [px, py] = camera.screen(...placeOf(i));
      context.beginPath();
      context.arc(px, py, size + extra, 0, 2 * Math.PI);
      context.lineWidth = width;
      context.stroke();
    };
    first(arrows, MAX_ARROWS).forEach((arrow) => this.#arrow(camera, arrow, strengthOf(arrows.length)));
    context.strokeStyle = ink;
    first(moved, MAX_RINGS).forEach((i) => ring(i, 1, 1.2));
    context.setLineDash([3, 2.5]);
    first(pending, MAX_RINGS).forEach((i) => ring(i, 3.5, 1.6));
    context.setLineDash([]);
    const thick = selected.size > 30 ? 1.1 : 2;
    first(selected, MAX_RINGS).forEach((i) => ring(i, 1.4, thick));
    if (hovered >= 0) ring(hovered, 2.5, 2);
    if (chosen !== null) {
      ring(chosen, 3, 2.5);
      ring(chosen, 8, 1);
    }
    if (lasso.points.length > 1) this.#line(lasso, ink);
  }

  #arrow(camera, { from, to, colour }, strength) {
    const { context } = this;
    const [start, end] = [camera.screen(...from), camera.screen(...to)];
    const turn = Math.atan2(end[1] - start[1], end[0] - start[0]);
    const wing = (by) => [end[0] - HEAD * Math.cos(turn + by), end[1] - HEAD * Math.sin(turn + by)];
    Object.assign(context, { strokeStyle: colour, fillStyle: colour, lineWidth: 1.4, globalAlpha: strength });
    context.beginPath();
    context.moveTo(...start);
    context.lineTo(...end);
    context.stroke();
    context.beginPath();
    for (const point of [end, wing(0.5), wing(-0.5)]) context.lineTo(...point);
    context.fill();
    context.globalAlpha = 1;
  }

  #line({ points, mode }, ink) {
    const { context } = this;
    context.beginPath();
    points.forEach(([x, y], k) => (k ? context.lineTo(x, y) : context.moveTo(x, y)));
    context.closePath();
    context.globalAlpha = 0.08;
    context.fillStyle = ink;
    context.fill();
    context.globalAlpha = 1;
    context.lineWidth = 1.5;
    context.setLineDash(mode === "remove" ? [2, 4] : [5, 4]);
    context.stroke();
    context.setLineDash([]);
  }
}

/** How strong an arrow is: the more there are, the fainter each. */
const strengthOf = (number) => Math.min(Math.max(20 / number, 0.15), 0.8);

function first(items, most) {
  const taken = [];
  for (const item of items) {
    if (taken.length >= most) break;
    taken.push(item);
  }
  return taken;
}
