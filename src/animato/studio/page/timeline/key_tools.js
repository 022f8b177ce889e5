// Buttons and keys for key poses.
import { button, field, h, note, popover, row, slider } from "../core/widgets.js";
import { keys } from "../core/keyboard.js";
import { link } from "../core/link.js";
import { store } from "../core/store.js";
import { stage } from "../stage/stage.js";
import { goToTrouble } from "./heat.js";
import { easeMark, easeMenu } from "./key_track.js";
import { setRange } from "./ruler.js";
import { EASES, allKeys, copyKeys, deleteKeys, easeKeys, goToKey, keySelection, meant, mirrorKeys, nudgeKeys, pasteKeys, setKey, source } from "./selection.js";
import { usage } from "./usage.js";
import { view } from "./view.js";

const DEGREE = Math.PI / 180;

const more = (anchor) => {
  const keyed = source().kind === "keyed", take = store.take;
  let tolerance = 2 * DEGREE;
  const seconds = field("How long it lasts [s]", { type: "number", value: take ? take.duration.toFixed(2) : "" });
  Object.assign(seconds.input, { min: 0.02, max: 3600, step: 0.1 });
  const last = (how) => link.tryTo("key.duration", { seconds: Number(seconds.input.value), how });
  popover(anchor, h("strong", {}, "Length"), seconds,
    row(button("Stretch", { title: "Everything becomes slower or faster", onclick: () => last("stretch") }), button("Cut or hold the end", { title: "Cuts the end off, or holds the last pose longer", onclick: () => last("cut") })),
    h("div", { class: "section" }, h("strong", {}, "Keys from this motion"), note("Few keys in the place of all frames, so that poses can be edited."),
      slider("May be off by", { min: 0.2, max: 15, step: 0.1, value: 2, unit: "°", digits: 1, oninput: (value) => { tolerance = value * DEGREE; } }),
      button("Make keys", { icon: "key", onclick: () => link.tryTo("key.extract", { tolerance }) })),
    keyed && !source().blank && h("div", { class: "section" }, slider("Keys reach into the motion under them", { min: 0, max: 5, step: 0.05, value: source().reach, unit: "s", oninput: (value, gesture) => link.send("key.reach", { seconds: value, gesture }) })),
    h("div", { class: "section" }, h("strong", {}, "Loop"), row(button("From here", { key: "I", onclick: () => setRange(stage.time, stage.range ? stage.range[1] : view.end) }),
      button("To here", { key: "O", onclick: () => setRange(stage.range ? stage.range[0] : view.begin, stage.time) }), button("All", { key: "Shift+I", onclick: () => { stage.range = null; view.tell(); } }))));
};

const shortcuts = (say, anchor) => {
  const add = (combination, words, handler, when) => keys.add(combination, words, "Keys", handler, when), some = () => meant().length > 0;
  add("K", "set a key here", () => setKey());
  add("[", "to the key before", () => goToKey(-1));
  add("]", "to the next key", () => goToKey(1));
  add("Alt+Left", "move keys one frame back", () => nudgeKeys(-1));
  add("Alt+Right", "move keys one frame on", () => nudgeKeys(1));
  add("Alt+Shift+Left", "move keys ten frames back", () => nudgeKeys(-10));
  add("Alt+Shift+Right", "move keys ten frames on", () => nudgeKeys(10));
  add("Delete", "delete keys", deleteKeys, () => keySelection.times.length > 0);
  add("Backspace", "", deleteKeys, () => keySelection.times.length > 0);
  EASES.forEach(([name, words], n) => add(`Alt+${n + 1}`, words, () => easeKeys(name), some));
  add("E", "how keys are reached", () => easeMenu(anchor()), some);
  add("M", "mirror the poses of keys", mirrorKeys, some);
  add("Ctrl+C", "copy keys", copyKeys, () => keySelection.times.length > 0 || (some() && !String(getSelection())));
  add("Ctrl+V", "put copied keys here", pasteKeys);
  add("Ctrl+A", "choose all keys", () => keySelection.all());
  add("Esc", "choose no key", () => keySelection.set([]), () => keySelection.times.length > 0);
  keys.add("T", "to the next trouble", "Time", () => say(goToTrouble(1)));
  keys.add("Shift+T", "to the trouble before", "Time", () => say(goToTrouble(-1)));
};

export const keyTools = () => {
  const said = h("p", { class: "hidden-words", aria: { live: "polite" } }), say = (words) => { said.textContent = words; };
  const set = button("Key", { icon: "key", title: "Set a key here: the pose at this moment", key: "K", wide: true, onclick: () => setKey() });
  const ease = h("button", { class: "widget", type: "button", title: "How the chosen keys are reached [E]", onclick: () => easeMenu(ease) });
  const chosenOnly = [ease, button("", { icon: "mirror", title: "Mirror the pose: left and right exchanged", key: "M", onclick: mirrorKeys }), button("", { icon: "copy", title: "Copy keys", key: "Ctrl+C", onclick: copyKeys }),
    button("", { icon: "trash", title: "Delete keys", key: "Delete", onclick: deleteKeys })];
  const group = h("span", { class: "chosen-keys group" }, chosenOnly);
  const trouble = button("", { icon: "heat", title: "To the next moment that is too much for the robot", key: "T", onclick: () => { const words = goToTrouble(1); say(words); link.tell("toast", { words, kind: usage.now && usage.now.troubles.length ? "plain" : "good" }); } });
  const options = button("", { icon: "more", title: "Length, loop, and keys from this motion", onclick: () => more(options) });
  const show = () => {
    const { keys: chosen } = keySelection, eases = [...new Set(chosen.map((key) => key.ease))];
    group.hidden = !chosen.length;
    ease.replaceChildren(easeMark(eases[0]), h("span", {}, eases.length === 1 ? eases[0] : "mixed"));
    if (chosen.length === 1) say(`key ${allKeys().indexOf(chosen[0]) + 1} of ${allKeys().length} at ${chosen[0].time.toFixed(2)} seconds, ${chosen[0].ease}`);
    else if (chosen.length) say(`${chosen.length} keys chosen`);
  };
  keySelection.onChange(show);
  show();
  shortcuts(say, () => (group.hidden ? set : ease));
  return h("div", { class: "group key-tools", role: "group", aria: { label: "keys" } },
    button("", { icon: "back", title: "To the key before", key: "[", quiet: true, onclick: () => goToKey(-1) }), set, button("", { icon: "forward", title: "To the next key", key: "]", quiet: true, onclick: () => goToKey(1) }), group, trouble, options, said);
};
