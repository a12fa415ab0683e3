// From the first tap to the last card: who plays, at which table, in which language; and what happens when the table changes.

import { Alerts } from "./alerts.js";
import * as boxes from "./boxes.js";
import { Doorstep } from "./doorstep.js";
import { el } from "./dom.js";
import { promptOf } from "./forms.js";
import { openMenu } from "./menu.js";
import { fan, gameTitle, paint, paintBanner, paintPrompt, Scene } from "./paint.js";
import { Play } from "./play.js";
import { Pointer } from "./pointer.js";
import { nearest } from "./languages.js";
import { clock } from "./seats.js";
import { Table } from "./table.js";
import { Wire } from "./wire.js";

const version = document.body.dataset.version;
const [first, code = ""] = location.pathname.toLowerCase().split("/").slice(1);
const screen = first === "tv"; // a television watches and has no hands
const slot = screen ? "tv-token" : "token";

// A seat that was taken along from another address of the same host.
function arrived() {
  try {
    const kept = JSON.parse(decodeURIComponent(location.hash.slice(1)));
    for (const [name, value] of [[slot, kept.token], ["name", kept.name], ["m", kept.m]]) {
      if (typeof value === "string" && value.length < 64) localStorage.setItem(name, value);
    }
  } catch {
    return; // something else stands behind the #
  } finally {
    history.replaceState(null, "", location.pathname);
  }
}

if (location.hash) arrived();

class App {
  constructor() {
    this.table = new Table();
    this.lang = localStorage.getItem("lang") || nearest(navigator.languages);
    this.screen = screen;
    this.role = screen ? "watch" : localStorage.getItem("role") || "seat";
    this.alerts = new Alerts();
    this.play = new Play(this.table, {
      act: (prompt, action) => this.wire.ask({ t: "act", prompt, d: action }),
      wish: (what, more) => this.wire.ask({ t: "wish", what, ...more }),
      changed: () => this.changed(),
    });
    this.pointer = new Pointer(this.table, this.play);
    this.wire = new Wire(() => this.hello(), (message) => this.hear(message), (state) => this.turned(state));
    this.doorstep = new Doorstep(this, code);
  }

  async begin() {
    document.body.classList.toggle("tv", screen);
    await this.speak(this.lang, false);
    el("menu").addEventListener("click", () => openMenu(this));
    el("moved").addEventListener("click", () => this.play.open({
      name: "moved", title: this.table.words("web.moved"), sticky: true,
      entry: { label: this.table.words("web.moved.where"), limit: 80, mode: "url", send: this.table.words("web.ok"), submit: (text) => this.move(text) },
    }));
    new ResizeObserver(() => fan()).observe(el("hand"));
    setInterval(() => this.tick(), 1000);
    const known = localStorage.getItem(slot) && localStorage.getItem("name") && localStorage.getItem("m");
    if (screen || known) this.start();
    else this.doorstep.ask();
  }

