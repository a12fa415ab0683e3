// The players: one block each with badges and their groups, or set around a trick.

import { card, name as cardName } from "./cards.js";
import { make } from "./dom.js";
import { group, sorted } from "./zones.js";

// The seats in turn order, the reader last: the player after the reader is the first.
export function clockwise(view) {
  const first = view.you === null || view.you === undefined ? 0 : view.you + 1;
  return view.seats.map((_, step) => view.seats[(first + step) % view.seats.length]);
}

const holding = (scene, seat) => scene.view.zones.find((zone) => zone.kind === "fan" && zone.owner === seat);

export function seatBlock(scene, seat, groups = true) {
  const { speech, view } = scene;
  const number = seat.seat;
  const mine = number === view.you;
  const badges = (view.layout?.badges?.[number] || []).map((message) => make("span", { class: "badge" }, speech.line(message)));
  const placed = seat.place !== null && seat.place !== undefined;
  for (const note of notes(scene, seat)) badges.push(make("span", { class: placed ? "badge strong" : "badge warn", text: note }));
  const hand = holding(scene, number);
  const faces = !mine && hand?.cards?.some((face) => face !== "?") ? hand.cards : null;
  const count = hand && !mine && hand.n !== null && hand.n !== undefined && !faces ? hand.n : null;
  const name = mine ? speech.text("ui.you") : speech.player(number);
  const block = make(
    "div",
    { class: `seat${seat.asked ? " turn" : ""}${seat.state === "in" ? "" : " out"}${mine ? " mine" : ""}`, "data-seat": number, role: "group" },
    make(
      "div",
      { class: "head", "aria-hidden": "true" }, // said by the block's own name
      make("span", { class: "turnmark", "aria-hidden": "true", text: seat.asked ? "►" : "" }),
      make("span", { class: "name" }, name),
      seat.bot ? make("span", { class: "bot", "aria-hidden": "true", text: "⚙" }) : null,
      ...badges,
      count === null ? null : make("span", { class: "count" }, make("span", { "aria-hidden": "true", class: "backmark" }), make("span", { text: count, "aria-hidden": "true" })),
      make("span", { class: "points", text: seat.points, "aria-hidden": "true" }),
      clock(scene, number),
    ),
  );
  block.setAttribute("aria-label", told(scene, seat, name, count));
  if (faces) {
    const shown = hand.cards.includes("?") ? faces : sorted(scene, faces);
    block.append(make("div", { class: "open", role: "img", "aria-label": `${speech.text(["web.open", { who: { $player: number } }])}: ${shown.map((face) => cardName(speech, face)).join(", ")}` }, shown.map((face) => card(speech, face, { small: true }))));
  }
  if (groups) {
    const own = scene.ordered(view.zones.filter((zone) => zone.kind === "group" && zone.owner === number));
    if (own.length) block.append(make("div", { class: "groups" }, own.map((zone) => group(scene, zone))));
  }
  return block;
}

function told(scene, seat, name, count) {
  const { speech, view } = scene;
  const parts = [seat.bot ? speech.text(["ui.line.bot", { who: name }]) : name];
  if (seat.asked) parts.push(speech.text("ui.line.to_move"));
  for (const message of view.layout?.badges?.[seat.seat] || []) parts.push(speech.speak(message));
  parts.push(...notes(scene, seat));
  if (count !== null) parts.push(speech.text(["ui.line.cards", { n: count }]));
  parts.push(speech.text(["ui.line.points", { n: seat.points }]));
  return parts.join(", ");
}

// What keeps a player from playing: a place that is taken, sitting out, trouble with the line.
function notes(scene, seat) {
  const { speech, table } = scene;
  const found = [];
  if (seat.place !== null && seat.place !== undefined) found.push(speech.text(["ui.place", { n: seat.place }]));
  else if (seat.state === "out" || seat.state === "left") found.push(speech.text(`ui.state.${seat.state}`));
  const chair = table.room?.chairs?.find((one) => one.seat === seat.seat);
  if (chair?.substitute) found.push(speech.text("web.substitute"));
  if (chair && (chair.line === "lagging" || chair.line === "away")) found.push(quiet(scene, chair));
  return found;
}

