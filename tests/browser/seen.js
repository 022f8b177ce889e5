// What a person with ordinary eyes meets on a page; the tests ask for it.
const visible = (element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && element.getClientRects().length > 0;

// Elements that stick out to the right of the window and cannot be scrolled to within a box of their own.
const tooWide = (width) => [...document.body.querySelectorAll("*")].filter((one) => {
  if (!visible(one) || one.getBoundingClientRect().right <= width + 0.5) return false;
  for (let up = one.parentElement; up; up = up.parentElement) if (getComputedStyle(up).overflowX !== "visible") return false;
  return true;
}).map((one) => `${one.tagName.toLowerCase()}.${one.getAttribute("class") || ""} ends at ${Math.round(one.getBoundingClientRect().right)}`);

// Texts, with the elements they are in, that anybody could read.
const texts = () => {
  const found = [], walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    if (node.textContent.trim() && !element.closest("script, style, title, desc, option") && visible(element)) found.push([node, element]);
  }
  return found;
};
const named = (element, node) => `${element.tagName.toLowerCase()}.${element.getAttribute("class") || ""} '${node.textContent.trim().slice(0, 40)}'`;

// Texts whose letters are smaller than so many pixels of the window, as in a chart that was squeezed.
const tooSmall = (least) => {
  const small = new Map();
  for (const [node, element] of texts()) {
    const matrix = element instanceof SVGElement ? element.getScreenCTM() : { a: 1, b: 0 };
    const size = parseFloat(getComputedStyle(element).fontSize) * Math.hypot(matrix.a, matrix.b);
    if (size < least && !small.has(size.toFixed(1))) small.set(size.toFixed(1), `${named(element, node)} ${size.toFixed(1)}`);
  }
  return [...small.values()];
};

// Pictures and controls that say nothing to those who cannot see them.
const nameless = () => [...document.querySelectorAll("img, button, input, select, canvas, svg.chart")].filter((one) => visible(one)
  && !["alt", "aria-label", "aria-labelledby", "title"].some((name) => (one.getAttribute(name) || "").trim())
  && one.getAttribute("aria-hidden") !== "true" && !one.closest("[aria-hidden=true]") && one.getAttribute("alt") !== ""
  && !(one.labels && one.labels.length) && !(one.tagName === "BUTTON" && one.textContent.trim()) && !one.querySelector("title"))
  .map((one) => `${one.tagName.toLowerCase()}.${one.getAttribute("class") || ""}`);

// Texts whose colour is too near to what is behind them: WCAG 2.2, 4.5 to 1, or 3 to 1 where they are large.
const tooFaint = () => {
  const ink = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true }), known = new Map();
  const rgba = (colour) => {
    if (!known.has(colour)) {
      ink.clearRect(0, 0, 1, 1);
      ink.fillStyle = colour;
      ink.fillRect(0, 0, 1, 1);
      known.set(colour, [...ink.getImageData(0, 0, 1, 1).data].map((value) => value / 255));
    }
    return known.get(colour);
  };
  const over = ([r, g, b, a], behind) => [r, g, b].map((value, n) => a * value + (1 - a) * behind[n]);
  const luminance = (colour) => colour.map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4))
    .reduce((sum, value, n) => sum + [0.2126, 0.7152, 0.0722][n] * value, 0);
  const behind = (element) => { // null where it is a picture, which has no one colour
    if (!element) return rgba("canvas").slice(0, 3);
    const style = getComputedStyle(element);
    if (style.backgroundImage !== "none") return null;
    const colour = rgba(style.backgroundColor);
    if (colour[3] === 1) return colour.slice(0, 3);
    const below = behind(element.parentElement);
    return below && over(colour, below);
  };
  const drawnBehind = (text, below) => { // shapes of a chart that were drawn before its text and lie under its middle
    const box = text.getBoundingClientRect(), middle = new DOMPoint(box.left + box.width / 2, box.top + box.height / 2);
    return [...text.ownerSVGElement.querySelectorAll("rect, circle, ellipse, path, polygon")].reduce((colour, shape) => {
      const style = getComputedStyle(shape);
      const before = shape.compareDocumentPosition(text) & Node.DOCUMENT_POSITION_FOLLOWING && !shape.closest("defs, clipPath");
      if (!before || style.fill === "none" || style.fill.startsWith("url") || !visible(shape)) return colour;
      if (!shape.isPointInFill(middle.matrixTransform(shape.getScreenCTM().inverse()))) return colour;
      const [r, g, b, a] = rgba(style.fill);
      return over([r, g, b, a * Number(style.fillOpacity) * Number(style.opacity)], colour);
    }, below);
  };
  const faint = new Map();
  for (const [node, element] of texts()) {
    const style = getComputedStyle(element), drawn = element instanceof SVGElement, page = behind(element);
    const below = page && drawn ? drawnBehind(element.closest("text"), page) : page;
    if (!below || (drawn && style.fill.startsWith("url")) || (drawn && style.paintOrder.startsWith("stroke"))) continue;
    const colour = rgba(drawn ? style.fill : style.color).slice();
    if (drawn) colour[3] *= Number(style.fillOpacity);
    for (let up = element; up; up = up.parentElement) colour[3] *= Number(getComputedStyle(up).opacity);
    const [low, high] = [luminance(over(colour, below)), luminance(below)].sort((a, b) => a - b), ratio = (high + 0.05) / (low + 0.05);
    const size = parseFloat(style.fontSize), large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    if (ratio >= (large ? 3 : 4.5)) continue;
    const what = named(element, { textContent: "" });
    if (!faint.has(what)) faint.set(what, `${named(element, node)} ${ratio.toFixed(2)}`);
  }
  return [...faint.values()];
};
