// Players of a page: time, controls, orbit. All numbers come from the elements #<player>-data; nothing is loaded.
const MOST_CONTEXTS = 8; // a browser has some 16 for all its pages
const living = []; // players that hold a context, those seen last at the end
const players = (window.animato = window.animato || {}).players = (window.animato.players || {});
const darkness = window.matchMedia("(prefers-color-scheme: dark)"), calmness = window.matchMedia("(prefers-reduced-motion: reduce)");

class Player {
  constructor(root) {
    this.root = root;
    this.id = root.id;
    this.part = (name) => root.querySelector(name);
    this.canvas = this.part(".picture");
    const data = JSON.parse(document.getElementById(`${root.id}-data`).textContent);
    this.film = filmOf(data);
    Object.assign(this, { time: this.film.begin, playing: false, speed: 1, draws: 0, asked: false, touched: false, seen: false, inks: -1, marked: -1, markedAt: null, taps: 10, skyTaps: 10, coarseness: slowGraphics ? 2 : 0, slow: 0 });
    this.layers = Object.fromEntries(data.things.filter((one) => one.layer).map((one) => [one.layer, false]));
    for (const one of data.things) if (one.layer) this.layers[one.layer] ||= one.shown;
    this.placing = data.figures.map((one) => one.placing);
    this.used = false;
    this.aimAtFirst();
    this.bounds = this.film.bounds();
    this.tellTime = timelinesOf(root.id, (time, joint) => this.seek(time, joint));
    root.classList.add("live");
    this.listen();
    this.watch();
    this.go(root.dataset.begin === undefined ? this.film.begin : Number(root.dataset.begin));
  }

  // --- The camera turns about what is in the middle of its picture ----------------------------------------------------
  aimAtFirst() {
    this.orbit = orbitOf(this.film.camera);
    this.first = { ...this.orbit, target: [...this.orbit.target], fov: this.film.camera.fov };
    this.lamps = lampsOf(this.orbit);
  }

  // Room for figures that stand beside: the camera steps back and to the side; from one that is there at first it starts.
  widen() {
    const beside = this.placing.filter((one) => one === "beside").length - this.film.figures.filter((one) => one.placing === "beside").length;
    const across = Math.hypot(...this.film.beside), aspect = this.canvas.width / Math.max(this.canvas.height, 1);
    const width = 2 * Math.tan(this.first.fov / 2) * this.first.away * aspect;
    this.orbit.away = this.first.away * Math.max(1, (0.8 * width + beside * across) / Math.max(width, 1e-9));
    this.orbit.target = this.first.target.map((value, n) => value + 0.5 * beside * this.film.beside[n]);
  }

  view() {
    const { film, canvas } = this, shifts = this.placing.map((one, n) => (one === "beside" ? film.beside.map((value) => n * value) : [0, 0, 0]));
    const view = viewOf(film, this.orbit, this.lamps, canvas.width / Math.max(canvas.height, 1), film.away(this.time), this.bounds, shifts);
    return { ...view, taps: this.taps, skyTaps: this.skyTaps, shaded: film.shaded(view.key, shifts, this.placing), dark: darkness.matches };
  }

  draw() {
    this.asked = false;
    if (!this.seen || !this.stage) { this.tell(""); return; }
    const { film, time } = this, moment = film.momentOf(time), pixel = this.canvas.width / Math.max(this.canvas.clientWidth, 1);
    film.pose(time, this.marked);
    const view = this.view();
    const out = new Strokes(pixel), top = new Strokes(pixel), seen = seenIn(view, this.canvas.width, this.canvas.height);
    out.told = [];
    const now = { time, moment, share: (time - film.begin) / Math.max(film.end - film.begin, 1e-9), dark: view.dark, view, seen, top,
      poseOf: (figure, body) => (this.placing[figure] === "off" ? null : film.poseOf(figure, body, view.shifts[figure])) };
    for (const { sent, draw } of film.drawn) if (!sent.layer || this.layers[sent.layer]) draw(now, sent.through ? top : out);
    if (this.marked >= 0 && this.markedAt) top.ring(film.poseOf(0, this.marked, view.shifts[0]).place(this.markedAt), view.dark ? [0.45, 0.78, 1] : [0, 0.38, 0.8], 1, 34, 3);
    const shown = film.cast.map(({ look, sent, use }, figure) => ({ figure, look, ghost: sent.ghost && this.placing[figure] !== "beside", tinted: sent.ghost, colour: sent.colour, opacity: sent.opacity, used: this.used && use, shift: view.shifts[figure] }))
      .filter(({ figure }) => this.placing[figure] !== "off");
    this.stage.draw(view, shown, out.list, top.list, out.areas);
    this.draws++;
    this.tell(out.told.join("   "));
  }

