// The visible part of the map: its centre, and pixels per unit.

const CLOSEST = 400;

export class Camera {
  constructor() {
    Object.assign(this, { x: 0.5, y: 0.5, scale: 1, width: 1, height: 1, least: 1, isWhole: true });
  }

  resize(width, height) {
    Object.assign(this, { width, height });
  }

  /** Fit all groups. */
  fit(places, margin = 36) {
    const wide = (side, sign) => places.map((place) => place[side] + sign * place.radius);
    const [left, right] = [Math.min(...wide("x", -1), 0.5), Math.max(...wide("x", 1), 0.5)];
    const [top, bottom] = [Math.min(...wide("y", -1), 0.5), Math.max(...wide("y", 1), 0.5)];
    this.scale = Math.min(
      (this.width - 2 * margin) / Math.max(right - left, 0.05),
      (this.height - 2 * margin) / Math.max(bottom - top, 0.05),
    );
    Object.assign(this, { x: (left + right) / 2, y: (top + bottom) / 2, least: this.scale / 3, isWhole: true });
  }

  /** The zoom factor; 1 shows the whole map. */
  get zoom() {
    return this.scale / (3 * this.least);
  }

  /** Pan. */
  go(x, y) {
    Object.assign(this, { x, y, isWhole: false });
  }

  pan(dx, dy) {
    this.go(this.x - dx / this.scale, this.y - dy / this.scale);
  }

  /** Zoom by a factor around the point under the pointer. */
  zoomAt(factor, px, py) {
    const scale = Math.min(Math.max(this.scale * factor, this.least), 3 * this.least * CLOSEST);
    const [wx, wy] = this.world(px, py);
    this.go(wx - (px - this.width / 2) / scale, wy - (py - this.height / 2) / scale);
    this.scale = scale;
  }

  world(px, py) {
    return [this.x + (px - this.width / 2) / this.scale, this.y + (py - this.height / 2) / this.scale];
  }

  screen(wx, wy) {
    return [(wx - this.x) * this.scale + this.width / 2, (wy - this.y) * this.scale + this.height / 2];
  }
}
