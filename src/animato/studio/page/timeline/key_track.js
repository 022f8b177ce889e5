// Keys on their track: pressed to choose, dragged to move, framed to choose many, pressed twice to set one.
import { popover, button, h } from "../core/widgets.js";
import { stage } from "../stage/stage.js";
import { colours } from "./board.js";
import { EASES, allKeys, deleteKeys, easeKeys, keySelection, mirrorKeys, movingKeys, setKey, snapped } from "./selection.js";
import { tip } from "./tip.js";
import { view } from "./view.js";

const SIZE = 7, REACH = { mouse: 10, pen: 12, touch: 20 }, STILL_PX = 4;
let frame = null; // of a choice that is being dragged: [from, to]
let shift = null; // keys that are dragged: { times, by }

// Each way to reach a key has its own shape.
const SHAPES = {
  through: [[0, -1], [1, 0], [0, 1], [-1, 0]],
  flow: [[-0.45, -0.9], [0.45, -0.9], [1, 0], [0.45, 0.9], [-0.45, 0.9], [-1, 0]],
  even: [[0, -1], [1, 0], [0, 1], [-1, 0]],
  smooth: Array.from({ length: 16 }, (_, n) => [0.85 * Math.cos(n * Math.PI / 8), 0.85 * Math.sin(n * Math.PI / 8)]),
  snap: [[-0.8, -0.9], [0.95, 0], [-0.8, 0.9]],
  launch: [[0.8, -0.9], [-0.95, 0], [0.8, 0.9]],
  hold: [[-0.8, -0.8], [0.8, -0.8], [0.8, 0.8], [-0.8, 0.8]],
};

const shownTime = (time) => (shift && shift.times.some((one) => Math.abs(one - time) < 1e-4) ? view.clamped(time + shift.by) : time);

const keyAt = (event, time) => {
  const x = view.toX(time);
  let best = null, least = REACH[event.pointerType] || REACH.mouse;
  for (const key of allKeys()) { const far = Math.abs(view.toX(key.time) - x); if (far < least) { least = far; best = key; } }
  return best;
};

const wordsOf = ({ time, ease }) => `key at ${time.toFixed(2)} s; ${(EASES.find(([name]) => name === ease) || EASES[0])[1]}`;

const dragOf = (event, key) => {
  if (event.shiftKey) { keySelection.toggle(key.time); return { move() {}, up() {} }; }
  if (!keySelection.has(key.time)) keySelection.set([key.time]);
  const times = [...keySelection.times], x = event.clientX;
  let moving = null;
  return {
    move(now) {
      if (!moving && Math.abs(now.clientX - x) < STILL_PX) return;
      moving ||= movingKeys(times);
      const by = snapped(view.toTime(view.toX(key.time) + now.clientX - x)) - key.time;
      if (shift && shift.by === by) return;
      shift = { times, by };
      moving.by(by);
      view.tell();
    },
    up(last) { this.move(last); if (moving) moving.end(); else { stage.play(false); stage.seek(key.time); } shift = null; view.tell(); },
    cancel() { if (moving) { moving.by(0); moving.end(); } shift = null; view.tell(); },
  };
};

const framing = (event, time) => {
  const before = event.shiftKey ? [...keySelection.times] : [], x = event.clientX;
  return {
    move(now, to) {
      if (!frame && Math.abs(now.clientX - x) < STILL_PX) return;
      frame = [Math.min(time, to), Math.max(time, to)];
      keySelection.set([...new Set([...before, ...allKeys().map((key) => key.time).filter((one) => one >= frame[0] && one <= frame[1])])]);
    },
    up(last, to) { this.move(last, to); if (!frame) { keySelection.set(before); stage.play(false); stage.seek(view.clamped(time)); } this.cancel(); },
    cancel() { frame = null; view.tell(); },
  };
};

