// Pointer and keys. A tap is decided when the pointer goes up; a drag begins after 8 pixels; a cancelled pointer was nothing.

import { card } from "./cards.js";
import { el, make } from "./dom.js";
import { isOpen } from "./boxes.js";
import { Scene } from "./paint.js";
import { spot } from "./hits.js";
import { nothingFor, offers } from "./offers.js";

const THRESHOLD = 8; // pixels
const TWICE = 350; // milliseconds between the two taps of a double tap
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export class Pointer {
  constructor(table, play) {
    Object.assign(this, { table, play, press: null, handled: 0, last: null });
    const game = el("game");
    game.addEventListener("pointerdown", (event) => this.down(event));
    for (const kind of ["pointermove", "pointerup", "pointercancel"]) window.addEventListener(kind, (event) => this[kind.slice(7)](event));
    game.addEventListener("click", (event) => this.click(event));
    game.addEventListener("contextmenu", (event) => event.target.closest(".card") && event.preventDefault());
    game.addEventListener("dragstart", (event) => event.preventDefault());
    document.addEventListener("keydown", (event) => this.key(event));
  }

  get dragging() {
    return Boolean(this.press?.moved);
  }

  down(event) {
    if (!event.isPrimary || event.button !== 0) return;
    const node = event.target.closest("[data-hit]");
    if (!node || this.press) return;
    const hit = node.dataset.hit;
    this.press = { id: event.pointerId, hit, node, x: event.clientX, y: event.clientY, moved: false };
    if (this.#movable(hit)) node.setPointerCapture(event.pointerId);
  }

  move(event) {
    const { press } = this;
    if (!press || event.pointerId !== press.id) return;
    const far = Math.hypot(event.clientX - press.x, event.clientY - press.y);
    if (!press.moved && far > THRESHOLD && this.#movable(press.hit)) this.#begin(press);
    if (press.moved) this.#follow(event);
  }

  up(event) {
    const { press } = this;
    if (!press || event.pointerId !== press.id) return;
    this.press = null;
    if (press.moved) {
      const hit = this.#under(event);
      const gap = this.#gap(event, press.hit);
      this.#end();
      this.handled = Date.now();
      this.play.drop(press.hit, hit, gap);
      return;
    }
    if (Math.hypot(event.clientX - press.x, event.clientY - press.y) > 2 * THRESHOLD) return; // the table was scrolled
    this.handled = Date.now();
    const again = this.last && this.last.hit === press.hit && Date.now() - this.last.at < TWICE;
    this.last = again ? null : { hit: press.hit, at: Date.now() };
    if (again && press.hit.startsWith("card:")) this.play.twice(press.hit);
    else this.play.tap(press.hit);
  }

  cancel(event) {
    if (event.pointerId !== this.press?.id) return;
    const { moved } = this.press;
    this.press = null;
    if (moved) this.#end();
    if (moved) this.play.changed();
  }

  // A click that no pointer event explains comes from a keyboard or a screen reader.
  click(event) {
    const node = event.target.closest("[data-hit]");
    if (!node || (event.detail > 0 && Date.now() - this.handled < 700)) return;
    this.play.tap(node.dataset.hit);
  }

  // Only what can be taken up moves: a card of the hand, a card or pile that a form takes.
  #movable(hit) {
    if (hit.startsWith("card:")) return !this.table.pending;
    if (!hit.startsWith("zone:") && !hit.startsWith("place:")) return false;
    const [name, place] = spot(hit);
    const zone = this.table.view?.zones.find((one) => one.name === name);
    if (!zone || zone.name === this.play.hand() || zone.kind === "group" || zone.kind === "trick") return false;
    const scene = new Scene(this.table);
    return place === null ? zone.kind === "pile" && scene.legal(name) : scene.look(zone, place).use;
  }

  #begin(press) {
    press.moved = true;
    const { speech, view } = this.table;
    let faces = [];
    if (press.hit.startsWith("card:")) {
      const cards = this.play.dragged(Number(press.hit.slice(5)));
      faces = cards.map((one) => one.face);
      for (const one of cards) document.querySelector(`[data-hit="card:${one.id}"]`)?.classList.add("gone");
      this.#light({ ...this.table.picked(), [this.play.hand()]: faces });
    } else {
      const [name, place] = spot(press.hit);
      const zone = view.zones.find((one) => one.name === name);
      faces = [zone.cards?.length ? zone.cards.at(place ?? -1) || "?" : "?"];
      press.node.classList.add("gone");
    }
    const ghost = make("div", { id: "ghost", "aria-hidden": "true" }, faces.map((face) => card(speech, face)));
    document.body.append(ghost);
    document.body.classList.add("dragging");
  }

  #follow(event) {
    const ghost = el("ghost");
    ghost.style.transform = `translate(${event.clientX}px, ${event.clientY}px)`;
    const under = this.#under(event);
    if (under !== this.over) {
      document.querySelector(".over")?.classList.remove("over");
      if (under) document.querySelector(`[data-hit="${CSS.escape(under)}"]`)?.classList.add("over");
      this.over = under;
    }
  }

  #end() {
    el("ghost")?.remove();
    document.body.classList.remove("dragging");
    document.querySelector(".over")?.classList.remove("over");
    this.over = null;
  }

  // Show where the dragged cards may go, without drawing anything anew.
  #light(picked) {
    const scene = new Scene(this.table, picked);
    for (const node of document.querySelectorAll(".zone[data-hit]")) node.classList.toggle("legal", scene.legal(node.dataset.hit.slice(5)));
  }

  #under(event) {
    return document.elementFromPoint(event.clientX, event.clientY)?.closest("[data-hit]")?.dataset.hit || null;
  }

  // The place in the hand where a card would fall: how many other cards lie before the point.
  #gap(event, hit) {
    let before = 0;
    for (const node of el("hand").querySelectorAll("[data-hit^='card:']")) {
      const box = node.getBoundingClientRect();
      if (node.dataset.hit === hit) continue;
      const step = parseFloat(getComputedStyle(el("hand")).getPropertyValue("--step")) || box.width;
      const middle = box.left + Math.min(step, box.width) / 2;
      if (box.bottom < event.clientY || (box.top <= event.clientY && middle < event.clientX)) before += 1;
    }
    return before;
  }

  // keys

  key(event) {
    if (event.defaultPrevented || isOpen() || event.ctrlKey || event.metaKey) return;
    const field = event.target.closest?.("input, textarea, select, summary");
    if (field) return;
    const focus = document.activeElement?.dataset?.hit || "";
    if (this.#keyed(event, focus)) event.preventDefault();
  }

  #keyed(event, focus) {
    const { play, table } = this;
    const { key } = event;
    const isCard = focus.startsWith("card:");
    if (key === "Escape") return this.dragging ? (this.press = null, this.#end(), play.changed(), true) : (play.back(), true);
    const step = { ArrowLeft: -1, ArrowRight: 1, "<": -1, ">": 1 }[key];
    if (step && isCard && (event.altKey || event.shiftKey || key === "<" || key === ">")) return play.moveCard(Number(focus.slice(5)), step), true;
    if (event.altKey) return false;
    if (ARROWS[key]) return this.#arrow(key, focus);
    if (key === "Enter") {
      if (focus.startsWith("do:") || (document.activeElement?.tagName === "BUTTON" && !focus)) return false;
      return play.enter(focus), true;
    }
    if (key === " ") {
      if (!isCard && !focus.startsWith("zone:") && !focus.startsWith("place:")) return false;
      return play.tap(focus), true;
    }
    const digit = "1234567890-=".indexOf(key);
    if (digit >= 0 && table.hand.cards[digit]) return play.tap(`card:${table.hand.cards[digit].id}`), true;
    const offer = key.length === 1 && offers(table).find((one) => one.key === key);
    const nothing = !offer && table.view && nothingFor(key);
    if (nothing) return play.notice([nothing, {}], false), true;
    if (!offer) return false;
    table.notice = null;
    play.do(offer);
    play.changed();
    return true;
  }

  // Left and right stay in the hand and go round its ends; else the nearest thing in that direction has the focus next.
  #arrow(key, focus) {
    const [dx, dy] = ARROWS[key];
    const cards = [...el("hand").querySelectorAll("[data-hit^='card:']")];
    const here = document.activeElement;
    if (!focus) {
      if (!cards.length) return false;
      cards[0].focus();
      return true;
    }
    if (dx && focus.startsWith("card:")) {
      cards[(cards.indexOf(here) + dx + cards.length) % cards.length].focus();
      return true;
    }
    const middle = (node) => {
      const box = node.getBoundingClientRect();
      return [box.left + box.width / 2, box.top + box.height / 2];
    };
    const [x, y] = middle(here);
    let [best, least] = [null, Infinity];
    for (const node of el("game").querySelectorAll("button[data-hit], [data-hit][tabindex='0']")) {
      const [left, top] = middle(node);
      const ahead = (left - x) * dx + (top - y) * dy;
      const aside = Math.abs(dx ? top - y : left - x);
      if (node === here || ahead <= 4 || aside > ahead * 4) continue;
      const far = ahead + aside * 1.5;
      if (far < least) [best, least] = [node, far];
    }
    best?.focus();
    return Boolean(best);
  }
}
