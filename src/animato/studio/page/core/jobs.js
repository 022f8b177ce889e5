// Long solves: what is being worked on, how far it is, and a button that stops it.
import { link } from "./link.js";
import { store } from "./store.js";
import { button, h } from "./widgets.js";

export const jobs = () => {
  const made = h("div", { class: "group", role: "status", aria: { label: "work that is being done" } }), known = new Map();
  const show = (all) => {
    for (const [id, one] of known) if (!all.some((job) => job.id === id)) { one.remove(); known.delete(id); }
    for (const { id, title, share, words } of all) {
      if (!known.has(id)) {
        const one = h("div", { class: "job" }, h("span", { class: "words" }), h("progress", { max: 1 }), button("", { icon: "close", title: `Stop: ${title}`, quiet: true, onclick: () => link.send("job.cancel", { job: id }) }));
        known.set(id, one);
        made.append(one);
      }
      const one = known.get(id), bar = one.querySelector("progress");
      one.querySelector(".words").textContent = `${title}: ${words}`;
      one.title = `${title}: ${words}`;
      if (share === null || share === undefined) bar.removeAttribute("value"); else bar.value = share;
    }
  };
  link.on("jobs", (message) => show(message.jobs));
  store.on("hello", ({ tools }) => show((tools.job && tools.job.jobs) || []));
  link.on("lost", () => show([]));
  return made;
};
