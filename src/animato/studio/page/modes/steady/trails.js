// The paths of what wobbles, of the last moments: where it should be, where it swings, where it goes now.
import { stage } from "../../stage/stage.js";
import { steadying } from "./state.js";

export const INKS = { target: [[0.0, 0.55, 0.4], [0.37, 0.84, 0.64]], before: [[0.84, 0.37, 0.0], [1.0, 0.6, 0.3]], after: [[0.0, 0.45, 0.7], [0.42, 0.69, 1.0]] };
const LASTING_S = 0.7, MOST = 4, WIDE = { target: 1.6, before: 2.4, after: 2.4 };

const between = (times, time) => {
  let low = 0, high = times.length - 1;
  while (high - low > 1) { const mid = (low + high) >> 1; if (times[mid] <= time) low = mid; else high = mid; }
  return low;
};

const draw = (now, out, top) => {
  if (!steadying.current || stage.live) return;
  const { arrays } = steadying.seen;
  for (const name of ["target", "before", "after"]) {
    const times = arrays[`${name}_times`], points = arrays[`${name}_points`];
    if (!times || points.shape[1] === 0) continue;
    const ink = INKS[name][now.dark ? 1 : 0], [, count] = points.shape, last = between(times, now.time), first = between(times, now.time - LASTING_S);
    const shift = steadying.ghost === name && name !== steadying.main ? now.view.shifts[1] : now.view.shifts[0];
    for (let body = 0; body < Math.min(count, MOST); body++) {
      const place = (n) => [0, 1, 2].map((k) => points[3 * (n * count + body) + k] + shift[k]);
      const a = place(last), b = place(Math.min(last + 1, times.length - 1)), apart = times[Math.min(last + 1, times.length - 1)] - times[last], share = apart > 0 ? Math.min(Math.max((now.time - times[last]) / apart, 0), 1) : 0;
      const here = a.map((value, k) => value + share * (b[k] - value));
      for (let n = first; n < last; n++) out.line(place(n), place(n + 1), ink, 0.15 + 0.8 * (n - first) / Math.max(1, last - first), WIDE[name]);
      out.line(a, here, ink, 0.95, WIDE[name]);
      if (name !== "target") top.dot(here, ink, 1, 7); else top.ring(here, ink, 1, 11, 2);
    }
  }
};

export const showTrails = () => stage.layer("steady", draw);
export const hideTrails = () => stage.layer("steady", null);
