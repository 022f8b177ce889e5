// Design: target paths are dragged, the mechanism follows, and what is found can be kept.
import { link } from "../core/link.js";
import { claim, design, release } from "./design/state.js";
import { designPanel } from "./design/panel.js";
import { hideHandles, showHandles } from "./design/handles.js";
import { hideJoints, showJoints } from "./design/joints.js";

export default {
  name: "design",
  label: "Design",
  icon: "design",
  key: "4",
  enter() { link.send("design.enter"); claim(); showJoints(); showHandles(); },
  leave() { hideHandles(); hideJoints(); release(); },
  panel: designPanel,
  hint: () => (design.begun ? "Drag a handle of the path: the mechanism follows." : "Choose a path in the panel; then it can be dragged."),
};
