// Whose project it is, and whether all of it is saved.
import { button, choice, h, note, popover, row, section } from "../core/widgets.js";
import { keys } from "../core/keyboard.js";
import { link } from "../core/link.js";
import { stage } from "../stage/stage.js";
import { store } from "../core/store.js";
import { toast } from "../core/toasts.js";
import { chooseFiles } from "./new_take.js";

const CHARACTERS = [".yaml", ".yml", ".urdf", ".xml", ".mjcf", ".usd", ".usda"];
const state = { saved: true, when: 0, trouble: "" };

const words = () => (state.trouble ? "not saved" : state.saved ? "saved" : "saving…");
const told = () => {
  if (state.trouble) return state.trouble;
  return state.when ? `Saved at ${new Date(1000 * state.when).toLocaleTimeString()}; every edit is, within a second.` : "Every edit is saved, within a second.";
};

// A demo wakes up when it is opened: it plays, with the tool at hand with which it was made. Once somebody has edited, it does not.
const wake = () => {
  const off = link.on("motion", ({ figure }) => {
    if (figure !== "main") return;
    off();
    if (!store.document || store.document.undo || !store.setting("project", "plays", false)) return;
    setTimeout(() => {
      if (store.openMode && innerWidth > 720) store.openMode(store.setting("project", "mode", "pose"));
      if (!matchMedia("(prefers-reduced-motion: reduce)").matches) stage.play(true);
    });
  });
};

export const project = () => {
  const name = h("span", { class: "project-name" }), mark = h("span", { class: "project-saved small muted", role: "status" });
  const made = h("button", { class: "widget quiet project", type: "button", title: "The project and its character", onclick: () => details(made) }, name, mark);
  const show = () => {
    name.textContent = store.document ? store.document.character : "";
    mark.textContent = words();
    mark.className = `project-saved small ${state.trouble ? "bad" : "muted"}`;
    made.setAttribute("aria-label", `Project of ${name.textContent}, ${mark.textContent}`);
  };
  store.on("hello", ({ tools }) => { Object.assign(state, tools.project ? { saved: tools.project.saved, when: tools.project.when, trouble: tools.project.trouble } : {}); show(); });
  store.on("document", show);
  link.on("saved", (message) => { Object.assign(state, message); show(); });
  wake();
  keys.add("Ctrl+S", "nothing to do: everything is saved by itself", "Everywhere", () => toast(told(), state.trouble ? "bad" : "good"));
  return made;
};

const details = (anchor) => {
  const { folder = "", place = "", characters = [] } = store.tools.project || {}, now = store.document.character;
  const known = characters.some((one) => one.name === now), about = note(wordsOf(characters, now));
  const who = choice("Character", {
    options: [...(known ? [] : [[now, `${now} (this project's own)`]]), ...characters.map((one) => [one.name, one.name])], value: now,
    onchange: async (character) => {
      about.say(wordsOf(characters, character));
      if (await link.tryTo("project.character", { name: character })) toast("Takes that this character cannot do are left out; undo brings them back.");
    },
  });
  popover(anchor, h("strong", {}, folder), note(told(), state.trouble ? "bad" : ""), h("p", { class: "note path" }, place),
    section("Who performs", who, about, row(button("A character's file…", { icon: "import", title: `Files that end in ${CHARACTERS.join(", ")}`, onclick: () => chooseFiles(CHARACTERS) }))));
};

const wordsOf = (characters, name) => (characters.find((one) => one.name === name) || { words: "" }).words;
