// Charts, strips and sentences that share the time of a player: [data-cursor] is a line of a chart, [data-timeline] a
// strip as wide as its time, [data-walker] a dot that goes along a line of a chart, [data-time] words about a moment.
const timelinesOf = (id, seek) => {
  const number = (element, name) => Number(element.dataset[name]);
  const whole = (one) => one.closest("svg.chart, svg.curve") || one.ownerSVGElement;
  const cursors = [...document.querySelectorAll(`[data-cursor="${CSS.escape(id)}"]`)];
  const read = (element, name) => element.dataset[name] && JSON.parse(element.dataset[name]);
  const walkers = [...document.querySelectorAll(`[data-walker="${CSS.escape(id)}"]`)].map((dot) => ({ dot, x: read(dot, "x"), y: read(dot, "y"), times: read(dot, "times") }));
  // Times of evenly spaced places where something else than time goes across.
  const courses = new Map(cursors.map((cursor) => [cursor, read(cursor, "times")]));
  const placeIn = (times, time) => {
    let low = 0, high = times.length - 1;
    while (high - low > 1) { const mid = (low + high) >> 1; if (times[mid] <= time) low = mid; else high = mid; }
    return low + Math.min(Math.max((time - times[low]) / Math.max(times[high] - times[low], 1e-9), 0), 1) * (high - low);
  };
  const valueAt = (values, place) => {
    const low = Math.min(Math.max(Math.floor(place), 0), values.length - 1), high = Math.min(low + 1, values.length - 1);
    return values[low] + (place - low) * (values[high] - values[low]);
  };
  const shareAt = (cursor, time) => {
    const times = courses.get(cursor);
    if (times) return placeIn(times, time) / Math.max(times.length - 1, 1);
    return (time - number(cursor, "from")) / Math.max(number(cursor, "to") - number(cursor, "from"), 1e-9);
  };
  const timeAt = (cursor, share) => {
    const times = courses.get(cursor);
    return times ? valueAt(times, share * (times.length - 1)) : number(cursor, "from") + (number(cursor, "to") - number(cursor, "from")) * share;
  };
  const strips = [...document.querySelectorAll(`[data-timeline="${CSS.escape(id)}"]`)].map((strip) => {
    const line = document.createElement("div");
    line.className = "now";
    strip.append(line);
    return { strip, line, joints: JSON.parse(strip.dataset.joints || "[]") };
  });
  // Follows a pointer that is pressed; fingers that the style sheet lets scroll tap instead.
  const dragged = (element, told) => {
    let held = false;
    element.addEventListener("pointerdown", (event) => { if (event.button === 0) { held = true; element.setPointerCapture(event.pointerId); told(event); } });
    element.addEventListener("pointermove", (event) => { if (held) told(event); });
    element.addEventListener("dragstart", (event) => event.preventDefault()); // a strip is a picture, which browsers carry away
    for (const name of ["pointerup", "pointercancel"]) element.addEventListener(name, () => { held = false; });
  };
  for (const chart of new Set(cursors.map(whole))) {
    const inside = cursors.filter((cursor) => whole(cursor) === chart);
    chart.classList.add("timed");
    inside.forEach((cursor) => cursor.classList.add("live"));
    dragged(chart, (event) => {
      const box = chart.getBoundingClientRect(), across = (event.clientX - box.left) / box.width * chart.viewBox.baseVal.width;
      const outside = (one) => Math.max(number(one, "left") - across, across - number(one, "left") - number(one, "width"), 0);
      const cursor = inside.reduce((best, one) => (outside(one) < outside(best) ? one : best)), share = Math.min(Math.max((across - number(cursor, "left")) / number(cursor, "width"), 0), 1);
      seek(timeAt(cursor, share));
    });
  }
  for (const chart of new Set(walkers.map(({ dot }) => whole(dot)))) {
    const inside = walkers.filter(({ dot }) => whole(dot) === chart);
    chart.classList.add("timed");
    inside.forEach(({ dot }) => dot.classList.add("live"));
    dragged(chart, (event) => {
      const box = chart.getBoundingClientRect(), view = chart.viewBox.baseVal;
      const x = (event.clientX - box.left) / box.width * view.width, y = (event.clientY - box.top) / box.height * view.height;
      let best = { off: 60, time: null }; // a click far from all lines means nothing
      for (const one of inside) {
        one.times.forEach((time, n) => {
          const off = Math.hypot(one.x[n] - x, one.y[n] - y);
          if (off < best.off) best = { off, time };
        });
      }
      if (best.time !== null) seek(best.time);
    });
  }
  for (const { strip, joints } of strips) {
    strip.classList.add("timed");
    dragged(strip, (event) => {
      const box = strip.getBoundingClientRect(), share = Math.min(Math.max((event.clientX - box.left) / box.width, 0), 1);
      const row = Math.floor(Math.min(Math.max((event.clientY - box.top) / box.height, 0), 0.9999) * joints.length);
      seek(number(strip, "from") + (number(strip, "to") - number(strip, "from")) * share, joints[row]);
    });
  }
  const only = document.querySelectorAll(".figure-player").length === 1;
  for (const words of document.querySelectorAll("[data-time]")) {
    if (words.dataset.player ? words.dataset.player !== id : !only) continue;
    words.classList.add("moment");
    words.tabIndex = 0;
    if (words.tagName !== "LI") words.setAttribute("role", "button");
    const go = () => seek(number(words, "time"), words.dataset.joint);
    words.addEventListener("click", (event) => { if (!event.target.closest("a, summary") && !String(window.getSelection())) go(); });
    words.addEventListener("keydown", (event) => { if (event.key === "Enter") go(); });
  }
  return (time) => {
    for (const cursor of cursors) {
      const share = shareAt(cursor, time);
      cursor.setAttribute("transform", `translate(${(number(cursor, "width") * share).toFixed(1)},0)`);
      cursor.style.visibility = share < -1e-6 || share > 1 + 1e-6 ? "hidden" : "";
    }
    for (const { dot, x, y, times } of walkers) {
      const place = placeIn(times, time);
      dot.setAttribute("transform", `translate(${valueAt(x, place).toFixed(1)},${valueAt(y, place).toFixed(1)})`);
    }
    for (const { strip, line } of strips) {
      const share = (time - number(strip, "from")) / Math.max(number(strip, "to") - number(strip, "from"), 1e-9);
      line.style.left = `${(100 * Math.min(Math.max(share, 0), 1)).toFixed(2)}%`;
    }
  };
};
