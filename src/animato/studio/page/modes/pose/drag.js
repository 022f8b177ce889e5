// Dragging on the stage: pull a body, turn it, or carry the whole figure.
import { link } from "../../core/link.js";
import { gesture } from "../../core/widgets.js";
import { store } from "../../core/store.js";
import { stage } from "../../stage/stage.js";
import { act, done, posing } from "./state.js";

const LEAST_PX = 4, TURN_A_PX = 0.008, FLAT = 0.2;
const UP = [0, 0, 1];
let drag = null; // what is dragged now: { body, local, target }

const minus = (a, b) => a.map((value, n) => value - b[n]);
const plus = (a, b, by = 1) => a.map((value, n) => value + by * b[n]);

// Where the pointer is: on a plane that faces the camera; with Shift along the floor, or up and down where the floor is
// seen from the side; `flat` the other way round.
const placeAt = (event, origin, flat) => {
  const { forward } = stage.view();
  if (Boolean(event.shiftKey) === flat) return stage.onPlane(event.clientX, event.clientY, { origin, normal: forward });
  if (Math.abs(forward[2]) > FLAT) return stage.onPlane(event.clientX, event.clientY, { origin, normal: UP });
  const found = stage.onPlane(event.clientX, event.clientY, { origin, normal: forward });
  return found && [origin[0], origin[1], found[2]];
};

const messageOf = {
  pull: (event, hit) => { const target = placeAt(event, hit.point, false); return target && ["pose.drag", { body: hit.body, local: hit.local, target }]; },
  turn: (event, hit, across, down) => {
    const { right, up, forward } = stage.view(), vector = event.shiftKey ? forward.map((value) => -TURN_A_PX * across * value) : plus(up.map((value) => TURN_A_PX * across * value), right, TURN_A_PX * down);
    const joint = store.scene.joints.find((one) => one.body === hit.body); // a body turns about its joint, which stays
    return ["pose.turn", { body: hit.body, local: joint ? joint.place : hit.local, vector }];
  },
  carry: (event, hit, across) => {
    if (event.altKey) return ["pose.root", { angle: TURN_A_PX * across }];
    const place = placeAt(event, hit.point, true);
    return place && ["pose.root", { by: minus(place, hit.point) }];
  },
};

const down = (event, hit) => {
  if (!hit || !posing.ready) return null;
  const begin = [event.clientX, event.clientY], mine = gesture(), time = stage.time, how = event.ctrlKey && posing.how === "pull" ? "turn" : posing.how;
  let moved = false, newest = null, asked = false;
  const send = () => {
    asked = false;
    if (!newest) return;
    const [what, fields] = newest;
    newest = null;
    link.send(what, { ...fields, time, gesture: mine });
  };
  return {
    move(now) {
      const across = now.clientX - begin[0], below = now.clientY - begin[1];
      if (!moved && Math.hypot(across, below) < LEAST_PX) return;
      if (!moved) { moved = true; stage.play(false); if (stage.time !== time) stage.seek(time); store.tell("press", hit); }
      const message = messageOf[how](now, hit, across, below);
      if (!message) return;
      drag = { body: hit.body, local: hit.local, target: message[1].target };
      newest = message;
      if (!asked) { asked = true; requestAnimationFrame(send); } // at most one a picture
    },
    up() { send(); drag = null; if (moved) done({ time }); stage.ask(); },
    cancel() { newest = null; drag = null; if (moved) link.send("pose.off"); stage.ask(); },
  };
};

export const pin = (body, local = [0, 0, 0]) => { if (body >= 0) link.tryTo("pose.pin", { body, local }); };

const draw = (now, out, top) => {
  const accent = now.dark ? [0.45, 0.75, 1] : [0.04, 0.36, 0.77], warm = [0.9, 0.47, 0.08];
  for (const { body, local } of posing.pins) {
    const place = stage.bodyPose(body).place(local);
    top.dot(place, [1, 1, 1], 0.95, 13);
    top.dot(place, warm, 1, 9);
    top.ring(place, warm, 0.9, 19, 2);
  }
  if (!drag) return;
  const place = stage.bodyPose(drag.body).place(drag.local);
  if (drag.target) {
    top.line(place, drag.target, warm, 0.9, 1.6, 5);
    top.ring(drag.target, accent, 0.9, 15, 2);
  }
  top.dot(place, [1, 1, 1], 0.95, 11);
  top.dot(place, accent, 1, 8);
};

export const takeHold = () => {
  stage.grip("pose", { down, double: (event, hit) => { if (!hit) return false; pin(hit.body, hit.local); return true; }, hover: (event, hit) => (hit && posing.ready ? "grab" : null) }, 5);
  stage.layer("pose", draw);
};
export const letGo = () => { stage.grip("pose", null); stage.layer("pose", null); drag = null; };
export const mirror = () => act("pose.mirror");
