// Games as text: moves with numbers, variations and comments as in PGN and PDN, SGF for boards with crossings, strings of
// columns, JSON; and the other way round. What a move means is the server's to say: it knows the rules.

import { Variation } from "./variations.js";

const RESULT = /^(1-0|0-1|1\/2-1\/2|\*|1-1|2-0|0-2)$/;

// --- writing --------------------------------------------------------------------------------------------

/** The game on the table in every format that fits it. */
export function writeGame(table) {
  const { root, base, position } = table;
  const found = [{ name: "Moves (PGN, PDN)", text: movetext(table) }];
  const names = [...root.all()].map(({ move }) => move).filter(Boolean);
  if (position.board?.crossings) found.push({ name: "SGF", text: sgf(table) });
  if (names.length && names.every((name) => name.length === 1)) found.push({ name: "Columns", text: root.end.moves.join("") });
  if (position.notation) found.push({ name: "Position", text: position.notation });
  found.push({ name: "JSON", text: JSON.stringify({ ...base, tree: plain(root) }, null, 1) });
  return found;
}

function movetext(table) {
  const { base, root, position } = table;
  const tags = [["Game", base.game], ...Object.entries(base.settings ?? {}).map(([key, value]) => [`Setting ${key}`, value])];
  if (base.position) tags.push(["SetUp", "1"], ["FEN", base.position]);
  const parts = root.comment ? [`{${braced(root.comment)}}`] : [];
  write(root, parts, table);
  const result = resultOf(position);
  return `${tags.map(([key, value]) => `[${key.replace(/ /g, "_")} "${String(value).replaceAll("\n", "/").replaceAll('"', "'")}"]`).join("\n")}\n\n${parts.join(" ")} ${result}\n`;
}

