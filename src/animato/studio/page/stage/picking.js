// What is under a pointer: a ray against the triangles that are drawn, here and not on the graphics card, so that
// nobody waits for it.
const SPHERE = 4, TRIANGLE = 9;

// Where a ray meets a triangle, as a multiple of its direction; Infinity where it does not. From both sides, as some
// looks are open.
const meets = (t, n, ox, oy, oz, dx, dy, dz) => {
  const ax = t[n], ay = t[n + 1], az = t[n + 2], ux = t[n + 3] - ax, uy = t[n + 4] - ay, uz = t[n + 5] - az, vx = t[n + 6] - ax, vy = t[n + 7] - ay, vz = t[n + 8] - az;
  const px = dy * vz - dz * vy, py = dz * vx - dx * vz, pz = dx * vy - dy * vx, area = ux * px + uy * py + uz * pz;
  if (area > -1e-14 && area < 1e-14) return Infinity;
  const sx = ox - ax, sy = oy - ay, sz = oz - az, u = (sx * px + sy * py + sz * pz) / area;
  if (u < 0 || u > 1) return Infinity;
  const qx = sy * uz - sz * uy, qy = sz * ux - sx * uz, qz = sx * uy - sy * ux, v = (dx * qx + dy * qy + dz * qz) / area;
  if (v < 0 || u + v > 1) return Infinity;
  const far = (vx * qx + vy * qy + vz * qz) / area;
  return far > 1e-9 ? far : Infinity;
};

export class Picker {
  constructor(mesh, bodies) {
    const { vertices, faces, solid, clear } = mesh, own = Array.from({ length: bodies }, () => []), skin = [];
    for (let n = 0; n < solid + clear; n += 3) {
      const corners = [0, 1, 2].map((k) => faces[n + k] * FLOATS), body = vertices[corners[0] + 16];
      const rigid = corners.every((at) => vertices[at + 18] === 0 && vertices[at + 16] === body);
      if (rigid) for (const at of corners) own[body].push(vertices[at], vertices[at + 1], vertices[at + 2]);
      else skin.push(...corners);
    }
    this.vertices = vertices;
    this.own = own.map((list) => Float32Array.from(list));
    this.skin = Uint32Array.from(skin);
    this.bent = new Float32Array(3 * skin.length);
    this.spheres = this.own.map((list) => this.sphereOf(list));
  }

  sphereOf(list) {
    if (!list.length) return null;
    const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity], out = new Float32Array(SPHERE);
    for (let n = 0; n < list.length; n++) { low[n % 3] = Math.min(low[n % 3], list[n]); high[n % 3] = Math.max(high[n % 3], list[n]); }
    for (let k = 0; k < 3; k++) out[k] = (low[k] + high[k]) / 2;
    for (let n = 0; n < list.length; n += 3) out[3] = Math.max(out[3], Math.hypot(list[n] - out[0], list[n + 1] - out[1], list[n + 2] - out[2]));
    return out;
  }

  // The nearest body on a ray: { body, point, local, distance }, or null. `rows` are poses as the stage has them.
  pick({ origin, direction }, rows) {
    let best = Infinity, found = -1;
    const o = [0, 0, 0], d = [0, 0, 0];
    for (let body = 0; body < this.own.length; body++) {
      const sphere = this.spheres[body], r = 20 * body;
      if (!sphere) continue;
      const from = [origin[0] - rows[r + 3], origin[1] - rows[r + 7], origin[2] - rows[r + 11]];
      for (let k = 0; k < 3; k++) { // into the body's own frame
        o[k] = rows[r + k] * from[0] + rows[r + 4 + k] * from[1] + rows[r + 8 + k] * from[2];
        d[k] = rows[r + k] * direction[0] + rows[r + 4 + k] * direction[1] + rows[r + 8 + k] * direction[2];
      }
      const x = sphere[0] - o[0], y = sphere[1] - o[1], z = sphere[2] - o[2], along = x * d[0] + y * d[1] + z * d[2];
      if (x * x + y * y + z * z - along * along > sphere[3] * sphere[3] || along + sphere[3] < 0 || along - sphere[3] > best) continue;
      const list = this.own[body];
      for (let n = 0; n < list.length; n += TRIANGLE) {
        const far = meets(list, n, o[0], o[1], o[2], d[0], d[1], d[2]);
        if (far < best) { best = far; found = body; }
      }
    }
    if (this.skin.length) [best, found] = this.pickSkin(origin, direction, rows, best, found);
    if (found < 0) return null;
    const point = origin.map((value, k) => value + best * direction[k]), r = 20 * found, off = [point[0] - rows[r + 3], point[1] - rows[r + 7], point[2] - rows[r + 11]];
    const local = [0, 1, 2].map((k) => rows[r + k] * off[0] + rows[r + 4 + k] * off[1] + rows[r + 8 + k] * off[2]);
    return { body: found, point, local, distance: best };
  }

  // Skin between two bodies, where it is now; it belongs to the body that holds more of it.
  pickSkin(origin, direction, rows, best, found) {
    const { skin, vertices, bent } = this;
    for (let n = 0; n < skin.length; n++) {
      const at = skin[n], share = vertices[at + 18], a = 20 * vertices[at + 16], b = 20 * vertices[at + 17];
      for (let k = 0; k < 3; k++) {
        const i = 4 * k, near = rows[a + i] * vertices[at] + rows[a + i + 1] * vertices[at + 1] + rows[a + i + 2] * vertices[at + 2] + rows[a + i + 3];
        const far = share > 0 ? rows[b + i] * vertices[at + 6] + rows[b + i + 1] * vertices[at + 7] + rows[b + i + 2] * vertices[at + 8] + rows[b + i + 3] : 0;
        bent[3 * n + k] = near + share * (far - near);
      }
    }
    for (let n = 0; n < bent.length; n += TRIANGLE) {
      const far = meets(bent, n, origin[0], origin[1], origin[2], direction[0], direction[1], direction[2]), at = skin[n / 3];
      if (far < best) { best = far; found = vertices[at + 18] > 0.5 ? vertices[at + 17] : vertices[at + 16]; }
    }
    return [best, found];
  }
}
