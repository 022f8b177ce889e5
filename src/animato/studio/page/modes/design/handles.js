// Handles of target paths on the stage: seen, dragged with mouse, pen or finger, moved by keys.
import { gesture } from "../../core/widgets.js";
import { keys } from "../../core/keyboard.js";
import { link } from "../../core/link.js";
import { store } from "../../core/store.js";
import { stage } from "../../stage/stage.js";
import { design } from "./state.js";

const NEAR_PX = 16, FINGER_PX = 26, REST_MS = 450;
const TARGET = [0.9, 0.52, 0.0], AFTER = [0.02, 0.58, 0.4], BEFORE = [0.5, 0.53, 0.58], PAPER = [1, 1, 1], INK = [0.1, 0.12, 0.15];
const dot3 = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

const trail = (out, path, colour, opacity, thick, dash = 0) => {
  for (let n = 1; n < path.length; n++) out.line(path[n - 1], path[n], colour, opacity, thick, dash, dash ? 4 * n : 0);
};

const drawn = (now, out, top) => {
  if (!design.begun) return;
  const lighter = (colour) => (now.dark ? MIX(colour, PAPER, 0.3) : colour);
  if (design.sides) {
    for (const path of design.sides.before) trail(out, path, lighter(BEFORE), 0.8, 1.6, 5);
    for (const path of design.sides.after) trail(top, path, lighter(AFTER), 0.95, 2.6);
  }
  design.paths.forEach((path, p) => {
    trail(top, path.places, lighter(TARGET), 0.95, 2.2);
    path.handles.forEach((place, n) => {
      const chosen = design.chosen && design.chosen.path === p && design.chosen.index === n;
      top.dot(place, lighter(TARGET), 1, chosen ? 19 : 15);
      top.dot(place, chosen ? INK : PAPER, 1, chosen ? 11 : 9);
    });
  });
};

// The handle next to a pointer; a finger is wider.
const handleAt = (event) => {
  let best = event.pointerType === "touch" ? FINGER_PX : NEAR_PX, found = null;
  design.paths.forEach((path, p) => path.handles.forEach((place, n) => {
    const [x, y] = stage.project(place), far = Math.hypot(x - event.clientX, y - event.clientY);
    if (far < best) { best = far; found = { path: p, index: n }; }
  }));
  return found;
};

// The plane in which a handle goes: that of its path, unless it is seen from the edge; else the one that faces the camera.
const planeFor = (path, origin, free) => {
  const { forward } = stage.view(), { normal } = design.paths[path];
  return { origin, normal: normal && !free && Math.abs(dot3(normal, forward)) > 0.25 ? normal : forward };
};

const dragged = link.newest((fields) => link.send("design.handle", fields));
const send = ({ path, index }, place, current, done) => {
  const name = design.paths[path] && design.paths[path].name;
  if (name === undefined) return;
  design.paths[path].handles[index] = place; // its own place does not wait for the answer
  stage.ask();
  const message = { point: name, index, place, gesture: current, done };
  if (done) { dragged.drop(); link.tryTo("design.handle", message); } else dragged.put(message);
};

export const choose = (handle) => {
  design.chosen = handle;
  if (handle) { store.select(); stage.play(false); stage.seek(design.timeOf(handle.path, handle.index)); } // arrows are for one thing at a time
  design.news();
};

const grip = {
  down(event) {
    const handle = design.begun && handleAt(event);
    if (!handle) return null;
    choose(handle);
    const first = [...design.paths[handle.path].handles[handle.index]], plane = planeFor(handle.path, first, event.shiftKey), current = gesture();
    const start = stage.onPlane(event.clientX, event.clientY, plane) || first;
    let place = first, moved = false;
    return {
      move(next) {
        const on = stage.onPlane(next.clientX, next.clientY, plane);
        if (!on) return;
        moved = true;
        place = first.map((value, k) => value + on[k] - start[k]);
        send(handle, place, current, false);
      },
      up() { if (moved) send(handle, place, current, true); },
      cancel() { if (moved) send(handle, first, current, true); },
    };
  },
  hover(event) { return design.begun && handleAt(event) ? "grab" : null; },
};

// --- Keys: Tab goes from handle to handle, then on to joints; arrows move the handle that is chosen --------------------
const all = () => design.paths.flatMap((path, p) => path.handles.map((_, index) => ({ path: p, index })));
const placeOf = () => (design.chosen ? all().findIndex(({ path, index }) => path === design.chosen.path && index === design.chosen.index) : -1);
const here = () => design.active && design.begun && document.activeElement === stage.canvas;
const tab = (event) => { // asked before the stage is, which goes from joint to joint
  if (event.key !== "Tab" || event.ctrlKey || event.altKey || !here() || store.selection.joint) return;
  const next = all()[placeOf() + (event.shiftKey ? -1 : 1)];
  if (!next) { choose(null); return; }
  event.preventDefault();
  event.stopImmediatePropagation();
  choose(next);
};

let nudging = "", rest = 0;
const nudge = (right, up, far) => () => {
  const { chosen } = design, { right: across, up: upwards, forward } = stage.view(), path = design.paths[chosen.path], step = far * store.scene.size / 400;
  let move = across.map((value, k) => step * (right * value + up * upwards[k]));
  const { normal } = planeFor(chosen.path, path.handles[chosen.index], false);
  if (normal !== forward) { const out = dot3(move, normal), flat = move.map((value, k) => value - out * normal[k]), size = Math.hypot(...flat); if (size > 1e-9) move = flat.map((value) => value * step / size); }
  const place = path.handles[chosen.index].map((value, k) => value + move[k]);
  nudging ||= gesture();
  send(chosen, place, nudging, false);
  clearTimeout(rest);
  rest = setTimeout(() => { send(chosen, place, nudging, true); nudging = ""; }, REST_MS);
};

const taken = [];
export const showHandles = () => {
  stage.layer("design", drawn);
  stage.grip("design", grip, 20);
  const add = (...one) => taken.push(keys.add(...one)), chosen = () => here() && Boolean(design.chosen);
  add("Tab", "next handle, then joint (stage)", "Design", () => {}, () => false); // for the help; see `tab`
  stage.canvas.addEventListener("keydown", tab, true);
  taken.push(() => stage.canvas.removeEventListener("keydown", tab, true), store.on("selection", ({ joint }) => { if (joint && design.chosen) choose(null); }));
  for (const [name, right, up] of [["Left", -1, 0], ["Right", 1, 0], ["Up", 0, 1], ["Down", 0, -1]]) {
    add(name, name === "Left" ? "move the handle (arrows; with Shift farther)" : "", "Design", nudge(right, up, 1), chosen);
    add(`Shift+${name}`, "", "Design", nudge(right, up, 8), chosen);
  }
  add("Esc", "", "Design", () => choose(null), chosen);
};
export const hideHandles = () => {
  stage.layer("design", null);
  stage.grip("design", null);
  for (const away of taken.splice(0)) away();
};
