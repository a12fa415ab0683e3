// The whole page from what is known: nothing is kept in the page itself but the focus.

import { cardButton } from "./cards.js";
import { el, make, tell } from "./dom.js";
import { formsOf, promptOf, reach, wanted } from "./forms.js";
import { handZone } from "./hand.js";
import { lobby } from "./lobby.js";
import { offers } from "./offers.js";
import { canSurround, clockwise, paintTrick, seatBlock } from "./seats.js";
import { group, paintZone } from "./zones.js";

const MOVED = 10000; // milliseconds without a line until it is asked whether the host has another address

// What every painter works with.
export class Scene {
  constructor(table, picked = table.picked()) {
    this.table = table;
    this.view = table.view;
    this.speech = table.speech;
    this.offers = offers(table);
    this.reach = promptOf(this.view) ? reach(this.view, picked, table.armed) : { cards: {}, zones: new Set(), places: new Set() };
    const order = this.view?.layout?.order || [];
    this.places = new Map(order.map((name, place) => [name, place]));
    const forms = table.armed ? [table.armed.form] : formsOf(this.view).filter((form) => !form.blocked);
    this.blanks = forms.flatMap((form) => Object.values(form.fields));
  }

  ordered(zones) {
    const place = (zone) => this.places.get(zone.name) ?? this.places.size;
    return [...zones].sort((one, other) => place(one) - place(other));
  }

  legal(zone) {
    return this.reach.zones.has(zone);
  }

  // Whether some form takes cards from a zone, so that they can be marked there.
  marksIn(zone) {
    return this.blanks.some((blank) => (blank.kind === "pick" || blank.kind === "groups") && blank.zone === zone);
  }

  look(zone, place) {
    const face = zone.cards[place];
    const named = this.blanks.some((blank) => blank.kind === "place" && blank.zone === zone.name);
    const legal = this.reach.places.has(`${zone.name}:${place}`) || (Boolean(face) && Boolean(this.reach.cards[zone.name]?.has(face)));
    const marks = this.marksIn(zone.name) && Boolean(face) && !named;
    return {
      legal, marks, use: legal || marks, marked: Boolean(this.table.marks[zone.name]?.has(place)),
      winner: zone.facts?.winner === place,
    };
  }

  // A seat's own pile is drawn only when the game's layout names it, or has no order.
  shown(zone) {
    const layout = this.view.layout || {};
    const named = (layout.order || []).includes(zone.name) || Object.hasOwn(layout.labels || {}, zone.name);
    return zone.owner === null || zone.owner === undefined || named || (zone.n > 0 && !layout.order?.length);
  }
}

export function paint(table) {
  const focus = document.activeElement?.dataset?.hit;
  const scene = new Scene(table);
  const waiting = !table.view || table.room?.stage === "lobby";
  document.body.classList.toggle("waiting", waiting);
  paintHead(scene);
  paintBanner(scene);
  if (waiting) {
    el("seats").replaceChildren();
    el("mine").replaceChildren();
    el("table").classList.remove("beside");
    el("board").replaceChildren(lobby(scene));
    el("hand").replaceChildren();
    el("panels").replaceChildren();
  } else {
    paintBoard(scene);
    paintHand(scene);
    paintPanels(scene);
  }
  paintRecent(scene);
  paintLog(scene);
  paintChat(scene);
  paintPrompt(scene);
  paintButtons(scene);
  fan();
  if (focus && document.activeElement?.dataset?.hit !== focus) {
    const hit = `[data-hit="${CSS.escape(focus)}"]`;
    const again = document.querySelector(`button${hit}, ${hit}[tabindex]`) || nearestCard(focus);
    again?.focus({ preventScroll: true });
  }
  return scene;
}

// A card that was played leaves the focus to its neighbour, so that the keyboard does not begin anew.
function nearestCard(hit) {
  return hit.startsWith("card:") ? document.querySelector("#hand [data-hit^='card:']") : null;
}

export function gameTitle(table) {
  return table.game?.title || table.view?.title || table.view?.game || table.room?.game || "carteado";
}

