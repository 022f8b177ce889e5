// Keys: everything that can be pressed, in one place, so that the help can list it.
const all = []; // { combination, words, group, handler, when }
const NAMES = { " ": "Space", ArrowLeft: "Left", ArrowRight: "Right", ArrowUp: "Up", ArrowDown: "Down", Escape: "Esc" };

const combinationOf = (event) => {
  const name = NAMES[event.key] || (event.key.length === 1 ? event.key.toUpperCase() : event.key), shifted = event.shiftKey && (name.length > 1 || /[A-Z0-9]/.test(name));
  return `${event.ctrlKey || event.metaKey ? "Ctrl+" : ""}${event.altKey ? "Alt+" : ""}${shifted ? "Shift+" : ""}${name}`;
};

// What types for itself keeps its keys.
const typing = (target) => target.isContentEditable || target.tagName === "TEXTAREA" || target.tagName === "SELECT" || (target.tagName === "INPUT" && !["checkbox", "range", "button"].includes(target.type));
const ownKeys = (target, name) => (target.type === "range" && /^(Shift\+)?(Left|Right|Up|Down|Home|End|PageUp|PageDown)$/.test(name)) || ((target.tagName === "BUTTON" || target.type === "checkbox" || target.tagName === "SUMMARY") && (name === "Space" || name === "Enter"));

export const keys = {
  // `when` says whether it is its turn, such as in its mode; gives back what takes the key away.
  add(combination, words, group, handler, when = () => true) {
    const one = { combination, words, group, handler, when };
    all.unshift(one); // what came last is asked first
    return () => { const place = all.indexOf(one); if (place >= 0) all.splice(place, 1); };
  },
  // For the help: groups of [combination, words], as they were added.
  list() {
    const groups = new Map();
    for (const { combination, words, group } of [...all].reverse()) {
      if (!words) continue;
      if (!groups.has(group)) groups.set(group, []);
      groups.get(group).push([combination, words]);
    }
    return groups;
  },
};

document.addEventListener("keydown", (event) => {
  const name = combinationOf(event), target = event.target;
  if (event.defaultPrevented || document.querySelector("dialog[open]")) return;
  if (typing(target) && !["Ctrl+Z", "Ctrl+Shift+Z", "Ctrl+Y", "Ctrl+S"].includes(name)) return;
  if (typing(target) && target.type === "text" && /^Ctrl\+(Shift\+)?[ZY]$/.test(name)) return;
  if (ownKeys(target, name)) return;
  for (const one of all) {
    if (one.combination !== name || !one.when(event)) continue;
    event.preventDefault();
    one.handler(event);
    return;
  }
});
