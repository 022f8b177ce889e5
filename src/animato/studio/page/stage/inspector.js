// The chosen joint beside the stage: where it is between its limits, and what it uses now of each of them.
import { h, section } from "../core/widgets.js";
import { store } from "../core/store.js";
import { KINDS, amount, kindOf, nearness, placeWords } from "./words.js";
import { stage } from "./stage.js";
import { usedAt } from "./usage.js";

const READ_MS = 100; // more often nobody can read it, and pictures come first
const NOTHING = "Press on a part of the character, or Tab on the stage, to see its joint here.";
const percent = (share) => (share > 9.995 ? "> 999 %" : `${Math.round(100 * share)} %`);

// A row: words, a bar that is filled up to a share, a value; a pin in the place of the filling where `pin`.
const bar = (words, pin = false) => {
  const filled = h("span", { class: pin ? "pin" : "filled" }), value = h("span", { class: "amount" }), made = h("div", { class: "use" }, h("span", { class: "what" }, words), h("span", { class: "track" }, filled), value);
  made.show = (share, told, kind) => {
    const place = `${(100 * Math.min(Math.max(share, 0), 1)).toFixed(1)}%`;
    if (pin) filled.style.left = place; else filled.style.width = place;
    if (value.textContent !== told) value.textContent = told;
    made.className = `use ${kind}`;
  };
  return made;
};

export const inspector = () => {
  const inside = h("div", { class: "inspector" }), made = section("Chosen joint", inside);
  let update = () => {}, waiting = false;

  const show = () => {
    const { scene } = store, name = store.selection.joint, joint = scene && scene.joints.find((one) => one.name === name);
    if (!joint) {
      const body = scene && scene.bodies[store.selection.body];
      inside.replaceChildren(h("p", { class: "note" }, body ? `${(scene.body_labels || scene.bodies)[store.selection.body]}: no joint of its own.` : NOTHING));
      update = () => {};
      return;
    }
    const heading = h("p", { class: "joint-name" }, joint.label), places = joint.coordinates.map((one) => ({ one, column: scene.coordinates.indexOf(one.name), row: one.unit === "" ? null : bar(joint.coordinates.length > 1 ? one.name : "place", true), words: h("p", { class: "note" }) }));
    const uses = new Map(), list = h("div", {}), quiet = h("p", { class: "note" });
    const note = joint.leader ? h("p", { class: "note" }, `Follows ${joint.leader}.`) : joint.coordinates.length && !joint.coordinates[0].driven ? h("p", { class: "note" }, "Has no motor: the mechanism moves it.") : null;
    inside.replaceChildren(...[heading, note, ...places.flatMap(({ row, words }) => [row, words]), list, quiet].filter(Boolean));
    update = () => {
      const values = stage.coordinatesNow();
      for (const { one, column, row, words } of places) {
        const value = values[column] ?? one.neutral, { lower, upper, unit } = one, told = placeWords(one, value);
        if (row) row.show(lower !== null && upper > lower ? (value - lower) / (upper - lower) : 0.5, amount(value, unit, 1), kindOf(nearness(one, value)));
        if (words.textContent !== told) words.textContent = told;
      }
      const axes = [...usedAt(stage.time).values()].filter((axis) => axis.joint === name), most = {};
      for (const { used } of axes) for (const [kind, share] of Object.entries(used)) most[kind] = Math.max(most[kind] ?? 0, share);
      for (const kind of Object.keys(KINDS)) {
        const share = stage.live ? undefined : most[kind];
        if (share === undefined) { if (uses.has(kind)) { uses.get(kind).remove(); uses.delete(kind); } continue; }
        if (!uses.has(kind)) { uses.set(kind, bar(KINDS[kind])); list.append(...Object.keys(KINDS).filter((one) => uses.has(one)).map((one) => uses.get(one))); }
        uses.get(kind).show(share, percent(share), kindOf(share));
      }
      const words = stage.live ? "While it is moved by hand there is nothing to compare." : uses.size ? "Now, of what the joint allows." : "";
      if (quiet.textContent !== words) quiet.textContent = words;
    };
    update();
  };

  const later = () => { if (!waiting) { waiting = true; setTimeout(() => { waiting = false; update(); }, READ_MS); } };
  for (const name of ["selection", "scene"]) store.on(name, show);
  for (const name of ["usage", "motion", "time"]) store.on(name, later);
  show();
  return made;
};
