// Plays characters on a page. All numbers come from the elements #<player>-data; nothing is loaded.
(() => {
  const { LEVELS, Surface, figureOf, hull, placed, rotate, solidOf, words16 } = drawing;
  const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  const unit = (a) => { const length = Math.hypot(...a) || 1; return a.map((value) => value / length); };
  const COLOURS = [{ sight: "#e08a00", target: "#c2006b" }, { sight: "#ffb54d", target: "#ff6fb8" }]; // on light and on dark

  const start = (root) => {
    const data = JSON.parse(document.getElementById(`${root.id}-data`).textContent);
    const canvas = root.querySelector(".picture"), ink = canvas.getContext("2d");
    if (!ink) return; // the still picture stays
    root.classList.add("live");
    const [begin, end, count] = data.times, span = Math.max(end - begin, 1e-9), size = data.size;
    const own = figureOf(data.figure, data.reach), held = data.held && figureOf(data.held, data.reach);
    const solids = data.solids.map(solidOf), marks = data.gaze && words16(data.gaze.marks);
    const solid = new Surface(), ghost = new Surface(), layers = { gaze: true, held: true };
    const dark = window.matchMedia("(prefers-color-scheme: dark)");
    const colours = () => COLOURS[dark.matches ? 1 : 0];
    let detail = 2, slow = 0; // pixels of a surface to one of the canvas

    // The camera turns about what is in the middle of its picture.
    const target = data.camera.target, offset = data.camera.eye.map((value, n) => value - target[n]), away = Math.hypot(...offset);
    const orbit = { turn: Math.atan2(offset[1], offset[0]), rise: Math.asin(offset[2] / away), away };
    let eye = null;
    const aim = () => {
      const flat = Math.cos(orbit.rise), high = Math.sin(orbit.rise), cos = Math.cos(orbit.turn), sin = Math.sin(orbit.turn);
      const back = [flat * cos, flat * sin, high];
      eye = { back, right: [-sin, cos, 0], up: [-high * cos, -high * sin, flat], focal: canvas.height / (2 * Math.tan(data.camera.fov / 2)) };
    };
    const seen = ([x, y, z]) => {
      const local = [x - target[0], y - target[1], z - target[2]], depth = Math.max(orbit.away - dot(local, eye.back), 1e-3), scale = eye.focal / depth;
      return [canvas.width / 2 + scale * dot(local, eye.right), canvas.height / 2 - scale * dot(local, eye.up), depth, scale];
    };
    aim();
    const lamp = unit([0, 1, 2].map((n) => 0.45 * eye.back[n] - 0.5 * eye.right[n] + (n === 2 ? 1 : 0))); // high at the first viewer's left

    // Puts all points of a figure where they are seen; their box in columns and rows of the surface.
    const project = (poseOf, at, shadows) => {
      const box = [Infinity, Infinity, -Infinity, -Infinity], { back, right, up } = eye, half = [canvas.width / 2, canvas.height / 2];
      for (const one of solids) {
        const m = poseOf(one.body, at), { points, normals } = one, out = one.seen;
        for (let n = 0, k = 0; n < points.length; n += 3, k += 4) {
          const a = points[n], b = points[n + 1], c = points[n + 2], i = normals[n], j = normals[n + 1], l = normals[n + 2];
          const x = m[0] * a + m[1] * b + m[2] * c + m[9], y = m[3] * a + m[4] * b + m[5] * c + m[10], z = m[6] * a + m[7] * b + m[8] * c + m[11];
          const nx = m[0] * i + m[1] * j + m[2] * l, ny = m[3] * i + m[4] * j + m[5] * l, nz = m[6] * i + m[7] * j + m[8] * l;
          const p = x - target[0], q = y - target[1], r = z - target[2];
          const nearness = 1 / Math.max(orbit.away - (p * back[0] + q * back[1] + r * back[2]), 1e-3), scale = detail * eye.focal * nearness;
          out[k] = detail * half[0] + scale * (p * right[0] + q * right[1]);
          out[k + 1] = detail * half[1] - scale * (p * up[0] + q * up[1] + r * up[2]);
          out[k + 2] = nearness;
          const direct = Math.max(0, nx * lamp[0] + ny * lamp[1] + nz * lamp[2]), facing = Math.max(0, nx * back[0] + ny * back[1] + nz * back[2]);
          out[k + 3] = (LEVELS - 1) * Math.min(0.999, 0.26 + 0.1 * nz + 0.44 * direct + 0.16 * facing);
          if (out[k] < box[0]) box[0] = out[k];
          if (out[k] > box[2]) box[2] = out[k];
          if (out[k + 1] < box[1]) box[1] = out[k + 1];
          if (out[k + 1] > box[3]) box[3] = out[k + 1];
          if (shadows) {
            const drop = Math.max(z - data.floor, 0) / lamp[2];
            one.floor[2 * n / 3] = x - drop * lamp[0];
            one.floor[2 * n / 3 + 1] = y - drop * lamp[1];
          }
        }
      }
      return [Math.max(0, Math.floor(box[0]) - 1), Math.max(0, Math.floor(box[1]) - 1),
        Math.min(Math.ceil(detail * canvas.width), Math.ceil(box[2]) + 1), Math.min(Math.ceil(detail * canvas.height), Math.ceil(box[3]) + 1)];
    };
    const paint = (surface, box, colours) => {
      if (!(box[2] > box[0] && box[3] > box[1])) return false;
      surface.clear(Math.ceil(detail * canvas.width), Math.ceil(detail * canvas.height), ...box);
      for (const one of solids) {
        const { faces } = one;
        for (let n = 0; n < faces.length; n += 3) surface.fill(one.seen, 4 * faces[n], 4 * faces[n + 1], 4 * faces[n + 2], one[colours]);
      }
      return true;
    };

    const drawFloor = () => {
      const step = [1, 2, 5].flatMap((n) => [0.01 * n, 0.1 * n, n]).sort((a, b) => a - b).find((one) => one > 0.16 * size) || 5;
      const lines = Math.ceil(2.2 * size / step), x = step * Math.round(target[0] / step), y = step * Math.round(target[1] / step);
      const [cx, cy, , scale] = seen([target[0], target[1], data.floor]), fade = ink.createRadialGradient(cx, cy, 0, cx, cy, 1.9 * size * scale);
      fade.addColorStop(0, dark.matches ? "rgba(255,255,255,.17)" : "rgba(20,22,30,.17)");
      fade.addColorStop(1, dark.matches ? "rgba(255,255,255,0)" : "rgba(20,22,30,0)");
      ink.strokeStyle = fade;
      ink.lineWidth = Math.max(1, canvas.width / 1120);
      ink.beginPath();
      for (let n = -lines; n <= lines; n++) {
        for (const [a, b] of [[[x + n * step, y - lines * step], [x + n * step, y + lines * step]], [[x - lines * step, y + n * step], [x + lines * step, y + n * step]]]) {
          const from = seen([...a, data.floor]), to = seen([...b, data.floor]);
          if (from[2] < 0.05 * size || to[2] < 0.05 * size) continue;
          ink.moveTo(from[0], from[1]);
          ink.lineTo(to[0], to[1]);
        }
      }
      ink.stroke();
    };
    const drawShadow = () => {
      ink.save();
      if (detail > 1) ink.filter = `blur(${(canvas.width / 400).toFixed(1)}px)`;
      ink.fillStyle = dark.matches ? "rgba(0,0,0,.42)" : "rgba(20,22,40,.15)";
      ink.beginPath();
      for (const { floor } of solids) {
        const cloud = [];
        for (let n = 0; n < floor.length; n += 2) cloud.push(seen([floor[n], floor[n + 1], data.floor]));
        hull(cloud).forEach(([x, y], n) => (n ? ink.lineTo(x, y) : ink.moveTo(x, y)));
        ink.closePath();
      }
      ink.fill();
      ink.restore();
    };

    // A line in space, drawn where the figure does not hide it.
    const line = (from, to, colour, wide, dash) => {
      const pieces = 60;
      ink.strokeStyle = colour;
      ink.lineWidth = wide * canvas.width / 1120;
      ink.lineCap = "round";
      ink.setLineDash(dash ? [7 * canvas.width / 1120, 7 * canvas.width / 1120] : []);
      ink.beginPath();
      let open = false;
      for (let n = 0; n <= pieces; n++) {
        const [x, y, depth] = seen([0, 1, 2].map((k) => from[k] + n / pieces * (to[k] - from[k])));
        if (solid.box && solid.hides(detail * x, detail * y, 1 / depth)) { open = false; continue; }
        if (open) ink.lineTo(x, y);
        else ink.moveTo(x, y);
        open = true;
      }
      ink.stroke();
      ink.setLineDash([]);
    };
    const markAt = (frame) => [0, 1, 2].map((n) => data.reach * marks[3 * frame + n] / 32767);
    const drawGaze = (at) => {
      const near = at.share < 0.5 ? at.low : at.high, kind = data.gaze.kinds[near], m = own(data.gaze.body, at);
      const from = placed(m, data.gaze.place), forward = rotate(m, data.gaze.forward), zoom = canvas.width / 1120;
      const same = data.gaze.kinds[at.low] === data.gaze.kinds[at.high];
      const low = markAt(at.low), high = markAt(at.high), aimed = kind === "0" ? null : same ? low.map((value, n) => value + at.share * (high[n] - value)) : markAt(near);
      const length = aimed ? Math.hypot(...aimed.map((value, n) => value - from[n])) : 0.6 * size;
      line(from, from.map((value, n) => value + length * forward[n]), colours().sight, 2.6);
      if (!aimed) return;
      if (kind === "2") line(from, aimed, colours().target, 1.6, true);
      for (let n = Math.max(0, near - Math.round(0.8 * (count - 1) / span)); n < near; n++) { // where it came from
        if (data.gaze.kinds[n] !== "1" || kind !== "1") continue;
        const [x, y] = seen(markAt(n));
        ink.globalAlpha = 0.5 * (1 - (near - n) * span / (0.8 * (count - 1)));
        ink.fillStyle = colours().target;
        ink.beginPath();
        ink.arc(x, y, 2.4 * zoom, 0, 7);
        ink.fill();
      }
      ink.globalAlpha = 1;
      const [x, y, depth] = seen(aimed);
      ink.globalAlpha = solid.box && solid.hides(detail * x, detail * y, 1 / depth) ? 0.35 : 1;
      ink.beginPath();
      ink.arc(x, y, 8 * zoom, 0, 7);
      ink.lineWidth = 2.5 * zoom;
      ink.strokeStyle = colours().target;
      ink.stroke();
      ink.beginPath();
      ink.arc(x, y, 3.2 * zoom, 0, 7);
      ink.fillStyle = colours().target;
      ink.fill();
      ink.globalAlpha = 1;
    };

    const part = (name) => root.querySelector(name), button = part(".play"), scrub = part(".scrub"), clock = part(".clock");
    const state = { time: begin, playing: false, speed: 1, last: 0, asked: false };
    scrub.max = String(count - 1);
    const cursors = [...document.querySelectorAll(`[data-cursor="${root.id}"]`)];
    const place = () => {
      const at = Math.min(Math.max((state.time - begin) / span, 0), 1) * (count - 1), low = Math.min(Math.floor(at), count - 2);
      return { low, high: low + 1, share: at - low };
    };
    const draw = () => {
      state.asked = false;
      const at = place(), near = at.share < 0.5 ? at.low : at.high, began = performance.now();
      aim();
      ink.clearRect(0, 0, canvas.width, canvas.height);
      drawFloor();
      const shown = held && layers.held && paint(ghost, project(held, { ...at, ...(data.held.moving.length ? {} : { low: 0, high: 0 }) }, false), "held");
      const there = paint(solid, project(own, at, true), "own");
      drawShadow();
      if (shown) ghost.show(ink, detail, dark.matches ? 0.42 : 0.24);
      if (there) solid.show(ink, detail, 1);
      if (data.gaze && layers.gaze) drawGaze(at);
      clock.textContent = `${state.time.toFixed(2)} s`;
      scrub.value = String(Math.round(at.low + at.share));
      part(".words").textContent = data.words.reduce((said, [time, words]) => (time <= state.time + 1e-6 ? words : said), "");
      part(".off").textContent = data.gaze && data.gaze.kinds[near] !== "0" ? `${data.gaze.errors[near].toFixed(1)}° off` : "";
      for (const cursor of cursors) {
        const share = (state.time - Number(cursor.dataset.from)) / Math.max(Number(cursor.dataset.to) - Number(cursor.dataset.from), 1e-9);
        cursor.setAttribute("transform", `translate(${(Number(cursor.dataset.width) * share).toFixed(1)},0)`);
      }
      slow = 0.9 * slow + 0.1 * (performance.now() - began);
      if (slow > 22 && detail > 1) { detail -= 0.5; slow = 0; } // coarser, but in time
    };
    const ask = () => { if (!state.asked) { state.asked = true; requestAnimationFrame(draw); } };
    const tick = (now) => {
      if (!state.playing) return;
      state.time += state.speed * Math.min(0.1, Math.max(0, now - state.last) / 1000);
      state.last = now;
      if (state.time > end) {
        if (part(".loop").checked) state.time = begin;
        else { state.time = end; play(false); }
      }
      draw();
      requestAnimationFrame(tick);
    };
    const play = (on) => {
      if (on === state.playing) return;
      state.playing = on;
      button.textContent = on ? "❚❚" : "▶";
      state.last = performance.now();
      if (on && state.time >= end) state.time = begin;
      if (on) requestAnimationFrame(tick);
    };
    const go = (time) => { state.time = Math.min(Math.max(time, begin), end); ask(); };
    const show = (time) => { play(false); go(time); };

    let touched = false; // a person decides from then on
    root.addEventListener("pointerdown", () => { touched = true; });
    button.addEventListener("click", () => play(!state.playing));
    scrub.addEventListener("input", () => { touched = true; show(begin + span * Number(scrub.value) / (count - 1)); });
    part(".speed").addEventListener("change", (event) => { state.speed = Number(event.target.value); });
    for (const box of root.querySelectorAll("[data-layer]")) {
      box.addEventListener("change", () => { layers[box.dataset.layer] = box.checked; ask(); });
    }
    canvas.addEventListener("keydown", (event) => {
      const step = event.shiftKey ? 1 : span / (count - 1);
      const keys = { ArrowLeft: () => show(state.time - step), ArrowRight: () => show(state.time + step), Home: () => show(begin), End: () => show(end), " ": () => play(!state.playing) };
      if (!keys[event.key]) return;
      touched = true;
      event.preventDefault();
      keys[event.key]();
    });
    let grip = null;
    canvas.addEventListener("pointerdown", (event) => { grip = [event.clientX, event.clientY]; canvas.setPointerCapture(event.pointerId); });
    canvas.addEventListener("pointermove", (event) => {
      if (!grip) return;
      orbit.turn -= 0.008 * (event.clientX - grip[0]);
      orbit.rise = Math.min(1.5, Math.max(-0.1, orbit.rise + 0.008 * (event.clientY - grip[1])));
      grip = [event.clientX, event.clientY];
      ask();
    });
    for (const name of ["pointerup", "pointercancel"]) canvas.addEventListener(name, () => { grip = null; });
    canvas.addEventListener("wheel", (event) => {
      if (document.activeElement !== canvas) return; // the page scrolls
      event.preventDefault();
      orbit.away = Math.min(4 * away, Math.max(0.25 * away, orbit.away * Math.exp(0.001 * event.deltaY)));
      ask();
    }, { passive: false });
    for (const chart of new Set(cursors.map((cursor) => cursor.closest("svg.chart")))) {
      const inside = cursors.filter((cursor) => cursor.closest("svg.chart") === chart);
      chart.classList.add("timed");
      inside.forEach((cursor) => cursor.classList.add("live"));
      chart.addEventListener("click", (event) => {
        const box = chart.getBoundingClientRect(), across = (event.clientX - box.left) / box.width * chart.viewBox.baseVal.width;
        const { left, width, from, to } = inside[0].dataset;
        touched = true;
        show(Number(from) + (Number(to) - Number(from)) * (across - Number(left)) / Number(width));
      });
    }
    new ResizeObserver(() => {
      const width = Math.round(Math.min(canvas.clientWidth * (window.devicePixelRatio || 1), 1680));
      if (!width || width === canvas.width) return;
      canvas.width = width;
      canvas.height = Math.round(width * 9 / 16);
      detail = (window.devicePixelRatio || 1) > 1.4 ? 1 : detail;
      draw();
    }).observe(canvas);
    dark.addEventListener("change", ask);
    const calm = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
    if (!calm) {
      new IntersectionObserver(([entry]) => { if (!touched) play(entry.isIntersecting); }, { threshold: 0.4 }).observe(canvas);
    }
    go(root.dataset.begin === undefined ? begin : Number(root.dataset.begin));
  };
  document.querySelectorAll(".figure-player").forEach(start);
})();
