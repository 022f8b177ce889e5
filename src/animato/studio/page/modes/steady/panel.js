// The panel of the steady mode: how far it swings, the button that ends it, slow motion, stiffness, how often it swings.
import { button, chips, folded, h, note, row, section, slider } from "../../core/widgets.js";
import { link } from "../../core/link.js";
import { store } from "../../core/store.js";
import { stage } from "../../stage/stage.js";
import { Chart } from "./chart.js";
import { steadying } from "./state.js";

const SPEEDS = [[1, "1 ×"], [0.5, "½ ×"], [0.25, "¼ ×"], [0.1, "1⁄10 ×"]];
const BESIDE = [["before", "as it was"], ["target", "as it is meant"], ["off", "nothing"]];
const number = (mm) => (mm >= 100 ? mm.toFixed(0) : mm >= 10 ? mm.toFixed(1) : mm >= 0.1 ? mm.toFixed(2) : "< 0.1");
const STILL_MM = 0.1, LEAST_MM = 1; // nobody sees less; charts do not look closer
const VERBS = { steady: "steadied", fix: "made performable" };

// --- How far it swings ------------------------------------------------------------------------------------------------
const largest = (flat, columns) => Float32Array.from({ length: flat.length / columns }, (_, n) => { let most = 0; for (let k = 0; k < columns; k++) most = Math.max(most, 1000 * flat[n * columns + k]); return most; });

const swinging = () => {
  const big = h("div", { class: "gain", role: "status", aria: { live: "polite" } }), more = note(), words = note(), key = h("div", { class: "key" });
  const chart = new Chart("How far it is off over time", { across: "s", up: "mm", onpress: (time) => { stage.play(false); stage.seek(time); } });
  const worst = button("Go to the worst moment", { quiet: true, onclick: () => { stage.play(false); stage.seek((steadying.seen.after || steadying.seen.before).worst_s); } });
  const made = section("How far it swings", words, big, more, chart.canvas, key, worst);
  stage.onTime((time) => chart.at(time));
  made.show = () => {
    const { told, seen, current } = steadying;
    words.say(told.words || (!current ? (told.working ? "Working out how it bends…" : "") : ""), told.bends ? "warm" : "");
    for (const one of [big, more, key, worst]) one.hidden = !current;
    made.classList.toggle("working", told.working);
    if (!current) { chart.show(null); return; }
    const { before, after, arrays, verb, tracked } = seen, off = (name) => arrays[`${name}_off`], columns = tracked.length;
    const arrow = (place) => [h("span", { class: "before" }, number(before[place])), after ? [" → ", h("span", { class: "after" }, number(after[place]))] : "", h("small", {}, "\u00a0mm")];
    big.replaceChildren("off by up to ", ...arrow("peak_mm").flat());
    more.say(before.peak_mm < STILL_MM ? "Nothing swings that one could see." : before.ring_mm === null ? "The motion has no pause in which it could go on swinging." : after && after.ring_mm !== null ? `In pauses it went on swinging by ${number(before.ring_mm)} mm; now by ${number(after.ring_mm)} mm.` : `In pauses it goes on swinging by ${number(before.ring_mm)} mm.`);
    const curves = ["before", ...(after ? ["after"] : [])].map((name) => ({ x: arrays[`${name}_moments`], y: largest(off(name), columns), colour: `--steady-${name}` }));
    const top = Math.max(LEAST_MM, ...curves.map(({ y }) => y.reduce((a, b) => Math.max(a, b), 0)));
    chart.show({ span: [stage.begin, Math.max(stage.end, stage.begin + 1e-3)], range: [0, 1.05 * top], curves, words: `How far ${tracked.join(", ")} is off over time: at most ${number(before.peak_mm)} mm${after ? `, ${VERBS[verb] || verb} ${number(after.peak_mm)} mm` : ""}.` });
    chart.at(stage.time);
    key.replaceChildren(h("span", { class: "before" }, "the artist's motion"), after ? h("span", { class: "after" }, VERBS[verb] || verb) : "", h("span", { class: "muted" }, `${columns > 1 ? "the worst of" : "of"} ${tracked.join(", ")}`));
  };
  return made;
};

// --- What can be done about it, and how it is watched -----------------------------------------------------------------
const doing = () => {
  const make = button("Steady it", { primary: true, icon: "steady", key: "Shift+Enter", title: "Change the motors' motion as little as possible, so that it does not wobble", onclick: () => link.tryTo("steady.make") });
  const drop = button("Back to the artist's motion", { danger: true, onclick: () => link.tryTo("steady.drop") }), remark = note();
  const made = h("div", {}, row(make, drop), remark);
  made.show = () => {
    const { told, jobs, current } = steadying, take = store.take;
    make.disabled = !current || jobs > 0 || steadying.seen.before.peak_mm < STILL_MM;
    make.lastChild.textContent = jobs ? "Steadying…" : take && take.verb === "steady" ? "Steady it again" : "Steady it";
    drop.hidden = !take || !take.verb;
    remark.say(take && take.verb === "steady" ? take.remark : "", "good");
    made.hidden = !told.bends;
  };
  return made;
};

