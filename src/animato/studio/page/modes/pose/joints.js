// Sliders of all joints, in groups: where they are, how far they may go, which are at their limit.
import { link } from "../../core/link.js";
import { gesture, h, note, slider } from "../../core/widgets.js";
import { store } from "../../core/store.js";
import { stage } from "../../stage/stage.js";
import { done, jointOf, posing } from "./state.js";

const DEGREES = 180 / Math.PI, REST = "Double click: back to rest", SOON_MS = 5000;
const groupOf = (name) => (/(^|[_ .-])(left|l)([_ .-]|$)/i.test(name) ? "Left" : /(^|[_ .-])(right|r)([_ .-]|$)/i.test(name) ? "Right" : "Middle");
const scaleOf = (unit) => (unit === "m" ? { unit: "mm", scale: 1000, digits: 0 } : { unit: "°", scale: DEGREES, digits: 1 });
const freeRange = (unit) => (unit === "m" ? [-1, 1] : [-Math.PI, Math.PI]); // for joints without limits

// Settings of one joint that follow one another soon, such as by a key that is held, are one step of undo.
const last = { name: "", gesture: "", at: 0 };
const settingOf = (name) => {
  const now = performance.now(), same = last.name === name && now - last.at < SOON_MS;
  return Object.assign(last, { name, gesture: same ? last.gesture : gesture(), at: now }).gesture;
};
const setJoint = (name, value, finished) => {
  link.send("pose.joint", { name, value, time: stage.time });
  if (finished) done({ gesture: settingOf(name) });
};
// One step of the chosen joint, for keys.
export const stepJoint = (by) => {
  const joint = jointOf(store.selection.joint), one = joint && joint.coordinates.find(({ name, unit }) => unit && posing.driven.includes(name));
  if (!one) return;
  const value = stage.coordinatesNow()[store.scene.coordinates.indexOf(one.name)] + (one.unit === "m" ? 0.1 * by : by);
  setJoint(one.name, value, true);
};

const sliderOf = (joint, one) => {
  const [low, high] = freeRange(one.unit), label = joint.coordinates.length > 1 ? `${joint.label} ${one.name.split(".").pop()}` : joint.label;
  const control = slider(label, { min: one.lower ?? low, max: one.upper ?? high, value: one.neutral, ...scaleOf(one.unit), title: REST,
    oninput: (value, _, finished) => setJoint(one.name, value, finished), ondouble: () => setJoint(one.name, one.neutral, true) });
  control.classList.add("joint");
  control.addEventListener("focusin", () => store.select({ body: joint.body, joint: joint.name }));
  return control;
};
const settable = (joint) => joint.coordinates.filter(({ unit }) => unit !== ""); // a ball is turned on the stage

// Whether it may be moved, and where it is.
const allow = (name, control) => {
  const free = !posing.ready || posing.driven.includes(name);
  for (const input of control.querySelectorAll("input")) input.disabled = !free;
  control.title = free ? REST : "Follows the other joints: the mechanism moves it.";
  control.classList.toggle("follows", !free);
};
const show = (name, control, values) => { const value = values[store.scene.coordinates.indexOf(name)]; if (value !== undefined) control.set(value); };

// Calls `update` some times a second, while `made` is on the page: more often nobody can read, and many sliders that are
// painted anew would take the time of the picture.
const READ_MS = 120;
const whenMoved = (made, update) => {
  let waiting = false;
  const later = () => { if (!waiting && made.isConnected) { waiting = true; setTimeout(() => { waiting = false; update(); }, READ_MS); } };
  store.on("time", later);
  store.on("motion", later);
};

// The chosen joint alone, where it is always at hand.
export const chosenSliders = () => {
  const made = h("div", { class: "joints" });
  let rows = [];
  const update = () => { if (!rows.length) return; const values = stage.coordinatesNow(); for (const [name, control] of rows) { show(name, control, values); control.classList.toggle("at-limit", posing.atLimits.includes(name)); } };
  const build = () => {
    const joint = jointOf(store.selection.joint);
    rows = joint ? settable(joint).map((one) => [one.name, sliderOf(joint, one)]) : [];
    for (const [name, control] of rows) { allow(name, control); control.classList.add("chosen"); }
    made.replaceChildren(...rows.map(([, control]) => control));
    if (!rows.length) made.replaceChildren(note(store.selection.body >= 0 ? "The chosen body has no joint of its own to set; pull it on the stage." : "Press on a body to have its joint here."));
    update();
  };
  store.on("scene", build);
  store.on("posing", () => { for (const [name, control] of rows) allow(name, control); });
  store.on("posing-limits", update);
  store.on("selection", () => { if (!made.contains(document.activeElement)) build(); });
  whenMoved(made, update);
  build();
  return made;
};

export const jointSliders = () => {
  const made = h("div", { class: "joints" }), rows = new Map(); // coordinate -> { control, joint }

  const build = () => {
    const { scene } = store, groups = new Map();
    rows.clear();
    if (!scene) return;
    for (const joint of scene.joints) for (const one of settable(joint)) {
      const group = groupOf(joint.name), control = sliderOf(joint, one);
      if (!groups.has(group)) groups.set(group, []);
      groups.get(group).push(control);
      rows.set(one.name, { control, joint: joint.name });
    }
    const several = groups.size > 1, narrow = rows.size > 8;
    made.replaceChildren(...[...groups].map(([name, all]) => h("details", { class: "section joint-group", open: !narrow, data: { group: name }, ontoggle: update }, h("summary", {}, several ? name : "Joints"), ...all)));
    if (!rows.size) made.replaceChildren(note("No joint can be set by a slider; drag the character on the stage."));
    allowAll();
    update();
    mark();
  };

  const allowAll = () => { for (const [name, { control }] of rows) allow(name, control); };
  const update = () => {
    const values = stage.coordinatesNow();
    for (const [name, { control }] of rows) if (control.parentElement && control.parentElement.open) show(name, control, values);
  };
  const mark = () => {
    for (const [name, { control, joint }] of rows) {
      control.classList.toggle("at-limit", posing.atLimits.includes(name));
      control.classList.toggle("chosen", joint === store.selection.joint);
    }
  };
  store.on("scene", build);
  store.on("posing", allowAll);
  store.on("posing-limits", mark);
  store.on("selection", mark);
  whenMoved(made, update);
  build();
  return made;
};
