// A motion as it was sent: poses of all bodies and all coordinates at times that need not be even.
export class Motion {
  constructor({ take = "", arrays }) {
    const { times, positions, quaternions, coordinates } = arrays;
    Object.assign(this, { take, times, positions, quaternions, coordinates, count: times.length, last: 0 });
    this.bodies = this.count ? positions.length / (3 * this.count) : 0;
    this.width = this.count ? coordinates.length / this.count : 0;
  }

  get begin() { return this.count ? this.times[0] : 0; }
  get end() { return this.count ? this.times[this.count - 1] : 0; }

  // Between which frames a time is: [frame before, frame after, share of the one after]; it rests before and after.
  around(time) {
    const { times, count } = this;
    if (count < 2 || time <= times[0]) return [0, 0, 0];
    if (time >= times[count - 1]) return [count - 1, count - 1, 0];
    let low = this.last;
    if (!(times[low] <= time && time < times[Math.min(low + 2, count - 1)])) { // not where it was a moment ago
      let high = count - 1;
      low = 0;
      while (high - low > 1) { const mid = (low + high) >> 1; if (times[mid] <= time) low = mid; else high = mid; }
    }
    while (low < count - 2 && times[low + 1] <= time) low++;
    this.last = low;
    const apart = times[low + 1] - times[low];
    return [low, low + 1, apart > 0 ? (time - times[low]) / apart : 0];
  }

  frameAt(time) { const [a, b, share] = this.around(time); return share < 0.5 ? a : b; }

  // Pose of a body: x y z, w x y z (not of length one between two frames).
  poseOf(body, [a, b, share], out) {
    const p = 3 * (a * this.bodies + body), q = 3 * (b * this.bodies + body), r = 4 * (a * this.bodies + body), s = 4 * (b * this.bodies + body);
    for (let k = 0; k < 3; k++) out[k] = this.positions[p + k] + share * (this.positions[q + k] - this.positions[p + k]);
    let same = 0; // the two quaternions of a turn: the near one is meant
    for (let k = 0; k < 4; k++) same += this.quaternions[r + k] * this.quaternions[s + k];
    const sign = same < 0 ? -1 : 1;
    for (let k = 0; k < 4; k++) out[3 + k] = this.quaternions[r + k] + share * (sign * this.quaternions[s + k] - this.quaternions[r + k]);
    return out;
  }

  coordinatesAt(time) {
    const [a, b, share] = this.around(time), out = new Float32Array(this.width);
    for (let n = 0; n < this.width; n++) {
      const first = this.coordinates[a * this.width + n];
      out[n] = first + share * (this.coordinates[b * this.width + n] - first);
    }
    return out;
  }

  // Where a place on a body is over all frames, [x, y, z] each.
  pathOf(body, place) {
    const out = [], row = new Float32Array(7), rows = new Float32Array(20);
    for (let n = 0; n < this.count; n++) {
      putPose(rows, 0, this.poseOf(body, [n, n, 0], row));
      out.push(poseIn(rows, 0).place(place));
    }
    return out;
  }
}