const watching = () => {
  const speeds = chips("speed", { onchoose: (name) => { stage.speed = SPEEDS.find(([, words]) => words === name)[0]; if (!stage.playing) stage.play(true); stage.tellTime(); } });
  const beside = chips("what is seen over it", { onchoose: (name) => steadying.show(BESIDE.find(([, words]) => words === name)[0]) });
  const made = section("Watch it", h("div", { class: "label" }, "How fast"), speeds, h("div", { class: "label" }, "Over it, translucent"), beside);
  let known = null;
  const speed = () => { if (known !== stage.speed) { known = stage.speed; const now = SPEEDS.find(([value]) => value === known); speeds.show(SPEEDS.map(([, words]) => words), now && now[1]); } };
  stage.onTime(speed);
  made.show = () => {
    made.hidden = !steadying.current;
    if (made.hidden) return;
    speed();
    const shown = BESIDE.filter(([name]) => name !== "before" || steadying.seen.after);
    beside.show(shown.map(([, words]) => words), BESIDE.find(([name]) => name === steadying.ghost)[1]);
  };
  return made;
};

// --- What bends -------------------------------------------------------------------------------------------------------
const moved = link.newest((words) => link.send(...words));
const want = (do_, fields, done) => { if (done) { moved.drop(); link.send(do_, fields); } else moved.put([do_, fields]); };

// A slider goes along with what is kept in the project, but not while somebody moves it: what is told then is old.
const STILL_MS = 700;
const follow = (made, value) => {
  const left = (made.touched || -Infinity) + STILL_MS - performance.now();
  clearTimeout(made.later);
  if (left > 0) made.later = setTimeout(() => follow(made, value), left); else made.set(value);
};
const sliding = (label, { send, ...how }) => {
  const made = slider(label, { ...how, oninput: (value, gesture, done) => { made.touched = performance.now(); send(value, gesture, done); } });
  return made;
};

const bending = () => {
  const stiff = sliding("Stiffness of what bends", { min: 50, max: 200, step: 1, value: 100, unit: "%", digits: 0, title: "Try it with softer or stiffer parts; a double click brings back what the character's file says",
    send: (value, gesture, done) => want("steady.stiffness", { value: value / 100, gesture, done }, done), ondouble: () => link.send("steady.stiffness", { value: 1, done: true }) });
  const chart = new Chart("How often it swings", { across: "Hz", up: "mm", log: true }), modes = note();
  const made = section("What bends", stiff, note("Is it still steady if the parts are softer or stiffer than thought? “Steady it” counts on what is set here."), h("div", { class: "label" }, "How much it swings, by how often"), chart.canvas, modes);
  made.show = () => {
    const { told, seen, current } = steadying;
    made.hidden = !told.bends;
    follow(stiff, 100 * told.stiffness);
    if (!current) { chart.show(null); modes.say(""); return; }
    const { arrays, modes_hz: all, after } = seen, own = all.filter((hz, n) => !n || hz - all[n - 1] > 0.02 * hz), highest = Math.min(40, Math.max(6, 1.25 * (own[1] || 2 * own[0] || 6)));
    const curves = ["before", ...(after ? ["after"] : [])].map((name) => ({ x: arrays[`${name}_hz`], y: arrays[`${name}_spectrum`].map((value) => 1000 * value), colour: `--steady-${name}` }));
    const most = Math.max(LEAST_MM, ...curves.map(({ x, y }) => y.reduce((a, b, n) => (x[n] <= highest ? Math.max(a, b) : a), 0))), top = 10 ** Math.ceil(Math.log10(most));
    chart.show({ span: [0, highest], range: [top / 1e4, top], curves, marks: own.filter((hz) => hz < highest).map((hz) => ({ x: hz, words: hz.toPrecision(2) })), words: `Spectrum of what is off; it swings by itself at ${own.slice(0, 3).map((hz) => hz.toPrecision(3)).join(", ")} times a second.` });
    modes.say(`Left to itself it swings ${own.slice(0, 3).map((hz) => hz.toPrecision(3)).join(", ")} times a second (dashed lines).`);
  };
  return made;
};

const wishes = () => {
  const set = (name) => (value, gesture, done) => want("steady.set", { [name]: value, gesture }, done);
  const spread = sliding("Also good if it is softer or stiffer by", { min: 0, max: 0.3, step: 0.01, scale: 100, unit: "%", digits: 0, title: "Takes three times as long, and holds on robots that are not as the file says", send: set("stiffness_spread") });
  const hold = sliding("Pauses count", { min: 1, max: 100, step: 1, unit: "times", digits: 0, title: "How much more swinging counts while the character stands still", send: set("hold_weight") });
  const harder = sliding("Motors may accelerate", { min: 0.5, max: 6, step: 0.1, unit: "times", digits: 1, title: "As much as the artist's motion does at its most, times this", send: set("acceleration_factor") });
  const bodies = h("div", { class: "chips", role: "group", aria: { label: "parts that are to keep to their paths" } });
  const made = folded("What is wanted of it", spread, hold, harder, h("div", { class: "label" }, "Keep these steady"), bodies);
  let known = "";
  made.show = () => {
    const { told } = steadying;
    made.hidden = !told.bends;
    follow(spread, told.stiffness_spread);
    follow(hold, told.hold_weight);
    follow(harder, told.acceleration_factor);
    const now = JSON.stringify([told.bodies, told.tracked]);
    if (now === known) return;
    known = now;
    bodies.replaceChildren(...told.bodies.map(({ name, label }) => { const on = told.tracked.includes(name); return h("button", { class: "chip", type: "button", aria: { pressed: String(on) }, onclick: () => link.tryTo("steady.set", { tracked: on ? told.tracked.filter((one) => one !== name) : [...told.tracked, name] }) }, label); }));
  };
  return made;
};

export const steadyPanel = () => {
  const parts = [swinging(), doing(), watching(), bending(), wishes()], made = h("div", { class: "steady" }, ...parts);
  const show = () => { if (steadying.told) for (const part of parts) part.show(); };
  steadying.on(show);
  store.on("theme", () => requestAnimationFrame(show));
  show();
  return made;
};
