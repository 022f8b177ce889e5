// Controls: all of the studio's come from here, so that they look alike and work by mouse, finger and keyboard.
import { icon as iconOf } from "./icons.js";

// An element: h("div", { class: "x", onclick: f, data: { a: 1 }, aria: { label: "y" } }, "text", child, [more]).
export const h = (tag, props = {}, ...children) => {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(props || {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name === "class") made.className = value;
    else if (name === "data") Object.assign(made.dataset, value);
    else if (name === "aria") for (const [key, told] of Object.entries(value)) { if (told !== undefined) made.setAttribute(`aria-${key}`, told); }
    else if (name === "style" && typeof value === "object") Object.assign(made.style, value);
    else if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (name in made && name !== "list") made[name] = value;
    else made.setAttribute(name, value);
  }
  made.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return made;
};

let count = 0;
const fresh = (name) => `${name}-${++count}`;
// A text that is another one each time: edits that carry the same one are one step of undo.
export const gesture = () => `${Date.now().toString(36)}-${++count}`;

export const button = (label, { title, key, primary, danger, quiet, icon, pressed, disabled, wide, onclick } = {}) => {
  const made = h("button", { class: `widget${primary ? " primary" : ""}${danger ? " danger" : ""}${quiet ? " quiet" : ""}`, type: "button", disabled, onclick,
    title: [title, key && `[${key}]`].filter(Boolean).join(" "), aria: { label: icon && !label ? title : undefined, pressed: pressed === undefined ? undefined : String(pressed) } },
  icon && iconOf(icon), label && h("span", { class: wide ? "label-wide" : "" }, label));
  made.press = (on) => mark(made, "aria-pressed", String(on));
  return made;
};

export const toggle = (label, { checked = false, title, onchange } = {}) => {
  const box = h("input", { type: "checkbox", checked, onchange: () => onchange && onchange(box.checked) });
  const made = h("label", { class: "switch", title }, box, h("span", {}, label));
  made.set = (on) => { box.checked = on; };
  made.box = box;
  return made;
};

// What a slider is told from elsewhere waits a moment after a hand was on it: an answer that is still under way tells
// the value before, and the next press of a key would start from there.
const HEED_MS = 600;
const heeding = (put, near) => {
  let own = null, until = 0, timer = 0;
  const told = (value) => {
    clearTimeout(timer);
    const wait = until - performance.now();
    if (wait > 0 && !(Math.abs(value - own) <= near)) timer = setTimeout(() => told(value), wait);
    else put(value);
  };
  return { told, touched: (value) => { own = value; until = performance.now() + HEED_MS; clearTimeout(timer); } };
};

// `oninput(value, gesture, done)`: while it moves, and once with `done` when it is let go. `ends` are words for its two ends.
export const slider = (label, { min = 0, max = 1, step = "any", value = 0, unit = "", digits = 2, scale = 1, title, ends, oninput, ondouble } = {}) => {
  const id = fresh("slider"), shown = (one) => (scale * one).toFixed(digits);
  let current = "", held = false;
  const range = h("input", { id, type: "range", min, max, step: step === "any" ? (max - min) / 500 : step, value, aria: { valuetext: `${shown(value)} ${unit}` } });
  const number = h("input", { type: "number", value: shown(value), step: step === "any" ? 10 ** -digits : step * scale, min: scale * min, max: scale * max, aria: { label: `${label}${unit ? `, ${unit}` : ""}` } });
  const told = (one, done) => { current ||= gesture(); heed.touched(one); range.setAttribute("aria-valuetext", `${shown(one)} ${unit}`); if (oninput) oninput(one, current, done); if (done) { current = ""; held = false; } };
  range.addEventListener("input", () => { held = true; number.value = shown(Number(range.value)); told(Number(range.value), false); });
  range.addEventListener("change", () => told(Number(range.value), true));
  number.addEventListener("change", () => { const one = Math.min(Math.max(Number(number.value) / scale, min), max); range.value = one; number.value = shown(one); told(one, true); });
  const made = h("div", { class: "slider", title }, h("label", { for: id }, label), h("span", { class: "value" }, number, unit), range);
  made.querySelector("label").htmlFor = id;
  if (ondouble) range.addEventListener("dblclick", ondouble);
  const heed = heeding((one) => { if (held || document.activeElement === number) return; range.value = one; number.value = shown(one); mark(range, "aria-valuetext", `${shown(one)} ${unit}`); }, (max - min) / 500);
  made.set = heed.told;
  made.range = range;
  if (ends) made.append(endsOf(ends));
  return made;
};

const endsOf = (ends) => h("div", { class: "slider-ends", aria: { hidden: "true" } }, ends.map((words) => h("span", {}, words)));

