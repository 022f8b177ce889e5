// Charts, strips and sentences that share the time of a player: [data-cursor] is a line of a chart, [data-timeline] a
// strip as wide as its time, [data-time] words about a moment.
const timelinesOf = (id, seek) => {
  const number = (element, name) => Number(element.dataset[name]);
  const whole = (one) => one.closest("svg.chart, svg.curve") || one.ownerSVGElement;
  const cursors = [...document.querySelectorAll(`[data-cursor="${CSS.escape(id)}"]`)];
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
      seek(number(cursor, "from") + (number(cursor, "to") - number(cursor, "from")) * share);
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
      const share = (time - number(cursor, "from")) / Math.max(number(cursor, "to") - number(cursor, "from"), 1e-9);
      cursor.setAttribute("transform", `translate(${(number(cursor, "width") * share).toFixed(1)},0)`);
      cursor.style.visibility = share < -1e-6 || share > 1 + 1e-6 ? "hidden" : "";
    }
    for (const { strip, line } of strips) {
      const share = (time - number(strip, "from")) / Math.max(number(strip, "to") - number(strip, "from"), 1e-9);
      line.style.left = `${(100 * Math.min(Math.max(share, 0), 1)).toFixed(2)}%`;
    }
  };
};
