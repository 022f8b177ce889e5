// Short sentences in a corner; what went wrong stays longer.
import { link } from "./link.js";
import { h } from "./widgets.js";

export const toast = (words, kind = "plain") => {
  const box = document.getElementById("toasts"), last = box.lastElementChild;
  if (last && last.dataset.words === words) last.remove(); // the same again is said once
  const one = h("div", { class: `toast ${kind}`, data: { words } }, words);
  box.append(one);
  while (box.children.length > 4) box.firstElementChild.remove();
  const gone = setTimeout(() => one.remove(), kind === "bad" ? 9000 : 4000);
  one.addEventListener("click", () => { clearTimeout(gone); one.remove(); });
};

link.on("toast", ({ words, kind }) => toast(words, kind));
