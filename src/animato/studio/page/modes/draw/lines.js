// Lines that were drawn: found under a pointer, and the chosen one moved, scaled and turned by its handles.
import { gesture } from "../../core/widgets.js";
import { link } from "../../core/link.js";
import { stage } from "../../stage/stage.js";
import { drawing, onBoard, world } from "./state.js";

const NEAR_PX = 14, FINGER_PX = 24, KNOB = [0.65, 0.0, 0.37], PAPER = [1, 1, 1];
let hovered = "";

// The number of the line under a pointer, -1 where there is none.
export const lineAt = (event) => {
  let best = event.pointerType === "touch" ? FINGER_PX : NEAR_PX, found = -1;
  drawing.strokes.forEach(({ board, samples }, n) => samples.forEach(([u, v], k) => {
    if (k % 3) return;
    const [x, y] = stage.project(world(board, u, v)), far = Math.hypot(x - event.clientX, y - event.clientY);
    if (far < best) { best = far; found = n; }
  }));
  return found;
};

// The box about the chosen line, on its board.
const boxOf = ({ samples }) => {
  const us = samples.map(([u]) => u), vs = samples.map(([, v]) => v), low = [Math.min(...us), Math.min(...vs)], high = [Math.max(...us), Math.max(...vs)];
  return { low, high, middle: [(low[0] + high[0]) / 2, (low[1] + high[1]) / 2] };
};
const knobsOf = (stroke) => {
  const { low, high, middle } = boxOf(stroke), room = 0.12 * Math.max(high[0] - low[0], high[1] - low[1]);
  return [
    { name: "move", words: "move the line", at: middle },
    { name: "scale", words: "make the line larger or smaller", at: [high[0] + room / 2, low[1] - room / 2] },
    { name: "turn", words: "turn the line", at: [middle[0], high[1] + room] },
  ];
};
const chosen = () => drawing.strokes[drawing.chosen] || null;
const knobAt = (event) => {
  const stroke = chosen(), near = event.pointerType === "touch" ? FINGER_PX : NEAR_PX + 2;
  return stroke && knobsOf(stroke).find(({ at }) => { const [x, y] = stage.project(world(stroke.board, ...at)); return Math.hypot(x - event.clientX, y - event.clientY) < near; });
};

// --- Changed: what is not sent yet is put together ---------------------------------------------------------------------
const change = link.newest(({ what, ...fields }) => link.send(what, fields));
const both = (what, a, b) => (what === "draw.move" ? [a[0] + b[0], a[1] + b[1]] : what === "draw.scale" ? a * b : a + b);
const send = (what, by, about, current) => {
  if (change.waiting && (change.waiting.what !== what || change.waiting.gesture !== current)) change.post();
  const { waiting } = change;
  change.put(waiting ? { ...waiting, by: both(what, waiting.by, by) } : { what, by, about, gesture: current, strokes: [drawing.chosen] });
};

export const moveLine = (by, current = gesture()) => { if (chosen()) send("draw.move", by, [0, 0], current); };
export const scaleLine = (by, current = gesture()) => { if (chosen()) send("draw.scale", by, boxOf(chosen()).middle, current); };
export const turnLine = (by, current = gesture()) => { if (chosen()) send("draw.turn", by, boxOf(chosen()).middle, current); };
export const deleteLine = () => { if (chosen()) link.tryTo("draw.delete", { strokes: [drawing.chosen] }); };
export const nextLine = (step = 1) => { const count = drawing.strokes.length; if (count) drawing.choose((drawing.chosen + step + count + (drawing.chosen < 0 && step < 0 ? 1 : 0)) % count); };

const dragOf = (knob, event) => {
  const stroke = chosen(), { board } = stroke, { middle } = boxOf(stroke), current = gesture();
  let last = onBoard(board, event) || middle;
  return { move(now) {
    const place = onBoard(board, now);
    if (!place) return;
    const before = [last[0] - middle[0], last[1] - middle[1]], after = [place[0] - middle[0], place[1] - middle[1]];
    if (knob.name === "move") send("draw.move", [place[0] - last[0], place[1] - last[1]], [0, 0], current);
    else if (knob.name === "scale") { const by = Math.hypot(...after) / Math.max(Math.hypot(...before), 1e-6); if (by > 0.02 && by < 50) send("draw.scale", by, middle, current); else return; }
    else send("draw.turn", Math.atan2(before[0] * after[1] - before[1] * after[0], before[0] * after[0] + before[1] * after[1]), middle, current);
    last = place;
  } };
};

const drawn = (now, out, top) => {
  const stroke = chosen();
  if (!stroke || drawing.line) return;
  const ink = now.dark ? MIX(KNOB, PAPER, 0.45) : KNOB, { low, high } = boxOf(stroke), at = (u, v) => world(stroke.board, u, v);
  const corners = [at(...low), at(high[0], low[1]), at(...high), at(low[0], high[1])];
  corners.forEach((corner, n) => top.line(corner, corners[(n + 1) % 4], ink, 0.6, 1.2, 4));
  for (const knob of knobsOf(stroke)) {
    const place = at(...knob.at), near = hovered === knob.name;
    top.dot(place, ink, 1, near ? 18 : 15);
    top.dot(place, PAPER, 1, knob.name === "move" ? 9 : knob.name === "scale" ? 5 : 0.1);
    if (near && now.label) now.label(place, knob.words, "");
  }
};

export const showLines = () => {
  stage.layer("draw lines", drawn);
  stage.grip("draw lines", {
    down(event) { const knob = knobAt(event); return knob ? dragOf(knob, event) : null; },
    hover(event) {
      const knob = knobAt(event), name = knob ? knob.name : "";
      if (name !== hovered) { hovered = name; stage.ask(); }
      return knob ? "grab" : null;
    },
  }, 40);
};
export const hideLines = () => { stage.layer("draw lines", null); stage.grip("draw lines", null); };
