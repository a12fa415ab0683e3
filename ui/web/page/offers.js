// Everything the player can do now, as one list: buttons, keys and help are all made from it.

import { formsOf, hinted, hintsOf } from "./forms.js";

// name, letter: a letter that a form of the game uses belongs to the form.
const WISHES = [["ready", "y"], ["start", "s"], ["fill", "b"], ["rematch", "n"], ["pause", "z"]];
const OWN = [["hint", "i"], ["sort", "o"], ["unmark", "u"], ["trick", "l"], ["points", "p"], ["rules", "r"], ["chat", "t"], ["log", "g"], ["fair", ""], ["help", "?"]];
const BUTTONS = new Set(["ready", "start", "fill", "resume", "rematch"]);
const STANDARD = new Set(["ready", "start", "rematch"]);

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
  for (const [name, wish] of WISHES) {
    if (!table.may(name)) continue;
    const key = seen.has(wish) ? "" : wish;
    seen.add(key);
    const kind = name === "pause" && table.stage === "paused" ? "resume" : name;
    found.push({ name: kind, key, label: table.words(`ui.do.${kind}`), button: BUTTONS.has(kind), ready: kind === "resume", standard: STANDARD.has(kind), why: "" });
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
