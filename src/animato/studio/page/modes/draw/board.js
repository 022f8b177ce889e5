// The board on the stage: seen, moved, turned and sized by its corners, and where it can be chosen to be.
import { gesture } from "../../core/widgets.js";
import { link } from "../../core/link.js";
import { store } from "../../core/store.js";
import { stage } from "../../stage/stage.js";
import { drawing, metresPerPixel, normalOf, onBoard, world } from "./state.js";

const LINE = [0.36, 0.42, 0.52], FILL = [0.93, 0.95, 0.98], KNOB = [0.04, 0.36, 0.77], PAPER = [1, 1, 1], ROWS = 8;
const SEEN = 0.03, COMING_MS = 5000; // of the stage; while a board may still be looked for
const KNOB_PX = 16, FINGER_PX = 26, TURN = 0.008; // radians a pixel
export const KNOBS = [
  { name: "move", words: "move the board", at: [-0.5, 0.5] }, { name: "turn", words: "turn the board", at: [0.5, 0.5] },
  { name: "size", words: "make the board larger or smaller", at: [0.5, -0.5] }, { name: "push", words: "push the board away or pull it near", at: [-0.5, -0.5] },
];
const narrow = matchMedia("(max-width: 720px)");
let hovered = "";

const knobPlace = (board, { at }) => world(board, at[0] * board.width, at[1] * board.height);
const knobAt = (event) => {
  const { board } = drawing, near = event.pointerType === "touch" ? FINGER_PX : KNOB_PX;
  return KNOBS.find((knob) => { const [x, y, depth] = stage.project(knobPlace(board, knob)); return depth > 0 && Math.hypot(x - event.clientX, y - event.clientY) < near; });
};

const drawn = (now, out, top) => {
  const { board } = drawing;
  if (!board || drawing.refusal) return;
  const { width, height } = board, at = (x, y) => world(board, x * width, y * height), ink = now.dark ? MIX(LINE, PAPER, 0.35) : LINE;
  const corners = [at(-0.5, -0.5), at(0.5, -0.5), at(0.5, 0.5), at(-0.5, 0.5)];
  for (const three of [[0, 1, 2], [0, 2, 3]]) for (const n of three) out.areas.push(...corners[n], ...FILL, now.dark ? 0.12 : 0.42);
  const cell = height / ROWS, columns = Math.round(width / cell);
  for (let n = 1; n < columns; n++) out.line(at(n / columns - 0.5, -0.5), at(n / columns - 0.5, 0.5), ink, 0.22, 1);
  for (let n = 1; n < ROWS; n++) out.line(at(-0.5, n / ROWS - 0.5), at(0.5, n / ROWS - 0.5), ink, 0.22, 1);
  corners.forEach((corner, n) => out.line(corner, corners[(n + 1) % 4], ink, 0.9, 1.8));
  if (drawing.line) return;
  for (const knob of KNOBS) {
    const place = knobPlace(board, knob), near = hovered === knob.name;
    top.dot(place, now.dark ? MIX(KNOB, PAPER, 0.4) : KNOB, 1, near ? 17 : 13);
    top.dot(place, PAPER, 1, near ? 8 : 5);
    if (near && now.label) now.label(place, knob.words, "");
  }
};

// --- Changed ------------------------------------------------------------------------------------------------------------
const plane = link.newest((fields) => link.send("draw.plane", fields));
export const changeBoard = (changes, current) => {
  drawing.board = { ...drawing.board, ...changes };
  plane.put({ ...drawing.board, carry: true, gesture: current });
  drawing.tell();
};

const turned = (vector, axis, angle) => { // Rodrigues' formula
  const c = Math.cos(angle), s = Math.sin(angle), across = cross(axis, vector), along = dot(axis, vector) * (1 - c);
  return vector.map((value, n) => c * value + s * across[n] + along * axis[n]);
};
export const turnBoard = (about, tilt, current) => {
  const { right, up } = drawing.board, z = [0, 0, 1], across = turned(right, z, about), high = turned(turned(up, z, about), across, tilt);
  changeBoard({ right: across, up: high }, current);
};
export const moveBoard = (by, current) => changeBoard({ origin: drawing.board.origin.map((value, n) => value + by[n]) }, current);

