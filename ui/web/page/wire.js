// The line to the gateway: it comes back by itself, at once when the phone wakes up, and says again what was not answered.

const CONNECT = 5000; // milliseconds until an attempt to connect is given up
const CLOSED = 1012; // the code with which a server ends its sockets when it is closed itself
const WAITS = [250, 500, 1000, 2000, 4000, 8000];

export class Wire {
  // hear(message) is given every message; turned(state) every change of connecting | live | lost | over. `closed` tells whether the
  // other side has said that it closes.
  constructor(hello, hear, turned) {
    Object.assign(this, { hello, hear, turned, state: "idle", closed: false, open: new Map(), tries: 0, quiet: 20000 });
    const random = crypto.getRandomValues(new Uint32Array(1))[0];
    this.number = random * 1024; // another page of this browser never uses the same numbers
    for (const [target, name] of [[document, "visibilitychange"], [window, "pageshow"], [window, "online"]]) {
      target.addEventListener(name, () => document.visibilityState === "visible" && this.wake());
    }
    setInterval(() => this.beat(), 1000);
  }

  start() {
    this.over = false;
    this.tries = 0;
    this.#connect();
  }

  // End it for good: another window plays, or nobody is wanted any more.
  stop(state = "over") {
    this.over = true;
    this.#drop();
    clearTimeout(this.timer);
    this.#turn(state);
  }

  // The phone is awake again: the browser's own idea of the connection may be wrong, so ask, and do not wait long for the answer.
  wake() {
    if (this.over || this.state === "idle") return;
    this.tries = 0;
    if (this.state !== "live") this.#connect();
    else if (Date.now() - this.heard > 3000) {
      this.send({ t: "ping", n: 0 });
      this.deadline = Date.now() + 2000;
    }
  }

  beat() {
    if (this.state !== "live") return;
    const now = Date.now();
    if ((this.deadline && now > this.deadline) || now - this.heard > this.quiet * 1.5) this.#lost();
    else if (now - this.heard > this.quiet * 0.75 && now - this.said > 3000) this.send({ t: "ping", n: 0 });
  }

  send(message) {
    this.said = Date.now();
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  // Ask something that is answered; asked again with the same number on the next line.
  ask(message) {
    const n = (this.number += 1);
    return new Promise((resolve) => {
      const asked = { ...message, n };
      this.open.set(n, { asked, resolve });
      if (this.state === "live") this.send(asked);
    });
  }

  // Forget a question that has answered itself: the prompt is closed, so the action was taken.
  settle(test, answer) {
    for (const [n, { asked, resolve }] of this.open) {
      if (test(asked)) {
        this.open.delete(n);
        resolve(answer);
      }
    }
  }

  #connect() {
    this.#drop();
    clearTimeout(this.timer);
    this.#turn(this.heard ? "lost" : "connecting");
    const socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws`);
    this.socket = socket;
    this.timer = setTimeout(() => this.socket === socket && this.state !== "live" && this.#lost(), CONNECT);
    socket.onopen = () => socket === this.socket && this.send({ t: "hello", ...this.hello() });
    socket.onmessage = (event) => socket === this.socket && this.#take(JSON.parse(event.data));
    socket.onerror = () => socket === this.socket && this.#lost();
    socket.onclose = (event) => {
      if (socket !== this.socket) return;
      this.closed ||= event.code === CLOSED;
      this.#lost();
    };
  }

  #take(message) {
    this.heard = Date.now();
    this.deadline = 0;
    if (message.t === "welcome") {
      this.closed = false;
      clearTimeout(this.timer);
      this.tries = 0;
      this.quiet = (message.ping || 15) * 1000;
      this.hear(message);
      this.#turn("live");
      for (const { asked } of this.open.values()) this.send(asked);
      return;
    }
    if (message.t === "ping") this.send({ t: "ping", n: 0 });
    if (message.t === "answer") {
      this.open.get(message.n)?.resolve(message);
      this.open.delete(message.n);
    }
    this.hear(message);
  }

  #lost() {
    this.#drop();
    if (this.over) return;
    this.#turn("lost");
    const wait = WAITS[Math.min(this.tries++, WAITS.length - 1)] * (0.7 + 0.6 * Math.random());
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.#connect(), wait);
  }

  #drop() {
    const socket = this.socket;
    this.socket = null;
    this.deadline = 0;
    if (socket) {
      socket.onopen = socket.onmessage = socket.onclose = socket.onerror = null;
      socket.close();
    }
  }

  #turn(state) {
    if (state === this.state) return;
    this.state = state;
    this.turned(state);
  }
}
