// The pen: what a mouse, a pen or a finger does on the board, with its time and pressure, goes to the robot.
import { link } from "../../core/link.js";
import { stage } from "../../stage/stage.js";
import { toast } from "../../core/toasts.js";
import { drawing, metresPerPixel, onBoard } from "./state.js";
import { useView } from "./board.js";
import { lineAt } from "./lines.js";

const STARTS_PX = 4, OVER_PX = 22, NAMED_PX = 24, MARGIN = 0.06; // of the board's size, around it
let unsent = [], asked = false, whole = true; // whether all places were whole pixels

const pressureOf = ({ pressure, pointerType }) => (pressure > 0 && !(pointerType === "touch" && pressure === 1) ? pressure : 0.5);
const sampleOf = (board, event) => { const place = onBoard(board, event); return place ? [...place, event.timeStamp / 1000, pressureOf(event)] : null; };
// All that the pointer did since the last event: a tablet tells of more moments than a page has pictures.
const samplesOf = (board, event) => {
  const all = event.getCoalescedEvents ? event.getCoalescedEvents() : [];
  if ((all.length ? all : [event]).some(({ clientX, clientY }) => clientX % 1 || clientY % 1)) whole = false;
  return (all.length ? all : [event]).map((one) => sampleOf(board, one)).filter(Boolean);
};

const flush = () => { asked = false; if (unsent.length && drawing.line) link.send("draw.add", { samples: unsent.splice(0) }); };
const add = (samples) => {
  drawing.line.push(...samples);
  unsent.push(...samples);
  if (!asked) { asked = true; requestAnimationFrame(flush); }
  stage.ask();
};

export const penDown = (samples) => {
  const coordinates = Array.from(stage.coordinatesNow());
  stage.play(false);
  drawing.line = [];
  unsent = [];
  const over = drawing.over ? OVER_PX * metresPerPixel(drawing.board.origin) : 0;
  link.ask("draw.begin", { t: performance.now() / 1000, coordinates, fresh: drawing.fresh, over }).catch((error) => { drawing.line = null; toast(error.message, "bad"); drawing.tell(); });
  add(samples);
  drawing.tell();
};
export const penMoves = (samples) => { if (drawing.line && samples.length) add(samples); };
// The length of a pixel on the board, along its axes: a mouse tells whole pixels, and the line is smoothed by that.
const grainOf = (event) => {
  const at = (x, y) => onBoard(drawing.board, { clientX: event.clientX + x, clientY: event.clientY + y }), here = at(0, 0), across = at(1, 0), down = at(0, 1);
  if (!here || !across || !down) return [0, 0];
  return [0, 1].map((n) => Math.hypot(across[n] - here[n], down[n] - here[n]));
};

export const penUp = async (event) => {
  if (!drawing.line) return;
  const samples = unsent.splice(0), grain = event && whole ? grainOf(event) : [0, 0];
  drawing.liftedAt = performance.now();
  drawing.line = null;
  try {
    const { tap } = await link.ask("draw.lift", { samples, grain });
    if (!tap) drawing.fresh = drawing.over = false;
  } catch (error) { toast(error.message, "bad"); }
  drawing.tell();
};
export const penCancels = () => { if (drawing.line) { drawing.line = null; unsent = []; link.send("draw.cancel"); drawing.tell(); } };

// --- Pressed ------------------------------------------------------------------------------------------------------------
const inside = ({ width, height }, [u, v]) => Math.abs(u) < (0.5 + MARGIN) * width && Math.abs(v) < (0.5 + MARGIN) * height;

// A press on the robot without a drag: that place draws from now on; a point that has a name where it is near.
const choosePoint = (event, hit) => {
  const near = drawing.points.map((point) => { const [x, y] = stage.project(stage.bodyPose(point.body).place(point.place)); return { point, far: Math.hypot(x - event.clientX, y - event.clientY) }; }).sort((a, b) => a.far - b.far)[0];
  return drawing.usePoint(near && near.far < NAMED_PX ? { name: near.point.name } : { body: hit.body, place: hit.local });
};

const press = (event, hit) => {
  const { board } = drawing;
  if (!board || drawing.refusal) return null;
  const place = onBoard(board, event), onIt = place && inside(board, place);
  if (!onIt && !hit) return null; // the camera turns
  whole = true;
  const first = event, held = onIt ? samplesOf(board, event) : [];
  let began = false;
  return {
    move(now) {
      const far = Math.hypot(now.clientX - first.clientX, now.clientY - first.clientY);
      if (!began && far >= STARTS_PX) { began = true; if (onIt) penDown([...held, ...samplesOf(drawing.board, now)]); else fromRobot(first, hit, now); return; }
      if (drawing.line) penMoves(samplesOf(drawing.board, now)); else if (!began && onIt) held.push(...samplesOf(board, now));
    },
    up(now) {
      if (began) { penUp(now); return; }
      const line = onIt ? lineAt(now) : -1;
      if (line >= 0) drawing.choose(line === drawing.chosen ? -1 : line);
      else if (hit) choosePoint(now, hit);
      else drawing.choose(-1);
    },
    cancel: penCancels,
  };
};

// A drag that begins on the robot and not on the board: the pressed place draws, facing who looks.
const fromRobot = (first, hit, now) => {
  choosePoint(first, hit);
  useView(hit.point);
  penDown([...samplesOf(drawing.board, first), ...samplesOf(drawing.board, now)]);
};

export const showPen = () => stage.grip("draw pen", {
  down: press,
  hover(event, hit) {
    const place = drawing.board && !drawing.refusal && onBoard(drawing.board, event);
    return place && inside(drawing.board, place) ? (drawing.over ? "cell" : "crosshair") : hit ? "pointer" : null;
  },
}, 10);
export const hidePen = () => { penCancels(); stage.grip("draw pen", null); };
