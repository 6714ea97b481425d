/* A tree that is being drawn: nodes as plain objects, and the text that the library reads.
   A node is {player, chance, children} or {value}; a child has a move and, below chance, its odds. */

export const TEXTBOOK = "[[3, 12, 8], [2, 4, 6], [14, 5, 2]]";
const RESERVED = /^(true|false|null|none|nan|infinity|inf|max|min|chance|player)$/i;
const WORD = /^[\p{L}_][\p{L}\p{N}_'′]*$/u;
const NUMBER = /^[-−+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?(\s*\/\s*\d+)?$/;
const PAYOFFS = /^\((\s*[-−+]?[\d.]+(\s*\/\s*\d+)?\s*,)+(\s*[-−+]?[\d.]+(\s*\/\s*\d+)?\s*)?\)$/;

/* The nodes of an answer, each before its children, as a tree. */
export function fromNodes(nodes) {
  const at = new Map();
  for (const one of nodes) {
    const node = {
      player: one.player, chance: one.kind === "chance", children: [], name: one.name,
      move: one.path.length && one.move !== String(one.path.at(-1) + 1) ? one.move : "",
      odds: one.probability,
      value: one.kind === "leaf" ? text(one.payoff) : "",
    };
    at.set(one.path.join("."), node);
    if (one.path.length) at.get(one.path.slice(0, -1).join(".")).children.push(node);
  }
  return at.get("");
}

const text = (payoff) => Array.isArray(payoff) ? `(${payoff.join(", ")})` : String(payoff);

/* A tree as text. Who moves is written where it is not whose turn it would be. */
export function toText(node, turn = 0) {
  if (!node.children.length) return leaf(node.value);
  if (node.chance) {
    return `chance(${node.children.map((one) => `${one.odds}: ${toText(one, turn)}`).join(", ")})`;
  }
  const player = node.player ?? turn;
  const level = player < 2 ? player : turn;
  const below = (one) => toText(one, (level + 1) % 2);
  const named = node.children.some((one) => one.move);
  const inside = named
    ? `{${node.children.map((one, i) => `${title(one.move || String(i + 1))}: ${below(one)}`).join(", ")}}`
    : `[${node.children.map(below).join(", ")}]`;
  if (player === turn) return inside;
  return (player === 0 ? "MAX" : player === 1 ? "MIN" : `player ${player}`) + inside;
}

function leaf(value) {
  const given = String(value).trim();
  if (NUMBER.test(given) || PAYOFFS.test(given)) return given.replaceAll("−", "-");
  return word(given || "?");
}

const word = (name) => (name === "?" || (WORD.test(name) && !RESERVED.test(name)) ? name : JSON.stringify(name));
const title = (move) => (/^\d+$/.test(move) ? move : word(move));

export const at = (root, path) => path.reduce((node, index) => node?.children[index], root);
export const isVector = (root) => (root.children.length ? root.children.some(isVector) : root.value.startsWith("("));
const players = (root) => Math.max(2, ...everyLeaf(root).map((one) => one.value.split(",").length));
const everyLeaf = (node) => (node.children.length ? node.children.flatMap(everyLeaf) : [node]);

/* Makes a child; a leaf becomes a node, and what it was worth its first child's. */
export function addChild(root, path) {
  const node = at(root, path);
  const first = node.children.length === 0;
  const value = first ? node.value : isVector(root) ? `(${Array(players(root)).fill(0).join(", ")})` : "0";
  if (first) {
    const above = path.length ? at(root, path.slice(0, -1)) : null;
    const count = isVector(root) ? players(root) : 2;
    node.player = above && !above.chance ? (above.player + 1) % count : above ? above.player ?? 0 : 0;
    node.value = "";
    if (above?.chance) node.player = path.length % 2;
  }
  node.children.push({ children: [], value, move: "", odds: null, player: null, chance: false });
  if (node.chance) shareOut(node, node.children.length - 1, 1 / node.children.length);
  return [...path, node.children.length - 1];
}

export function remove(root, path) {
  const node = at(root, path.slice(0, -1));
  node.children.splice(path.at(-1), 1);
  if (!node.children.length) Object.assign(node, { chance: false, player: null, value: "0" });
  else if (node.chance) scale(node.children, 1);
}

/* Who decides at a node: 0 is MAX, 1 is MIN, "chance". */
export function decides(root, path, who) {
  const node = at(root, path);
  node.chance = who === "chance";
  node.player = who === "chance" ? null : Number(who);
  for (const child of node.children) child.odds = node.chance ? 1 / node.children.length : null;
  if (node.chance) for (const child of node.children) child.move = "";
}

/* One outcome gets its odds; the others share the rest as before. */
export function shareOut(node, index, odds) {
  const others = node.children.filter((_, i) => i !== index);
  node.children[index].odds = others.length ? Math.min(Math.max(odds, 0.001), 1 - 0.001 * others.length) : 1;
  scale(others, 1 - node.children[index].odds);
}

function scale(children, total) {
  const sum = children.reduce((all, one) => all + (one.odds ?? 0), 0);
  for (const one of children) one.odds = round(sum && one.odds ? (one.odds / sum) * total : total / children.length);
}
const round = (odds) => +odds.toPrecision(12);

/* Puts a subtree elsewhere: as the last child of a node, or beside a leaf. Returns its new path, or null. */
export function carry(root, from, to, after) {
  if (!from.length || String(to).startsWith(String(from)) && to.length >= from.length && from.every((one, i) => to[i] === one)) return null;
  const moved = at(root, from), target = at(root, to);
  const home = at(root, from.slice(0, -1));
  const into = target.children.length ? target : at(root, to.slice(0, -1));
  if (!into) return null;
  if (home !== into && home.children.length === 1) return null;
  home.children.splice(home.children.indexOf(moved), 1);
  const place = target.children.length ? into.children.length : into.children.indexOf(target) + (after ? 1 : 0);
  into.children.splice(place, 0, moved);
  if (home !== into) {
    moved.move = "";
    moved.odds = null;
    if (home.chance) scale(home.children, 1);
    if (into.chance) shareOut(into, place, 1 / into.children.length);
  }
  return pathOf(root, moved);
}

export function pathOf(root, wanted, path = []) {
  if (root === wanted) return path;
  for (const [i, child] of root.children.entries()) {
    const found = pathOf(child, wanted, [...path, i]);
    if (found) return found;
  }
  return null;
}
