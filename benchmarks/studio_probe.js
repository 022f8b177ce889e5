// Looks at a page of the studio from inside, for benchmarks: when messages come, when pictures of them are drawn, and a
// hand that moves in real time. Evaluated in the page once it is there.
() => {
  const { link, stage } = window.animato.studio;
  const probe = { heard: [], pictures: [], wanted: [], look: null };
  window.probe = probe;

  // A picture counts once its pixels are there: without a graphics card they come long after the calls.
  const pixels = new Uint8Array(4);
  const finish = () => { const { gl } = stage.gl; gl.bindFramebuffer(gl.FRAMEBUFFER, null); gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixels); };

  const take = link.take.bind(link), draw = stage.draw.bind(stage);
  link.take = (message) => {
    if (message.say) probe.heard.push({ say: message.say, at: performance.now(), current: message.current, off: message.off, by: message.by });
    take(message);
  };
  stage.draw = (how) => {
    const begin = performance.now(), made = draw(how);
    if (!made) return made;
    const due = probe.wanted.filter(({ is }) => is());
    if (due.length) {
      finish();
      const end = performance.now();
      probe.wanted = probe.wanted.filter((one) => !due.includes(one));
      for (const { resolve } of due) resolve({ begin, end });
    }
    probe.pictures.push({ at: performance.now(), live: stage.cast.live[0] });
    if (probe.look) probe.look(performance.now());
    return made;
  };

  // The first picture of which something is so: when it was begun and when its pixels were there [ms].
  probe.picture = (is, longestMs = 60000) => new Promise((resolve, reject) => {
    probe.wanted.push({ is, resolve });
    setTimeout(() => reject(new Error("no such picture came")), longestMs);
  });
  probe.message = (say, is = () => true) => new Promise((resolve) => { const off = link.on(say, (message) => { if (is(message)) { off(); resolve(performance.now()); } }); });
  probe.clear = () => { probe.heard.length = probe.pictures.length = 0; };
  // How many poses came, and how many different ones were seen, in a second.
  probe.poses = (seconds) => ({
    heard: probe.heard.filter(({ say, off }) => say === "pose" && !off).length / seconds,
    shown: new Set(probe.pictures.map(({ live }) => live).filter(Boolean)).size / seconds,
    pictures: probe.pictures.length / seconds,
  });

  // A hand: along places of the page [x, y, seconds], as often as a mouse tells of itself; the moment it lets go [ms].
  const canvas = document.querySelector(".stage-picture");
  const tell = (kind, [clientX, clientY]) => canvas.dispatchEvent(new PointerEvent(kind, {
    clientX, clientY, pointerType: "mouse", pointerId: 1, isPrimary: true, button: kind === "pointermove" ? -1 : 0, buttons: kind === "pointerup" ? 0 : 1,
    pressure: kind === "pointerup" ? 0 : 0.5, bubbles: true, cancelable: true,
  }));
  probe.placeAt = (path, seconds) => {
    let n = 1;
    while (n < path.length - 1 && path[n][2] < seconds) n++;
    const [x, y, s] = path[n - 1], [u, v, t] = path[n], share = t > s ? Math.min(Math.max((seconds - s) / (t - s), 0), 1) : 1;
    return [x + share * (u - x), y + share * (v - y)];
  };
  probe.hand = (path, hz) => new Promise((resolve) => {
    const began = performance.now(), last = path[path.length - 1];
    probe.handBegan = began;
    tell("pointerdown", path[0]);
    let next = began;
    const move = () => {
      const now = performance.now(), seconds = (now - began) / 1000;
      if (seconds < last[2]) {
        tell("pointermove", probe.placeAt(path, seconds));
        next = Math.max(next + 1000 / hz, now);
        setTimeout(move, next - now);
        return;
      }
      tell("pointermove", last);
      const lifted = performance.now();
      tell("pointerup", last);
      resolve(lifted);
    };
    setTimeout(move, 1000 / hz);
  });

  // What the drawing of one picture takes by itself, pixels included [ms]: the middle of some.
  probe.pictureTime = (count = 9) => {
    const all = [];
    for (let n = 0; n < count; n++) { const begin = performance.now(); stage.stale = true; draw("moving"); finish(); all.push(performance.now() - begin); }
    return all.sort((a, b) => a - b)[count >> 1];
  };
  return true;
}
