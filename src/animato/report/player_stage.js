// Draws a film with WebGL: shadow maps, floor, figures, strokes, ghosts. Knows nothing of time and controls.
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const unit = (a) => { const length = Math.hypot(...a) || 1; return a.map((value) => value / length); };
// Matrices are lists of columns, as WebGL takes them.
const product = (a, b) => {
  const out = new Float32Array(16);
  for (let c = 0; c < 4; c++) for (let r = 0; r < 4; r++) for (let k = 0; k < 4; k++) out[4 * c + r] += a[4 * k + r] * b[4 * c + k];
  return out;
};
const looking = (right, up, back, eye) => [right[0], up[0], back[0], 0, right[1], up[1], back[1], 0, right[2], up[2], back[2], 0, -dot(right, eye), -dot(up, eye), -dot(back, eye), 1];
const perspective = (tanX, tanY, near, far) => [1 / tanX, 0, 0, 0, 0, 1 / tanY, 0, 0, 0, 0, (near + far) / (near - far), -1, 0, 0, 2 * near * far / (near - far), 0];
const parallel = (reach, deep) => [1 / reach, 0, 0, 0, 0, 1 / reach, 0, 0, 0, 0, -1 / deep, 0, 0, 0, 0, 1];
const linear = (colour) => colour.map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
const SURROUNDINGS = [ // on light, on dark
  { top: linear([0.72, 0.77, 0.83]), bottom: linear([0.86, 0.88, 0.90]), ground: linear([0.88, 0.89, 0.90]), line: -0.26, strength: 0.52, marked: linear([0.0, 0.42, 0.85]) },
  { top: linear([0.115, 0.12, 0.135]), bottom: linear([0.17, 0.175, 0.19]), ground: linear([0.235, 0.24, 0.255]), line: 0.05, strength: 0.62, marked: linear([0.35, 0.72, 1.0]) },
];
const GHOST = [0.27, 0.30, 0.93], DARK_GHOST = [0.45, 0.52, 1.0];
// Places evenly over a disc, on Vogel's spiral.
const discOf = (count) => Array.from({ length: count }, (_, n) => [Math.cos(2.39996323 * n), Math.sin(2.39996323 * n)].map((value) => value * Math.sqrt((n + 0.5) / count))).flat();
const DISCS = Object.fromEntries([4, 5, 10].map((count) => [count, discOf(count)]));
const FLOATS = 19, STROKE_FLOATS = 13;

// Vertices of a look: place and normal on a first and a second body, colour, the two bodies and the share of the second.
const meshOf = (parts, numbers) => {
  const vertices = [], solid = [], clear = [];
  let start = 0;
  for (const part of parts) {
    const points = numbers(part.points, Int16Array), normals = numbers(part.normals, Int8Array);
    const faces = numbers(part.faces, part.faces[3] === 1 ? Uint8Array : Uint16Array), skin = part.skin;
    const far = skin && numbers(skin.points, Int16Array), farNormals = skin && numbers(skin.normals, Int8Array);
    const links = skin && numbers(skin.links, Uint16Array), weights = skin && numbers(skin.weights, Uint8Array);
    const value = parseInt(part.colour.slice(1), 16), colour = [(value >> 16) / 255, ((value >> 8) & 255) / 255, (value & 255) / 255, part.opacity];
    const count = points.length / 3, scale = part.extent / 32767, farScale = skin ? skin.extent / 32767 : 0;
    for (let n = 0; n < count; n++) {
      for (let k = 0; k < 3; k++) vertices.push(scale * points[3 * n + k]);
      for (let k = 0; k < 3; k++) vertices.push(normals[3 * n + k] / 127);
      for (let k = 0; k < 3; k++) vertices.push(skin ? farScale * far[3 * n + k] : 0);
      for (let k = 0; k < 3; k++) vertices.push(skin ? farNormals[3 * n + k] / 127 : 0);
      vertices.push(...colour, skin ? links[2 * n] : part.body, skin ? links[2 * n + 1] : part.body, skin ? weights[n] / 255 : 0);
    }
    const kept = part.opacity >= 0.995 ? solid : clear;
    for (const corner of faces) kept.push(start + corner);
    start += count;
  }
  return { vertices: new Float32Array(vertices), faces: new Uint32Array([...solid, ...clear]), solid: solid.length, clear: clear.length };
};

class Stage {
  constructor(canvas, looks, figures, slow) {
    this.canvas = canvas;
    this.gl = canvas.getContext("webgl2", { antialias: !slow, stencil: true, alpha: false, powerPreference: "low-power" });
    if (!this.gl) throw new Error("no WebGL");
    this.slow = slow;
    this.looks = looks;
    this.figures = figures; // { look, rows: Float32Array of 20 a body, bodies }
    this.build();
  }