const dragOf = (knob, event) => {
  const before = drawing.board, current = gesture(), [x, y] = [event.clientX, event.clientY], place = knobPlace(before, knob);
  const { forward } = stage.view(), normal = normalOf(before), step = metresPerPixel(place);
  const moves = {
    move: (now) => { const there = stage.onPlane(now.clientX, now.clientY, { origin: place, normal: forward }); if (there) moveTo(there); },
    turn: (now) => { drawing.board = { ...drawing.board, right: before.right, up: before.up }; turnBoard(TURN * (now.clientX - x), TURN * (now.clientY - y), current); },
    size: (now) => {
      const [u, v] = onBoard(before, now) || [0, 0], factor = Math.max(0.1, Math.min(10, Math.hypot(u, v) / Math.hypot(before.width / 2, before.height / 2)));
      changeBoard({ width: factor * before.width, height: factor * before.height }, current);
    },
    // along the way that the normal goes on the screen; straight at who looks, up is away
    push: (now) => {
      const [a, b] = stage.project(place), [c, d] = stage.project(place.map((value, n) => value + 0.05 * normal[n])), long = Math.hypot(c - a, d - b);
      const far = long > 4 ? 0.05 * ((now.clientX - x) * (c - a) + (now.clientY - y) * (d - b)) / long ** 2 : step * (y - now.clientY) * Math.sign(dot(normal, forward));
      changeBoard({ origin: before.origin.map((value, n) => value + far * normal[n]) }, current);
    },
  };
  const moveTo = (there) => changeBoard({ origin: before.origin.map((value, n) => value + there[n] - place[n]) }, current);
  return { move: moves[knob.name], cancel: () => { drawing.board = before; changeBoard({}, current); } };
};

// --- Where it is --------------------------------------------------------------------------------------------------------
export const floorHeight = () => { const floor = store.scene && store.scene.floor; return typeof floor === "number" ? floor : floor && typeof floor.height === "number" ? floor.height : 0; };
export const useBoard = () => link.tryTo("draw.plane", { kind: "board" });
export const useFloor = () => {
  const { board } = drawing, [x, y] = board.origin;
  link.tryTo("draw.plane", { kind: "floor", origin: [x, y, floorHeight()], right: [0, -1, 0], up: [1, 0, 0], width: board.width, height: board.height });
};
export const pointPlace = () => { const { point } = drawing; return point && stage.cast ? stage.bodyPose(point.body).place(point.place) : null; };
export const useView = (through = pointPlace()) => {
  const { right, up } = stage.view(), { width, height } = drawing.board, board = { kind: "view", origin: through || drawing.board.origin, right: [...right], up: [...up], width, height };
  drawing.board = board;
  drawing.tell();
  return link.tryTo("draw.plane", board);
};

// The camera before the board, so that the robot stands behind it; a drawing is made as on paper.
export const lookAtBoard = () => {
  const { board } = drawing, { orbit } = stage, lens = stage.lens(), normal = normalOf(board), side = Math.abs(normal[2]) > 0.5 ? normal[2] : dot(normal, board.origin);
  const [x, y, z] = normal.map((value) => (side < 0 ? -value : value)), near = Math.max(board.width / 2 / lens[0], board.height / 2 / lens[1]);
  const away = Math.max(1.35 * near, Math.min((narrow.matches ? 1.7 : 3.2) * near, 0.62 * orbit.first.away)); // a small board is not all that is seen, but a finger needs room
  orbit.glide({ turn: Math.hypot(x, y) > 0.2 ? Math.atan2(y, x) : Math.PI, rise: Math.asin(Math.max(-1, Math.min(1, z))), away, target: [...board.origin] });
  orbit.keep();
};

// Whether one could draw on it as it is seen now: all of it, large enough, and not from its edge.
const isSeen = () => {
  const { board } = drawing, { width, height } = board, box = stage.canvas.getBoundingClientRect();
  const corners = [[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]].map(([x, y]) => stage.project(world(board, x * width, y * height)));
  const area = Math.abs(corners.reduce((sum, [x, y], n) => { const [a, b] = corners[(n + 1) % 4]; return sum + (x * b - a * y) / 2; }, 0));
  return area > SEEN * box.width * box.height && corners.every(([x, y, depth]) => depth > 0 && x > box.left && x < box.right && y > box.top && y < box.bottom);
};
// Who comes to draw has the board before them, and the view they had when they go on to something else.
let coming = null, left = null;
const come = () => {
  if (!coming || !drawing.active || !drawing.board || drawing.refusal || !stage.cast || !stage.canvas.clientWidth || isSeen()) return;
  const { turn, rise, away, target } = stage.orbit;
  left ||= { turn, rise, away, target: [...target] };
  lookAtBoard();
};
export const comeToBoard = () => {
  left = null;
  coming = drawing.on(come);
  stage.canvas.addEventListener("pointerdown", stay, { once: true });
  setTimeout(stay, COMING_MS); // later, a board that moves was moved by somebody
  come();
};
const stay = () => { if (coming) coming(); coming = null; };
export const goFromBoard = () => {
  stay();
  if (left) { stage.orbit.glide(left); stage.orbit.keep(); }
  left = null;
};

export const showBoard = () => {
  stage.layer("draw board", drawn);
  stage.grip("draw board", {
    down(event) { const knob = drawing.board && !drawing.refusal && knobAt(event); return knob ? dragOf(knob, event) : null; },
    hover(event) {
      const knob = drawing.board && knobAt(event), name = knob ? knob.name : "";
      if (name !== hovered) { hovered = name; stage.ask(); }
      return knob ? "grab" : null;
    },
  }, 30);
};
export const hideBoard = () => { stage.layer("draw board", null); stage.grip("draw board", null); };
