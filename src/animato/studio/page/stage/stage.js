// The stage: the character in its room, live. What others may do with it is in `stage`; how, in the files beside.
import { link } from "../core/link.js";
import { store } from "../core/store.js";
import { Cast } from "./cast.js";
import { Clock } from "./clock.js";
import { Labels } from "./labels.js";
import { Orbit } from "./orbit.js";
import { Picker } from "./picking.js";
import { Pointers } from "./pointer.js";
import { Quality } from "./quality.js";
import { listenForSelection } from "./selection.js";
import { showOverlays } from "./overlays.js";

const REST_MS = [150, 450], POLISH_MS = 900, // with a graphics card, and without: there a fine picture keeps the processor from what a hand does next
  NO_WEBGL = "This browser cannot draw in three dimensions (WebGL 2 is missing or switched off). Everything else on this page works; try another browser to see the character.";
const IN_PLACE = [0, 0, 0];

class LiveStage {
  constructor() {
    Object.assign(this, { frames: 0, cast: null, gl: null, layers: new Map(), watchers: new Set(), marked: -1, hovered: -1, placing: ["over", "over"], beside: IN_PLACE, joint: null, heat: false, asked: false, stale: true, movedAt: 0, lastAt: 0, fine: true, polished: false });
    this.clock = new Clock(() => { this.stale = true; this.ask(); this.tellTime(); });
    this.orbit = new Orbit(() => this.ask());
  }

  // --- Time -----------------------------------------------------------------------------------------------------------
  get time() { return this.clock.time; }
  get begin() { return this.clock.begin; }
  get end() { return this.clock.end; }
  get playing() { return this.clock.playing; }
  get speed() { return this.clock.speed; }
  set speed(value) { this.clock.speed = value; }
  get loop() { return this.clock.loop; }
  set loop(on) { this.clock.loop = on; }
  get range() { return this.clock.range; }
  set range(value) { this.clock.range = value; this.ask(); }
  seek(time) { this.dropLive(); this.clock.seek(time); }
  play(on = true) { if (on) this.dropLive(); this.clock.play(on); }
  onTime(handler) { this.watchers.add(handler); return () => this.watchers.delete(handler); }
  tellTime() {
    for (const handler of [...this.watchers]) handler(this.time, this.playing);
    store.tell("time", this.time);
  }

  // --- Who is there ---------------------------------------------------------------------------------------------------
  setScene(scene) {
    this.cast = new Cast(scene, this.kind === "slow");
    this.picker = new Picker(this.cast.film.meshes[this.cast.film.cast[0].look], this.cast.bodies);
    this.orbit.aim(scene);
    this.marked = this.hovered = -1;
    if (this.gl) this.gl.recast(this.cast.film.meshes, this.cast.film.cast); else this.begins();
    this.stale = true;
    this.ask();
  }

  setMotion(message) {
    if (!this.cast) return;
    this.cast.setMotion(message);
    const main = this.cast.motions[0] || this.cast.motions[1];
    this.clock.setSpan(main ? main.begin : 0, main ? main.end : 0);
    if (!main) this.clock.play(false);
    this.stale = true;
    this.ask();
    store.tell("motion", message.figure);
  }

  setPose(message) {
    if (!this.cast) return;
    if (!message.off && this.playing) this.clock.play(false);
    this.cast.setLive(message.figure || "main", message.off ? null : message.arrays);
    this.stale = true;
    this.ask();
    this.tellTime();
  }

  dropLive() { if (this.cast) { this.cast.setLive("main", null); this.cast.setLive("ghost", null); this.stale = true; } }
  get live() { return Boolean(this.cast && this.cast.live[0]); }
  motionOf(figure) {
    const motion = this.cast && this.cast.motions[this.cast.number(figure)];
    return motion ? { times: motion.times, positions: motion.positions, quaternions: motion.quaternions, coordinates: motion.coordinates, names: this.cast.scene.coordinates, take: motion.take } : null;
  }
  coordinatesNow() { return this.cast ? this.cast.coordinates(this.time) : new Float32Array(0); }

  // Where a body is now: its places and ways in the world, and back.
  bodyPose(body, figure = "main") {
    this.refresh();
    const n = this.cast.number(figure), { rows } = this.cast.film.cast[n], shift = this.shifts()[n], { place, turn } = poseIn(rows, body, shift), r = 20 * body;
    const unplace = (point) => {
      const off = [0, 1, 2].map((k) => point[k] - shift[k] - rows[r + 4 * k + 3]);
      return [0, 1, 2].map((k) => rows[r + k] * off[0] + rows[r + 4 + k] * off[1] + rows[r + 8 + k] * off[2]);
    };
    return { place, turn, unplace };
  }

  refresh() { if (this.stale && this.cast) { this.cast.pose(this.time); this.stale = false; } }

