// What tests/studio/test_stage.py asks a page: functions that look at the stage, by name.
({ stage, store, link }) => {
  const over = (count, f) => { // places of the page evenly over the picture
    const box = stage.canvas.getBoundingClientRect();
    for (let k = 0; k < count * count; k++) f(box.left + box.width * (k % count + 0.5) / count, box.top + box.height * (Math.floor(k / count) + 0.5) / count);
  };
  const apart = (a, b) => Math.hypot(...a.map((one, n) => one - b[n])), soon = (ms) => new Promise((done) => setTimeout(done, ms));
  const origin = (body) => stage.bodyPose(body).place([0, 0, 0]);
  return {
    resting: () => stage.frames > 0 && stage.polished && !stage.asked,
    asAtFirst() {
      stage.play(false);
      stage.seek(stage.begin);
      store.select();
      stage.orbit.gliding = null;
      Object.assign(stage.orbit, structuredClone(stage.orbit.first));
      stage.ask();
    },
    // Coarse pictures while a backdrop is kept, beside ones for which it is drawn anew; as it is, right after the camera has
    // turned, and in the dark: largest difference of a colour, share of those that differ, whether one was kept before.
    keptBackdrops() {
      const { gl: drawer, quality, orbit } = stage, { gl } = drawer, level = quality.level, { dataset } = document.documentElement, before = dataset.theme;
      const pixels = () => { stage.draw("moving"); const out = new Uint8Array(4 * gl.drawingBufferWidth * gl.drawingBufferHeight); gl.readPixels(0, 0, gl.drawingBufferWidth, gl.drawingBufferHeight, gl.RGBA, gl.UNSIGNED_BYTE, out); return out; };
      const beside = (change) => {
        for (let n = 0; n < 3; n++) stage.draw("moving");
        const kept = drawer.kept.held !== "";
        change();
        const one = pixels();
        Object.assign(drawer.kept, { held: "", last: "" });
        const other = pixels(), off = one.map((value, n) => Math.abs(value - other[n]));
        return [Math.max(...new Set(off)), off.filter((value) => value > 2).length / off.length, kept];
      };
      quality.level = 5;
      const out = [() => {}, () => { orbit.turn += 0.6; }, () => { dataset.theme = "dark"; }].map(beside);
      if (before === undefined) delete dataset.theme; else dataset.theme = before;
      quality.level = level;
      return out;
    },
    joint(name) { const joint = store.scene.joints.find((one) => one.name === name); return stage.project(stage.bodyPose(joint.body).place(joint.place)); },
    bodiesAt(time) { stage.seek(time); return store.scene.bodies.map((_, n) => origin(n)); },
    roundTrips() {
      const out = [];
      over(20, (x, y) => {
        const hit = stage.pick(x, y);
        if (!hit) return;
        const [u, v, depth] = stage.project(hit.point), pose = stage.bodyPose(hit.body);
        out.push([Math.hypot(u - x, v - y), apart(pose.place(hit.local), hit.point), apart(pose.unplace(hit.point), hit.local), depth > 0 ? 0 : 1]);
      });
      return out;
    },
    pickedOtherwise() { // with spheres that leave out nothing
      const { picker, cast } = stage, { rows } = cast.film.cast[0], { spheres } = picker;
      let off = 0, hits = 0;
      over(30, (x, y) => {
        const ray = stage.ray(x, y), one = picker.pick(ray, rows);
        picker.spheres = spheres.map((sphere) => sphere && Float32Array.of(0, 0, 0, 1e6));
        const all = picker.pick(ray, rows);
        picker.spheres = spheres;
        if (one) hits++;
        if ((one && one.body) !== (all && all.body)) off++;
      });
      return [off, hits];
    },
    roundAndRound() {
      const { clock } = stage, out = [];
      Object.assign(clock, { range: [1, 2], time: 1.9, playing: true, then: 0 });
      clock.tick(200);
      out.push(clock.time);
      Object.assign(clock, { loop: false, time: 1.9 });
      clock.tick(400);
      out.push(clock.time, clock.playing);
      Object.assign(clock, { loop: true, range: null });
      stage.seek(1e9);
      out.push(stage.time === stage.end);
      stage.seek(-5);
      return [...out, stage.time === stage.begin];
    },
    livePose() {
      const count = store.scene.bodies.length, poses = new Float32Array(7 * count), coordinates = new Float32Array(store.scene.coordinates.length).fill(0.25), before = origin(count - 1);
      for (let n = 0; n < count; n++) poses.set([n, 2, 3, 1, 0, 0, 0], 7 * n);
      link.tell("pose", { figure: "main", arrays: { poses, coordinates } });
      const live = [stage.live, ...origin(count - 1), stage.coordinatesNow()[0]];
      link.tell("pose", { figure: "main", off: true });
      return [live, count, stage.live, apart(origin(count - 1), before)];
    },
    joints: () => store.scene.joints.filter((one) => one.coordinates.length).map((one) => one.name),
    chosen: () => store.selection,
    focus: () => stage.canvas.focus(),
    focused: () => document.activeElement === stage.canvas,
    corner() { const box = stage.canvas.getBoundingClientRect(); return [box.left, box.top]; },
    view() { const { turn, rise, away, target } = stage.orbit; return [turn, rise, away, ...target]; },
    keptAway: () => JSON.parse(sessionStorage.getItem(stage.orbit.name)).away,
    takeGrips() {
      window.told = [];
      const grip = (name) => ({ down: () => { window.told.push(`${name} down`); return { move: () => window.told.push("move"), up: () => window.told.push("up"), cancel: () => window.told.push("cancel") }; } });
      stage.grip("low", grip("low"), 0);
      stage.grip("high", grip("high"), 5);
    },
    leaveGrips() { stage.grip("low", null); stage.grip("high", null); return window.told; },
    async levels({ machine, slow }) {
      const { Quality } = await import("/page/stage/quality.js"), quality = new Quality(slow), out = [];
      const span = { card: () => 16.7, screen: () => 33.4, processor: (level) => Math.max(16.7, 90 - 12 * level), busy: (level, now) => (now < 4000 ? 80 : 16.7) }[machine];
      for (let now = 0; now < 60000;) {
        const passed = span(quality.level, now);
        now += passed;
        quality.passed(passed, now);
        if (now > 30000) out.push(quality.level);
      }
      return out;
    },
    async loseContext() {
      const lose = stage.gl.gl.getExtension("WEBGL_lose_context");
      lose.loseContext();
      await soon(50);
      stage.seek(1);
      await soon(50);
      lose.restoreContext();
      await soon(300);
      stage.seek(stage.begin);
    },
    moves: () => [stage.playing, stage.frames],
    dark(on) { document.documentElement.dataset.theme = on ? "dark" : "light"; store.tell("theme", on); },
  };
}
