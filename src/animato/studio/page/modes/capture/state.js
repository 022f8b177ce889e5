// What the page knows about a capture: the person over time, who is who, what stands when; and two clocks, as a robot
// that takes more time than the person did is not at the same second.
import { link } from "../../core/link.js";
import { store } from "../../core/store.js";
import { stage } from "../../stage/stage.js";

const listeners = new Set();
const BACK = 1.2, BACK_NARROW = 2.1, APART = 1.5;
let stepped = null; // how the camera went aside for the person: { by, back }
let plain = null, watched = null; // the motion before balance, and the ghost that there is without it

const between = (times, time) => {
  const last = times.length - 1;
  if (last < 1 || time <= times[0]) return [0, 0, 0];
  if (time >= times[last]) return [last, last, 0];
  let low = 0, high = last;
  while (high - low > 1) { const mid = (low + high) >> 1; if (times[mid] <= time) low = mid; else high = mid; }
  return [low, high, (time - times[low]) / (times[high] - times[low])];
};
// Along pairs of times, from one column to the other; straight on beyond both ends.
const along = (pace, from, to, time) => {
  const count = pace.length / 2, first = pace[from], last = pace[2 * (count - 1) + from];
  if (time <= first) return pace[to] + (time - first);
  if (time >= last) return pace[2 * (count - 1) + to] + (time - last);
  let low = 0, high = count - 1;
  while (high - low > 1) { const mid = (low + high) >> 1; if (pace[2 * mid + from] <= time) low = mid; else high = mid; }
  const share = (time - pace[2 * low + from]) / (pace[2 * high + from] - pace[2 * low + from]);
  return pace[2 * low + to] + share * (pace[2 * high + to] - pace[2 * low + to]);
};

export const capture = {
  told: null, // the message `capture`
  chosen: "", // the part of the body that is being corrected
  how: "beside", // where the person is seen: "beside", "over" or "off"
  lines: true, // whether who is who is drawn
  active: false,
  aside: [0, 0, 0], // from the robot to the person beside it [m]

  on(handler) { listeners.add(handler); return () => listeners.delete(handler); },
  news() { for (const handler of listeners) handler(this); if (this.active) stage.ask(); },
  get source() { const found = store.document && store.document.source; return found && found.kind === "captured" ? found : null; },
  get here() { return Boolean(this.told && this.source && this.told.take === store.document.current); },
  get length() { const { pace } = this.told.arrays; return pace[pace.length - 2] - pace[0]; },
  part(name) { return this.told && this.told.parts.find((one) => one.name === name); },

  // The clock of the file at a moment of the robot, and back [s].
  fileTime(time) { return along(this.told.arrays.pace, 0, 1, time); },
  robotTime(time) { return along(this.told.arrays.pace, 1, 0, time); },

  // Places of one of the arrays at this moment: [x, y, z] or null each.
  now(array) {
    const { times } = this.told.arrays, values = this.told.arrays[array], count = values.shape[1], [a, b, share] = between(times, this.fileTime(stage.time)), { fit } = this, out = [];
    for (let n = 0; n < count; n++) {
      const place = [0, 1, 2].map((k) => { const first = values[3 * (a * count + n) + k]; return fit * (first + share * (values[3 * (b * count + n) + k] - first)); });
      out.push(place.some(Number.isNaN) ? null : place);
    }
    return out;
  },
  // Who is no humanoid has no size to go by: the person is shown as tall as the character.
  get fit() {
    const { told } = this, { bone_places: all } = told.arrays;
    if (!stage.cast || told.parts.some(({ body }) => body >= 0)) return 1;
    let high = 0;
    for (let n = 2; n < 3 * told.bones.length; n += 3) high = Math.max(high, all[n] || 0);
    return high > 0 ? 0.62 * stage.cast.film.size / high : 1; // the size is across all of it
  },
  // Where the robot has a part of the body now; null where it has none.
  onRobot(part) { return part && part.body >= 0 && stage.cast && part.body < stage.cast.bodies ? stage.bodyPose(part.body).place(part.place) : null; },
  // The person's landmarks as they are seen.
  figure() {
    if (this.how === "beside") return this.now("places").map((place) => place && place.map((value, n) => value + this.aside[n]));
    const goals = this.now("goals"), pelvis = this.told.names.indexOf("pelvis"), own = this.onRobot(this.part("pelvis"));
    return own && goals[pelvis] ? goals.map((place) => place && place.map((value, n) => value + own[n] - goals[pelvis][n])) : this.now("places");
  },
  bones() { return this.how === "beside" ? this.now("bone_places").map((place) => place && place.map((value, n) => value + this.aside[n])) : []; },

  choose(name) { this.chosen = this.chosen === name ? "" : name; this.news(); },
  show(how) { this.how = how; step(); this.news(); },
};

