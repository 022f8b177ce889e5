"use strict";
// Solids that are drawn on a canvas, each pixel with its depth: what players on a page are made of.
const drawing = (() => {
  const bytes = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const words16 = (text) => new Int16Array(bytes(text).buffer);
  const LEVELS = 64; // steps of light of one colour
  const HELD = [96, 104, 200];

  // --- Where bodies are ---------------------------------------------------------------------------------------------
  // A pose is 12 numbers: the rows of a rotation, then a position.
  const turned = (w, x, y, z, px, py, pz) => [
    1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y),
    2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
    2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y), px, py, pz];
  const rotate = (m, [a, b, c]) => [m[0] * a + m[1] * b + m[2] * c, m[3] * a + m[4] * b + m[5] * c, m[6] * a + m[7] * b + m[8] * c];
  const placed = (m, point) => rotate(m, point).map((value, n) => value + m[9 + n]);
  const figureOf = (sent, reach) => {
    const poses = words16(sent.poses), stride = sent.moving.length, slots = new Map(sent.moving.map((body, n) => [body, n]));
    const still = new Map(Object.entries(sent.still).map(([body, [x, y, z, ...q]]) => [Number(body), turned(...q, x, y, z)]));
    return (body, at) => {
      if (still.has(body)) return still.get(body);
      const a = 7 * (at.low * stride + slots.get(body)), b = 7 * (at.high * stride + slots.get(body));
      const mix = (n) => poses[a + n] + at.share * (poses[b + n] - poses[a + n]);
      const q = [mix(3), mix(4), mix(5), mix(6)], norm = Math.hypot(...q) || 1, size = reach / 32767;
      return turned(...q.map((value) => value / norm), size * mix(0), size * mix(1), size * mix(2));
    };
  };

  // --- A surface of pixels with depth ---------------------------------------------------------------------------------
  const shades = (red, green, blue) => {
    const out = new Uint32Array(LEVELS), linear = [red, green, blue].map((value) => (value / 255) ** 2.2);
    for (let n = 0; n < LEVELS; n++) {
      const light = 1.25 * n / (LEVELS - 1);
      const [r, g, b] = linear.map((value) => Math.round(255 * Math.min(1, value * light + 0.02 * light) ** (1 / 2.2)));
      out[n] = ((255 << 24) | (b << 16) | (g << 8) | r) >>> 0;
    }
    return out;
  };
  const solidOf = (sent) => {
    const count = words16(sent.points).length / 3, value = parseInt(sent.colour.slice(1), 16);
    return {
      body: sent.body, count,
      points: Float32Array.from(words16(sent.points), (number) => sent.extent * number / 32767),
      normals: Float32Array.from(new Int8Array(bytes(sent.normals).buffer), (number) => number / 127),
      faces: bytes(sent.faces),
      own: shades(value >> 16, (value >> 8) & 255, value & 255), held: shades(...HELD),
      seen: new Float32Array(4 * count), // column, row, nearness, light
      floor: new Float32Array(2 * count),
    };
  };
  class Surface {
    constructor() {
      this.canvas = document.createElement("canvas");
      this.ink = this.canvas.getContext("2d");
      this.box = null;
    }
    // Clears columns left..right and rows top..bottom of a surface so wide and high.
    clear(wide, high, left, top, right, bottom) {
      if (this.canvas.width !== wide || this.canvas.height !== high) {
        this.canvas.width = wide;
        this.canvas.height = high;
        this.image = new ImageData(wide, high);
        this.pixels = new Uint32Array(this.image.data.buffer);
        this.depth = new Float32Array(wide * high);
      }
      for (let row = top; row < bottom; row++) {
        this.pixels.fill(0, row * wide + left, row * wide + right);
        this.depth.fill(0, row * wide + left, row * wide + right);
      }
      this.box = { left, top, right, bottom, wide };
    }
    // One triangle; corners are places in an array of column, row, nearness, light.
    fill(seen, a, b, c, colours) {
      const { left, top, right, bottom, wide } = this.box, { pixels, depth } = this;
      const x0 = seen[a], y0 = seen[a + 1], x1 = seen[b], y1 = seen[b + 1], x2 = seen[c], y2 = seen[c + 1];
      const area = (x1 - x0) * (y2 - y0) - (x2 - x0) * (y1 - y0);
      if (!(area < 0)) return; // turned away: rows grow downwards
      const first = Math.max(top, Math.ceil(Math.min(y0, y1, y2) - 0.5)), last = Math.min(bottom - 1, Math.floor(Math.max(y0, y1, y2) - 0.5));
      const begin = Math.max(left, Math.ceil(Math.min(x0, x1, x2) - 0.5)), end = Math.min(right - 1, Math.floor(Math.max(x0, x1, x2) - 0.5));
      const dx1 = (y2 - y0) / area, dy1 = (x0 - x2) / area, dx2 = (y0 - y1) / area, dy2 = (x1 - x0) / area;
      const near = seen[a + 2], near1 = seen[b + 2] - near, near2 = seen[c + 2] - near;
      const light = seen[a + 3], light1 = seen[b + 3] - light, light2 = seen[c + 3] - light;
      for (let y = first; y <= last; y++) {
        let u = (begin + 0.5 - x0) * dx1 + (y + 0.5 - y0) * dy1, v = (begin + 0.5 - x0) * dx2 + (y + 0.5 - y0) * dy2;
        let n = y * wide + begin;
        for (let x = begin; x <= end; x++, n++, u += dx1, v += dx2) {
          if (u < 0 || v < 0 || u + v > 1) continue;
          const nearness = near + u * near1 + v * near2;
          if (nearness <= depth[n]) continue;
          depth[n] = nearness;
          pixels[n] = colours[(light + u * light1 + v * light2) | 0];
        }
      }
    }
    show(ink, detail, opacity) {
      const { left, top, right, bottom } = this.box, width = right - left, height = bottom - top;
      this.ink.putImageData(this.image, 0, 0, left, top, width, height);
      ink.globalAlpha = opacity;
      ink.imageSmoothingQuality = "high";
      ink.drawImage(this.canvas, left, top, width, height, left / detail, top / detail, width / detail, height / detail);
      ink.globalAlpha = 1;
    }
    hides(x, y, nearness) {
      const { left, top, right, bottom, wide } = this.box, column = Math.round(x), row = Math.round(y);
      return column >= left && row >= top && column < right && row < bottom && this.depth[row * wide + column] > 1.02 * nearness;
    }
  }
  const hull = (cloud) => {
    const sorted = [...cloud].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
    const turn = (o, a, b) => (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0]);
    const half = (list) => {
      const kept = [];
      for (const one of list) {
        while (kept.length > 1 && turn(kept[kept.length - 2], kept[kept.length - 1], one) <= 0) kept.pop();
        kept.push(one);
      }
      kept.pop();
      return kept;
    };
    return half(sorted).concat(half(sorted.reverse()));
  };

  return { LEVELS, Surface, figureOf, hull, placed, rotate, solidOf, words16 };
})();
