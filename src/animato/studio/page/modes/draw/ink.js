// What is seen of a drawing: lines as wide as they were pressed, a dot a tenth of a second, where the robot's point
// really goes, and the point itself.
import { stage } from "../../stage/stage.js";
import { drawing, world } from "./state.js";

const DOT = [0.16, 0.5, 0.93], DOT_LIGHT = [0.1, 0.45, 0.95];
const INK = [0.08, 0.1, 0.16], LIGHT = [0.93, 0.95, 1.0], CHOSEN = [0.65, 0.0, 0.37], QUICK = [0.85, 0.55, 0.0], TRAIL = [0.83, 0.37, 0.0], POINT = [0.0, 0.5, 0.36], PAPER = [1, 1, 1];
const DOT_S = 0.1, MOST_PIECES = 500, THIN = 1.2, WIDE = 4.5;
const paths = new WeakMap(); // positions of a motion -> body and place -> where it goes

const widthOf = (pressure) => THIN + WIDE * pressure;

const line = (board, samples, ink, out, top) => {
  for (let n = 1; n < samples.length; n++) {
    const a = world(board, samples[n - 1][0], samples[n - 1][1]), b = world(board, samples[n][0], samples[n][1]), wide = widthOf(samples[n][3]);
    out.line(a, b, ink, 0.95, wide);
    top.line(a, b, ink, 0.28, wide); // seen through the robot as well
  }
};

// Close together where the hand was slow, far apart where it was quick.
const dots = (board, samples, dark, top) => {
  if (samples.length < 2) return; // it has just begun
  let n = 1;
  for (let time = samples[0][2]; time <= samples[samples.length - 1][2]; time += DOT_S) {
    while (n < samples.length - 1 && samples[n][2] < time) n++;
    const [u, v, t] = samples[n - 1], [x, y, s] = samples[n], share = s > t ? Math.min(Math.max((time - t) / (s - t), 0), 1) : 0;
    top.dot(world(board, u + share * (x - u), v + share * (y - v)), dark ? DOT_LIGHT : DOT, 1, 4.4);
  }
};

const trail = (now, out) => {
  const motion = stage.motionOf("main"), source = drawing.source, moving = stage.cast && stage.cast.motions[0];
  if (!motion || !source || !moving || drawing.line) return;
  if (!paths.has(motion.positions)) paths.set(motion.positions, new Map());
  const known = paths.get(motion.positions), ink = now.dark ? MIX(TRAIL, PAPER, 0.3) : TRAIL;
  for (const name of new Set(source.strokes.map((stroke) => stroke.point))) {
    const point = drawing.point && drawing.point.name === name ? drawing.point : drawing.points.find((one) => one.name === name);
    if (!point) continue;
    if (!known.has(name)) known.set(name, moving.pathOf(point.body, point.place));
    const places = known.get(name), every = Math.max(1, Math.ceil(places.length / MOST_PIECES));
    for (let n = every; n < places.length; n += every) out.line(places[n - every], places[n], ink, motion.times[n] <= now.time ? 0.95 : 0.4, 1.8);
  }
};

const drawn = (now, out, top) => {
  const plain = now.dark ? LIGHT : INK, { accents } = (drawing.source && drawing.source.wishes) || {};
  drawing.strokes.forEach(({ board, samples, quick }, n) => {
    const ink = n === drawing.chosen ? (now.dark ? MIX(CHOSEN, PAPER, 0.45) : CHOSEN) : plain;
    line(board, samples, ink, out, top);
    dots(board, samples, now.dark, top);
    if (accents === "quick") for (const [u, v] of quick) top.ring(world(board, u, v), QUICK, 1, 17, 3);
  });
  trail(now, out);
  if (drawing.line && drawing.line.length) {
    line(drawing.board, drawing.line, plain, out, top);
    dots(drawing.board, drawing.line, now.dark, top);
  }
  const { point, pen } = drawing;
  if (point && stage.cast) {
    const place = stage.bodyPose(point.body).place(point.place);
    top.ring(place, PAPER, 0.95, 19, 5);
    top.ring(place, now.dark ? MIX(POINT, PAPER, 0.3) : POINT, 1, 17, 3);
  }
  if (pen) { // the pen that keys move
    const place = world(drawing.board, ...pen);
    top.ring(place, plain, 1, 20, 2);
    top.dot(place, plain, 1, drawing.line ? 9 : 4);
  }
};

export const showInk = () => stage.layer("draw ink", drawn);
export const hideInk = () => stage.layer("draw ink", null);
