// Light or dark: as the system says until a person chooses; the choice is kept in this browser.
import { store } from "./store.js";

const KEPT = "animato-theme", system = matchMedia("(prefers-color-scheme: dark)");
const kept = () => { try { return localStorage.getItem(KEPT); } catch { return null; } };

export const isDark = () => document.documentElement.dataset.theme === "dark";
const show = () => {
  document.documentElement.dataset.theme = kept() || (system.matches ? "dark" : "light");
  store.tell("theme", isDark());
};
export const switchTheme = () => {
  try { localStorage.setItem(KEPT, isDark() ? "light" : "dark"); } catch { /* private windows keep nothing */ }
  show();
};
system.addEventListener("change", show);
show();
