// Draw: press on the robot, drag a line, it performs.
import { drawPanel } from "./draw/panel.js";
import { drawing } from "./draw/state.js";
import { comeToBoard, goFromBoard, hideBoard, showBoard } from "./draw/board.js";
import { hideInk, showInk } from "./draw/ink.js";
import { hideLines, showLines } from "./draw/lines.js";
import { hidePen, showPen } from "./draw/pen.js";
import "./draw/by_keys.js";

export default {
  name: "draw",
  label: "Draw",
  icon: "draw",
  key: "2",
  enter() { drawing.enter(); showBoard(); showInk(); showLines(); showPen(); comeToBoard(); },
  leave() { goFromBoard(); hidePen(); hideLines(); hideInk(); hideBoard(); drawing.leave(); },
  panel: drawPanel,
  hint: () => (drawing.refusal ? "" : "Draw on the board: the robot follows, and performs it when you lift."),
};
