// Face: the character looks at a target that is dragged; postures change while it looks; what happens can be recorded.
import { button, chips, choice, h, note, row, section, slider, toggle } from "../core/widgets.js";
import { keys } from "../core/keyboard.js";
import { link } from "../core/link.js";
import { store } from "../core/store.js";
import { facing } from "./face/state.js";
import { hideTarget, showTarget } from "./face/target.js";

// The motion filter in words an animator has for it: [word, label, left end, right end, most].
const MANNER = [
  ["smoothness", "Character", "snappy", "calm", 1],
  ["responsiveness", "Follows the target", "lags behind", "keeps up", 1],
  ["overshoot", "Stops", "firmly", "swings beyond", 0.6],
];
const OTHER_PARTS = "other part: ";

const start = (fields = {}) => link.tryTo("face.start", fields);
const record = async () => link.tryTo("face.record", { on: !facing.recording });

const manners = () => MANNER.map(([word, label, left, right, most]) => {
  const control = slider(label, { min: 0, max: most, value: 0, digits: 2, oninput: (value) => link.send("face.manner", { [word]: value }) });
  store.on("facing", () => { if (facing.manner[word] !== undefined) control.set(facing.manner[word]); });
  return h("div", {}, control, h("div", { class: "between", aria: { hidden: "true" } }, h("span", {}, left), h("span", {}, right)));
});

const panel = () => {
  const told = note(), state = note();
  const onOff = button("Look", { icon: "eye", primary: true, onclick: () => (facing.on || facing.making ? link.tryTo("face.stop") : start()) });
  const who = choice("Looks with", { title: "The part of the character that faces the target", onchange: (name) => start({ end_point: name.replace(OTHER_PARTS, "") }) });
  const postures = chips("Postures", { onchoose: (name) => link.tryTo("face.posture", { name }) });
  const idle = toggle("Breathes while it looks", { title: "Small movements that never quite stop; the gaze stays", onchange: async (on) => { if (!(await link.tryTo("face.idle", { on }))) idle.set(facing.idle); } });
  const rec = button("Record", { icon: "record", key: "R", title: "Record what happens as a new take", onclick: record }), seconds = h("span", { class: "seconds", aria: { live: "off" } });
  let listed = "";
  const update = () => {
    onOff.lastChild.textContent = facing.on ? "Stop looking" : facing.making ? "Making ready ..." : "Look";
    told.say(facing.words || (facing.on ? "Drag the ball: the character follows with its eyes. Shift or the wheel: nearer and farther. Double click puts it somewhere else." : facing.making ? "The character is being made ready; the first time takes a moment." : "The character looks at a ball that you drag, and keeps its posture."), facing.words ? "bad" : "");
    state.say(facing.on ? `${facing.changing ? "Changing over to another bend" : facing.off_rad < 0.02 ? "Looks right at it" : `${(facing.off_rad * 180 / Math.PI).toFixed(0)}° off`}, ${Math.round(facing.rate_hz)} commands a second` : "");
    const others = (store.scene ? store.scene.bodies : []).filter((name) => !facing.end_points.includes(name)), list = JSON.stringify([facing.end_points, others, facing.end_point]);
    if (list !== listed && document.activeElement !== who.select) {
      listed = list;
      const all = [...facing.end_points.map((name) => [name, name.replaceAll("_", " ")]), ...others.map((name) => [`${OTHER_PARTS}${name}`, `${OTHER_PARTS}${name.replaceAll("_", " ")}`])];
      who.options(facing.end_point ? all : [["", "choose a part"], ...all], facing.end_points.includes(facing.end_point) ? facing.end_point : facing.end_point && `${OTHER_PARTS}${facing.end_point}`);
    }
    const names = ((store.document && store.document.postures) || []).join("\n");
    if (postures.dataset.shown !== `${names}|${facing.posture}`) { postures.dataset.shown = `${names}|${facing.posture}`; postures.show(names ? names.split("\n") : [], facing.posture); }
    idle.set(facing.idle);
    rec.disabled = !facing.on;
    rec.classList.toggle("recording", facing.recording);
    rec.querySelector("span").textContent = facing.recording ? "Stop and keep" : "Record";
    seconds.textContent = facing.recording ? `${facing.recorded_s.toFixed(1)} s` : "";
  };
  store.on("facing", update);
  store.on("document", update);
  store.on("scene", update);
  const made = h("div", {}, row(onOff), told, state, who, h("div", { class: "row record-row" }, rec, seconds), section("Posture", postures), section("Manner", idle, ...manners()));
  update();
  return made;
};

const here = () => store.mode === "face";
keys.add("R", "record, and keep it", "Face", record, () => here() && facing.on);
keys.add("B", "breathe, or not", "Face", () => link.tryTo("face.idle", { on: !facing.idle }), here);

export default {
  name: "face", label: "Face", icon: "face", key: "3",
  enter() { showTarget(); if (!facing.on && !facing.making && facing.end_point) start(); },
  leave() { hideTarget(); if (facing.recording) record(); link.send("face.stop"); },
  panel,
  hint: () => "Drag the ball: that is what the character looks at.",
};
