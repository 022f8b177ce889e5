// What can be chosen and wanted, beside the stage.
import { button, choice, folded, note, powerSlider, row, section, slider, toggle, h } from "../../core/widgets.js";
import { link } from "../../core/link.js";
import { store } from "../../core/store.js";
import { stage } from "../../stage/stage.js";
import { drawing } from "./state.js";
import { deleteLine, nextLine } from "./lines.js";
import { lookAtBoard, useBoard, useFloor, useView } from "./board.js";
import { useKeys } from "./by_keys.js";

const option = link.newest((fields) => link.send("draw.option", fields));
const want = (name, value, gesture) => {
  if (option.waiting && option.waiting.name !== name) option.post();
  option.put({ name, value, gesture });
};
const weight = (label, name, from, to, ends, title) => powerSlider(label, { from, to, ends, title, oninput: (value, gesture) => want(name, value, gesture) });

const whatAndWhere = () => {
  const point = choice("Drawn by", { title: "The point of the robot that draws; or press any place of the robot", onchange: (name) => drawing.usePoint({ name }) });
  const planes = { board: button("Board", { key: "B", title: "A board before the robot", onclick: useBoard }), floor: button("Floor", { key: "F", title: "On the floor", onclick: useFloor }), view: button("Facing me", { key: "C", title: "Facing the camera, through the point", onclick: () => useView() }) };
  const look = button("Look at it", { key: "V", icon: "eye", title: "The camera goes before the board", onclick: lookAtBoard });
  const fresh = button("New drawing", { key: "Shift+N", title: "The next line begins a new take", icon: "add", pressed: false, onclick: () => { drawing.fresh = !drawing.fresh; drawing.tell(); } });
  const over = button("Draw over", { key: "R", title: "The next line replaces a part of the one on which it begins and ends", pressed: false, onclick: () => { drawing.over = !drawing.over; drawing.tell(); } });
  const byKeys = button("By keys", { key: "Q", title: "Arrows move the pen, Space puts it down and lifts it", pressed: false, onclick: () => useKeys(!drawing.pen) });
  const told = note("");
  const made = section("Pen and board", told, point, row(planes.board, planes.floor, planes.view), row(look, fresh, over, byKeys));
  made.follow = () => {
    const own = drawing.point && !drawing.points.some((one) => one.name === drawing.point.name) ? [[drawing.point.name, drawing.point.label]] : [];
    point.options([...drawing.points.map((one) => [one.name, one.label]), ...own], drawing.point ? drawing.point.name : "");
    for (const [kind, one] of Object.entries(planes)) one.press(Boolean(drawing.board && drawing.board.kind === kind));
    fresh.press(drawing.fresh);
    over.press(drawing.over);
    byKeys.press(Boolean(drawing.pen));
    const words = drawing.refusal ? `This character cannot draw: ${drawing.refusal}`
      : drawing.over ? "Begin and end on a line: what lies between is replaced."
        : drawing.line && drawing.lag ? `The robot is ${Math.round(drawing.lag)} ms behind your hand.`
          : drawing.strokes.length && !drawing.fresh ? "Draw on: the pen is lifted between lines. Another point draws its own lines."
            : "Press the robot where it shall draw, then draw on the board. Corners move, turn, size and push the board.";
    told.say(words, drawing.refusal ? "bad" : "");
    for (const one of [point.select, ...Object.values(planes), look, fresh, over, byKeys]) one.disabled = Boolean(drawing.refusal);
  };
  return made;
};

const linesPart = () => {
  const count = note(""), remove = button("Delete line", { key: "Delete", icon: "trash", title: "Delete the chosen line", onclick: deleteLine });
  const next = button("Next line", { key: "L", title: "Choose the next line", onclick: () => nextLine(1) });
  const again = button("Play again", { icon: "play", primary: true, title: "From the beginning", onclick: () => { stage.seek(stage.begin); stage.play(true); } });
  const clear = button("Clear", { icon: "trash", danger: true, title: "Delete the whole drawing; undo brings it back", onclick: () => link.tryTo("draw.delete") });
  const said = note(""), smooth = row(button("Make it smooth", { icon: "fix", title: "Has limits of jerk kept, too; takes some seconds", onclick: () => link.tryTo("draw.smooth") }));
  const made = section("Drawing", said, smooth, count, row(again, next, remove, clear));
  made.follow = () => {
    const { strokes, source, solved } = drawing, take = store.take;
    made.hidden = !source;
    if (!source) return;
    count.say(`${strokes.length === 1 ? "1 line" : `${strokes.length} lines`}, drawn in ${source.drawn_s.toFixed(1)} s.${drawing.chosen >= 0 ? ` Line ${drawing.chosen + 1} is chosen: drag its knobs to move, scale or turn it.` : " Press a line to change it."}`);
    said.say(take ? take.remark : "", solved && solved.take === take?.name && !solved.good ? "bad" : "");
    smooth.hidden = !drawing.jerky;
    remove.disabled = drawing.chosen < 0;
  };
  return made;
};

