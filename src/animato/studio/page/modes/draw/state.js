// What all parts of drawing know: the point that draws, the board, the lines, which of them is chosen.
import { link } from "../../core/link.js";
import { store } from "../../core/store.js";
import { stage } from "../../stage/stage.js";
import { toast } from "../../core/toasts.js";

const listeners = new Set();

export const drawing = {
  active: false,
  points: [], point: null, refusal: "", ready: false,
  board: null, // { kind, origin, right, up, width, height }
  chosen: -1, // number of a line
  fresh: false, // whether the next line begins a new drawing
  over: false, // whether the next line replaces a part of one
  line: null, // what is being drawn: [[u, v, time, pressure], ...]
  lag: 0,
  solved: null, // what was told of the last performance
  liftedAt: 0, movedAt: 0, waiting: null,

  on(handler) { listeners.add(handler); return () => listeners.delete(handler); },
  // A picture is asked for only where it would be another one: they cost much where there is no graphics card.
  tell(seen = true) { for (const handler of [...listeners]) handler(); if (seen) stage.ask(); },
  seen: "",
  look() {
    const lines = this.strokes.map(({ board, samples, point }) => [point, board.origin, board.right, board.up, samples.length, samples[0], samples[samples.length >> 1], samples[samples.length - 1]]);
    const now = JSON.stringify([this.chosen, lines, this.source && this.source.wishes.accents]), other = now !== this.seen;
    this.seen = now;
    return other;
  },

  get source() { const source = store.document && store.document.source; return source && source.kind === "drawn" ? source : null; },
  // Whether the check found it beyond limits of jerk, and nobody works on that.
  get jerky() { const { outcome, usage, take } = store; return Boolean(outcome && usage.findings.some(({ kind, over }) => kind === "jerk" && over) && !/being made smoother/.test(take.remark)); },
  get strokes() { return this.source ? this.source.strokes : []; },

  enter() { this.active = true; link.ask("draw.enter", { t: performance.now() / 1000 }).then((state) => this.take(state)).catch(() => {}); },
  leave() { this.active = false; this.chosen = -1; stage.mark(-1); },
  take({ points, point, refusal, ready, board }) { Object.assign(this, { points, point, refusal, ready, board }); this.tell(); store.tell("hints"); },
  choose(number) { this.chosen = number; this.tell(); },

  async usePoint(fields) {
    try { await link.ask("draw.point", fields); } catch (error) { toast(error.message, "bad"); }
  },
  nextPoint() {
    const { points, point } = this, now = points.findIndex((one) => point && one.name === point.name);
    if (points.length) this.usePoint({ name: points[(now + 1) % points.length].name });
  },

  // The performance is played when its motion has come: before or after what is told of it.
  playSoon(begin) {
    if (this.movedAt > this.liftedAt) this.playNow(begin); else this.waiting = begin;
  },
  playNow(begin) { this.waiting = null; stage.seek(begin); stage.play(true); },
};

// A place on the board in the world, and the board's place under a pointer.
export const world = ({ origin, right, up }, u, v) => origin.map((value, n) => value + u * right[n] + v * up[n]);
export const normalOf = ({ right, up }) => cross(right, up);
export const onBoard = (board, event) => {
  const place = stage.onPlane(event.clientX, event.clientY, { origin: board.origin, normal: normalOf(board) });
  if (!place) return null;
  const off = place.map((value, n) => value - board.origin[n]);
  return [dot(off, board.right), dot(off, board.up)];
};
export const metresPerPixel = (place) => {
  const [x, y] = stage.project(place), { right } = stage.view(), [a, b] = stage.project(place.map((value, n) => value + 0.01 * right[n]));
  return 0.01 / Math.max(Math.hypot(a - x, b - y), 1e-6);
};

store.on("hello", ({ tools }) => {
  if (tools.draw) drawing.take(tools.draw);
  if (drawing.active) drawing.enter(); // a studio that was started anew is cold
});
store.on("document", () => { if (drawing.chosen >= drawing.strokes.length) drawing.chosen = -1; drawing.tell(drawing.look()); });
store.on("usage", () => { if (drawing.active) drawing.tell(false); });
link.on("draw.state", (state) => drawing.take(state));
link.on("draw.lag", ({ ms }) => { drawing.lag = ms; drawing.tell(false); });
link.on("motion", ({ figure, frames }) => {
  if (figure === "ghost" || !frames) return;
  drawing.movedAt = performance.now();
  if (drawing.waiting !== null) drawing.playNow(drawing.waiting);
});
link.on("draw.solved", (told) => {
  drawing.solved = told;
  if (told.play && drawing.active) drawing.playSoon(told.begin);
  drawing.tell(false);
});
