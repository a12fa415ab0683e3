// What this page knows: the newest view and table, the hand's order, marks, what was begun. Everything is drawn from here.

import { atRest, formsOf, promptOf } from "./forms.js";
import { Hand, handZone, ordersOf } from "./hand.js";
import { Speech } from "./speech.js";

const HELD = 2000; // milliseconds that a finished trick stays at least, even when the next one has begun
const SAID = 60;
const STANDING = ["paused", "frozen"]; // the stages in which a table with an open prompt takes no actions

export class Table {
  constructor() {
    this.speech = new Speech();
    this.own = {}; // the page's catalogue
    this.game = null; // the game's words
    this.said = [];
    this.line = "connecting";
    this.host = "live"; // how the gateway's own line to the host is
    this.closed = false; // whether the host has said that it closes
    this.reset();
  }

  reset() {
    Object.assign(this, {
      view: null, room: null, hand: new Hand(), marks: {}, armed: null, pending: null, notice: null, sort: 0, manual: false, dealt: "",
      tricks: {}, facts: {}, lastTrick: null, heldTrick: null, roomAt: 0, match: 0, clocks: null, clocksAt: 0,
    });
  }

  // The newest view; while the table stands still its forms say so and cannot be used.
  get view() {
    const { seen, stage } = this;
    if (!seen || !this.standing) return seen;
    if (this.rest?.of !== seen || this.rest.stage !== stage) this.rest = { of: seen, stage, view: atRest(seen, [`ui.prompt.${stage}`, {}]) };
    return this.rest.view;
  }

  set view(view) {
    this.seen = view;
  }

  get stage() {
    return this.room?.stage;
  }

  get standing() {
    return STANDING.includes(this.stage);
  }

  words(key, args = {}) {
    return this.speech.text([key, args]);
  }

  spoken() {
    this.speech = new Speech([...(this.game ? [this.game.catalogue] : []), this.own], this.game?.looks || {});
    if (this.view) this.speech.reader(this.view);
  }

  // Take over a new view: hand, marks, and what was begun for a prompt that is closed now.
  see(view, match, events) {
    this.hear(events || []);
    this.view = view;
    this.match = match;
    this.speech.reader(view);
    const own = handZone(view);
    const dealt = `${match}/${view.hand?.number}/${view.you}`;
    if (dealt !== this.dealt) {
      if (this.dealt) [this.hand, this.manual] = [new Hand(), false];
      this.dealt = dealt;
      this.recalled = recall(dealt);
    }
    this.hand.take(own?.cards || []);
    if (this.recalled) {
      [this.sort, this.manual] = [this.recalled.sort, this.recalled.manual];
      if (this.manual) this.hand.recall(this.recalled.faces);
      this.recalled = null;
    }
    if (!this.manual) this.arrange();
    this.#seeTricks();
    for (const name of Object.keys(this.marks)) {
      const cards = view.zones.find((zone) => zone.name === name)?.cards || [];
      this.marks[name] = new Set([...this.marks[name]].filter((place) => cards[place]));
    }
    this.#disarm();
  }

