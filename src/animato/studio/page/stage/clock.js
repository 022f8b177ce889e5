// Time on the stage: plays, rests, goes round.
const LONGEST_STEP_S = 0.25; // a page that slept does not leap

export class Clock {
  constructor(moved) { Object.assign(this, { time: 0, begin: 0, end: 0, playing: false, speed: 1, loop: true, range: null, moved }); }

  get first() { return this.range ? Math.max(this.range[0], this.begin) : this.begin; }
  get last() { return this.range ? Math.min(this.range[1], this.end) : this.end; }

  setSpan(begin, end) {
    this.begin = begin;
    this.end = Math.max(begin, end);
    if (this.range && (this.range[0] >= this.end || this.range[1] <= this.begin)) this.range = null;
    const kept = Math.min(Math.max(this.time, this.begin), this.end);
    if (kept === this.time) return;
    this.time = kept;
    this.moved();
  }

  seek(time) {
    this.time = Math.min(Math.max(time, this.begin), this.end);
    this.moved();
  }

  play(on) {
    const next = Boolean(on) && this.end > this.begin;
    if (next === this.playing) return;
    this.playing = next;
    this.then = null;
    if (next && (this.time >= this.last - 1e-6 || this.time < this.first - 1e-6)) this.time = this.first;
    this.moved();
  }

  // One picture later.
  tick(now) {
    const passed = this.then === null ? 0 : Math.min(Math.max(0, now - this.then) / 1000, LONGEST_STEP_S);
    this.then = now;
    this.time += this.speed * passed;
    if (this.time > this.last) {
      if (this.loop) this.time = this.first + (this.time - this.last) % Math.max(this.last - this.first, 1e-6);
      else { this.time = this.last; this.playing = false; }
    }
    this.moved();
  }
}
