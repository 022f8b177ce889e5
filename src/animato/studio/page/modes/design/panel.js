// The panel of the design mode: what to follow, how near it comes, what may change, what it takes, keep it or not.
import { button, choice, h, note, row, section, toggle } from "../../core/widgets.js";
import { link } from "../../core/link.js";
import { store } from "../../core/store.js";
import { choose } from "./handles.js";
import { openJoint } from "./joints.js";
import { design } from "./state.js";

const number = (value) => (value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2));
const VERDICTS = { met: ["The new mechanism does it.", "good"], missed: ["This is as near as it comes. Free something more, or drag less.", "warm"], lost: ["It is far off. Free something more, or drag less.", "bad"] };

// --- Before there are target paths ------------------------------------------------------------------------------------
const beginning = () => {
  const wanted = new Set(), chips = h("div", { class: "chips", role: "group", aria: { label: "points whose paths are followed" } });
  const turned = toggle("also how they are turned", { title: "Follow the turns of these points, beside their places" }), words = note();
  const begin = (fields) => link.tryTo("design.begin", fields);
  const follow = button("Follow what they do in this take", { primary: true, onclick: () => begin({ kind: "take", points: [...wanted], turns: turned.box.checked }) });
  const line = button("Follow the line I drew", { onclick: () => begin({ kind: "drawing" }) });
  const shipped = h("div", { class: "row" });
  const made = section("Which path should it follow?", note("Choose points of the character. Their paths become targets that you can drag; the mechanism follows."), chips, turned, row(follow, line), shipped, words);
  let known = "";
  made.show = (told) => {
    const key = JSON.stringify([told.followed, told.shipped]);
    if (key !== known) {
      known = key;
      wanted.clear();
      if (told.followed.length) wanted.add(told.followed[0].name);
      chips.replaceChildren(...told.followed.slice(0, 24).map(({ name, label }) => h("button", { class: "chip", type: "button", aria: { pressed: String(wanted.has(name)) }, onclick: (event) => {
        if (wanted.has(name)) wanted.delete(name); else wanted.add(name);
        event.currentTarget.setAttribute("aria-pressed", String(wanted.has(name)));
        follow.disabled = !wanted.size || !store.take;
      } }, label)));
      shipped.replaceChildren(...told.shipped.map((name) => button(`Try its example: ${name.replaceAll("_", " ")}`, { onclick: () => begin({ kind: "shipped", name }) })));
    }
    follow.disabled = !wanted.size || !store.take || !store.take.solved;
    line.hidden = !store.take || store.take.kind !== "drawn";
    words.say(told.words || (told.working ? "Working out the paths…" : !store.take ? "There is no take yet: make one, or try an example." : ""), told.words ? "bad" : "");
    made.hidden = Boolean(told.kind);
  };
  return made;
};

// --- How near it comes ------------------------------------------------------------------------------------------------
const gain = () => {
  const big = h("div", { class: "gain", role: "status", aria: { live: "polite" } }), more = note(), verdict = note(), made = section("How near it comes", big, more, verdict);
  const pair = (before, after, unit, place) => [h("span", { class: "before" }, number(before[place])), " → ", h("span", { class: "after" }, number(after[place])), h("small", {}, unit === "°" ? unit : `\u00a0${unit}`)];
  made.show = ({ kind, found, working, words, own, freed }) => {
    made.hidden = !kind;
    made.classList.toggle("working", Boolean(working || (found && found.rough)));
    if (!found) { big.replaceChildren(working ? "…" : ""); more.say(working ? "Working out the mechanism…" : ""); verdict.say(words || "", "bad"); return; }
    const { before, after } = found, lines = [];
    if (before.mm) lines.push(h("div", {}, "off by ", pair(before.mm, after.mm, "mm", 0)));
    if (before.deg) lines.push(h("div", {}, "turned off by ", pair(before.deg, after.deg, "°", 0)));
    big.replaceChildren(...lines);
    const worst = before.mm ? `at worst ${number(before.mm[1])} → ${number(after.mm[1])} mm` : `at worst ${number(before.deg[1])} → ${number(after.deg[1])}°`;
    more.say(`${found.less_percent === null ? "" : found.less_percent >= 0 ? `${found.less_percent} % nearer, ` : ""}${worst}${working || found.rough ? "; still getting better…" : ""}`);
    if (words || !found.usable) verdict.say(words || `It cannot be built like this. ${found.words}`, "bad");
    else if (!own && !freed.length) verdict.say(found.verdict === "met" ? "The motors alone can do it." : "This is what the motors alone can do. Free something below, and the mechanism changes too.", found.verdict === "met" ? "good" : "warm");
    else verdict.say(...(VERDICTS[found.verdict] || [""]));
  };
  return made;
};

