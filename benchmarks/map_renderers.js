// One renderer of points in a page of its own: benchmarks/map_renderers.py calls `measure`.

const [WIDE, HIGH] = [900, 800];
const MOVES = 30; // frames of a measured move
const ROUNDS = 3; // a machine that does something else meanwhile is slower, so that the best round counts
const LONGEST_MS = 5000;

function makePoints(n, groups = 20) {
  let seed = 1;
  const random = () => (seed = (seed * 48271) % 2147483647) / 2147483647;
  const bell = () => random() + random() + random() - 1.5;
  const centres = Array.from({ length: groups }, () => [0.15 + 0.7 * random(), 0.15 + 0.7 * random()]);
  const [now, colour] = [new Float32Array(2 * n), new Uint16Array(n)];
  for (let i = 0; i < n; i++) {
    colour[i] = Math.floor(random() * groups);
    now.set([centres[colour[i]][0] + 0.08 * bell(), centres[colour[i]][1] + 0.08 * bell()], 2 * i);
  }
  const rows = Array.from({ length: groups }, () =>
    Array.from({ length: 3 }, () => Math.round(40 + 180 * random())),
  );
  return { n, now, colour, rows };
}

const canvasOf = () => {
  const canvas = document.createElement("canvas");
  const size = { width: `${WIDE}px`, height: `${HIGH}px` };
  Object.assign(canvas.style, { position: "absolute", inset: "0", backgroundColor: "rgb(255, 255, 255)", ...size });
  return document.body.appendChild(canvas);
};

/** A renderer of the studio: `look` as the map draws it at this number of points. */
async function ours(file, name, points) {
  const module = await import(`/studio/map/${file}`);
  const canvas = canvasOf();
  let current = null;
  const redraw = () => current && renderer.draw(current, look, 1);
  const renderer = new module[name](canvas, redraw);
  const look = { size: Math.min(Math.max(0.16 * Math.sqrt((WIDE * HIGH) / points.n), 1.1), 4.5), step: 1 };
  look.crowding = points.n / (0.4 * WIDE * HIGH);
  const [sure, lit] = [new Uint8Array(points.n).fill(200), new Uint8Array(points.n).fill(1)];
  renderer.setColours(points.rows);
  renderer.setColumns({ before: points.now, now: points.now, colour: points.colour, sure, lit });
  renderer.resize(WIDE, HIGH, 1);
  return {
    gl: renderer.gl,
    canvas,
    look: (x, y, zoom) => {
      current = { x, y, scale: HIGH * zoom, width: WIDE, height: HIGH };
      renderer.draw(current, look, 1);
    },
  };
}

async function regl(points) {
  const { default: createScatterplot } = await import("/packages/regl-scatterplot.js");
  const canvas = canvasOf();
  const plot = createScatterplot({ canvas, width: WIDE, height: HIGH, pointSize: 3, opacity: 0.8 });
  plot.set({ colorBy: "valueA", pointColor: points.rows.map((row) => row.map((part) => part / 255).concat(1)) });
  const [x, y] = [new Float32Array(points.n), new Float32Array(points.n)];
  for (let i = 0; i < points.n; i++) [x[i], y[i]] = [2 * points.now[2 * i] - 1, 1 - 2 * points.now[2 * i + 1]];
  await plot.draw({ x, y, valueA: Array.from(points.colour) });
  const shown = plot.get("renderer");
  return {
    gl: shown.canvas.getContext("webgl"),
    canvas,
    look: (px, py, zoom) => {
      const [left, top] = [zoom * (1 - 2 * px), zoom * (2 * py - 1)];
      plot.view(new Float32Array([zoom, 0, 0, 0, 0, zoom, 0, 0, 0, 0, 1, 0, left, top, 0, 1]));
    },
  };
}

const MAKERS = {
  WebGlPoints: (points) => ours("webgl.js", "WebGlPoints", points),
  StampedPoints: (points) => ours("splat.js", "StampedPoints", points),
  Density: (points) => ours("density.js", "Density", points),
  "regl-scatterplot": regl,
};

const frame = () => new Promise((done) => requestAnimationFrame(done));

/** Milliseconds of a frame while the view moves along a path: the best of some rounds. */
async function timeMoves(view, path) {
  const rounds = [];
  for (let round = 0; round < ROUNDS; round++) rounds.push(await timeRound(view, path));
  return Math.min(...rounds);
}

async function timeRound(view, path) {
  await frame();
  const began = performance.now();
  let k = 0;
  while (k < MOVES && performance.now() - began < LONGEST_MS) {
    view.look(...path(k++ / MOVES));
    await frame();
    // wait for the card, too
    view.gl?.readPixels(0, 0, 1, 1, view.gl.RGBA, view.gl.UNSIGNED_BYTE, new Uint8Array(4));
  }
  return (performance.now() - began) / k;
}

/** How many pixels of the canvas are coloured. */
async function countInk(view) {
  const copy = new OffscreenCanvas(WIDE, HIGH);
  for (const zoom of [1.1, 1]) {
    view.look(0.5, 0.5, zoom);
    await frame();
    await frame();
  }
  view.look(0.5, 0.5, 1);
  copy.getContext("2d").drawImage(view.canvas, 0, 0, WIDE, HIGH);
  const { data } = copy.getContext("2d").getImageData(0, 0, WIDE, HIGH);
  let inked = 0;
  for (let k = 0; k < data.length; k += 4) {
    const colour = [data[k], data[k + 1], data[k + 2]];
    if (data[k + 3] > 20 && Math.max(...colour) - Math.min(...colour) > 20) inked++;
  }
  return inked;
}

/** Lose the graphics card and get it back; the share of the coloured pixels that is there again. */
async function loseCard(view) {
  if (!view.gl) return null;
  const before = await countInk(view);
  if (before === 0) throw new Error("nothing is drawn");
  const extension = view.gl.getExtension("WEBGL_lose_context");
  extension.loseContext();
  await new Promise((done) => setTimeout(done, 300));
  extension.restoreContext();
  await new Promise((done) => setTimeout(done, 1000));
  return (await countInk(view)) / before;
}

globalThis.measure = async (name, n) => {
  const points = makePoints(n);
  await frame();
  const began = performance.now();
  const view = await MAKERS[name](points);
  view.look(0.5, 0.5, 1);
  await frame();
  view.gl?.readPixels(0, 0, 1, 1, view.gl.RGBA, view.gl.UNSIGNED_BYTE, new Uint8Array(4));
  const first = performance.now() - began;
  globalThis.view = view;
  const circle = (share) => [0.5 + 0.15 * Math.sin(2 * Math.PI * share), 0.5 + 0.15 * Math.cos(2 * Math.PI * share)];
  const pan = await timeMoves(view, (share) => [...circle(share), 1]);
  const zoom = await timeMoves(view, (share) => [0.5, 0.5, 1 + 3 * share]);
  return { first, pan, zoom };
};

globalThis.loseCard = () => loseCard(globalThis.view);
globalThis.isReady = true;
