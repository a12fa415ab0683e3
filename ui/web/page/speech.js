// Messages to text: keys and typed arguments in, one sentence in one language out. The same rules as core/words.py.

const PLURALS = { "n != 1": (n) => (n !== 1 ? 1 : 0), "n > 1": (n) => (n > 1 ? 1 : 0) };
const PLACE = /\{([a-z_0-9]+)\}/g;
const COLOURS = new Set(["red", "yellow", "green", "blue", "black", "gray"]);
// What moves the cursor, hides, or turns the direction of what stands around it.
const UNSAFE = /[\u0000-\u001f\u007f-\u009f\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufe00-\ufe0f\ufeff\u{e0000}-\u{e007f}]/gu;

export const clean = (text) => String(text).replace(UNSAFE, (found) => (found === "\n" ? "\n" : ""));

export class Speech {
  constructor(catalogues = [], looks = {}) {
    this.catalogues = catalogues;
    this.looks = looks || {};
    this.names = [];
    this.you = null;
  }

  reader(view) {
    this.names = (view.seats || []).map((seat) => clean(seat.name));
    this.you = view.you ?? null;
  }

  has(key) {
    return this.catalogues.some((catalogue) => Object.hasOwn(catalogue, key));
  }

  // A refusal as a message: the code where there are words for it, else the host's own sentence.
  refusal({ code, data, text }) {
    return this.has(code) || !text ? [code, data || {}] : ["ui.told", { text }];
  }

  // One plain sentence, cards as short signs.
  text(message) {
    return clean(this.#parts(message, false).map((part) => (typeof part === "string" ? part : this.sign(part.face))).join(""));
  }

  // The same with the cards' full names, for ears.
  speak(message) {
    return clean(this.#parts(message, true).map((part) => (typeof part === "string" ? part : this.said(part.face))).join(""));
  }

  // The same as nodes, the cards in their colours; a screen reader is told their names.
  line(message) {
    const nodes = document.createDocumentFragment();
    for (const part of this.#parts(message, false)) {
      nodes.append(typeof part === "string" ? clean(part) : this.token(part.face));
    }
    return nodes;
  }

  token(face) {
    const token = document.createElement("span");
    token.className = `token ${this.colour(face)}`;
    const seen = document.createElement("span");
    seen.setAttribute("aria-hidden", "true");
    seen.textContent = this.sign(face);
    const told = document.createElement("span");
    told.className = "told";
    told.textContent = this.said(face);
    token.append(seen, told);
    return token;
  }

  #parts(message, spoken) {
    const [first, args] = split(message);
    let key = first;
    const who = args.who;
    if (this.you !== null && who && typeof who === "object" && who.$player === this.you && this.has(`${key}.you`)) key += ".you";
    const template = this.template(key, args);
    const parts = [];
    let last = 0;
    for (const found of template.matchAll(PLACE)) {
      if (!Object.hasOwn(args, found[1])) continue;
      parts.push(template.slice(last, found.index), ...this.#argument(args[found[1]], spoken));
      last = found.index + found[0].length;
    }
    parts.push(template.slice(last));
    return parts.filter((part) => part !== "");
  }

  template(key, args = {}) {
    for (const catalogue of this.catalogues) {
      const entry = Object.hasOwn(catalogue, key) ? catalogue[key] : undefined;
      if (typeof entry === "string") return entry;
      if (Array.isArray(entry) && entry.length) {
        const rule = PLURALS[catalogue[""]?.plural] || PLURALS["n != 1"];
        const count = Number.isInteger(args.n) ? args.n : 1;
        return entry[Math.min(rule(count), entry.length - 1)];
      }
    }
    return key;
  }

  #argument(value, spoken) {
    if (value && typeof value === "object" && !Array.isArray(value)) {
      if ("$player" in value) return [this.player(value.$player)];
      if ("$card" in value) return [{ face: String(value.$card) }];
      if (Array.isArray(value.$list)) return this.#listed(value.$list.map((item) => this.#argument(item, spoken)));
    }
    if (Array.isArray(value) && typeof value[0] === "string") return this.#parts(value, spoken);
    if (value === true) return ["True"];
    if (value === false) return ["False"];
    return [value === null ? "None" : String(value)];
  }

  #listed(items) {
    if (items.length < 2) return items.flat();
    const rest = items.slice(0, -1).flatMap((item, n) => (n ? [", ", ...item] : item));
    const template = this.template("list.last");
    if (template === "list.last") return [...rest, ", ", ...items.at(-1)];
    const parts = [];
    let last = 0;
    for (const found of template.matchAll(PLACE)) {
      parts.push(template.slice(last, found.index), ...(found[1] === "rest" ? rest : found[1] === "last" ? items.at(-1) : [found[0]]));
      last = found.index + found[0].length;
    }
    return [...parts, template.slice(last)];
  }

  listed(texts) {
    return this.#listed(texts.map((text) => [text])).join("");
  }

  player(seat) {
    return Number.isInteger(seat) && seat >= 0 && seat < this.names.length ? this.names[seat] : `#${seat}`;
  }

  special(face) {
    return Boolean(this.looks.faces && Object.hasOwn(this.looks.faces, face));
  }

  look(face) {
    return this.looks.faces?.[face] || this.looks.suits?.[face.slice(0, 1)];
  }

  rank(face) {
    if (!face || this.special(face)) return "";
    const rank = face.slice(1);
    if (rank === "T") return "10";
    const key = this.looks.ranks?.[rank];
    return key && this.has(key) ? this.template(key) : rank;
  }

  // The sign of a face without its rank.
  glyph(face) {
    return clean(this.look(face)?.glyph ?? "");
  }

  // A face as a short text: `10♣`, `★`.
  sign(face) {
    const look = this.look(face);
    if (!look) return clean(face);
    return this.special(face) ? this.glyph(face) : clean(this.rank(face)) + this.glyph(face);
  }

  // A face's full name.
  said(face) {
    const look = this.look(face);
    if (!look) return clean(face);
    if (this.special(face)) return this.speak([look.name, {}]);
    const name = `rank.name.${face.slice(1)}`;
    const rank = this.has(name) ? this.template(name) : this.rank(face);
    return this.speak(["card.spoken", { rank, suit: [look.name, {}] }]);
  }

  colour(face) {
    const colour = this.look(face)?.color;
    return COLOURS.has(colour) ? colour : "";
  }

  // A zone's caption: the game's label, a word for its kind of name, or the name itself.
  zone(view, name) {
    const label = view.layout?.labels?.[name];
    if (label !== undefined) return this.text(label);
    const key = `zone.${name.split("/")[0]}`;
    return this.has(key) ? this.text(key) : clean(name);
  }
}

function split(message) {
  if (typeof message === "string") return [message, {}];
  if (!Array.isArray(message) || !message.length) return [String(message ?? ""), {}];
  const args = message[1];
  return [String(message[0]), args && typeof args === "object" && !Array.isArray(args) ? args : {}];
}
