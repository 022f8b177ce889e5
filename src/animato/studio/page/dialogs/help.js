// What the studio is, in a minute, and every key that there is.
import { dialog, h } from "../core/widgets.js";
import { keys } from "../core/keyboard.js";

const STEPS = [
  ["Watch", "Press play or Space. Drag the ground to look around, turn the wheel to come nearer, press a body to choose it."],
  ["Pose", "Drag a hand or a head: the rest follows as far as the joints go. Set a key, go on in time, pose again."],
  ["Draw", "Press on the robot, draw with mouse, pen or finger: it performs the line when you lift, with your rhythm."],
  ["Face", "Drag what it should look at. Record it, and it is a take."],
  ["Is it possible?", "The strip under the timeline is hot where a motor would be asked for too much. “Make it performable” changes the motion as little as it can."],
  ["Take it along", "Export tables for the robot, films, and pages that play anywhere."],
];

// "Ctrl++" is Ctrl and the plus itself.
const pressed = (combination) => combination.split(/\+(?=.)/).flatMap((one, place) => (place ? ["+", h("kbd", {}, one)] : [h("kbd", {}, one)]));

export const help = () => {
  const steps = h("ol", { class: "help-steps" }, STEPS.map(([name, words]) => h("li", {}, h("strong", {}, name), h("p", { class: "note" }, words))));
  const groups = [...keys.list()].map(([group, all]) => h("section", { class: "section help-keys" }, h("h3", {}, group), h("dl", {}, all.flatMap(([combination, words]) => [h("dt", {}, pressed(combination)), h("dd", {}, words)]))));
  dialog("Help", steps, h("div", { class: "help-groups" }, groups), h("p", { class: "note" }, "On a Mac, the command key is Ctrl. Everything can be undone, and every edit is saved."));
};