  // All that a context holds; again after it was lost.
  build() {
    const gl = this.gl;
    if (gl.isContextLost()) return;
    const program = ({ vertex, fragment }, names) => {
      const made = gl.createProgram();
      [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]].forEach(([kind, text]) => {
        const shader = gl.createShader(kind);
        gl.shaderSource(shader, text);
        gl.compileShader(shader);
        gl.attachShader(made, shader);
      });
      names.forEach((name, n) => gl.bindAttribLocation(made, n, name));
      gl.linkProgram(made);
      if (!gl.getProgramParameter(made, gl.LINK_STATUS)) {
        if (gl.isContextLost()) return null;
        throw new Error(gl.getAttachedShaders(made).map((one) => gl.getShaderInfoLog(one)).join("") + gl.getProgramInfoLog(made));
      }
      const places = new Map();
      return { made, at: (name) => { if (!places.has(name)) places.set(name, gl.getUniformLocation(made, name)); return places.get(name); } };
    };
    const body = ["near", "nearNormal", "far", "farNormal", "colour", "held"];
    this.flat = program(FLAT_BODY, body);
    this.lit = program(LIT_BODY, body);
    this.backdrop = program(BACKDROP, []);
    this.stroke = program(STROKE, ["a", "b", "ink", "stroke"]);
    this.area = program(AREA, ["place", "ink"]);
    this.none = gl.createVertexArray();
    this.meshes = this.looks.map((look) => this.upload(look));
    this.textures = this.figures.map(() => this.texture(gl.NEAREST));
    const dynamic = (widths, instanced) => {
      const array = gl.createVertexArray(), buffer = gl.createBuffer(), stride = 4 * widths.reduce((a, b) => a + b, 0);
      gl.bindVertexArray(array);
      gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
      widths.reduce((offset, width, n) => {
        gl.enableVertexAttribArray(n);
        gl.vertexAttribPointer(n, width, gl.FLOAT, false, stride, offset);
        if (instanced) gl.vertexAttribDivisor(n, 1);
        return offset + 4 * width;
      }, 0);
      return { array, buffer };
    };
    this.strokes = dynamic([3, 3, 4, 3], true);
    this.areas = dynamic([3, 4], false);
    this.maps = [this.shadowMap(this.slow ? 640 : 1280, true), this.shadowMap(this.slow ? 256 : 512, false)];
    gl.bindVertexArray(null);
  }

  upload(look) {
    const gl = this.gl, array = gl.createVertexArray();
    gl.bindVertexArray(array);
    gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
    gl.bufferData(gl.ARRAY_BUFFER, look.vertices, gl.STATIC_DRAW);
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, gl.createBuffer());
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, look.faces, gl.STATIC_DRAW);
    [3, 3, 3, 3, 4, 3].reduce((offset, width, n) => {
      gl.enableVertexAttribArray(n);
      gl.vertexAttribPointer(n, width, gl.FLOAT, false, 4 * FLOATS, offset);
      return offset + 4 * width;
    }, 0);
    return array;
  }

  texture(filter) {
    const gl = this.gl, made = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D, made);
    for (const name of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER]) gl.texParameteri(gl.TEXTURE_2D, name, filter);
    for (const name of [gl.TEXTURE_WRAP_S, gl.TEXTURE_WRAP_T]) gl.texParameteri(gl.TEXTURE_2D, name, gl.CLAMP_TO_EDGE);
    return made;
  }

  shadowMap(side, compared) {
    const gl = this.gl, texture = this.texture(compared ? gl.LINEAR : gl.NEAREST), frame = gl.createFramebuffer();
    gl.texStorage2D(gl.TEXTURE_2D, 1, gl.DEPTH_COMPONENT24, side, side);
    if (compared) gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_COMPARE_MODE, gl.COMPARE_REF_TO_TEXTURE);
    gl.bindFramebuffer(gl.FRAMEBUFFER, frame);
    gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.DEPTH_ATTACHMENT, gl.TEXTURE_2D, texture, 0);
    gl.drawBuffers([gl.NONE]);
    gl.readBuffer(gl.NONE);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    return { texture, frame, side };
  }

  // One picture. `view` says from where, `shown` which figures and how, `strokes` and `areas` are lists of numbers.
  draw(view, shown, strokes, marks, areas) {
    const gl = this.gl;
    if (gl.isContextLost() || !this.lit) return false;
    this.figures.forEach((figure, n) => {
      gl.activeTexture(gl.TEXTURE2);
      gl.bindTexture(gl.TEXTURE_2D, this.textures[n]);
      gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA32F, 5, figure.bodies, 0, gl.RGBA, gl.FLOAT, figure.rows);
    });
    const solid = shown.filter((one) => !one.ghost), ghosts = shown.filter((one) => one.ghost);
    gl.enable(gl.DEPTH_TEST);
    gl.depthFunc(gl.LEQUAL);
    gl.disable(gl.BLEND);
    gl.disable(gl.STENCIL_TEST);
    gl.depthMask(true);
    if (view.taps > 0) this.cast(view, solid);
    gl.viewport(0, 0, this.canvas.width, this.canvas.height);
    gl.colorMask(true, true, true, true);
    gl.clear(gl.DEPTH_BUFFER_BIT | gl.STENCIL_BUFFER_BIT);
    this.drawBackdrop(view);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    gl.depthMask(false);
    this.fill(view, areas);
    gl.depthMask(true);
    gl.disable(gl.BLEND);
    this.drawDepths(view, solid);
    gl.enable(gl.STENCIL_TEST);
    gl.stencilFunc(gl.ALWAYS, 1, 255);
    gl.stencilOp(gl.KEEP, gl.KEEP, gl.REPLACE);
    for (const one of solid) this.drawFigure(view, one, { opacity: 1, tint: [...this.tintOf(view, one), one.tinted && !one.used ? 0.4 : 0], push: 0, clear: false });
    gl.stencilOp(gl.KEEP, gl.KEEP, gl.KEEP);
    gl.disable(gl.STENCIL_TEST);
    gl.enable(gl.BLEND);
    gl.depthMask(false);
    this.drawStrokes(view, strokes);
    for (const one of solid) if (this.looks[one.look].clear) this.drawFigure(view, one, { opacity: 0.45, tint: [0, 0, 0, 0], push: 0, clear: true });
    for (const one of ghosts) this.drawGhost(view, one);
    gl.disable(gl.DEPTH_TEST);
    gl.depthMask(false);
    this.drawStrokes(view, marks);
    gl.bindVertexArray(null);
    return true;
  }

  // What the lamp and the sky see, as depths.
  cast(view, solid) {
    const gl = this.gl;
    gl.useProgram(this.flat.made);
    gl.colorMask(false, false, false, false);
    gl.activeTexture(gl.TEXTURE0);
    gl.bindTexture(gl.TEXTURE_2D, null);
    gl.activeTexture(gl.TEXTURE1);
    gl.bindTexture(gl.TEXTURE_2D, null);
    [[this.maps[0], view.toLamp], [this.maps[1], view.toSky]].slice(0, view.skyTaps ? 2 : 1).forEach(([map, matrix]) => {
      gl.bindFramebuffer(gl.FRAMEBUFFER, map.frame);
      gl.viewport(0, 0, map.side, map.side);
      gl.clear(gl.DEPTH_BUFFER_BIT);
      gl.uniformMatrix4fv(this.flat.at("camera"), false, matrix);
      for (const one of solid) this.elements(this.flat, one, false);
    });
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
  }

  // What is hidden need not be lit: depths first, a little behind themselves.
  drawDepths(view, solid) {
    const gl = this.gl;
    gl.useProgram(this.flat.made);
    gl.uniformMatrix4fv(this.flat.at("camera"), false, view.camera);
    gl.colorMask(false, false, false, false);
    gl.enable(gl.POLYGON_OFFSET_FILL);
    gl.polygonOffset(1, 4);
    for (const one of solid) this.elements(this.flat, one, false);
    gl.disable(gl.POLYGON_OFFSET_FILL);
    gl.colorMask(true, true, true, true);
  }

  elements(program, one, clear) {
    const gl = this.gl, look = this.looks[one.look], first = clear ? look.solid : 0, count = clear ? look.clear : one.ghost ? look.solid + look.clear : look.solid;
    if (!count) return;
    gl.activeTexture(gl.TEXTURE2);
    gl.bindTexture(gl.TEXTURE_2D, this.textures[one.figure]);
    gl.uniform1i(program.at("bodies"), 2);
    gl.uniform3fv(program.at("shift"), one.shift);
    gl.bindVertexArray(this.meshes[one.look]);
    gl.drawElements(gl.TRIANGLES, count, gl.UNSIGNED_INT, 4 * first);
  }

  lightUp(program, view) {
    const gl = this.gl;
    gl.useProgram(program.made);
    this.maps.forEach(({ texture }, n) => { gl.activeTexture(gl.TEXTURE0 + n); gl.bindTexture(gl.TEXTURE_2D, texture); });
    gl.uniform1i(program.at("lampMap"), 0);
    gl.uniform1i(program.at("skyMap"), 1);
    for (const name of ["toLamp", "toSky", "camera"]) gl.uniformMatrix4fv(program.at(name), false, view[name]);
    for (const name of ["key", "fill", "eye"]) gl.uniform3fv(program.at(name), view[name]);
    gl.uniform1f(program.at("size"), view.size);
    gl.uniform1f(program.at("skyDepth"), view.skyDepth);
    gl.uniform1i(program.at("taps"), view.taps);
    gl.uniform1i(program.at("skyTaps"), view.skyTaps);
    if (view.taps) gl.uniform2fv(program.at("lampDisc"), DISCS[view.taps]);
    if (view.skyTaps) gl.uniform2fv(program.at("skyDisc"), DISCS[view.skyTaps]);
  }

  drawBackdrop(view) {
    const gl = this.gl, program = this.backdrop, around = SURROUNDINGS[view.dark ? 1 : 0];
    this.lightUp(program, view);
    for (const name of ["right", "up", "forward"]) gl.uniform3fv(program.at(name), view[name]);
    for (const name of ["top", "bottom", "ground"]) gl.uniform3fv(program.at(name), around[name]);
    gl.uniform2fv(program.at("lens"), view.lens);
    gl.uniform4fv(program.at("floorAt"), view.floor);
    gl.uniform4fv(program.at("shaded"), view.shaded);
    gl.uniform1f(program.at("grid"), view.grid);
    gl.uniform1f(program.at("line"), around.line);
    gl.uniform1f(program.at("strength"), around.strength);
    gl.bindVertexArray(this.none);
    gl.depthFunc(gl.ALWAYS);
    gl.drawArrays(gl.TRIANGLES, 0, 3);
    gl.depthFunc(gl.LEQUAL);
  }

  drawFigure(view, one, { opacity, tint, push, clear }) {
    const gl = this.gl, program = this.lit;
    this.lightUp(program, view);
    gl.uniform3fv(program.at("from"), view.eye);
    gl.uniform3fv(program.at("marked"), SURROUNDINGS[view.dark ? 1 : 0].marked);
    gl.uniform1f(program.at("push"), push);
    gl.uniform1f(program.at("used"), one.used ? 1 : 0);
    gl.uniform4fv(program.at("tint"), tint);
    gl.uniform1f(program.at("opacity"), opacity);
    this.elements(program, one, clear);
  }

  tintOf(view, one) { return linear(one.colour ? (view.dark ? MIX(one.colour, [1, 1, 1], 0.25) : one.colour) : view.dark ? DARK_GHOST : GHOST); }

  // Its nearest surface only, fainter before something solid.
  drawGhost(view, one) {
    const gl = this.gl, tint = [...this.tintOf(view, one), one.used ? 0 : 0.9], opacity = one.opacity || (view.dark ? 0.46 : 0.36);
    const pass = (share) => this.drawFigure(view, one, { opacity: share, tint, push: 0.006 * view.size, clear: false });
    gl.depthMask(true);
    gl.colorMask(false, false, false, false);
    pass(opacity);
    gl.depthMask(false);
    gl.colorMask(true, true, true, true);
    gl.depthFunc(gl.EQUAL);
    gl.enable(gl.STENCIL_TEST);
    gl.stencilFunc(gl.EQUAL, 0, 255);
    pass(opacity);
    gl.stencilFunc(gl.EQUAL, 1, 255);
    pass(0.4 * opacity);
    gl.disable(gl.STENCIL_TEST);
    gl.depthFunc(gl.LEQUAL);
  }

  drawStrokes(view, list) {
    if (!list.length) return;
    const gl = this.gl, program = this.stroke;
    gl.useProgram(program.made);
    gl.uniformMatrix4fv(program.at("camera"), false, view.camera);
    gl.uniform2f(program.at("pixels"), this.canvas.width, this.canvas.height);
    gl.uniform1f(program.at("focal"), this.canvas.height / (2 * view.lens[1]));
    gl.bindVertexArray(this.strokes.array);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.strokes.buffer);
    gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(list), gl.DYNAMIC_DRAW);
    gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, list.length / STROKE_FLOATS);
  }

  fill(view, list) {
    if (!list.length) return;
    const gl = this.gl;
    gl.useProgram(this.area.made);
    gl.uniformMatrix4fv(this.area.at("camera"), false, view.camera);
    gl.bindVertexArray(this.areas.array);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.areas.buffer);
    gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(list), gl.DYNAMIC_DRAW);
    gl.drawArrays(gl.TRIANGLES, 0, list.length / 7);
  }
}
