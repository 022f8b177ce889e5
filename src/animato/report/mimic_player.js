"use strict";
// Plays the person beside the robot. All numbers come from the element #player-data; nothing is loaded.
document.addEventListener("DOMContentLoaded", () => {
  const root = document.getElementById("player");
  const data = JSON.parse(document.getElementById("player-data").textContent);
  const canvas = root.querySelector("canvas");
  const ink = canvas.getContext("2d");
  const bytes = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const unpack = (text) => new Int16Array(bytes(text).buffer);
  const poses = unpack(data.poses), person = unpack(data.person), robot = unpack(data.robot), present = bytes(data.present);
  const times = data.times, count = times.length, start = times[0], end = times[count - 1];
  const unit = data.reach / 32767;
  const layers = { floor: true, wanted: true, markers: true, mesh: false };
  const COLOURS = { left: "#0072b2", right: "#d55e00", middle: "#6b6b75", mesh: "#009e73", marker: "#a8005f", robot: "#ffcf3a", inside: "#009e73", outside: "#d00000" };
  const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

  // Camera: an orbit about the pelvis of each figure, so that both stay in the middle of their half.
  const fov = 0.49;
  const orbit = { turn: -0.66, rise: 0.22, away: 0.78 * data.tall / Math.tan(fov / 2) };
  const nearest = 0.3 * orbit.away, farthest = 4 * orbit.away;
  let view = null;
  const aim = (left, width, centre) => {
    const flat = Math.cos(orbit.rise), high = Math.sin(orbit.rise);
    view = {
      left, width, centre, focal: canvas.height / (2 * Math.tan(fov / 2)),
      back: [flat * Math.cos(orbit.turn), flat * Math.sin(orbit.turn), high],
      right: [-Math.sin(orbit.turn), Math.cos(orbit.turn), 0],
      up: [-high * Math.cos(orbit.turn), -high * Math.sin(orbit.turn), flat],
    };
  };
  const seen = (x, y, z) => {
    const a = x - view.centre[0], b = y - view.centre[1], c = z - view.centre[2];
    const depth = Math.max(orbit.away - (a * view.back[0] + b * view.back[1] + c * view.back[2]), 1e-3);
    const scale = view.focal / depth;
    return [view.left + view.width / 2 + scale * (a * view.right[0] + b * view.right[1]),
      canvas.height / 2 - scale * (a * view.up[0] + b * view.up[1] + c * view.up[2]), depth, scale];
  };

  // Where things are at a moment, mixed of the two knots around it.
  const place = (time) => {
    let low = 0, high = count - 1;
    while (high - low > 1) { const mid = (low + high) >> 1; if (times[mid] <= time) low = mid; else high = mid; }
    return { low, high, share: Math.min(Math.max((time - times[low]) / Math.max(times[high] - times[low], 1e-9), 0), 1) };
  };
  const points = (packed, at) => {
    const out = [], size = 3 * data.landmarks;
    for (let n = 0; n < size; n += 3) {
      out.push([0, 1, 2].map((k) => unit * ((1 - at.share) * packed[at.low * size + n + k] + at.share * packed[at.high * size + n + k])));
    }
    return out;
  };
  const poseOf = (body, at) => {
    const a = 7 * (at.low * data.bodies + body), b = 7 * (at.high * data.bodies + body);
    const mixed = [0, 1, 2, 3, 4, 5, 6].map((n) => (1 - at.share) * poses[a + n] + at.share * poses[b + n]);
    const norm = Math.hypot(mixed[3], mixed[4], mixed[5], mixed[6]) || 1;
    return mixed.map((value, n) => (n < 3 ? unit * value : value / norm));
  };
  const outline = (pose, flat) => {
    const [px, py, pz, w, x, y, z] = pose;
    const r = [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y), 2 * (x * y + w * z), 1 - 2 * (x * x + z * z),
      2 * (y * z - w * x), 2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)];
    const out = [];
    for (let n = 0; n < flat.length; n += 3) {
      const a = flat[n], b = flat[n + 1], c = flat[n + 2];
      out.push(seen(px + r[0] * a + r[1] * b + r[2] * c, py + r[3] * a + r[4] * b + r[5] * c, pz + r[6] * a + r[7] * b + r[8] * c));
    }
    return out;
  };
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
  const trace = (list) => {
    ink.beginPath();
    list.forEach(([x, y], n) => (n ? ink.lineTo(x, y) : ink.moveTo(x, y)));
  };
  const shaded = (colour, depth) => {
    const value = parseInt(colour.slice(1), 16), light = Math.min(1.04, Math.max(0.78, 1 + 0.45 * (orbit.away - depth) / data.tall - 0.08));
    return `rgb(${[16, 8, 0].map((bit) => Math.min(255, Math.round(light * ((value >> bit) & 255)))).join(",")})`;
  };

  const drawFloor = () => {
    const step = [0.02, 0.05, 0.1, 0.2, 0.5].find((one) => one > data.tall / 9) || 0.5;
    const [cx, cy] = view.centre, ends = Math.ceil(0.9 * data.tall / step);
    const x = step * Math.round(cx / step), y = step * Math.round(cy / step);
    ink.strokeStyle = css("--rule") || "#ddd";
    ink.lineWidth = 1;
    for (let n = -ends; n <= ends; n++) {
      trace([seen(x + n * step, y - ends * step, 0), seen(x + n * step, y + ends * step, 0)]);
      ink.stroke();
      trace([seen(x - ends * step, y + n * step, 0), seen(x + ends * step, y + n * step, 0)]);
      ink.stroke();
    }
  };
  // Where the soles stand, and the point that must stay inside their hull.
  const isOut = (near) => data.inside[near] !== null && data.inside[near] < -0.1;
  const drawSupport = (near) => {
    const corners = data.support[near];
    if (!layers.floor || corners.length < 3) return;
    trace(corners.map(([x, y]) => seen(x, y, 0)));
    ink.closePath();
    ink.globalAlpha = 0.28;
    ink.fillStyle = isOut(near) ? COLOURS.outside : COLOURS.inside;
    ink.fill();
    ink.globalAlpha = 1;
    ink.lineWidth = 2;
    ink.strokeStyle = ink.fillStyle;
    ink.stroke();
  };
  const drawZmp = (at, near) => {
    const a = data.zmp[at.low], b = data.zmp[at.high];
    if (!layers.floor || !a || !b) return;
    const [x, y] = seen((1 - at.share) * a[0] + at.share * b[0], (1 - at.share) * a[1] + at.share * b[1], 0);
    ink.beginPath();
    ink.arc(x, y, 7, 0, 7);
    ink.fillStyle = isOut(near) ? COLOURS.outside : COLOURS.inside;
    ink.fill();
    ink.strokeStyle = "#fff";
    ink.lineWidth = 2.5;
    ink.stroke();
  };
  const drawMesh = (list, at) => {
    if (!layers.mesh) return;
    const row = (at.share < 0.5 ? at.low : at.high) * data.stride;
    ink.strokeStyle = COLOURS.mesh;
    ink.globalAlpha = 0.6;
    ink.lineWidth = 1;
    data.edges.forEach(([a, b], n) => {
      if (!((present[row + (n >> 3)] >> (7 - (n & 7))) & 1)) return;
      trace([seen(...list[a]), seen(...list[b])]);
      ink.stroke();
    });
    ink.globalAlpha = 1;
  };
  const drawSticks = (list, wide, alpha) => {
    ink.lineCap = "round";
    ink.globalAlpha = alpha;
    for (const [a, b, side] of data.bones) {
      ink.strokeStyle = COLOURS[side || "middle"];
      ink.lineWidth = wide;
      trace([seen(...list[a]), seen(...list[b])]);
      ink.stroke();
    }
    ink.globalAlpha = 1;
  };
  const drawMarks = (list, colour, size) => {
    for (const one of list) {
      const [x, y] = seen(...one);
      ink.beginPath();
      ink.arc(x, y, size, 0, 7);
      ink.fillStyle = colour;
      ink.fill();
      ink.strokeStyle = "#1d1d20";
      ink.lineWidth = 1;
      ink.stroke();
    }
  };
  const drawRobot = (at) => {
    const pieces = data.shapes.map((shape) => {
      const cloud = outline(poseOf(shape.body, at), shape.points);
      return { shape, cloud, depth: cloud.reduce((sum, one) => sum + one[2], 0) / cloud.length };
    });
    pieces.sort((a, b) => b.depth - a.depth);
    for (const { shape, cloud, depth } of pieces) {
      trace(hull(cloud));
      ink.closePath();
      ink.globalAlpha = shape.opacity;
      ink.fillStyle = shaded(shape.colour, depth);
      ink.fill();
      ink.strokeStyle = "rgba(30,30,36,.35)";
      ink.lineWidth = 1;
      ink.stroke();
      ink.globalAlpha = 1;
    }
  };

  const state = { time: start, playing: false, speed: 1, last: 0 };
  const clock = root.querySelector(".clock"), scrub = root.querySelector(".scrub"), button = root.querySelector(".play");
  const cursors = [...document.querySelectorAll("path.cursor")];
  const draw = () => {
    const at = place(state.time), half = canvas.width / 2;
    const wanted = points(person, at), own = points(robot, at);
    const centre = [own[0][0], own[0][1], data.middle + 0.1 * data.tall], near = at.share < 0.5 ? at.low : at.high;
    ink.fillStyle = css("--card") || "#fff";
    ink.fillRect(0, 0, canvas.width, canvas.height);
    for (const side of [0, 1]) {
      ink.save();
      ink.beginPath();
      ink.rect(side * half, 0, half, canvas.height);
      ink.clip();
      aim(side * half, half, centre);
      drawFloor();
      if (side === 0) {
        drawSticks(wanted, 7, 0.9);
        drawMesh(wanted, at);
        if (layers.markers) drawMarks(wanted, COLOURS.marker, 4.5);
      } else {
        drawSupport(near);
        drawRobot(at);
        if (layers.wanted) drawSticks(wanted, 2, 0.65);
        drawMesh(own, at);
        if (layers.markers) drawMarks(own, COLOURS.robot, 4);
        drawZmp(at, near);
      }
      ink.restore();
    }
    const write = (text, left, line, strong) => {
      ink.font = `${strong ? 600 : 400} ${strong ? 18 : 15}px system-ui, sans-serif`;
      ink.fillStyle = css(strong ? "--ink" : "--soft") || "#333";
      ink.fillText(text, left, 32 + 22 * line);
    };
    const inside = data.inside[near], held = data.held[near];
    write(`${data.capture_name}: the person, made as large as the robot`, 20, 0, true);
    write(data.robot_name, half + 20, 0, true);
    write(`key-points ${data.errors[near]} mm off`, half + 20, 1, false);
    write(inside === null ? (data.zmp[near] ? "nothing stands" : "in the air") : isOut(near) ? `ZMP ${-inside} mm outside the soles` : `ZMP ${inside} mm inside the soles`, half + 20, 2, false);
    write(held.length ? `held by ${held.slice(0, 2).join(", ")}${held.length > 2 ? ", ..." : ""}` : "held by nothing", half + 20, 3, false);
    clock.textContent = `${state.time.toFixed(2)} s`;
    const share = (state.time - start) / Math.max(end - start, 1e-9);
    scrub.value = String(Math.round(1000 * share));
    for (const cursor of cursors) cursor.setAttribute("transform", `translate(${(Number(cursor.dataset.width) * share).toFixed(1)},0)`);
  };
  const tick = (now) => {
    if (!state.playing) return;
    state.time += state.speed * Math.min(0.1, (now - state.last) / 1000);
    state.last = now;
    if (state.time > end) state.time = start;
    draw();
    requestAnimationFrame(tick);
  };
  const go = (time) => { state.time = Math.min(Math.max(time, start), end); draw(); };
  button.addEventListener("click", () => {
    state.playing = !state.playing;
    button.textContent = state.playing ? "❚❚" : "▶";
    state.last = performance.now();
    if (state.playing) requestAnimationFrame(tick);
  });
  scrub.addEventListener("input", () => go(start + (end - start) * Number(scrub.value) / 1000));
  root.querySelector(".speed").addEventListener("change", (event) => { state.speed = Number(event.target.value); });
  for (const box of root.querySelectorAll("[data-layer]")) {
    box.addEventListener("change", () => { layers[box.dataset.layer] = box.checked; draw(); });
  }
  let held = null;
  canvas.addEventListener("pointerdown", (event) => { held = [event.clientX, event.clientY]; canvas.setPointerCapture(event.pointerId); });
  canvas.addEventListener("pointermove", (event) => {
    if (!held) return;
    orbit.turn -= 0.008 * (event.clientX - held[0]);
    orbit.rise = Math.min(1.5, Math.max(-0.1, orbit.rise + 0.008 * (event.clientY - held[1])));
    held = [event.clientX, event.clientY];
    draw();
  });
  canvas.addEventListener("pointerup", () => { held = null; });
  canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    orbit.away = Math.min(farthest, Math.max(nearest, orbit.away * Math.exp(0.001 * event.deltaY)));
    draw();
  }, { passive: false });
  for (const cursor of cursors) {
    const chart = cursor.closest("svg");
    chart.addEventListener("click", (event) => {
      const box = chart.getBoundingClientRect();
      const across = (event.clientX - box.left) / box.width * chart.viewBox.baseVal.width;
      go(start + (end - start) * (across - Number(cursor.dataset.left)) / Number(cursor.dataset.width));
    });
  }
  go(Number(root.dataset.time));
});
