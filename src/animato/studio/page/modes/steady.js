// Steady: what bends is simulated and shown as it swings; one button makes a motion after which it does not.
import { keys } from "../core/keyboard.js";
import { link } from "../core/link.js";
import { store } from "../core/store.js";
import { claim, release } from "./steady/state.js";
import { hideTrails, showTrails } from "./steady/trails.js";
import { steadyPanel } from "./steady/panel.js";

keys.add("Shift+Enter", "steady it", "Steady", () => link.tryTo("steady.make"), () => store.mode === "steady");

export default {
  name: "steady",
  label: "Steady",
  icon: "steady",
  key: "6",
  enter() { claim(); showTrails(); },
  leave() { hideTrails(); release(); },
  panel: steadyPanel,
};
