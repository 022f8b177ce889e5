// How a take begins: with a pose that is held, or with a file.
import { button, choice, h, note, popover, row, section, slider } from "../core/widgets.js";
import { link } from "../core/link.js";
import { accepted, putFiles } from "../core/dropping.js";
import { stage } from "../stage/stage.js";
import { store } from "../core/store.js";

export const newTake = (anchor) => {
  let seconds = 4;
  const begin = async (fields) => { if (await link.tryTo("take.new", { seconds, ...fields })) box.close(); };
  const shown = () => { const now = stage.coordinatesNow && stage.coordinatesNow(); return now && now.length ? { pose: [...now] } : {}; };
  const { postures } = store.document, { shipped = [] } = store.tools.take || {};
  const posture = choice("Begin with", { options: [["", "rest"], [" shown", "the pose that is shown"], ...postures.map((one) => [one, one])], value: "" });
  const fields = () => { const name = posture.select.value; return name === " shown" ? shown() : name ? { posture: name } : {}; };
  const own = shipped.filter((one) => one.startsWith(`${store.document.character}_`));
  const box = popover(anchor, h("strong", {}, "New take"), posture,
    slider("How long", { min: 0.5, max: 30, step: 0.5, value: seconds, unit: "s", digits: 1, oninput: (value) => { seconds = value; } }),
    row(button("Begin", { primary: true, icon: "add", onclick: () => begin(fields()) })),
    section("Bring in", note("A clip, a capture, a drawing or another character; dropping a file anywhere on the page does the same."),
      row(button("A file…", { icon: "import", onclick: () => chooseFiles(accepted, () => box.close()) })),
      own.length ? row(...own.map((clip) => button(clip, { title: "Comes with animato", onclick: async () => { if (await link.tryTo("take.import", { clip })) box.close(); } }))) : ""));
};

export const chooseFiles = (endings, done) => {
  const input = h("input", { type: "file", multiple: true, accept: endings.join(",") });
  input.addEventListener("change", async () => { await putFiles([...input.files]); if (done) done(); });
  input.click();
};
