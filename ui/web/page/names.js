// The names of private tables, the same as net/table_ids.py.

const TAKEN_FOR = { O: "0", I: "1", L: "1" };

// A private table's name in what was typed, or stands in an address: any case, with or without dashes; null if it is none.
export function privateName(text) {
  const digits = text.replace(/[\s-]/g, "").toUpperCase().replace(/[OIL]/g, (letter) => TAKEN_FOR[letter]);
  const found = /^P([0-9A-HJKMNP-TV-Z]{5})([0-9A-HJKMNP-TV-Z]{5})([0-9A-HJKMNP-TV-Z]{5})$/.exec(digits);
  return found ? `p-${found.slice(1).join("-")}`.toLowerCase() : null;
}

export const isPrivate = (m) => m.startsWith("p-");
