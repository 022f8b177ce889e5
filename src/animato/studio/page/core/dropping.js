// Files that are dropped anywhere on the page: captures, clips, strokes and characters, told apart by their endings.
import { h } from "./widgets.js";
import { link } from "./link.js";
import { store } from "./store.js";
import { toast } from "./toasts.js";

// Tables and arrays may hold anything: they go to the takes, and the studio says what they are.
const ENDINGS = { capture: ["bvh", "trc", "c3d", "glb", "amc"], skeleton: ["asf"], clip: ["csv", "tsv", "npz", "npy"], strokes: ["json", "svg"],
  character: ["yaml", "yml", "urdf", "xml", "mjcf", "usd", "usda", "usdc", "usdz"] };
const all = Object.values(ENDINGS).flat();
export const accepted = all.map((one) => `.${one}`);

const endingOf = (file) => (file.name.includes(".") ? file.name.split(".").pop().toLowerCase() : "");
const openers = {
  capture: async (file) => { store.openMode("capture"); await link.ask("capture.open", { file }); },
  clip: (file) => link.ask("take.import", { file }),
  strokes: async (file) => { store.openMode("draw"); await link.ask("draw.import", { file }); },
  character: (file) => link.ask("project.character", { file }),
};

const put = async (file) => {
  const ending = endingOf(file), purpose = Object.keys(ENDINGS).find((one) => ENDINGS[one].includes(ending));
  if (!purpose) { toast(`“${file.name}” is nothing the studio reads; it takes files that end in ${accepted.join(", ")}.`, "bad"); return; }
  const { file: name } = await link.upload(file, purpose === "skeleton" ? "capture" : purpose);
  if (openers[purpose]) await openers[purpose](name);
};

// The skeleton of a motion comes before the motion that needs it.
const first = (file) => (endingOf(file) === "asf" ? 0 : 1);

export const putFiles = async (files) => {
  for (const file of [...files].sort((a, b) => first(a) - first(b))) {
    try { await put(file); } catch (error) { toast(error.message, "bad"); }
  }
};

export const listenForDrops = () => {
  const shade = h("div", { class: "drop-here" }, "Drop a capture (BVH, GLB, TRC, C3D), a clip, strokes or a character");
  let depth = 0;
  const away = () => { depth = 0; shade.remove(); };
  addEventListener("dragenter", (event) => { if (event.dataTransfer && [...event.dataTransfer.types].includes("Files")) { event.preventDefault(); if (!depth++) document.body.append(shade); } });
  addEventListener("dragover", (event) => { if (depth) event.preventDefault(); });
  addEventListener("dragleave", () => { if (depth && !--depth) away(); });
  addEventListener("drop", (event) => { if (!depth) return; event.preventDefault(); away(); putFiles([...event.dataTransfer.files]); });
  link.on("take.other", ({ kind, file }) => { if (openers[kind]) openers[kind](file).catch((error) => toast(error.message, "bad")); });
};
