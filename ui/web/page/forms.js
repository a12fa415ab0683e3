// Forms seen from the player's side: what fits them, what is still missing, which action they make; and what a tap means.
// Pure functions over the forms of a view, the same as ui/terminal/filling.py and intent.py. Whether a move is allowed, the game says.

export const promptOf = (view) => view?.prompts?.[0] || null;
export const formsOf = (view) => promptOf(view)?.forms || [];
export const hintsOf = (view) => promptOf(view)?.hints || [];

// The view of a table that stands still: no form can be used and nothing is proposed, and `why`.
export function atRest(view, why) {
  const prompts = (view.prompts || []).map((prompt) => ({ ...prompt, forms: prompt.forms.map((form) => ({ ...form, blocked: why })), hints: [] }));
  return { ...view, prompts };
}

export function hinted(view, form) {
  return hintsOf(view).find((hint) => hint.action?.type === form.type)?.action || null;
}

const fieldsOf = (form) => Object.entries(form.fields);
const isCards = (blank) => blank.kind === "pick" || blank.kind === "groups";
const counted = (picked) => Object.values(picked).reduce((sum, faces) => sum + faces.length, 0);

// A form with some of its blanks filled in. `asked` are optional blanks the player is to fill all the same.
export class Filling {
  constructor(prompt, form, values = {}, groups = [], asked = []) {
    Object.assign(this, { prompt, form, values, groups, asked });
  }

  put(name, value) {
    return new Filling(this.prompt, this.form, { ...this.values, [name]: value }, [], this.asked.filter((one) => one !== name));
  }

  addGroup(name, faces) {
    const groups = [...this.groups, [...faces]];
    return groups.length === this.form.fields[name].like.length
      ? this.put(name, groups)
      : new Filling(this.prompt, this.form, this.values, groups, this.asked);
  }

  // The name of the next blank to ask for, null when the action can be sent.
  missing() {
    for (const [name, blank] of fieldsOf(this.form)) {
      if (!(name in this.values) && (this.asked.includes(name) || !blank.optional)) return name;
    }
    // Cards may be given in one of several ways (marked together, or group by group), each optional: one of them is meant.
    const ways = fieldsOf(this.form).filter(([, blank]) => isCards(blank));
    if (ways.length && !ways.some(([name]) => name in this.values)) {
      return (ways.find(([, blank]) => blank.kind === "groups") || ways[0])[0];
    }
    return null;
  }

  spent() {
    return this.groups.flat();
  }

  action() {
    return { type: this.form.type, ...this.values };
  }
}

export const numbersOf = (blank) =>
  blank.of ?? Array.from({ length: blank.high - blank.low + 1 }, (_, step) => blank.low + step);

function countMessage(key, low, high, form) {
  return low === high ? [`${key}.exact`, { n: low, form: form.label }] : [`${key}.range`, { n: high, low, high, form: form.label }];
}

function wrongPick(form, blank, faces) {
  const [low, high] = blank.n;
  if (blank.cards) {
    const face = faces.find((one) => !blank.cards.includes(one));
    if (face !== undefined) return ["ui.not_for", { card: { $card: face }, form: form.label }];
  }
  return faces.length < low || faces.length > high ? countMessage("ui.mark_for", low, high, form) : null;
}

// Fill a form from the marked cards and the spot pointed at, as far as they go.
export function fit(prompt, form, picked, spot = null) {
  const values = {};
  let used = 0;
  let aimed = Boolean(spot && form.on && spot[0] === form.on);
  let wrong = null;
  const hasPick = fieldsOf(form).some(([, blank]) => blank.kind === "pick");
  for (const [name, blank] of fieldsOf(form)) {
    const faces = picked[blank.zone] || [];
    if (blank.kind === "pick" && faces.length) {
      wrong ||= wrongPick(form, blank, faces);
      values[name] = [...faces];
      used += faces.length;
    } else if (blank.kind === "groups" && faces.length && blank.like.length === 1 && !hasPick) {
      values[name] = [[...faces]];
      used += faces.length;
    } else if (blank.kind === "target") {
      if (spot && blank.zones.includes(spot[0])) [values[name], aimed] = [spot[0], true];
      else if (blank.zones.length === 1 && !blank.optional) values[name] = blank.zones[0];
    } else if (blank.kind === "place") {
      if (spot && spot[0] === blank.zone && blank.places.includes(spot[1])) [values[name], aimed] = [spot[1], true];
      else if (spot && spot[0] === blank.zone && spot[1] !== null) wrong ||= ["ui.not_that_place", { form: form.label }];
      else if (blank.places.length === 1 && !blank.optional) values[name] = blank.places[0];
    } else if (blank.kind === "choice") {
      if (blank.of.length === 1 && !blank.optional) values[name] = blank.of[0].value;
    } else if (blank.kind === "number") {
      const numbers = numbersOf(blank);
      if (numbers.length === 1 && !blank.optional) values[name] = numbers[0];
    }
  }
  const filling = new Filling(prompt, form, values);
  return { filling, used, aimed, wrong, complete: !wrong && filling.missing() === null };
}

// The sentence that asks for one blank.
export function wanted(filling, name, keys = "ui.ask") {
  const { form } = filling;
  const blank = form.fields[name];
  if (blank.kind === "pick") return countMessage(`${keys}.pick`, blank.n[0], blank.n[1], form);
  if (blank.kind === "groups") {
    const number = filling.groups.length;
    return [`${keys}.group`, { i: number + 1, of: blank.like.length, like: blank.like[number], form: form.label }];
  }
  return [`ui.ask.${blank.kind}`, { form: form.label }];
}

