// An image of the points that is larger than the view, so that a small pan needs no new image.

const MARGIN = 192; // pixels of the image beyond each side of the view

export class PannedImage {
  constructor(canvas) {
    this.canvas = canvas;
    this.context = canvas.getContext("2d");
    Object.assign(this, { n: 0, rows: [], drawn: null });
  }

  /** Set columns by name: positions before and now, colour (its row), sure (255 is certain) and lit (0 is faint). */
  setColumns(columns) {
    Object.assign(this, columns, { drawn: null });
    if (columns.now) this.n = columns.now.length / 2;
  }

  setColours(rows) {
    Object.assign(this, { rows, drawn: null });
  }

  /** Resize the image; `ratio` is how many of its pixels are one of the view. */
  resize(width, height, ratio) {
    const [wide, high] = [width + 2 * MARGIN, height + 2 * MARGIN];
    Object.assign(this.canvas, { width: Math.round(wide * ratio), height: Math.round(high * ratio) });
    Object.assign(this.canvas.style, { inset: `${-MARGIN}px`, width: `${wide}px`, height: `${high}px` });
    this.picture = new ImageData(this.canvas.width, this.canvas.height);
    Object.assign(this, { words: new Uint32Array(this.picture.data.buffer), ratio, drawn: null });
  }

  /** Move the image; draw it again if it does not cover the view or is out of date. */
  draw(camera, look) {
    const key = [camera.scale, look.size, look.step].join(" ");
    const moved = this.drawn && [
      (this.drawn.x - camera.x) * camera.scale,
      (this.drawn.y - camera.y) * camera.scale,
    ];
    const isFit = this.drawn?.key === key && Math.max(...moved.map(Math.abs)) < MARGIN;
    if (!isFit) {
      this.paint(camera, look);
      this.context.putImageData(this.picture, 0, 0);
      this.drawn = { key, x: camera.x, y: camera.y };
    }
    this.canvas.style.transform = isFit
      ? `translate(${moved.map((part) => `${Math.round(part)}px`).join(", ")})`
      : "none";
  }

  /** Call with the position of every document in the image and its column and row there. */
  each(camera, step, visit) {
    const { before, now, n, ratio } = this;
    const { width, height } = this.canvas;
    const scale = camera.scale * ratio;
    const [ox, oy] = [width / 2 - camera.x * scale, height / 2 - camera.y * scale];
    const back = 1 - step;
    for (let i = 0; i < n; i++) {
      const px = Math.round((now[2 * i] * step + before[2 * i] * back) * scale + ox);
      const py = Math.round((now[2 * i + 1] * step + before[2 * i + 1] * back) * scale + oy);
      if (px >= 0 && py >= 0 && px < width && py < height) visit(i, px, py);
    }
  }
}

/** A colour as one number, in the order of the bytes of an image. */
export const wordOf = ([red, green, blue], alpha = 255) =>
  ((alpha << 24) | (blue << 16) | (green << 8) | red) >>> 0;
