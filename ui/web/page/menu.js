// Everything that is no move: pages, language, sound, leaving.

import * as boxes from "./boxes.js";
import { make } from "./dom.js";
import { LANGUAGES } from "./languages.js";
import { offers } from "./offers.js";

export function openMenu(app) {
  const { table, play } = app;
  const pages = offers(table).filter((offer) => !offer.form && !offer.button && !["unmark", "sort", "hint"].includes(offer.name));
  const deaf = localStorage.getItem("deaf") === "yes";
  const kept = localStorage.getItem("careful") !== "no";
  const items = [
    ...pages.map((offer) => ({ label: offer.label, key: offer.key, run: () => (play.do(offer), play.changed()) })),
    { label: table.words("web.invite"), key: "J", run: () => play.open({ name: "invite", title: table.words("web.invite"), body: app.doorstep.scan(table.room.m), sticky: true }) },
    { label: table.words("ui.do.lang"), key: "L", run: () => openLanguages(app) },
    { label: table.words(app.alerts.quiet ? "web.sound.on" : "web.sound.off"), key: "", run: () => {
      app.alerts.quiet = !app.alerts.quiet;
      play.notice([app.alerts.quiet ? "ui.quiet.on" : "ui.quiet.off", {}], false);
    } },
    { label: table.words(deaf ? "web.chat.on" : "web.chat.off"), key: "", run: () => localStorage.setItem("deaf", deaf ? "no" : "yes") },
    { label: table.words("ui.do.careful"), key: "", run: () => {
      localStorage.setItem("careful", kept ? "no" : "yes");
      play.notice([kept ? "ui.confirm.off" : "ui.confirm.on", {}], false);
    } },
    { label: table.words("ui.do.quit"), key: "q", run: () => openLeaving(app) },
  ];
  boxes.open({ name: "menu", title: table.words("web.menu"), items, close: table.words("web.close") });
}

export function openLanguages(app) {
  const items = Object.entries(LANGUAGES).map(([lang, label]) => ({
    label: make("span", { lang: lang.replace("_", "-"), text: label }), strong: lang === app.lang, run: () => app.speak(lang),
  }));
  boxes.open({ name: "languages", title: app.table.words("ui.do.lang"), items, close: app.table.words("web.close") });
}

// What leaving for good would cost, and who plays on; the host leaves out what is usual.
export function priceSaid(speech, { how, chips = 0, substitute = true }) {
  const said = speech.text(how === "penalty" ? ["ui.quit.penalty", { n: -chips }] : `ui.quit.${how}`);
  return how !== "free" || substitute ? `${said} ${speech.text(substitute ? "ui.quit.substitute" : "ui.quit.without")}` : said;
}

function openLeaving(app) {
  const { table, play } = app;
  const items = [{ label: table.words("ui.quit.stay"), run: () => undefined }];
  if (table.may("leave")) {
    const { leaving } = table.room;
    const label = [table.words("ui.quit.leave"), ...(leaving ? [priceSaid(table.speech, leaving)] : [])].join(" ");
    items.push({ label, run: () => play.ask("leave") });
  } else items.push({ label: table.words("web.stand"), run: () => app.left() });
  const body = table.may("leave") ? [make("p", { text: table.words("web.quit.kept") })] : [];
  boxes.open({ name: "quit", title: table.words("ui.do.quit"), body, items, close: table.words("web.close") });
}
