// What the page knows about a character that bends: how it was simulated, and who is on the stage because of it.
import { link } from "../../core/link.js";
import { store } from "../../core/store.js";
import { stage } from "../../stage/stage.js";

const watched = new Map(); // what the take itself does, by figure: put back when the mode is left
const listeners = new Set();

export const steadying = {
  told: null, // the message `steady`
  seen: null, // the message `steady.seen`
  look: null, // the message `steady.scene`: parts that bend, link by link
  beside: "before", // who is the ghost: "before", "target" or "off"
  active: false,
  jobs: 0,

  on(handler) { listeners.add(handler); return () => listeners.delete(handler); },
  news() { for (const handler of listeners) handler(this); stage.ask(); },
  show(beside) { this.beside = beside; perform(); this.news(); },
  // Whether what was simulated is what is open.
  get current() { const { seen, told } = this; return Boolean(seen && told && told.bends && !told.words && store.take && seen.take === store.take.name); },
  get main() { return this.seen.after ? "after" : "before"; },
  get ghost() { return this.beside === "before" && !this.seen.after ? "target" : this.beside; },
};

let bent = null; // the scene that is on the stage in the place of the plain one

const goBack = () => {
  if (!bent) return;
  bent = null;
  if (store.scene) stage.setScene(store.scene);
  for (const message of watched.values()) stage.setMotion(message);
};

// Puts the simulated figures on the stage, or what the take itself does where there is nothing of them to be seen.
const perform = () => {
  const { seen, look } = steadying;
  if (!steadying.active || !steadying.current || !look || !stage.cast) { goBack(); return; }
  if (!bent) {
    bent = { ...store.scene, ...look, body_labels: [...store.scene.body_labels, ...look.link_labels] };
    stage.setScene(bent);
  }
  const put = (figure, name) => {
    const { arrays } = seen;
    if (!arrays[`${name}_times`]) { stage.setMotion({ figure, take: seen.take, frames: 0, arrays: null }); return; }
    stage.setMotion({ figure, take: seen.take, frames: arrays[`${name}_times`].length, arrays: { times: arrays[`${name}_times`], positions: arrays[`${name}_positions`], quaternions: arrays[`${name}_quaternions`], coordinates: arrays[`${name}_coordinates`] } });
  };
  put("main", steadying.main);
  put("ghost", steadying.ghost);
};

export const claim = () => { steadying.active = true; link.send("steady.enter"); perform(); steadying.news(); };
export const release = () => { steadying.active = false; link.send("steady.leave"); goBack(); steadying.news(); };

const tell = (message) => {
  steadying.told = message;
  if (!message.bends || message.words) steadying.seen = null;
  perform();
  steadying.news();
};
link.on("steady", tell);
link.on("steady.seen", (message) => { steadying.seen = message; perform(); steadying.news(); });
link.on("steady.scene", (message) => { steadying.look = message; perform(); });
const count = (jobs) => { const before = steadying.jobs; steadying.jobs = jobs.filter(({ title }) => title.startsWith("steadying ")).length; if (steadying.jobs !== before) steadying.news(); };
link.on("jobs", ({ jobs }) => count(jobs));
link.on("motion", (message) => {
  watched.set(message.figure, message);
  if (steadying.active && bent) queueMicrotask(perform); // the stage has taken it already
});
store.on("hello", ({ tools }) => {
  if (tools.steady) tell(tools.steady);
  count((tools.job && tools.job.jobs) || []);
  if (steadying.active) link.send("steady.enter"); // the studio knows this page by another name now
});
store.on("scene", () => { bent = null; steadying.look = null; steadying.seen = null; if (steadying.active) link.send("steady.enter"); }); // the stage has taken it already
store.on("document", () => { if (steadying.active) { perform(); steadying.news(); } });
