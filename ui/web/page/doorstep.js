// Before the table: the name, which table, and why one cannot sit down.

import { el, make } from "./dom.js";
import { openLanguages } from "./menu.js";
import { isPrivate, privateName } from "./names.js";
import { gameList, openingForm } from "./opening.js";

export class Doorstep {
  constructor(app, code) {
    Object.assign(this, { app, code: code.toUpperCase(), show: null, opening: "" }); // opening: a table is "wanted", or its form is "shown"
  }

  words(key, args) {
    return this.app.table.words(key, args);
  }

  // Draw what is shown again, because the language is another one.
  again() {
    this.show?.();
  }

  close() {
    this.show = null;
    this.opening = "";
    el("door").replaceChildren();
    el("door").hidden = true;
  }

  #draw(show) {
    this.show = show;
    el("door").hidden = false;
    el("door").replaceChildren(...show.call(this));
    this.show = () => el("door").replaceChildren(...show.call(this));
  }

  // Ask for the name, and for the join code of a host that is private; `why` says what was wrong with the last attempt.
  ask(why = null, needed = false) {
    this.opening = "";
    el("game").hidden = true;
    this.#draw(() => {
      const { app } = this;
      const name = make("input", { type: "text", id: "name", maxlength: 24, autocomplete: "nickname", autocapitalize: "words", enterkeyhint: "go", value: localStorage.getItem("name") || "" });
      const pass = needed ? make("input", { type: "text", id: "pass", maxlength: 24, autocomplete: "off", autocapitalize: "characters", value: localStorage.getItem("pass") || "" }) : null;
      const go = (role, opening = false) => {
        const text = name.value.trim();
        if (!text) return name.focus();
        localStorage.setItem("name", text);
        if (pass) localStorage.setItem("pass", pass.value.trim());
        app.role = role;
        this.opening = opening ? "wanted" : "";
        return app.start();
      };
      const form = make("form", { onsubmit: (event) => (event.preventDefault(), go("seat")) },
        make("label", { for: "name", text: this.words("web.door.name") }), name,
        ...(pass ? [make("label", { for: "pass", text: this.words("web.door.pass") }), pass] : []),
        make("button", { type: "submit", class: "do ready big", text: this.words("web.door.sit") }),
        make("button", { type: "button", class: "do big", onclick: () => go("watch"), text: this.words("web.door.watch") }),
        app.screen ? null : make("button", { type: "button", class: "do", onclick: () => go("seat", true), text: this.words("web.door.open") }));
      return [this.#heading(), why ? make("p", { role: "alert", class: "warn" }, app.table.speech.line(why)) : null, form, this.#language()].filter(Boolean);
    });
    if (why) el(needed ? "pass" : "name").focus();
  }

  wait() {
    this.#draw(() => [this.#heading(), make("p", { role: "status", text: this.words("ui.lobby.connecting") })]);
  }

  // The host's tables: the wanted one, the only one, the one of last time; else they are there to choose from. A private one is in no
  // list: whoever knows its name asks for it.
  tables(told) {
    const { app } = this;
    const { tables, codes } = told;
    if (this.opening) return this.opening === "shown" || this.games(told); // a line that was lost meanwhile changes nothing
    const secret = privateName(this.code || localStorage.getItem("m") || "");
    if (secret) return app.join(secret);
    const wanted = this.code && tables.find((row) => codes[row.m] === this.code || row.m.toUpperCase() === this.code);
    const last = tables.find((row) => row.m === localStorage.getItem("m"));
    const only = tables.length === 1 && !this.code ? tables[0] : null;
    const chosen = wanted || (!this.code && last) || only;
    if (chosen) return app.join(chosen.m);
    return this.choose(told, this.code ? ["web.door.no_code", { code: this.code }] : null);
  }

  choose(told, why) {
    const { tables, codes } = told;
    this.#draw(() => {
      const { app } = this;
      const field = make("input", { type: "text", id: "code", maxlength: 24, autocapitalize: "characters", autocomplete: "off", class: "code" });
      const form = make("form", { onsubmit: (event) => {
        event.preventDefault();
        this.code = field.value.trim().toUpperCase();
        app.wire.send({ t: "tables" });
      } }, make("label", { for: "code", text: this.words("web.door.code") }), field, make("button", { type: "submit", class: "do ready", text: this.words("web.ok") }));
      const rows = tables.map((row) => make("button", { type: "button", class: "item", onclick: () => app.join(row.m) },
        make("b", { text: row.title || row.game }), make("span", { class: "dim", text: this.words("web.door.free", { n: row.free }) }), isPrivate(row.m) ? make("span", { class: "dim", text: this.words("ui.hall.hidden") }) : make("kbd", { text: codes[row.m] || row.m })));
      return [this.#heading(), why ? make("p", { role: "alert", class: "warn" }, app.table.speech.line(why)) : null, make("div", { class: "items" }, rows),
        tables.length ? null : make("p", { text: this.words("web.door.none") }), form,
        make("button", { type: "button", class: "do", onclick: () => this.games(told), text: this.words("web.door.open") })].filter(Boolean);
    });
  }

  // Open a table: first the game, then what it is played with, in the game's own words.
  games({ games, house }) {
    const { app } = this;
    const back = () => make("button", { type: "button", class: "do big", onclick: () => app.left(), text: this.words("web.door.back") });
    this.opening = "shown";
    this.#draw(() => [this.#heading(), make("h2", { text: this.words("web.door.open") }), gameList(app.table.speech, games, async (game) => {
      const words = await app.wordsOf(game.name);
      this.#draw(() => [this.#heading(), make("h2", { text: game.title || game.name }), openingForm(app.table.own, words, game, house, (wanted) => app.open(wanted)), back()]);
    }), back()]);
  }

  // The host did not let the player sit down: say why, and offer to watch, unless there is nothing to watch.
  refused(answer, m) {
    this.code = this.opening = "";
    this.#draw(() => [
      this.#heading(),
      make("p", { role: "alert", class: "warn" }, this.app.table.speech.line(this.app.table.speech.refusal(answer))),
      m && this.app.role === "seat" && answer.code !== "no_table" ? make("button", { type: "button", class: "do ready big", onclick: () => this.app.join(m, "watch"), text: this.words("web.door.watch") }) : null,
      make("button", { type: "button", class: "do big", onclick: () => this.app.left(), text: this.words("web.door.back") }),
    ].filter(Boolean));
  }

  // The connection has ended for good, or another window plays.
  gone(why) {
    el("game").hidden = true;
    this.#draw(() => [
      this.#heading(),
      make("p", { role: "alert", text: this.words(why) }),
      make("button", { type: "button", class: "do ready big", onclick: () => this.app.start(), text: this.words(why === "web.elsewhere" ? "web.door.here" : "web.door.again") }),
    ]);
  }

  // The code that others scan to come to a table, and what they can type instead.
  scan(m) {
    const place = this.app.welcomed?.host?.web?.[0] || location.origin;
    const told = make("p", {}, this.words("web.tv.scan"), make("b", { text: place.replace(/^https?:\/\//, "").replace(/\/m\/.*$/, "") }));
    if (isPrivate(m)) told.append(make("span", { class: "dim", text: this.words("ui.lobby.private") }), make("b", { text: m }));
    return [make("img", { src: `/code/${m}.svg`, alt: this.words("web.tv.scan") }), told];
  }

  // What a television shows beside the table: how to join.
  invite(m) {
    if (el("invite")) return;
    el("side").prepend(make("section", { id: "invite" }, this.scan(m)));
  }

  #heading() {
    return make("h1", { text: "carteado" });
  }

  #language() {
    return make("button", { type: "button", class: "tool", onclick: () => openLanguages(this.app), text: `${this.words("ui.do.lang")} …` });
  }
}
