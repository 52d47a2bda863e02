// Points drawn by the processor: stamped into the pixels of an image with soft edges. The image is larger than
// the view, so that a small pan needs no new image.

const LEVELS = 4; // tones of a colour, by how sure the group is
const EVEN = 0xfefefefe;
const MARGIN = 192; // pixels of the picture beyond each side of the view

export class StampedPoints {
  constructor(canvas) {
    this.canvas = canvas;
    this.context = canvas.getContext("2d");
    this.n = 0;
  }

  setPoints({ n, before, now, group, sure }) {
    Object.assign(this, { n, before, now, group, sure, made: null });
  }

  setColours(rows) {
    Object.assign(this, { rows, made: null });
  }

  resize(width, height, ratio) {
    const [wide, high] = [width + 2 * MARGIN, height + 2 * MARGIN];
    Object.assign(this.canvas, { width: Math.round(wide * ratio), height: Math.round(high * ratio) });
    Object.assign(this.canvas.style, { inset: `${-MARGIN}px`, width: `${wide}px`, height: `${high}px` });
    this.picture = new ImageData(this.canvas.width, this.canvas.height);
    Object.assign(this, { words: new Uint32Array(this.picture.data.buffer), made: null });
  }

  /** Move the image; draw it again if it does not cover the view or is out of date. */
  draw(camera, look, ratio) {
    const key = [camera.scale, look.size, look.step, look.chosen].join(" ");
    const moved = this.made && [
      (this.made.x - camera.x) * camera.scale,
      (this.made.y - camera.y) * camera.scale,
    ];
    const isFit = this.made?.key === key && Math.max(...moved.map(Math.abs)) < MARGIN;
    if (!isFit) {
      this.#make(camera, look, ratio);
      this.made = { key, x: camera.x, y: camera.y };
    }
    this.canvas.style.transform = isFit
      ? `translate(${moved.map((part) => `${Math.round(part)}px`).join(", ")})`
      : "none";
  }

  #make(camera, { size, step, chosen }, ratio) {
    const { width } = this.canvas;
    const paper = paperOf(this.canvas);
    this.words.fill(word(paper));
    const stamp = stampOf(size * ratio, width);
    const faint = this.rows.map((row) => word(mixed(row, paper, 0.13)));
    const tones = this.rows.map((row) => tonesOf(row, paper));
    if (chosen < 0) this.#stamp(camera, ratio, step, stamp, (i) => tones[this.group[i]][this.sure[i] >> 6]);
    else {
      this.#stamp(camera, ratio, step, stamp, (i) => (this.group[i] === chosen ? 0 : faint[this.group[i]]));
      this.#stamp(camera, ratio, step, stamp, (i) =>
        this.group[i] === chosen ? tones[this.group[i]][this.sure[i] >> 6] : 0,
      );
    }
    this.context.putImageData(this.picture, 0, 0);
  }

  #stamp(camera, ratio, step, { core, edge, reach }, colourOf) {
    const { words, before, now, n } = this;
    const { width, height } = this.canvas;
    const scale = camera.scale * ratio;
    const [ox, oy] = [width / 2 - camera.x * scale, height / 2 - camera.y * scale];
    const back = 1 - step;
    for (let i = 0; i < n; i++) {
      const px = Math.round((now[2 * i] * step + before[2 * i] * back) * scale + ox);
      const py = Math.round((now[2 * i + 1] * step + before[2 * i + 1] * back) * scale + oy);
      if (px < reach || py < reach || px >= width - reach || py >= height - reach) continue;
      const colour = colourOf(i);
      if (colour === 0) continue;
      const at = py * width + px;
      for (let k = 0; k < core.length; k++) words[at + core[k]] = colour;
      for (let k = 0; k < edge.length; k++) {
        const old = words[at + edge[k]];
        words[at + edge[k]] = (((old & EVEN) >>> 1) + ((colour & EVEN) >>> 1)) >>> 0;
      }
    }
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
const word = ([red, green, blue]) => ((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0;

function tonesOf(row, paper) {
  return Array.from({ length: LEVELS }, (_, level) =>
    word(mixed(row, paper, 0.55 + (0.4 * level) / (LEVELS - 1))),
  );
}

function paperOf(canvas) {
  return getComputedStyle(canvas).backgroundColor.match(/\d+/g).slice(0, 3).map(Number);
}
