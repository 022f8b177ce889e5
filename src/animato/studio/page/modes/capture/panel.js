// What can be opened, wanted and corrected, beside the stage.
import { button, choice, chips, folded, h, note, powerSlider, row, section, slider, toggle } from "../../core/widgets.js";
import { link } from "../../core/link.js";
import { store } from "../../core/store.js";
import { toast } from "../../core/toasts.js";
import { stage } from "../../stage/stage.js";
import { contactsPart } from "./contacts_panel.js";
import { jointsPart } from "./joints.js";
import { mappingPart } from "./mapping.js";
import { capture, want } from "./state.js";

const ENDINGS = ".bvh,.glb,.trc,.c3d,.npz,.amc";
const plain = (name) => name.replace(/^person_/, "a made-up person: ").replaceAll("_", " ");

const opening = () => {
  const input = h("input", { type: "file", accept: ENDINGS, hidden: true, onchange: async () => {
    for (const file of input.files) { try { const { file: name } = await link.upload(file, "capture"); await link.ask("capture.open", { file: name }); } catch (error) { toast(error.message, "bad"); } }
    input.value = "";
  } });
  const file = button("Choose a file…", { icon: "import", title: "BVH, GLB, TRC, C3D; dropping it anywhere on the page does the same", onclick: () => input.click() });
  const words = note(), shipped = chips("captures that come with animato", { onchoose: (name) => link.tryTo("capture.open", { file: `person_${name}` }) });
  const made = section("A person's motion", words, row(file), note("Or try one of these:"), shipped, input);
  made.follow = () => {
    shipped.show(((store.tools.capture && store.tools.capture.shipped) || []).map((name) => name.replace(/^person_/, "")), "");
    words.say(!capture.here ? "Drop a capture on the page: a skeleton (BVH, GLB) or markers (TRC, C3D)." : `${plain(capture.told.file.split("/").pop())}: ${capture.told.bones.length} ${capture.told.edges.length ? "bones" : "markers"}, ${(capture.told.span[1] - capture.told.span[0]).toFixed(1)} s.`);
  };
  return made;
};

const doing = () => {
  const go = button("Retarget", { primary: true, icon: "fix", key: "Enter", title: "The robot does what the person did, in balance and inside its limits", onclick: () => link.tryTo("capture.solve") });
  const words = note(), compare = choice("The motion before balance", { options: [["over", "as a ghost over it"], ["beside", "beside it"], ["off", "hidden"]], onchange: (how) => stage.ghost(how) });
  const how = choice("The person", { options: [["beside", "beside the robot"], ["over", "over the robot"], ["off", "hidden"]], value: capture.how, title: "Where the person is seen [V]", onchange: (value) => capture.show(value) });
  const made = section("Onto the robot", words, row(go), h("div", { class: "row even" }, how, compare));
  store.on("ghost", (value) => compare.set(value));
  made.follow = () => {
    const { take } = store, trouble = capture.here ? capture.told.trouble : "";
    made.hidden = !capture.here;
    if (made.hidden) return;
    go.disabled = Boolean(trouble);
    how.set(capture.how);
    compare.hidden = !capture.source.retargeted;
    compare.set(stage.placing[1]);
    words.say(trouble && take.solved ? `${take.remark} ${trouble}` : trouble || take.remark || "The robot is about to follow…", trouble ? "bad" : capture.source.retargeted && !take.verb ? (/cannot/.test(take.remark) ? "bad" : "good") : "");
  };
  return made;
};

const option = (name) => (value, gesture) => want("capture.option", { name, value, gesture: gesture || "" });
const power = (label, name, from, to, ends, title) => powerSlider(label, { from, to, ends, title, oninput: option(name) });

const wishes = () => {
  const speed = slider("Speed", { min: 0.25, max: 2, step: 0.05, unit: "times", value: 1, title: "Of the person", oninput: option("speed") });
  const part = (end) => (value, gesture) => {
    const { span, range } = capture.told, { start_s: start, end_s: last } = capture.source, fields = end ? { start, end: Math.max(value, range[0] + 0.3) } : { start: Math.min(value, range[1] - 0.3), end: last };
    if (fields.start !== null && fields.start <= span[0] + 1e-3) fields.start = null;
    if (fields.end !== null && fields.end >= span[1] - 1e-3) fields.end = null;
    want("capture.range", { ...fields, gesture });
  };
  const from = slider("Begins at", { unit: "s", title: "Of the file", oninput: part(0) }), to = slider("Ends at", { unit: "s", title: "Of the file", oninput: part(1) });
  const flags = { mirror: toggle("Mirrored: left is right", { onchange: option("mirror") }), balance: toggle("Keep the weight over the feet", { onchange: option("balance") }), torque: toggle("Stay inside what the motors can give", { onchange: option("torque") }), slow_down: toggle("May take more time where it must", { onchange: option("slow_down") }), collisions: toggle("Keep its own parts apart", { onchange: option("collisions") }) };
  const smooth = power("Smoother", "smoothness", -7, -3, ["as the person", "calm"], "Gives up likeness for calm"), together = power("Keep near what is near", "togetherness", -1, 2, ["a little", "above all"], "Such as a hand on a hip");
  const proportions = choice("The person's size", { options: [["auto", "as fits the robot"], ["whole", "scaled as a whole"], ["limbs", "limb by limb"]], onchange: option("proportions") });
  const friction = slider("Grip of the soles on the floor", { min: 0.1, max: 1.5, step: 0.05, oninput: option("friction") }), margin = slider("Of every limit stays unused", { min: 0, max: 0.4, step: 0.01, unit: "%", scale: 100, digits: 0, oninput: option("margin") });
  const made = h("div", {}, section("How", from, to, speed, flags.mirror, flags.balance, flags.torque, flags.slow_down), folded("More wishes", smooth, together, proportions, flags.collisions, friction, margin));
  made.follow = () => {
    made.hidden = !capture.here;
    if (made.hidden) return;
    const { wishes: now } = capture.source, { span, range } = capture.told;
    for (const [one, value] of [[from, range[0]], [to, range[1]]]) { one.range.min = span[0]; one.range.max = span[1]; one.range.step = 0.01; one.set(value); }
    speed.set(now.speed);
    for (const [name, one] of Object.entries(flags)) one.set(now[name]);
    smooth.set(now.smoothness);
    together.set(now.togetherness);
    proportions.set(now.proportions);
    friction.set(now.friction);
    margin.set(now.margin);
  };
  return made;
};

const found = () => {
  const list = h("ul", { class: "found" }), made = folded("What was found in the file", list);
  made.follow = () => { made.hidden = !capture.here || !capture.told.notes.length; if (!made.hidden) list.replaceChildren(...capture.told.notes.map((words) => h("li", {}, words.replaceAll("_", " ")))); };
  return made;
};

export const capturePanel = () => {
  const parts = [doing(), opening(), jointsPart(), mappingPart(), contactsPart(), wishes(), found()], made = h("div", { class: "capture-panel" }, ...parts);
  const follow = () => { for (const one of parts) one.follow(); };
  capture.on(follow);
  follow();
  return made;
};
