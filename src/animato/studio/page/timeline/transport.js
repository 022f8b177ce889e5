// Play, loop, speed, and what time it is.
import { button, h } from "../core/widgets.js";
import { icon } from "../core/icons.js";
import { keys } from "../core/keyboard.js";
import { stage } from "../stage/stage.js";
import { clockWords, setRange } from "./ruler.js";
import { frameLength } from "./selection.js";
import { view } from "./view.js";

const SPEEDS = [[2, "2 ×"], [1, "1 ×"], [0.5, "½ ×"], [0.25, "¼ ×"], [0.1, "1⁄10 ×"]];

const step = (frames) => { const length = frameLength(); stage.play(false); stage.seek(view.begin + (Math.round((stage.time - view.begin) / length) + frames) * length); };
const hop = (time) => () => { stage.play(false); stage.seek(time()); };

export const transport = () => {
  const play = button("", { icon: "play", title: "Play", key: "Space", primary: true, onclick: () => stage.play(!stage.playing) });
  const loop = button("", { icon: "loop", title: "Play again and again", pressed: stage.loop, onclick: () => { stage.loop = !stage.loop; loop.press(stage.loop); } });
  const speed = h("select", { class: "widget", title: "How fast it is played", aria: { label: "speed" }, onchange: () => { stage.speed = Number(speed.value); } },
    SPEEDS.map(([value, words]) => h("option", { value: String(value), selected: value === 1 }, words)));
  const clock = h("output", { class: "clock" }), frame = h("span", { class: "frame muted" });
  let shown = null;
  const show = () => {
    const length = frameLength(), number = Math.round((stage.time - view.begin) / length);
    clock.textContent = `${clockWords(stage.time)} s`;
    frame.textContent = view.end > view.begin ? `frame ${number} of ${Math.round((view.end - view.begin) / length)}` : "";
    if (Number(speed.value) !== stage.speed) speed.value = String(stage.speed); // others set it too
    if (shown === stage.playing) return;
    shown = stage.playing;
    play.replaceChildren(icon(shown ? "pause" : "play"));
    play.title = shown ? "Pause [Space]" : "Play [Space]";
    play.setAttribute("aria-label", shown ? "Pause" : "Play");
  };
  stage.onTime(show);
  view.onChange(show);
  show();
  const faster = (way) => { const at = SPEEDS.findIndex(([value]) => value === stage.speed), next = SPEEDS[Math.min(Math.max(at - way, 0), SPEEDS.length - 1)]; stage.speed = next[0]; speed.value = String(next[0]); };
  const free = (event) => !event.target.closest || !event.target.closest(".stage-picture, [role=slider], [role=tablist], .chips");
  keys.add("Left", "one frame back", "Time", () => step(-1), free);
  keys.add("Right", "one frame on", "Time", () => step(1), free);
  keys.add(",", "one frame back", "Time", () => step(-1));
  keys.add(".", "one frame on", "Time", () => step(1));
  keys.add("Home", "to the beginning", "Time", hop(() => (stage.range ? stage.range[0] : view.begin)));
  keys.add("End", "to the end", "Time", hop(() => (stage.range ? stage.range[1] : view.end)));
  keys.add("I", "loop from here", "Time", () => setRange(stage.time, stage.range ? stage.range[1] : view.end));
  keys.add("O", "loop to here", "Time", () => setRange(stage.range ? stage.range[0] : view.begin, stage.time));
  keys.add("Shift+I", "loop all of it", "Time", () => { stage.range = null; view.tell(); });
  keys.add("Shift+L", "loop on, off", "Time", () => loop.click());
  keys.add("<", "slower", "Time", () => faster(-1));
  keys.add(">", "faster", "Time", () => faster(1));
  keys.add("Alt+Up", "see less time, larger", "Time", () => view.zoom(1.5, stage.time));
  keys.add("Alt+Down", "see more time", "Time", () => view.zoom(1 / 1.5, stage.time));
  keys.add("\\", "see all of time", "Time", () => view.fit());
  return h("div", { class: "group transport", role: "group", aria: { label: "playing" } }, play, loop, speed, clock, frame);
};
