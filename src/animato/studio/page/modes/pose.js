// Pose: drag the character into place, set joints, keep postures by name.
import { button, chips, field, note, row, section, toggle } from "../core/widgets.js";
import { keys } from "../core/keyboard.js";
import { link } from "../core/link.js";
import { store } from "../core/store.js";
import { stage } from "../stage/stage.js";
import { act, done, posing } from "./pose/state.js";
import { letGo, mirror, pin, takeHold } from "./pose/drag.js";
import { chosenSliders, jointSliders, stepJoint } from "./pose/joints.js";

const HOW = [["pull", "Pull", "Drag a body: the others follow, inside their limits"], ["turn", "Turn", "Drag a body to turn it (Ctrl while you pull)"], ["carry", "Carry", "Move the whole figure (Shift: up and down, Alt: turn it)"]];
const TOLD = {
  pull: "Drag a body. Shift: along the floor. Ctrl: turn it. Double click pins a body.",
  turn: "Drag sideways or up and down to turn a body. Shift: roll it.",
  carry: "Drag to move the whole figure along the floor. Shift: up and down. Alt: turn it.",
};
const STEP = Math.PI / 36;

const postureSection = () => {
  const all = chips("Postures", { onchoose: (posture) => act("pose.set", { posture }), onremove: (name) => link.tryTo("pose.forget", { name }) });
  const own = chips("Kept postures", { onchoose: (posture) => act("pose.set", { posture }), onremove: (name) => link.tryTo("pose.forget", { name }) });
  const name = field("Keep this pose as", { placeholder: "a name" });
  const keepIt = async () => { const told = await link.tryTo("pose.keep", { name: name.input.value, time: stage.time }); if (told) { name.input.value = ""; name.input.blur(); } };
  name.input.addEventListener("keydown", (event) => { if (event.key === "Enter") keepIt(); });
  const made = section("Postures", all, own, note("Delete on one of your own forgets it."), row(name, button("Keep", { title: "Keep this pose by its name", onclick: keepIt })));
  const update = () => {
    const { postures = [], own_postures: mine = [] } = store.document || {};
    all.show(postures.filter((one) => !mine.includes(one)));
    own.show(mine);
    own.nextSibling.hidden = !mine.length;
  };
  store.on("document", update);
  update();
  return made;
};

const panel = () => {
  const hows = HOW.map(([how, label, title]) => button(label, { title, pressed: how === posing.how, onclick: () => posing.setHow(how) }));
  const told = note(), limits = note("", "warm"), auto = toggle("Set a key after each change", { checked: posing.autoKey, title: "What you pose becomes part of the take at this time", onchange: (on) => { posing.autoKey = on; } });
  const key = button("Set a key", { icon: "key", title: "Keep this pose in the take, at this time", onclick: () => done({ key: true }) });
  const free = button("Free all pins", { icon: "pin", onclick: () => link.tryTo("pose.pin", { all: true }) });
  const update = () => {
    HOW.forEach(([how], n) => hows[n].press(how === posing.how));
    hows[2].hidden = !posing.root;
    if (posing.how === "carry" && !posing.root) posing.how = "pull";
    told.say(posing.words || (posing.ready ? TOLD[posing.how] : "The character is being made ready ..."), posing.words ? "bad" : "");
    auto.set(posing.autoKey);
    key.hidden = posing.autoKey;
    free.hidden = !posing.pins.length;
  };
  const showLimits = () => {
    const names = posing.atLimits.map((name) => { const joint = store.scene && store.scene.joints.find((one) => one.coordinates.some((c) => c.name === name)); return joint ? joint.label : name; });
    limits.say(names.length ? `At ${names.length > 1 ? "their limits" : "its limit"}: ${names.slice(0, 4).join(", ")}${names.length > 4 ? ` and ${names.length - 4} more` : ""}` : "", "warm");
    limits.hidden = !names.length;
  };
  store.on("posing", update);
  store.on("posing-limits", showLimits);
  const made = document.createElement("div");
  made.append(row(...hows), told, limits, row(button("Mirror", { icon: "mirror", key: "X", title: "Left becomes right", onclick: mirror }), button("Rest", { icon: "home", title: "All joints back to rest", onclick: () => act("pose.reset") }), key, free), auto, chosenSliders(), postureSection(), section("All joints", jointSliders()));
  update();
  showLimits();
  return made;
};

const here = () => store.mode === "pose";
keys.add("X", "mirror the pose", "Pose", mirror, here);
keys.add("P", "pin or free the chosen body", "Pose", () => pin(store.selection.body), here);
keys.add("K", "set a key with the pose that is shown", "Pose", () => done({ key: true }), () => here() && stage.live); // before the timeline's
keys.add("D", "chosen joint one way", "Pose", () => stepJoint(STEP), here);
keys.add("A", "chosen joint the other way", "Pose", () => stepJoint(-STEP), here);
keys.add("Shift+D", "a little one way", "Pose", () => stepJoint(STEP / 5), here);
keys.add("Shift+A", "a little the other way", "Pose", () => stepJoint(-STEP / 5), here);

const hint = () => `Pull ${store.scene && store.scene.points.some(({ name }) => name.includes("hand")) ? "a hand" : "any part"}: the rest follows.`;

export default { name: "pose", label: "Pose", icon: "pose", key: "1", enter: takeHold, leave: letGo, panel, hint };
