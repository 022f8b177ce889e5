// The ruler: seconds, the part that is looped, and where time is; dragged anywhere it scrubs.
import { stage } from "../stage/stage.js";
import { colours } from "./board.js";
import { view } from "./view.js";

const STEPS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1800, 3600], NEAR_PX = 74, GRAB_PX = 8;

export const clockWords = (time, digits = 2) => {
  const minutes = Math.floor(Math.abs(time) / 60), seconds = Math.abs(time) - 60 * minutes;
  return `${time < 0 ? "−" : ""}${minutes ? `${minutes}:${seconds.toFixed(digits).padStart(digits ? 3 + digits : 2, "0")}` : seconds.toFixed(digits)}`;
};

const scrub = (time) => { stage.play(false); stage.seek(view.clamped(time)); };

export const setRange = (from, to) => {
  const [a, b] = [Math.min(from, to), Math.max(from, to)].map((time) => view.clamped(time));
  stage.range = b - a > 0.02 ? [a, b] : null;
  if (stage.range) stage.loop = true;
  view.tell();
};

// An end of the loop that is under a pointer.
const edgeAt = (time) => (stage.range ? stage.range.findIndex((one) => Math.abs(view.toX(one) - view.toX(time)) < GRAB_PX) : -1);

export const ruler = {
  name: "time",
  height: () => (matchMedia("(max-width: 720px)").matches ? 38 : 28), // a finger needs more
  draw(ctx, toX, [from, to], { width, height }) {
    ctx.fillStyle = colours.sunken;
    ctx.fillRect(view.gutter, 0, width, height);
    if (stage.range) {
      const [a, b] = stage.range.map(toX);
      ctx.fillStyle = colours["accent-soft"];
      ctx.fillRect(a, 0, b - a, height);
      ctx.fillStyle = colours.accent;
      ctx.fillRect(a, 0, b - a, 3);
      for (const x of [a, b]) ctx.fillRect(x - 2, 0, 4, height);
    }
    const step = STEPS.find((one) => toX(from + one) - toX(from) >= NEAR_PX) || STEPS.at(-1), digits = step < 0.1 ? 2 : step < 1 ? 1 : 0;
    ctx.font = "12px system-ui, sans-serif";
    ctx.textBaseline = "middle";
    for (let n = Math.floor(from / step); n * step <= to + 1e-9; n++) {
      for (let part = 0; part < 5; part++) {
        const x = toX((n + part / 5) * step);
        if (x < view.gutter - 0.5 || x > view.right + 1) continue;
        ctx.fillStyle = colours.line;
        ctx.fillRect(x, part ? height - 5 : height - 11, 1, 11);
      }
      const x = toX(n * step);
      ctx.fillStyle = colours.muted;
      if (x >= view.gutter - 0.5 && x < view.right - 22) ctx.fillText(`${clockWords(n * step, digits)}${n * step < 60 ? " s" : ""}`, x + 4, 11);
    }
    if (view.end < to) { ctx.fillStyle = colours.panel; ctx.globalAlpha = 0.6; ctx.fillRect(toX(view.end), 0, width, height); ctx.globalAlpha = 1; }
    ctx.fillStyle = colours.panel; // what is before the first second that is seen
    ctx.fillRect(0, 0, view.gutter, height);
  },
  down(event, time) {
    const edge = edgeAt(time);
    if (edge >= 0) { const other = stage.range[1 - edge]; return { move: (_, now) => setRange(other, now), up() {} }; }
    if (event.shiftKey) return { move: (_, now) => setRange(time, now), up() {} };
    scrub(time);
    return { move: (_, now) => scrub(now), up() {} };
  },
  double(event, time) { if (stage.range && time >= stage.range[0] && time <= stage.range[1]) { stage.range = null; view.tell(); } },
  hover(event, time) { return edgeAt(time) >= 0 ? "ew-resize" : "text"; },
};
