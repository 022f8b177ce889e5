// Who is on the stage: the character as it performs ("main") and as it was meant ("ghost"), each with a motion, a live
// pose or neither; the one without both stands at rest.
import { Motion } from "./motion.js";
import { thinned } from "./quality.js";

const FIGURES = ["main", "ghost"], SMOOTHED = 11, ROOM = 1.06;

export class Cast {
  // `slow` where a processor draws: fewer triangles are kept ready for it.
  constructor(scene, slow) {
    const first = scene.figures[0];
    this.scene = scene;
    this.film = filmOf({ ...scene, figures: [first, { ...first, ghost: true }], things: [] });
    if (slow) this.film.meshes = this.film.meshes.map((mesh) => thinned(mesh, scene.size));
    this.motions = [null, null];
    this.live = [null, null]; // { poses, coordinates }
    this.rest = this.film.cast[0].tracks;
    this.bodies = this.rest.count;
    this.neutral = Float32Array.from(scene.coordinates, (name) => this.neutralOf(name));
    this.reaches = this.reachesOf();
    const children = new Set(scene.joints.map((joint) => joint.body));
    this.root = Math.max(0, scene.bodies.findIndex((_, n) => !children.has(n) && scene.joints.some((joint) => joint.parent === n)));
    this.row = new Float32Array(7);
    this.pose(0);
    this.restPlace = [3, 7].map((k) => this.film.cast[0].rows[20 * this.root + k]);
    this.narrow();
  }

  neutralOf(name) {
    for (const joint of this.scene.joints) for (const one of joint.coordinates) if (one.name === name) return one.neutral;
    return 0;
  }

  // How far each body reaches from its own place.
  reachesOf() {
    const found = new Float32Array(this.bodies), { vertices } = this.film.meshes[this.film.cast[0].look];
    for (let n = 0; n < vertices.length; n += FLOATS) {
      found[vertices[n + 16]] = Math.max(found[vertices[n + 16]], Math.hypot(vertices[n], vertices[n + 1], vertices[n + 2]));
      if (vertices[n + 18] > 0) found[vertices[n + 17]] = Math.max(found[vertices[n + 17]], Math.hypot(vertices[n + 6], vertices[n + 7], vertices[n + 8]));
    }
    return found;
  }

  number(figure) { return Math.max(0, FIGURES.indexOf(figure)); }
  has(figure) { const n = this.number(figure); return n === 0 || Boolean(this.motions[n] || this.live[n]); }

  setMotion(message) {
    const n = this.number(message.figure), made = message.frames === 0 || !message.arrays || !message.arrays.times.length ? null : new Motion(message);
    this.motions[n] = made && made.bodies <= this.bodies ? made : null; // of a character that is not here yet
    if (n === 0) this.strolls = this.motions[0] ? this.goesFar(this.motions[0]) : false;
    this.narrow();
  }

  // A pose of a moment, in the place of the motion; null takes it away.
  setLive(figure, pose) { this.live[this.number(figure)] = pose && pose.poses.length <= 7 * this.bodies ? pose : null; }

  // Puts poses of all figures where the stage finds them.
  pose(time) {
    const row = this.row;
    this.film.cast.forEach(({ rows }, n) => {
      const motion = this.motions[n], live = this.live[n], around = motion && motion.around(time);
      const known = live ? live.poses.length / 7 : motion ? motion.bodies : 0;
      for (let body = 0; body < this.bodies; body++) {
        if (body >= known) this.rest.at(body, 0, row);
        else if (live) for (let k = 0; k < 7; k++) row[k] = live.poses[7 * body + k];
        else motion.poseOf(body, around, row);
        putPose(rows, body, row);
      }
    });
  }

  coordinates(time) {
    if (this.live[0] && this.live[0].coordinates) return this.live[0].coordinates;
    return this.motions[0] ? this.motions[0].coordinatesAt(time) : this.neutral;
  }

  // --- The camera goes along with who walks ---------------------------------------------------------------------------
  goesFar(motion) {
    if (!this.scene.floats) return false;
    const row = this.row;
    for (let n = 0; n < motion.count; n += Math.max(1, motion.count >> 6)) {
      motion.poseOf(this.root, [n, n, 0], row);
      if (Math.hypot(row[0] - this.restPlace[0], row[1] - this.restPlace[1]) > 0.6 * this.film.size) return true;
    }
    return false;
  }

  // How far it has gone, smoothed over a second.
  away(time) {
    if (!this.strolls) return [0, 0];
    const sum = [0, 0], motion = this.motions[0];
    let weight = 0;
    for (let n = 0; n < SMOOTHED; n++) {
      const off = (2 * n / (SMOOTHED - 1) - 1) / 2, share = Math.cos(Math.PI * off) + 1e-3;
      motion.poseOf(this.root, motion.around(time + off), this.row);
      weight += share;
      for (let k = 0; k < 2; k++) sum[k] += share * (this.row[k] - this.restPlace[k]);
    }
    return sum.map((value) => value / weight);
  }

  // --- Where shadows are cast: grows with what is seen, so that shadows keep still ------------------------------------
  narrow() {
    this.low = [Infinity, Infinity, Infinity];
    this.high = [-Infinity, -Infinity, -Infinity];
    const main = this.motions[0];
    for (let n = 0; n <= 24; n++) {
      const time = main ? main.begin + (main.end - main.begin) * n / 24 : 0;
      this.pose(time);
      this.widen(this.away(time));
      if (!main && !this.motions[1]) break;
    }
  }

  widen(gone) {
    const { low, high } = this;
    this.film.cast.forEach(({ rows }, n) => {
      if (n && !this.has("ghost")) return;
      for (let body = 0; body < this.bodies; body++) {
        const reach = this.reaches[body];
        if (!reach) continue;
        for (let k = 0; k < 3; k++) {
          const place = rows[20 * body + 4 * k + 3] - (k < 2 ? gone[k] : 0), room = (ROOM - 1) * this.film.size;
          if (place - reach < low[k]) low[k] = place - reach - room;
          if (place + reach > high[k]) high[k] = place + reach + room;
        }
      }
    });
  }

  get bounds() {
    const reach = 0.5 * Math.hypot(...this.high.map((value, k) => value - this.low[k]));
    return Number.isFinite(reach) && reach > 0 ? { middle: this.low.map((value, k) => (value + this.high[k]) / 2), reach } : { middle: [0, 0, 0], reach: this.film.size };
  }
}