// The form that could lay a whole combination now and that a player gives up by this action; null if there is none.
export function missed(view, filling) {
  const blanks = Object.values(filling.form.fields);
  if (blanks.some((blank) => blank.kind === "groups") || !blanks.some((blank) => blank.kind === "pick")) return null;
  for (const form of formsOf(view)) {
    const groups = fieldsOf(form).find(([, blank]) => blank.kind === "groups");
    if (groups && !form.blocked && hinted(view, form)?.[groups[0]]?.length) return form;
  }
  return null;
}

// What a tap means. An outcome is {send: filling}, {ask: filling}, {choose: [fillings]} or {say: message, bad}.

const go = (filling) => (filling.missing() === null ? { send: filling } : { ask: filling });
const say = (message, bad = true) => ({ say: message, bad });
const preferred = (fits) => fits.find((one) => one.filling.form.default) || fits[0];

function notNow(view) {
  const asked = view.seats.filter((seat) => seat.asked).map((seat) => ({ $player: seat.seat }));
  if (view.phase !== "playing" || !asked.length) return ["ui.not_now", {}];
  return ["ui.prompt.wait", { who: { $list: asked }, n: asked.length }];
}

// Take the form that is complete; the default one where several are; let the player choose where none stands out.
function oneOf(fits) {
  const complete = fits.filter((one) => one.complete);
  let candidates = complete.length ? complete : fits;
  if (candidates.length > 1) {
    const standard = candidates.filter((one) => one.filling.form.default);
    if (standard.length) candidates = standard;
  }
  return candidates.length === 1 ? go(candidates[0].filling) : { choose: candidates.map((one) => one.filling) };
}

// Pointing at a zone (called `label`) or a place of it, with these cards marked or dropped.
export function aim(view, picked, spot, label) {
  const prompt = promptOf(view);
  if (!prompt) return say(notNow(view));
  const aimed = formsOf(view).map((form) => fit(prompt.id, form, picked, spot)).filter((one) => one.aimed);
  if (!aimed.length) return say(["ui.nothing_there", { zone: label }]);
  const free = aimed.filter((one) => !one.filling.form.blocked);
  if (!free.length) return say(aimed[0].filling.form.blocked);
  const right = free.filter((one) => !one.wrong);
  const count = counted(picked);
  const taking = right.filter((one) => one.used === count);
  if (taking.length) return oneOf(taking);
  // Marked cards that a form has no use for do not stand in its way: a tap on the stock draws.
  const careless = right.filter((one) => !one.used && one.filling.missing() === null);
  if (careless.length) return oneOf(careless);
  const wrong = free.filter((one) => one.wrong);
  return wrong.length ? say(preferred(wrong).wrong) : oneOf(right);
}

// Naming a form; marked cards it has no use for are left alone.
export function press(view, form, picked) {
  const prompt = promptOf(view);
  if (!prompt) return say(notNow(view));
  if (form.blocked) return say(form.blocked);
  const one = fit(prompt.id, form, picked);
  return one.wrong ? say(one.wrong) : go(one.filling);
}

// Saying yes: the form the marked cards fit, the default form first. `sure`: the cards were marked, not only in focus.
export function enter(view, picked, sure) {
  const prompt = promptOf(view);
  if (!prompt) return say(notNow(view));
  const forms = formsOf(view);
  const free = forms.filter((form) => !form.blocked);
  const count = counted(picked);
  if (count) {
    // A card that only has the focus goes where Enter leads by default, never into a form that was not meant.
    const willing = sure || free.length === 1 ? free : free.filter((form) => form.default);
    const fits = willing.map((form) => fit(prompt.id, form, picked));
    const taking = fits.filter((one) => one.used === count && !one.wrong);
    if (taking.length) return oneOf(taking);
    const wrong = fits.filter((one) => one.used && one.wrong);
    if (wrong.length && sure) return say(preferred(wrong).wrong);
  }
  const standard = free.find((form) => form.default) || (free.length === 1 ? free[0] : null);
  if (standard) return go(fit(prompt.id, standard, {}).filling);
  return !free.length && forms.length ? say(forms[0].blocked) : say(["ui.choose", {}], false);
}

// What can be used now, given what is marked: cards, zones and places to be shown as such. Cards are named only where a form takes
// some cards and refuses others, so that a mark always tells something.
export function reach(view, picked, armed = null) {
  const found = { cards: {}, zones: new Set(), places: new Set() };
  const forms = armed ? [armed.form] : formsOf(view).filter((form) => !form.blocked);
  const someMarked = counted(picked) > 0;
  const openZones = new Set();
  for (const form of forms) {
    let [takes, needs] = [false, false];
    for (const [, blank] of fieldsOf(form)) {
      if (blank.kind !== "pick") continue;
      const marked = picked[blank.zone] || [];
      takes ||= marked.length > 0 && (!blank.cards || marked.every((face) => blank.cards.includes(face)));
      needs ||= !blank.optional;
      if (blank.cards) (found.cards[blank.zone] ||= new Set(), blank.cards.forEach((face) => found.cards[blank.zone].add(face)));
      else openZones.add(blank.zone);
    }
    if ((someMarked && needs && !takes) || (!someMarked && needs && forms.length > 1 && !armed)) continue;
    if (form.on) found.zones.add(form.on);
    for (const [, blank] of fieldsOf(form)) {
      if (blank.kind === "target") blank.zones.forEach((zone) => found.zones.add(zone));
      else if (blank.kind === "place") blank.places.forEach((place) => found.places.add(`${blank.zone}:${place}`));
    }
  }
  for (const [zone, faces] of Object.entries(found.cards)) {
    const whole = view.zones.some((one) => one.name === zone && (one.cards || []).every((face) => faces.has(face)));
    if (whole || (openZones.has(zone) && armed)) delete found.cards[zone];
  }
  return found;
}