  // Words, clock and everything on the page that has the same time.
  tell(told) {
    const { film, time } = this, frame = film.frameAt(time);
    this.part(".clock").textContent = `${time.toFixed(2)} s`;
    this.part(".frame-number").textContent = `frame ${frame}`;
    const scrub = this.part(".scrub");
    scrub.value = String(frame);
    scrub.setAttribute("aria-valuetext", `${time.toFixed(2)} seconds, frame ${frame}`);
    this.part(".words").textContent = stepAt(film.words, time) || "";
    this.part(".off").textContent = told;
    this.tellTime(time);
    this.root.dispatchEvent(new CustomEvent("animato:time", { bubbles: true, detail: { player: this.id, time, playing: this.playing } }));
  }

  ask() { if (!this.asked) { this.asked = true; requestAnimationFrame(() => this.draw()); } }
  go(time) { this.time = Math.min(Math.max(time, this.film.begin), this.film.end); this.ask(); }
  show(time) { this.play(false); this.touched = true; this.go(time); }
  step(frames) {
    const frame = Math.min(Math.max(this.film.frameAt(this.time) + frames, 0), this.film.frameCount - 1);
    this.show(this.film.frameTime(frame));
  }

  // A moment that was chosen elsewhere on the page; the picture comes along where the player is out of sight.
  seek(time, joint) {
    const axis = joint && this.film.figures[0].use && this.film.figures[0].use.axes.find(([name]) => name === joint);
    [this.marked, this.markedAt] = axis ? [axis[1], axis.slice(2)] : [-1, null];
    if (!this.inSight) this.part(".viewport").classList.add("afar");
    this.seen ||= !this.inSight;
    this.wake();
    this.show(time);
  }

  play(on) {
    if (on === this.playing) return;
    this.playing = on;
    const button = this.part(".play");
    button.classList.toggle("playing", on);
    button.setAttribute("aria-label", on ? "pause" : "play");
    this.last = performance.now();
    if (on && this.time >= this.film.end - 1e-9) this.time = this.film.begin;
    if (on) requestAnimationFrame((now) => this.tick(now)); else this.ask();
  }

  tick(now) {
    if (!this.playing) return;
    const passed = Math.max(0, now - this.last);
    this.last = now;
    this.time += this.speed * Math.min(0.25, passed / 1000);
    if (this.time > this.film.end) {
      if (this.part(".loop").checked) this.time = this.film.begin;
      else { this.time = this.film.end; this.play(false); }
    }
    this.draw();
    this.slow = 0.9 * this.slow + 0.1 * passed;
    if (this.slow > 45 && this.coarseness < 3) { this.coarseness++; this.slow = 0; this.fit(); } // coarser, but in time
    requestAnimationFrame((next) => this.tick(next));
  }

  // --- Contexts: few, made when they are seen, and survived -----------------------------------------------------------
  wake() {
    const place = living.indexOf(this);
    if (place >= 0) living.splice(place, 1);
    living.push(this);
    if (!this.stage) {
      try { this.stage = new Stage(this.canvas, this.film.meshes, this.film.cast, slowGraphics); } catch (error) { this.fail(error); return; }
    } else if (this.sleeping) { this.sleeping.restoreContext(); this.sleeping = null; }
    const idle = living.length > MOST_CONTEXTS && living.find((one) => !one.seen && one !== this);
    if (idle) idle.sleep();
    this.fit();
    this.ask();
  }
  sleep() {
    living.splice(living.indexOf(this), 1);
    const lose = this.stage && this.stage.gl.getExtension("WEBGL_lose_context");
    if (lose && !this.stage.gl.isContextLost()) { lose.loseContext(); this.sleeping = lose; }
  }
  fail(error) {
    this.play(false);
    this.root.classList.remove("live");
    this.root.dataset.trouble = String(error && error.message);
  }

  fit() {
    const { canvas } = this, ratio = Math.min(window.devicePixelRatio || 1, 2), scale = [ratio, Math.min(ratio, 1), Math.min(ratio, 1), Math.min(ratio, 0.75)][this.coarseness];
    this.taps = [10, 10, 5, 4][this.coarseness];
    this.skyTaps = [10, 10, 4, 0][this.coarseness];
    const width = Math.round(Math.min(canvas.clientWidth * scale, 2240)), height = Math.round(width * canvas.clientHeight / Math.max(canvas.clientWidth, 1));
    if (!width || !height || (width === canvas.width && height === canvas.height)) return;
    canvas.width = width;
    canvas.height = height;
    this.ask();
  }