  // --- Seeing ---------------------------------------------------------------------------------------------------------
  shifts() { return this.placing.map((one) => (one === "beside" ? this.beside : IN_PLACE)); }
  view() {
    const { canvas, cast, orbit } = this;
    return viewOf(cast.film, orbit, orbit.lamps, canvas.clientWidth / Math.max(canvas.clientHeight, 1), cast.away(this.time), cast.bounds, this.shifts());
  }
  lens() { return lensOf(this.cast.film.camera, this.canvas.clientWidth / Math.max(this.canvas.clientHeight, 1)); }

  ray(clientX, clientY) {
    const { eye, right, up, forward, lens } = this.view(), box = this.canvas.getBoundingClientRect();
    const x = 2 * (clientX - box.left) / box.width - 1, y = 1 - 2 * (clientY - box.top) / box.height;
    return { origin: eye, direction: unit(forward.map((value, n) => value + lens[0] * x * right[n] + lens[1] * y * up[n])) };
  }
  project(point) {
    const view = this.view(), box = this.canvas.getBoundingClientRect(), [x, y] = seenIn(view, box.width, box.height)(point);
    return [box.left + box.width / 2 + x, box.top + box.height / 2 - y, dot(view.forward, point.map((value, n) => value - view.eye[n]))];
  }
  onPlane(clientX, clientY, { origin, normal }) {
    const ray = this.ray(clientX, clientY), along = dot(ray.direction, normal), far = dot(origin.map((value, n) => value - ray.origin[n]), normal) / along;
    return Math.abs(along) > 1e-6 && far > 0 ? ray.origin.map((value, n) => value + far * ray.direction[n]) : null;
  }
  // What is under a pointer; `room` [pixels] around it is tried as well, for what is thin.
  pick(clientX, clientY, room = 0) {
    if (!this.cast) return null;
    this.refresh();
    const { rows } = this.cast.film.cast[0], at = (x, y) => this.picker.pick(this.ray(x, y), rows), hit = at(clientX, clientY);
    for (let n = 0; !hit && room && n < 8; n++) {
      const near = at(clientX + room * Math.cos(n * Math.PI / 4), clientY + room * Math.sin(n * Math.PI / 4));
      if (near) return near;
    }
    return hit;
  }

  // --- What else is seen ----------------------------------------------------------------------------------------------
  layer(name, draw) { if (draw) this.layers.set(name, draw); else this.layers.delete(name); this.ask(); }
  grip(name, grip, priority = 0) { this.pointers.setGrip(name, grip, priority); }
  mark(body) { this.marked = body; this.ask(false); }
  markJoint(name) { const joint = this.cast && this.cast.scene.joints.find((one) => one.name === name); this.mark(joint ? joint.body : -1); this.joint = joint || null; }
  // How the artist's motion is seen: "over", "beside" or "off". Beside is to the right of who looks, who steps back.
  ghost(how) {
    const before = this.placing[1], next = how === false ? "off" : how === true ? "over" : how, { orbit } = this;
    if (next === before || !this.cast) return;
    const step = (sign) => orbit.glide({ turn: orbit.turn, rise: orbit.rise, away: orbit.away * 1.3 ** sign, target: orbit.target.map((value, n) => value + 0.5 * sign * this.beside[n]) });
    if (before === "beside") step(-1);
    this.placing[1] = next;
    if (next === "beside") { const across = Math.hypot(...this.cast.film.beside); this.beside = axesOf(orbit).right.map((value) => across * value); step(1); }
    store.tell("ghost", next);
    this.ask();
  }
  setTrails(names) { this.trails = [...names]; store.tell("trails", this.trails); this.ask(); }

  // --- Drawing --------------------------------------------------------------------------------------------------------
  get restMs() { return REST_MS[this.quality.slow ? 1 : 0]; }
  // `moving` is false for what changes once, such as a colour: that is drawn finely at once.
  ask(moving = true) {
    if (moving) this.movedAt = performance.now();
    if (this.asked || !this.canvas) return;
    this.asked = true;
    requestAnimationFrame((now) => this.picture(now));
  }

  picture(now) {
    this.asked = false;
    if (this.playing) this.clock.tick(now);
    const gliding = this.orbit.tick(now), moving = performance.now() - this.movedAt < this.restMs || this.playing || gliding;
    if (moving && !this.fine && now - this.lastAt < 400) this.quality.passed(now - this.lastAt, now);
    this.lastAt = now;
    if (this.draw(moving ? "moving" : "resting")) { this.fine = !moving; this.polished = !moving && !this.quality.slow; this.frames++; }
    if (this.playing || gliding) this.ask();
    clearTimeout(this.resting);
    if (moving) this.resting = setTimeout(() => { this.quality.rested(); this.ask(false); }, this.restMs + 10);
    else if (!this.polished) this.resting = setTimeout(() => { if (!this.asked && this.draw("polished")) { this.polished = true; this.frames++; } }, POLISH_MS);
  }

