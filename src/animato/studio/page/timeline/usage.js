// Shares of limits as the server told them, ready to be asked: which joint, which kind, when.
import { store } from "../core/store.js";

const TOLERANCE = 1e-6; // as of the check: rounding is nobody's fault
const KINDS = { position: "range", velocity: "speed", acceleration: "acceleration", jerk: "jerk", torque: "torque" };
export const kindWords = (kind) => KINDS[kind] || kind;

class Usage {
  constructor(message) {
    const { kinds, axes, span, findings, arrays } = message, shares = arrays.shares, [kindCount, axisCount, columns] = shares.shape;
    Object.assign(this, { kinds, span, findings: findings || [], columns: columns || 0, shares, axisCount });
    this.axes = axes.map((axis, n) => ({ ...axis, number: n }));
    // The worst kind of each axis, and the worst of all axes; there, to rest at an end of a range is no use of anything.
    const rests = kinds.indexOf("position");
    this.worst = new Float32Array(axisCount * this.columns).fill(NaN);
    this.worstKind = new Uint8Array(axisCount * this.columns);
    this.total = new Float32Array(this.columns).fill(NaN);
    this.totalAxis = new Uint16Array(this.columns);
    this.totalKind = new Uint8Array(this.columns);
    for (let k = 0; k < kindCount; k++) for (let a = 0; a < axisCount; a++) for (let c = 0; c < this.columns; c++) {
      const share = shares[(k * axisCount + a) * this.columns + c], at = a * this.columns + c;
      if (Number.isNaN(share)) continue;
      if (!(share <= this.worst[at])) { this.worst[at] = share; this.worstKind[at] = k; }
      if ((k !== rests || share > 1 + TOLERANCE) && !(share <= this.total[c])) { this.total[c] = share; this.totalAxis[c] = a; this.totalKind[c] = k; }
    }
    this.axes = this.axes.filter(({ number }) => { for (let c = 0; c < this.columns; c++) if (!Number.isNaN(this.worst[number * this.columns + c])) return true; return false; });
  }

  // Shares over columns of one axis; -1 is the worst of all.
  rowOf(axis) { return axis < 0 ? this.total : this.worst.subarray(axis * this.columns, (axis + 1) * this.columns); }
  columnAt(time) { return Math.floor((time - this.span[0]) / Math.max(this.span[1] - this.span[0], 1e-9) * this.columns); }

  // What there is to say about an axis (-1: the worst) at a time.
  at(axis, time) {
    const column = this.columnAt(time), which = axis < 0 ? this.totalAxis[column] : axis, row = this.rowOf(axis);
    if (column < 0 || column >= this.columns || Number.isNaN(row[column])) return null;
    const one = this.axes.find(({ number }) => number === which), kind = this.kinds[axis < 0 ? this.totalKind[column] : this.worstKind[which * this.columns + column]];
    return { share: row[column], axis: one, kind };
  }

  words(axis, time) {
    const found = this.at(axis, time);
    if (!found || !found.axis) return "";
    const over = found.share > 1 + TOLERANCE;
    return `${found.axis.label}: ${(100 * found.share).toFixed(0)} % of its ${kindWords(found.kind)}${over ? ", too much" : ""} at ${time.toFixed(2)} s`;
  }

  // Moments of trouble in the order of time.
  get troubles() { return this.findings.filter(({ over }) => over !== false).sort((a, b) => a.time - b.time); }
}

let known = null;
const listeners = new Set();
export const usage = { get now() { return known; }, onChange(listener) { listeners.add(listener); } };
store.on("usage", (message) => { known = message.arrays && message.axes && message.axes.length ? new Usage(message) : null; for (const listener of listeners) listener(); });
