// What can be done with one take: named, copied, moved, deleted, compared with another, joined to another.
import { button, choice, h, note, popover, row, section, slider } from "../core/widgets.js";
import { link } from "../core/link.js";
import { store } from "../core/store.js";

export const takeMenu = (anchor, name, { rename, order }) => {
  const others = store.document.takes.map((one) => one.name).filter((one) => one !== name), told = store.document.takes.find((one) => one.name === name);
  const then = (act) => () => { box.close(); act(); };
  const box = popover(anchor, h("strong", {}, name), told && told.remark && note(told.remark),
    row(button("Rename", { key: "F2", onclick: then(rename) }), button("Copy", { icon: "copy", onclick: then(() => link.tryTo("take.copy", { take: name })) }),
      button("Delete", { icon: "trash", danger: true, title: "Undo brings it back", onclick: then(() => link.tryTo("take.delete", { take: name })) })),
    others.length ? row(button("Move left", { icon: "back", key: "Alt+Left", onclick: then(() => order(-1)) }), button("Move right", { icon: "forward", key: "Alt+Right", onclick: then(() => order(1)) })) : "",
    others.length ? compare(others) : "", others.length ? join(name, others, () => box.close()) : "");
  return box;
};

let compared = "";
store.on("hello", ({ tools }) => { compared = (tools.watch && tools.watch.compared) || ""; });
link.on("compared", (message) => { compared = message.compared; });

const compare = (others) => section("Compare", choice("Shown as a ghost beside the open take", {
  options: [["", "the artist's motion"], ...others.map((one) => [one, one])], value: compared,
  onchange: (take) => link.tryTo("watch.compare", { take }),
}));

const join = (name, others, close) => {
  const other = choice("What comes after it", { options: others.map((one) => [one, one]), value: others[0] });
  let seconds = 0;
  const time = slider("Time for the way between (0: what it needs)", { min: 0, max: 3, step: 0.1, value: 0, unit: "s", digits: 1, oninput: (value) => { seconds = value; } });
  const make = button("Join them", { title: "A new take: the one, a way between inside all limits, the other", onclick: async () => {
    const answer = await link.tryTo("join.make", { takes: [name, other.select.value], ...(seconds ? { seconds } : {}) });
    if (answer) close();
  } });
  return section("Join", other, time, row(make));
};