  draw(how) {
    const { canvas, cast, gl } = this;
    if (!cast || !gl || !canvas.clientWidth || !canvas.clientHeight) return false;
    this.refresh();
    cast.widen(cast.away(this.time));
    this.paint();
    const { width, height, taps, skyTaps, thin } = this.quality.sizes(canvas.clientWidth, canvas.clientHeight, how);
    if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
    const view = { ...this.view(), taps, skyTaps, thin, dark: document.documentElement.dataset.theme === "dark" };
    view.shaded = cast.film.shaded(view.key, view.shifts, this.shown());
    const pixel = width / canvas.clientWidth, out = new Strokes(pixel), top = new Strokes(pixel);
    this.labels.begin();
    const now = { time: this.time, moment: 0, share: 0, dark: view.dark, view, seen: seenIn(view, width, height), top, moving: how === "moving",
      poseOf: (figure, body) => this.bodyPose(body, typeof figure === "number" ? ["main", "ghost"][figure] : figure), label: (point, words, kind) => this.labels.put(this.project(point), words, kind) };
    for (const [name, draw] of this.layers) {
      try { draw(now, out, top); } catch (error) { this.layers.delete(name); console.error(`layer ${name}`, error); } // the others go on
    }
    this.labels.end();
    const placing = this.shown(), shown = cast.film.cast.map(({ look }, figure) => ({ figure, look, ghost: figure === 1 && placing[1] === "over", tinted: figure === 1, colour: null, opacity: null, used: figure === 0 && this.heat, shift: view.shifts[figure] })).filter(({ figure }) => placing[figure] !== "off");
    return gl.draw(view, shown, out.list, top.list, [...out.areas, ...top.areas]);
  }

  shown() { return [this.placing[0], this.cast.has("ghost") ? this.placing[1] : "off"]; }

  // Colours of bodies: what they use of their limits, which one is marked.
  paint() {
    const { rows } = this.cast.film.cast[0], colours = this.heat && this.heatOf ? this.heatOf(this.time) : null;
    for (let n = 0; n < this.cast.bodies; n++) {
      const [red, green, blue, share, beyond] = colours && colours[n] ? colours[n] : [0.8, 0.81, 0.83, 0, 0];
      rows.set([red, green, blue, share, beyond, n === this.marked ? 1 : n === this.hovered ? 0.45 : 0, 0, 0], 20 * n + 12);
    }
  }

  // --- Its place on the page ------------------------------------------------------------------------------------------
  attach(root) {
    this.root = root;
    this.canvas = document.createElement("canvas");
    Object.assign(this.canvas, { className: "stage-picture", tabIndex: 0 });
    this.canvas.setAttribute("role", "application");
    this.canvas.setAttribute("aria-roledescription", "stage");
    this.canvas.setAttribute("aria-label", "The character. Drag to turn, Tab goes from joint to joint, question mark lists all keys.");
    this.labels = new Labels(root, this.canvas);
    this.kind = graphics();
    this.quality = new Quality(this.kind === "slow");
    this.pointers = new Pointers(this.canvas, { pick: (x, y, room) => this.pick(x, y, room), orbit: this.orbit, lens: () => (this.cast ? this.lens() : [1, 1]),
      hover: (hit) => { const body = hit ? hit.body : -1; if (body !== this.hovered) { this.hovered = body; this.ask(false); } },
      click: (event, hit) => store.tell("press", hit), gripped: () => store.tell("gripped"), double: (event, hit) => { if (hit) { this.orbit.centre(hit.point.map((value, n) => value - (n < 2 ? this.cast.away(this.time)[n] : 0)), 0.75); this.orbit.keep(); } else this.orbit.look("home"); } });
    showOverlays(this);
    listenForSelection(this);
    if (!this.kind) { this.fail(NO_WEBGL); return; }
    new ResizeObserver(() => this.ask()).observe(this.canvas);
    this.canvas.addEventListener("webglcontextlost", (event) => event.preventDefault());
    this.canvas.addEventListener("webglcontextrestored", () => { try { this.gl.build(); this.ask(); } catch (error) { this.fail(String(error.message)); } });
    store.on("theme", () => this.ask(false));
    if (this.cast) this.begins();
  }

  begins() {
    if (!this.kind || !this.canvas) return;
    try { this.gl = new Stage(this.canvas, this.cast.film.meshes, this.cast.film.cast, this.kind === "slow"); } catch (error) { this.fail(/no WebGL/.test(error.message) ? NO_WEBGL : String(error.message)); }
  }

  fail(words) { const told = document.createElement("p"); told.className = "stage-trouble"; told.setAttribute("role", "alert"); told.textContent = words; this.root.append(told); this.canvas.hidden = true; }
}

export const stage = new LiveStage();
store.on("scene", (scene) => stage.setScene(scene));
link.on("motion", (message) => stage.setMotion(message));
link.on("pose", (message) => stage.setPose(message));
