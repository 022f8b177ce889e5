// A few words beside the pointer.
import { h } from "../core/widgets.js";

const LONG_ENOUGH_MS = 3000;
let element = null, fading = 0;

export const tip = {
  show(event, words) {
    if (!element) { element = h("div", { class: "timeline-tip", role: "status" }); document.body.append(element); }
    element.textContent = words;
    element.hidden = false;
    clearTimeout(fading);
    const { width, height } = element.getBoundingClientRect();
    element.style.left = `${Math.max(6, Math.min(event.clientX + 12, innerWidth - width - 6))}px`;
    element.style.top = `${Math.max(6, event.clientY - height - 12)}px`;
  },
  fade() { fading = setTimeout(() => this.hide(), LONG_ENOUGH_MS); },
  hide() { if (element) element.hidden = true; },
};