// The shape of an ease, beside its words.
const SPACE = "http://www.w3.org/2000/svg";
export const easeMark = (name) => {
  const svg = document.createElementNS(SPACE, "svg"), shape = document.createElementNS(SPACE, "polygon");
  for (const [key, value] of Object.entries({ viewBox: "-1.5 -1.5 3 3", "aria-hidden": "true" })) svg.setAttribute(key, value);
  for (const [key, value] of Object.entries({ points: (SHAPES[name] || SHAPES.through).map((point) => point.join(",")).join(" "), fill: name === "even" ? "none" : "currentColor", stroke: "currentColor", "stroke-width": "0.3" })) shape.setAttribute(key, value);
  svg.append(shape);
  return svg;
};

export const easeMenu = (anchor) => {
  tip.hide();
  const act = (does) => () => { window.close(); does(); };
  const window = popover(anchor, h("div", { class: "ease-menu" },
    ...EASES.map(([name, words], n) => { const one = button(words, { quiet: true, key: `Alt+${n + 1}`, pressed: keySelection.keys.some(({ ease }) => ease === name), onclick: act(() => easeKeys(name)) }); one.prepend(easeMark(name)); return one; }),
    button("Mirror the pose", { icon: "mirror", key: "M", quiet: true, onclick: act(mirrorKeys) }), button("Delete", { icon: "trash", key: "Delete", quiet: true, danger: true, onclick: act(deleteKeys) })));
};

export const keyTrack = {
  name: "keys",
  height: 36,
  draw(ctx, toX, [from, to], { width, height }) {
    const middle = height / 2, keys = allKeys();
    ctx.fillStyle = colours.line;
    ctx.fillRect(view.gutter, height - 1, width, 1);
    if (frame) { ctx.fillStyle = colours["accent-soft"]; ctx.fillRect(toX(frame[0]), 2, toX(frame[1]) - toX(frame[0]), height - 4); }
    if (!keys.length && view.end > view.begin) {
      ctx.fillStyle = colours.muted;
      ctx.font = "13px system-ui, sans-serif";
      ctx.textBaseline = "middle";
      ctx.fillText("No keys yet: move the character, press K, or press here twice.", view.gutter + 8, middle, view.right - view.gutter - 12);
    }
    if (keys.length > 1) { ctx.fillStyle = colours.line; ctx.fillRect(toX(shownTime(keys[0].time)), middle - 1, toX(shownTime(keys.at(-1).time)) - toX(shownTime(keys[0].time)), 2); }
    for (const key of keys) {
      const time = shownTime(key.time), x = toX(time), on = keySelection.has(key.time) || (shift && time !== key.time);
      if (time < from - 1e-6 || time > to + 1e-6) continue;
      ctx.beginPath();
      for (const [a, b] of SHAPES[key.ease] || SHAPES.through) ctx.lineTo(x + SIZE * a, middle + SIZE * b);
      ctx.closePath();
      ctx.fillStyle = on ? colours.accent : key.ease === "even" ? colours.panel : colours.ink;
      ctx.strokeStyle = on ? colours.accent : colours.ink;
      ctx.lineWidth = 2;
      ctx.fill();
      ctx.stroke();
      if (on) { ctx.strokeStyle = colours.accent; ctx.globalAlpha = 0.45; ctx.lineWidth = 4; ctx.stroke(); ctx.globalAlpha = 1; }
    }
    ctx.fillStyle = colours.panel;
    ctx.fillRect(0, 0, view.gutter - SIZE - 1, height);
    if (view.gutter > 60) { ctx.fillStyle = colours.muted; ctx.font = "13px system-ui, sans-serif"; ctx.textBaseline = "middle"; ctx.fillText("keys", 12, middle); }
  },
  down(event, time) { tip.hide(); const key = keyAt(event, time); return key ? dragOf(event, key) : framing(event, time); },
  double(event, time) { if (!keyAt(event, time)) setKey(view.clamped(time)); else easeMenu({ x: event.clientX, y: event.clientY }); },
  menu(event, time) { const key = keyAt(event, time); if (key) { if (!keySelection.has(key.time)) keySelection.set([key.time]); easeMenu({ x: event.clientX, y: event.clientY }); } },
  hover(event, time) { const key = keyAt(event, time); if (key) tip.show(event, wordsOf(key)); else tip.hide(); return key ? "grab" : "default"; },
  out: () => tip.hide(),
};
keySelection.onChange(() => view.tell());
