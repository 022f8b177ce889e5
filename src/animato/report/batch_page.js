"use strict";
// The list of a batch: only rows that can be seen are in the page, so that tens of thousands of them stay quick.
(() => {
  const data = JSON.parse(document.getElementById("batch").textContent);
  const columns = data.columns, words = data.words, count = (columns.clip || []).length;
  const list = document.getElementById("list"), rows = document.getElementById("rows");
  const length = document.getElementById("length"), shown = document.getElementById("shown");
  const search = document.getElementById("search"), order = document.getElementById("order");
  const narrow = matchMedia("(max-width: 760px)");
  const looks = { "does not fit": "over", failed: "near", fits: "fits" };
  const signs = { over: "✕", near: "!", fits: "✓" };
  const chosen = { status: new Set(), limit: new Set(), robot: new Set() };
  const plain = (columns.clip || []).map((name) => name.toLowerCase());
  const players = (columns.page || []).some(Boolean);
  let visible = [], colours = [];

  for (const name of Object.keys(data.measures)) {
    const option = document.createElement("option");
    option.value = "measure:" + name;
    option.textContent = name.replaceAll("_", " ") + ", largest first";
    order.append(option);
  }

  // ---- which rows, in which order ----
  function keeps(row) {
    if (chosen.status.size && !chosen.status.has(words.status[columns.status[row]])) return false;
    if (chosen.robot.size && !chosen.robot.has(words.robot[columns.robot[row]])) return false;
    for (const name of chosen.limit) if (!(columns.limits[row] >> data.limits.indexOf(name) & 1)) return false;
    const wanted = search.value.trim().toLowerCase();
    return !wanted || plain[row].includes(wanted);
  }
  const descending = (values) => (a, b) => (values[b] ?? -Infinity) - (values[a] ?? -Infinity) || a - b;
  function choose() {
    visible = [];
    for (let row = 0; row < count; row++) if (keeps(row)) visible.push(row);
    if (order.value === "clip") visible.sort((a, b) => (plain[a] < plain[b] ? -1 : plain[a] > plain[b] ? 1 : a - b));
    if (order.value === "duration") visible.sort(descending(columns.duration));
    if (order.value.startsWith("measure:")) visible.sort(descending(data.measures[order.value.slice(8)]));
    shown.textContent = visible.length === count ? `${count.toLocaleString("en")} rows` :
      `${visible.length.toLocaleString("en")} of ${count.toLocaleString("en")} rows`;
    if (players) shown.textContent += " · ▶ opens a player, a press on any other tells what was found";
    list.scrollTop = 0;
    draw();
  }

  // ---- the rows that can be seen ----
  const height = () => (narrow.matches ? 72 : 44);
  function draw() {
    const each = height();
    length.style.height = `${visible.length * each}px`;
    const first = Math.max(0, Math.floor(list.scrollTop / each) - 6);
    const last = Math.min(visible.length, Math.ceil((list.scrollTop + list.clientHeight) / each) + 6);
    rows.style.transform = `translateY(${first * each}px)`;
    rows.replaceChildren(...visible.slice(first, last).map(build));
  }
  function part(name, text) {
    const made = document.createElement("span");
    made.className = name;
    made.textContent = text;
    return made;
  }
  function share(row) {
    const worst = columns.worst[row];
    if (columns.frames[row] == null) return words.said[columns.said[row]];
    const what = [words.joint[columns.joint[row]].replaceAll("_", " "), words.kind[columns.kind[row]]].filter(Boolean).join(" ");
    return `${worst == null ? "nothing allowed" : Math.round(100 * worst) + " %"} ${what}`;
  }
  function build(row) {
    const page = columns.page[row], look = looks[words.status[columns.status[row]]] || "near";
    const made = document.createElement(page ? "a" : "button");
    made.className = `batch-row ${look}`;
    made.setAttribute("role", "listitem");
    if (page) {
      made.href = page.split("/").map(encodeURIComponent).join("/");
      made.target = "_blank";
    } else made.addEventListener("click", () => tell(row));
    const at = columns.clip[row].lastIndexOf("/");
    const name = part("name", columns.clip[row].slice(at + 1));
    if (page) {
      name.prepend(part("play", "▶"));
      made.setAttribute("aria-description", "opens a page with a player");
    }
    if (at > 0) name.append(part("folder", columns.clip[row].slice(0, at)));
    name.title = columns.clip[row];
    const duration = columns.duration[row] == null ? "" : `${columns.duration[row].toFixed(1)} s`;
    const seen = columns.strip[row] ? [strip(columns.strip[row]), part("share", share(row))] : [part("share wide", share(row))];
    made.title = words.said[columns.said[row]];
    made.append(part("sign", signs[look]), name, part("robot", words.robot[columns.robot[row]]), ...seen, part("length", duration));
    return made;
  }
  function strip(letters) {
    const canvas = document.createElement("canvas");
    canvas.width = Math.max(1, letters.length);
    canvas.height = 1;
    const pen = canvas.getContext("2d");
    for (let n = 0; n < letters.length; n++) {
      pen.fillStyle = colours[parseInt(letters[n], 36)];
      pen.fillRect(n, 0, 1, 1);
    }
    return canvas;
  }
  function mixed(a, b, share) {
    const [x, y] = [a, b].map((word) => [1, 3, 5].map((at) => parseInt(word.slice(at, at + 2), 16)));
    return `rgb(${x.map((value, n) => Math.round(value + (y[n] - value) * share)).join(" ")})`;
  }
  function paint() {
    const style = getComputedStyle(document.documentElement), own = (name) => style.getPropertyValue(name).trim();
    colours = Array.from({ length: 36 }, (_, level) => level > data.full ? mixed(own("--near"), own("--over"), Math.min(1, 0.5 + (level - data.full) / 16)) :
      level >= 0.9 * data.full ? own("--near") : mixed(own("--band"), own("--limit"), level / data.full));
  }

  // ---- what was found, of a row without a page ----
  function tell(row) {
    const told = document.getElementById("told"), facts = document.createElement("dl");
    const title = document.createElement("h2"), said = document.createElement("p");
    title.textContent = columns.clip[row];
    said.textContent = words.said[columns.said[row]];
    const known = { robot: words.robot[columns.robot[row]], frames: columns.frames[row], "duration [s]": columns.duration[row] };
    if (columns.worst[row] != null && columns.frames[row] != null) known.worst = `${share(row)} at ${columns.at[row]} s`;
    for (const [name, values] of Object.entries(data.measures)) known[name.replaceAll("_", " ")] = values[row];
    if (columns.result[row]) known["resulting clip"] = columns.result[row];
    for (const [name, value] of Object.entries(known)) {
      if (value == null) continue;
      const term = document.createElement("dt"), fact = document.createElement("dd");
      term.textContent = name;
      fact.textContent = String(value);
      facts.append(term, fact);
    }
    const none = document.createElement("p");
    none.className = "none";
    none.textContent = columns.frames[row] == null ? "Nothing can be shown of a clip that failed." :
      "It has no page with a player yet. Run the batch again with --pages all, or a larger number, to have one made.";
    told.replaceChildren(title, said, facts, none);
    document.getElementById("details").showModal();
  }

  for (const chip of document.querySelectorAll(".chip")) {
    chip.addEventListener("click", () => {
      const set = chosen[chip.dataset.kind], value = chip.dataset.value, on = !set.has(value);
      if (on) set.add(value); else set.delete(value);
      chip.setAttribute("aria-pressed", String(on));
      choose();
    });
  }
  list.addEventListener("scroll", draw, { passive: true });
  addEventListener("resize", draw);
  search.addEventListener("input", choose);
  order.addEventListener("change", choose);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { paint(); draw(); });
  paint();
  choose();
})();