// A slider over powers of ten from 10 ** `from` to 10 ** `to`, for weights; people see the weight, not its power.
export const powerSlider = (label, { from, to, value = 1, title, ends, oninput } = {}) => {
  const id = fresh("slider"), words = (one) => String(Number(one.toPrecision(2))), power = (one) => Math.log10(Math.min(Math.max(one, 10 ** from), 10 ** to));
  let current = "", held = false;
  const range = h("input", { id, type: "range", min: from, max: to, step: 0.05, value: power(value) }), number = h("input", { type: "number", min: 10 ** from, max: 10 ** to, step: "any", value: words(value), aria: { label } });
  const told = (one, done) => { current ||= gesture(); heed.touched(one); range.setAttribute("aria-valuetext", words(one)); if (oninput) oninput(one, current, done); if (done) { current = ""; held = false; } };
  range.addEventListener("input", () => { held = true; number.value = words(10 ** Number(range.value)); told(10 ** Number(range.value), false); });
  range.addEventListener("change", () => told(10 ** Number(range.value), true));
  number.addEventListener("change", () => { const one = 10 ** power(Number(number.value) || 10 ** from); range.value = power(one); number.value = words(one); told(one, true); });
  const made = h("div", { class: "slider", title }, h("label", { htmlFor: id }, label), h("span", { class: "value" }, number), range, ends && endsOf(ends));
  const heed = heeding((one) => { if (held || document.activeElement === number) return; range.value = power(one); number.value = words(one); mark(range, "aria-valuetext", words(one)); }, 0);
  made.set = heed.told;
  made.range = range;
  made.set(value);
  return made;
};

export const choice = (label, { options = [], value, title, onchange } = {}) => {
  const select = h("select", { class: "widget", onchange: () => onchange && onchange(select.value) });
  const made = h("label", { class: "choice", title }, h("span", {}, label), select);
  let offered = "";
  made.options = (all, chosen) => {
    const now = JSON.stringify(all);
    if (now !== offered) select.replaceChildren(...all.map(([key, words]) => h("option", { value: key, selected: key === chosen }, words)));
    offered = now;
    if (chosen !== undefined) made.set(chosen);
  };
  made.set = (one) => { if (select.value !== one) select.value = one; };
  made.select = select;
  made.options(options, value);
  return made;
};

export const field = (label, { value = "", type = "text", placeholder, title, onchange } = {}) => {
  const input = h("input", { class: "widget", type, value, placeholder, onchange: () => onchange && onchange(input.value) });
  const made = h("label", { class: "choice", title }, h("span", {}, label), input);
  made.input = input;
  made.set = (one) => { if (document.activeElement !== input) input.value = one; };
  return made;
};

// Words to choose one of; `onchoose(name)`; `onremove(name)` for those that can be taken away by Delete.
export const chips = (label, { onchoose, onremove } = {}) => {
  const made = h("div", { class: "chips", role: "group", aria: { label } });
  made.show = (names, chosen) => made.replaceChildren(...names.map((name) => h("button", { class: "chip", type: "button", onclick: () => onchoose(name), aria: { pressed: String(name === chosen) },
    onkeydown: (event) => { if (onremove && event.key === "Delete") { event.preventDefault(); onremove(name); } } }, name)));
  return made;
};

// Words and looks that are there already are left alone: a page that is told them again is laid out and painted again.
export const put = (element, words) => { if (element.textContent !== words) element.textContent = words; };
export const dress = (element, name) => { if (element.className !== name) element.className = name; };
const mark = (element, name, value) => { if (element.getAttribute(name) !== value) element.setAttribute(name, value); };

export const row = (...children) => h("div", { class: "row" }, ...children);
export const note = (text = "", kind = "") => { const made = h("p", { class: `note ${kind}` }, text); made.say = (words, how = "") => { put(made, words); dress(made, `note ${how}`); }; return made; };
export const section = (title, ...children) => h("section", { class: "section" }, h("h3", {}, title), ...children);
export const folded = (title, ...children) => h("details", { class: "section" }, h("summary", {}, title), ...children);

// A small window beside what was pressed; closes by Esc, and by a press elsewhere.
export const popover = (anchor, ...children) => {
  document.querySelectorAll(".popover").forEach((one) => one.close());
  const made = h("div", { class: "popover", role: "dialog", tabIndex: -1 }, ...children);
  document.body.append(made);
  const box = anchor.getBoundingClientRect ? anchor.getBoundingClientRect() : { left: anchor.x, right: anchor.x, top: anchor.y, bottom: anchor.y }, own = made.getBoundingClientRect();
  made.style.left = `${Math.max(8, Math.min(box.left, innerWidth - own.width - 8))}px`;
  made.style.top = `${box.bottom + 6 + own.height < innerHeight ? box.bottom + 6 : Math.max(8, box.top - own.height - 6)}px`;
  const outside = (event) => { if (!made.contains(event.target)) made.close(); }, esc = (event) => { if (event.key === "Escape") { event.stopPropagation(); made.close(); } };
  made.close = () => { made.remove(); document.removeEventListener("pointerdown", outside, true); document.removeEventListener("keydown", esc, true); if (anchor.focus) anchor.focus(); };
  document.addEventListener("keydown", esc, true);
  setTimeout(() => { if (made.isConnected) document.addEventListener("pointerdown", outside, true); }); // not the press that opens it
  (made.querySelector("button, input, select") || made).focus();
  return made;
};

export const dialog = (title, ...children) => {
  const made = h("dialog", { class: "window", aria: { label: title } }, h("header", {}, title, button("", { icon: "close", title: "Close", quiet: true, onclick: () => made.close() })), ...children);
  document.body.append(made);
  made.addEventListener("close", () => made.remove());
  made.showModal();
  return made;
};