const glide = (by, factor) => { const { orbit } = stage; orbit.glide({ turn: orbit.turn, rise: orbit.rise, away: orbit.away * factor, target: orbit.target.map((value, n) => value + by[n]) }); };
const backNow = () => (stage.canvas.clientWidth < stage.canvas.clientHeight ? BACK_NARROW : BACK);

// The camera makes room for who stands beside, and takes it back.
const step = () => {
  const wanted = capture.active && capture.here && capture.how === "beside" && Boolean(stage.cast), { orbit } = stage;
  if (wanted === Boolean(stepped) || !stage.cast) return;
  if (wanted) {
    const across = APART * Math.hypot(...stage.cast.film.beside);
    capture.aside = axesOf(orbit).right.map((value) => -across * value);
    stepped = { by: capture.aside.map((value) => 0.5 * value), back: backNow() };
    glide(stepped.by, stepped.back);
  } else {
    glide(stepped.by.map((value) => -value), 1 / stepped.back);
    stepped = null;
  }
};

addEventListener("resize", () => {
  if (!stepped || backNow() === stepped.back) return;
  glide([0, 0, 0], backNow() / stepped.back);
  stepped.back = backNow();
});

// The motion before balance is the ghost of the one in balance, where no other is.
const haunt = () => {
  if (!stage.cast || (watched && watched.frames)) return;
  const mine = capture.active && capture.here && plain && plain.frames && plain.take === store.document.current;
  if (mine) stage.setMotion({ ...plain, figure: "ghost" }); else if (watched) stage.setMotion(watched);
  lendTime();
};

// A capture that the robot does not follow (yet) has a length all the same: the person plays alone.
const lendTime = () => {
  if (!capture.active || !capture.here || !stage.cast || stage.motionOf("main")) return;
  stage.clock.setSpan(0, capture.length);
  store.tell("motion", "main");
};

export const claim = () => { capture.active = true; step(); lendTime(); haunt(); capture.news(); };
export const release = () => { capture.active = false; capture.chosen = ""; step(); haunt(); capture.news(); stage.ask(); };

link.on("capture", (message) => { capture.told = message; if (capture.chosen && !capture.part(capture.chosen)) capture.chosen = ""; step(); lendTime(); capture.news(); });
link.on("capture.none", () => { capture.told = null; capture.chosen = ""; step(); capture.news(); });
link.on("capture.plain", (message) => { plain = message; haunt(); });
link.on("motion", (message) => { if (message.figure === "main") queueMicrotask(lendTime); else { watched = message; queueMicrotask(haunt); } });
store.on("document", () => { step(); capture.news(); });
store.on("scene", () => { stepped = null; });

// --- What is asked for ------------------------------------------------------------------------------------------------
export const map = (part, fields) => link.tryTo("capture.map", { part, ...fields });
export const mapToRobot = (part, hit) => map(part, { body: store.scene.bodies[hit.body], at: hit.local });
const wish = link.newest(({ what, fields }) => link.tryTo(what, fields));
export const want = (what, fields) => {
  const key = `${what} ${fields.name || ""}`;
  if (wish.waiting && wish.waiting.key !== key) wish.post();
  wish.put({ key, what, fields });
};
