// What the page knows about a design: target paths, handles, both mechanisms; and who is on the stage because of it.
import { link } from "../../core/link.js";
import { store } from "../../core/store.js";
import { stage } from "../../stage/stage.js";

const watched = new Map(); // what the take itself does, by figure: put back when the mode is left
const listeners = new Set();

export const design = {
  told: null, // the message `design`
  paths: [], // [{ name, places: [[x, y, z]], handles: [[x, y, z]], normal }]
  sides: null, // { before, after }: [[[x, y, z]]] by path
  chosen: null, // { path, index }: the handle that keys move
  active: false,
  found: null, // the message `design.found`

  on(handler) { listeners.add(handler); return () => listeners.delete(handler); },
  news() { for (const handler of listeners) handler(this); stage.ask(); },
  get begun() { return Boolean(this.told && this.told.kind); },
  // When a handle acts, on the clock of the stage [s].
  timeOf(path, index) {
    const handles = store.setting("design", "handles", {})[this.paths[path].name], begin = this.found ? this.found.arrays.times[0] : 0;
    return handles && handles[index] ? begin + handles[index][0] : stage.time;
  },
};

const places = (flat, from, count) => Array.from({ length: count }, (_, n) => [flat[3 * (from + n)], flat[3 * (from + n) + 1], flat[3 * (from + n) + 2]]);

// The normal of a path that lies in a plane; null where it does not, or is a straight line.
const planeOf = (path) => {
  const middle = [0, 1, 2].map((k) => path.reduce((sum, place) => sum + place[k], 0) / path.length), off = path.map((place) => place.map((value, k) => value - middle[k]));
  const sum = [0, 0, 0];
  for (let n = 0; n < off.length; n++) { const a = off[n], b = off[(n + 1) % off.length]; for (let k = 0; k < 3; k++) sum[k] += a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3]; }
  const size = Math.hypot(...sum), span = Math.max(...off.map((place) => Math.hypot(...place)));
  if (size < 0.05 * span * span) return null;
  const normal = sum.map((value) => value / size);
  return off.every((place) => Math.abs(place[0] * normal[0] + place[1] * normal[1] + place[2] * normal[2]) < 0.02 * span) ? normal : null;
};

// Both mechanisms on the stage: the new one solid, the old one as its ghost.
const perform = () => {
  const { found } = design;
  if (!design.active || !found || !design.begun || !stage.cast) return;
  for (const [figure, side] of [["main", "after"], ["ghost", "before"]]) {
    const { arrays } = found;
    if (arrays[`${side}_positions`].shape[1] > stage.cast.bodies) return; // of a character that is not here yet
    stage.setMotion({ figure, take: found.take, frames: arrays.times.length, arrays: { times: arrays.times, positions: arrays[`${side}_positions`], quaternions: arrays[`${side}_quaternions`], coordinates: arrays[`${side}_coordinates`] } });
  }
};

export const claim = () => { design.active = true; perform(); design.news(); };
export const release = () => {
  design.active = false;
  design.chosen = null;
  for (const message of watched.values()) stage.setMotion(message);
  design.news();
};

const tell = (message) => {
  const ended = design.begun && !message.kind;
  design.told = message;
  if (!message.kind) { design.paths = []; design.sides = null; design.found = null; design.chosen = null; }
  if (ended && design.active) for (const one of watched.values()) stage.setMotion(one);
  design.news();
};

link.on("design", tell);
store.on("hello", ({ tools }) => { if (tools.design) tell(tools.design); });
link.on("design.paths", ({ names, handle_counts: counts, arrays }) => {
  const steps = arrays.paths.shape[1];
  let from = 0;
  design.paths = names.map((name, n) => {
    const path = places(arrays.paths, n * steps, steps), handles = places(arrays.handles, from, counts[n]);
    from += counts[n];
    return { name, places: path, handles, normal: planeOf(path) };
  });
  if (design.chosen && !(design.paths[design.chosen.path] && design.paths[design.chosen.path].handles[design.chosen.index])) design.chosen = null;
  design.news();
});
link.on("design.found", (message) => {
  const { arrays } = message, [count, steps] = arrays.after_paths.shape, side = (name) => Array.from({ length: count }, (_, n) => places(arrays[`${name}_paths`], n * steps, steps));
  design.found = message;
  design.sides = { before: side("before"), after: side("after") };
  perform();
  design.news();
});
link.on("motion", (message) => {
  watched.set(message.figure, message);
  if (design.active && design.begun) queueMicrotask(perform); // the stage has taken it already
});
