// Capture: a person's motion is dropped on the page; who is who and what stands when can be corrected, the robot follows.
import { link } from "../core/link.js";
import { store } from "../core/store.js";
import { captureKeys } from "./capture/by_keys.js";
import { capturePanel } from "./capture/panel.js";
import { claim, release } from "./capture/state.js";
import { hideContacts, showContacts } from "./capture/contacts.js";
import { hidePerson, showPerson } from "./capture/person.js";

captureKeys();

export default {
  name: "capture",
  label: "Capture",
  icon: "capture",
  key: "5",
  enter() { link.send("capture.enter"); claim(); showPerson(); showContacts(); },
  leave() { hideContacts(); hidePerson(); release(); },
  panel: capturePanel,
  hint: () => (store.take && store.take.kind === "captured" ? "" : "Drop a capture on the page, or try one of the panel's."),
};
