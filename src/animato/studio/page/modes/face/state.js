// What the mode of looking knows: whether it looks, with what, where, and how far off it is.
import { link } from "../../core/link.js";
import { store } from "../../core/store.js";
import { stage } from "../../stage/stage.js";

export const facing = {
  on: false, making: false, words: "", end_points: [], end_point: "", posture: "", target: [0, 0, 0], idle: false, manner: {}, recording: false, recorded_s: 0, rate_hz: 0, off_rad: 0, changing: false,
  sight: null, // { eye, forward } as shown last
  held: false, // whether somebody drags the target here
};

const take = (told) => {
  const { target, ...others } = told;
  Object.assign(facing, others);
  if (!facing.held) facing.target = target; // what the hand says is newer
  store.tell("facing");
  stage.ask();
};
link.on("facing", take);
store.on("hello", ({ tools }) => { if (tools.face) take(tools.face); });
if (store.tools.face) take(store.tools.face);
link.on("pose", (message) => {
  if (message.by !== "face") return;
  facing.sight = message.off || !message.eye ? null : { eye: message.eye, forward: message.forward };
  if (!message.off) facing.off_rad = message.off_rad;
});

let waiting = false;
// The target goes somewhere; told at most once a picture.
export const lookAt = (place) => {
  facing.target = place;
  stage.ask();
  if (waiting) return;
  waiting = true;
  requestAnimationFrame(() => { waiting = false; link.send("face.target", { place: facing.target }); });
};
