// What is drawn beside the figures: paths of points, the chosen joint with its limits, the feet and the balance.
import { store } from "../core/store.js";
import { amount, kindOf, nearness } from "./words.js";
import { heatOf } from "./usage.js";

const QUIET = ["draw", "face"]; // modes in which a dial would be in the way
const TRAILS = [[0.83, 0.37, 0.0], [0.0, 0.45, 0.7], [0.8, 0.47, 0.65], [0.0, 0.62, 0.45]], MOST_PIECES = 360, ARC_STEPS = 48;

export const showOverlays = (stage) => {
  stage.trails = [];
  stage.floorShown = true;
  stage.heatOf = (time) => heatOf(stage.cast.scene, time);
  stage.layer("trails", (now, out, top) => trails(stage, now, out, top));
  stage.layer("balance", (now, out, top) => { if (stage.floorShown && !stage.live) balance(stage, now, out, top); });
  stage.layer("joint", (now, out, top) => { if (stage.joint && !QUIET.includes(store.mode)) limits(stage, now, top); });
  // Else it is the same picture. One frame later: the strip of the check is the news, and need not wait for a picture.
  store.on("usage", ({ balance }) => { if (stage.heat || (stage.floorShown && balance)) requestAnimationFrame(() => stage.ask()); });
};

// --- Paths of points: whole, and strong up to now -----------------------------------------------------------------------
const paths = new WeakMap(); // motion -> point -> places
const pathOf = (motion, point) => {
  if (!paths.has(motion)) paths.set(motion, new Map());
  const known = paths.get(motion);
  if (!known.has(point.name)) known.set(point.name, motion.pathOf(point.body, point.place));
  return known.get(point.name);
};

const trails = (stage, now, out, top) => {
  const { cast } = stage, shown = stage.shown();
  stage.trails.forEach((name, n) => {
    const point = cast.scene.points.find((one) => one.name === name);
    if (!point) return;
    const paper = now.dark ? [0.2, 0.21, 0.23] : [0.82, 0.85, 0.88], ink = now.dark ? MIX(TRAILS[n % TRAILS.length], [1, 1, 1], 0.3) : TRAILS[n % TRAILS.length];
    cast.motions.forEach((motion, figure) => {
      if (!motion || motion.count < 2 || shown[figure] === "off" || point.body >= motion.bodies) return;
      const places = pathOf(motion, point), every = Math.max(1, Math.ceil(places.length / MOST_PIECES)), shift = now.view.shifts[figure], [frame, , share] = motion.around(now.time);
      let before = null, from = 0;
      const add = (place, past) => {
        if (before) out.line(before, place, past || figure ? ink : MIX(ink, paper, 0.6), figure ? 0.5 : 0.95, figure ? 1.4 : past ? 2.4 : 1.6, figure ? 5 : 0, from);
        if (before && figure) { const a = now.seen(before), b = now.seen(place); from += Math.hypot(a[0] - b[0], a[1] - b[1]); }
        before = place;
      };
      for (let k = 0; k < places.length; k += every) add(places[k].map((value, i) => value + shift[i]), k <= frame + share);
      add(places[places.length - 1].map((value, i) => value + shift[i]), false);
    });
    top.dot(stage.bodyPose(point.body).place(point.place), [1, 1, 1], 0.9, 9);
    top.dot(stage.bodyPose(point.body).place(point.place), ink, 1, 7);
  });
};

// --- Feet on the floor, and where the robot's weight acts ---------------------------------------------------------------
const balance = (stage, now, out, top) => {
  const { usage } = store, told = usage && usage.balance;
  if (!told || !usage.arrays.zmp_times) return;
  const { zmp_times: times, zmp, zmp_inside: inside } = usage.arrays, [corners] = cornersAt(told.outlines, now.time), z = told.height + 0.002 * now.view.size;
  let n = 0, high = times.length - 1;
  while (high - n > 1) { const mid = (n + high) >> 1; if (times[mid] <= now.time) n = mid; else high = mid; }
  const m = Math.min(n + 1, times.length - 1), share = times[m] > times[n] ? Math.min(Math.max((now.time - times[n]) / (times[m] - times[n]), 0), 1) : 0;
  const ink = INKS[now.dark ? 1 : 0][inside[share < 0.5 ? n : m] ? "good" : "bad"], place = [0, 1].map((k) => zmp[2 * n + k] + share * (zmp[2 * m + k] - zmp[2 * n + k]));
  if (corners.length >= 6) out.area(corners, z, ink, 0.22);
  for (let k = 0; k < corners.length; k += 2) {
    const l = (k + 2) % corners.length;
    out.line([corners[k], corners[k + 1], z], [corners[l], corners[l + 1], z], ink, 0.9, 1.6);
  }
  if (place.some(Number.isNaN)) return; // nothing touches the floor
  top.dot([...place, z], [1, 1, 1], 0.95, 11);
  top.dot([...place, z], ink, 1, 8);
};

