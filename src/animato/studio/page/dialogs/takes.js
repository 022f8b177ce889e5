// The takes of the project, side by side: press to open; double press, F2 or the menu to name; drag to put in order.
import { button, field, h, popover } from "../core/widgets.js";
import { keys } from "../core/keyboard.js";
import { link } from "../core/link.js";
import { store } from "../core/store.js";
import { icon } from "../core/icons.js";
import { newTake } from "./new_take.js";
import { takeMenu } from "./take_menu.js";

const ICONS = { keyed: "key", drawn: "draw", captured: "capture" };
const KINDS = { keyed: "made of keys", drawn: "drawn", captured: "from a capture" };
const VERBS = { fix: "made performable", steady: "made steady", mimic: "done as a person did" };

// Where chips are not shown, the name is typed in a small window.
const renameApart = (anchor, name) => {
  const input = field("Name of the take", { value: name, onchange: async (words) => { if (words.trim() && (await link.tryTo("take.rename", { take: name, name: words }))) box.close(); } });
  const box = popover(anchor, input);
};

export const takes = () => {
  const strip = h("div", { class: "take-strip", role: "group", aria: { label: "takes" } });
  const add = button("", { icon: "add", title: "A new take, or a file", key: "N", quiet: true, onclick: () => newTake(add) });
  // where there is no room for all of them side by side
  const few = h("select", { class: "widget take-few", aria: { label: "take" }, onchange: () => link.tryTo("take.open", { take: few.value }) });
  const fewMenu = button("", { icon: "more", title: "Name, copy, delete, compare, join", quiet: true, onclick: () => menu(store.document.current, fewMenu) });
  fewMenu.classList.add("take-few");
  const made = h("div", { class: "take-row" }, strip, few, fewMenu, add);
  let shown = "", naming = false, dragged = "";

  const order = (name, by) => {
    const names = store.document.takes.map((one) => one.name), from = names.indexOf(name), to = Math.min(Math.max(from + by, 0), names.length - 1);
    names.splice(to, 0, ...names.splice(from, 1));
    if (from !== to) link.tryTo("take.order", { takes: names });
  };

  // The name is typed in the place of the chip.
  const rename = (name) => {
    const chip = [...strip.children].find((one) => one.dataset.take === name);
    if (!chip || naming) return;
    if (!strip.offsetParent) { renameApart(fewMenu, name); return; }
    naming = true;
    const input = h("input", { class: "widget take-name", value: name, maxLength: 60, aria: { label: `new name of ${name}` } });
    const done = (keep) => {
      if (!naming) return;
      naming = false;
      shown = "";
      if (keep && input.value.trim() && input.value !== name) link.tryTo("take.rename", { take: name, name: input.value }).then(show);
      show();
      focus(name);
    };
    input.addEventListener("keydown", (event) => { event.stopPropagation(); if (event.key === "Enter") done(true); if (event.key === "Escape") done(false); });
    input.addEventListener("blur", () => done(true));
    chip.replaceWith(input);
    input.focus();
    input.select();
  };

  const focus = (name) => { const chip = [...strip.children].find((one) => one.dataset.take === name); if (chip) chip.focus({ preventScroll: true }); };
  const pressed = (event, name) => {
    const acts = { F2: () => rename(name), Delete: () => link.tryTo("take.delete", { take: name }), ContextMenu: () => menu(name, event.target) };
    const moves = { ArrowLeft: -1, ArrowRight: 1 };
    if (event.altKey && moves[event.key]) { event.preventDefault(); event.stopPropagation(); order(name, moves[event.key]); }
    else if (acts[event.key]) { event.preventDefault(); event.stopPropagation(); acts[event.key](); }
  };
  const menu = (name, anchor) => takeMenu(anchor, name, { rename: () => rename(name), order: (by) => order(name, by) });

  const chipOf = ({ name, kind, duration, solved, verb, remark }, current) => {
    const words = [`${name}, ${KINDS[kind] || kind}`, duration ? `${duration.toFixed(1)} s` : "no motion yet", VERBS[verb], remark].filter(Boolean).join("; ");
    return h("button", { class: `chip take${solved ? "" : " unsolved"}`, type: "button", draggable: true, title: words, data: { take: name }, aria: { pressed: String(name === current), label: words },
      onclick: () => { if (name !== store.document.current) link.tryTo("take.open", { take: name }); },
      ondblclick: () => rename(name),
      oncontextmenu: (event) => { event.preventDefault(); menu(name, event.currentTarget); },
      onkeydown: (event) => pressed(event, name),
      ondragstart: (event) => { dragged = name; event.dataTransfer.setData("text/plain", name); event.dataTransfer.effectAllowed = "move"; },
      ondragover: (event) => { if (dragged && dragged !== name) { event.preventDefault(); event.currentTarget.classList.add("drop"); } },
      ondragleave: (event) => event.currentTarget.classList.remove("drop"),
      ondragend: () => { dragged = ""; },
      ondrop: (event) => { event.preventDefault(); event.stopPropagation(); const names = store.document.takes.map((one) => one.name); order(dragged, names.indexOf(name) - names.indexOf(dragged)); },
    }, icon(ICONS[kind] || "key"), h("span", {}, name), verb && icon("fix"));
  };

  const reveal = () => { const open = strip.querySelector('[aria-pressed="true"]'); if (open) open.scrollIntoView({ block: "nearest", inline: "nearest" }); };
  const show = () => {
    const told = store.document;
    if (!told || naming) return;
    const now = JSON.stringify([told.takes, told.current]);
    if (now === shown) return;
    shown = now;
    const had = document.activeElement && document.activeElement.dataset ? document.activeElement.dataset.take : "";
    const more = button("", { icon: "more", title: "Name, copy, delete, compare, join", quiet: true, onclick: () => menu(told.current, more) });
    strip.replaceChildren(...told.takes.flatMap((one) => (one.name === told.current ? [chipOf(one, told.current), more] : [chipOf(one, told.current)])));
    few.replaceChildren(...told.takes.map(({ name }) => h("option", { value: name, selected: name === told.current }, name)));
    reveal();
    if (had) focus(had);
  };

  const step = (by) => { const { takes: all, current } = store.document, place = all.findIndex((one) => one.name === current) + by; if (all[place]) link.tryTo("take.open", { take: all[place].name }); };
  keys.add("PageUp", "the take before", "Takes", () => step(-1));
  keys.add("PageDown", "the next take", "Takes", () => step(1));
  keys.add("N", "a new take, or a file", "Takes", () => newTake(add));
  keys.add("F2", "name the take", "Takes", () => rename(store.document.current));
  keys.add("Ctrl+Shift+D", "copy the take", "Takes", () => link.tryTo("take.copy", { take: store.document.current }));
  keys.add("Ctrl+Delete", "delete the take", "Takes", () => link.tryTo("take.delete", { take: store.document.current }));
  store.on("document", show);
  new ResizeObserver(reveal).observe(made); // work that is told of beside takes room: the open one stays in sight
  show();
  return made;
};
