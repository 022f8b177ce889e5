// The timeline: what is played, when, with which keys, and how much of the robot it asks for.
import { h } from "../core/widgets.js";
import { icon } from "../core/icons.js";
import { keys } from "../core/keyboard.js";
import { store } from "../core/store.js";
import { stage } from "../stage/stage.js";
import { Board } from "./board.js";
import { heatTrack, rows, rowsTrack } from "./heat.js";
import { keyTools } from "./key_tools.js";
import { keyTrack } from "./key_track.js";
import { ruler } from "./ruler.js";
import { frameLength } from "./selection.js";
import { transport } from "./transport.js";
import { usage } from "./usage.js";
import { view } from "./view.js";

const NARROW = matchMedia("(max-width: 720px)"), GUTTER = 150, PHONE_GUTTER = 12;
const head = new Board("time-board", "time, keys and limits"), body = new Board("time-board rows-board", "limits of each joint");
head.add(ruler);
head.add({ ...keyTrack, shown: () => !NARROW.matches });
head.add(heatTrack);
body.add(rowsTrack);

// Time for who uses no pointer: the board is a slider.
const asSlider = (canvas) => {
  canvas.tabIndex = 0;
  canvas.setAttribute("role", "slider");
  canvas.setAttribute("aria-label", "time");
  canvas.addEventListener("keydown", (event) => {
    const steps = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -10, PageUp: 10 }[event.key];
    if (!steps || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    stage.play(false);
    stage.seek(stage.time + (event.shiftKey ? 10 : 1) * steps * frameLength());
  });
  const show = () => {
    for (const [name, value] of [["valuemin", view.begin], ["valuemax", view.end], ["valuenow", stage.time]]) canvas.setAttribute(`aria-${name}`, value.toFixed(3));
    canvas.setAttribute("aria-valuetext", `${stage.time.toFixed(2)} seconds`);
  };
  stage.onTime((_, playing) => { if (!playing) show(); });
  view.onChange(show);
};

const unfold = () => {
  const made = h("button", { class: "unfold", type: "button", title: "Limits joint by joint [J]", aria: { expanded: "false" }, onclick: () => { rows.open = !rows.open; show(); } }, icon("forward"), h("span", {}, "all joints"));
  const show = () => { made.setAttribute("aria-expanded", String(rows.open)); made.hidden = !usage.now; made.style.top = `${head.topOf(heatTrack)}px`; made.style.height = `${heatTrack.height}px`; };
  keys.add("J", "limits joint by joint", "Time", () => made.click());
  usage.onChange(show);
  head.drawn = show;
  show();
  return made;
};

export const timeline = () => {
  const cursor = () => h("div", { class: "time-now", aria: { hidden: "true" } }), cursors = [cursor(), cursor()], scroller = h("div", { class: "time-scroll", aria: { hidden: "true" } }, h("div"));
  const top = h("div", { class: "time-head" }, h("div", { class: "time-bar" }, transport(), keyTools()), h("div", { class: "time-tracks" }, head.canvas, unfold(), scroller, cursors[0]));
  const made = h("div", { class: "timeline" }, top, h("div", { class: "time-tracks time-rows" }, body.canvas, cursors[1]));
  const place = () => {
    for (const one of cursors) { one.hidden = stage.time < view.from - 1e-6 || stage.time > view.to + 1e-6; one.style.transform = `translateX(${view.toX(stage.time)}px)`; }
  };
  const bar = () => { // where one looks, in all of time
    const all = view.last - view.begin, inner = scroller.firstChild;
    scroller.hidden = view.isWhole;
    Object.assign(inner.style, { left: `${100 * (view.from - view.begin) / all}%`, width: `${100 * (view.to - view.from) / all}%` });
  };
  const size = () => { view.setSize(made.clientWidth, NARROW.matches ? PHONE_GUTTER : GUTTER); made.classList.toggle("phone", NARROW.matches); place(); };
  asSlider(head.canvas);
  scroller.addEventListener("pointerdown", (event) => {
    let x = event.clientX;
    scroller.setPointerCapture(event.pointerId);
    scroller.onpointermove = (moved) => { view.scroll((moved.clientX - x) / scroller.clientWidth * (view.last - view.begin)); x = moved.clientX; };
    scroller.onpointerup = () => { scroller.onpointermove = null; };
  });
  stage.onTime((time, playing) => { if (playing) view.reveal(time); place(); });
  store.on("motion", () => view.setMotion(stage.begin, stage.end));
  store.on("document", () => { head.ask(); body.ask(); });
  store.on("scene", () => head.ask());
  view.onChange(() => { place(); bar(); });
  new ResizeObserver(size).observe(made);
  NARROW.addEventListener("change", size);
  view.setMotion(stage.begin, stage.end);
  bar();
  return made;
};

// A track of another mode, such as contacts, between keys and limits; gives back what takes it away. `draw(ctx, toX, span, size)` begins at the track's
// own top; `down(event, time)` gives { move(event, time), up(event, time), cancel() } or null.
timeline.addTrack = (name, track) => {
  timeline.removeTrack(name);
  const made = head.add({ ...track, name, shown: () => !NARROW.matches }, head.tracks.indexOf(heatTrack));
  head.drawn();
  return () => head.remove(made);
};
timeline.removeTrack = (name) => { for (const one of head.tracks.filter((track) => track.name === name && ![ruler, heatTrack].includes(track) && name !== "keys")) head.remove(one); };
timeline.redraw = () => head.ask();
timeline.view = view;
