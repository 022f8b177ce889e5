// Tools of the view: from where it is seen, and what is seen beside the character.
import { button, h } from "../core/widgets.js";
import { keys } from "../core/keyboard.js";
import { store } from "../core/store.js";
import { stage } from "./stage.js";

const VIEWS = [["home", "Whole", "As it was at first", "Shift+H"], ["front", "Front", "From the front", "Shift+F"], ["side", "Side", "From its side", "Shift+S"], ["top", "Above", "From above", "Shift+U"]];
const GHOST = { over: "The artist's motion: over it", beside: "The artist's motion: beside it", off: "The artist's motion: hidden" }, NEXT = { over: "beside", beside: "off", off: "over" };
const MOST_TRAILS = 4;

export const viewTools = () => {
  const look = (name) => { stage.orbit.look(name); setTimeout(() => stage.orbit.keep(), 400); };
  const views = VIEWS.map(([name, label, title, key]) => { keys.add(key, title.toLowerCase(), "View", () => look(name)); return button(label, { icon: name, title, key, quiet: true, onclick: () => look(name) }); });

  // A switch: a button that stays pressed.
  const toggle = (icon, label, title, key, on, change) => {
    const press = () => { const next = made.getAttribute("aria-pressed") !== "true"; made.press(next); change(next); }, made = button(label, { icon, title, key, quiet: true, pressed: on, onclick: press });
    keys.add(key, title.toLowerCase(), "View", press);
    return made;
  };
  const nextGhost = () => stage.ghost(NEXT[stage.placing[1]]);
  const ghost = button("Ghost", { icon: "ghost", title: GHOST.over, key: "Shift+G", quiet: true, pressed: true, onclick: nextGhost });
  keys.add("Shift+G", "the artist's motion over, beside, hidden", "View", nextGhost);
  store.on("ghost", (how) => { ghost.press(how !== "off"); ghost.title = `${GHOST[how]} [Shift+G]`; ghost.setAttribute("aria-label", GHOST[how]); });

  const points = () => { const all = store.scene ? store.scene.points : [], ends = all.filter((one) => one.kind === "end-point"); return (ends.length ? ends : all).slice(0, MOST_TRAILS).map((one) => one.name); };
  const trail = toggle("trail", "Paths", "Paths of the hands and other points", "Shift+R", false, (on) => stage.setTrails(on ? points() : []));
  const heat = toggle("heat", "Load", "Colours: how much of its limits each part uses", "Shift+C", false, (on) => { stage.heat = on; stage.ask(); });
  const floor = toggle("foot", "Feet", "Feet on the floor, and where the weight acts", "Shift+B", true, (on) => { stage.floorShown = on; stage.ask(); });
  store.on("trails", (names) => trail.press(names.length > 0));
  const refresh = () => {
    ghost.hidden = !(stage.cast && stage.cast.has("ghost"));
    trail.hidden = !points().length;
    floor.hidden = !(store.usage && store.usage.balance);
    heat.hidden = !(store.usage && store.usage.axes.length);
  };
  for (const name of ["scene", "motion", "usage"]) store.on(name, refresh);
  refresh();
  return h("div", { class: "view-tools", role: "toolbar", aria: { label: "view", orientation: "vertical" } }, h("div", { class: "group" }, views), h("div", { class: "group" }, ghost, trail, heat, floor));
};
