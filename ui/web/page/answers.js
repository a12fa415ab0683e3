// From what a player means to the action that is sent: blanks are asked for one after the other, and why something is refused is told.

import * as boxes from "./boxes.js";
import { card } from "./cards.js";
import { make } from "./dom.js";
import * as forms from "./forms.js";
import { split } from "./hits.js";

const FEW = 12; // up to this many numbers are offered as a list; more are typed in

export class Answers {
  // act(prompt, action) sends to the host and returns its answer; open(box) and notice(message, bad) show something; changed() draws anew.
  constructor(table, { act, open, notice, changed }) {
    Object.assign(this, { table, act, open, notice, changed });
  }

  get view() {
    return this.table.view;
  }

  // Name a form, with these cards marked.
  press(form, picked) {
    const { view, table } = this;
    const outcome = forms.press(view, form, picked);
    const proposal = forms.hinted(view, form);
    const blank = outcome.ask && outcome.ask.form.fields[outcome.ask.missing()];
    if (proposal && blank?.kind === "groups") return this.propose(outcome.ask, proposal);
    table.notice = null;
    this.go(outcome);
  }

  // Do what a hint proposes.
  follow(action) {
    const { type, ...values } = action;
    const form = forms.formsOf(this.view).find((one) => one.type === type);
    if (form) this.send(new forms.Filling(forms.promptOf(this.view).id, form, values));
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
    this.notice(this.table.speech.refusal(answer), !asked);
  }
}
