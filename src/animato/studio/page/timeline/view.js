// Which part of time is seen, and where on the screen: shared by all that is drawn over time.
const LEAST_S = 0.1, EDGE = 12, EMPTY_S = 1;

class View {
  constructor() { Object.assign(this, { begin: 0, end: 0, from: 0, to: EMPTY_S, width: 0, gutter: 0, watchers: new Set() }); }

  get right() { return Math.max(this.gutter + 1, this.width - EDGE); }
  get span() { return [this.from, this.to]; }
  get isWhole() { return this.from <= this.begin && this.to >= this.last; }
  get last() { return this.end > this.begin ? this.end : this.begin + EMPTY_S; }
  toX(time) { return this.gutter + (time - this.from) / (this.to - this.from) * (this.right - this.gutter); }
  toTime(x) { return this.from + (x - this.gutter) / (this.right - this.gutter) * (this.to - this.from); }
  clamped(time) { return Math.min(Math.max(time, this.begin), this.end); }

  onChange(watcher) { this.watchers.add(watcher); }
  tell() { for (const watcher of this.watchers) watcher(); }

  // The motion has another length; who saw all of it still does.
  setMotion(begin, end) {
    if (begin === this.begin && end === this.end) return;
    const whole = this.isWhole;
    Object.assign(this, { begin, end });
    if (whole) this.fit(); else this.see(this.from, this.to);
  }
  setSize(width, gutter) { if (width !== this.width || gutter !== this.gutter) { Object.assign(this, { width, gutter }); this.tell(); } }

  see(from, to) {
    const all = this.last - this.begin, length = Math.min(Math.max(to - from, LEAST_S), all);
    this.from = Math.min(Math.max(from, this.begin), this.last - length);
    this.to = this.from + length;
    this.tell();
  }
  fit() { this.see(this.begin, this.last); }
  zoom(factor, time) { this.see(time - (time - this.from) / factor, time + (this.to - time) / factor); }
  scroll(seconds) { this.see(this.from + seconds, this.to + seconds); }
  // Turns the page when time leaves it.
  reveal(time) {
    if (time >= this.from && time <= this.to) return;
    const length = this.to - this.from;
    this.see(time < this.from ? time - 0.9 * length : time - 0.1 * length, (time < this.from ? time - 0.9 * length : time - 0.1 * length) + length);
  }
}

export const view = new View();
