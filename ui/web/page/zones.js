// One painter for each kind of zone. A kind that is not known is drawn as a plain list of its cards.

import { card, cardButton, name as cardName } from "./cards.js";
import { make } from "./dom.js";
import { ordersOf } from "./hand.js";

const caption = (scene, zone) => {
  const label = owned(scene, zone);
  return zone.n === null || zone.n === undefined ? label : `${label} ${zone.n}`;
};

// A zone's name, with its owner's where it does not say so itself.
function owned({ speech, view }, zone) {
  const label = speech.zone(view, zone.name);
  if (zone.owner === null || zone.owner === undefined) return label;
  const owner = zone.owner === view.you ? speech.text("ui.you") : speech.player(zone.owner);
  return label.includes(speech.player(zone.owner)) ? label : `${owner}: ${label}`;
}

const known = (zone) => zone.cards ?? Array(zone.n || 0).fill("?");

// Whose it is, what it is called, what lies there: for ears.
export function spokenZone(scene, zone) {
  const { speech, view } = scene;
  const label = speech.zone(view, zone.name);
  const owner = zone.owner !== null && zone.owner !== undefined && !label.includes(speech.player(zone.owner));
  const title = owner ? speech.text(["ui.line.owned", { zone: label, who: { $player: zone.owner } }]) : label;
  const told = [zone.n === null || zone.n === undefined || zone.kind !== "pile" ? "" : speech.text(["ui.line.cards", { n: zone.n }])];
  const faces = (zone.cards || []).filter(Boolean);
  if (zone.kind === "pile") told.push(faces.length ? cardName(speech, faces.at(-1)) : "");
  else told.push(faces.length ? faces.map((face) => cardName(speech, face)).join(", ") : "");
  return [title, ...told.filter(Boolean)].join(", ");
}

// A zone as a thing that can be pointed at: pressed, or dropped upon.
function target(scene, zone, kind, children, legal = scene.legal(zone.name)) {
  return make(
    "div",
    {
      class: `zone ${kind}${legal ? " legal" : ""}`, "data-hit": `zone:${zone.name}`, tabindex: legal ? "0" : null,
      role: legal ? "button" : "group", "aria-label": spokenZone(scene, zone),
    },
    ...children,
  );
}

function pile(scene, zone) {
  const cards = zone.cards;
  const face = cards?.length ? cards.at(-1) || "?" : zone.n ? "?" : "";
  const more = (zone.n || 0) > 1 ? " deep" : "";
  return target(scene, zone, `pile${more}`, [
    card(scene.speech, face, { legal: scene.legal(zone.name) }),
    make("span", { class: "caption", "aria-hidden": "true" }, owned(scene, zone), make("b", { text: zone.n ?? "" })),
  ]);
}

// Cards that lie in places, each a button of its own where it can be used.
function places(scene, zone, faces) {
  return faces.map((face, place) => {
    const look = scene.look(zone, place);
    if (!look.use && !look.marked) return card(scene.speech, face, look);
    const told = scene.speech.text(["ui.place_number", { n: place + 1 }]);
    return cardButton(scene.speech, face, { ...look, hit: `place:${zone.name}:${place}`, pressable: look.marks, place: told });
  });
}

function row(scene, zone) {
  const faces = known(zone);
  const shown = zone.kind === "fan" && zone.cards && !zone.cards.includes("?") ? sorted(scene, faces) : faces;
  const cards = zone.cards ? places(scene, { ...zone, cards: shown }, shown) : faces.map((face) => card(scene.speech, face));
  const list = make("div", { class: "cards" }, cards.length ? cards : [card(scene.speech, "", {})]);
  return target(scene, zone, "row", [make("span", { class: "caption", "aria-hidden": "true", text: caption(scene, zone) }), list]);
}

export function sorted(scene, faces) {
  const [, key] = ordersOf(scene.view, scene.speech)[0];
  const keyed = faces.map((face) => [key(face), face]);
  return keyed.sort(([one], [other]) => (one[0] < other[0] ? -1 : one[0] > other[0] ? 1 : 0)).map(([, face]) => face);
}

function grid(scene, zone) {
  const faces = known(zone);
  const { columns, cols, rows } = zone.facts || {};
  const wide = [columns, cols].find((one) => Number.isInteger(one) && one > 0)
    || (Number.isInteger(rows) && rows > 0 ? Math.ceil(faces.length / rows) : Math.min(faces.length, 8)) || 1;
  const list = make("div", { class: "cards" }, places(scene, { ...zone, cards: faces }, faces));
  list.style.setProperty("--columns", wide);
  const label = make("span", { class: "caption", "aria-hidden": "true", text: caption(scene, zone) });
  return target(scene, zone, "grid", [label, list]);
}

// How many places each row of a pyramid has; null when the facts do not describe one.
export function pyramidRows(zone) {
  const count = (zone.cards || []).length;
  const { sizes, rows } = zone.facts || {};
  if (Array.isArray(sizes) && sizes.every((size) => Number.isInteger(size) && size > 0) && sizes.reduce((a, b) => a + b, 0) === count) return sizes;
  if (!Number.isInteger(rows) || rows < 1) return null;
  const first = (count - (rows * (rows - 1)) / 2) / rows;
  return Number.isInteger(first) && first >= 1 ? Array.from({ length: rows }, (_, step) => first + step) : null;
}

function pyramid(scene, zone) {
  const sizes = pyramidRows(zone);
  if (!sizes) return grid(scene, zone);
  const longest = Math.max(...sizes);
  const covers = zone.facts.covers || [];
  const downward = covers.some((over, place) => (over || []).some((other) => other > place));
  const nodes = places(scene, zone, zone.cards);
  const list = make("div", { class: "cards" });
  list.style.setProperty("--columns", longest);
  let place = 0;
  let first = 0; // rows that are taken away whole leave no room behind
  for (let seen = 0; first < sizes.length - 1 && zone.cards.slice(seen, seen + sizes[first]).every((face) => !face); first++) seen += sizes[first];
  sizes.forEach((count, down) => {
    for (let column = 0; column < count; column++, place++) {
      const node = nodes[place];
      node.style.gridColumn = `${longest - count + 2 * column + 1} / span 2`;
      node.style.gridRow = `${Math.max(1, down - first + 1)}`;
      // What covers another card is drawn over it.
      node.style.zIndex = downward ? down + 1 : sizes.length - down;
      list.append(node);
    }
  });
  return target(scene, zone, "pyramid", [list], false);
}

function list(scene, zone) {
  const label = make("span", { class: "caption", "aria-hidden": "true", text: caption(scene, zone) });
  return target(scene, zone, "list", [label, ...(zone.cards || []).filter(Boolean).map((face) => card(scene.speech, face, { small: true }))]);
}

export function group(scene, zone) {
  const label = make("span", { class: "caption", "aria-hidden": "true", text: scene.speech.zone(scene.view, zone.name) });
  const faces = zone.cards || Array(zone.n || 0).fill("?");
  const cards = make("span", { class: "cards" }, scene.marksIn(zone.name) ? places(scene, { ...zone, cards: faces }, faces) : faces.map((face) => card(scene.speech, face, { small: true })));
  return target(scene, zone, "group", [label, cards]);
}

const PAINTERS = { pile, row, fan: row, grid, pyramid, group };

export const paintZone = (scene, zone) => (PAINTERS[zone.kind] || list)(scene, zone);
