// Joints on the stage: marked where something may change; a press opens a small menu that frees or fixes them.
import { button, field, h, note, popover, toggle } from "../../core/widgets.js";
import { keys } from "../../core/keyboard.js";
import { link } from "../../core/link.js";
import { store } from "../../core/store.js";
import { stage } from "../../stage/stage.js";
import { design } from "./state.js";

const NEAR_PX = 20, FINGER_PX = 30;
const FREE = [0.04, 0.4, 0.85], OWN = [0.02, 0.58, 0.4], QUIET = [0.45, 0.48, 0.54];

const fixed = () => store.scene.joints.filter(({ role }) => role !== "configurable");
const placeOf = (joint) => stage.bodyPose(joint.body).place(joint.place);
const isFree = (joint) => Boolean(design.told) && design.told.freed.some(({ name, what }) => (what === "length" ? name === store.scene.bodies[joint.body] : name === joint.name));

const drawn = (now, out, top) => {
  if (!store.scene) return;
  for (const joint of store.scene.joints) {
    const own = joint.role === "configurable", free = !own && isFree(joint), colour = own ? OWN : free ? FREE : QUIET;
    const place = placeOf(joint), across = free ? 22 : own ? 12 : 15;
    top.ring(place, [1, 1, 1], own || free ? 0.9 : 0.5, across + 3, free ? 7 : own ? 5 : 3.5); // light around it, so that it is seen on any colour
    top.ring(place, colour, own || free ? 1 : 0.85, across, free ? 4 : 2);
  }
};

const jointAt = (x, y, room) => {
  let best = room, found = null;
  for (const joint of fixed()) {
    const [a, b] = stage.project(placeOf(joint)), far = Math.hypot(a - x, b - y);
    if (far < best) { best = far; found = joint; }
  }
  return found;
};

export const openJoint = async (name, anchor) => {
  const joint = store.scene.joints.find((one) => one.name === name), told = await link.tryTo("design.choices", { joint: name });
  if (!joint || !told) return;
  stage.markJoint(name);
  const rows = told.choices.map((one) => {
    const far = field(`how far, ${one.unit === "deg" ? "degrees" : "mm"} each way`, { type: "number", value: one.far ?? "", placeholder: "as usual", onchange: () => send() });
    const free = toggle(one.label, { checked: one.on, onchange: () => send() });
    const send = () => { far.hidden = !free.box.checked; link.tryTo("design.free", { name: one.name, what: one.what, on: free.box.checked, ...(Number(far.input.value) > 0 ? { far: Number(far.input.value) } : {}) }); };
    far.hidden = !one.on;
    return h("div", { class: "freedom" }, free, far);
  });
  popover(anchor, h("h3", {}, joint.label), rows.length ? rows : note("Nothing of this joint can change."), button("Close", { onclick: (event) => event.target.closest(".popover").close() }));
};

let pressed = null, off = [];
const grip = { down(event) { pressed = event; return null; } }; // only remembers where: a press that moves turns the camera
const press = (hit) => {
  if (!pressed || !store.scene) return;
  const joint = jointAt(pressed.clientX, pressed.clientY, pressed.pointerType === "touch" ? FINGER_PX : NEAR_PX) || (hit && fixed().find(({ body }) => body === hit.body));
  if (joint) openJoint(joint.name, { x: pressed.clientX, y: pressed.clientY });
};

export const showJoints = () => {
  stage.layer("design joints", drawn);
  stage.grip("design joints", grip, 10); // after the handles
  off = [store.on("press", press), keys.add("Enter", "free or fix the chosen joint (stage)", "Design", () => {
    const joint = fixed().find(({ name }) => name === store.selection.joint), [x, y] = stage.project(placeOf(joint));
    openJoint(joint.name, { x, y, focus: () => stage.canvas.focus() });
  }, (event) => event.target === stage.canvas && Boolean(store.scene) && fixed().some(({ name }) => name === store.selection.joint))];
};
export const hideJoints = () => {
  stage.layer("design joints", null);
  stage.grip("design joints", null);
  for (const away of off.splice(0)) away();
  document.querySelectorAll(".popover").forEach((one) => one.close());
};
