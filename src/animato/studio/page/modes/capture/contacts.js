// What stands when: a row for each heel and toe in the timeline. Ends are dragged, a press twice adds or takes away.
import { link } from "../../core/link.js";
import { gesture } from "../../core/widgets.js";
import { stage } from "../../stage/stage.js";
import { colours } from "../../timeline/board.js";
import { timeline } from "../../timeline/timeline.js";
import { tip } from "../../timeline/tip.js";
import { view } from "../../timeline/view.js";
import { capture } from "./state.js";

const ROW = 20, PAD = 3, NEW_S = 0.4, LEAST_S = 1 / 30, STILL_PX = 4;
let held = null; // while an end is dragged: { part, planted }
let pressedY = 0; // where on the track the last press was

export const contactRows = () => (capture.here ? capture.told.contacts : []);
const plantedOf = ({ part, planted }) => (held && held.part === part ? held.planted : planted);
const rowAt = (y) => contactRows()[Math.floor((y - PAD) / ROW)];
const rangeOf = () => capture.told.range;

// One message at a time: the newest counts.
const sending = (part) => {
  const name = gesture();
  let asked = false, newest = null;
  const send = async () => {
    if (asked || !newest) return;
    const intervals = newest;
    newest = null;
    asked = true;
    await link.tryTo("capture.contacts", { part, intervals, gesture: name });
    asked = false;
    if (newest) send(); else if (held && held.over) { held = null; timeline.redraw(); }
  };
  return (intervals) => { newest = intervals; send(); };
};
export const setContacts = (part, intervals) => link.tryTo("capture.contacts", { part, intervals });

const inside = (planted, time) => planted.findIndex(([a, b]) => time >= a && time <= b);
// With a stand around a moment, or without the one that is there.
export const toggled = (planted, time) => {
  const at = inside(planted, time), [first, last] = rangeOf();
  if (at >= 0) return planted.filter((_, n) => n !== at);
  const before = Math.max(first, ...planted.map(([, b]) => b).filter((b) => b < time)), after = Math.min(last, ...planted.map(([a]) => a).filter((a) => a > time));
  return [...planted, [Math.max(before, time - NEW_S / 2), Math.min(after, time + NEW_S / 2)]].sort((a, b) => a[0] - b[0]);
};
// The stand here, or the nearest one, begins (0) or ends (1) at a moment; where there is none before or after, one begins.
export const moved = (planted, end, time) => {
  const at = inside(planted, time), near = at >= 0 ? at : end ? planted.findLastIndex(([a]) => a < time) : planted.findIndex(([, b]) => b > time), [first, last] = rangeOf();
  if (near < 0) return [...planted, end ? [Math.max(first, time - NEW_S), time] : [time, Math.min(last, time + NEW_S)]].sort((a, b) => a[0] - b[0]);
  return planted.map((one, n) => (n !== near ? one : end ? [one[0], Math.max(time, one[0] + LEAST_S)] : [Math.min(time, one[1] - LEAST_S), one[1]]));
};

const edgeAt = (event, row, x) => {
  let best = null, least = event.pointerType === "touch" ? 18 : 8;
  plantedOf(row).forEach((one, n) => one.forEach((time, end) => { const far = Math.abs(view.toX(capture.robotTime(time)) - x); if (far < least) { least = far; best = { n, end }; } }));
  return best;
};

const dragOf = (row, { n, end }) => {
  const send = sending(row.part), begin = row.planted.map((one) => [...one]), [first, last] = rangeOf();
  held = { part: row.part, planted: begin };
  return {
    move(_, now) {
      const time = Math.min(Math.max(capture.fileTime(now), first), last), planted = begin.map((one) => [...one]);
      const lowest = end ? planted[n][0] + LEAST_S : n ? planted[n - 1][1] + LEAST_S : first, highest = end ? (n + 1 < planted.length ? planted[n + 1][0] - LEAST_S : last) : planted[n][1] - LEAST_S;
      planted[n][end] = Math.min(Math.max(time, lowest), highest);
      held = { part: row.part, planted };
      send(planted);
      stage.play(false);
      stage.seek(view.clamped(capture.robotTime(planted[n][end])));
      timeline.redraw();
    },
    up() { if (held) held.over = true; timeline.redraw(); setTimeout(() => { if (held && held.over) { held = null; timeline.redraw(); } }, 600); },
    cancel() { send(begin); held = null; timeline.redraw(); },
  };
};

const track = {
  height: () => (contactRows().length ? ROW * contactRows().length + 2 * PAD : 0),
  draw(ctx, toX, span, { width, height }) {
    ctx.fillStyle = colours.line;
    ctx.fillRect(view.gutter, height - 1, width, 1);
    ctx.font = "12px system-ui, sans-serif";
    ctx.textBaseline = "middle";
    contactRows().forEach((row, n) => {
      const top = PAD + n * ROW, [first, last] = rangeOf().map((time) => toX(capture.robotTime(time)));
      ctx.fillStyle = colours.sunken;
      ctx.fillRect(first, top + 3, last - first, ROW - 6);
      for (const [a, b] of plantedOf(row)) {
        const left = toX(capture.robotTime(a)), right = toX(capture.robotTime(b));
        ctx.fillStyle = row.edited ? colours.accent : colours.good;
        ctx.globalAlpha = 0.55;
        ctx.fillRect(left, top + 3, right - left, ROW - 6);
        ctx.globalAlpha = 1;
        for (const x of [left, right - 3]) ctx.fillRect(x, top + 2, 3, ROW - 4);
      }
      ctx.fillStyle = colours.panel;
      ctx.fillRect(0, top, view.gutter - 2, ROW);
      ctx.fillStyle = row.edited ? colours.accent : colours.muted;
      ctx.fillText(`${row.part} stands`, 12, top + ROW / 2);
    });
  },
  down(event, time, y) {
    pressedY = y;
    const row = rowAt(y), x = view.toX(time), edge = row && edgeAt(event, row, x);
    tip.hide();
    if (!row) return null;
    if (edge) return dragOf(row, edge);
    const begin = event.clientX;
    let scrubs = false;
    return { move(now, to) { scrubs ||= Math.abs(now.clientX - begin) > STILL_PX; if (scrubs) stage.seek(view.clamped(to)); }, up(_, to) { stage.play(false); stage.seek(view.clamped(to)); } };
  },
  double(event, time) { const row = rowAt(pressedY); if (row) setContacts(row.part, toggled(row.planted, capture.fileTime(time))); },
  hover(event, time, y) {
    const row = rowAt(y), edge = row && edgeAt(event, row, view.toX(time));
    if (!row) { tip.hide(); return "default"; }
    const standing = inside(plantedOf(row), capture.fileTime(time)) >= 0;
    tip.show(event, edge ? `the ${row.part} ${edge.end ? "is lifted" : "is put down"} at ${view.toTime(view.toX(time)).toFixed(2)} s; drag to change it` : standing ? `the ${row.part} stands; press twice to lift it` : `the ${row.part} is in the air; press twice to put it down`);
    return edge ? "ew-resize" : "default";
  },
  out: () => tip.hide(),
};

let off = null, quiet = null;
export const showContacts = () => { off = timeline.addTrack("contacts", track); quiet = capture.on(() => timeline.redraw()); };
export const hideContacts = () => { if (off) off(); if (quiet) quiet(); off = quiet = null; tip.hide(); };
