// The pages that open over the table: rules, points, the end of a hand and of a match, log, last trick, help.

import { card } from "./cards.js";
import { make } from "./dom.js";
import { offers } from "./offers.js";

const MARK = /^<!-- stages?: (.*?) *-->/; // names the stages which the section after it tells of
const INLINE = /\*\*(.+?)\*\*|`([^`]+)`|\*(\S[^*]*?)\*/g;

// A Markdown text as nodes: headings, lists, bold words, tables. Nothing in it is ever taken as HTML.
export function markdown(source) {
  const nodes = [];
  let [paragraph, rows, list, stages] = [[], [], null, null];
  const push = (node) => {
    if (stages) node.dataset.stages = stages;
    stages = null;
    nodes.push(node);
  };
  const flush = () => {
    if (paragraph.length) push(make("p", {}, inline(paragraph.join(" "))));
    if (rows.length) push(make("table", {}, rows.map((row, n) => make("tr", {}, row.map((cell) => make(n ? "td" : "th", {}, inline(cell)))))));
    if (list) push(list);
    [paragraph, rows, list] = [[], [], null];
  };
  for (const line of source.split("\n")) {
    const text = line.trim();
    const item = /^(?:[-*+]|(\d+)[.)])\s+(.*)$/.exec(text);
    if (!text) flush();
    else if (text.startsWith("<!--")) (flush(), (stages = MARK.exec(text)?.[1] || null));
    else if (text.startsWith("#")) (flush(), push(make(/^##/.test(text) ? "h4" : "h3", { text: text.replace(/^#+\s*/, "") })));
    else if (item) {
      if (!list) flush();
      list ||= make(item[1] ? "ol" : "ul", item[1] ? { start: item[1] } : {});
      list.append(make("li", {}, inline(item[2])));
    } else if (text.startsWith("|")) {
      if (paragraph.length || list) flush();
      if (!/^[|:\- ]+$/.test(text)) rows.push(text.replace(/^\||\|$/g, "").split("|").map((cell) => cell.trim()));
    } else if (list && /^\s/.test(line)) list.lastChild.append(" ", ...inline(text));
    else {
      if (rows.length || list) flush();
      paragraph.push(text);
    }
  }
  flush();
  return nodes;
}

function inline(text) {
  const parts = [];
  let last = 0;
  for (const found of text.matchAll(INLINE)) {
    parts.push(text.slice(last, found.index), make(found[2] ? "code" : "strong", { text: found[1] || found[2] || found[3] }));
    last = found.index + found[0].length;
  }
  return [...parts, text.slice(last)];
}

const signed = (number) => (number > 0 ? `+${number}` : `${number}`);
const ofSeat = (values, seat) => {
  const value = Array.isArray(values) ? values[seat] : values?.[seat];
  return Number.isInteger(value) ? value : null;
};

// The players with their points and places, best place first where places are known.
export function scores(table, badges = false) {
  const { view, speech } = table;
  const place = (seat) => seat.place ?? 99;
  const seats = [...view.seats].sort((one, other) => place(one) - place(other) || one.seat - other.seat);
  const rows = seats.map((seat) => {
    const gained = ofSeat(view.result?.points, seat.seat);
    const won = ofSeat(view.end?.chips, seat.seat);
    const marks = badges ? (view.layout?.badges?.[seat.seat] || []).map((message) => make("span", { class: "badge" }, speech.line(message))) : [];
    return make(
      "tr", { class: seat.seat === view.you ? "mine" : "" },
      make("td", { text: seat.place === null || seat.place === undefined ? "" : speech.text(["ui.place", { n: seat.place }]) }),
      make("th", { scope: "row", text: speech.player(seat.seat) }),
      badges ? make("td", {}, marks) : null,
      make("td", { class: "number", text: seat.points }),
      make("td", { class: "number dim", text: gained === null ? "" : signed(gained) }),
      won === null ? null : make("td", { class: won < 0 ? "warn" : won > 0 ? "live" : "", text: speech.text(["ui.chips", { n: Math.abs(won), signed: signed(won) }]) }),
    );
  });
  return make("table", { class: "scores" }, rows);
}

function sheet(table) {
  const { view, speech } = table;
  return (view.result?.sheet || []).flatMap((part) => [make("h3", {}, speech.line(part.title)), make("ul", { class: "plain" }, part.lines.map((line) => make("li", {}, speech.line(line))))]);
}

function reason(table) {
  const told = table.view.result?.reason;
  return told ? [make("p", {}, table.speech.line(told))] : [];
}

export function pointsBody(table) {
  const { view, speech } = table;
  const last = [...reason(table), ...sheet(table)];
  const panels = (view.layout?.panels || []).flatMap((panel) => [make("h3", {}, speech.line(panel.title)), make("ul", { class: "plain" }, panel.lines.map((line) => make("li", {}, speech.line(line))))]);
  return [scores(table, true), ...(last.length ? [make("h3", { text: speech.text(["ui.points.last", { n: view.result.hand ?? "" }]) }), ...last] : []), ...panels];
}

export const handOverBody = (table) => [...reason(table), scores(table), ...sheet(table)];

export function matchOverBody(table) {
  const { view, speech } = table;
  const first = view.end.places?.[0] || [];
  const won = first.length === 1 && first[0] === view.you;
  const told = won ? ["ui.match_over.won", {}] : ["ui.match_over.winner", { who: { $list: first.map((seat) => ({ $player: seat })) }, n: first.length }];
  return [...(first.length ? [make("p", { class: "strong" }, speech.line(told))] : []), scores(table), ...reason(table), ...sheet(table)];
}

export function trickBody(table) {
  const { name, cards, facts } = table.lastTrick;
  const zone = table.view.zones.find((one) => one.name === name);
  const seats = facts.seats || zone?.facts?.seats;
  return [make("ul", { class: "plain trickcards" }, cards.map((face, place) => face
    ? make("li", {}, card(table.speech, face), make("span", { class: "told", text: table.speech.said(face) }), " ", table.speech.player(Array.isArray(seats) ? seats[place] : place)) : null))];
}

export const logBody = (table) => [make("ul", { class: "plain" }, table.view.log.map((entry) => make("li", {}, table.speech.line(entry))))];

// What was proven of the deals, as the gateway's peer has checked it.
export function fairBody({ proof, speech }) {
  const reason = proof.reason ? `ui.fair.${proof.reason}` : "ui.fair";
  return [
    make("p", { class: proof.state === "failed" ? "warn strong" : "strong", text: speech.text([`ui.fair.${proof.state}`, { n: proof.hand }]) }),
    make("p", { text: speech.has(reason) ? speech.text(reason) : proof.reason }),
    proof.checked ? make("p", { class: "dim", text: speech.text(["ui.fair.checked", { n: proof.checked }]) }) : null,
    proof.detail ? make("p", { class: "dim", text: proof.detail }) : null,
  ].filter(Boolean);
}

export function helpBody(table) {
  const { speech } = table;
  const line = (offer) => make("li", { class: offer.why ? "dim" : "" }, make("kbd", { text: offer.key || "·" }), " ", offer.label, offer.why ? ` – ${offer.why}` : "");
  const found = offers(table);
  const game = found.filter((offer) => offer.form);
  const rest = found.filter((offer) => !offer.form);
  const told = ["tap", "twice", "drag", "keys", "enter", "escape", "move"].map((name) => make("li", { text: speech.text(`web.help.${name}`) }));
  return [
    ...(game.length ? [make("h3", { text: speech.text("web.help.game") }), make("ul", { class: "plain" }, game.map(line))] : []),
    make("h3", { text: speech.text("web.help.table") }), make("ul", {}, told),
    make("h3", { text: speech.text("web.help.page") }), make("ul", { class: "plain" }, rest.map(line)),
  ];
}
