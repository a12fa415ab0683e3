// The cards of the player's hand in the order the player wants, some of them marked. Equal faces are interchangeable for the game but
// not for the eye: each card has an id of its own here, and marks, order and focus survive a new view by it.

const RANKS = { T: 10, J: 11, Q: 12, K: 13, A: 14 };
let next = 1;

export class Hand {
  constructor() {
    this.cards = [];
  }

  get faces() {
    return this.cards.map((card) => card.face);
  }

  // Take over the cards of a new view: what is gone goes (marked cards first), what is new comes last.
  take(faces) {
    const surplus = tally(this.faces);
    for (const face of faces) surplus.set(face, (surplus.get(face) || 0) - 1);
    const gone = new Set();
    for (const marked of [true, false]) {
      for (const card of [...this.cards].reverse()) {
        if (card.marked === marked && surplus.get(card.face) > 0) {
          surplus.set(card.face, surplus.get(card.face) - 1);
          gone.add(card);
        }
      }
    }
    const first = !this.cards.length;
    const kept = this.cards.filter((card) => !gone.has(card));
    const fresh = tally(faces);
    for (const card of kept) fresh.set(card.face, fresh.get(card.face) - 1);
    const added = [];
    for (const face of faces) {
      if (fresh.get(face) > 0) {
        fresh.set(face, fresh.get(face) - 1);
        added.push({ id: next++, face, marked: false, fresh: !first });
      }
    }
    if (added.length || gone.size) for (const card of kept) card.fresh = false;
    this.cards = [...kept, ...added];
  }

  arrange(key) {
    this.cards = this.cards
      .map((card) => [key(card.face), card])
      .sort(([one], [other]) => compare(one, other))
      .map(([, card]) => card);
  }

  // Put a card where it then has this place.
  move(id, place) {
    const from = this.cards.findIndex((card) => card.id === id);
    if (from < 0) return;
    const [card] = this.cards.splice(from, 1);
    this.cards.splice(Math.max(0, Math.min(place, this.cards.length)), 0, card);
  }

  // Set the cards in a remembered order of faces.
  recall(faces) {
    const left = [...this.cards];
    const ordered = [];
    for (const face of faces) {
      const at = left.findIndex((card) => card.face === face);
      if (at >= 0) ordered.push(...left.splice(at, 1));
    }
    this.cards = [...ordered, ...left];
  }

  get(id) {
    return this.cards.find((card) => card.id === id);
  }

  place(id) {
    return this.cards.findIndex((card) => card.id === id);
  }

  clear() {
    for (const card of this.cards) card.marked = false;
  }

  picked() {
    return this.cards.filter((card) => card.marked).map((card) => card.face);
  }
}

function tally(faces) {
  const counts = new Map();
  for (const face of faces) counts.set(face, (counts.get(face) || 0) + 1);
  return counts;
}

function compare(one, other) {
  for (let at = 0; at < one.length; at++) {
    if (one[at] < other[at]) return -1;
    if (one[at] > other[at]) return 1;
  }
  return 0;
}

// The fan the reader holds, null for a watcher.
export function handZone(view) {
  if (!view || view.you === null || view.you === undefined) return null;
  const order = view.layout?.order || [];
  const place = (zone) => (order.includes(zone.name) ? order.indexOf(zone.name) : order.length);
  const fans = view.zones.filter((zone) => zone.kind === "fan" && zone.owner === view.you);
  return fans.sort((one, other) => place(one) - place(other))[0] || null;
}

// The orders a hand can be sorted in: the game's own, or by rank and by suit. Each is [name, face -> key].
export function ordersOf(view, speech) {
  const own = (view.layout?.sorts || []).map((sort) => {
    const places = new Map(sort.order.map((face, place) => [face, place]));
    return [sort.name, (face) => [places.get(face) ?? places.size]];
  });
  if (own.length) return own;
  const suits = Object.keys(speech.looks.suits || {});
  const suit = (face) => (suits.indexOf(face[0]) + 100) % 100;
  const rank = (face) => (/^\d+$/.test(face.slice(1)) ? Number(face.slice(1)) : RANKS[face.slice(1)] ?? 99);
  const special = (face) => (speech.special(face) ? 1 : 0);
  return [
    [["ui.sort.rank", {}], (face) => [special(face), rank(face), suit(face), face]],
    [["ui.sort.suit", {}], (face) => [special(face), suit(face), rank(face), face]],
  ];
}
