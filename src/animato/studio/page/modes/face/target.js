// The target on the stage: a ball that is dragged, pushed away with the wheel, moved by arrow keys.
import { keys } from "../../core/keyboard.js";
import { store } from "../../core/store.js";
import { stage } from "../../stage/stage.js";
import { facing, lookAt } from "./state.js";

const EDGE_PX = 40, NEAR_PX = 26, STEP = 0.04, AWAY_A_PX = 0.006;
const plus = (a, b, by = 1) => a.map((value, n) => value + by * b[n]);
const minus = (a, b) => a.map((value, n) => value - b[n]);
const length = (a) => Math.hypot(...a);

const isNear = (event) => {
  if (!facing.on) return false;
  const [x, y, depth] = stage.project(facing.target);
  return depth > 0 && Math.hypot(event.clientX - x, event.clientY - y) < (event.pointerType === "touch" ? 1.6 : 1) * NEAR_PX;
};
// Nearer to the camera or farther from it, by a factor.
const pushed = (place, factor) => { const { eye } = stage.view(); return plus(eye, minus(place, eye), factor); };

const down = (event) => {
  if (!isNear(event)) return null;
  const begin = facing.target, [x, y] = stage.project(begin), grabbed = [event.clientX - x, event.clientY - y], { forward } = stage.view();
  let before = event.clientY;
  facing.held = true;
  return {
    move(now) {
      if (now.shiftKey) lookAt(pushed(facing.target, Math.exp(AWAY_A_PX * (before - now.clientY))));
      else {
        const place = stage.onPlane(now.clientX - grabbed[0], now.clientY - grabbed[1], { origin: facing.target, normal: forward });
        if (place) lookAt(place);
      }
      before = now.clientY;
    },
    up() { facing.held = false; stage.ask(); },
    cancel() { facing.held = false; lookAt(begin); },
  };
};

const draw = (now, out, top) => {
  if (!facing.on) return;
  const ink = now.dark ? [1, 0.48, 0.74] : [0.78, 0.08, 0.47], amber = [0.91, 0.59, 0.08], { target, sight } = facing, size = now.view.size || 1;
  if (sight) {
    const far = length(minus(target, sight.eye));
    top.line(sight.eye, plus(sight.eye, sight.forward, far), amber, 0.85, 2, 6);
    top.dot(sight.eye, amber, 1, 6);
  }
  out.line(target, [target[0], target[1], 0], ink, 0.35, 1.2, 3); // how high it is, and above what
  out.ring([target[0], target[1], 0.001 * size], ink, 0.5, 12, 1.5);
  top.dot(target, [1, 1, 1], 0.95, facing.held ? 27 : 23);
  top.dot(target, ink, 1, facing.held ? 22 : 18);
  const words = facing.changing ? "on its way" : facing.off_rad < 0.02 ? "looks at it" : `${Math.round(facing.off_rad * 180 / Math.PI)}° off`;
  now.label(plus(target, now.view.up, 0.035 * size), words, facing.off_rad < 0.02 ? "" : "warm");
};

// The ball is in the picture when one comes; from farther away if it must be.
const bringIntoView = () => {
  const { orbit, canvas } = stage, box = canvas.getBoundingClientRect(), { away } = orbit, before = [...orbit.target];
  const seen = () => { const [x, y, depth] = stage.project(facing.target); return depth > 0 && x > box.left + EDGE_PX && x < box.right - 2 * EDGE_PX && y > box.top + EDGE_PX && y < box.bottom - EDGE_PX; };
  if (!box.width || seen()) return;
  const to = { turn: orbit.turn, rise: orbit.rise, away, target: before };
  for (let n = 1; n <= 12 && !seen(); n++) {
    to.away = away * 1.08 ** n;
    to.target = before.map((value, k) => value + Math.min(0.5, 0.08 * n) * (facing.target[k] - value));
    Object.assign(orbit, to);
  }
  Object.assign(orbit, { away, target: before });
  orbit.glide(to);
};
let looked = true;
store.on("facing", () => { if (!looked && facing.on && store.mode === "face" && stage.cast) { looked = true; bringIntoView(); } });

export const showTarget = () => {
  looked = false;
  stage.grip("face", {
    down,
    hover: (event) => (isNear(event) ? "grab" : null),
    wheel: (event, pixels) => { if (!facing.held && !isNear(event)) return false; lookAt(pushed(facing.target, Math.exp(-0.001 * pixels))); return true; },
    double: (event, hit) => { const floor = hit ? hit.point : stage.onPlane(event.clientX, event.clientY, { origin: [0, 0, 0], normal: [0, 0, 1] }); if (!floor || !facing.on) return false; lookAt(floor); return true; },
  }, 20);
  stage.layer("face", draw);
};
export const hideTarget = () => { stage.grip("face", null); stage.layer("face", null); facing.held = false; };

const here = (event) => store.mode === "face" && facing.on && (!event || event.target === stage.canvas || event.target === document.body);
const arrow = (name, words, way) => keys.add(name, words, "Face", () => { const { right, up } = stage.view(), [across, above] = way; lookAt(plus(plus(facing.target, right, across * STEP * far()), up, above * STEP * far())); }, here);
const far = () => Math.max(0.1, length(minus(facing.target, facing.sight ? facing.sight.eye : [0, 0, 0])));
arrow("Left", "target to the left (stage)", [-1, 0]);
arrow("Right", "target to the right (stage)", [1, 0]);
arrow("Up", "target up (stage)", [0, 1]);
arrow("Down", "target down (stage)", [0, -1]);
keys.add("Alt+PageUp", "target away from you", "Face", () => lookAt(pushed(facing.target, 1.06)), here);
keys.add("Alt+PageDown", "target nearer to you", "Face", () => lookAt(pushed(facing.target, 1 / 1.06)), here);
