// Who is who, as a list: each part of the body with the bone or marker of the person and the body of the robot.
import { button, choice, h, note, row, section, slider, toggle } from "../../core/widgets.js";
import { store } from "../../core/store.js";
import { capture, map, want } from "./state.js";

const FOUND = "", NONE = "-";

export const mappingPart = () => {
  const told = note(), lines = toggle("Show lines from the person to the robot", { checked: capture.lines, title: "[L]", onchange: (on) => { capture.lines = on; capture.news(); } });
  const list = h("div", { class: "who", role: "listbox", aria: { label: "parts of the body" } });
  const person = choice("On the person", { onchange: (value) => (value === FOUND ? map(capture.chosen, { found: "person" }) : map(capture.chosen, { person: value === NONE ? [] : [value] })) });
  const robot = choice("On the robot", { onchange: (value) => (value === FOUND ? map(capture.chosen, { found: "robot" }) : map(capture.chosen, { body: value, at: [0, 0, 0] })) });
  const weight = slider("Counts", { min: 0, max: 10, step: 0.5, digits: 1, unit: "times", value: 1, title: "How much it matters that this part is where the person has it", oninput: (value, gesture) => want("capture.map", { part: capture.chosen, weight: value, gesture }) });
  const again = button("As it was found", { onclick: () => map(capture.chosen, { found: "all" }) });
  const editor = h("div", { class: "who-editor" }, h("div", { class: "row even" }, person, robot), weight, row(again));
  const made = section("Who is who", told, lines, list, editor);
  let shown = "";

  // Rows are made anew only where something in them is another one: a focus stays where it is.
  const rows = () => {
    const { parts } = capture.told, key = JSON.stringify([parts, capture.chosen]);
    if (key === shown) return;
    shown = key;
    const focused = list.contains(document.activeElement) ? document.activeElement.dataset.part : "";
    list.replaceChildren(...parts.map(({ name, label, sources, known, said, body, placed }) => h("button", { type: "button", role: "option", class: "who-row", data: { part: name }, aria: { selected: String(name === capture.chosen) }, onclick: () => capture.choose(name) },
      h("b", {}, label), h("span", { class: said ? "said" : known ? "" : "none" }, known ? sources.join(" + ") || "worked out" : "not there"), h("span", { class: placed ? "said" : body >= 0 ? "" : "none" }, body >= 0 && store.scene ? store.scene.bodies[body].replaceAll("_", " ") : "not there"))));
    const again_ = focused && list.querySelector(`[data-part="${focused}"]`);
    if (again_) again_.focus();
  };

  made.follow = () => {
    made.hidden = !capture.here || (capture.told.names.length > 0 && capture.told.parts.every(({ body }) => body < 0)); // no humanoid
    if (made.hidden) return;
    const part = capture.part(capture.chosen), missing = capture.told.parts.filter(({ known, body }) => known !== body >= 0).length;
    told.say(part ? `${part.label}: press the place on the robot${capture.told.names.length ? "" : ", and the bone on the person"}, or choose below.` : `Press a part of the person, then where the robot has it. ${missing ? `${missing} parts are on one of both only and do not count.` : ""}`);
    lines.set(capture.lines);
    rows();
    editor.hidden = !part;
    if (!part) return;
    person.options([[FOUND, "as found by itself"], [NONE, "left out"], ...capture.told.bones.map((bone) => [bone, bone])], part.said ? (part.sources.length === 1 ? part.sources[0] : part.known ? FOUND : NONE) : FOUND);
    robot.options([[FOUND, "as found by itself"], ...store.scene.bodies.map((body) => [body, body.replaceAll("_", " ")])], part.placed && part.body >= 0 ? store.scene.bodies[part.body] : FOUND);
    weight.set(part.weight);
    again.disabled = !part.said && !part.placed;
  };
  return made;
};
