// What the mode of posing knows: what can be moved, what is pinned, how a drag is meant.
import { link } from "../../core/link.js";
import { store } from "../../core/store.js";
import { stage } from "../../stage/stage.js";

const kept = (name, otherwise) => { try { return localStorage.getItem(`animato-pose-${name}`) ?? otherwise; } catch { return otherwise; } };
const keep = (name, value) => { try { localStorage.setItem(`animato-pose-${name}`, value); } catch { /* private windows keep nothing */ } };

export const posing = {
  ready: false, words: "", driven: [], root: false, pins: [],
  atLimits: [],
  how: "pull", // pull, turn, carry
  get autoKey() { return kept("auto-key", "yes") === "yes"; },
  set autoKey(on) { keep("auto-key", on ? "yes" : "no"); store.tell("posing"); },
  setHow(how) { this.how = how; store.tell("posing"); },
};

const take = (told) => { Object.assign(posing, { ready: told.ready, words: told.words, driven: told.driven, root: told.root, pins: told.pins }); store.tell("posing"); stage.ask(); };
link.on("posing", take);
store.on("hello", ({ tools }) => { if (tools.pose) take(tools.pose); });
if (store.tools.pose) take(store.tools.pose);
link.on("pose", (message) => {
  if (message.by !== "pose") return;
  posing.atLimits = message.off ? [] : message.at_limits;
  store.tell("posing-limits");
});

export const jointOf = (name) => store.scene && store.scene.joints.find((one) => one.name === name);
// What ends a change: with keys by themselves it is part of the motion, else it stands until something else is shown.
export const done = (fields = {}) => link.tryTo("pose.done", { time: stage.time, key: posing.autoKey, ...fields });
// As `tryTo`, with where and whether a key is set.
export const act = (what, fields = {}) => link.tryTo(what, { time: stage.time, key: posing.autoKey, ...fields });
