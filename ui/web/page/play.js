// What one player does: marking cards, pointing at things, taking what is on offer, reading. Touch, mouse and keyboard all end here.

import { Answers } from "./answers.js";
import * as boxes from "./boxes.js";
import { make } from "./dom.js";
import * as forms from "./forms.js";
import { handZone } from "./hand.js";
import { split, spot } from "./hits.js";
import { offers } from "./offers.js";
import { fairBody, handOverBody, helpBody, logBody, markdown, matchOverBody, pointsBody, trickBody } from "./pages.js";

export class Play {
  // act(prompt, action) and wish(what, more) send to the host and return its answer; changed() draws anew.
  constructor(table, { act, wish, changed }) {
    Object.assign(this, { table, wish, changed });
    this.answers = new Answers(table, { act, changed, open: (box) => this.open(box), notice: (message, bad) => this.notice(message, bad) });
  }

  get view() {
    return this.table.view;
  }

  hand() {
    return handZone(this.view)?.name || "";
  }

  notice(message, bad = true) {
    this.table.notice = { message, bad, at: Date.now() };
    this.changed();
  }

  // pointing

  tap(hit) {
    const { table } = this;
    table.notice = null;
    table.heldTrick = null;
    const [kind, rest] = split(hit);
    if (kind === "card") this.markCard(Number(rest));
    else if (kind === "place") this.usePlace(hit);
    else if (kind === "zone" && rest !== this.hand()) this.aim([rest, null], table.picked());
    else if (kind === "do") this.doNamed(rest);
    this.changed();
  }

  // Do with one card what Enter would do.
  twice(hit) {
    const [kind, rest] = split(hit);
    const one = kind === "card" && this.table.hand.get(Number(rest));
    if (!one || !this.view) return;
    if (this.table.armed) {
      this.table.hand.clear();
      one.marked = true;
      this.answers.confirm();
    } else this.answers.go(forms.enter(this.view, { [this.hand()]: [one.face] }, true));
    this.changed();
  }

  // The cards that a drag which began on one card takes along: the marked ones if it is one of them.
  dragged(id) {
    const one = this.table.hand.get(id);
    if (!one) return [];
    return one.marked ? this.table.hand.cards.filter((card) => card.marked) : [one];
  }

  // What was dropped where. `gap` is the place in the hand where it fell.
  drop(source, hit, gap) {
    const { table } = this;
    table.notice = null;
    const [from, rest] = split(source);
    const [kind, name] = split(hit || ":");
    const toHand = kind === "card" || hit === `zone:${this.hand()}`;
    if (from === "card") {
      const cards = this.dragged(Number(rest));
      if (!cards.length) return;
      if (toHand) {
        table.hand.move(Number(rest), gap);
        table.manual = true;
        table.keepOrder();
      } else {
        const picked = { ...table.picked(), [this.hand()]: cards.map((one) => one.face) };
        if (kind === "do") this.doNamed(name, picked);
        else if (kind === "zone" || kind === "place") this.aim(spot(hit), picked);
      }
    } else if (hit !== source && toHand) this.aim(spot(source), {}); // from a pile or a place to the hand: to take what lies there
    else if (hit === source) this.tap(hit);
    this.changed();
  }

  markCard(id) {
    const { table } = this;
    const one = table.hand.get(id);
    if (!one || table.pending) return;
    const single = this.takesOne(this.hand());
    const marked = !one.marked;
    if (single) table.hand.clear();
    one.marked = marked;
    if (table.armed && single && marked) this.answers.confirm();
  }

  usePlace(hit) {
    const [zone, place] = spot(hit);
    const blanks = forms.formsOf(this.view).flatMap((form) => Object.values(form.fields));
    const named = blanks.some((blank) => blank.kind === "place" && blank.zone === zone);
    if (!named && this.picks(zone).length) {
      const marks = (this.table.marks[zone] ||= new Set());
      if (marks.has(place)) marks.delete(place);
      else {
        if (this.takesOne(zone)) marks.clear();
        marks.add(place);
      }
    } else this.aim([zone, place], this.table.picked());
  }

  picks(zone) {
    const open = this.table.armed ? [this.table.armed.form] : forms.formsOf(this.view).filter((form) => !form.blocked);
    return open.flatMap((form) => Object.values(form.fields)).filter((blank) => (blank.kind === "pick" || blank.kind === "groups") && blank.zone === zone);
  }

  // Whether no form takes more than one card from a zone, so that a new mark replaces the old one.
  takesOne(zone) {
    const blanks = this.picks(zone);
    return blanks.length > 0 && blanks.every((blank) => blank.kind === "pick" && blank.n[1] === 1);
  }

  aim(where, picked) {
    const { table, view } = this;
    if (!view) return;
    if (table.armed) {
      const one = forms.fit(table.armed.prompt, table.armed.form, picked, where);
      if (one.aimed && !one.wrong) return this.answers.go(one.filling.missing() === null ? { send: one.filling } : { ask: one.filling });
    }
    this.answers.go(forms.aim(view, picked, where, table.speech.zone(view, where[0])));
  }

  // keys

