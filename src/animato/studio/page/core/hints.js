// One quiet line on the stage in each mode that says how to begin; gone for good once it was done, or sent away.
import { button, h } from "./widgets.js";
import { store } from "./store.js";

const KEPT = "animato-hints", ON_STAGE = ["pose", "draw", "face"]; // modes that begin on the stage; others in the panel
const known = () => { try { return JSON.parse(localStorage.getItem(KEPT)) || []; } catch { return []; } };
const keep = (names) => { try { localStorage.setItem(KEPT, JSON.stringify(names)); } catch { /* private windows are told again */ } };

// `hintOf(mode)` gives words, or "" where there is nothing to begin with.
export const hints = (place, panel, hintOf) => {
  const words = h("span"), line = h("p", { class: "hint", hidden: true, role: "note" }, words, button("", { icon: "close", title: "I know", quiet: true, onclick: () => done() }));
  let learnt = known();
  const show = () => {
    const told = learnt.includes(store.mode) ? "" : hintOf(store.mode);
    if (words.textContent !== told) words.textContent = told;
    line.hidden = !told;
  };
  const done = () => {
    if (line.hidden) return;
    learnt = [...learnt, store.mode];
    keep(learnt);
    show();
  };
  store.on("gripped", done);
  store.on("mode", show);
  store.on("hello", show);
  for (const name of ["document", "scene", "hints"]) store.on(name, show); // another character has other words
  if (panel) panel.addEventListener("click", (event) => { if (!ON_STAGE.includes(store.mode) && event.target.closest(".mode-panel button")) done(); });
  place.append(line);
};
