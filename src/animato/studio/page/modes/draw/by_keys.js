// Drawing without a pointer: arrows move a pen on the board, Space puts it down and lifts it.
import { keys } from "../../core/keyboard.js";
import { store } from "../../core/store.js";
import { drawing } from "./state.js";
import { deleteLine, moveLine, nextLine, scaleLine, turnLine } from "./lines.js";
import { penCancels, penDown, penMoves, penUp } from "./pen.js";
import { lookAtBoard, useBoard, useFloor, useView } from "./board.js";

const GROUP = "Draw", STEPS = 48, MOST_S = 0.2; // a hand that thinks does not draw a pause
const WAYS = { Left: [-1, 0], Right: [1, 0], Up: [0, 1], Down: [0, -1] };
const here = () => store.mode === "draw" && drawing.board && !drawing.refusal, withPen = () => here() && drawing.pen, withLine = () => here() && drawing.chosen >= 0;
let last = 0, clock = 0;

const sample = () => {
  const now = performance.now() / 1000;
  clock += Math.min(Math.max(now - last, 0.001), MOST_S);
  last = now;
  return [[...drawing.pen, clock, 0.5]];
};
export const useKeys = (on) => {
  if (!on) penCancels();
  drawing.pen = on ? [0, 0] : null;
  drawing.tell();
};
const downOrUp = () => {
  if (drawing.line) { penMoves(sample()); penUp(); return; }
  last = clock = performance.now() / 1000;
  penDown(sample());
};
const moves = ([x, y], factor) => {
  const step = factor * drawing.board.width / STEPS;
  drawing.pen = [drawing.pen[0] + step * x, drawing.pen[1] + step * y];
  if (drawing.line) penMoves(sample());
  drawing.tell();
};

const add = (key, words, handler, when = here) => keys.add(key, words, GROUP, handler, when);
const listen = () => {
  add("P", "draw with the next point", () => drawing.nextPoint());
  add("B", "draw on the board", () => useBoard());
  add("F", "draw on the floor", () => useFloor());
  add("C", "draw facing the camera", () => useView());
  add("V", "look at the board", () => lookAtBoard());
  add("R", "draw over a part of a line", () => { drawing.over = !drawing.over; drawing.tell(); });
  add("Shift+N", "begin a new drawing", () => { drawing.fresh = !drawing.fresh; drawing.tell(); });
  add("L", "choose the next line", () => nextLine(1));
  add("Shift+L", "choose the line before", () => nextLine(-1));
  add("Delete", "delete the chosen line", deleteLine, withLine);
  add("Alt+Left", "move the chosen line", () => moveLine([-0.01 * drawing.board.width, 0]), withLine);
  add("Alt+Right", "", () => moveLine([0.01 * drawing.board.width, 0]), withLine);
  add("Alt+Up", "", () => moveLine([0, 0.01 * drawing.board.width]), withLine);
  add("Alt+Down", "", () => moveLine([0, -0.01 * drawing.board.width]), withLine);
  add("Alt++", "make the chosen line larger", () => scaleLine(1.05), withLine);
  add("Alt+-", "make the chosen line smaller", () => scaleLine(1 / 1.05), withLine);
  add("Alt+.", "turn the chosen line", () => turnLine(-Math.PI / 36), withLine);
  add("Alt+,", "turn the chosen line back", () => turnLine(Math.PI / 36), withLine);
  add("Q", "draw with the keys: arrows move the pen", () => useKeys(!drawing.pen));
  add("Space", "pen down, pen up (drawing with the keys)", downOrUp, withPen);
  for (const [name, way] of Object.entries(WAYS)) {
    add(name, "", () => moves(way, 1), withPen);
    add(`Shift+${name}`, "", () => moves(way, 4), withPen);
  }
  add("Esc", "leave the line, or the keys", () => { if (drawing.line) penCancels(); else if (drawing.pen) useKeys(false); else drawing.choose(-1); }, () => here() && (drawing.line || drawing.pen || drawing.chosen >= 0));
};
// After all other parts of the page, so that in this mode these keys come first.
let listening = false;
store.on("hello", () => { if (!listening) { listening = true; listen(); } });