  // Play the marked cards, or the one that has the focus, or do what is done by default.
  enter(focus = "") {
    const { table, view } = this;
    table.notice = null;
    const [kind, rest] = split(focus || ":");
    if (table.armed) this.answers.confirm(focus);
    else if (kind === "zone" || kind === "place") this.aim(spot(focus), table.picked());
    else if (!view || !forms.promptOf(view)) {
      const standard = offers(table).find((offer) => offer.standard && !offer.form);
      if (standard) this.do(standard);
      else if (view) this.answers.go(forms.enter(view, {}, false));
    } else {
      const picked = table.picked();
      const one = kind === "card" && table.hand.get(Number(rest));
      const marked = Object.keys(picked).length > 0;
      this.answers.go(forms.enter(view, marked || !one ? picked : { [this.hand()]: [one.face] }, marked));
    }
    this.changed();
  }

  // Undo the last thing that was begun: a form, then the marks.
  back() {
    const { table } = this;
    table.notice = null;
    if (table.armed) table.armed = null;
    table.unmark();
    this.changed();
  }

  moveCard(id, step) {
    const place = this.table.hand.place(id) + step;
    if (place < 0 || place >= this.table.hand.cards.length) return;
    this.table.hand.move(id, place);
    this.table.manual = true;
    this.table.keepOrder();
    this.changed();
  }

  // what is on offer

  doNamed(name, picked = null) {
    if (name === "confirm") return this.answers.confirm();
    if (name === "back") return this.back();
    const offer = offers(this.table).find((one) => one.name === name);
    if (offer) this.do(offer, picked);
  }

  do(offer, picked = null) {
    const { table } = this;
    if (offer.form) return this.answers.press(offer.form, picked ?? table.picked());
    switch (offer.name) {
      case "ready": return this.ask("ready", { on: !this.isReady() });
      case "pause": case "resume": return this.ask("pause", { on: offer.name === "pause" });
      case "start": case "fill": case "rematch": return this.ask(offer.name);
      case "sort": return this.sort();
      case "unmark": return void table.unmark();
      default: return this.page(offer.name);
    }
  }

  isReady() {
    return Boolean(this.table.room?.chairs.find((chair) => chair.seat === this.table.room.you)?.ready);
  }

  async ask(what, more = {}) {
    const answer = await this.wish(what, more);
    if (!answer.ok && !(what === "ready" && answer.code === "running")) this.notice(this.table.speech.refusal(answer));
    return answer.ok;
  }

  sort() {
    const { table } = this;
    if (table.manual) table.manual = false;
    else table.sort += 1;
    const name = table.arrange();
    table.keepOrder();
    this.notice(["ui.sorted", { by: name }], false);
  }

  // pages

  open(box) {
    return boxes.open({ close: this.table.words("web.close"), ...box });
  }

  page(name) {
    const { table } = this;
    const title = table.words(`ui.do.${name}`);
    const read = (body) => this.open({ name, title, body, sticky: true, wide: true });
    switch (name) {
      case "hint": return this.hints(title);
      case "points": return read(pointsBody(table));
      case "log": return read(logBody(table));
      case "trick": return read(trickBody(table));
      case "fair": return read(fairBody(table));
      case "help": return read(helpBody(table));
      case "rules": return this.rules(read);
      case "chat": return this.chat(title);
      default: return undefined;
    }
  }

  // The rules, opened at the section that tells of what is to be decided now.
  rules(read) {
    const { table } = this;
    const box = read(table.game?.rules ? markdown(table.game.rules) : [make("p", { text: table.words("ui.rules.none") })]);
    const stage = forms.promptOf(this.view)?.stage;
    if (stage) box.querySelector(`[data-stages~="${CSS.escape(stage)}"]`)?.scrollIntoView();
  }

  hints(title) {
    const { table } = this;
    const hints = forms.hintsOf(this.view);
    const items = hints.filter((hint) => hint.action).map((hint) => ({ label: table.speech.line(hint.text), run: () => this.answers.follow(hint.action) }));
    this.open({ name: "hint", title, items, body: hints.filter((hint) => !hint.action).map((hint) => make("p", {}, table.speech.line(hint.text))) });
  }

  chat(title) {
    const { table } = this;
    const lines = () => table.said.slice(-12).map(([name, text]) => make("p", {}, make("b", { text: `${name}: ` }), text));
    this.open({ name: "chat", title, body: lines(), sticky: true, entry: { label: title, limit: 300, send: table.words("web.send"), submit: (text) => void this.ask("say", { text }) } });
    this.chatLines = () => boxes.body("chat")?.replaceChildren(...lines());
  }

  handOver() {
    const { table } = this;
    const ready = table.may("ready") && !this.isReady();
    const items = ready ? [{ label: table.words("ui.do.ready"), run: () => this.ask("ready"), strong: true, key: "y" }] : [];
    this.open({ name: "hand_over", title: table.words("ui.hand_over", { n: this.view.result.hand ?? "" }), body: handOverBody(table), items, sticky: true, wide: true });
  }

  matchOver() {
    const { table } = this;
    const items = table.may("rematch") ? [{ label: table.words("ui.do.rematch"), run: () => this.ask("rematch"), key: "n" }] : [];
    this.open({ name: "match_over", title: table.words("ui.match_over"), body: matchOverBody(table), items, sticky: true, wide: true });
  }
}
