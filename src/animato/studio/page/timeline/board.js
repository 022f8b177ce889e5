// A canvas of tracks, one under the other: draws what has changed, gives presses to the track under them, and lets two
// fingers or a wheel look nearer.
import { h } from "../core/widgets.js";
import { store } from "../core/store.js";
import { view } from "./view.js";

const WHEEL = 0.0022, LINE_PX = 30;
const NAMES = ["ink", "paper", "panel", "sunken", "line", "accent", "accent-soft", "good", "warm", "bad", "muted"];
export const colours = {};
const readColours = () => { const style = getComputedStyle(document.documentElement); for (const name of NAMES) colours[name] = style.getPropertyValue(`--${name}`).trim(); };

export class Board {
  constructor(className, label) {
    this.canvas = h("canvas", { class: className, aria: { label } });
    this.tracks = [];
    this.held = new Map(); // fingers that are down: where they are
    this.drag = null;
    view.onChange(() => this.ask());
    store.on("theme", () => { readColours(); this.ask(); });
    const on = (name, handler) => this.canvas.addEventListener(name, handler, { passive: false });
    on("pointerdown", (event) => this.down(event));
    on("pointermove", (event) => this.move(event));
    on("pointerup", (event) => this.up(event));
    on("pointercancel", (event) => this.cancel(event));
    on("pointerleave", () => this.leave());
    on("dblclick", (event) => { const { track, time } = this.at(event); if (track && track.double) track.double(event, time); });
    on("contextmenu", (event) => { const { track, time } = this.at(event); if (track && track.menu) { event.preventDefault(); track.menu(event, time); } });
    on("mousedown", (event) => { if (event.detail > 1) event.preventDefault(); }); // a double press chooses no words around
    on("dragstart", (event) => event.preventDefault()); // words that are marked elsewhere must not be carried away
    on("wheel", (event) => this.wheel(event));
    document.addEventListener("keydown", (event) => { if (event.key === "Escape" && this.drag) { event.preventDefault(); event.stopPropagation(); this.letGo(); } }, true);
  }

  // `track`: { name, height, draw(ctx, toX, span, { width, height }), down(event, time) -> drag, hover(event, time, y), double, menu, shown() }.
  add(track, place = this.tracks.length) { this.tracks.splice(place, 0, track); this.ask(); return track; }
  remove(track) { this.tracks = this.tracks.filter((one) => one !== track); this.ask(); }
  heightOf(track) { return track.shown && !track.shown() ? 0 : typeof track.height === "function" ? track.height() : track.height; }
  get height() { return this.tracks.reduce((sum, track) => sum + this.heightOf(track), 0); }
  topOf(track) { let top = 0; for (const one of this.tracks) { if (one === track) break; top += this.heightOf(one); } return top; }

  ask() {
    if (this.asked) return;
    this.asked = true;
    requestAnimationFrame(() => { this.asked = false; this.draw(); });
  }

  draw() {
    if (!colours.ink) readColours();
    const { canvas, height } = this, { width } = view, ratio = devicePixelRatio || 1, wide = Math.round(width * ratio), high = Math.round(height * ratio);
    canvas.hidden = !height;
    if (!width || !height) return;
    if (canvas.width !== wide || canvas.height !== high) { Object.assign(canvas, { width: wide, height: high }); canvas.style.height = `${height}px`; }
    const ctx = canvas.getContext("2d");
    ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
    ctx.clearRect(0, 0, width, height);
    let top = 0;
    for (const track of this.tracks) {
      const own = this.heightOf(track);
      if (!own) continue;
      ctx.save();
      ctx.beginPath();
      ctx.rect(0, top, width, own);
      ctx.clip();
      ctx.translate(0, top);
      track.draw(ctx, (time) => view.toX(time), view.span, { width, height: own });
      ctx.restore();
      top += own;
    }
    if (this.drawn) this.drawn();
  }

  at(event) {
    const box = this.canvas.getBoundingClientRect(), x = event.clientX - box.left;
    let y = event.clientY - box.top;
    const time = view.toTime(x);
    for (const track of this.tracks) {
      const own = this.heightOf(track);
      if (y < own) return { track, time, x, y };
      y -= own;
    }
    return { track: null, time, x, y };
  }

  down(event) {
    this.held.set(event.pointerId, event.clientX);
    if (this.held.size === 2) { this.letGo(); this.pinch = [...this.held.values()]; return; }
    if (event.button !== 0 || this.held.size > 2) return;
    const { track, time, y } = this.at(event);
    this.drag = (track && track.down && track.down(event, time, y)) || null;
    if (!this.drag) return;
    this.canvas.setPointerCapture(event.pointerId);
  }
  move(event) {
    if (this.held.has(event.pointerId)) this.held.set(event.pointerId, event.clientX);
    if (this.held.size === 2 && this.pinch) { this.pinched(); return; }
    if (this.drag) { this.drag.move(event, this.at(event).time); return; }
    const { track, time, y } = this.at(event);
    if (this.hovered && this.hovered !== track && this.hovered.out) this.hovered.out();
    this.hovered = track;
    this.canvas.style.cursor = (track && track.hover && track.hover(event, time, y)) || "default";
  }
  up(event) {
    this.held.delete(event.pointerId);
    if (this.held.size < 2) this.pinch = null;
    if (this.drag) { const drag = this.drag; this.drag = null; drag.up(event, this.at(event).time); }
  }
  cancel(event) { this.held.delete(event.pointerId); this.pinch = null; this.letGo(); }
  leave() { if (this.hovered && this.hovered.out) this.hovered.out(); this.hovered = null; }
  letGo() { if (this.drag) { const drag = this.drag; this.drag = null; if (drag.cancel) drag.cancel(); } }

  pinched() {
    const box = this.canvas.getBoundingClientRect(), [a, b] = this.pinch, [c, d] = [...this.held.values()];
    if (Math.abs(d - c) > 8 && Math.abs(b - a) > 8) view.zoom(Math.abs(d - c) / Math.abs(b - a), view.toTime((c + d) / 2 - box.left));
    view.scroll(view.toTime((a + b) / 2) - view.toTime((c + d) / 2));
    this.pinch = [c, d];
  }
  // With Ctrl nearer or farther, across or with Shift along; up and down alone scrolls the page of rows.
  wheel(event) {
    const unit = event.deltaMode === 1 ? LINE_PX : 1, across = event.shiftKey ? event.deltaY || event.deltaX : event.deltaX;
    if (event.ctrlKey || event.metaKey) { event.preventDefault(); view.zoom(Math.exp(-WHEEL * unit * event.deltaY), this.at(event).time); }
    else if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) { event.preventDefault(); view.scroll(unit * across * (view.to - view.from) / (view.right - view.gutter)); }
  }
}
