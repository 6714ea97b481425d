// Games as text: moves with numbers, variations and comments as in PGN and PDN, SGF for boards with crossings, strings of
// columns, JSON; and the other way round. What a move means is the server's to say: it knows the rules.

import { Variation } from "./variations.js";

const RESULT = /^(1-0|0-1|1\/2-1\/2|\*|1-1|2-0|0-2)$/;

// --- writing --------------------------------------------------------------------------------------------

/** The game on the table in every format that fits it. */
export async function writeGame(table) {
  const { root, base, position } = table;
  const found = [{ name: "Moves (PGN, PDN)", text: movetext(table) }];
  const names = [...root.all()].map(({ move }) => move).filter(Boolean);
  if (position.board?.crossings) found.push({ name: "SGF", text: sgf(table, await table.see([])) });
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

/** SGF: stones that lie there from the start are set up (AB, AW), and who begins is said where it is not Black. */
function sgf({ root, base }, start) {
  const { cells } = start.board;
  const spots = new Map(cells.map((cell) => [cell.id, pointOf(cell)]));
  const size = Math.max(...cells.map((cell) => cell.x)) + 1;
  const text = (comment) => (comment ? `C[${comment.replace(/[\]\\]/g, "\\$&")}]` : "");
  const laid = [0, 1].map((owner) => cells.filter(({ piece }) => piece?.owner === owner).map((cell) => `[${pointOf(cell)}]`).join(""));
  const setup = [["AB", laid[0]], ["AW", laid[1]], ["PL", start.mover === 1 ? "[W]" : ""], ["KM", base.settings?.komi ? `[${base.settings.komi}]` : ""]];
  const head = setup.filter(([, given]) => given).map((pair) => pair.join("")).join("");
  const follow = (node) => {
    const branches = node.children.map((child) => `;${(child.ply + start.mover) % 2 ? "B" : "W"}[${spots.get(child.move) ?? ""}]${text(child.comment)}${follow(child)}`);
    return branches.length > 1 ? branches.map((branch) => `(${branch})`).join("") : branches.join("");
  };
  return `(;FF[4]GM[1]SZ[${size}]${head}${text(root.comment)}${follow(root)})\n`;
}

const pointOf = ({ x, y }) => String.fromCharCode(97 + x) + String.fromCharCode(97 + y);

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
  const { client } = table;
  const { games } = await client.hello;
  const has = (name) => games.find((one) => one.name === table.base.game)?.parameters.some((one) => one.name === name);
  const settings = { ...table.base.settings };
  const tag = (key) => new RegExp(`[;\\]\\s]${key}\\s*\\[([^\\]]*)\\]`).exec(text)?.[1];
  if (tag("SZ") && has("size")) settings.size = tag("SZ").split(":")[0];
  if (tag("KM") && has("komi")) settings.komi = tag("KM");
  const base = { game: table.base.game, ...(Object.keys(settings).length && { settings }) };
  const start = (await client.ask({ do: "position", ...base })).position;
  const cells = new Map(start.board.cells.map((cell) => [pointOf(cell), cell]));
  const pass = start.actions.find(({ touches }) => !touches.length)?.name ?? "pass";
  const root = new Variation();
  const laid = new Map();
  const forks = [];
  let node = root;
  let first = 0;
  for (const [token, key, values] of text.matchAll(/[()]|;|([A-Z]+)((?:\s*\[(?:[^\]\\]|\\[\s\S])*\])+)/g)) {
    const given = [...(values ?? "").matchAll(/\[((?:[^\]\\]|\\[\s\S])*)\]/g)].map((found) => found[1]);
    if (token === "(") forks.push(node);
    else if (token === ")") node = forks.pop() ?? root;
    else if (key === "C") node.comment = given[0].replace(/\\([\s\S])/g, "$1");
    else if (/^A[BWE]$/.test(key)) {
      if (node !== root || key === "AE") throw new Error(`${key} changes stones in the middle of a game: only those that lie there from the start can be imported.`);
      for (const point of given) {
        if (!cells.has(point)) throw new Error(`${key}[${point}] is no point of this board.`);
        laid.set(point, key === "AB" ? "X" : "O");
      }
    } else if (key === "PL") first = /^(W|2)/i.test(given[0]) ? 1 : 0;
    else if (key === "B" || key === "W") {
      if (node === root && laid.size && !tag("PL")) first = key === "W" ? 1 : 0;
      // Who moves twice lets the other pass.
      if ((node.ply + first) % 2 !== (key === "W" ? 1 : 0)) node = node.follow(pass);
      node = node.follow(cells.get(given[0])?.id ?? pass);
    }
  }
  if (laid.size || first) base.position = rowsOf(cells, laid, first);
  return played(root, base, table);
}

/** A position as Go reads it: rows of stones, and who moves. */
function rowsOf(cells, laid, first) {
  const rows = [];
  for (const [point, { y }] of cells) (rows[y] ??= []).push(laid.get(point) ?? ".");
  return `${rows.map((row) => row.join(" ")).join("/")}/${"XO"[first]} to move`;
}
