// What stands when, by buttons: for those who use no pointer, and for what happens at this very moment.
import { button, choice, note, row, section } from "../../core/widgets.js";
import { stage } from "../../stage/stage.js";
import { contactRows, moved, setContacts, toggled } from "./contacts.js";
import { capture } from "./state.js";

export const contactsPart = () => {
  let part = "";
  const here = () => contactRows().find((one) => one.part === part), told = note();
  const which = choice("Part of the foot", { onchange: (value) => { part = value; made.follow(); } });
  const act = (change) => () => { const found = here(); if (found) setContacts(part, change(found.planted, capture.fileTime(stage.time))); };
  const down = button("Put down here", { title: "It stands from this moment on", onclick: act((planted, time) => moved(planted, 0, time)) });
  const up = button("Lifted here", { title: "It stands until this moment", onclick: act((planted, time) => moved(planted, 1, time)) });
  const other = button("Add or take away", { title: "A stand at this moment, or none", onclick: act(toggled) });
  const again = button("As it was found", { onclick: () => setContacts(part, null) });
  const made = section("Feet on the floor", note("Green bars in the timeline: drag their ends, press twice to add one or take one away."), which, told, row(down, up, other, again));
  made.follow = () => {
    const all = contactRows();
    made.hidden = !all.length;
    if (made.hidden) return;
    if (!here()) part = all[0].part;
    const { planted, edited } = here(), time = capture.fileTime(stage.time);
    which.options(all.map((one) => [one.part, `${one.part}${one.edited ? " (changed by hand)" : ""}`]), part);
    told.say(`${planted.some(([a, b]) => time >= a && time <= b) ? "It stands now" : "It is in the air now"}; ${planted.length === 1 ? "it stands once" : `it stands ${planted.length} times`} in all.`);
    again.disabled = !edited;
  };
  stage.onTime(() => { if (capture.active && !stage.playing && !made.hidden) made.follow(); });
  return made;
};
