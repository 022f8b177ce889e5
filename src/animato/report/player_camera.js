// From where a film is seen: a camera that turns about what is in the middle of its picture, and the lamps.
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const unit = (a) => { const length = Math.hypot(...a) || 1; return a.map((value) => value / length); };
// Matrices are lists of columns, as WebGL takes them.
const product = (a, b) => {
  const out = new Float32Array(16);
  for (let c = 0; c < 4; c++) for (let r = 0; r < 4; r++) for (let k = 0; k < 4; k++) out[4 * c + r] += a[4 * k + r] * b[4 * c + k];
  return out;
};
const looking = (right, up, back, eye) => [right[0], up[0], back[0], 0, right[1], up[1], back[1], 0, right[2], up[2], back[2], 0, -dot(right, eye), -dot(up, eye), -dot(back, eye), 1];
const perspective = (tanX, tanY, near, far) => [1 / tanX, 0, 0, 0, 0, 1 / tanY, 0, 0, 0, 0, (near + far) / (near - far), -1, 0, 0, 2 * near * far / (near - far), 0];
const parallel = (reach, deep) => [1 / reach, 0, 0, 0, 0, 1 / reach, 0, 0, 0, 0, -1 / deep, 0, 0, 0, 0, 1];

const orbitOf = ({ eye, target }) => {
  const offset = eye.map((value, n) => value - target[n]), away = Math.hypot(...offset);
  return { turn: Math.atan2(offset[1], offset[0]), rise: Math.asin(offset[2] / away), away, target: [...target] };
};

// The lamp stands high at the first viewer's left and stays there.
const lampsOf = ({ turn }) => {
  const flat = [Math.cos(turn), Math.sin(turn), 0], right = [-Math.sin(turn), Math.cos(turn), 0];
  return { key: unit([0, 1, 2].map((n) => 0.62 * flat[n] - 0.6 * right[n] + (n === 2 ? 1.15 : 0))), fill: unit([0, 1, 2].map((n) => 0.7 * flat[n] + right[n] + (n === 2 ? 0.25 : 0))) };
};

// The way a camera's picture lies in the world.
const axesOf = ({ turn, rise }) => {
  const flat = Math.cos(rise), high = Math.sin(rise), cos = Math.cos(turn), sin = Math.sin(turn);
  return { back: [flat * cos, flat * sin, high], right: [-sin, cos, 0], up: [-high * cos, -high * sin, flat] };
};

// How wide a picture sees: half its angles as tangents; a narrow one steps back so that all `wide` is in it.
const lensOf = ({ fov, wide }, aspect) => {
  const tall = Math.max(Math.tan(fov / 2), Math.min(wide / aspect, 1));
  return [tall * aspect, tall];
};

// All that is the same for one picture. `gone` is how far the camera went along, `bounds` where shadows are cast,
// `shifts` by how much each figure stands beside its place.
const viewOf = (film, orbit, lamps, aspect, gone, bounds, shifts) => {
  const { back, right, up } = axesOf(orbit), { away, target } = orbit, { key, fill } = lamps;
  const about = [target[0] + gone[0], target[1] + gone[1], target[2]], eye = about.map((value, n) => value + away * back[n]);
  const lens = lensOf(film.camera, aspect), near = Math.max(0.01 * film.size, 0.05 * away), far = away + 30 * film.size;
  const camera = product(perspective(lens[0], lens[1], near, far), looking(right, up, back, eye));
  const middle = [bounds.middle[0] + gone[0], bounds.middle[1] + gone[1], bounds.middle[2]];
  const wide = Math.max(...shifts.map((one) => Math.hypot(...one)), 0), reach = bounds.reach + 0.5 * wide;
  if (wide) for (let n = 0; n < 3; n++) middle[n] += 0.5 * shifts.reduce((most, one) => (Math.abs(one[n]) > Math.abs(most) ? one[n] : most), 0);
  const lampRight = unit(cross([0, 0, 1], key)), toLamp = product(parallel(reach, 4 * reach), looking(lampRight, cross(key, lampRight), key, middle));
  const deep = Math.max(2 * reach, 1.2 * Math.abs(middle[2] - film.floor[0]) + reach), toSky = product(parallel(1.1 * reach, deep), looking([1, 0, 0], [0, 1, 0], [0, 0, 1], middle));
  const [floor, x, y, fade] = film.floor, power = 10 ** Math.floor(Math.log10(0.22 * film.size)), grid = power * [5, 2, 1].find((n) => n * power <= 0.22 * film.size * 1.000001);
  return { eye, camera, right, up, forward: back.map((value) => -value), lens, key, fill, toLamp, toSky, skyDepth: 2 * deep, size: film.size, floor: [floor, x + gone[0], y + gone[1], fade + wide], grid, shifts };
};

// Where a place of the world is in a picture: from its middle to the right and up, in pixels of its own.
const seenIn = (view, width, height) => ([a, b, c]) => {
  const m = view.camera, w = m[3] * a + m[7] * b + m[11] * c + m[15];
  return [0.5 * width * (m[0] * a + m[4] * b + m[8] * c + m[12]) / w, 0.5 * height * (m[1] * a + m[5] * b + m[9] * c + m[13]) / w];
};
