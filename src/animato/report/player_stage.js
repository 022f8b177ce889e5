// Draws a film with WebGL: shadow maps, floor, figures, strokes, ghosts. Knows nothing of time and controls.
const linear = (colour) => colour.map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
const SURROUNDINGS = [ // on light, on dark
  { top: linear([0.72, 0.77, 0.83]), bottom: linear([0.86, 0.88, 0.90]), ground: linear([0.88, 0.89, 0.90]), line: -0.26, strength: 0.52, marked: linear([0.0, 0.42, 0.85]) },
  { top: linear([0.115, 0.12, 0.135]), bottom: linear([0.17, 0.175, 0.19]), ground: linear([0.235, 0.24, 0.255]), line: 0.05, strength: 0.62, marked: linear([0.35, 0.72, 1.0]) },
];
const GHOST = [0.27, 0.30, 0.93], DARK_GHOST = [0.45, 0.52, 1.0];
// Places evenly over a disc, on Vogel's spiral.
const discOf = (count) => Array.from({ length: count }, (_, n) => [Math.cos(2.39996323 * n), Math.sin(2.39996323 * n)].map((value) => value * Math.sqrt((n + 0.5) / count))).flat();
const DISCS = Object.fromEntries([4, 5, 10].map((count) => [count, discOf(count)]));
const STROKE_FLOATS = 13;
const BODY = ["near", "nearNormal", "far", "farNormal", "colour", "held"];
const PROGRAMS = { kept: { shaders: KEPT, inputs: [] }, ground: { shaders: GROUND, inputs: [] }, flat: { shaders: FLAT_BODY, inputs: BODY }, shade: { shaders: SHADE, inputs: BODY }, lit: { shaders: LIT_BODY, inputs: BODY }, backdrop: { shaders: BACKDROP, inputs: [] },
  stroke: { shaders: STROKE, inputs: ["a", "b", "ink", "stroke"] }, area: { shaders: AREA, inputs: ["place", "ink"] } };

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

  // Other figures in the place of those that were.
  recast(looks, figures) {
    const gl = this.gl;
    for (const { array, buffers } of this.meshes || []) { gl.deleteVertexArray(array); buffers.forEach((one) => gl.deleteBuffer(one)); }
    for (const texture of this.textures || []) gl.deleteTexture(texture);
    this.looks = looks;
    this.figures = figures;
    this.meshes = looks.map((look) => this.upload(look));
    this.textures = figures.map(() => this.texture(gl.NEAREST));
    gl.bindVertexArray(null);
  }

  // All that a context holds; again after it was lost.
  build() {
    const gl = this.gl;
    if (gl.isContextLost()) return;
    this.programs = new Map();
    this.none = gl.createVertexArray();
    this.meshes = this.textures = null; // those of a lost context are gone
    this.recast(this.looks, this.figures);
    const dynamic = (widths) => {
      const array = gl.createVertexArray(), buffer = gl.createBuffer(), stride = 4 * widths.reduce((a, b) => a + b, 0);
      gl.bindVertexArray(array);
      gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
      widths.reduce((offset, width, n) => {
        gl.enableVertexAttribArray(n);
        gl.vertexAttribPointer(n, width, gl.FLOAT, false, stride, offset);
        return offset + 4 * width;
      }, 0);
      return { array, buffer };
    };
    this.areas = dynamic([3, 4]);
    this.strokes = { ...dynamic([3, 3, 4, 3]), corners: gl.createBuffer(), room: 0 };
    this.kept = { texture: this.texture(gl.NEAREST), last: "", held: "" }; // a backdrop, and of which views
    this.maps = [this.shadowMap(this.slow ? 640 : 1280, true), this.shadowMap(this.slow ? 256 : 512, false)];
    gl.bindVertexArray(null);
  }

  // A program by its name, as it was made before or made now; `has` says what its shaders have.
  program(name, ...has) {
    const gl = this.gl, key = [name, ...has].join(" ");
    if (this.programs.has(key)) return this.programs.get(key);
    const made = gl.createProgram(), { shaders, inputs } = PROGRAMS[name], told = has.filter(Boolean).map((one) => `#define ${one}\n`).join("");
    [[gl.VERTEX_SHADER, shaders.vertex], [gl.FRAGMENT_SHADER, shaders.fragment]].forEach(([kind, text]) => {
      const shader = gl.createShader(kind), [version, ...rest] = text.split("\n");
      gl.shaderSource(shader, `${version}\n${told}${rest.join("\n")}`);
      gl.compileShader(shader);
      gl.attachShader(made, shader);
    });
    inputs.forEach((input, n) => gl.bindAttribLocation(made, n, input));
    gl.linkProgram(made);
    if (!gl.getProgramParameter(made, gl.LINK_STATUS) && !gl.isContextLost()) throw new Error(gl.getAttachedShaders(made).map((one) => gl.getShaderInfoLog(one)).join("") + gl.getProgramInfoLog(made));
    const places = new Map(), program = { made, at: (input) => { if (!places.has(input)) places.set(input, gl.getUniformLocation(made, input)); return places.get(input); } };
    this.programs.set(key, program);
    return program;
  }

  upload(look) {
    const gl = this.gl, array = gl.createVertexArray(), buffers = [gl.createBuffer(), gl.createBuffer()];
    gl.bindVertexArray(array);
    gl.bindBuffer(gl.ARRAY_BUFFER, buffers[0]);
    gl.bufferData(gl.ARRAY_BUFFER, look.vertices, gl.STATIC_DRAW);
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, buffers[1]);
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, look.faces, gl.STATIC_DRAW);
    [3, 3, 3, 3, 4, 3].reduce((offset, width, n) => {
      gl.enableVertexAttribArray(n);
      gl.vertexAttribPointer(n, width, gl.FLOAT, false, 4 * FLOATS, offset);
      return offset + 4 * width;
    }, 0);
    return { array, buffers };
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
    if (gl.isContextLost() || !this.programs) return false;
    this.figures.forEach((figure, n) => {
      gl.activeTexture(gl.TEXTURE2);
      gl.bindTexture(gl.TEXTURE_2D, this.textures[n]);
      gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA32F, 5, figure.bodies, 0, gl.RGBA, gl.FLOAT, figure.rows);
    });
    const solid = shown.filter((one) => !one.ghost), ghosts = shown.filter((one) => one.ghost);
    this.thin = view.thin;
    gl.enable(gl.DEPTH_TEST);
    gl.depthFunc(gl.LEQUAL);
    gl.disable(gl.BLEND);
    gl.disable(gl.STENCIL_TEST);
    gl.depthMask(true);
    if (view.taps > 0) this.cast(view, solid);
    gl.viewport(0, 0, this.canvas.width, this.canvas.height);
    gl.colorMask(true, true, true, true);
    gl.clear(gl.DEPTH_BUFFER_BIT | gl.STENCIL_BUFFER_BIT);
    this.layBackdrop(view);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    if (!view.taps) this.layShadows(view, solid);
    gl.depthMask(false);
    this.fill(view, areas);
    gl.depthMask(true);
    gl.disable(gl.BLEND);
    if (view.taps) this.drawDepths(view, solid); // without shadows a pixel costs less than another look at all corners
    gl.enable(gl.STENCIL_TEST);
    gl.stencilFunc(gl.ALWAYS, 1, 1);
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
    gl.colorMask(false, false, false, false);
    gl.activeTexture(gl.TEXTURE0);
    gl.bindTexture(gl.TEXTURE_2D, null);
    gl.activeTexture(gl.TEXTURE1);
    gl.bindTexture(gl.TEXTURE_2D, null);
    [[this.maps[0], view.toLamp], [this.maps[1], view.toSky]].slice(0, view.skyTaps ? 2 : 1).forEach(([map, matrix]) => {
      gl.bindFramebuffer(gl.FRAMEBUFFER, map.frame);
      gl.viewport(0, 0, map.side, map.side);
      gl.clear(gl.DEPTH_BUFFER_BIT);
      this.drawFlat(matrix, solid);
    });
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
  }

  // What is hidden need not be lit: depths first, a little behind themselves.
  drawDepths(view, solid) {
    const gl = this.gl;
    gl.colorMask(false, false, false, false);
    gl.enable(gl.POLYGON_OFFSET_FILL);
    gl.polygonOffset(1, 4);
    this.drawFlat(view.camera, solid);
    gl.disable(gl.POLYGON_OFFSET_FILL);
    gl.colorMask(true, true, true, true);
  }

  drawFlat(camera, solid) {
    const gl = this.gl;
    for (const one of solid) {
      const program = this.program("flat", this.looks[one.look].skinned && "SKIN");
      gl.useProgram(program.made);
      gl.uniformMatrix4fv(program.at("camera"), false, camera);
      this.elements(program, one, false);
    }
  }

  // Shadows on the floor where there are no maps of them; each place is darkened once.
  layShadows(view, solid) {
    const gl = this.gl;
    if (view.eye[2] <= view.floor[0]) return;
    gl.disable(gl.DEPTH_TEST);
    gl.enable(gl.STENCIL_TEST);
    gl.stencilFunc(gl.NOTEQUAL, 2, 2);
    gl.stencilOp(gl.KEEP, gl.KEEP, gl.REPLACE);
    for (const one of solid) {
      const program = this.program("shade", this.looks[one.look].skinned && "SKIN");
      gl.useProgram(program.made);
      gl.uniformMatrix4fv(program.at("camera"), false, view.camera);
      gl.uniform4f(program.at("light"), ...view.key, view.floor[0]);
      gl.uniform1f(program.at("dark"), 1 - (1 - SURROUNDINGS[view.dark ? 1 : 0].strength) ** 0.4545);
      this.elements(program, one, false);
    }
    gl.disable(gl.STENCIL_TEST);
    gl.enable(gl.DEPTH_TEST);
  }

  elements(program, one, clear) {
    const gl = this.gl, look = this.looks[one.look], thin = this.thin && look.thin && !clear && !one.ghost;
    const first = thin ? look.solid + look.clear : clear ? look.solid : 0, count = thin ? look.thin : clear ? look.clear : one.ghost ? look.solid + look.clear : look.solid;
    if (!count) return;
    gl.activeTexture(gl.TEXTURE2);
    gl.bindTexture(gl.TEXTURE_2D, this.textures[one.figure]);
    gl.uniform1i(program.at("bodies"), 2);
    gl.uniform3fv(program.at("shift"), one.shift);
    gl.bindVertexArray(this.meshes[one.look].array);
    gl.drawElements(gl.TRIANGLES, count, gl.UNSIGNED_INT, 4 * first);
  }

  lightUp(program, view) {
    const gl = this.gl;
    gl.useProgram(program.made);
    gl.uniformMatrix4fv(program.at("camera"), false, view.camera);
    for (const name of ["key", "fill", "eye"]) gl.uniform3fv(program.at(name), view[name]);
    if (!view.taps) return;
    this.maps.forEach(({ texture }, n) => { gl.activeTexture(gl.TEXTURE0 + n); gl.bindTexture(gl.TEXTURE_2D, texture); });
    gl.uniform1i(program.at("lampMap"), 0);
    gl.uniform1i(program.at("skyMap"), 1);
    for (const name of ["toLamp", "toSky"]) gl.uniformMatrix4fv(program.at(name), false, view[name]);
    gl.uniform1f(program.at("size"), view.size);
    gl.uniform1f(program.at("skyDepth"), view.skyDepth);
    gl.uniform1i(program.at("taps"), view.taps);
    gl.uniform1i(program.at("skyTaps"), view.skyTaps);
    gl.uniform2fv(program.at("lampDisc"), DISCS[view.taps]);
    if (view.skyTaps) gl.uniform2fv(program.at("skyDisc"), DISCS[view.skyTaps]);
  }

  // Where no lamp casts shadows on it and the camera rests, the backdrop is what it was in the last picture. A processor
  // lays a kept one down in a quarter of the time in which it draws one; the floor's depth is drawn anew.
  layBackdrop(view) {
    const { kept, canvas: { width, height } } = this;
    const now = !this.slow || view.taps ? "" : [width, height, view.dark, view.eye, view.right, view.up, view.forward, view.lens, view.floor, view.grid].join();
    if (now && now === kept.held) {
      this.drawKept();
      this.drawGround(view);
      return;
    }
    this.drawBackdrop(view);
    if (now && now === kept.last) this.keepBackdrop(now);
    kept.last = now;
  }

  keepBackdrop(now) {
    const gl = this.gl, { kept, canvas: { width, height } } = this;
    gl.activeTexture(gl.TEXTURE3);
    gl.bindTexture(gl.TEXTURE_2D, kept.texture);
    gl.copyTexImage2D(gl.TEXTURE_2D, 0, gl.RGB, 0, 0, width, height, 0);
    kept.held = now;
  }

  drawKept() {
    const gl = this.gl, program = this.program("kept");
    gl.useProgram(program.made);
    gl.activeTexture(gl.TEXTURE3);
    gl.bindTexture(gl.TEXTURE_2D, this.kept.texture);
    gl.uniform1i(program.at("kept"), 3);
    gl.bindVertexArray(this.none);
    gl.disable(gl.DEPTH_TEST);
    gl.drawArrays(gl.TRIANGLES, 0, 3);
    gl.enable(gl.DEPTH_TEST);
  }

  drawGround(view) {
    const gl = this.gl, program = this.program("ground");
    if (view.eye[2] <= view.floor[0]) return;
    gl.useProgram(program.made);
    gl.uniformMatrix4fv(program.at("camera"), false, view.camera);
    gl.uniform4fv(program.at("floorAt"), view.floor);
    gl.colorMask(false, false, false, false);
    gl.enable(gl.POLYGON_OFFSET_FILL);
    gl.polygonOffset(1, 1); // what lies on the floor is on it
    gl.bindVertexArray(this.none);
    gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
    gl.disable(gl.POLYGON_OFFSET_FILL);
    gl.colorMask(true, true, true, true);
  }

  drawBackdrop(view) {
    const gl = this.gl, program = this.program("backdrop", view.taps && "SHADED"), around = SURROUNDINGS[view.dark ? 1 : 0];
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
    const gl = this.gl, program = this.program("lit", view.taps && opacity >= 1 && "SHADED", this.looks[one.look].skinned && "SKIN");
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
    gl.stencilFunc(gl.EQUAL, 0, 1);
    pass(opacity);
    gl.stencilFunc(gl.EQUAL, 1, 1);
    pass(0.4 * opacity);
    gl.disable(gl.STENCIL_TEST);
    gl.depthFunc(gl.LEQUAL);
  }

  drawStrokes(view, list) {
    if (!list.length) return;
    const gl = this.gl, program = this.program("stroke");
    gl.useProgram(program.made);
    gl.uniformMatrix4fv(program.at("camera"), false, view.camera);
    gl.uniform2f(program.at("pixels"), this.canvas.width, this.canvas.height);
    gl.uniform1f(program.at("focal"), this.canvas.height / (2 * view.lens[1]));
    const count = list.length / STROKE_FLOATS, corners = new Float32Array(4 * list.length);
    for (let n = 0; n < count; n++) for (let corner = 0; corner < 4; corner++) for (let k = 0; k < STROKE_FLOATS; k++) corners[STROKE_FLOATS * (4 * n + corner) + k] = list[STROKE_FLOATS * n + k];
    gl.bindVertexArray(this.strokes.array);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.strokes.buffer);
    gl.bufferData(gl.ARRAY_BUFFER, corners, gl.DYNAMIC_DRAW);
    this.makeRoom(count);
    gl.drawElements(gl.TRIANGLES, 6 * count, gl.UNSIGNED_INT, 0);
  }

  // Two triangles a stroke. Not one instance a stroke: a processor draws instances one by one, 8 us each.
  makeRoom(count) {
    const gl = this.gl, { strokes } = this;
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, strokes.corners);
    if (count <= strokes.room) return;
    strokes.room = 2 * count;
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, Uint32Array.from({ length: 6 * strokes.room }, (_, n) => 4 * Math.floor(n / 6) + [0, 1, 2, 2, 1, 3][n % 6]), gl.STATIC_DRAW);
  }

  fill(view, list) {
    if (!list.length) return;
    const gl = this.gl, program = this.program("area");
    gl.useProgram(program.made);
    gl.uniformMatrix4fv(program.at("camera"), false, view.camera);
    gl.bindVertexArray(this.areas.array);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.areas.buffer);
    gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(list), gl.DYNAMIC_DRAW);
    gl.drawArrays(gl.TRIANGLES, 0, list.length / 7);
  }
}

// What draws: "" where there is no WebGL, "slow" where a processor stands in for a graphics card.
const graphics = () => {
  try {
    const made = document.createElement("canvas").getContext("webgl2");
    if (!made) return "";
    let name = made.getParameter(made.RENDERER);
    if (name === "WebKit WebGL") { // it keeps the name to itself; others warn where they are asked like this
      const told = made.getExtension("WEBGL_debug_renderer_info");
      if (told) name = made.getParameter(told.UNMASKED_RENDERER_WEBGL);
    }
    const lose = made.getExtension("WEBGL_lose_context");
    if (lose) lose.loseContext();
    return /swiftshader|llvmpipe|software|basic render/i.test(name) ? "slow" : "fast";
  } catch { return ""; }
};
