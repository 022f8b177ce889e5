// What keeps people out: words without contrast, controls without a name, or too small for a finger. Gives lists of troubles.
(() => {
  const seen = (one) => one.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && one.getBoundingClientRect().width > 1;
  const pen = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  // Any colour of CSS as [red, green, blue, alpha], 0 to 1.
  const read = (colour) => {
    pen.clearRect(0, 0, 1, 1);
    pen.fillStyle = colour;
    pen.fillRect(0, 0, 1, 1);
    return [...pen.getImageData(0, 0, 1, 1).data].map((value) => value / 255);
  };
  const over = ([r, g, b, a], below) => [r, g, b].map((value, n) => a * value + (1 - a) * below[n]);
  const light = (colour) => { const [r, g, b] = colour.map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4)); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
  const contrast = (a, b) => { const [dark, bright] = [light(a), light(b)].sort((x, y) => x - y); return (bright + 0.05) / (dark + 0.05); };
  const groundOf = (one) => {
    const layers = [];
    for (let at = one; at; at = at.parentElement) { const ground = read(getComputedStyle(at).backgroundColor); layers.push(ground); if (ground[3] > 0.99) break; }
    return layers.reverse().reduce((below, layer) => over(layer, below), read(getComputedStyle(document.body).backgroundColor).slice(0, 3));
  };
  const wordsOf = (one) => [...one.childNodes].filter((node) => node.nodeType === 3).map((node) => node.textContent.trim()).join(" ").trim() || (["INPUT", "SELECT"].includes(one.tagName) && !["checkbox", "range"].includes(one.type) ? one.value || one.placeholder : "");
  const named = (one) => `${one.tagName.toLowerCase()}.${one.className || one.id} “${(one.textContent || one.getAttribute("aria-label") || "").trim().slice(0, 40)}”`;
  const controls = () => [...document.querySelectorAll("button, input, select, summary, textarea, a[href], [role=slider], [tabindex='0']")].filter((one) => seen(one) && !one.classList.contains("skip"));
  const nameOf = (one) => {
    const by = (one.getAttribute("aria-labelledby") || "").split(" ").map((id) => document.getElementById(id)?.textContent || "").join(" ").trim(), labels = [...(one.labels || [])].map((label) => label.textContent).join(" ").trim();
    return (one.getAttribute("aria-label") || by || labels || (["BUTTON", "SUMMARY", "A"].includes(one.tagName) ? one.textContent : "") || one.title || "").trim();
  };
  window.probes = {
    pale: () => [...document.querySelectorAll("body *")].filter((one) => wordsOf(one) && seen(one) && !one.closest(":disabled, noscript, .skip, option, script, .hidden-words, .stage-told")).flatMap((one) => {
      const ground = groundOf(one), ink = over(read(getComputedStyle(one).color), ground), share = contrast(ink, ground);
      return share < 4.5 ? [`${named(one)}: ${share.toFixed(2)}`] : [];
    }),
    nameless: () => controls().filter((one) => !nameOf(one)).map(named),
    small: (least) => controls().flatMap((one) => {
      const place = one.type === "checkbox" && one.closest("label") ? one.closest("label") : one, { width, height } = place.getBoundingClientRect();
      return Math.min(width, height) < least - 0.01 ? [`${named(one)}: ${width.toFixed(0)} × ${height.toFixed(0)}`] : [];
    }),
    twice: () => { const ids = [...document.querySelectorAll("[id]")].map((one) => one.id); return ids.filter((id, n) => ids.indexOf(id) !== n); },
  };
})();
