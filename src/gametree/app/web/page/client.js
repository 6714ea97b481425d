// The protocol over a WebSocket: requests with ids, partial and last answers. Whoever waits while the connection is
// lost waits on: what is under way is sent again. That is the same question, except that answers of a class may then
// count as two tries.

const FIRST_WAIT = 250;
const LONGEST_WAIT = 4000;
/** The server closes the connection on a longer message. */
const MOST_BYTES = 65536;

export class Trouble extends Error {
  constructor({ kind, message }) {
    super(message);
    this.kind = kind;
  }
}

export class Client extends EventTarget {
  constructor(address = defaultAddress()) {
    super();
    this.address = address;
    this.connected = false;
    this.waiting = new Map();
    this.next = 1;
    this.wait = FIRST_WAIT;
    this.connect();
    this.refresh();
  }

  /** Asks for the games anew: files may have changed. */
  refresh() {
    this.hello = this.ask({ do: "hello" });
    this.hello.catch(() => {});
    return this.hello;
  }

  connect() {
    this.socket = new WebSocket(this.address);
    this.socket.addEventListener("open", () => {
      this.wait = FIRST_WAIT;
      this.tell(true);
      for (const job of this.waiting.values()) this.send(job.request);
    });
    this.socket.addEventListener("message", (event) => this.hear(JSON.parse(event.data)));
    this.socket.addEventListener("close", () => {
      this.tell(false);
      for (const [id, job] of this.waiting) if (job.isCancelled) this.forget(id);
      setTimeout(() => this.connect(), this.wait);
      this.wait = Math.min(this.wait * 2, LONGEST_WAIT);
    });
  }

  tell(connected) {
    this.connected = connected;
    this.dispatchEvent(new Event(connected ? "online" : "offline"));
  }

  send(request) {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(request));
  }

  /** The promise of the last answer, with a way to `cancel`; `onPartial` hears the answers before. */
  ask(request, onPartial = () => {}) {
    const id = this.next++;
    const sent = { id, ...request };
    if (new TextEncoder().encode(JSON.stringify(sent)).length > MOST_BYTES) return refused("That is too long: a message has at most 64 kB.");
    const done = new Promise((resolve, reject) => {
      this.waiting.set(id, { request: sent, onPartial, resolve, reject });
    });
    done.cancel = () => this.cancel(id);
    this.send(sent);
    return done;
  }

  cancel(id) {
    const job = this.waiting.get(id);
    if (!job) return;
    job.onPartial = () => {};
    job.isCancelled = true;
    this.send({ id: this.next++, do: "cancel", of: id });
    if (!this.connected) this.forget(id);
  }

  /** Nobody will answer a request that was cancelled. */
  forget(id) {
    this.waiting.get(id).resolve({ id, done: true, cancelled: true });
    this.waiting.delete(id);
  }

  hear(answer) {
    const job = this.waiting.get(answer.id);
    if (!job) return;
    if (!answer.done) {
      job.onPartial(answer);
      return;
    }
    this.waiting.delete(answer.id);
    if (answer.error) job.reject(new Trouble(answer.error));
    else job.resolve(answer);
  }
}

function refused(message) {
  const promise = Promise.reject(new Trouble({ kind: "input", message }));
  promise.cancel = () => {};
  return promise;
}

function defaultAddress() {
  const scheme = location.protocol === "https:" ? "wss:" : "ws:";
  return `${scheme}//${location.host}/ws`;
}
