// Boxes over the table: something to read, to choose from, or to type in. The browser's own dialogs keep the focus inside.

import { make } from "./dom.js";

let opened = [];

// items: [{label, key, run, blocked}], entry: {label, limit, submit}. A box of the same name is replaced.
export function open({ name, title, body = [], items = [], entry = null, close, sticky = false, closed = null, wide = false }) {
  shut(name);
  const list = items.map((item, n) => {
    const key = item.key ?? (n < 9 ? String(n + 1) : "");
    return make("button", { type: "button", class: `item${item.strong ? " ready" : ""}`, "data-key": key || null, "aria-disabled": item.blocked ? "true" : null, onclick: () => !item.blocked && choose(item) },
      make("span", {}, item.label), key ? make("kbd", { text: key, "aria-hidden": "true" }) : null);
  });
  const box = make("dialog", { class: `box ${name}${wide ? " wide" : ""}`, "data-name": name, "aria-labelledby": `box-${name}` });
  const choose = (item) => {
    if (!item.stay) shut(name);
    item.run();
  };
  const form = entry && make("form", { method: "dialog", class: "entry", onsubmit: (event) => {
    event.preventDefault();
    const text = form.querySelector("input").value.trim();
    if (text && entry.submit(text) !== false) form.querySelector("input").value = "";
  } },
  make("input", { type: "text", maxlength: entry.limit, "aria-label": entry.label, placeholder: entry.label, inputmode: entry.mode || null, autocomplete: "off", enterkeyhint: "send", value: entry.value || null }),
  make("button", { type: "submit", class: "do ready" }, entry.send));
  box.append(
    make("h2", { id: `box-${name}` }, title),
    make("div", { class: "body", tabindex: items.length || entry ? null : "0" }, body),
    ...(list.length ? [make("div", { class: "items" }, list)] : []),
    ...(form ? [form] : []),
    make("button", { type: "button", class: "do close", onclick: () => shut(name, true) }, close),
  );
  // The click that belongs to the tap which opened the box falls on the box: it is not meant for anything in it.
  let pressed = false;
  box.addEventListener("pointerdown", () => (pressed = true), true);
  box.addEventListener("click", (event) => {
    if (event.detail > 0 && !pressed) event.stopImmediatePropagation();
    if (event.detail > 0 && !pressed) event.preventDefault();
    pressed = false;
  }, true);
  box.addEventListener("cancel", (event) => {
    event.preventDefault();
    shut(name, true);
  });
  box.addEventListener("click", (event) => event.target === box && shut(name, true));
  box.addEventListener("keydown", (event) => {
    if (event.target.tagName === "INPUT" || event.ctrlKey || event.metaKey || event.altKey) return;
    const item = box.querySelector(`[data-key="${CSS.escape(event.key)}"]`);
    if (item) {
      event.preventDefault();
      item.click();
    }
  });
  document.body.append(box);
  opened.push({ name, box, sticky, closed });
  box.showModal();
  (list.find((one) => !one.hasAttribute("aria-disabled")) || form?.querySelector("input") || box.querySelector(".body")).focus();
  return box;
}

export function shut(name, told = false) {
  for (const one of opened.filter((one) => one.name === name)) {
    opened = opened.filter((other) => other !== one);
    one.box.close();
    one.box.remove();
    if (told) one.closed?.();
  }
}

// Close what was begun for a prompt that is closed now; what is only read stays.
export function shutPassing() {
  for (const one of opened.filter((one) => !one.sticky)) shut(one.name);
}

export const isOpen = (name) => (name ? opened.some((one) => one.name === name) : opened.length > 0);
export const body = (name) => opened.find((one) => one.name === name)?.box.querySelector(".body");
