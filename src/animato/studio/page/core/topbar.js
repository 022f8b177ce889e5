// The bar on top: whose project, which take, can the robot do it, and what is done to all of it.
import { button, h, put } from "./widgets.js";
import { jobs } from "./jobs.js";
import { keys } from "./keyboard.js";
import { link } from "./link.js";
import { store } from "./store.js";
import { switchTheme } from "./theme.js";
import { verdict } from "./verdict.js";

export const topbar = (place, dialogs) => {
  const undo = button("", { icon: "undo", quiet: true, onclick: () => link.send("undo") }), redo = button("", { icon: "redo", quiet: true, onclick: () => link.send("redo") });
  const fix = button("Make it performable", { icon: "fix", wide: true, title: "Changes the motion as little as possible, so that the robot can do it", key: "Ctrl+Enter", onclick: () => performable() });
  const options = button("", { icon: "settings", quiet: true, title: "How it is made performable", onclick: () => dialogs.fix && dialogs.fix(options) });
  const theme = button("", { icon: "theme", title: "Light or dark", quiet: true, onclick: switchTheme });
  theme.classList.add("wide-only"); // a phone is as its system says
  const performable = () => { if (store.take && store.take.verb) link.tryTo("fix.drop"); else link.tryTo("fix.make"); };
  place.replaceChildren(h("span", { class: "brand" }, "animato"), dialogs.project ? dialogs.project() : "", h("div", { class: "takes" }, dialogs.takes ? dialogs.takes() : ""),
    jobs(), h("div", { class: "group can" }, verdict(), fix, options),
    h("div", { class: "group" }, undo, redo, button("", { icon: "export", title: "Export", key: "Ctrl+E", quiet: true, onclick: () => dialogs.exports && dialogs.exports() }),
      theme, button("", { icon: "help", title: "Help and all keys", key: "?", quiet: true, onclick: () => dialogs.help && dialogs.help() })));
  const show = () => {
    const { document: told } = store, take = store.take;
    if (!told) return;
    [[undo, told.undo, "Undo", "Ctrl+Z"], [redo, told.redo, "Redo", "Ctrl+Shift+Z"]].forEach(([one, label, word, key]) => {
      one.disabled = !label;
      const words = label ? `${word}: ${label} [${key}]` : `Nothing to ${word.toLowerCase()}`;
      if (one.title !== words) { one.title = words; one.setAttribute("aria-label", words); }
    });
    const { status = "unknown" } = store.outcome || {}, busy = working.some(({ title }) => take && title === `making '${take.name}' performable`);
    fix.disabled = busy || !take || !take.solved;
    fix.classList.toggle("primary", !busy && status !== "solved" && status !== "unknown"); // it calls only where it is needed
    fix.setAttribute("aria-busy", String(busy));
    put(fix.querySelector("span"), busy ? "Making it performable…" : take && take.verb ? "Back to the artist's" : "Make it performable");
    fix.setAttribute("aria-label", fix.querySelector("span").textContent); // its words are not seen on a phone
  };
  let working = [];
  link.on("jobs", (message) => { working = message.jobs; show(); });
  store.on("hello", ({ tools }) => { working = (tools.job && tools.job.jobs) || []; show(); });
  store.on("document", show);
  store.on("usage", show);
  keys.add("Ctrl+Z", "undo", "Everywhere", () => link.send("undo"));
  keys.add("Ctrl+Shift+Z", "redo", "Everywhere", () => link.send("redo"));
  keys.add("Ctrl+Y", "", "Everywhere", () => link.send("redo"));
  keys.add("Ctrl+Enter", "make it performable, and back", "Everywhere", performable);
  keys.add("Ctrl+E", "export", "Everywhere", () => dialogs.exports && dialogs.exports());
  keys.add("?", "this help", "Everywhere", () => dialogs.help && dialogs.help());
};
