// What a person does on a page of the studio and when they see it, for benchmarks; after studio_probe.js.
async () => {
  const { link, stage, store } = window.animato.studio, { probe } = window;
  const { drawing, world } = await import("/page/modes/draw/state.js");
  const { facing } = await import("/page/modes/face/state.js");
  const { posing } = await import("/page/modes/pose/state.js");
  Object.assign(probe, { drawing, facing, posing });
  const isMain = ({ figure, frames }) => figure !== "ghost" && frames > 0;
  const once = (say) => new Promise((done) => { const off = link.on(say, (told) => { off(); done(told); }); });

  // A new drawing of a line [u, v, seconds], in widths of the board: times from where the pen was lifted [ms], and where
  // the hand and the robot's point were [seconds, x, y, z].
  probe.draw = async (line, hz) => {
    const { board, point } = drawing, places = line.map(([u, v, t]) => [u * board.width, v * board.width, t]), tips = [];
    const path = places.map(([u, v, t]) => [...stage.project(world(board, u, v)).slice(0, 2), t]), lasts = line[line.length - 1][2];
    drawing.fresh = true;
    probe.look = (now) => { if (drawing.line && stage.live) tips.push([now, stage.bodyPose(point.body).place(point.place)]); };
    const lifted = await probe.hand(path, hz);
    const motion = probe.message("motion", isMain).then((at) => { probe.mine = stage.cast.motions[0]; return at; }), solved = once("draw.solved");
    probe.mine = null; // the motion of this line
    const { begin, end } = await probe.picture(() => probe.mine && stage.playing && stage.cast.motions[0] === probe.mine);
    probe.look = null;
    const hand = Array.from({ length: 400 }, (_, n) => { const t = lasts * n / 399; return [t, ...world(board, ...probe.placeAt(places, t))]; });
    return {
      lift: end - lifted, drawn: end - begin, heard: (await motion) - lifted, solve: (await solved).solve_ms, own: drawing.lag,
      tips: tips.map(([now, tip]) => [(now - probe.handBegan) / 1000, ...tip]), hand,
    };
  };

  const rangeOf = (words) => [...document.querySelectorAll(".draw-panel .slider")].find((one) => one.textContent.includes(words)).querySelector("input[type=range]");
  const slide = (range, value) => { range.value = value; range.dispatchEvent(new Event("input", { bubbles: true })); };
  const letGo = (range) => range.dispatchEvent(new Event("change", { bubbles: true }));

  // A slider of drawing is moved once: until the motion has come, and until its first picture is there [ms].
  probe.tune = async (words, value) => {
    const range = rangeOf(words), before = stage.cast.motions[0], at = performance.now();
    const drawn = probe.picture(() => stage.cast.motions[0] !== before), came = probe.message("motion", isMain);
    slide(range, value);
    const { begin, end } = await drawn, heard = (await came) - at;
    letGo(range);
    return { all: end - at, drawn: end - begin, heard };
  };

  // It is moved to and fro: how many motions are seen in a second.
  probe.slide = async (words, low, high, seconds) => {
    const range = rangeOf(words), shown = new Set(), began = performance.now();
    probe.look = () => shown.add(stage.cast.motions[0]);
    for (let t = 0; t < seconds; t = (performance.now() - began) / 1000) {
      slide(range, low + (high - low) * (0.5 - 0.5 * Math.cos(4 * t)));
      await new Promise((done) => setTimeout(done, 16));
    }
    probe.look = null;
    letGo(range);
    return shown.size / seconds;
  };

  // Where a body is pressed: the middle of what is seen of it.
  probe.placeOf = (name) => {
    const body = store.scene.bodies.indexOf(name), box = stage.canvas.getBoundingClientRect(), hits = [];
    for (let x = box.left + 4; x < box.right; x += 8) {
      for (let y = box.top + 4; y < box.bottom; y += 8) { const hit = stage.pick(x, y); if (hit && hit.body === body) hits.push([x, y]); }
    }
    if (!hits.length) throw new Error(`${name} is not seen`);
    const middle = [0, 1].map((n) => hits.reduce((sum, hit) => sum + hit[n], 0) / hits.length), far = (hit) => Math.hypot(hit[0] - middle[0], hit[1] - middle[1]);
    return hits.sort((a, b) => far(a) - far(b))[0];
  };
  probe.placeOfBall = () => (facing.on ? stage.project(facing.target).slice(0, 2) : null);

  // Around in circles from a place of the page: poses in a second, and what one picture takes [ms].
  probe.circle = async (place, radius, turns, seconds, hz) => {
    const path = Array.from({ length: 200 }, (_, n) => {
      const angle = 2 * Math.PI * turns * n / 199;
      return [place[0] + radius * Math.sin(angle), place[1] + radius * (1 - Math.cos(angle)) / 2, seconds * n / 199];
    });
    probe.clear();
    await probe.hand(path, hz);
    const told = probe.poses(seconds);
    return { ...told, rate: facing.rate_hz, picture: probe.pictureTime() };
  };

  // A joint of the key at one second: until the check has come, and until its colours are drawn [ms].
  probe.edit = async (name, value) => {
    const usage = probe.message("usage", ({ current }) => current), at = performance.now();
    link.send("key.set", { time: 1.0, pose: { [name]: value }, gesture: "benchmark" });
    const heard = await usage;
    await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    return { heard: heard - at, all: performance.now() - at };
  };
}