const braced = (comment) => comment.replaceAll("}", ")");
const quoted = (name) => (/[\s(){}"]|^\d+\.|^[-*;]/.test(name) || RESULT.test(name) || /^\d+$/.test(name) ? `"${name}"` : name);

function resultOf({ payoffs }) {
  if (!payoffs || payoffs.length !== 2) return "*";
  return payoffs[0] > payoffs[1] ? "1-0" : payoffs[0] < payoffs[1] ? "0-1" : "1/2-1/2";
}

function write(start, parts, table, numbered = true) {
  let number = numbered;
  const one = (node, force) => {
    const ply = node.ply - 1 + (table.firstIsSecond ? 1 : 0);
    if (!table.pairs) parts.push(`${node.ply}.`);
    else if (ply % 2 === 0) parts.push(`${ply / 2 + 1}.`);
    else if (force) parts.push(`${(ply - 1) / 2 + 1}...`);
    parts.push(quoted(node.move));
    if (node.comment) parts.push(`{${braced(node.comment)}}`);
  };
  for (let node = start; node.children.length; node = node.children[0]) {
    const [main, ...others] = node.children;
    one(main, number);
    number = Boolean(main.comment) || others.length > 0;
    for (const other of others) {
      const inner = [];
      write({ children: [other] }, inner, table);
      parts.push(`(${inner.join(" ")})`);
    }
  }
}

const plain = (node) => ({
  ...(node.move ? { move: node.move } : {}),
  ...(node.comment ? { comment: node.comment } : {}),
  ...(node.children.length ? { next: node.children.map(plain) } : {}),
});

function sgf({ root, position }) {
  const { board } = position;
  const spots = new Map(board.cells.map((cell) => [cell.id, cell]));
  const size = Math.max(...board.cells.map((cell) => cell.x)) + 1;
  const letter = (at) => String.fromCharCode(97 + at);
  const text = (comment) => (comment ? `C[${comment.replace(/[\]\\]/g, "\\$&")}]` : "");
  const follow = (node) => {
    const branches = node.children.map((child) => {
      const at = spots.get(child.move);
      const where = at ? letter(at.x) + letter(at.y) : "";
      return `;${child.ply % 2 ? "B" : "W"}[${where}]${text(child.comment)}${follow(child)}`;
    });
    return branches.length > 1 ? branches.map((branch) => `(${branch})`).join("") : branches.join("");
  };
  return `(;FF[4]GM[1]SZ[${size}]${text(root.comment)}${follow(root)})\n`;
}

// --- reading --------------------------------------------------------------------------------------------

/** A game or a position from a text: {base, root}. Every move is played; what cannot be played is refused. */
export async function readGame(given, table) {
  const text = given.trim();
  if (!text) throw new Error("There is nothing to import: paste moves or a position.");
  if (text.startsWith("{")) return fromJson(text, table);
  if (/^\(\s*;/.test(text)) return fromSgf(text, table);
  const tags = new Map([...text.matchAll(/^\[(\w+)\s+"([^"]*)"\]\s*$/gm)].map((found) => [found[1], found[2]]));
  const body = text.replace(/^\[\w+\s+"[^"]*"\]\s*$/gm, "").trim();
  const base = { ...table.base };
  delete base.position;
  if (tags.has("FEN")) base.position = tags.get("FEN");
  const settings = [...tags].filter(([key]) => key.startsWith("Setting_"));
  if (settings.length) base.settings = Object.fromEntries(settings.map(([key, value]) => [key.slice(8), value]));
  if (tags.size && !body) return { base, root: new Variation() };
  const attempts = [() => played(parseMoves(body), base, table)];
  if (!tags.size) {
    attempts.push(() => positionOnly(text, base, table));
    if (/^[^\s,]+$/.test(body)) attempts.unshift(() => played(column(body), base, table));
  }
  let first;
  for (const attempt of attempts) {
    try {
      return await attempt();
    } catch (error) {
      // What was tried as moves says best what is wrong, unless it looks like a position.
      first = !first || /[/\n]/.test(body) ? error : first;
    }
  }
  throw first;
}

async function positionOnly(text, base, table) {
  const wanted = { ...base, position: text };
  await table.client.ask({ do: "position", ...wanted });
  return { base: wanted, root: new Variation() };
}

function column(text) {
  const root = new Variation();
  [...text].reduce((node, sign) => node.follow(sign), root);
  return root;
}

function parseMoves(text) {
  const root = new Variation();
  let node = root;
  const forks = [];
  const tokens = text.replace(/\$\d+/g, " ").match(/\{[^}]*\}|;[^\n]*|"[^"]*"|[()]|[^\s(){}"]+/g) ?? [];
  for (const token of tokens) {
    if (token[0] === "{") node.comment = [node.comment, token.slice(1, -1).trim()].filter(Boolean).join(" ");
    else if (token === "(") {
      forks.push(node);
      node = node.parent ?? node;
    } else if (token === ")") node = forks.pop() ?? root;
    else if (token[0] === ";" || RESULT.test(token)) continue;
    else {
      for (const word of token[0] === '"' ? [token.slice(1, -1)] : token.replace(/^\d+\.+/, "").split(",")) {
        const move = token[0] === '"' ? word : word.replace(/[!?]+$/, "");
        if (move) node = node.follow(move);
      }
    }
  }
  return root;
}

/** The same tree with the names that the game itself gives its moves. */
async function played(given, base, table) {
  const root = new Variation();
  root.comment = given.comment;
  const walk = [[given, root]];
  while (walk.length) {
    const [from, to] = walk.pop();
    for (const child of from.children) {
      const { position } = await table.client.ask({ do: "position", ...base, moves: [...to.moves, child.move] });
      const made = to.follow(position.last);
      made.comment = child.comment;
      walk.push([child, made]);
    }
  }
  return { base, root };
}

async function fromJson(text, table) {
  let data;
  try {
    data = JSON.parse(text);
  } catch (error) {
    throw new Error(`This is no JSON: ${error.message}`);
  }
  if (data.game !== undefined && data.game !== table.base.game) throw new Error(`This is a game of ${data.game}, and ${table.base.game} is on the table.`);
  const base = { game: table.base.game };
  if (data.settings && typeof data.settings === "object") base.settings = data.settings;
  if (typeof data.position === "string") base.position = data.position;
  const root = new Variation();
  const fill = (node, from) => {
    if (typeof from.comment === "string") node.comment = from.comment;
    for (const next of Array.isArray(from.next) ? from.next : []) fill(node.follow(String(next.move)), next);
  };
  if (Array.isArray(data.moves)) data.moves.reduce((node, move) => node.follow(String(move)), root);
  if (data.tree) fill(root, data.tree);
  return played(root, base, table);
}

async function fromSgf(text, table) {
  const start = (await table.client.ask({ do: "position", ...table.base, position: undefined, moves: [] })).position;
  const size = /\bSZ\s*\[(\d+)\]/.exec(text)?.[1];
  const base = { game: table.base.game, settings: { ...table.base.settings } };
  const wide = Math.max(...start.board.cells.map((cell) => cell.x)) + 1;
  let { board } = start;
  if (size && Number(size) !== wide) {
    base.settings.size = size;
    board = (await table.client.ask({ do: "position", ...base })).position.board;
  }
  if (!Object.keys(base.settings).length) delete base.settings;
  const cells = new Map(board.cells.map((cell) => [`${String.fromCharCode(97 + cell.x)}${String.fromCharCode(97 + cell.y)}`, cell.id]));
  const pass = start.actions.find(({ touches }) => !touches.length)?.name ?? "pass";
  const root = new Variation();
  let node = root;
  const forks = [];
  for (const [token, , key, value] of text.matchAll(/[()]|;|(([A-Z]+)\s*\[((?:[^\]\\]|\\[\s\S])*)\])/g)) {
    if (token === "(") forks.push(node);
    else if (token === ")") node = forks.pop() ?? root;
    else if (key === "B" || key === "W") node = node.follow(cells.get(value) ?? pass);
    else if (key === "C") node.comment = value.replace(/\\([\s\S])/g, "$1");
  }
  return played(root, base, table);
}
