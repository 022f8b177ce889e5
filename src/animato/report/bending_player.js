"use strict";
// Plays the overlaid figures. All numbers come from the element #player-data; nothing is loaded.
document.addEventListener("DOMContentLoaded", () => {
  const root = document.getElementById("player");
  const data = JSON.parse(document.getElementById("player-data").textContent);
  const canvas = root.querySelector("canvas");
  const ink = canvas.getContext("2d");
  const unpack = (text) => {
    const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    return new Int16Array(bytes.buffer);
  };
  const [start, end, count] = data.times;
  const figures = data.figures.map((one) => ({
    ...one, shown: true, poses: unpack(one.poses), lines: unpack(one.lines), points: unpack(one.points),
  }));
  const slots = new Map(data.moving.map((body, slot) => [body, slot]));
  const stride = data.moving.length;
  const unit = 1 / 32767;
  const reach = data.reach * unit;
  const tracked = data.bodies.length;
  const COLOURS = { target: "#009e73", before: "#d55e00", after: "#0072b2" };
  const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

  // Camera: an orbit about its target, from where the pictures of the page are seen.
  const eye = data.camera.eye.map((value, axis) => value - data.camera.target[axis]);
  const away = Math.hypot(...eye);
  const orbit = { turn: Math.atan2(eye[1], eye[0]), rise: Math.asin(eye[2] / away), away };
  let frame = { right: [1, 0, 0], up: [0, 0, 1], back: [0, -1, 0], focal: 1 };
  const aim = () => {
    const flat = Math.cos(orbit.rise), high = Math.sin(orbit.rise);
    const back = [flat * Math.cos(orbit.turn), flat * Math.sin(orbit.turn), high];
    const right = [-Math.sin(orbit.turn), Math.cos(orbit.turn), 0];
    const up = [-high * Math.cos(orbit.turn), -high * Math.sin(orbit.turn), flat];
    frame = { right, up, back, focal: canvas.height / (2 * Math.tan(data.camera.fov / 2)) };
  };
  const seen = (x, y, z) => {
    const t = data.camera.target;
    const a = x - t[0], b = y - t[1], c = z - t[2];
    const r = frame.right, u = frame.up, k = frame.back;
    const depth = Math.max(orbit.away - (a * k[0] + b * k[1] + c * k[2]), 1e-3);
    const scale = frame.focal / depth;
    return [canvas.width / 2 + scale * (a * r[0] + b * r[1]), canvas.height / 2 - scale * (a * u[0] + b * u[1] + c * u[2]), depth, scale];
  };

  const mix = (numbers, from, to, share) => numbers[from] + share * (numbers[to] - numbers[from]);
  const poseOf = (figure, body, at) => {
    if (!slots.has(body)) return data.still[body];
    const low = Math.min(Math.floor(at), count - 2), share = at - low;
    const a = 7 * (low * stride + slots.get(body)), b = a + 7 * stride;
    let dot = 0;
    for (let n = 3; n < 7; n++) dot += figure.poses[a + n] * figure.poses[b + n];
    const sign = dot < 0 ? -1 : 1;
    const pose = [0, 1, 2].map((n) => reach * mix(figure.poses, a + n, b + n, share));
    const turn = [3, 4, 5, 6].map((n) => (1 - share) * figure.poses[a + n] + share * sign * figure.poses[b + n]);
    const norm = Math.hypot(...turn) || 1;
    return pose.concat(turn.map((value) => value / norm));
  };
  const placeAll = (pose, points) => {
    const [px, py, pz, w, x, y, z] = pose;
    const r = [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y),
      2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
      2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)];
    const out = [];
    for (let n = 0; n < points.length; n += 3) {
      const a = points[n], b = points[n + 1], c = points[n + 2];
      out.push(seen(px + r[0] * a + r[1] * b + r[2] * c, py + r[3] * a + r[4] * b + r[5] * c, pz + r[6] * a + r[7] * b + r[8] * c));
    }
    return out;
  };
  const hull = (points) => {
    const sorted = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
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
  const trace = (points) => {
    ink.beginPath();
    points.forEach(([x, y], n) => (n ? ink.lineTo(x, y) : ink.moveTo(x, y)));
  };

  // What one figure is made of, the farthest first.
  const pieces = (figure, at) => {
    const found = data.shapes.map((shape) => {
      const points = placeAll(poseOf(figure, shape.body, at), shape.points);
      const depth = points.reduce((sum, one) => sum + one[2], 0) / points.length;
      return { points, depth, shape, still: !slots.has(shape.body) };
    });
    const low = Math.min(Math.floor(at), count - 2), share = at - low;
    const total = data.rods.reduce((sum, rod) => sum + rod.points, 0);
    let first = 0;
    for (const rod of data.rods) {
      const points = [];
      for (let n = 0; n < rod.points; n++) {
        const a = 3 * (low * total + first + n), b = a + 3 * total;
        points.push(seen(...[0, 1, 2].map((axis) => reach * mix(figure.lines, a + axis, b + axis, share))));
      }
      first += rod.points;
      const depth = points.reduce((sum, one) => sum + one[2], 0) / points.length;
      found.push({ points, depth, rod, still: false });
    }
    return found.sort((a, b) => b.depth - a.depth);
  };
  const drawSolid = (all, dark) => {
    for (const { points, shape, rod } of all) {
      if (rod) {
        ink.lineCap = "round";
        ink.lineJoin = "round";
        ink.lineWidth = Math.max(2.5, 2 * rod.radius * points[0][3]);
        ink.strokeStyle = dark ? "#c9ced6" : "#5d6673";
        trace(points);
        ink.stroke();
        continue;
      }
      trace(hull(points));
      ink.closePath();
      ink.globalAlpha = shape.opacity;
      ink.fillStyle = shape.colour;
      ink.fill();
      ink.lineWidth = 1;
      ink.strokeStyle = dark ? "rgba(255,255,255,.28)" : "rgba(20,22,30,.35)";
      ink.stroke();
      ink.globalAlpha = 1;
    }
  };
  const drawGhost = (all, colour) => {
    ink.globalAlpha = 0.4;
    ink.fillStyle = colour;
    for (const { points, rod, still } of all) {
      if (rod || still) continue;
      trace(hull(points));
      ink.closePath();
      ink.fill();
    }
    ink.globalAlpha = 0.95;
    ink.strokeStyle = colour;
    for (const { points, rod, still } of all) {
      if (still) continue;
      ink.lineWidth = rod ? Math.max(3, 2 * rod.radius * points[0][3]) : 1.4;
      ink.lineCap = "round";
      trace(rod ? points : hull(points));
      if (!rod) ink.closePath();
      ink.stroke();
    }
    ink.globalAlpha = 1;
  };
  const drawTrail = (figure, at) => {
    const frames = (count - 1) / Math.max(end - start, 1e-9);
    const from = Math.max(0, Math.floor(at - 0.7 * frames));
    ink.strokeStyle = COLOURS[figure.kind];
    ink.lineWidth = 2.2;
    for (let body = 0; body < tracked; body++) {
      const points = [];
      for (let n = from; n <= Math.floor(at); n++) {
        const a = 3 * (n * tracked + body);
        points.push(seen(reach * figure.points[a], reach * figure.points[a + 1], reach * figure.points[a + 2]));
      }
      if (points.length > 1) {
        trace(points);
        ink.stroke();
      }
    }
  };
  const drawFloor = (dark) => {
    const z = data.floor, middle = data.camera.target, size = data.size;
    const step = 10 ** Math.floor(Math.log10(0.4 * size));
    ink.strokeStyle = dark ? "rgba(255,255,255,.10)" : "rgba(20,22,30,.10)";
    ink.lineWidth = 1;
    const ends = Math.ceil(0.9 * size / step);
    for (let n = -ends; n <= ends; n++) {
      const x = step * Math.round(middle[0] / step), y = step * Math.round(middle[1] / step);
      trace([seen(x + n * step, y - ends * step, z), seen(x + n * step, y + ends * step, z)]);
      ink.stroke();
      trace([seen(x - ends * step, y + n * step, z), seen(x + ends * step, y + n * step, z)]);
      ink.stroke();
    }
  };

  const state = { time: start, playing: false, speed: 1, last: 0 };
  const clock = root.querySelector(".clock"), scrub = root.querySelector(".scrub"), button = root.querySelector(".play");
  const cursor = document.getElementById("cursor");
  const distance = (a, b, at, body) => {
    const low = 3 * (Math.round(at) * tracked + body);
    return reach * Math.hypot(...[0, 1, 2].map((n) => a.points[low + n] - b.points[low + n]));
  };
  const draw = () => {
    const dark = window.matchMedia("(prefers-color-scheme: dark)").matches;
    const at = Math.min(Math.max((state.time - start) / Math.max(end - start, 1e-9), 0), 1) * (count - 1);
    aim();
    ink.fillStyle = css("--card") || "#fff";
    ink.fillRect(0, 0, canvas.width, canvas.height);
    drawFloor(dark);
    const last = figures[figures.length - 1];
    if (!last.shown) drawSolid(pieces(last, at).filter((one) => one.still), dark);
    for (const figure of figures) {
      if (!figure.shown) continue;
      const all = pieces(figure, at);
      if (figure === last) drawSolid(all, dark);
      else drawGhost(all, COLOURS[figure.kind]);
    }
    for (const figure of figures) if (figure.shown) drawTrail(figure, at);
    ink.font = "600 20px system-ui, sans-serif";
    const target = figures.find((one) => one.kind === "target");
    let row = 34;
    for (const figure of figures) {
      if (!target || figure === target || !figure.shown || !tracked) continue;
      let worst = 0, which = 0;
      for (let body = 0; body < tracked; body++) {
        const off = distance(figure, target, at, body);
        if (off > worst) [worst, which] = [off, body];
      }
      ink.fillStyle = COLOURS[figure.kind];
      ink.fillText(`${figure.name}: ${data.bodies[which]} ${(100 * worst).toFixed(1)} cm off`, 22, row);
      row += 28;
    }
    clock.textContent = `${state.time.toFixed(2)} s`;
    scrub.value = String(Math.round(1000 * (state.time - start) / Math.max(end - start, 1e-9)));
    if (cursor) {
      const shift = Number(cursor.dataset.width) * (state.time - start) / Math.max(end - start, 1e-9);
      cursor.setAttribute("transform", `translate(${shift.toFixed(1)},0)`);
    }
  };
  const tick = (now) => {
    if (!state.playing) return;
    state.time += state.speed * Math.min(0.1, (now - state.last) / 1000);
    state.last = now;
    if (state.time > end) state.time = start;
    draw();
    requestAnimationFrame(tick);
  };
  const play = (on) => {
    state.playing = on;
    button.textContent = on ? "❚❚" : "▶";
    state.last = performance.now();
    if (on) requestAnimationFrame(tick);
  };
  const go = (time) => {
    state.time = Math.min(Math.max(time, start), end);
    draw();
  };
  button.addEventListener("click", () => play(!state.playing));
  scrub.addEventListener("input", () => go(start + (end - start) * Number(scrub.value) / 1000));
  root.querySelector(".speed").addEventListener("change", (event) => { state.speed = Number(event.target.value); });
  for (const box of root.querySelectorAll("[data-figure]")) {
    box.addEventListener("change", () => { figures[Number(box.dataset.figure)].shown = box.checked; draw(); });
  }
  let held = null;
  canvas.addEventListener("pointerdown", (event) => {
    held = [event.clientX, event.clientY];
    canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener("pointermove", (event) => {
    if (!held) return;
    orbit.turn -= 0.008 * (event.clientX - held[0]);
    orbit.rise = Math.min(1.5, Math.max(-0.2, orbit.rise + 0.008 * (event.clientY - held[1])));
    held = [event.clientX, event.clientY];
    draw();
  });
  canvas.addEventListener("pointerup", () => { held = null; });
  canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    orbit.away = Math.min(4 * away, Math.max(0.15 * away, orbit.away * Math.exp(0.001 * event.deltaY)));
    draw();
  }, { passive: false });
  const chart = cursor ? cursor.closest("svg") : null;
  if (chart) {
    chart.addEventListener("click", (event) => {
      const box = chart.getBoundingClientRect();
      const across = (event.clientX - box.left) / box.width * chart.viewBox.baseVal.width;
      go(start + (end - start) * (across - Number(cursor.dataset.left)) / Number(cursor.dataset.width));
    });
  }
  const opening = root.dataset.time === undefined ? start : Number(root.dataset.time);
  go(opening);
});
