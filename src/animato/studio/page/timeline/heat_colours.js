// Colours of shares of limits, as on the pages of `animato check`: nothing over amber to orange as a limit comes near,
// then a step to magenta beyond it; lightness falls all the way.
const WITHIN = [[0, [247, 205, 110, 0]], [0.5, [247, 205, 110, 45]], [0.75, [246, 190, 85, 130]], [0.9, [243, 165, 50, 235]], [1, [230, 120, 20, 255]]];
const BEYOND = [[1, [190, 10, 110, 255]], [1.5, [140, 0, 100, 255]], [2, [90, 0, 80, 255]]];
const BEYOND_DARK = [[1, [255, 70, 170, 255]], [1.5, [255, 110, 200, 255]], [2, [255, 160, 225, 255]]]; // away from a dark ground
const STEPS = 48, TOLERANCE = 1e-6;

const ramp = (stops) => Array.from({ length: STEPS }, (_, n) => {
  const at = stops[0][0] + (stops.at(-1)[0] - stops[0][0]) * n / (STEPS - 1), next = Math.max(1, stops.findIndex(([place]) => place >= at)), [a, from] = stops[next - 1], [b, to] = stops[next];
  const [red, green, blue, opacity] = from.map((value, k) => value + (to[k] - value) * (at - a) / (b - a));
  return `rgb(${red.toFixed()} ${green.toFixed()} ${blue.toFixed()} / ${(opacity / 2.55).toFixed()}%)`;
});
const within = ramp(WITHIN), beyond = ramp(BEYOND), beyondDark = ramp(BEYOND_DARK);

export const isBeyond = (share) => share > 1 + TOLERANCE;
export const levelOf = (share) => (Number.isNaN(share) ? -1 : isBeyond(share) ? STEPS + Math.min(STEPS - 1, Math.round((share - 1) * (STEPS - 1))) : Math.max(0, Math.round(share * (STEPS - 1))));
export const colourOf = (level, dark) => (level < STEPS ? within[level] : (dark ? beyondDark : beyond)[level - STEPS]);
export const levelIsBeyond = (level) => level >= STEPS;
