// Joints and what they do, in words.
const DEGREES = 180 / Math.PI;
export const KINDS = { position: "range", velocity: "speed", acceleration: "acceleration", jerk: "jerk", torque: "torque" };

export const amount = (value, unit, digits = 0) => {
  if (unit === "rad") return `${(DEGREES * value).toFixed(digits)}°`;
  if (unit === "m") return `${(1000 * value).toFixed(digits)} mm`;
  return value.toFixed(2);
};

// "12° of −90° to 45°".
export const placeWords = (coordinate, value) => {
  const { lower, upper, unit } = coordinate, now = amount(value, unit);
  if (lower === null && upper === null) return `${now}, no end to either side`;
  if (unit === "") return now;
  return `${now} of ${lower === null ? "any" : amount(lower, unit)} to ${upper === null ? "any" : amount(upper, unit)}`;
};

// How near a coordinate is to the nearer of its ends: 0 in the middle, 1 at an end, more beyond it.
export const nearness = ({ lower, upper }, value) => {
  if (lower === null || upper === null || !(upper > lower)) return 0;
  return Math.abs(2 * (value - lower) / (upper - lower) - 1);
};

export const kindOf = (share) => (share > 1 + 1e-6 ? "bad" : share > 0.9 ? "warm" : "");
