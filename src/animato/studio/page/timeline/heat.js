// The heat strip: how much of its limits the motion uses, over time; the worst of all, and unfolded each joint.
import { isDark } from "../core/theme.js";
import { store } from "../core/store.js";
import { stage } from "../stage/stage.js";
import { colours } from "./board.js";
import { colourOf, isBeyond, levelIsBeyond, levelOf } from "./heat_colours.js";
import { tip } from "./tip.js";
import { usage } from "./usage.js";
import { view } from "./view.js";

const LEAST_WIDE = 3, HATCH = 6, TICK = 7, NEAR_PX = 9;
export const ROW = 18;

// One row of colours, pixel by pixel: the worst that falls into each, so that no violation is lost however far one looks.
const drawRow = (ctx, axis, top, height) => {
  const { now } = usage, dark = isDark(), left = Math.max(view.gutter, view.toX(now.span[0])), right = Math.min(view.right, view.toX(now.span[1])), shares = now.rowOf(axis);
  ctx.fillStyle = colours.sunken;
  ctx.fillRect(left, top, right - left, height);
  let run = -2, from = left;
  const flush = (to) => {
    if (run < 0) return;
    const wide = levelIsBeyond(run) ? Math.max(LEAST_WIDE, to - from) : to - from;
    ctx.fillStyle = colourOf(run, dark);
    ctx.fillRect(from, top, wide, height);
    if (!levelIsBeyond(run)) return;
    ctx.save(); // beyond a limit is told by more than a colour
    ctx.beginPath();
    ctx.rect(from, top, wide, height);
    ctx.clip();
    ctx.strokeStyle = colours.panel;
    ctx.beginPath();
    for (let x = from - (from % HATCH) - height; x < from + wide + height; x += HATCH) { ctx.moveTo(x, top + height); ctx.lineTo(x + height, top); }
    ctx.stroke();
    ctx.restore();
  };
  for (let x = Math.floor(left); x < right; x++) {
    const first = Math.max(0, now.columnAt(view.toTime(x))), last = Math.min(now.columns - 1, Math.max(first, now.columnAt(view.toTime(x + 1)) - 1));
    let share = NaN;
    for (let c = first; c <= last; c++) if (!(shares[c] <= share) && !Number.isNaN(shares[c])) share = shares[c];
    const level = levelOf(share);
    if (level === run) continue;
    flush(x);
    run = level;
    from = Math.max(x, left);
  }
  flush(right);
};

const label = (ctx, words, y, strong) => {
  ctx.fillStyle = strong ? colours.accent : colours.muted;
  ctx.font = `${strong ? "600 " : ""}12px system-ui, sans-serif`;
  ctx.textBaseline = "middle";
  let shown = words;
  while (shown.length > 3 && ctx.measureText(shown).width > view.gutter - 18) shown = `${shown.slice(0, -2).trimEnd()}…`.replace("……", "…");
  ctx.fillText(shown, 12, y);
};

// Why there are no colours.
const explain = (ctx, height) => {
  const { take, usage: told, outcome } = store, waits = take && take.duration && !outcome;
  ctx.fillStyle = colours.muted;
  ctx.font = "13px system-ui, sans-serif";
  ctx.textBaseline = "middle";
  ctx.fillText(!waits && told && told.outcome ? told.outcome.words : "checking what the robot can do…", view.gutter + 8, height / 2, view.right - view.gutter - 12);
};

const goTo = (time, joint) => { stage.play(false); stage.seek(view.clamped(time)); if (joint) store.select({ joint, body: -1 }); };
const troubleAt = (time) => usage.now && usage.now.troubles.find((one) => Math.abs(view.toX(one.time) - view.toX(time)) < NEAR_PX);

export const goToTrouble = (way) => {
  const all = usage.now ? usage.now.troubles : [], next = way > 0 ? all.find(({ time }) => time > stage.time + 1e-3) || all[0] : all.findLast(({ time }) => time < stage.time - 1e-3) || all.at(-1);
  if (!next) return "Nothing is too much for the robot.";
  goTo(next.time, next.joint);
  return next.words;
};

const press = (axis, time, trouble) => {
  if (trouble) { goTo(trouble.time, trouble.joint); return; }
  const found = usage.now && usage.now.at(axis, time);
  goTo(time, found && found.axis && (axis >= 0 || isBeyond(found.share)) ? found.axis.joint : "");
};

// The worst of all joints, with a tick at each trouble.
export const heatTrack = {
  name: "heat",
  height: 30,
  draw(ctx, toX, span, { height }) {
    if (!usage.now) { if (view.end > view.begin) explain(ctx, height); return; }
    drawRow(ctx, -1, TICK + 1, height - TICK - 4);
    ctx.fillStyle = colours.bad;
    for (const { time } of usage.now.troubles) {
      const x = toX(time);
      if (x < view.gutter - 1 || x > view.right + 1) continue;
      ctx.beginPath();
      for (const [a, b] of [[-5, 0], [5, 0], [0, TICK]]) ctx.lineTo(x + a, b);
      ctx.fill();
    }
  },
  down(event, time, y) {
    press(-1, time, y < 2 * TICK || event.pointerType === "touch" ? troubleAt(time) : null);
    if (event.pointerType === "touch" && this.hover(event, time) === "pointer") tip.fade(); // a finger does not hover
    return { move: (_, now) => { stage.seek(view.clamped(now)); }, up() {} };
  },
  hover(event, time) {
    const trouble = troubleAt(time), words = trouble ? trouble.words : usage.now ? usage.now.words(-1, time) : "";
    if (words) tip.show(event, words); else tip.hide();
    return words ? "pointer" : "default";
  },
  out: () => tip.hide(),
};

// One row a joint.
let open = false;
export const rows = { get open() { return open; }, set open(on) { open = on; view.tell(); } };
const axisAt = (y) => (usage.now ? usage.now.axes[Math.floor(y / ROW)] : undefined);
export const rowsTrack = {
  name: "rows",
  height: () => (open && usage.now ? ROW * usage.now.axes.length + 4 : 0),
  draw(ctx) {
    usage.now.axes.forEach((axis, n) => {
      label(ctx, axis.label, n * ROW + ROW / 2, store.selection.joint && store.selection.joint === axis.joint);
      drawRow(ctx, axis.number, n * ROW + 1, ROW - 2);
    });
  },
  down(event, time, y) {
    const axis = axisAt(y);
    if (!axis) return null;
    if (time < view.from) store.select({ joint: axis.joint, body: -1 }); else { press(axis.number, time, null); store.select({ joint: axis.joint, body: -1 }); }
    if (event.pointerType === "touch" && this.hover(event, time, y) === "pointer") tip.fade();
    return { move: (_, now) => { stage.seek(view.clamped(now)); }, up() {} };
  },
  hover(event, time, y) {
    const axis = axisAt(y), words = axis && usage.now.words(axis.number, time);
    if (words) tip.show(event, words); else tip.hide();
    return axis ? "pointer" : "default";
  },
  out: () => tip.hide(),
};
usage.onChange(() => view.tell());
store.on("selection", () => { if (open) view.tell(); });