  // Go to the host's new address, and take the seat along: what stands behind # is never sent to anybody.
  move(text) {
    const place = /^[\w.:[\]-]+$/.exec(text.replace(/^https?:\/\//, "").replace(/\/.*$/, ""))?.[0];
    if (!place) return false;
    const kept = { token: localStorage.getItem(slot), name: localStorage.getItem("name"), m: localStorage.getItem("m") };
    location.assign(`${location.protocol}//${place}/#${encodeURIComponent(JSON.stringify(kept))}`);
    return true;
  }

  start() {
    this.doorstep.wait();
    this.wire.start();
  }

  hello() {
    return { token: localStorage.getItem(slot), name: screen ? "TV" : localStorage.getItem("name"), lang: this.lang, code: localStorage.getItem("pass") };
  }

  // What the gateway says

  hear(message) {
    switch (message.t) {
      case "welcome": return this.welcome(message);
      case "tables": return this.doorstep.tables(message);
      case "table": return this.sit(message);
      case "state": return this.see(message);
      case "words": return this.learn(message);
      case "line": return this.lined(message);
      case "say": return this.said(message);
      case "proof": this.table.proof = message; return this.changed();
      case "witness": this.table.distrusted = true; return this.changed();
      case "no": return this.refused(message);
      case "left": return this.left();
      case "gone": return this.gone(message.code);
      default: return undefined;
    }
  }

  welcome(message) {
    if (message.version !== version && sessionStorage.getItem("reloaded") !== message.version) {
      sessionStorage.setItem("reloaded", message.version);
      location.reload();
      return;
    }
    if (message.token) localStorage.setItem(slot, message.token);
    this.welcomed = message;
    if (!message.m) this.wire.send({ t: "tables" });
  }

  async join(m, role = this.role) {
    this.role = role;
    const answer = await this.wire.ask({ t: "join", m, role });
    if (!answer.ok) return this.doorstep.refused(answer, m);
    if (!screen) localStorage.setItem("m", m);
    if (!screen) localStorage.setItem("role", role);
    return undefined;
  }

  // Open a table and sit down there.
  async open(wanted) {
    const answer = await this.wire.ask({ t: "open", ...wanted });
    return answer.ok ? this.join(answer.m, "seat") : this.doorstep.refused(answer, "");
  }

  // A game's words in the reader's language, null if they cannot be had now.
  async wordsOf(game) {
    const { ok, url } = await this.wire.ask({ t: "words", lang: this.lang, game });
    return ok ? fetched(url) : null;
  }

  sit(room) {
    if (this.table.room && this.table.room.m !== room.m) this.table.reset();
    this.table.sit(room);
    if (room.stage === "lobby" && this.table.view) this.table.view = null;
    this.arrived();
    // The host says only after the view who may be ready: the sheet that is open gets its button then.
    if (boxes.isOpen("hand_over") && this.table.may("ready") && !this.play.isReady() && !this.offered) this.play.handOver();
    this.offered = this.table.may("ready");
    this.changed();
  }

  arrived() {
    el("game").hidden = false;
    this.doorstep.close();
    if (screen) this.doorstep.invite(this.table.room.m);
  }

  see({ view, match, events, clk }) {
    const { table } = this;
    if (clk) table.time(clk);
    const others = events.some((event) => event.k === "ask" && !event.seats?.includes(view.you));
    table.see(view, match, events);
    const prompt = promptOf(view)?.id ?? null;
    if (prompt !== this.prompt) {
      boxes.shutPassing();
      if (prompt !== null) table.forgetRefusal();
      this.wire.settle((asked) => asked.t === "act" && asked.prompt !== prompt && this.wire.state !== "live", { ok: true });
      // Of many views only the newest is shown: others may have had their turns since the last one.
      if (prompt !== null && (this.prompt === null || this.prompt === undefined || others)) this.alerts.call();
      this.prompt = prompt;
      el("game").dataset.prompt = prompt ?? "";
    }
    this.endings(view);
    this.changed();
  }

  // The score sheet when a hand ends and the places when the match ends, once each.
  endings(view) {
    const hand = view.result ? `${this.table.match}/${view.result.hand}` : "";
    const before = this.result;
    this.result = hand;
    if (view.end && !this.over) {
      this.over = true;
      boxes.shut("hand_over");
      if (!screen) this.play.matchOver();
    } else if (hand && before !== undefined && hand !== before && !screen) this.play.handOver();
    if (!view.end) {
      this.over = false;
      boxes.shut("match_over");
    }
    if (view.phase === "playing") boxes.shut("hand_over");
  }

  async learn({ url }) {
    if (this.url !== url) {
      this.url = url;
      const words = await fetched(url);
      if (this.url !== url) return;
      if (!words) return void (this.url = ""); // the line broke: the words are named again on the next one
      this.table.game = words;
    }
    this.spoken();
  }

  said({ name, text }) {
    if (localStorage.getItem("deaf") === "yes") return; // whoever does not want to hear does not
    this.table.chat(name, text);
    this.play.chatLines?.();
    this.play.notice(["ui.said", { name, text }], false);
  }

  refused({ code: why, text }) {
    if (why === "malformed") return;
    if (why === "code" || why === "code_needed") return void (this.wire.stop(), this.doorstep.ask([why, {}], true));
    if (why !== "unreachable") this.wire.stop();
    if (why !== "unreachable" || !this.table.room) this.doorstep.ask(this.table.speech.refusal({ code: why === "unreachable" ? "web.unreachable" : why, text }));
  }

  left() {
    localStorage.removeItem("m");
    this.wire.stop();
    this.table.reset();
    this.prompt = this.result = undefined;
    this.doorstep.ask();
  }

  gone(why) {
    this.wire.stop(why === "superseded" ? "elsewhere" : "over");
    this.doorstep.gone(why === "superseded" ? "web.elsewhere" : this.table.speech.has(why) ? why : "ui.gone");
  }

  // How the gateway's own line to the host is.
  lined({ state, code: why }) {
    this.table.host = state;
    this.table.closed = state === "lost" && why === "shutdown";
    this.changed();
  }

  turned(state) {
    if (state !== this.table.line) this.table.lostAt = Date.now();
    this.table.line = state;
    this.table.closed = state === "lost" && this.wire.closed;
    this.changed();
  }

  // Language

  async speak(lang, ask = true) {
    const words = await fetched(`/p/${version}/words.${lang}.json`);
    if (!words) return;
    this.lang = lang;
    this.table.own = words;
    localStorage.setItem("lang", lang);
    document.documentElement.lang = lang.replace("_", "-");
    this.spoken();
    if (ask) this.wire.ask({ t: "words", lang });
  }

  spoken() {
    this.table.spoken();
    if (this.table.view && !this.table.manual) this.table.arrange();
    this.doorstep.again();
    this.changed();
  }

  // Drawing

  changed() {
    if (!this.table.room || this.pointer.dragging) return; // a drag is never drawn over; its end draws
    paint(this.table);
    const title = gameTitle(this.table);
    const mine = this.prompt !== null && this.prompt !== undefined && this.table.room.stage === "playing";
    this.alerts.show(mine, this.table.words("ui.title.turn", { title }), title);
  }

  tick() {
    if (!this.table.room || this.pointer.dragging) return;
    if (this.table.release()) this.changed();
    const scene = new Scene(this.table);
    paintPrompt(scene);
    paintBanner(scene);
    for (const node of document.querySelectorAll("[data-clock]")) node.replaceWith(clock(scene, Number(node.dataset.clock)) || "");
  }
}

// Return what a path leads to, null if it cannot be had now.
async function fetched(path) {
  try {
    const got = await fetch(path);
    return got.ok ? await got.json() : null;
  } catch {
    return null;
  }
}

new App().begin();
