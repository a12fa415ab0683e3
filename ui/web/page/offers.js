// Everything the player can do now, as one list: buttons, keys and help are all made from it.

import { formsOf, hinted, hintsOf } from "./forms.js";

// What the table may be asked for. A letter that a form of the game uses belongs to the form. may: what the host calls it where it
// allows it, if not by its name; stages: the only ones it is offered in; button: the table waits for it; ready: it is what to do now;
// standard: Enter does it.
const WISHES = [
  { name: "ready", key: "y", button: true, standard: true },
  { name: "start", key: "s", button: true, standard: true },
  { name: "fill", key: "b", button: true },
  { name: "pause", key: "z", stages: ["playing", "between"] },
  { name: "resume", key: "z", may: "pause", stages: ["paused"], button: true, ready: true },
  { name: "rematch", key: "n", button: true, standard: true },
];
const OWN = [["hint", "i"], ["sort", "o"], ["unmark", "u"], ["trick", "l"], ["points", "p"], ["rules", "r"], ["chat", "t"], ["log", "g"], ["fair", ""], ["help", "?"]];

// What is said when somebody asks for one of these and there is none.
const NOTHING = { hint: "ui.line.no_hint", trick: "ui.line.no_trick" };

// Why a key of a command does nothing now; undefined for a key that never does anything.
export function nothingFor(key) {
  const named = OWN.find(([name, letter]) => letter === key && name in NOTHING);
  return named && NOTHING[named[0]];
}

export function offers(table) {
  const found = [];
  const taken = new Set(formsOf(table.view).map(letter).filter(Boolean));
  const seen = new Set();
  for (const form of formsOf(table.view)) {
    const label = table.speech.text(form.label);
    let key = letter(form);
    if (!key || seen.has(key)) key = free(label, new Set([...taken, ...seen]));
    seen.add(key);
    found.push({
      name: `form:${form.type}`, key, label, form, why: form.blocked ? table.speech.text(form.blocked) : "",
      ready: !form.blocked && hinted(table.view, form) !== null, standard: form.default, button: true,
    });
  }
  for (const wish of WISHES) {
    if (!table.may(wish.may || wish.name) || (wish.stages && !wish.stages.includes(table.stage))) continue;
    const key = seen.has(wish.key) ? "" : wish.key;
    seen.add(key);
    found.push({ ...wish, key, label: table.words(`ui.do.${wish.name}`), why: "" });
  }
  for (const [name, key] of OWN) {
    if (usable(name, table)) found.push({ name, key: seen.has(key) ? "" : key, label: table.words(name === "unmark" ? "web.unmark" : `ui.do.${name}`), why: "" });
  }
  return found;
}

function usable(name, table) {
  switch (name) {
    case "hint": return hintsOf(table.view).length > 0;
    case "sort": return table.hand.cards.length > 1;
    case "unmark": return Boolean(table.view) && Object.keys(table.picked()).length > 0;
    case "trick": return table.lastTrick !== null;
    case "points": case "log": return table.view !== null;
    case "chat": return table.seated;
    case "fair": return Boolean(table.proof?.hand);
    default: return true;
  }
}

function letter(form) {
  return /^[a-z]$/.test(form.key || "") ? form.key : "";
}

function free(label, used) {
  return [...label.toLowerCase(), ..."abcdefghijklmnopqrstuvwxyz"].find((char) => /^[a-z]$/.test(char) && !used.has(char)) || "";
}
