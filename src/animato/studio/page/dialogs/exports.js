// Everything that can be taken along, with what it is for and what it does not hold.
import { button, dialog, folded, h, note } from "../core/widgets.js";
import { link } from "../core/link.js";
import { store } from "../core/store.js";
import { toast } from "../core/toasts.js";

const waiting = new Map(); // rows that wait for their file, by what they export

export const exports = async () => {
  const answer = await link.tryTo("export.list", {});
  if (!answer) return;
  const here = new Map(), not = [], take = store.take;
  for (const one of answer.exports) {
    if (one.why) not.push(one);
    else here.set(one.group, [...(here.get(one.group) || []), one]);
  }
  dialog(take ? `Export “${take.name}”` : "Export", ...[...here].map(([group, some]) => h("section", { class: "section" }, h("h3", {}, group), ...some.map(rowOf))),
    not.length ? folded("What cannot be had of this take", ...not.map(whyNot)) : "",
    note("Files are also kept in the folder “exports” of the project."));
};

const whyNot = ({ group, label, why }) => h("div", { class: "export-not" }, h("strong", {}, `${group}: ${label}`), note(why));

const rowOf = (one) => {
  const told = note();
  const make = button("Export", { icon: "export", title: `${one.label}: ${one.words}`, onclick: async () => {
    make.disabled = true;
    told.say(one.slow ? "being made; how far it is stands above…" : "being written…");
    const row = { told, make, job: 0 };
    waiting.set(one.name, row);
    try { row.job = (await link.ask("export.make", { what: one.name })).job || 0; } catch (error) { ended(one.name, row, error.message, "bad"); }
  } });
  const known = waiting.get(one.name);
  if (known) { make.disabled = true; told.say("being made…"); Object.assign(known, { told, make }); }
  return h("div", { class: "export" }, h("div", {}, h("strong", {}, one.label), h("p", { class: "note" }, one.words, one.lacks && h("span", { class: "lacks" }, ` ${one.lacks}`)), told), make);
};

const ended = (what, row, words, how) => { if (waiting.get(what) === row) waiting.delete(what); row.make.disabled = false; row.told.say(words, how); };

// A job that was ended by hand brings nothing; one that is done is told of a moment after it has gone.
link.on("jobs", ({ jobs }) => {
  for (const [what, row] of waiting) {
    if (row.job && !jobs.some(({ id }) => id === row.job)) setTimeout(() => { if (waiting.get(what) === row) ended(what, row, "ended before it was there.", ""); }, 1500);
  }
});

// The answer comes when the file is there, also after the window was closed.
link.on("exported", ({ what, file, losses, error }) => {
  const row = waiting.get(what);
  if (row) ended(what, row, error || [`${file} is there.`, ...losses].join(" "), error ? "bad" : "good");
  if (error) { if (!row || !row.told.isConnected) toast(error, "bad"); return; }
  h("a", { href: `/download/${encodeURIComponent(file)}`, download: file }).click();
  if (!row || !row.told.isConnected) toast([`${file} is there.`, ...losses.slice(0, 2)].join(" "), "good");
});
