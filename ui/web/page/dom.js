// Small things for building the page. Text from elsewhere only ever goes in as text, without what would hide or reorder it.

import { clean } from "./speech.js";

export function make(tag, properties = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === null || value === undefined || value === false) continue;
    if (name === "class") node.className = value;
    else if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name === "text") node.textContent = clean(value);
    else node.setAttribute(name, value === true ? "" : typeof value === "string" && name.startsWith("aria") ? clean(value) : value);
  }
  node.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== "").map((child) => (typeof child === "string" ? clean(child) : child)));
  return node;
}

export const el = (id) => document.getElementById(id);

// Change a live region only when it says something else, so that a screen reader is not told twice. A count-down beside it is seen only.
export function tell(node, message, text, count = "") {
  if (node.dataset.text !== text) {
    node.dataset.text = text;
    node.replaceChildren(message);
  }
  let counted = node.querySelector(".countdown");
  if (!count) return void counted?.remove();
  if (!counted) node.append((counted = make("span", { class: "countdown", "aria-hidden": "true" })));
  if (counted.textContent !== count) counted.textContent = count;
}
