// What one player does: marking cards, pointing at things, filling forms in, sending actions. Touch, mouse and keyboard all end here.

import * as boxes from "./boxes.js";
import { card } from "./cards.js";
import { make } from "./dom.js";
import * as forms from "./forms.js";
import { handZone } from "./hand.js";
import { fairBody, handOverBody, helpBody, logBody, markdown, matchOverBody, pointsBody, trickBody } from "./pages.js";
import { offers } from "./offers.js";

const FEW = 12; // up to this many numbers are offered as a list; more are typed in

export class Play {
  // act(prompt, action) and wish(what, more) send to the host and return its answer; changed() draws anew.
  constructor(table, { act, wish, changed }) {
    Object.assign(this, { table, act, wish, changed });
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
      this.confirm();
    } else this.go(forms.enter(this.view, { [this.hand()]: [one.face] }, true));
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
    if (table.armed && single && marked) this.confirm();
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
      if (one.aimed && !one.wrong) return this.go(one.filling.missing() === null ? { send: one.filling } : { ask: one.filling });
    }
    this.go(forms.aim(view, picked, where, table.speech.zone(view, where[0])));
  }

  // keys

  // Play the marked cards, or the one that has the focus, or do what is done by default.
  enter(focus = "") {
    const { table, view } = this;
    table.notice = null;
    const [kind, rest] = split(focus || ":");
    if (table.armed) this.confirm(focus);
    else if (kind === "zone" || kind === "place") this.aim(spot(focus), table.picked());
    else if (!view || !forms.promptOf(view)) {
      const standard = offers(table).find((offer) => offer.standard && !offer.form);
      if (standard) this.do(standard);
      else if (view) this.go(forms.enter(view, {}, false));
    } else {
      const picked = table.picked();
      const one = kind === "card" && table.hand.get(Number(rest));
      const marked = Object.keys(picked).length > 0;
      this.go(forms.enter(view, marked || !one ? picked : { [this.hand()]: [one.face] }, marked));
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
    if (name === "confirm") return this.confirm();
    if (name === "back") return this.back();
    const offer = offers(this.table).find((one) => one.name === name);
    if (offer) this.do(offer, picked);
  }

  do(offer, picked = null) {
    const { table } = this;
    if (offer.form) return this.press(offer.form, picked ?? table.picked());
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
    if (!answer.ok && !(what === "ready" && answer.code === "running")) this.notice(this.why(answer));
    return answer.ok;
  }

  why(answer) {
    const known = this.table.speech.has(answer.code);
    return known || !answer.text ? [answer.code, answer.data || {}] : ["ui.told", { text: answer.text }];
  }

  sort() {
    const { table } = this;
    if (table.manual) table.manual = false;
    else table.sort += 1;
    const name = table.arrange();
    table.keepOrder();
    this.notice(["ui.sorted", { by: name }], false);
  }

  press(form, picked) {
    const { view, table } = this;
    const outcome = forms.press(view, form, picked);
    const proposal = forms.hinted(view, form);
    const blank = outcome.ask && outcome.ask.form.fields[outcome.ask.missing()];
    if (proposal && blank?.kind === "groups") return this.propose(outcome.ask, proposal);
    table.notice = null;
    this.go(outcome);
  }

  // Follow an outcome: send, ask, let choose, or say why not.
  go(outcome) {
    if (outcome.send) this.send(outcome.send);
    else if (outcome.ask) this.askFor(outcome.ask);
    else if (outcome.choose) {
      const items = outcome.choose.map((filling) => ({ label: this.table.speech.line(filling.form.label), run: () => (this.askFor(filling), this.changed()) }));
      this.open({ name: "forms", title: this.table.words("ui.which"), items });
    } else this.notice(outcome.say, outcome.bad);
  }

  // Ask for the next blank: on the table for cards, in a box for anything else.
  askFor(filling) {
    const name = filling.missing();
    if (name === null) return this.send(filling);
    const blank = filling.form.fields[name];
    if (blank.kind === "pick" || blank.kind === "groups") {
      this.table.armed = filling;
      this.table.unmark();
      return this.changed();
    }
    this.table.armed = null;
    return this.askBlank(filling, name, blank);
  }

  askBlank(filling, name, blank) {
    const { speech } = this.table;
    const then = (value) => (this.askFor(filling.put(name, value)), this.changed());
    const body = [make("p", {}, speech.line(forms.wanted(filling, name)))];
    const title = speech.line(filling.form.label);
    const numbers = blank.kind === "number" ? forms.numbersOf(blank) : [];
    if (numbers.length > FEW) {
      const range = speech.text(["ui.ask.number.range", { low: numbers[0], high: numbers.at(-1) }]);
      const submit = (text) => {
        if (!numbers.includes(Number(text))) return (this.notice(["ui.ask.number.range", { low: numbers[0], high: numbers.at(-1) }]), false);
        boxes.shut("blank");
        return then(Number(text));
      };
      return this.open({ name: "blank", title, body, entry: { label: range, limit: 6, mode: "numeric", send: this.table.words("web.ok"), submit } });
    }
    return this.open({ name: "blank", title, body, items: this.values(blank).map(([label, value]) => ({ label, run: () => then(value) })) });
  }

  // What may be filled into a blank: how each value is written, and the value.
  values(blank) {
    const { speech, view } = this.table;
    if (blank.kind === "choice") return blank.of.map((one) => [speech.line(one.label), one.value]);
    if (blank.kind === "number") return forms.numbersOf(blank).map((number) => [String(number), number]);
    if (blank.kind === "target") return blank.zones.map((zone) => [this.zoneLine(zone), zone]);
    const cards = view.zones.find((zone) => zone.name === blank.zone)?.cards || [];
    return blank.places.map((place) => {
      const label = document.createDocumentFragment();
      if (cards[place] && cards[place] !== "?") label.append(speech.token(cards[place]), " ");
      label.append(speech.text(["ui.place_number", { n: place + 1 }]));
      return [label, place];
    });
  }

  zoneLine(name) {
    const { speech, view } = this.table;
    const zone = view.zones.find((one) => one.name === name);
    const label = document.createDocumentFragment();
    if (zone && zone.owner !== null && zone.owner !== undefined) label.append(`${speech.player(zone.owner)}: `);
    label.append(speech.zone(view, name));
    if (zone?.cards && ["group", "row", "fan"].includes(zone.kind)) for (const face of zone.cards) label.append(" ", face === "?" ? "▮" : speech.token(face));
    return label;
  }

  // Take the marked cards into the form that asked for them.
  confirm(focus = "") {
    const { table } = this;
    const { armed } = table;
    const name = armed?.missing();
    if (!armed || name === null) return;
    const blank = armed.form.fields[name];
    let faces = table.picked()[blank.zone] || [];
    const [kind, rest] = split(focus || ":");
    if (!faces.length && kind === "card") faces = [table.hand.get(Number(rest))?.face].filter(Boolean);
    if (blank.kind === "pick") {
      const one = forms.fit(armed.prompt, armed.form, { [blank.zone]: faces });
      if (one.wrong || !faces.length) return this.notice(one.wrong || ["ui.mark_first", {}]);
      table.armed = null;
      return this.askFor(armed.put(name, faces));
    }
    const left = [...table.hand.faces];
    const twice = [...armed.spent(), ...faces].some((face) => {
      const at = left.indexOf(face);
      if (at >= 0) left.splice(at, 1);
      return at < 0;
    });
    if (!faces.length || twice) return this.notice([faces.length ? "ui.used_twice" : "ui.mark_first", {}]);
    table.armed = null;
    return this.askFor(armed.addGroup(name, faces));
  }

  propose(filling, action) {
    const { speech } = this.table;
    const { type, ...values } = action;
    const whole = new forms.Filling(filling.prompt, filling.form, values);
    const [name, blank] = Object.entries(filling.form.fields).find(([, one]) => one.kind === "groups");
    const body = blank.like.map((like, n) => make("p", { class: "proposal" }, make("span", {}, speech.line(like), ":"), ...(values[name]?.[n] || []).map((face) => [card(speech, face, { small: true }), make("span", { class: "told", text: `${speech.said(face)} ` })]).flat()));
    void type;
    this.open({ name: "proposal", title: speech.line(filling.form.label), body, items: [
      { label: speech.text("ui.proposal.take"), run: () => this.send(whole), strong: true },
      { label: speech.text("ui.proposal.own"), run: () => this.askFor(filling) },
    ] });
  }

  // Send an action; one that a player could regret is asked about first, unless he is `sure`.
  async send(filling, sure = false) {
    const { table } = this;
    if (table.pending) return;
    const instead = sure || localStorage.getItem("careful") === "no" ? null : forms.missed(this.view, filling);
    if (instead) {
      this.open({ name: "sure", title: table.speech.line(filling.form.label), body: [make("p", {}, table.speech.line(["ui.sure", { form: instead.label }]))], items: [
        { label: table.words("ui.sure.no"), run: () => undefined },
        { label: table.speech.line(["ui.sure.yes", { form: filling.form.label }]), run: () => this.send(filling, true) },
      ] });
      return;
    }
    table.armed = null;
    table.pending = filling.action();
    this.changed();
    const answer = await this.act(filling.prompt, filling.action());
    table.pending = null;
    if (answer.ok) table.unmark();
    else this.refused(filling, answer);
    this.changed();
  }

  refused(filling, answer) {
    const blank = answer.data?.field;
    const asked = blank in filling.form.fields && !(blank in filling.values);
    // The game needs a blank that is optional in the form: it is asked for now, and nothing is wrong with that.
    if (asked) this.askFor(new forms.Filling(filling.prompt, filling.form, filling.values, [], [blank]));
    this.notice(this.why(answer), !asked);
  }

  // pages

  open(box) {
    boxes.open({ close: this.table.words("web.close"), ...box });
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
      case "rules": return read(table.game?.rules ? markdown(table.game.rules) : [make("p", { text: table.words("ui.rules.none") })]);
      case "chat": return this.chat(title);
      default: return undefined;
    }
  }

  hints(title) {
    const { table } = this;
    const hints = forms.hintsOf(this.view);
    const items = hints.filter((hint) => hint.action).map((hint) => ({ label: table.speech.line(hint.text), run: () => this.follow(hint.action) }));
    this.open({ name: "hint", title, items, body: hints.filter((hint) => !hint.action).map((hint) => make("p", {}, table.speech.line(hint.text))) });
  }

  follow(action) {
    const { type, ...values } = action;
    const form = forms.formsOf(this.view).find((one) => one.type === type);
    if (form) this.send(new forms.Filling(forms.promptOf(this.view).id, form, values));
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

const split = (hit) => [hit.slice(0, hit.indexOf(":")), hit.slice(hit.indexOf(":") + 1)];

export function spot(hit) {
  const [kind, rest] = split(hit);
  if (kind !== "place") return [rest, null];
  const at = rest.lastIndexOf(":");
  return [rest.slice(0, at), Number(rest.slice(at + 1))];
}