const cornersAt = (outlines, time) => {
  let found = [];
  for (const [from, ...corners] of outlines) { if (from > time + 1e-6) break; found = corners; }
  return [found];
};

// --- The chosen joint: from where to where it goes, where it is ---------------------------------------------------------
const limits = (stage, now, top) => {
  const { joint, cast } = stage, pose = stage.bodyPose(joint.body), at = pose.place(joint.place), accent = now.dark ? [0.45, 0.75, 1] : [0.04, 0.36, 0.77];
  const inks = { "": accent, warm: [0.9, 0.47, 0.08], bad: INKS[now.dark ? 1 : 0].bad }, values = stage.coordinatesNow(), words = [];
  const far = radiusOf(stage, joint, now, at);
  let worst = 0;
  joint.coordinates.forEach((coordinate, n) => {
    const value = values[cast.scene.coordinates.indexOf(coordinate.name)], near = nearness(coordinate, value), last = n === joint.coordinates.length - 1;
    if (value === undefined || coordinate.unit === "") return;
    worst = Math.max(worst, near);
    words.push(amount(value, coordinate.unit));
    if (!last) return; // an axis before the last one does not move with this body
    const own = joint.axes[joint.kind === "universal" ? n : 0], axis = pose.turn(own);
    if (coordinate.unit === "m") ruler(top, at, axis, far, coordinate, value, inks[kindOf(near)], accent);
    else dial(top, at, axis, pose.turn(handOf(stage, joint, own)), far, coordinate, value, inks[kindOf(near)], accent);
  });
  top.ring(at, inks[kindOf(worst)], 1, 13, 2.5);
  now.label(at.map((value, k) => value + (words.length ? 1.1 * far : 0) * now.view.right[k]), [joint.label, words.join(", ")].filter(Boolean).join("  "), kindOf(worst));
};

// As large as its body, but not too small or too large on the picture.
const radiusOf = (stage, joint, now, at) => {
  const metres = 2 * now.view.lens[1] * dot(now.view.forward, at.map((value, n) => value - now.view.eye[n])) / Math.max(stage.canvas.clientHeight, 1);
  return Math.min(Math.max(0.9 * stage.cast.reaches[joint.body], 34 * metres), 90 * metres);
};

// Across the axis, towards the middle of the body: that is where people look for it.
const handOf = (stage, joint, own) => {
  const sphere = stage.picker.spheres[joint.body], out = sphere ? [0, 1, 2].map((k) => sphere[k] - joint.place[k]) : [0, 0, 0], along = dot(out, own), across = out.map((value, k) => value - along * own[k]);
  return Math.hypot(...across) > 0.1 * (sphere ? sphere[3] : 1) ? unit(across) : unit(cross(own, Math.abs(own[2]) < 0.9 ? [0, 0, 1] : [1, 0, 0]));
};

// `hand` moves with the body and stands at `value`.
const dial = (top, at, axis, hand, far, { lower, upper }, value, ink, accent) => {
  const ahead = cross(axis, hand);
  const place = (angle, length) => at.map((one, k) => one + length * (Math.cos(angle - value) * hand[k] + Math.sin(angle - value) * ahead[k]));
  const from = lower === null ? value - Math.PI : lower, to = upper === null ? value + Math.PI : upper, ends = Math.min((to - from) / 2, 0.1 * Math.max(to - from, 0.2));
  for (let n = 0; n < ARC_STEPS; n++) {
    const a = from + (to - from) * n / ARC_STEPS, b = from + (to - from) * (n + 1) / ARC_STEPS, middle = (a + b) / 2;
    const near = (lower !== null && middle - from < ends) || (upper !== null && to - middle < ends);
    top.line(place(a, far), place(b, far), near ? [0.85, 0.1, 0.3] : accent, near ? 0.95 : 0.8, 3);
  }
  for (const [end, known] of [[from, lower], [to, upper]]) if (known !== null) top.line(place(end, 0.82 * far), place(end, 1.08 * far), [0.85, 0.1, 0.3], 0.95, 2.4);
  top.line(at, place(value, 1.04 * far), [1, 1, 1], 0.8, 5);
  top.line(at, place(value, 1.04 * far), ink, 1, 3);
  top.line(at.map((one, k) => one - 0.5 * far * axis[k]), at.map((one, k) => one + 0.5 * far * axis[k]), accent, 0.6, 1.4, 4);
};

const ruler = (top, at, axis, far, { lower, upper }, value, ink, accent) => {
  const place = (one) => at.map((start, k) => start + (one - value) * axis[k]), from = lower === null ? value - far : lower, to = upper === null ? value + far : upper;
  top.line(place(from), place(to), accent, 0.8, 3);
  for (const [end, known] of [[from, lower], [to, upper]]) if (known !== null) top.dot(place(end), [0.85, 0.1, 0.3], 1, 8);
  top.dot(at, ink, 1, 10);
};
