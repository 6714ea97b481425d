// The address is the position. `#/play/chess?moves=e4,e5&s.chess960=true`: names are escaped one by one, so that a
// comma, a bracket or a blank in the name of a move stays part of it.

/** Escapes a name, also the signs that the tree of variations is written with. */
export const escaped = (text) =>
  encodeURIComponent(text).replace(/[!'()*~]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);

/** A hash as its view, its game, and what it asks for; lists are still written. */
export function parseAddress(hash) {
  const [path, ...rest] = hash.replace(/^#/, "").split("?");
  const parts = path.split("/").filter(Boolean).map(safely);
  const raw = new Map();
  for (const pair of rest.join("?").split("&").filter(Boolean)) {
    const at = pair.indexOf("=");
    raw.set(safely(at < 0 ? pair : pair.slice(0, at)), at < 0 ? "" : pair.slice(at + 1));
  }
  const query = new URLSearchParams([...raw].map(([key, value]) => [key, safely(value)]));
  return { view: parts[0] ?? "", game: parts[1] ?? "", path: parts.slice(1), raw, query };
}

/** Where a message points: game, settings, position, moves. */
export function placeOf({ game, raw, query }) {
  const place = { game };
  const settings = {};
  for (const [key, value] of query) if (key.startsWith("s.")) settings[key.slice(2)] = value;
  if (Object.keys(settings).length) place.settings = settings;
  if (query.has("position")) place.position = query.get("position");
  place.moves = listed(raw.get("moves"));
  return place;
}

/** The address of a place; `more` are other parameters, written as they are where they are escaped already. */
export function addressOf(view, place, more = {}) {
  const pairs = [];
  for (const [key, value] of Object.entries(place.settings ?? {})) pairs.push(`s.${escaped(key)}=${escaped(String(value))}`);
  if (place.position) pairs.push(`position=${escaped(place.position)}`);
  if (place.moves?.length) pairs.push(`moves=${place.moves.map(escaped).join(",")}`);
  for (const [key, value] of Object.entries(more)) if (value) pairs.push(`${key}=${value}`);
  return `#/${view}/${escaped(place.game)}${pairs.length ? `?${pairs.join("&")}` : ""}`;
}

const listed = (text) => (text ? text.split(",").map(safely) : []);

export function safely(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
