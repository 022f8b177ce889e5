// How finely is drawn: fine when nothing moves; while something does, as fine as goes in time. Measured, not guessed:
// a machine that is fast stays fine, one that becomes fast becomes fine again.
const MOVING = [ // pixels of the picture a pixel of the page, looks for shadows of the lamp and of the sky (0: laid flat);
  // the smaller ones are drawn with fewer triangles too
  { scale: 2, taps: 10, skyTaps: 10 }, { scale: 1.25, taps: 10, skyTaps: 10 }, { scale: 1, taps: 5, skyTaps: 4 }, { scale: 1, taps: 0, skyTaps: 0 },
  { scale: 0.8, taps: 0, skyTaps: 0 }, { scale: 0.64, taps: 0, skyTaps: 0 }, { scale: 0.5, taps: 0, skyTaps: 0 }, { scale: 0.4, taps: 0, skyTaps: 0 }];
const RESTING = { scale: 2, taps: 5, skyTaps: 4 }, SOME_PIXELS = 6e5, POLISHED_PIXELS = 1.3e6; // without a graphics card: a hand that comes back does not wait long
const SLOW_MS = 31, EASY_MS = 22, WINDOW = 7, FIRST_TRIAL_MS = 1500, LONGEST_TRIAL_MS = 60000, MOST_PIXELS = 2400 * 1600;

export class Quality {
  constructor(slow) {
    Object.assign(this, { slow, level: slow ? 5 : 0, spans: [], trialAt: 0, wait: FIRST_TRIAL_MS, before: null, least: 0 });
  }

  // The picture's size and shadows; `how` is "moving" where another one follows at once, "resting", or "polished" where
  // nobody has touched anything for a while.
  sizes(width, height, how) {
    const ratio = Math.min(window.devicePixelRatio || 1, 2), chosen = how === "moving" ? MOVING[this.level] : this.slow ? RESTING : MOVING[0];
    const most = !this.slow ? MOST_PIXELS : how === "polished" ? POLISHED_PIXELS : SOME_PIXELS, sharp = this.slow && how === "polished" ? 2 : ratio; // it has no smooth edges otherwise
    const scale = Math.min(chosen.scale, sharp, Math.sqrt(most / Math.max(width * height, 1)));
    return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)), taps: chosen.taps, skyTaps: chosen.skyTaps, thin: chosen.scale < 0.7 };
  }

  // Time between two pictures that followed each other at once [ms].
  passed(span, now) {
    this.spans.push(span);
    if (this.spans.length < WINDOW) return;
    const middle = [...this.spans].sort((a, b) => a - b)[WINDOW >> 1];
    this.spans.length = 0;
    if (this.before !== null) { // a finer one was tried: kept where it is about as quick
      const kept = middle <= EASY_MS || middle <= 1.08 * this.before;
      this.least = kept && middle > SLOW_MS ? middle : 0; // coarser ones were no quicker: the screen itself is slow
      if (!kept) {
        this.level++;
        this.wait = Math.min(2 * this.wait, LONGEST_TRIAL_MS);
      }
      this.before = null;
      this.trialAt = now + (kept ? 0 : this.wait);
    } else if (middle > Math.max(SLOW_MS, 1.15 * this.least) && this.level < MOVING.length - 1) {
      this.level++;
      this.trialAt = now + this.wait;
    } else if (this.level > 0 && now > this.trialAt) {
      this.before = middle;
      this.level--;
    }
  }

  // Nothing moves any more: what was measured is of another time.
  rested() {
    this.spans.length = 0;
    if (this.before !== null) { this.before = null; this.level++; }
  }
}

// --- Fewer triangles ----------------------------------------------------------------------------------------------------
// How large cells are at each corner: at most so large, small on a slender part.
const cellsOf = ({ vertices, starts }, most) => {
  const count = vertices.length / FLOATS, out = new Float32Array(count);
  starts.forEach((start, part) => {
    const end = part + 1 < starts.length ? starts[part + 1] : count, low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
    for (let n = start; n < end; n++) for (let k = 0; k < 3; k++) { const value = vertices[FLOATS * n + k]; if (value < low[k]) low[k] = value; if (value > high[k]) high[k] = value; }
    out.fill(Math.min(most, Math.max(SLENDER * Math.min(...high.map((value, k) => value - low[k])), 1e-6)), start, end);
  });
  return out;
};

// The same look with fewer triangles, for pictures that are gone at once: corners in one small cell that face one way
// become one of them. Skin is left as it is, and cells of a slender part are small. Adds to the faces; `size` is that of
// the character [m].
const CELLS = 64, SLENDER = 0.45; // over its size; of the least measure of a part
export const thinned = (mesh, size) => {
  const { vertices, faces, solid } = mesh, cells = cellsOf(mesh, size / CELLS), first = new Map(), stands = new Map(), kept = [];
  const standIn = (n) => {
    if (stands.has(n)) return stands.get(n);
    const at = FLOATS * n, normal = [vertices[at + 3], vertices[at + 4], vertices[at + 5]], most = Math.max(...normal.map(Math.abs)), facing = normal.findIndex((value) => Math.abs(value) === most);
    const key = vertices[at + 18] > 0 ? `skin ${n}` : [vertices[at + 16], ...[0, 1, 2].map((k) => Math.round(vertices[at + k] / cells[n])), facing, normal[facing] < 0, ...vertices.subarray(at + 12, at + 15)].join();
    if (!first.has(key)) first.set(key, n);
    stands.set(n, first.get(key));
    return first.get(key);
  };
  for (let n = 0; n < solid; n += 3) {
    const a = standIn(faces[n]), b = standIn(faces[n + 1]), c = standIn(faces[n + 2]);
    if (a !== b && b !== c && c !== a) kept.push(a, b, c);
  }
  const all = new Uint32Array(faces.length + kept.length);
  all.set(faces);
  all.set(kept, faces.length);
  return { ...mesh, faces: all, thin: kept.length };
};
