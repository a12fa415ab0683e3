// Opening a table: which game, for how many, its options in its own words, and whether only those find it who are told its name.

import { make } from "./dom.js";
import { optionValue } from "./lobby.js";
import { Speech } from "./speech.js";

const USUAL = 4; // chairs, where a game does not say otherwise
const MANY = 8; // more things to tick are folded away

// The games that the host has, to choose from.
export function gameList(speech, games, choose) {
  return make("div", { class: "items" }, games.map((game) => make("button", { type: "button", class: "item", onclick: () => choose(game) },
    make("b", { text: game.title || game.name }), make("span", { class: "dim", text: `${speech.text("web.open.chairs")}: ${[...new Set(game.seats)].join("-")}` }))));
}

// The form of one table. `words` are the game's, `done` is given what was chosen.
export function openingForm(own, words, game, house, done) {
  const speech = new Speech([words?.catalogue || {}, own], words?.looks || {});
  const [low, high] = game.seats;
  const counts = [...Array(high + 1).keys()].slice(Math.max(2, low));
  const chairs = counts.length > 1 ? blank(speech, { name: "chairs", kind: "one_of", of: counts, default: Math.min(high, Math.max(low, USUAL)) }, speech.text("web.open.chairs")) : null;
  const options = game.options.map((option) => [option.name, blank(speech, option, labelled(speech, option.name))]);
  const rules = house.length ? blank(speech, { name: "house", kind: "several", of: house, default: [] }, speech.text("ui.options.house")) : null;
  const hidden = blank(speech, { name: "private", kind: "flag", default: false }, `${speech.text("ui.options.private")}: ${speech.text("ui.options.private.yes")}`);
  return make("form", { class: "opening", onsubmit: (event) => {
    event.preventDefault();
    done({
      game: game.name, chairs: chairs ? chairs.value() : high, options: Object.fromEntries(options.map(([name, one]) => [name, one.value()])),
      house: rules ? rules.value() : [], private: hidden.value(),
    });
  } },
  ...[chairs, ...options.map(([, one]) => one), rules, hidden].filter(Boolean).map((one) => one.node),
  make("button", { type: "submit", class: "do ready big", text: speech.text("ui.options.open") }));
}

function labelled(speech, name) {
  return speech.has(`option.${name}`) ? speech.text(`option.${name}`) : name;
}

// One thing to fill in: its node, and what is filled in now.
function blank(speech, option, label) {
  const id = `option-${option.name}`;
  const say = (value) => optionValue(speech, option.name, value);
  if (option.kind === "flag") {
    const box = make("input", { type: "checkbox", id, checked: option.default });
    return { node: make("label", { class: "tick", for: id }, box, make("span", { text: label })), value: () => box.checked };
  }
  if (option.kind === "several") {
    const boxes = option.of.map((value, n) => make("input", { type: "checkbox", id: `${id}-${n}`, checked: option.default.includes(value) }));
    const ticks = option.of.map((value, n) => make("label", { class: "tick", for: `${id}-${n}` }, boxes[n], make("span", { text: say(value) })));
    const node = option.of.length > MANY ? make("details", {}, make("summary", { text: label }), ticks) : make("fieldset", {}, make("legend", { text: label }), ticks);
    return { node, value: () => option.of.filter((value, n) => boxes[n].checked) };
  }
  if (option.kind === "whole") {
    const field = make("input", { type: "number", id, min: option.low, max: option.high, step: 1, required: true, value: String(option.default) });
    return { node: make("label", { for: id }, make("span", { text: label }), field), value: () => Number(field.value) };
  }
  const list = make("select", { id }, option.of.map((value, n) => make("option", { value: String(n), selected: value === option.default, text: say(value) })));
  return { node: make("label", { for: id }, make("span", { text: label }), list), value: () => option.of[Number(list.value)] };
}
