// (stands below player_numbers.js)
// Hints over the strip, clicks that lead to the curves, and tables that sort. The page reads well without any of it.
(() => {
  const sortable = document.querySelectorAll("table.joints");
  for (const table of sortable) {
    const heads = [...table.querySelectorAll("thead th")];
    heads.forEach((head, column) => head.querySelector("button")?.addEventListener("click", () => {
      const falling = head.getAttribute("aria-sort") !== "descending" && column > 0;
      const rising = column === 0 && head.getAttribute("aria-sort") === "ascending";
      const sign = falling || rising ? -1 : 1;
      const key = (row) => row.cells[column].dataset.sort;
      const compare = (a, b) => (key(a) === undefined
        ? a.cells[column].textContent.localeCompare(b.cells[column].textContent)
        : Number(key(a)) - Number(key(b)));
      const body = table.tBodies[0];
      [...body.rows].sort((a, b) => sign * compare(a, b)).forEach((row) => body.append(row));
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", sign < 0 ? "descending" : "ascending");
    }));
  }

  const source = document.getElementById("strip-data");
  const plot = document.getElementById("strip-plot");
  if (!source || !plot) return;
  const data = JSON.parse(source.textContent);
  let shares = null, values = null; // read when they are first asked for
  const pairCount = data.pairs.length;
  const read = () => {
    if (shares) return;
    const numbers = numbersOf(data.numbers);
    shares = numbers(data.shares, Uint16Array);
    values = numbers(data.values, Int16Array);
  };
  const hint = document.getElementById("hint");
  const cursor = document.createElement("div");
  cursor.className = "cursor";
  cursor.hidden = true;
  plot.append(cursor);

  const place = (event) => {
    const box = plot.getBoundingClientRect();
    const across = Math.min(Math.max((event.clientX - box.left) / box.width, 0), 1);
    const down = Math.min(Math.max((event.clientY - box.top) / box.height, 0), 0.999999);
    return {
      across,
      axis: Math.floor(down * data.axes.length),
      column: Math.min(Math.floor(across * data.columns), data.columns - 1),
    };
  };
  const cell = (text) => {
    const element = document.createElement("td");
    element.textContent = text;
    return element;
  };
  const shortNumber = (value) => String(Number(value.toPrecision(3)));

  plot.addEventListener("mousemove", (event) => {
    read();
    const { across, axis, column } = place(event);
    const [label, name] = data.axes[axis];
    const title = document.createElement("b");
    title.textContent = label + (label === name ? "" : " (" + name + ")");
    const time = document.createElement("div");
    time.textContent = (data.start + (data.end - data.start) * across).toFixed(2) + " s";
    const table = document.createElement("table");
    data.pairs.forEach(([owner, kind, scale, unit], pair) => {
      const share = shares[column * pairCount + pair];
      if (owner !== axis || share === 65535) return;
      const row = table.insertRow();
      const level = share * data.unit;
      const near = Math.abs(level - 1) < 0.005;
      if (level > 1) row.className = "over";
      row.append(
        cell((level > 1 ? "✕ " : "") + kind),
        cell((100 * level).toFixed(near ? 1 : 0) + " %"),
        cell(shortNumber(values[column * pairCount + pair] * scale) + " " + unit),
      );
    });
    if (!table.rows.length) table.insertRow().append(cell("no limits"));
    hint.replaceChildren(title, time, table);
    hint.hidden = false;
    cursor.hidden = false;
    cursor.style.left = 100 * across + "%";
    const wide = hint.offsetWidth;
    const left = event.clientX + 18 + wide > window.innerWidth ? event.clientX - wide - 18 : event.clientX + 18;
    hint.style.left = Math.max(4, left) + "px";
    hint.style.top = Math.max(4, Math.min(event.clientY + 14, window.innerHeight - hint.offsetHeight - 8)) + "px";
  });
  plot.addEventListener("mouseleave", () => {
    hint.hidden = true;
    cursor.hidden = true;
  });
  plot.addEventListener("click", (event) => {
    if (plot.classList.contains("timed")) return; // a player shows that moment
    const { axis } = place(event);
    window.location.hash = (data.axes[axis][2] ? "curve-" : "joint-") + axis;
  });
})();
