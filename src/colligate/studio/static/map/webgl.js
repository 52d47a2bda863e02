// Points drawn by the graphics card: one draw call, colours from a small texture.

const VERTEX = `#version 300 es
in vec2 before; in vec2 now; in float colour; in float sure; in float lit;
uniform vec2 centre, scale; uniform float size, step; uniform sampler2D colours;
out vec4 tint;
void main() {
  gl_Position = vec4((mix(before, now, step) - centre) * scale, 0.0, 1.0);
  gl_PointSize = size;
  vec3 ink = texelFetch(colours, ivec2(int(colour), 0), 0).rgb;
  tint = vec4(ink, (0.45 + 0.5 * sure) * (lit > 0.0 ? 1.0 : 0.13));
}`;
const FRAGMENT = `#version 300 es
precision highp float;
in vec4 tint; uniform float size; out vec4 colour;
void main() {
  float from = length(gl_PointCoord - 0.5) * size;
  float alpha = tint.a * clamp(0.5 * size - from + 0.5, 0.0, 1.0);
  colour = vec4(tint.rgb * alpha, alpha);
}`;
const UNIFORMS = ["centre", "scale", "size", "step"];
const COLUMNS = {
  before: { parts: 2, type: "FLOAT" },
  now: { parts: 2, type: "FLOAT" },
  colour: { parts: 1, type: "UNSIGNED_SHORT" },
  sure: { parts: 1, type: "UNSIGNED_BYTE", isShare: true },
  lit: { parts: 1, type: "UNSIGNED_BYTE" },
};

export class WebGlPoints {
  /** `onRestored` is called when the graphics card is back after it was lost, and the points must be drawn again. */
  constructor(canvas, onRestored = () => {}) {
    this.canvas = canvas;
    const gl = canvas.getContext("webgl2", { antialias: false, premultipliedAlpha: true });
    if (!gl) throw new Error("no WebGL2");
    Object.assign(this, { gl, n: 0, columns: {}, rows: [] });
    this.#prepare();
    // without this, the browser does not give the card back
    canvas.addEventListener("webglcontextlost", (event) => event.preventDefault());
    canvas.addEventListener("webglcontextrestored", () => {
      this.#prepare();
      this.setColumns(this.columns);
      this.setColours(this.rows);
      onRestored();
    });
  }

  /** Whether WebGL runs in software, which is slower than drawing by the processor. */
  get isSoftware() {
    const info = this.gl.getExtension("WEBGL_debug_renderer_info");
    return (
      info !== null &&
      /swiftshader|llvmpipe|software/i.test(this.gl.getParameter(info.UNMASKED_RENDERER_WEBGL))
    );
  }

  get isLost() {
    return this.gl.isContextLost();
  }

  /** Set columns by name: positions before and now, colour (its row), sure (255 is certain) and lit (0 is faint). */
  setColumns(columns) {
    Object.assign(this.columns, columns);
    if (columns.now) this.n = columns.now.length / 2;
    if (this.isLost) return;
    for (const [name, data] of Object.entries(columns)) this.#upload(name, data);
  }

  setColours(rows) {
    const { gl } = this;
    this.rows = rows;
    if (this.isLost || !rows.length) return;
    gl.bindTexture(gl.TEXTURE_2D, this.texture);
    const data = new Uint8Array(rows.flatMap((row) => [...row, 255]));
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, rows.length, 1, 0, gl.RGBA, gl.UNSIGNED_BYTE, data);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
  }

  resize(width, height, ratio) {
    Object.assign(this.canvas, { width: Math.round(width * ratio), height: Math.round(height * ratio) });
  }

  draw(camera, { size, step }, ratio) {
    if (this.isLost) return;
    const { gl, places } = this;
    gl.viewport(0, 0, this.canvas.width, this.canvas.height);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT);
    gl.uniform2f(places.centre, camera.x, camera.y);
    gl.uniform2f(places.scale, (2 * camera.scale) / camera.width, (-2 * camera.scale) / camera.height);
    gl.uniform1f(places.size, 2 * size * ratio);
    gl.uniform1f(places.step, step);
    gl.drawArrays(gl.POINTS, 0, this.n);
  }

  #prepare() {
    const { gl } = this;
    this.program = linked(gl);
    this.texture = gl.createTexture();
    this.buffers = Object.fromEntries(Object.keys(COLUMNS).map((name) => [name, gl.createBuffer()]));
    this.places = Object.fromEntries(UNIFORMS.map((name) => [name, gl.getUniformLocation(this.program, name)]));
    gl.useProgram(this.program);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
  }

  #upload(name, data) {
    const { gl } = this;
    const { parts, type, isShare = false } = COLUMNS[name];
    const place = gl.getAttribLocation(this.program, name);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.buffers[name]);
    gl.bufferData(gl.ARRAY_BUFFER, data, gl.STATIC_DRAW);
    gl.enableVertexAttribArray(place);
    gl.vertexAttribPointer(place, parts, gl[type], isShare, 0, 0);
  }
}

function linked(gl) {
  const program = gl.createProgram();
  for (const [kind, source] of [
    [gl.VERTEX_SHADER, VERTEX],
    [gl.FRAGMENT_SHADER, FRAGMENT],
  ]) {
    const shader = gl.createShader(kind);
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
  }
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(program));
  return program;
}