  watch() {
    this.inSight = false;
    new IntersectionObserver(([entry]) => {
      this.inSight = entry.isIntersecting;
      const viewport = this.part(".viewport");
      if (this.inSight) viewport.classList.remove("afar");
      this.seen = this.inSight || viewport.classList.contains("afar");
      if (this.seen) this.wake(); else if (this.playing) { this.play(false); this.paused = true; }
    }, { threshold: 0.05 }).observe(this.part(".frame"));
    new IntersectionObserver(([entry]) => {
      if (entry.isIntersecting && !calmness.matches && (this.paused || !this.touched)) { this.paused = false; this.play(true); }
    }, { threshold: 0.4 }).observe(this.part(".frame"));
    new ResizeObserver(() => { this.fit(); this.ask(); }).observe(this.canvas);
    this.canvas.addEventListener("webglcontextlost", (event) => event.preventDefault());
    this.canvas.addEventListener("webglcontextrestored", () => {
      try { this.stage.build(); } catch (error) { this.fail(error); return; }
      this.ask();
    });
    darkness.addEventListener("change", () => this.ask());
    calmness.addEventListener("change", () => { if (calmness.matches) this.play(false); });
  }

  // --- People ---------------------------------------------------------------------------------------------------------
  listen() {
    const { canvas, root, part } = this, scrub = this.part(".scrub");
    scrub.max = String(this.film.frameCount - 1);
    this.root.addEventListener("pointerdown", () => { this.touched = true; });
    this.part(".play").addEventListener("click", () => { this.touched = true; this.play(!this.playing); });
    scrub.addEventListener("input", () => this.show(this.film.frameTime(Number(scrub.value))));
    this.part(".speed").addEventListener("change", (event) => { this.speed = Number(event.target.value); });
    this.part(".nearer").addEventListener("click", () => this.part(".viewport").classList.remove("afar"));
    for (const box of root.querySelectorAll("[data-layer]")) box.addEventListener("change", () => { this.layers[box.dataset.layer] = box.checked; this.ask(); });
    for (const choice of root.querySelectorAll("[data-figure]")) {
      choice.addEventListener("change", () => {
        this.placing[Number(choice.dataset.figure)] = choice.value;
        this.widen();
        this.ask();
      });
    }
    const used = part(".used");
    if (used) { this.used = used.checked; used.addEventListener("change", () => { this.used = used.checked; this.ask(); }); }
    root.addEventListener("animato:seek", ({ detail }) => this.seek(detail.time, detail.joint));
    root.addEventListener("keydown", (event) => this.pressed(event));
    this.grips = new Map();
    canvas.addEventListener("pointerdown", (event) => { this.grips.set(event.pointerId, [event.clientX, event.clientY]); canvas.setPointerCapture(event.pointerId); });
    canvas.addEventListener("pointermove", (event) => this.turn(event));
    for (const name of ["pointerup", "pointercancel"]) canvas.addEventListener(name, (event) => this.grips.delete(event.pointerId));
    canvas.addEventListener("dblclick", () => { Object.assign(this.orbit, { turn: this.first.turn, rise: this.first.rise }); this.widen(); this.marked = -1; this.ask(); });
    canvas.addEventListener("wheel", (event) => {
      if (document.activeElement !== canvas) return; // the page scrolls
      event.preventDefault();
      this.zoom(Math.exp(0.0012 * event.deltaY));
    }, { passive: false });
  }

  pressed(event) {
    const tag = event.target.tagName, many = event.shiftKey ? 10 : 1;
    if (tag === "SELECT" || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === " " && (tag === "BUTTON" || event.target.type === "checkbox")) return; // these press themselves
    const keys = { ArrowLeft: () => this.step(-many), ArrowRight: () => this.step(many), Home: () => this.show(this.film.begin), End: () => this.show(this.film.end),
      " ": () => { this.touched = true; this.play(!this.playing); } };
    if (!keys[event.key]) return;
    event.preventDefault();
    keys[event.key]();
  }

  zoom(factor) {
    this.orbit.away = Math.min(5 * this.first.away, Math.max(0.15 * this.first.away, this.orbit.away * factor));
    this.ask();
  }

  turn(event) {
    const grip = this.grips.get(event.pointerId);
    if (!grip) return;
    const others = [...this.grips].filter(([id]) => id !== event.pointerId).map(([, place]) => place), now = [event.clientX, event.clientY];
    this.grips.set(event.pointerId, now);
    if (others.length === 1) {
      const apart = (place) => Math.hypot(place[0] - others[0][0], place[1] - others[0][1]);
      this.zoom(apart(grip) / Math.max(apart(now), 1));
      return;
    }
    if (others.length) return;
    this.orbit.turn -= 0.008 * (now[0] - grip[0]);
    this.orbit.rise = Math.min(1.5, Math.max(-0.12, this.orbit.rise + 0.008 * (now[1] - grip[1])));
    this.ask();
  }
}

const roots = [...document.querySelectorAll(".figure-player:not(.live)")];
const drawing = roots.length ? graphics() : "", slowGraphics = drawing === "slow";
if (drawing) for (const root of roots) players[root.id] = new Player(root);