// --- What may change --------------------------------------------------------------------------------------------------
const freeing = () => {
  const list = h("ul", { class: "freed" }), words = note(), joints = choice("A joint", { onchange: () => {} });
  const free = button("Free it…", { onclick: (event) => joints.select.value && openJoint(joints.select.value, event.currentTarget) });
  const made = section("What may change", words, list, h("div", { class: "row even" }, joints, free));
  let known = null;
  made.show = ({ freed, own }) => {
    words.say(`${own ? `${own} joints of this character are made to be adjusted (green rings). ` : ""}Press on a joint or a part to free its axis, its place or its length.`);
    list.replaceChildren(...freed.map(({ name, what, label, bounds }) => h("li", {}, h("span", {}, label, bounds && h("small", {}, `, ${bounds}`)), button("", { icon: "close", quiet: true, title: `Fix again: ${label}`, onclick: () => link.tryTo("design.free", { name, what, on: false }) }))));
    if (store.scene !== known && store.scene) { known = store.scene; joints.options(known.joints.filter(({ role }) => role !== "configurable").map(({ name, label }) => [name, label])); }
  };
  return made;
};

// --- What it takes ----------------------------------------------------------------------------------------------------
const taking = () => {
  const list = h("ul", { class: "changes" }), made = section("What would be built otherwise", list);
  made.show = ({ kind, found }) => {
    made.hidden = !kind || !found || !found.changes.length;
    if (made.hidden) return;
    list.replaceChildren(...found.changes.map(({ label, words, share }) => h("li", { title: share > 0 ? `${Math.round(100 * share)} % of what is allowed` : "" }, h("span", {}, label), h("b", {}, words), share > 0 && h("meter", { min: 0, max: 1, high: 0.9, value: Math.min(share, 1), aria: { label: `${Math.round(100 * share)} % of what is allowed` } }))));
  };
  return made;
};

const keeping = () => {
  const accept = button("Build it like this", { primary: true, title: "The character of this project becomes this one; undo brings the old one back", onclick: () => link.tryTo("design.accept") });
  const discard = button("Discard", { danger: true, onclick: () => link.tryTo("design.discard") });
  const straight = button("Paths as they were", { title: "Put all handles back", onclick: () => link.tryTo("design.straighten") });
  const motors = toggle("motors do exactly what they did", { title: "Only the mechanism may change, not the motion of its motors", onchange: (on) => link.tryTo("design.set", { keep_motors: on }) });
  const handle = note(), walk = h("div", { class: "row" }, button("Next handle", { icon: "forward", title: "Choose the next handle; arrow keys move it", onclick: () => {
    const all = design.paths.flatMap((path, p) => path.handles.map((_, index) => ({ path: p, index }))), at = design.chosen ? all.findIndex((one) => one.path === design.chosen.path && one.index === design.chosen.index) : -1;
    if (all.length) choose(all[(at + 1) % all.length]);
    document.querySelector("#stage canvas").focus();
  } }), straight);
  const made = h("div", {}, walk, handle, motors, row(accept, discard));
  made.show = ({ kind, found, working, keep_motors: keeps }) => {
    made.hidden = !kind;
    motors.set(Boolean(keeps));
    accept.disabled = !found || found.rough || working || !found.usable;
    accept.lastChild.textContent = found && !found.changes.length ? "Keep this motion" : "Build it like this";
    walk.hidden = !design.paths.some(({ handles }) => handles.length);
    const { chosen } = design;
    handle.say(chosen ? `Handle ${chosen.index + 1} of ${design.paths[chosen.path].handles.length} on the path of ${design.paths[chosen.path].name}: drag it, or move it with the arrow keys.`
      : walk.hidden ? "This target is about how parts are turned: there is no path to drag." : "Drag the round handles of the orange path. Green is what the new mechanism does, grey what the old one did.");
  };
  return made;
};

export const designPanel = () => {
  const parts = [gain(), keeping(), beginning(), freeing(), taking()], made = h("div", { class: "design" }, ...parts);
  const show = () => { if (design.told) for (const part of parts) part.show(design.told); };
  design.on(show);
  store.on("document", show);
  store.on("scene", show);
  show();
  return made;
};
