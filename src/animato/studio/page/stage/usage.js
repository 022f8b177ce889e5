// What the open take asks of each joint at a time, from the message `usage`, and the colours of that.
import { store } from "../core/store.js";

const WITHIN = 64, TOLERANCE = 1e-6; // colours on each side of a limit, as in the strips of the pages
const EMPTY = new Map();

// The column of all shares at a time; -1 where nothing is known.
const columnAt = (usage, time) => {
  const [begin, end] = usage.span, columns = usage.arrays.shares.shape[2] || 0;
  return columns ? Math.min(Math.max(Math.floor((time - begin) / Math.max(end - begin, 1e-9) * columns), 0), columns - 1) : -1;
};

// Name of an axis -> what it uses by kind: 1 is the limit; kinds without a limit are left out.
export const usedAt = (time) => {
  const { usage } = store, column = usage && usage.arrays ? columnAt(usage, time) : -1;
  if (column < 0) return EMPTY;
  const { shares } = usage.arrays, [, axes, columns] = shares.shape, found = new Map();
  usage.axes.forEach((axis, n) => {
    const used = {};
    usage.kinds.forEach((kind, k) => { const share = shares[(k * axes + n) * columns + column]; if (!Number.isNaN(share)) used[kind] = share; });
    found.set(axis.name, { joint: axis.joint, used });
  });
  return found;
};

// Red, green, blue, opacity (0 to 1) of a share, and 1 where it is beyond its limit.
export const colourOf = (palette, share) => {
  if (Number.isNaN(share)) return [0.8, 0.81, 0.83, 0, 0];
  const beyond = share > 1 + TOLERANCE, level = Math.round((beyond ? share - 1 : share) * (WITHIN - 1));
  return [...palette[(beyond ? WITHIN : 0) + Math.min(Math.max(level, 0), WITHIN - 1)].map((value) => value / 255), beyond ? 1 : 0];
};

// Colours of all bodies at a time: the most that any of its joints uses of any limit.
export const heatOf = (scene, time) => {
  const worst = new Map(), bodies = new Map(scene.joints.map((joint) => [joint.name, joint.body])), out = [];
  for (const { joint, used } of usedAt(time).values()) {
    const body = bodies.get(joint), most = Math.max(...Object.values(used));
    if (body !== undefined && Number.isFinite(most)) worst.set(body, Math.max(worst.get(body) || 0, most));
  }
  for (const [body, share] of worst) out[body] = colourOf(scene.palette, share);
  return out;
};