const performing = () => {
  const beta = weight("Keep my rhythm (beta)", "beta", -3, 3, ["when it suits", "on the beat"], "How much it matters when each part happens");
  const gamma = weight("Be quick (gamma)", "gamma", -3, 1, ["no hurry", "as fast as it can"], "How much haste counts");
  const lock = toggle("Never faster than I drew (tempo lock)", { onchange: (on) => want("tempo_lock", on, "") });
  const clock = toggle("Every moment counts, not only the rhythm", { onchange: (on) => want("timing", on ? "absolute" : "relative", "") });
  const alpha = weight("Rounder than drawn (alpha)", "alpha", -12, -2, ["every detail", "round"], "How much detail of the line is given up");
  const exact = toggle("As detailed as drawn (alpha by itself)", { onchange: (on) => want("alpha", on ? null : 1e-8, "") });
  const length = slider("Takes", { min: 0.2, max: 30, step: 0.05, unit: "s", digits: 2, oninput: (value, gesture) => want("duration_s", value, gesture) });
  const free = toggle("Takes as long as it needs", { onchange: (on) => want("duration_s", on ? null : Math.max(0.2, stage.end - stage.begin), "") });
  const accents = choice("Accents", { options: [["none", "none"], ["quick", "where I was quick"], ["pressed", "where I pressed"]], title: "Where the timing matters most", onchange: (value) => want("accents", value, "") });
  const loud = slider("Accents count", { min: 1, max: 40, step: 0.5, unit: "times", digits: 1, oninput: (value, gesture) => want("accent_weight", value, gesture) });
  const smooth = toggle("Smooth starts and stops (limits of jerk)", { onchange: (on) => want("jerk", on, "") });
  const together = choice("Several points", { options: [["true", "draw at the same time"], ["false", "draw one after the other"]], onchange: (value) => want("together", value === "true", "") });
  const start = choice("Begins near", { title: "The posture near which the motion is sought", onchange: (value) => want("start", value, "") });
  const locked = note("Locked to your tempo, rhythm and haste matter only where the robot cannot keep up.");
  const made = h("div", {}, section("Timing", lock, locked, beta, gamma, free, length, accents, loud), section("Line", exact, alpha, smooth, together), folded("More", clock, start));
  made.follow = () => {
    const { source } = drawing;
    made.hidden = !source;
    if (!source) return;
    const wishes = source.wishes, most = Math.max(10, 4 * source.drawn_s);
    beta.set(wishes.beta);
    gamma.set(wishes.gamma);
    lock.set(wishes.tempo_lock);
    locked.hidden = !wishes.tempo_lock;
    clock.set(wishes.timing === "absolute");
    exact.set(wishes.alpha === null);
    alpha.hidden = wishes.alpha === null;
    alpha.set(wishes.alpha ?? 1e-8);
    free.set(wishes.duration_s === null);
    length.hidden = wishes.duration_s === null;
    length.range.max = most;
    length.set(wishes.duration_s ?? source.drawn_s);
    accents.set(wishes.accents);
    loud.hidden = wishes.accents === "none";
    loud.set(wishes.accent_weight);
    smooth.set(wishes.jerk);
    together.set(String(wishes.together));
    together.hidden = new Set(source.strokes.map((one) => one.point)).size < 2;
    start.options([["", "whatever is best"], ...store.document.postures.map((name) => [name, name])], wishes.start);
  };
  return made;
};

export const drawPanel = () => {
  const parts = [whatAndWhere(), linesPart(), performing()], made = h("div", { class: "draw-panel" }, ...parts);
  const follow = () => { for (const one of parts) one.follow(); };
  drawing.on(follow);
  follow();
  return made;
};
