// The person on the stage: a stick figure beside the robot or over it, with lines to where the robot has the same part.
// A part is pressed, then the place on the robot; or a line is dragged from one to the other.
import { store } from "../../core/store.js";
import { stage } from "../../stage/stage.js";
import { capture, map, mapToRobot } from "./state.js";

const NEAR_PX = 13, LEAST_PX = 5;
const COLOURS = { left: [0.0, 0.45, 0.7], right: [0.83, 0.37, 0.0], "": [0.45, 0.47, 0.52] };
const LIMBS = [["hip", "knee"], ["knee", "ankle"], ["ankle", "heel"], ["ankle", "toe"], ["heel", "toe"], ["shoulder", "elbow"], ["elbow", "wrist"], ["wrist", "hand"]];
let line = null; // that is dragged: the end in the world
let onDot = false; // the press that goes on was on the person

const sideOf = (name) => (name.startsWith("left") ? "left" : name.startsWith("right") ? "right" : "");
const inkOf = (name, dark) => { const colour = COLOURS[sideOf(name)]; return dark ? MIX(colour, [1, 1, 1], 0.35) : colour; };

// Pairs of landmarks that a bone joins; where the spine is not all there, hips and shoulders are joined to what is.
const pairsOf = (names) => {
  const spine = ["pelvis", "chest", "neck", "head"].filter((name) => names.includes(name)), top = ["neck", "chest", "pelvis"].find((name) => names.includes(name)), pairs = spine.slice(1).map((name, n) => [spine[n], name]);
  for (const side of ["left", "right"]) pairs.push(...LIMBS.map((pair) => pair.map((name) => `${side}_${name}`)), ["pelvis", `${side}_hip`], [top, `${side}_shoulder`]);
  return pairs.filter((pair) => pair.every((name) => names.includes(name))).map((pair) => pair.map((name) => names.indexOf(name)));
};

const nearest = (event, places) => {
  let best = -1, least = (event.pointerType === "touch" ? 1.7 : 1) * NEAR_PX;
  places.forEach((place, n) => {
    if (!place) return;
    const [x, y, depth] = stage.project(place), far = Math.hypot(event.clientX - x, event.clientY - y);
    if (depth > 0 && far < least) { least = far; best = n; }
  });
  return best;
};
const dotAt = (event) => {
  if (!capture.here || capture.how === "off") return null;
  const n = nearest(event, capture.figure());
  if (n >= 0) return { part: capture.told.names[n] };
  if (!capture.chosen && capture.told.names.length) return null;
  const bone = nearest(event, capture.bones());
  return bone >= 0 ? { bone: capture.told.bones[bone] } : null;
};

const down = (event) => {
  const dot = dotAt(event);
  onDot = Boolean(dot);
  if (!dot) return null;
  if (dot.bone) return { up() { if (capture.chosen) map(capture.chosen, { person: [dot.bone] }); } };
  const { clientX, clientY } = event, before = capture.chosen, { forward } = stage.view(), origin = capture.figure()[capture.told.names.indexOf(dot.part)];
  return {
    move(now) {
      if (!line && Math.hypot(now.clientX - clientX, now.clientY - clientY) < LEAST_PX) return;
      if (capture.chosen !== dot.part) capture.choose(dot.part);
      line = stage.onPlane(now.clientX, now.clientY, { origin, normal: forward });
      stage.ask();
    },
    up(now) {
      const hit = line && stage.pick(now.clientX, now.clientY, 6);
      if (!line) capture.choose(dot.part); else if (hit) mapToRobot(dot.part, hit);
      line = null;
      stage.ask();
    },
    cancel() { line = null; capture.chosen = before; capture.news(); },
  };
};

const hover = (event) => {
  const dot = dotAt(event);
  stage.root.classList.toggle("over-person", Boolean(dot));
  return dot ? "pointer" : null;
};

const draw = (now, out, top) => {
  if (!capture.here || capture.how === "off") return;
  const { told, chosen } = capture, size = now.view.size || 1, places = capture.figure(), over = capture.how === "over", thick = over ? 2.2 : -0.012 * size, bones = capture.bones();
  if (!told.names.length || chosen) {
    const grey = now.dark ? [0.75, 0.77, 0.8] : [0.4, 0.42, 0.46];
    for (const [a, b] of told.names.length ? [] : told.edges) if (bones[a] && bones[b]) out.line(bones[a], bones[b], grey, 0.9, thick);
    bones.forEach((place) => { if (place) top.dot(place, grey, 0.85, 5); });
  }
  for (const [a, b] of pairsOf(told.names)) if (places[a] && places[b]) (over ? top : out).line(places[a], places[b], inkOf(told.names[a] === "pelvis" || sideOf(told.names[b]) ? told.names[b] : told.names[a], now.dark), over ? 0.8 : 1, thick);
  const head = told.names.indexOf("head");
  if (head >= 0 && places[head] && !over) out.dot(places[head], inkOf("", now.dark), 1, -0.055 * size);
  told.names.forEach((name, n) => {
    const place = places[n], part = capture.part(name), own = capture.onRobot(part), ink = inkOf(name, now.dark), mine = name === chosen;
    if (!place) return;
    const end = mine && line ? line : own;
    if (end && (mine || (capture.lines && !chosen && !over))) top.line(place, end, ink, mine ? 0.95 : 0.3, mine ? 2.6 : 1, mine ? 0 : 4);
    if (own && (capture.lines || mine)) top.dot(own, ink, mine ? 1 : 0.7, mine ? 9 : 5);
    top.dot(place, [1, 1, 1], 0.95, mine ? 13 : 8);
    top.dot(place, ink, 1, mine ? 10 : 6);
    if (mine) now.label([place[0], place[1], place[2] + 0.03 * size], own ? part.label : `${part.label}: the robot has none`, own ? "" : "warm");
  });
};

// A press on the robot while a part of the person is chosen says where the robot has it.
store.on("press", (hit) => {
  const mine = onDot;
  onDot = false;
  if (capture.active && capture.here && capture.chosen && hit && !mine) mapToRobot(capture.chosen, hit);
});

export const showPerson = () => { stage.grip("capture", { down, hover }, 20); stage.layer("capture", draw); };
export const hidePerson = () => { stage.grip("capture", null); stage.layer("capture", null); stage.root.classList.remove("over-person"); line = null; };
