// Card faces from text: rank and sign, in four colours with four shapes.

import { make } from "./dom.js";

// A card that can be pressed: a button with a spoken name.
export function cardButton(speech, face, { hit, marked = false, legal = false, fresh = false, gone = false, pressable = true, place = "" }) {
  const button = make("button", {
    type: "button", class: classes(speech, face, { marked, legal, fresh, gone }), "data-hit": hit, "aria-pressed": pressable ? String(marked) : null,
    "aria-label": [name(speech, face), place].filter(Boolean).join(", "), "aria-disabled": gone ? "true" : null,
  });
  button.append(...inside(speech, face));
  return button;
}

// A card to be looked at; whoever cannot see it is told by the zone it lies in.
export function card(speech, face, look = {}) {
  const node = make("span", { class: classes(speech, face, look), "aria-hidden": "true" });
  node.append(...inside(speech, face));
  return node;
}

export function name(speech, face) {
  if (face === "?") return speech.text("ui.line.face_down");
  return face ? speech.said(face) : speech.text("web.gap");
}

function classes(speech, face, look) {
  const kind = face === "?" ? "back" : face ? `face ${speech.colour(face)}` : "gap";
  const special = face && face !== "?" && speech.special(face) ? " special" : "";
  return `card ${kind}${special}${["marked", "legal", "fresh", "gone", "winner", "small"].map((one) => (look[one] ? ` ${one}` : "")).join("")}`;
}

function inside(speech, face) {
  if (!face || face === "?") return [];
  const rank = speech.rank(face);
  const sign = speech.glyph(face) || speech.sign(face);
  const corner = make("span", { class: "corner", "aria-hidden": "true" }, make("b", { text: rank || sign }), rank ? make("i", { text: sign }) : null);
  // The lower left is seen in pyramids alone, where other cards lie over the upper half.
  const low = make("span", { class: "low", "aria-hidden": "true" }, make("b", { text: rank }), sign);
  return [corner, low, make("span", { class: "middle", "aria-hidden": "true", text: sign })];
}