export function quiet(scene, chair) {
  const { speech, table } = scene;
  if (!chair.quiet_ms) return speech.text(`ui.line.${chair.line}.now`);
  return speech.text([`ui.line.${chair.line}`, { n: Math.round((chair.quiet_ms + Date.now() - table.roomAt) / 1000) }]);
}

// Seconds as people read a clock: `9s`, `42s`, `2:05`, `1:00:00`.
export function clockSaid(seconds) {
  if (seconds < 100) return `${seconds}s`;
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, String(seconds % 60).padStart(2, "0")];
  return hours ? `${hours}:${String(minutes).padStart(2, "0")}:${rest}` : `${minutes}:${rest}`;
}

// A player's clock: the seconds of the move, then those of the reserve. It is drawn anew each second without the rest.
export function clock(scene, seat) {
  const left = scene.table.clock(seat);
  if (!left) return null;
  const hurry = left.move + left.bank <= 10;
  return make("span", { class: `clock${hurry ? " hurry" : ""}`, "data-clock": seat, "aria-hidden": "true", text: left.move || !left.bank ? clockSaid(left.move) : `+${clockSaid(left.bank)}` });
}

// Where the other players sit around a trick, from the left round to the right: [column, row] of three columns.
const SPOTS = {
  1: [[2, 1]],
  2: [[1, 1], [3, 1]],
  3: [[1, 2], [2, 1], [3, 2]],
  4: [[1, 2], [1, 1], [3, 1], [3, 2]],
  5: [[1, 2], [1, 1], [2, 1], [3, 1], [3, 2]],
};

export const canSurround = (view) => view.seats.length >= 2 && view.seats.length <= 6;

// Which place of a trick belongs to a seat: its number, unless the facts name the seats of the places.
function trickPlace(zone, seat) {
  const seats = zone.facts?.seats;
  if (Array.isArray(seats)) return seats.indexOf(seat);
  return seat < (zone.cards || []).length ? seat : -1;
}

export function paintTrick(scene, zone) {
  const { view, table, speech } = scene;
  const held = table.heldTrick?.name === zone.name ? table.heldTrick : null;
  const shown = held ? { ...zone, cards: held.cards, facts: { ...zone.facts, ...held.facts } } : zone;
  const seats = clockwise(view);
  const others = seats.slice(0, -1);
  const spots = SPOTS[others.length];
  const rows = Math.max(...spots.map(([, row]) => row));
  const legal = scene.legal(zone.name);
  const lie = seats.map((seat) => [seat, shown.cards?.[trickPlace(shown, seat.seat)]]).filter(([, face]) => face);
  const name = [speech.zone(view, zone.name), ...lie.map(([seat, face]) => `${speech.player(seat.seat)} ${speech.said(face)}`)].join(", ");
  const cell = (seat, [column, row], own) => {
    const face = shown.cards?.[trickPlace(shown, seat.seat)] || "";
    const winner = shown.facts?.winner === seat.seat;
    const node = make("div", { class: `spot${own ? " own" : ""}` });
    node.style.gridColumn = column;
    node.style.gridRow = row;
    const lying = card(speech, face, { winner, legal: own && legal && !face });
    if (own) {
      // The reader's own place is what is pressed by keyboard and ear; a finger may fall anywhere on the trick.
      const place = legal ? { role: "button", tabindex: "0", "data-hit": `zone:${zone.name}`, "aria-label": name } : {};
      node.append(make("div", place, lying));
      if (view.you === null || view.you === undefined || seat.asked || view.layout?.badges?.[seat.seat]?.length) node.append(seatBlock(scene, seat, false));
    } else node.append(seatBlock(scene, seat, false), lying);
    return node;
  };
  const ownRow = spots.length >= 3 ? 2 : rows + 1;
  const around = make("div", {
    class: `zone trick of${seats.length}${legal ? " legal" : ""}${held ? " held" : ""}`, "data-hit": `zone:${zone.name}`, role: "group", "aria-label": name,
  });
  around.append(...others.map((seat, n) => cell(seat, spots[n], false)), cell(seats.at(-1), [2, ownRow === 2 && others.length === 3 ? 3 : Math.max(2, ownRow)], true));
  return around;
}
