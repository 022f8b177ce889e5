// How a motion is made performable: what may give way, and what stays as the artist has it.
import { button, chips, choice, folded, gesture, h, note, popover, row, section, slider, toggle } from "../core/widgets.js";
import { link } from "../core/link.js";
import { stage } from "../stage/stage.js";
import { store } from "../core/store.js";

const HELD = [["balance", "Keep its balance"], ["collisions", "Keep its parts from touching"], ["torque", "Spare its motors' strength"], ["jerk", "Without jolts"]];

export const fix = (anchor) => {
  const wish = (name, otherwise) => store.setting("fix", name, otherwise);
  const set = (values, one = gesture()) => link.tryTo("fix.set", { ...values, gesture: one });
  const postures = store.document.postures.filter((one) => !store.document.own_postures.includes(one));
  const ways = [["clip", "as the artist has it"], ["rest", "softly, from standing still"], ...postures.map((one) => [one, `softly, in “${one}”`])];
  const kept = chips("stays as it is", { onchoose: (name) => protect(wish("protect", []).filter((one) => one !== name)) }), said = note();
  const protect = async (all) => { if (await set({ protect: all })) show(); };
  const show = () => { const all = wish("protect", []); kept.show(all); said.say(all.length ? "Press one to let it change again." : "Nothing; joints and moments can be added."); };
  const add = (words) => { if (words && !wish("protect", []).includes(words)) protect([...wish("protect", []), words]); };
  const joint = button("The chosen joint", { icon: "add", disabled: !store.selection.joint, title: "Choose a joint on the stage first", onclick: () => add(store.selection.joint) });
  const stretch = button("The looped stretch", { icon: "add", disabled: !(stage.range && stage.range.length), title: "Choose a stretch on the timeline first", onclick: () => { const [a, b] = stage.range; add(`${a.toFixed(2)}-${b.toFixed(2)}`); } });
  const box = popover(anchor, h("strong", {}, "Make it performable"), note("The smallest change that can be seen, after which the robot can do it."),
    slider("What gives way", { min: 0, max: 1, step: 0.05, value: wish("time", 0), digits: 2, title: "0 keeps the timing and changes poses; 1 keeps poses and slows down where it must", oninput: (value, one, done) => { if (done) set({ time: value }, one); } }),
    h("div", { class: "ends small muted" }, h("span", {}, "poses"), h("span", {}, "time")),
    choice("It begins", { options: ways, value: wish("start", "clip"), onchange: (start) => set({ start }) }), choice("It ends", { options: ways, value: wish("end", "clip"), onchange: (end) => set({ end }) }),
    section("Stays exactly as it is", kept, said, row(joint, stretch)),
    folded("What is kept besides the speed of motors", ...HELD.map(([name, words]) => toggle(words, { checked: wish(name, true), onchange: (on) => set({ [name]: on }) }))),
    row(button("Make it performable", { primary: true, icon: "fix", key: "Ctrl+Enter", onclick: async () => { if (await link.tryTo("fix.make")) box.close(); } })));
  show();
};
