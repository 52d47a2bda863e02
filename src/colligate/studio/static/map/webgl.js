// Points drawn by the graphics card: one draw call, colours from a small texture.

const VERTEX = `#version 300 es
in vec2 before; in vec2 now; in float group; in float sure;
uniform vec2 centre, scale; uniform float size, step, chosen; uniform sampler2D colours;
out vec4 tint;
void main() {
  gl_Position = vec4((mix(before, now, step) - centre) * scale, 0.0, 1.0);
  gl_PointSize = size;
  vec3 own = texelFetch(colours, ivec2(int(group), 0), 0).rgb;
  float seen = chosen < 0.0 || chosen == group ? 1.0 : 0.13;
  tint = vec4(own, (0.45 + 0.5 * sure) * seen);
}`;
const FRAGMENT = `#version 300 es
precision highp float;
in vec4 tint; uniform float size; out vec4 colour;
void main() {
  float from = length(gl_PointCoord - 0.5) * size;
  float alpha = tint.a * clamp(0.5 * size - from + 0.5, 0.0, 1.0);
  colour = vec4(tint.rgb * alpha, alpha);
}`;
const COLUMNS = { before: 2, now: 2, group: 1, sure: 1 };

export class WebGlPoints {
  constructor(canvas) {
    this.canvas = canvas;
    const gl = canvas.getContext("webgl2", { antialias: false, premultipliedAlpha: true });
    if (!gl) throw new Error("no WebGL2");
    this.gl = gl;
    this.program = linked(gl);
    this.buffers = Object.fromEntries(Object.keys(COLUMNS).map((name) => [name, gl.createBuffer()]));
    this.n = 0;
    gl.useProgram(this.program);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    this.at = Object.fromEntries(
      ["centre", "scale", "size", "step", "chosen"].map((name) => [
        name,
        gl.getUniformLocation(this.program, name),
      ]),
    );
  }

  /** Whether WebGL runs in software, which is slower than drawing by the processor. */
  get isSoftware() {
    const info = this.gl.getExtension("WEBGL_debug_renderer_info");
    return (
      info !== null &&
      /swiftshader|llvmpipe|software/i.test(this.gl.getParameter(info.UNMASKED_RENDERER_WEBGL))
    );
  }

  setPoints({ n, before, now, group, sure }) {
    this.n = n;
    this.#column("before", before, this.gl.FLOAT);
    this.#column("now", now, this.gl.FLOAT);
    this.#column("group", group, this.gl.UNSIGNED_SHORT);
    this.#column("sure", sure, this.gl.UNSIGNED_BYTE, true);
  }

  setColours(rows) {
    const { gl } = this;
    gl.bindTexture(gl.TEXTURE_2D, (this.texture ??= gl.createTexture()));
    const data = new Uint8Array(rows.flatMap((row) => [...row, 255]));
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, rows.length, 1, 0, gl.RGBA, gl.UNSIGNED_BYTE, data);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
  }

  resize(width, height, ratio) {
    Object.assign(this.canvas, { width: Math.round(width * ratio), height: Math.round(height * ratio) });
  }

  draw(camera, { size, step, chosen }, ratio) {
    const { gl, at } = this;
    gl.viewport(0, 0, this.canvas.width, this.canvas.height);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT);
    gl.uniform2f(at.centre, camera.x, camera.y);
    gl.uniform2f(at.scale, (2 * camera.scale) / camera.width, (-2 * camera.scale) / camera.height);
    gl.uniform1f(at.size, 2 * size * ratio);
    gl.uniform1f(at.step, step);
    gl.uniform1f(at.chosen, chosen);
    gl.drawArrays(gl.POINTS, 0, this.n);
  }

  #column(name, data, kind, isShare = false) {
    const { gl } = this;
    const place = gl.getAttribLocation(this.program, name);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.buffers[name]);
    gl.bufferData(gl.ARRAY_BUFFER, data, gl.STATIC_DRAW);
    gl.enableVertexAttribArray(place);
    gl.vertexAttribPointer(place, COLUMNS[name], kind, isShare, 0, 0);
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
