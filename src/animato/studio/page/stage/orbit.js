// The camera of the stage: turns about a place, comes closer, moves aside; remembered for each character.
const CLOSEST = 0.08, FARTHEST = 6, LOWEST = -0.5, GLIDE_MS = 260, BACK = 1.12;
const calm = window.matchMedia("(prefers-reduced-motion: reduce)");

export class Orbit {
  constructor(ask) { Object.assign(this, { ask, turn: 0, rise: 0, away: 1, target: [0, 0, 0], first: null, gliding: null, name: "" }); }

  // Another scene: as it was seen last, or as it suits.
  aim(scene) {
    const first = orbitOf(scene.camera), again = this.name === `animato-view:${scene.name}`;
    first.away *= BACK; // room for what moves
    this.first = first;
    this.lamps = lampsOf(first);
    if (again) return; // a part of it is longer or shorter now: it is looked at all the same
    this.name = `animato-view:${scene.name}`;
    Object.assign(this, { turn: first.turn, rise: first.rise, away: first.away, target: [...first.target] });
    try {
      const kept = JSON.parse(sessionStorage.getItem(this.name));
      if (kept && [kept.turn, kept.rise, kept.away, ...kept.target].every(Number.isFinite)) Object.assign(this, kept);
    } catch { /* nothing is kept */ }
  }

  keep() {
    try { sessionStorage.setItem(this.name, JSON.stringify({ turn: this.turn, rise: this.rise, away: this.away, target: this.target })); } catch { /* a private window */ }
  }

  bound() {
    this.rise = Math.min(Math.PI / 2, Math.max(LOWEST, this.rise));
    if (this.first) this.away = Math.min(FARTHEST * this.first.away, Math.max(CLOSEST * this.first.away, this.away));
    this.ask();
  }

  turnBy(across, down) { this.gliding = null; this.turn -= 0.008 * across; this.rise += 0.008 * down; this.bound(); }
  zoom(factor) { this.gliding = null; this.away *= factor; this.bound(); }

  // Aside, by pixels of the page; what is in the middle of the picture stays under the pointer.
  pan(across, down, height, lens) {
    const { right, up } = axesOf(this), metres = 2 * lens[1] * this.away / Math.max(height, 1);
    this.gliding = null;
    this.target = this.target.map((value, n) => value + metres * (down * up[n] - across * right[n]));
    this.bound();
  }

  // --- Known views ----------------------------------------------------------------------------------------------------
  look(name) {
    const { turn, rise, away, target } = this.first, views = { home: [turn, rise], front: [0, 0.06], side: [Math.PI / 2, 0.06], top: [0, Math.PI / 2], back: [Math.PI, 0.06] };
    const [toTurn, toRise] = views[name] || views.home;
    this.glide({ turn: toTurn, rise: toRise, away: name === "home" ? away : Math.max(this.away, 0.9 * away), target: [...target] });
  }

  centre(point, closer = 1) { this.glide({ turn: this.turn, rise: this.rise, away: this.away * closer, target: [...point] }); }

  glide(to) {
    const turns = Math.round((this.turn - to.turn) / (2 * Math.PI)); // the short way round
    to.turn += 2 * Math.PI * turns;
    if (calm.matches) { Object.assign(this, to); this.bound(); return; }
    this.gliding = { from: { turn: this.turn, rise: this.rise, away: this.away, target: [...this.target] }, to, began: performance.now() };
    this.ask();
  }

  // Goes on with a glide; whether it is still under way.
  tick(now) {
    if (!this.gliding) return false;
    const { from, to, began } = this.gliding, raw = Math.min(1, Math.max(0, now - began) / GLIDE_MS), share = raw * raw * (3 - 2 * raw);
    for (const name of ["turn", "rise", "away"]) this[name] = from[name] + share * (to[name] - from[name]);
    this.target = from.target.map((value, n) => value + share * (to.target[n] - value));
    if (raw >= 1) this.gliding = null;
    return raw < 1;
  }
}