function paintHead(scene) {
  const { table, speech, view } = scene;
  const name = gameTitle(table);
  const parts = view && table.room?.stage !== "lobby" ? (view.layout?.title?.length ? view.layout.title : [["ui.title.hand", { n: view.hand.number }]]) : [];
  const told = parts.filter((part) => speech.text(part) !== name);
  el("title").replaceChildren(make("b", { text: name }), ...told.flatMap((part) => [" · ", speech.line(part)]));
  const link = table.line !== "live" ? (table.line === "over" ? "gone" : table.line) : table.host;
  el("link").textContent = link === "live" ? "●" : "○";
  el("link").className = link === "live" ? "live" : "warn";
  el("link").setAttribute("aria-label", speech.text(`ui.link.${link}`));
  el("link").title = speech.text(`ui.link.${link}`);
  const proof = table.proof?.state === "verified" || table.proof?.state === "failed" ? table.proof : null;
  el("proof").hidden = !proof;
  if (proof) {
    el("proof").textContent = proof.state === "verified" ? "✓" : "✕";
    el("proof").className = proof.state === "verified" ? "live" : "warn";
    el("proof").title = speech.text([`ui.fair.${proof.state}`, { n: proof.hand }]);
    el("proof").setAttribute("aria-label", el("proof").title);
  }
  el("menu").setAttribute("aria-label", speech.text("web.menu"));
}

export function paintBanner(scene) {
  const { table, speech } = scene;
  let [text, count] = ["", ""];
  if (table.closed) text = speech.text("ui.banner.closed");
  else if (table.line === "lost") text = speech.text("ui.link.lost");
  else if (table.line === "live" && table.host === "lost") text = speech.text("web.host_lost");
  else if (table.room?.stage === "broken") text = speech.text(["ui.told", { text: table.room.why || speech.text("ui.prompt.broken") }]);
  else if (table.room?.stage === "frozen") text = speech.text("ui.banner.frozen");
  else if (table.distrusted) text = speech.text("ui.witness");
  else [text, count] = awaited(scene);
  // A host whose address has changed cannot be found from here: whoever knows the new one takes the seat along.
  el("moved").hidden = table.line !== "lost" || Date.now() - table.lostAt < MOVED;
  el("moved").textContent = speech.text("web.moved");
  tell(el("banner"), text, text, count);
  el("banner").hidden = !text;
}

// Who is waited for though he is not there, and for how many seconds more.
function awaited(scene) {
  const { table, view, speech } = scene;
  if (table.room?.stage !== "playing" || !view) return ["", ""];
  const away = table.room.chairs.filter((chair) => chair.line === "away" && (view.seats[chair.seat]?.asked || table.left(chair.grace_ms) !== null));
  const told = away.map((chair) => {
    const waits = table.left(chair.grace_ms) !== null;
    return speech.text([chair.substitute ? "web.away.bot" : waits ? "web.away.waits" : "web.away", { who: { $player: chair.seat } }]);
  });
  const counts = away.filter((chair) => !chair.substitute).map((chair) => table.left(chair.grace_ms)).filter((left) => left !== null);
  return [told.join(" "), counts.length ? `${Math.min(...counts)} s` : ""];
}

function parts(scene) {
  const { view } = scene;
  const own = handZone(view);
  let trick = null;
  const big = [];
  const centre = [];
  for (const zone of scene.ordered(view.zones)) {
    if ((zone.kind === "group") || zone.name === own?.name) continue;
    if (zone.kind === "fan" && zone.owner !== null && zone.owner !== undefined) continue;
    if (zone.kind === "trick" && !trick && canSurround(view)) trick = zone;
    else if ((zone.kind === "pyramid" || zone.kind === "grid") && zone.cards?.length) big.push(zone);
    else if (scene.shown(zone)) centre.push(zone);
  }
  return { trick, big, centre };
}

