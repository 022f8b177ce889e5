// The studio's page: brings its parts together. A part that cannot be loaded is missing; the others work.
import { h } from "./core/widgets.js";
import { keys } from "./core/keyboard.js";
import { link } from "./core/link.js";
import { listenForDrops } from "./core/dropping.js";
import { rail } from "./core/rail.js";
import { stage } from "./stage/stage.js";
import { store } from "./core/store.js";
import { toast } from "./core/toasts.js";
import { topbar } from "./core/topbar.js";
import "./core/theme.js";

const MODES = ["pose", "draw", "face", "design", "capture", "steady"];
const part = async (path, name) => {
  try { return (await import(path))[name]; } catch (error) { console.warn(`${path}: ${error.message}`); return null; }
};
const element = (id) => document.getElementById(id);

const [timeline, inspector, viewTools, takes, project, exports, help, fix, ...modes] = await Promise.all([
  part("./timeline/timeline.js", "timeline"), part("./stage/inspector.js", "inspector"), part("./stage/tools.js", "viewTools"),
  part("./dialogs/takes.js", "takes"), part("./dialogs/project.js", "project"), part("./dialogs/exports.js", "exports"), part("./dialogs/help.js", "help"), part("./dialogs/fix.js", "fix"),
  ...MODES.map((name) => part(`./modes/${name}.js`, "default")),
]);

stage.attach(element("stage"));
topbar(element("top"), { takes, project, exports, help, fix });
if (viewTools) element("stage").append(viewTools());
if (timeline) element("timeline").append(timeline());

const AWAY = "The studio does not answer; trying again. What you made is kept.", ANEW = "The studio was started again. Open the address that it says now; then this page goes on, too.";
const offline = h("div", { class: "offline", role: "alert" }, AWAY);
link.on("lost", ({ reason }) => { document.body.append(offline); if (reason) toast(reason, "bad"); });
link.on("refused", ({ anew }) => { const words = anew ? ANEW : AWAY; if (offline.textContent !== words) offline.textContent = words; });
link.on("connected", () => { offline.remove(); offline.textContent = AWAY; });
let ready = false;
store.on("hello", () => {
  if (!ready) rail(element("rail"), element("panel"), modes.filter(Boolean), inspector && inspector());
  ready = true;
  element("studio").setAttribute("aria-busy", "false");
});
keys.add("Space", "play, pause", "Time", () => stage.play(!stage.playing));
listenForDrops();
window.animato = { ...window.animato, studio: { link, store, stage, keys } }; // for tests and the curious
link.open();
