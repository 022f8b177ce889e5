// What is chosen: by a press on the character, or by Tab from joint to joint; told to those who cannot see it.
import { keys } from "../core/keyboard.js";
import { store } from "../core/store.js";
import { placeWords } from "./words.js";

const TURN = 12; // pixels of a drag that an arrow key stands for

export const listenForSelection = (stage) => {
  const { canvas, orbit } = stage, told = document.createElement("p");
  let leaving = false; // after Esc, Tab leaves the stage
  told.className = "stage-told";
  told.setAttribute("aria-live", "polite");
  stage.root.append(told);

  const jointsOf = () => (stage.cast ? stage.cast.scene.joints.filter((joint) => joint.coordinates.length) : []);
  const jointOf = (body) => { const all = stage.cast.scene.joints.filter((joint) => joint.body === body); return all.find((joint) => joint.coordinates.length) || all[0] || null; };

  store.on("press", (hit) => {
    leaving = false;
    if (!hit || !stage.cast) { store.select(); return; }
    const joint = jointOf(hit.body);
    store.select({ body: hit.body, joint: joint ? joint.name : "" });
  });

  const show = () => {
    const { body, joint: name } = store.selection, scene = stage.cast && stage.cast.scene;
    if (!scene) return;
    stage.joint = scene.joints.find((one) => one.name === name) || null;
    stage.marked = stage.joint ? stage.joint.body : body;
    told.textContent = words(stage, scene, body);
    stage.ask(false);
  };
  store.on("selection", show);
  store.on("scene", (scene) => { if (!scene.joints.some((one) => one.name === store.selection.joint)) store.select(); show(); }); // another character

  canvas.addEventListener("focus", () => { leaving = false; });
  canvas.addEventListener("keydown", (event) => {
    if (event.key === "Escape") { leaving = true; store.select(); return; }
    if (event.key !== "Tab" || leaving || event.ctrlKey || event.altKey) return;
    const all = jointsOf(), now = all.findIndex((joint) => joint.name === store.selection.joint), next = now < 0 ? (event.shiftKey ? -1 : 0) : now + (event.shiftKey ? -1 : 1);
    if (next < 0 || next >= all.length) return; // on to what stands beside the stage
    event.preventDefault();
    store.select({ body: all[next].body, joint: all[next].name });
  });

  const here = (event) => event.target === canvas, view = (name, across, down) => {
    keys.add(`Shift+${name}`, `turn the view ${name.toLowerCase()} (stage)`, "View", () => { orbit.turnBy(TURN * across, TURN * down); orbit.keep(); }, here);
    keys.add(`Ctrl+${name}`, `move the view ${name.toLowerCase()} (stage)`, "View", () => { orbit.pan(-3 * TURN * across, -3 * TURN * down, canvas.clientHeight, stage.lens()); orbit.keep(); }, here);
  };
  view("Left", -1, 0);
  view("Right", 1, 0);
  view("Up", 0, -1);
  view("Down", 0, 1);
  for (const [name, factor, words] of [["+", 0.88, "come closer"], ["=", 0.88, ""], ["-", 1 / 0.88, "step back"]]) keys.add(name, words, "View", () => { orbit.zoom(factor); orbit.keep(); });
};

const words = (stage, scene, body) => {
  const { joint } = stage;
  if (!joint) return body >= 0 ? `${(scene.body_labels || scene.bodies)[body]} is chosen; no joint moves it.` : "Nothing is chosen.";
  const values = stage.coordinatesNow(), places = joint.coordinates.map((one) => placeWords(one, values[scene.coordinates.indexOf(one.name)] ?? one.neutral));
  return `${joint.label}: ${places.length ? places.join("; ") : "follows another joint"}.`;
};