function paintBoard(scene) {
  const { view } = scene;
  const { trick, big, centre } = parts(scene);
  const seats = trick ? [] : clockwise(view).map((seat) => seatBlock(scene, seat));
  const board = [];
  if (trick) {
    board.push(paintTrick(scene, trick));
    const withGroups = view.seats.filter((seat) => view.zones.some((zone) => zone.kind === "group" && zone.owner === seat.seat));
    seats.push(...withGroups.map((seat) => seatBlock(scene, seat)));
  }
  const free = scene.ordered(view.zones.filter((zone) => zone.kind === "group" && (zone.owner === null || zone.owner === undefined)));
  if (free.length) board.push(make("div", { class: "groups" }, free.map((zone) => group(scene, zone))));
  board.push(...big.map((zone) => paintZone(scene, zone)));
  if (centre.length) board.push(make("div", { class: "centre" }, centre.map((zone) => paintZone(scene, zone))));
  el("seats").className = trick ? "" : "rows";
  el("table").classList.toggle("beside", !trick && big.length > 0);
  // On a narrow screen the others scroll, and the reader's own groups and the piles stay in sight.
  const own = trick ? [] : seats.splice(-1);
  el("near").classList.toggle("sticky", !big.length);
  el("seats").replaceChildren(...seats);
  el("mine").replaceChildren(...own);
  el("board").replaceChildren(...board);
}

function paintHand(scene) {
  const { table, view, speech } = scene;
  const own = handZone(view);
  const hand = el("hand");
  hand.hidden = !own;
  if (!own) return hand.replaceChildren();
  hand.dataset.hit = `zone:${own.name}`;
  hand.setAttribute("aria-label", speech.text("ui.hand"));
  const allowed = scene.reach.cards[own.name];
  const spent = [...(table.armed?.spent() || [])];
  const cards = table.hand.cards.map((one, place) => {
    const used = spent.indexOf(one.face);
    if (used >= 0) spent.splice(used, 1);
    const told = one.fresh ? speech.text("web.fresh") : "";
    const gone = used >= 0 || (one.marked && table.pending !== null);
    const button = cardButton(speech, one.face, { hit: `card:${one.id}`, marked: one.marked, legal: allowed?.has(one.face), fresh: one.fresh, gone, place: told });
    button.dataset.place = place;
    return button;
  });
  return hand.replaceChildren(...(cards.length ? cards : [make("span", { class: "dim", text: speech.text("ui.no_cards") })]));
}

// Set the cards of the hand out so that they all fit: side by side, then overlapping, then in two rows.
export function fan() {
  const hand = el("hand");
  const cards = hand.querySelectorAll(".card");
  if (!cards.length) return;
  const room = hand.clientWidth - 16;
  const wide = cards[0].offsetWidth || 56;
  let rows = 1;
  let step = wide + 6;
  for (; rows <= 3; rows++) {
    const count = Math.ceil(cards.length / rows);
    step = count > 1 ? Math.min(wide + 6, (room - wide) / (count - 1)) : wide;
    if (step >= 28) break;
  }
  const count = Math.ceil(cards.length / rows);
  hand.style.setProperty("--step", `${Math.floor(step)}px`);
  hand.style.setProperty("--count", count);
  hand.style.setProperty("--wide", `${wide}px`);
  cards.forEach((node, place) => {
    node.style.gridColumn = `${(place % count) + 1}`;
    node.style.gridRow = `${Math.floor(place / count) + 1}`;
  });
}

function paintPanels(scene) {
  const panels = (scene.view.layout?.panels || []).map((panel) =>
    make("section", { class: "panel" }, make("h2", {}, scene.speech.line(panel.title)), make("ul", {}, panel.lines.map((line) => make("li", {}, scene.speech.line(line))))),
  );
  el("panels").replaceChildren(...panels);
}

// What happened last, on screens that have no room for the log.
function paintRecent(scene) {
  const entries = scene.table.room?.stage === "lobby" ? [] : scene.view?.log?.slice(-2) || [];
  el("recent").replaceChildren(...entries.map((entry) => make("span", {}, scene.speech.line(entry))));
}

// The log grows at its end, so that a screen reader hears only what is new.
function paintLog(scene) {
  const list = el("log");
  el("logtitle").textContent = scene.speech.text("ui.log");
  const entries = scene.view?.log || [];
  const keys = entries.map((entry) => JSON.stringify(entry));
  const language = scene.table.own[""]?.lang + (scene.table.game?.lang || "");
  const shown = list.dataset.lang === language ? list.keys || [] : [];
  let overlap = Math.min(shown.length, keys.length);
  while (overlap > 0 && shown.slice(-overlap).join() !== keys.slice(0, overlap).join()) overlap--;
  if (!overlap) list.replaceChildren();
  for (const entry of entries.slice(overlap)) list.append(make("li", {}, scene.speech.line(entry)));
  while (list.children.length > Math.max(keys.length, 1) && list.firstChild) list.firstChild.remove();
  if (overlap < keys.length) list.scrollTop = list.scrollHeight;
  list.keys = keys;
  list.dataset.lang = language;
}

