// What one can do, on the left (below, on a phone): one mode at a time, its panel on the right, or as a sheet on a phone.
import { button, h } from "./widgets.js";
import { hints } from "./hints.js";
import { icon } from "./icons.js";
import { keys } from "./keyboard.js";
import { store } from "./store.js";

const narrow = matchMedia("(max-width: 720px)"), SWIPE_PX = 60, FLICK = 0.5; // pixels a millisecond
const IN_PANEL = ["design", "capture", "steady"]; // modes that begin in their panel, not on the stage

// On a phone the panel is a sheet: it is closed by its button, by Esc, or pulled down by its head.
const sheetOf = (studio, panel, told) => {
  const set = (open) => { studio.classList.toggle("panel-open", open); panel.style.transform = ""; told(open); };
  const head = h("div", { class: "sheet-head" }, h("span", { class: "sheet-bar", aria: { hidden: "true" } }), button("", { icon: "close", title: "Close the panel", quiet: true, onclick: () => set(false) }));
  let from = null;
  const pulled = (event) => Math.max(0, event.clientY - from.y);
  head.addEventListener("pointerdown", (event) => { if (event.target.closest("button")) return; from = { y: event.clientY, at: event.timeStamp }; head.setPointerCapture(event.pointerId); });
  head.addEventListener("pointermove", (event) => { if (from) panel.style.transform = `translateY(${pulled(event)}px)`; });
  const end = (event) => {
    if (!from) return;
    const down = pulled(event), gone = event.type === "pointerup" && (down > SWIPE_PX || down / Math.max(event.timeStamp - from.at, 1) > FLICK);
    from = null;
    panel.style.transform = "";
    if (gone) set(false);
  };
  head.addEventListener("pointerup", end);
  head.addEventListener("pointercancel", end);
  keys.add("Esc", "", "Everywhere", () => set(false), () => narrow.matches && studio.classList.contains("panel-open"));
  return { head, set, toggle: () => set(!studio.classList.contains("panel-open")) };
};

export const rail = (place, panel, modes, inspector) => {
  const studio = document.getElementById("studio"), panels = new Map(), titles = h("h2", { class: "mode-title" }), inside = h("div", { class: "mode-panel" });
  const sheet = sheetOf(studio, panel, (open) => { for (const one of place.children) { if (narrow.matches && one.dataset.mode === store.mode) one.setAttribute("aria-expanded", String(open)); else one.removeAttribute("aria-expanded"); } });
  const open = (mode) => {
    if (store.mode === mode.name) { if (narrow.matches) sheet.toggle(); return; }
    const before = modes.find((one) => one.name === store.mode);
    if (before && before.leave) before.leave();
    store.setMode(mode.name);
    if (!panels.has(mode)) panels.set(mode, mode.panel());
    titles.replaceChildren(mode.label);
    inside.replaceChildren(panels.get(mode));
    panel.scrollTop = 0;
    for (const one of place.children) one.setAttribute("aria-pressed", String(one.dataset.mode === mode.name));
    sheet.set(narrow.matches && Boolean(before) && IN_PANEL.includes(mode.name));
    if (mode.enter) mode.enter();
    try { sessionStorage.setItem("animato-mode", mode.name); } catch { /* private windows keep nothing */ }
  };
  panel.replaceChildren(sheet.head, titles, inside, inspector || "");
  place.replaceChildren(...modes.map((mode) => h("button", { type: "button", data: { mode: mode.name }, title: `${mode.label} [${mode.key}]`, aria: { pressed: "false" }, onclick: () => open(mode) }, icon(mode.icon || mode.name), h("span", {}, mode.label))));
  hints(document.getElementById("stage"), panel, (name) => { const mode = modes.find((one) => one.name === name); return mode && mode.hint ? mode.hint() : ""; });
  for (const mode of modes) keys.add(mode.key, mode.label.toLowerCase(), "What to do", () => open(mode));
  store.openMode = (name) => { const mode = modes.find((one) => one.name === name); if (mode && store.mode !== name) open(mode); };
  let first = "pose";
  try { first = sessionStorage.getItem("animato-mode") || first; } catch { /* the first one then */ }
  const mode = modes.find((one) => one.name === first) || modes[0];
  if (mode) open(mode);
  narrow.addEventListener("change", () => sheet.set(false));
};
