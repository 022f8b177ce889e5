// Pointers on the stage: a press is offered to the grips of modes; what nobody takes turns the camera. The right and
// the middle button and two fingers always belong to the camera.
const CLICK_PX = 5, DOUBLE_MS = 350;

export class Pointers {
  // `on` has: pick, orbit, lens, hover(hit), click(event, hit), double(event, hit), busy(on).
  constructor(canvas, on) {
    Object.assign(this, { canvas, on, held: new Map(), grips: [], drag: null, camera: "", pressed: null, clicked: null, hovering: null });
    const listen = (name, f, options) => canvas.addEventListener(name, f, options);
    listen("pointerdown", (event) => this.down(event));
    listen("pointermove", (event) => this.move(event));
    listen("pointerup", (event) => this.up(event, false));
    listen("pointercancel", (event) => this.up(event, true));
    listen("pointerleave", () => { this.hovering = null; on.hover(null); });
    listen("contextmenu", (event) => event.preventDefault());
    listen("wheel", (event) => this.wheel(event), { passive: false });
    canvas.addEventListener("blur", () => canvas.classList.remove("pointed"));
    canvas.addEventListener("keydown", () => canvas.classList.remove("pointed"));
    document.addEventListener("keydown", (event) => { if (event.key === "Escape" && this.drag) { event.preventDefault(); event.stopPropagation(); this.drop(); } }, true);
    window.addEventListener("blur", () => { this.drop(); this.held.clear(); this.camera = ""; this.pressed = null; });
  }

  setGrip(name, grip, priority) {
    this.grips = this.grips.filter((one) => one.name !== name);
    if (grip) this.grips.push({ name, grip, priority });
    this.grips.sort((a, b) => b.priority - a.priority);
  }

  down(event) {
    const { canvas, held } = this;
    canvas.classList.add("pointed"); // its frame is for those who use keys
    canvas.focus({ preventScroll: true });
    try { canvas.setPointerCapture(event.pointerId); } catch { /* a pointer that is gone again */ }
    held.set(event.pointerId, [event.clientX, event.clientY]);
    if (held.size > 1) { this.drop(); this.camera = "two"; this.pressed = null; return; }
    if (event.button === 1 || event.button === 2) { event.preventDefault(); this.camera = "pan"; return; }
    const hit = this.on.pick(event.clientX, event.clientY, event.pointerType === "touch" ? 14 : 4);
    this.pressed = { x: event.clientX, y: event.clientY, hit, moved: false };
    this.on.hover(null);
    for (const { grip } of this.grips) {
      const drag = grip.down && grip.down(event, hit);
      if (!drag) continue;
      this.drag = { ...drag, move: drag.move && drag.move.bind(drag), up: drag.up && drag.up.bind(drag), cancel: drag.cancel && drag.cancel.bind(drag), pointer: event.pointerId };
      return;
    }
    this.camera = event.shiftKey ? "pan" : "turn";
  }

  move(event) {
    const before = this.held.get(event.pointerId), { pressed, on } = this;
    if (!before) { if (event.pointerType !== "touch" && !event.buttons) this.hover(event); return; }
    const now = [event.clientX, event.clientY], across = now[0] - before[0], down = now[1] - before[1], apart = this.apart(), middle = this.middle();
    this.held.set(event.pointerId, now);
    if (pressed && Math.hypot(now[0] - pressed.x, now[1] - pressed.y) > CLICK_PX) pressed.moved = true;
    if (this.drag) { if (this.drag.move && event.pointerId === this.drag.pointer) this.drag.move(event); return; }
    if (this.camera === "two" && this.held.size >= 2) {
      const [x, y] = this.middle();
      on.orbit.zoom(apart / Math.max(this.apart(), 1));
      on.orbit.pan(x - middle[0], y - middle[1], this.canvas.clientHeight, on.lens());
    } else if (this.camera === "pan") on.orbit.pan(across, down, this.canvas.clientHeight, on.lens());
    else if (this.camera === "turn" && pressed && pressed.moved) on.orbit.turnBy(across, down);
  }

  apart() { const [a, b] = [...this.held.values()]; return a && b ? Math.hypot(a[0] - b[0], a[1] - b[1]) : 1; }
  middle() { const [a, b] = [...this.held.values()]; return a && b ? [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2] : a || [0, 0]; }

  up(event, cancelled) {
    const { drag, pressed } = this;
    if (!this.held.delete(event.pointerId)) return;
    if (drag && event.pointerId === drag.pointer) {
      this.drag = null;
      if (cancelled) { if (drag.cancel) drag.cancel(); } else if (drag.up) drag.up(event);
      if (!cancelled && pressed && pressed.moved) this.on.gripped();
    }
    if (!this.held.size) { if (this.camera) this.on.orbit.keep(); this.camera = ""; }
    if (pressed && !pressed.moved && !cancelled) this.click(event, pressed.hit);
    this.pressed = null;
  }

  click(event, hit) {
    const now = performance.now(), last = this.clicked, twice = last && now - last.at < DOUBLE_MS && Math.hypot(event.clientX - last.x, event.clientY - last.y) < 3 * CLICK_PX;
    this.clicked = twice ? null : { at: now, x: event.clientX, y: event.clientY };
    if (!twice) this.on.click(event, hit);
    else if (!this.grips.some(({ grip }) => grip.double && grip.double(event, hit))) this.on.double(event, hit);
  }

  drop() { const { drag } = this; this.drag = null; if (drag && drag.cancel) drag.cancel(); }

  wheel(event) {
    event.preventDefault();
    const pixels = (event.deltaMode === 1 ? 32 : event.ctrlKey ? 6 : 1) * event.deltaY; // lines; two fingers on a touchpad; pixels
    if (this.grips.some(({ grip }) => grip.wheel && grip.wheel(event, pixels))) return;
    this.on.orbit.zoom(Math.exp(0.0012 * Math.max(-300, Math.min(300, pixels))));
    this.on.orbit.keep();
  }

  // At most once a picture.
  hover(event) {
    const waiting = this.hovering;
    this.hovering = event;
    if (waiting) return;
    requestAnimationFrame(() => {
      const latest = this.hovering;
      this.hovering = null;
      if (!latest || this.held.size) return;
      const hit = this.on.pick(latest.clientX, latest.clientY, 4);
      let told = null;
      for (const { grip } of this.grips) { told = grip.hover && grip.hover(latest, hit); if (told) break; }
      this.canvas.style.cursor = typeof told === "string" ? told : hit || told ? "pointer" : "";
      this.on.hover(hit);
    });
  }
}