  // Forget what was begun for a prompt that is closed now, or with a form that is gone or cannot be used any more.
  #disarm() {
    const { armed, view } = this;
    const there = armed && armed.prompt === promptOf(view)?.id && formsOf(view).some((form) => form.type === armed.form.type && !form.blocked);
    if (!there) this.armed = null;
  }

  // The marked cards by zone.
  picked() {
    const picked = {};
    const own = handZone(this.view);
    if (own && this.hand.picked().length) picked[own.name] = this.hand.picked();
    for (const zone of this.view?.zones || []) {
      const places = [...(this.marks[zone.name] || [])].sort((one, other) => one - other);
      if (places.length) picked[zone.name] = places.map((place) => zone.cards[place]);
    }
    return picked;
  }

  unmark() {
    const had = Object.keys(this.picked()).length > 0;
    this.hand.clear();
    this.marks = {};
    return had;
  }

  arrange() {
    const orders = ordersOf(this.view, this.speech);
    const [name, key] = orders[this.sort % orders.length];
    this.hand.arrange(key);
    return name;
  }

  keepOrder() {
    localStorage.setItem("order", JSON.stringify({ of: this.dealt, sort: this.sort, manual: this.manual, faces: this.hand.faces }));
  }

  // Follow the events before a view: the last card of a trick is seen only here, and when much happens at once, all of it.
  hear(events) {
    for (const event of events) {
      const seen = { ...event, ...(event.mine || {}) };
      if (seen.k === "mark" && this.tricks[seen.zone]) this.facts[seen.zone] = { ...this.facts[seen.zone], ...seen.facts };
      if (seen.k !== "move") continue;
      if (this.tricks[seen.from] && seen.from !== seen.to) this.#finish(seen.from);
      const target = this.tricks[seen.to];
      if (target && Number.isInteger(seen.place) && seen.cards?.length && seen.place < target.length) target[seen.place] = seen.cards[0];
    }
  }

  // Keep a trick that is taken away, so that it can be looked at.
  #finish(name) {
    const cards = this.tricks[name];
    if (!cards.some(Boolean)) return;
    this.lastTrick = this.heldTrick = { name, cards, facts: this.facts[name] || {}, until: Date.now() + HELD };
    this.tricks[name] = cards.map(() => "");
  }

  #seeTricks() {
    for (const zone of this.view.zones) {
      if (zone.kind !== "trick" || !zone.cards) continue;
      const lies = zone.cards.some(Boolean);
      if (this.tricks[zone.name] && !lies) this.#finish(zone.name);
      else if (lies && this.heldTrick && Date.now() > this.heldTrick.until) this.heldTrick = null;
      if (lies) this.facts[zone.name] = zone.facts;
      this.tricks[zone.name] = [...zone.cards];
    }
  }

  // Let a finished trick make room for the next one; tell whether it did.
  release() {
    const held = this.heldTrick;
    if (!held || Date.now() < held.until || !(this.tricks[held.name] || []).some(Boolean)) return false;
    this.heldTrick = null;
    return true;
  }

  chat(name, text) {
    this.said.push([name, text]);
    this.said.splice(0, this.said.length - SAID);
  }

  // Take over who sits at the table and what may be done there.
  sit(room) {
    if (this.room && this.room.stage !== room.stage) this.forgetRefusal();
    this.room = room;
    this.roomAt = Date.now();
    this.time(room.clk);
    this.#disarm();
  }

  // Take a refusal off the screen: it was about another question, or about how the table stood then.
  forgetRefusal() {
    if (this.notice?.bad) this.notice = null;
  }

  // Seconds that are left of what the last message about the table told in milliseconds; null if nothing is counted.
  left(milliseconds, since = this.roomAt) {
    return Number.isInteger(milliseconds) ? Math.max(0, Math.ceil((milliseconds - (Date.now() - since)) / 1000)) : null;
  }

  // Seconds until the next hand is dealt.
  dealIn() {
    return this.left(this.room?.deal_ms);
  }

  // Take over the clocks: what was left of each seat's move and of its reserve when the message was made.
  time(clocks) {
    [this.clocks, this.clocksAt] = [clocks || null, Date.now()];
  }

  // Seconds that a seat has left for its move and in its reserve, null when its clock does not run.
  clock(seat) {
    const { clocks } = this;
    if (!clocks || !Number.isInteger(clocks.move?.[seat])) return null;
    const passed = clocks.run === false ? 0 : Date.now() - this.clocksAt;
    const move = clocks.move[seat] - passed;
    const bank = (clocks.bank?.[seat] || 0) + Math.min(0, move);
    return { move: Math.max(0, Math.ceil(move / 1000)), bank: Math.max(0, Math.ceil(bank / 1000)) };
  }

  may(what) {
    return Boolean(this.room?.may?.includes(what));
  }

  get seated() {
    return this.room !== null && this.room.you !== null && this.room.you !== undefined;
  }
}

function recall(dealt) {
  try {
    const kept = JSON.parse(localStorage.getItem("order") || "null");
    return kept?.of === dealt ? kept : null;
  } catch {
    return null;
  }
}
