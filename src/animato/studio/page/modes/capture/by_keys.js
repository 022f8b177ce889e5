// Keys of the capture mode.
import { keys } from "../../core/keyboard.js";
import { link } from "../../core/link.js";
import { store } from "../../core/store.js";
import { capture } from "./state.js";

const here = () => store.mode === "capture" && capture.here;
const NEXT = { beside: "over", over: "off", off: "beside" };

const chooseNext = (way) => {
  const all = capture.told.parts.filter(({ known, body }) => known || body >= 0).map(({ name }) => name), at = all.indexOf(capture.chosen);
  capture.choose(all[(at + way + all.length) % all.length]);
};

export const captureKeys = () => {
  keys.add("Enter", "retarget: the robot does it in balance", "Capture", () => link.tryTo("capture.solve"), here);
  keys.add("V", "the person beside, over, hidden", "Capture", () => capture.show(NEXT[capture.how]), here);
  keys.add("L", "lines: who is who", "Capture", () => { capture.lines = !capture.lines; capture.news(); }, here);
  keys.add("N", "next part of the body", "Capture", () => chooseNext(1), here);
  keys.add("Shift+N", "part of the body before", "Capture", () => chooseNext(-1), here);
  keys.add("Esc", "", "Capture", () => capture.choose(""), () => here() && capture.chosen);
};
