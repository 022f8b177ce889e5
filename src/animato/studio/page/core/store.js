// What the page knows: the document as the server told it, the scene, what is chosen here.
import { link } from "./link.js";

const NOTHING = "There is nothing to perform yet.";
const listeners = new Map();
const tell = (name, value) => { for (const handler of [...(listeners.get(name) || [])]) handler(value); };

export const store = {
  document: null, // as in the message `document`
  scene: null,
  usage: null, // how much of each limit the open take uses
  tools: {}, // what tools told when the page came
  mode: "",
  selection: { body: -1, joint: "" },

  on(name, handler) {
    if (!listeners.has(name)) listeners.set(name, new Set());
    listeners.get(name).add(handler);
    return () => listeners.get(name).delete(handler);
  },
  tell,
  setMode(name) { if (name !== this.mode) { const before = this.mode; this.mode = name; tell("mode", { name, before }); } },
  select({ body = -1, joint = "" } = {}) {
    if (body === this.selection.body && joint === this.selection.joint) return;
    this.selection = { body, joint };
    tell("selection", this.selection);
  },
  get take() { return this.document && this.document.takes.find((one) => one.name === this.document.current); },
  // What the check says of the open take; null while it is checked. What was told last may be of another take, or of this
  // one before it had a motion.
  get outcome() {
    const { take, usage } = this, told = (usage && usage.outcome) || {};
    return take && take.duration && usage && usage.take === take.name && told.status && !(told.status === "unknown" && told.words === NOTHING) ? told : null;
  },
  // A setting of a tool that is kept in the project.
  setting(tool, name, otherwise) { const values = this.document && this.document.settings[tool]; return values && name in values ? values[name] : otherwise; },
};

link.on("hello", (message) => {
  store.document = message;
  store.tools = message.tools;
  tell("document", message);
  tell("hello", message);
});
link.on("document", (message) => { store.document = message; tell("document", message); });
link.on("scene", (message) => { store.scene = message; tell("scene", message); });
link.on("usage", (message) => { store.usage = message; tell("usage", message); });
// The whole verdict comes a moment after the numbers: slower motions are tried for it.
link.on("words", ({ take, words, suggestions }) => { const { usage } = store; if (usage && usage.take === take && usage.outcome) { usage.outcome.words = words; usage.suggestions = suggestions; tell("usage", usage); } });
