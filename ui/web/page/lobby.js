// The waiting room: chairs, who is ready, and what can be done before the first hand.

import { make } from "./dom.js";
import { isPrivate } from "./names.js";
import { quiet } from "./seats.js";

export function lobby(scene) {
  const { table, speech } = scene;
  const room = table.room;
  if (!room) return make("p", { class: "dim", text: speech.text("ui.lobby.connecting") });
  const free = room.chairs.filter((chair) => chair.line === "empty").length;
  let told = speech.text("ui.lobby.wait_start");
  if (room.stage === "broken") told = speech.text(["ui.told", { text: room.why || speech.text("ui.prompt.broken") }]);
  else if (free) told = speech.text(["ui.lobby.waiting", { n: free }]);
  else if (table.may("start")) told = speech.text("ui.lobby.full");
  const options = agreed(speech, room).map((text) => make("li", { text }));
  return make(
    "section",
    { class: "lobby" },
    make("h1", { text: speech.text(["ui.lobby.title", { title: table.game?.title || room.game }]) }),
    isPrivate(room.m) ? make("p", {}, make("span", { class: "dim", text: `${speech.text("ui.lobby.private")} ` }), make("b", { text: room.m })) : null,
    make("ol", { class: "chairs" }, room.chairs.map((chair) => chairLine(scene, chair))),
    room.watchers?.length ? make("p", { class: "dim", text: speech.text(["ui.lobby.watchers", { n: room.watchers.length }]) }) : null,
    make("p", { class: "told-wait", role: "status", text: told }),
    options.length ? make("details", { class: "options" }, make("summary", { text: speech.text("web.options") }), make("ul", {}, options)) : null,
  );
}

const GRACE = 120; // seconds that a table waits for somebody, unless it says something else: the host leaves out what is usual

// What the table is played with: the game's options, its house rules, what was agreed about time.
export function agreed(speech, room) {
  const lines = Object.entries(room.options || {}).map(([name, value]) => {
    const label = speech.has(`option.${name}`) ? speech.text(`option.${name}`) : name;
    return `${label}: ${optionValue(speech, name, value)}`;
  });
  if (room.house?.length) lines.push(`${speech.text("ui.options.house")}: ${speech.listed(room.house.map((rule) => optionValue(speech, "house", rule)))}`);
  const { clock, away = "bot", grace = GRACE } = room.terms || {};
  if (clock?.move) lines.push(speech.text(["ui.terms.move", { n: clock.move }]));
  if (clock?.bank || clock?.add) lines.push(speech.text(["ui.terms.bank", { n: clock.bank || 0, add: clock.add || 0 }]));
  lines.push(speech.text([`ui.terms.${away}`, { n: grace }]));
  return lines;
}

export function optionValue(speech, name, value) {
  if (typeof value === "boolean") return speech.text(value ? "ui.yes" : "ui.no");
  if (Array.isArray(value)) return speech.listed(value.map((one) => optionValue(speech, name, one))) || speech.text("ui.options.none");
  const key = `option.${name}.${value}`;
  return speech.has(key) ? speech.text(key) : String(value);
}

function chairLine(scene, chair) {
  const { speech, table } = scene;
  const empty = chair.line === "empty";
  const level = [`level.${chair.bot}`, `ui.level.${chair.bot}`].find((key) => speech.has(key));
  let state = speech.text(chair.ready ? "ui.lobby.ready" : "ui.lobby.not_ready");
  if (chair.bot) state = level ? speech.text(level) : chair.bot;
  else if (empty) state = "";
  else if (chair.line === "lagging" || chair.line === "away") state = quiet(scene, chair);
  const mine = chair.seat === table.room.you;
  return make(
    "li",
    { class: empty ? "empty" : mine ? "mine" : "" },
    make("span", { class: "name", text: empty ? speech.text("ui.lobby.empty") : chair.name + (mine ? ` (${speech.text("ui.you")})` : "") }),
    make("span", { class: chair.ready ? "live" : "dim", text: state }),
  );
}
