// Can the robot do what is open? One word that is always current, and behind it what is wrong, when and where.
import { store } from "./store.js";
import { dress, h, note, popover, put } from "./widgets.js";
import { stage } from "../stage/stage.js";

const SETTLED_MS = 900;
const said = h("p", { class: "hidden-words", role: "status", aria: { live: "polite" } }); // for those who do not see its colour
let saying = 0;

export const verdict = () => {
  const made = h("button", { class: "verdict unknown", type: "button", title: "What the robot can and cannot do of it", onclick: () => details(made) }, "no motion yet");
  const show = () => {
    const [kind, words] = wordOf(store), take = store.take;
    dress(made, `verdict ${kind}`);
    put(made, words);
    clearTimeout(saying); // while something is dragged it changes all the time
    if (kind !== "unknown") saying = setTimeout(() => { const now = `${take.name}: ${words}`; if (said.textContent !== now) said.textContent = now; }, SETTLED_MS);
  };
  store.on("usage", show);
  store.on("document", show);
  show();
  document.body.append(said);
  return made;
};

const wordOf = ({ take, usage, outcome }) => {
  if (!take || !take.duration) return ["unknown", take && take.remark ? "cannot" : take && take.kind === "drawn" ? "working it out…" : "no motion yet"];
  if (!outcome) return ["unknown", "checking…"];
  return outcome.status === "unknown" ? ["unknown", "not checked"] : outcome.status === "solved" ? ["good", "the robot can"] : ["bad", countOf(usage)];
};

// What is nearly too much is told behind the word, but exceeds nothing.
const countOf = ({ findings }) => {
  const count = findings.filter(({ over }) => over !== false).length;
  return count ? `${count} ${count === 1 ? "limit" : "limits"} exceeded` : "the robot cannot";
};

const details = (anchor) => {
  const { usage } = store, take = store.take;
  if (!usage) { popover(anchor, note((take && take.remark) || "There is nothing to check yet: draw, pose, or import a clip.")); return; }
  const moment = ({ time, joint, words }) => h("li", {}, h("button", { type: "button", onclick: () => { stage.play(false); stage.seek(time); if (joint) store.select({ joint, body: -1 }); } }, words));
  popover(anchor, h("strong", {}, usage.outcome.words), take && take.remark && note(take.remark),
    h("ul", { class: "findings" }, usage.findings.slice(0, 40).map(moment)), (usage.remarks || []).map((words) => note(words)));
};
