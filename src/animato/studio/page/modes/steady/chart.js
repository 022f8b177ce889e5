// Small charts beside the stage: curves over time, or over how often something swings.
import { h } from "../../core/widgets.js";

const LEFT = 56, RIGHT = 8, TOP = 16, BOTTOM = 20, FONT = "11px system-ui, sans-serif";

// Some round numbers from one to another.
const ticks = (low, high, count) => {
  const rough = (high - low) / count, power = 10 ** Math.floor(Math.log10(rough)), step = [1, 2, 5, 10].map((one) => one * power).find((one) => one >= rough), out = [];
  for (let n = Math.ceil(low / step - 1e-9); n * step <= high + 1e-9 * step; n++) out.push(Number((n * step).toPrecision(8)));
  return out;
};
const plain = (value) => String(Number(value.toPrecision(3)));

export class Chart {
  // `unit`s stand at the last number of each side; `log` where heights go over powers of ten.
  constructor(label, { across, up, log = false, height = 150, onpress } = {}) {
    Object.assign(this, { across, up, log, high: height, told: null, cursor: null });
    this.canvas = h("canvas", { class: "steady-chart", role: "img", aria: { label }, style: { height: `${height}px` } });
    if (onpress) {
      const press = (event) => { const box = this.canvas.getBoundingClientRect(), share = (event.clientX - box.left - LEFT) / (box.width - LEFT - RIGHT); if (this.told) onpress(this.told.span[0] + Math.min(Math.max(share, 0), 1) * (this.told.span[1] - this.told.span[0])); };
      this.canvas.addEventListener("pointerdown", (event) => { if (event.button === 0) { this.canvas.setPointerCapture(event.pointerId); press(event); } });
      this.canvas.addEventListener("pointermove", (event) => { if (this.canvas.hasPointerCapture(event.pointerId)) press(event); });
      this.canvas.classList.add("pressed");
    }
    new ResizeObserver(() => this.ask()).observe(this.canvas);
  }

  // { span: [from, to], range: [low, high], curves: [{ x, y, colour, wide }], marks: [{ x, words }], words }; null takes all away.
  show(told) { this.told = told; this.canvas.hidden = !told; if (told && told.words) this.canvas.setAttribute("aria-label", told.words); this.ask(); }
  at(time) { this.cursor = time; this.ask(); }

  ask() {
    if (this.asked || !this.canvas.isConnected) return;
    this.asked = true;
    requestAnimationFrame(() => { this.asked = false; this.draw(); });
  }

  draw() {
    const { canvas, told } = this, width = canvas.clientWidth, height = this.high, pixel = devicePixelRatio || 1;
    if (!told || !width) return;
    Object.assign(canvas, { width: Math.round(width * pixel), height: Math.round(height * pixel) });
    const ctx = canvas.getContext("2d"), style = getComputedStyle(canvas), colour = (name) => style.getPropertyValue(name).trim();
    const [from, to] = told.span, [low, high] = told.range, scaled = this.log ? Math.log10 : (value) => value, bottom = scaled(low), tall = scaled(high) - bottom || 1;
    const toX = (x) => LEFT + (x - from) / (to - from || 1) * (width - LEFT - RIGHT), toY = (y) => height - BOTTOM - (scaled(this.log ? Math.max(y, low / 10) : y) - bottom) / tall * (height - TOP - BOTTOM);
    ctx.scale(pixel, pixel);
    ctx.font = FONT;
    ctx.lineWidth = 1;
    this.frame(ctx, { toX, toY, width, height, colour });
    this.marks(ctx, toX, height, colour);
    ctx.save();
    ctx.beginPath();
    ctx.rect(LEFT, TOP - 2, width - LEFT - RIGHT, height - TOP - BOTTOM + 3);
    ctx.clip();
    ctx.lineJoin = "round";
    for (const { x, y, colour: name, wide = 1.6 } of told.curves) {
      ctx.strokeStyle = colour(name);
      ctx.lineWidth = wide;
      ctx.beginPath();
      for (let n = 0; n < x.length && x[n] <= to; n++) { if (n) ctx.lineTo(toX(x[n]), toY(y[n])); else ctx.moveTo(toX(x[n]), toY(y[n])); }
      ctx.stroke();
    }
    ctx.restore();
    if (this.cursor === null || this.cursor < from || this.cursor > to) return;
    ctx.fillStyle = colour("--accent");
    ctx.fillRect(toX(this.cursor) - 1, TOP - 4, 2, height - TOP - BOTTOM + 4);
  }

  frame(ctx, { toX, toY, width, height, colour }) {
    const { span, range } = this.told, powers = [];
    for (let power = Math.ceil(Math.log10(range[0] || 1)); this.log && power <= Math.log10(range[1]) + 1e-9; power++) powers.push(10 ** power);
    ctx.strokeStyle = colour("--line");
    ctx.fillStyle = colour("--muted");
    ctx.textAlign = "right";
    ctx.textBaseline = "middle";
    const heights = this.log ? powers : ticks(range[0], range[1], 4);
    heights.forEach((value, n) => {
      ctx.beginPath();
      ctx.moveTo(LEFT, Math.round(toY(value)) + 0.5);
      ctx.lineTo(width - RIGHT, Math.round(toY(value)) + 0.5);
      ctx.stroke();
      ctx.fillText(`${plain(value)}${n === heights.length - 1 ? ` ${this.up}` : ""}`, LEFT - 4, toY(value));
    });
    ctx.textAlign = "center";
    ctx.textBaseline = "top";
    const places = ticks(span[0], span[1], 6);
    places.forEach((value, n) => {
      const last = n === places.length - 1, words = `${plain(value)}${last ? ` ${this.across}` : ""}`, half = ctx.measureText(words).width / 2;
      ctx.fillText(words, Math.min(toX(value), width - half - 2), height - BOTTOM + 5);
    });
  }

  // Lines across, with words above; words that would stand on one another are left out.
  marks(ctx, toX, height, colour) {
    let free = -Infinity;
    ctx.textAlign = "left";
    ctx.textBaseline = "bottom";
    for (const { x, words } of this.told.marks || []) {
      ctx.strokeStyle = colour("--muted");
      ctx.setLineDash([3, 3]);
      ctx.beginPath();
      ctx.moveTo(toX(x), TOP - 2);
      ctx.lineTo(toX(x), height - BOTTOM);
      ctx.stroke();
      ctx.setLineDash([]);
      const left = toX(x) - ctx.measureText(words).width / 2;
      if (left < free) continue;
      ctx.fillStyle = colour("--muted");
      ctx.fillText(words, left, TOP - 3);
      free = left + ctx.measureText(words).width + 6;
    }
  }
}
