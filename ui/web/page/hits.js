// What was hit: `card:4`, `zone:stock`, `place:row:2`, `do:ready`.

export const split = (hit) => [hit.slice(0, hit.indexOf(":")), hit.slice(hit.indexOf(":") + 1)];

// A zone, or one place of it.
export function spot(hit) {
  const [kind, rest] = split(hit);
  if (kind !== "place") return [rest, null];
  const at = rest.lastIndexOf(":");
  return [rest.slice(0, at), Number(rest.slice(at + 1))];
}