function paintChat(scene) {
  const { table, speech } = scene;
  el("chattitle").textContent = speech.text("ui.chat");
  el("chat").hidden = el("chattitle").hidden = !table.said.length;
  const list = el("chat");
  while (list.children.length > table.said.length) list.firstChild.remove();
  const fresh = table.said.slice(list.children.length);
  if (list.keyOf !== table.said.at(-1)) {
    list.replaceChildren(...(fresh.length ? [...list.children] : []), ...(fresh.length ? fresh : table.said).map(([name, text]) => make("li", {}, make("b", { text: `${name}: ` }), text)));
    list.keyOf = table.said.at(-1);
    list.scrollTop = list.scrollHeight;
  }
}

export function promptMessage(table) {
  const { view, room } = table;
  if (table.armed) {
    const name = table.armed.missing();
    if (name !== null) {
      const [key, args] = wanted(table.armed, name, "web.ask");
      return [key, { ...args, button: table.words("ui.do.confirm") }];
    }
  }
  if (!view) return null;
  if (view.phase === "over" || view.end) return ["web.prompt.over", {}];
  if (view.phase === "broken" || room?.stage === "broken") return ["ui.prompt.broken", {}];
  if (table.standing) return [`ui.prompt.${table.stage}`, {}];
  if (room?.stage === "between" && view.phase !== "playing") {
    if (!table.may("ready")) return ["ui.prompt.next_hand", {}];
    return ["web.prompt.ready", {}];
  }
  if (view.layout?.prompt) return view.layout.prompt;
  const prompt = promptOf(view);
  if (prompt) return [table.speech.has(`stage.${prompt.stage}`) ? `stage.${prompt.stage}` : "ui.prompt.turn", {}];
  const asked = view.seats.filter((seat) => seat.asked).map((seat) => ({ $player: seat.seat }));
  return asked.length ? ["ui.prompt.wait", { who: { $list: asked }, n: asked.length }] : ["ui.prompt.dealing", {}];
}

export function paintPrompt(scene) {
  const { table, speech } = scene;
  const message = table.room?.stage === "lobby" ? null : promptMessage(table);
  const prompt = el("prompt");
  prompt.classList.toggle("mine", Boolean(promptOf(table.view) || table.armed));
  const left = table.room?.stage === "between" ? table.dealIn() : null;
  tell(prompt, message ? speech.line(message) : "", message ? speech.text(message) : "", left === null ? "" : `${left} s`);
  const notice = table.notice;
  el("notice").className = notice?.bad ? "bad" : "";
  el("notice").hidden = !notice;
  tell(el("notice"), notice ? speech.line(notice.message) : "", notice ? `${speech.text(notice.message)} ${notice.at}` : "");
}

function paintButtons(scene) {
  const { table, speech } = scene;
  const bar = el("buttons");
  bar.setAttribute("aria-label", speech.text("web.actions"));
  if (table.armed) {
    el("tools").replaceChildren();
    const picked = Object.values(table.picked()).flat().length;
    bar.replaceChildren(
      button("do:confirm", speech.text("ui.do.confirm"), "↵", picked ? "ready" : ""),
      button("do:back", speech.text("ui.do.back"), speech.text("ui.key.escape"), ""),
    );
    return;
  }
  const node = (offer) => {
    const kind = offer.why ? "blocked" : offer.ready || offer.standard ? "ready" : offer.button ? "" : "tool";
    const made = button(`do:${offer.name}`, offer.label, offer.key, kind);
    if (offer.why) {
      made.setAttribute("aria-disabled", "true");
      made.title = offer.why;
      made.setAttribute("aria-description", offer.why);
    }
    return made;
  };
  bar.replaceChildren(...scene.offers.filter((offer) => offer.button).map(node));
  el("tools").replaceChildren(...scene.offers.filter((offer) => TOOLS.has(offer.name)).map(node));
}

const TOOLS = new Set(["hint", "sort", "unmark"]);

function button(hit, label, key, kind) {
  return make("button", { type: "button", class: `do ${kind}`, "data-hit": hit }, label, key ? make("kbd", { text: key, "aria-hidden": "true" }) : null);
}
