// Which bone moves which joint, for characters that are no humanoids: their joints take over angles.
import { button, choice, h, note, row, section } from "../../core/widgets.js";
import { link } from "../../core/link.js";
import { store } from "../../core/store.js";
import { capture } from "./state.js";

export const jointsPart = () => {
  const all = button("Take over angles by name", { title: "Of bones that are called like joints", onclick: () => link.tryTo("capture.transfer") }), list = h("div", { class: "bones-of-joints" });
  const made = section("Which bone moves which joint", note("This character is no humanoid: it cannot do what the person does, but its joints can turn as bones do. Choose a bone for a joint."), row(all), list);
  let key = "";
  made.follow = () => {
    made.hidden = !capture.here || !capture.told.trouble || !capture.told.edges.length || !store.scene;
    if (made.hidden) return;
    const joints = store.scene.joints.filter(({ coordinates }) => coordinates.length), { bones } = capture.told, now = JSON.stringify([joints.map(({ name }) => name), bones]);
    if (now !== key) {
      key = now;
      list.replaceChildren(...joints.map(({ name, label }) => { const one = choice(label, { options: [["", "as its name tells"], ...bones.map((bone) => [bone, bone])], onchange: (bone) => link.tryTo("capture.joint", { joint: name, bone }) }); one.joint = name; return one; }));
    }
    for (const one of list.children) one.set((capture.source.joints || {})[one.joint] || "");
  };
  return made;
};
