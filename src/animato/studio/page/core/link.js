// The one web socket of a page: what is sent, what is answered, what is told.
const LONGEST_WAIT_MS = 4000, SOON_MS = 16;
const decoder = new TextDecoder();

// A message of numbers: the length of a header, the header, then arrays of floats.
const unpacked = (buffer) => {
  const length = new DataView(buffer).getUint32(0, true), header = JSON.parse(decoder.decode(new Uint8Array(buffer, 4, length))), arrays = {};
  let at = 4 + length;
  for (const [name, shape] of header.arrays) {
    const count = shape.reduce((a, b) => a * b, 1);
    arrays[name] = new Float32Array(buffer, at, count);
    arrays[name].shape = shape;
    at += 4 * count;
  }
  return { ...header, arrays };
};

class Link {
  constructor() {
    Object.assign(this, { listeners: new Map(), waiting: new Map(), late: new Set(), number: 0, connected: false, wait: 250, postedAt: 0, received: 0, sent: 0 });
  }

  open() {
    this.socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws`);
    this.socket.binaryType = "arraybuffer";
    this.socket.onopen = () => { this.connected = true; this.wait = 250; this.tell("connected", {}); };
    this.socket.onmessage = ({ data }) => this.take(typeof data === "string" ? JSON.parse(data) : unpacked(data));
    this.socket.onclose = ({ reason }) => this.lost(reason);
  }

  // Tries again for as long as it takes: what was made is kept by the server, not by the page.
  lost(reason) {
    this.connected = false;
    for (const { reject } of this.waiting.values()) reject(new Error("The studio did not answer; it is asked again."));
    this.waiting.clear();
    this.tell("lost", { reason });
    if (this.wait > 250) this.askWhy();
    setTimeout(() => this.open(), this.wait);
    this.wait = Math.min(2 * this.wait, LONGEST_WAIT_MS);
  }

  // A studio that was started again has another token: it answers, but not to this page until its new address was opened.
  async askWhy() {
    const answer = await fetch("/health").catch(() => null);
    if (!this.connected) this.tell("refused", { anew: Boolean(answer && answer.status === 403) });
  }

  take(message) {
    this.received++;
    if (message.re !== undefined) {
      const asked = this.waiting.get(message.re);
      this.waiting.delete(message.re);
      if (asked) { if (message.error) asked.reject(new Error(message.error)); else asked.resolve(message); }
      else if (message.error) this.tell("toast", { words: message.error, kind: "bad" });
      return;
    }
    this.tell(message.say, message);
  }

  tell(say, message) { for (const handler of [...(this.listeners.get(say) || [])]) handler(message); }

  // Handlers of a word; what is given back takes the handler away.
  on(say, handler) {
    if (!this.listeners.has(say)) this.listeners.set(say, new Set());
    this.listeners.get(say).add(handler);
    return () => this.listeners.get(say).delete(handler);
  }

  // Of what a hand says all the time, such as the places of a slider, the newest: the first is sent at once, then at most
  // 60 a second, and always before whatever else is sent. An undo must not overtake the move that it undoes.
  newest(send) {
    let wait = null;
    const post = () => { const last = wait; wait = null; this.late.delete(post); if (last !== null) { this.postedAt = performance.now(); send(last); } };
    return {
      get waiting() { return wait; },
      put: (value) => {
        const first = wait === null, rest = this.postedAt + SOON_MS - performance.now();
        wait = value;
        if (!first) return;
        if (rest <= 0) { post(); return; }
        this.late.add(post);
        setTimeout(post, rest);
      },
      post,
      drop: () => { wait = null; },
    };
  }

  send(what, fields = {}) {
    if (!this.connected) return false;
    const late = [...this.late];
    this.late.clear();
    for (const post of late) post();
    this.sent++;
    this.socket.send(JSON.stringify({ do: what, ...fields }));
    return true;
  }

  ask(what, fields = {}) {
    return new Promise((resolve, reject) => {
      const id = ++this.number;
      if (!this.send(what, { ...fields, id })) { reject(new Error("The studio is not connected just now.")); return; }
      this.waiting.set(id, { resolve, reject });
    });
  }

  // As `ask`; where it fails, people are told.
  async tryTo(what, fields = {}) {
    try { return await this.ask(what, fields); } catch (error) { this.tell("toast", { words: error.message, kind: "bad" }); return null; }
  }

  // A file into the project; the answer says where it is.
  async upload(file, purpose) {
    const answer = await fetch(`/upload?purpose=${encodeURIComponent(purpose)}&name=${encodeURIComponent(file.name)}`, { method: "POST", body: file });
    const told = await answer.json().catch(() => ({}));
    if (!answer.ok) throw new Error(told.error || `The file was refused (${answer.status}).`);
    return told;
  }
}

export const link = new Link();
