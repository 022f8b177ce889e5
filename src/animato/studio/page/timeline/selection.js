// Which keys are chosen, and what can be done with them; the server has the keys, the page only their times.
import { link } from "../core/link.js";
import { store } from "../core/store.js";
import { gesture } from "../core/widgets.js";
import { stage } from "../stage/stage.js";

const SAME_S = 1e-4;
const listeners = new Set();
let chosen = [], takeOf = "", choices = 0;

export const EASES = [
  ["through", "through: passes the pose, goes beyond none"], ["flow", "flow: the smoothest way, may go a little beyond"], ["smooth", "smooth: comes to rest in the pose"], ["even", "even: one speed all the way"],
  ["snap", "snap: faster and faster, then stops"], ["launch", "launch: off at once, then slower"], ["hold", "hold: waits, then moves at the end"],
];

export const source = () => (store.document && store.document.source) || {};
export const allKeys = () => source().keys || [];
export const frameLength = () => {
  const { begin, end, frames } = source(), motion = stage.motionOf("main");
  if (frames > 1) return (end - begin) / (frames - 1);
  return motion && motion.times.length > 1 ? (motion.times.at(-1) - motion.times[0]) / (motion.times.length - 1) : 0.02;
};
export const snapped = (time) => { const step = frameLength(), begin = source().begin ?? stage.begin; return begin + Math.round((time - begin) / step) * step; };

const tell = () => { for (const listener of listeners) listener(); };
export const keySelection = {
  get times() { return chosen; },
  get keys() { return allKeys().filter(({ time }) => this.has(time)); },
  has: (time) => chosen.some((one) => Math.abs(one - time) < SAME_S),
  onChange(listener) { listeners.add(listener); },
  set(times) { choices++; chosen = [...times].sort((a, b) => a - b); tell(); },
  // What an answer says is chosen only where nobody has chosen something else meanwhile.
  follow() { const asked = choices; return (times) => { const mine = asked === choices; if (mine) { this.set(times); } return mine; }; },
  toggle(time) { this.set(this.has(time) ? chosen.filter((one) => Math.abs(one - time) >= SAME_S) : [...chosen, time]); },
  all() { this.set(allKeys().map(({ time }) => time)); },
};
store.on("document", (told) => {
  if (told.current !== takeOf) { takeOf = told.current; chosen = []; }
  else chosen = chosen.filter((time) => allKeys().some((key) => Math.abs(key.time - time) < SAME_S) || keySelection.dragging);
  tell();
});

// The keys that are meant: those chosen, else the one at this moment.
export const meant = () => {
  if (chosen.length) return chosen;
  const here = allKeys().find(({ time }) => Math.abs(time - stage.time) < 0.5 * frameLength());
  return here ? [here.time] : [];
};
const withKeys = (words, act) => {
  const times = meant();
  if (!times.length) { link.tell("toast", { words: `Choose a key to ${words}, or go to one with [ and ].`, kind: "plain" }); return null; }
  return act(times);
};

// A pose that is shown by hand becomes the key; else the motion as it is.
export const setKey = async (time = stage.time) => {
  stage.play(false);
  const follow = keySelection.follow(), told = await (stage.live && store.mode === "pose" && time === stage.time ? link.tryTo("pose.done", { time, key: true }) : link.tryTo("key.set", { time }));
  if (told && told.times) follow(told.times);
};
export const deleteKeys = () => withKeys("delete", async (times) => { const follow = keySelection.follow(); if (await link.tryTo("key.delete", { times })) follow([]); });
export const easeKeys = (ease) => withKeys("change how it is reached", (times) => link.tryTo("key.ease", { times, ease }));
export const mirrorKeys = () => withKeys("mirror", (times) => link.tryTo("key.mirror", { times }));
export const copyKeys = () => withKeys("copy", async (times) => {
  const told = await link.tryTo("key.copy", { times });
  if (told) link.tell("toast", { words: told.copied === 1 ? "One key copied; Ctrl+V puts it where time is." : `${told.copied} keys copied; Ctrl+V puts them where time is.`, kind: "good" });
});
export const pasteKeys = async () => { const follow = keySelection.follow(), told = await link.tryTo("key.paste", { to: stage.time }); if (told) follow(told.times); };

// A drag of keys: the server counts from where the gesture began, so only the newest place is sent.
export const movingKeys = (times) => {
  const name = gesture();
  let asked = false, wanted = 0, sent = 0;
  keySelection.dragging = true;
  const send = async () => {
    if (asked || wanted === sent) return;
    asked = true;
    sent = wanted;
    const told = await link.tryTo("key.move", { from: times, by: sent, gesture: name });
    asked = false;
    if (told) keySelection.set(told.times);
    if (wanted !== sent) send(); else if (!moving.open) keySelection.dragging = false;
  };
  const moving = { open: true, by(seconds) { wanted = seconds; send(); }, end() { this.open = false; if (!asked) keySelection.dragging = false; } };
  return moving;
};
export const nudgeKeys = (frames) => withKeys("move", async (times) => {
  const follow = keySelection.follow(), { time } = stage, told = await link.tryTo("key.move", { from: times, by: frames * frameLength() });
  if (told && follow(told.times) && stage.time === time) stage.seek(told.times[0]);
});

// To the next key before or after this moment.
export const goToKey = (way) => {
  const times = allKeys().map(({ time }) => time), half = 0.5 * frameLength();
  const next = way > 0 ? times.find((time) => time > stage.time + half) : times.findLast((time) => time < stage.time - half);
  if (next === undefined) return;
  stage.play(false);
  stage.seek(next);
  keySelection.set([next]);
};
