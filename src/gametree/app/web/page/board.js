// A board as plain data becomes a drawing. Over it lies a grid of buttons without colours of their own: they take clicks,
// touches and keys, and tell a screen reader what stands where.

import { drawPiece, pieceWords, playerColor, svg } from "./pieces.js";

const U = 100;
const ROW = Math.sqrt(3) / 2;
const PILE = 5;
const STARS = { 9: [2, 4, 6], 13: [3, 6, 9], 19: [3, 9, 15] };
const SEEDS = [[0, 0], [-1, -0.2], [1, 0.2], [0.2, -1], [-0.2, 1], [-0.85, -0.95], [0.9, 0.95], [-0.8, 0.8], [0.9, -0.8], [0, -0.5], [0.1, 0.5], [-0.5, 0.3]];

/** Where everything is: a spot for each cell, in units of the drawing. */
export function layoutOf(board, turned = false) {
  const shape = LAYOUTS[board.kind] ?? LAYOUTS.grid;
  const wide = Math.max(0, ...board.cells.map((cell) => cell.x));
  const high = Math.max(0, ...board.cells.map((cell) => cell.y));
  const at = (cell) => (turned ? { ...cell, x: wide - cell.x, y: high - cell.y } : cell);
  const plan = { board, turned, wide: wide + 1, high: high + 1, spots: new Map(), inside: new Set() };
  shape(plan, board.cells.map(at));
  for (const cell of board.cells) plan.inside.add(cell.id);
  return plan;
}

const LAYOUTS = {
  grid(plan, cells) {
    const labels = !isShaded(plan.board) && !plan.board.crossings;
    const left = labels && plan.board.rows ? 0.42 * U : 0;
    const below = labels && plan.board.columns ? 0.42 * U : 0;
    for (const cell of cells) spot(plan, cell, left + cell.x * U, cell.y * U, U, U);
    plan.box = [left, 0, plan.wide * U, plan.high * U];
    plan.size = [left + plan.wide * U, plan.high * U + below];
  },
  hex(plan, cells) {
    const margin = plan.board.columns ? 0.5 * U : 0;
    const top = margin + 0.1 * U;
    for (const cell of cells) spot(plan, cell, margin + cell.x * U, top + cell.y * U, U, U, "hex");
    plan.size = [margin + plan.wide * U, top + (plan.high - 1) * U + (U * 2) / Math.sqrt(3)];
  },
  graph(plan, cells) {
    for (const cell of cells) spot(plan, cell, cell.x * U, cell.y * U, U, U, "round");
    plan.size = [plan.wide * U, plan.high * U];
  },
  pits(plan, cells) {
    for (const cell of cells) spot(plan, cell, cell.x * U, cell.y * U, U, U, "round");
    plan.size = [plan.wide * U, plan.high * U];
  },
  points(plan, cells) {
    const bars = (plan.board.beside ?? []).filter((cell) => /^(bar|off)\b/.test(cell.id));
    // The bar lies in the middle: where the points leave a column free, else between them.
    const free = plan.wide % 2 && !cells.some((cell) => cell.x === (plan.wide - 1) / 2);
    const half = free ? (plan.wide - 1) / 2 : plan.wide / 2;
    const gap = bars.length && !free ? U : 0;
    const tall = (PILE + 0.9) * U;
    for (const cell of cells) {
      const low = Math.round(cell.y) === 1;
      spot(plan, cell, cell.x * U + (cell.x >= half ? gap : 0), low ? tall : 0, U, tall, "point");
      plan.spots.get(cell.id).low = low;
    }
    // Who starts below has the bar's upper half: that is where pieces come in from.
    for (const cell of bars) {
      const low = (cell.owner === 1) === plan.turned;
      const x = cell.id.startsWith("bar") ? half * U : plan.wide * U + gap + 0.15 * U;
      spot(plan, cell, x, low ? tall : 0, U, tall, "tray");
      Object.assign(plan.spots.get(cell.id), { low, cell });
      plan.inside.add(cell.id);
    }
    const trays = bars.some((cell) => cell.id.startsWith("off"));
    plan.box = [0, 0, plan.wide * U + gap, 2 * tall];
    plan.size = [plan.wide * U + gap + (trays ? 1.15 * U : 0), 2 * tall];
  },
};

function spot(plan, cell, left, top, width, height, shape = "square") {
  plan.spots.set(cell.id, { cell, left, top, width, height, shape, x: left + width / 2, y: top + height / 2 });
}

// --- the ground ---------------------------------------------------------------------------------------

function ground(plan) {
  const { board } = plan;
  const draw = { hex: hexagons, graph: places, pits: hollows, points: triangles }[board.kind] ?? squares;
  return svg("g", { class: `ground ${board.ground ?? ""}` }, ...draw(plan));
}

function squares(plan) {
  const { board } = plan;
  const [left, top, wide, high] = plan.box;
  const found = [];
  // Felt is of one colour, whatever a board says of its squares.
  const shaded = isShaded(board);
  const full = board.cells.length >= plan.wide * plan.high;
  if (shaded || board.ground || board.crossings) {
    const role = shaded ? "light" : board.crossings ? "wood" : board.ground || "paper";
    if (full || shaded) found.push(svg("rect", { class: role, x: left, y: top, width: wide, height: high, rx: shaded ? 0 : 10 }));
  }
  const open = !board.ground && !shaded && full && plan.wide <= 4 && plan.high <= 4;
  if (board.crossings) found.push(...crossings(plan, left, top));
  else if (open) {
    for (let x = 1; x < plan.wide; x += 1) found.push(line("open", left + x * U, top + 4, left + x * U, top + high - 4));
    for (let y = 1; y < plan.high; y += 1) found.push(line("open", left + 4, top + y * U, left + wide - 4, top + y * U));
  } else {
    for (const { cell, left: x, top: y } of plan.spots.values()) {
      if (board.ground === "blue") found.push(svg("circle", { class: "hole", cx: x + U / 2, cy: y + U / 2, r: 0.41 * U }));
      else if (!shaded || cell.shade === "dark") {
        found.push(svg("rect", { class: shaded ? cell.shade : "square", x, y, width: U, height: U }));
      }
    }
  }
  return [...found, ...labels(plan, shaded)];
}

const isShaded = (board) => board.ground !== "green" && board.cells.some((cell) => cell.shade);

function crossings(plan, left, top) {
  const found = [];
  const across = (plan.wide - 0.5) * U;
  const down = (plan.high - 0.5) * U;
  for (let x = 0; x < plan.wide; x += 1) found.push(line("groove", left + (x + 0.5) * U, top + U / 2, left + (x + 0.5) * U, top + down));
  for (let y = 0; y < plan.high; y += 1) found.push(line("groove", left + U / 2, top + (y + 0.5) * U, left + across, top + (y + 0.5) * U));
  const stars = plan.wide === plan.high ? (STARS[plan.wide] ?? []) : [];
  for (const x of stars) for (const y of stars) found.push(svg("circle", { class: "star", cx: (x + 0.5) * U, cy: (y + 0.5) * U, r: 9 }));
  return found;
}

function labels(plan, inside) {
  const { board, turned } = plan;
  const found = [];
  const small = inside || board.crossings;
  const [left, top, wide, high] = plan.box;
  (board.columns ?? []).forEach((text, at) => {
    const x = left + (turned ? plan.wide - 1 - at : at) * U;
    if (board.crossings) found.push(label(text, x + U / 2, top + high - 8, 21, "tiny middle light"));
    else if (small) found.push(label(text, x + U - 9, top + high - 8, 21, `tiny end ${shadeAt(plan, x, top + high - U)}`));
    else found.push(label(text, x + U / 2, top + high + 31, 27));
  });
  (board.rows ?? []).forEach((text, at) => {
    const y = top + (turned ? plan.high - 1 - at : at) * U;
    if (board.crossings) found.push(label(text, left + 15, y + U / 2 + 8, 21, "tiny middle light"));
    else if (small) found.push(label(text, left + 6, y + 23, 21, `tiny ${shadeAt(plan, left, y)}`));
    else found.push(label(text, left - 20, y + U / 2 + 9, 27));
  });
  if (board.numbered) {
    for (const { cell, left: x, top: y } of plan.spots.values()) found.push(label(cell.name ?? cell.id, x + 6, y + 21, 19, `tiny ${cell.shade}`));
  }
  return found;
}

const shadeAt = (plan, x, y) => [...plan.spots.values()].find((one) => one.left === x && one.top === y)?.cell.shade || "light";

function hexagons(plan) {
  const { board } = plan;
  const long = U / Math.sqrt(3);
  const found = [];
  for (const { x, y } of plan.spots.values()) found.push(svg("path", { class: "hexagon", d: hexagonAt(x, y, long) }));
  const first = [...plan.spots.values()];
  const across = (board.columns ?? []).length;
  if (across && board.rows?.length * across === first.length && !plan.turned) {
    board.columns.forEach((text, at) => found.push(label(text, first[at].x, first[at].y - 0.62 * U, 27)));
    board.rows.forEach((text, at) => found.push(label(text, first[at * across].x - 0.74 * U, first[at * across].y + 9, 27)));
  }
  return found;
}

const hexagonAt = (x, y, long) =>
  `M${x} ${y - long}L${x + U / 2} ${y - long / 2}V${y + long / 2}L${x} ${y + long}L${x - U / 2} ${y + long / 2}V${y - long / 2}z`;

function places(plan) {
  const { board } = plan;
  const found = [];
  for (const [a, b] of board.edges ?? nearby(board.cells)) {
    const [one, other] = [plan.spots.get(a), plan.spots.get(b)];
    if (one && other) found.push(line("edge", one.x, one.y, other.x, other.y));
  }
  for (const { cell, x, y } of plan.spots.values()) {
    const owned = cell.owner !== undefined ? ` of-${playerColor(board, cell.owner)}` : "";
    found.push(svg("circle", { class: `place ${cell.shade ?? ""}${owned}`, cx: x, cy: y, r: 0.36 * U }));
  }
  return found;
}

function nearby(cells) {
  const found = [];
  cells.forEach((one, at) => {
    for (const other of cells.slice(at + 1)) if (Math.hypot(one.x - other.x, one.y - other.y) < 1.01) found.push([one.id, other.id]);
  });
  return found;
}

function hollows(plan) {
  const found = [svg("rect", { class: "wood", width: plan.size[0], height: plan.size[1], rx: 50 })];
  for (const { x, y } of plan.spots.values()) found.push(svg("circle", { class: "pit", cx: x, cy: y, r: 0.44 * U }));
  return found;
}

function triangles(plan) {
  const [left, top, wide, high] = plan.box;
  const found = [svg("rect", { class: "felt", x: left, y: top, width: wide, height: high, rx: 8 })];
  const half = (plan.wide / 2) * U;
  let index = 0;
  for (const { cell, left: x, top: y, height, low, shape } of plan.spots.values()) {
    if (shape === "tray") {
      found.push(svg("rect", { class: x > wide ? "tray" : "bar", x, y, width: U, height }));
      const name = cell.id.split(" ")[0];
      found.push(label(name, x + U / 2, low ? y + height - 9 : y + 25, 22, "tiny on-tray"));
      continue;
    }
    const base = low ? y + height : y;
    const tip = low ? base - PILE * U : base + PILE * U;
    const shade = (Math.round(cell.x) + (low ? 1 : 0)) % 2 ? "dark" : "light";
    found.push(svg("path", { class: `triangle ${shade}`, d: `M${x + 3} ${base}H${x + U - 3}L${x + U / 2} ${tip}z` }));
    found.push(label(cell.name ?? cell.id, x + U / 2, low ? y + 20 : y + height - 8, 21, "tiny felted"));
    index += 1;
  }
  if (index && half) found.push(svg("rect", { class: "rim", x: left, y: top, width: wide, height: high, rx: 8 }));
  return found;
}

const line = (role, x1, y1, x2, y2) => svg("line", { class: role, x1, y1, x2, y2 });
const label = (text, x, y, size, role = "") => svg("text", { class: `label ${role}`, x, y, "font-size": size }, text);

// --- what stands on it --------------------------------------------------------------------------------

function standing(plan, cell) {
  const here = plan.spots.get(cell.id);
  const group = svg("g", { "data-on": cell.id });
  const { board } = plan;
  if (board.kind === "pits") group.append(...seeds(cell, here));
  else if (here.shape === "point" || here.shape === "tray") group.append(...pile(cell, here));
  else if (cell.piece) {
    const unit = board.kind === "hex" ? 0.9 * U : board.kind === "graph" ? 0.86 * U : U;
    (cell.under ?? []).forEach((piece, at) => group.append(drawPiece(piece, here.x + 14 * (at + 1), here.y - 14 * (at + 1), unit)));
    group.append(drawPiece(cell.piece, here.x, here.y, unit, cell.count));
  } else if (cell.count) {
    group.append(svg("text", { class: "symbol by-nobody", x: here.x, y: here.y + 18, "font-size": 50 }, String(cell.count)));
  }
  return group;
}

function seeds(cell, { x, y }) {
  const found = SEEDS.slice(0, cell.count ?? 0).map(([right, down]) => svg("circle", { class: "seed", cx: x + right * 17, cy: y - 8 + down * 17, r: 8 }));
  return [...found, svg("text", { class: "symbol pit-count", x, y: y + 39, "font-size": 24 }, String(cell.count ?? 0))];
}

function pile(cell, { x, top, height, low }) {
  if (!cell.count) return [];
  const piece = cell.piece ?? { symbol: "", owner: cell.owner, shape: "disc", color: cell.owner === 0 ? "white" : "black" };
  const found = [];
  const many = Math.min(cell.count, PILE);
  for (let at = 0; at < many; at += 1) {
    const from = (at + 0.5) * U * 0.98;
    found.push(drawPiece(piece, x, low ? top + height - from : top + from, U, at === many - 1 && cell.count > PILE ? cell.count : 1));
  }
  return found;
}

/** The drawing of a board; `turned` shows it from the other side. */
export function drawBoard(board, { turned = false, label: words = "", marks = {}, mini = false } = {}) {
  const plan = layoutOf(board, turned);
  const [wide, high] = plan.size;
  const drawn = svg("svg", { viewBox: `-4 -4 ${wide + 8} ${high + 8}`, class: `board ${board.kind}${mini ? " mini" : ""}` });
  if (words) {
    drawn.setAttribute("role", "img");
    drawn.setAttribute("aria-label", words);
  } else drawn.setAttribute("aria-hidden", "true");
  drawn.append(ground(plan), highlights(plan, marks));
  const cells = [...board.cells, ...(board.beside ?? []).filter((cell) => plan.spots.has(cell.id))];
  drawn.append(svg("g", { class: "pieces" }, ...cells.map((cell) => standing(plan, cell))));
  if (!mini) drawn.append(arrows(plan, marks.arrows ?? []), badges(plan, marks.badges ?? new Map()));
  return drawn;
}

function highlights(plan, { last = [], selected = new Set(), open = new Set() }) {
  const found = [];
  const mark = (id, role) => {
    const here = plan.spots.get(id);
    if (!here) return;
    const { x, y, left, top, width, height, shape } = here;
    if (shape === "hex") found.push(svg("path", { class: role, d: hexagonAt(x, y, U / Math.sqrt(3)) }));
    else if (shape === "round" || plan.board.ground === "blue" || plan.board.crossings) found.push(svg("circle", { class: role, cx: x, cy: y, r: 0.46 * U }));
    else found.push(svg("rect", { class: role, x: left, y: top, width, height }));
  };
  for (const id of last) mark(id, "mark last");
  for (const id of selected) mark(id, "mark selected");
  for (const id of open) {
    const here = plan.spots.get(id);
    if (!here) continue;
    const y = here.shape === "point" || here.shape === "tray" ? (here.low ? here.top + 0.45 * U : here.top + here.height - 0.45 * U) : here.y;
    const taken = here.cell.piece && here.shape !== "point";
    found.push(svg("circle", { class: taken ? "target around" : "target", cx: here.x, cy: y, r: (taken ? 0.45 : 0.15) * U }));
  }
  return svg("g", { class: "marks" }, ...found);
}

function arrows(plan, list) {
  const found = [];
  // Points are too long, and pits too many on the way, for an arrow to say anything.
  for (const { touches, rank, isPath } of [...list].reverse()) {
    const [from, to] = [plan.spots.get(touches[0]), plan.spots.get(touches.at(-1))];
    if (!from || !to) continue;
    if (from === to || !isPath) {
      found.push(svg("circle", { class: `arrow rank-${rank}`, cx: from.x, cy: from.y, r: 0.44 * U, fill: "none", "stroke-width": rank ? 7 : 10 }));
      continue;
    }
    const [dx, dy] = [to.x - from.x, to.y - from.y];
    const long = Math.hypot(dx, dy);
    const angle = (Math.atan2(dy, dx) * 180) / Math.PI;
    const w = rank === 0 ? 9 : 6;
    const tip = long - 8;
    const d = `M18 ${-w}H${tip - 3.4 * w}V${-2.6 * w}L${tip} 0L${tip - 3.4 * w} ${2.6 * w}V${w}H18z`;
    found.push(svg("path", { class: `arrow filled rank-${rank}`, d, transform: `translate(${from.x} ${from.y}) rotate(${angle})` }));
  }
  return svg("g", { class: "arrows" }, ...found);
}

function badges(plan, list) {
  const found = [];
  for (const [id, { text, tone }] of list) {
    const here = plan.spots.get(id);
    if (!here) continue;
    const wide = 17 + 13.5 * [...text].length;
    const y = here.shape === "square" ? here.top + here.height - 22 : here.shape === "point" ? (here.low ? here.top + 70 : here.top + here.height - 70) : here.y + (here.cell.piece ? 28 : 0);
    found.push(
      svg("g", { class: `badge ${tone}`, transform: `translate(${here.x} ${y})` },
        svg("rect", { x: -wide / 2, y: -16, width: wide, height: 32, rx: 8 }),
        svg("text", { y: 8.5, "font-size": 24 }, text)),
    );
  }
  return svg("g", { class: "badges" }, ...found);
}

// --- a board to play on -------------------------------------------------------------------------------

/** What a cell is called and what stands on it. */
export function cellWords(cell, players = []) {
  const name = cell.name ?? cell.id;
  if (!cell.piece) return `${name}, ${cell.count ? cell.count : "empty"}`;
  const what = pieceWords(cell.piece, players);
  const under = (cell.under ?? []).map((piece) => pieceWords(piece, players));
  return `${name}, ${[cell.count > 1 ? `${cell.count} times ${what}` : what, ...under].join(" and ")}`;
}

export class BoardView {
  /** A board inside `host`; `onPoint` hears the id of the cell that is clicked. */
  constructor(host, onPoint) {
    this.host = host;
    this.onPoint = onPoint;
    this.grid = document.createElement("div");
    this.grid.className = "cells";
    this.grid.setAttribute("role", "grid");
    this.grid.addEventListener("keydown", (event) => this.onKey(event));
    this.picture = document.createElement("div");
    this.picture.className = "picture";
    host.append(this.picture, this.grid);
    this.buttons = new Map();
    this.layoutKey = "";
  }

  /** Shows a board; `can` are the cells that may be clicked. */
  show(board, { turned, marks, players, can, label, animate }) {
    this.plan = layoutOf(board, turned);
    const drawn = drawBoard(board, { turned, marks });
    this.picture.replaceChildren(drawn);
    const [wide, high] = this.plan.size;
    this.host.style.setProperty("--aspect", (wide + 8) / (high + 8));
    this.host.style.setProperty("--units", Math.max(wide, high) / U);
    const key = `${turned} ${wide} ${high} ${[...this.plan.spots.keys()].join("\n")}`;
    if (key !== this.layoutKey) this.rebuild(key);
    this.grid.setAttribute("aria-label", label);
    const cells = new Map([...board.cells, ...(board.beside ?? [])].map((cell) => [cell.id, cell]));
    for (const [id, button] of this.buttons) {
      const chosen = marks.selected?.has(id);
      const badge = marks.badges?.get(id);
      const extra = [
        chosen ? "chosen" : "",
        marks.open?.has(id) ? "can go here" : "",
        badge ? `worth ${badge.words ?? badge.text}` : "",
        marks.last?.includes(id) ? "last move" : "",
      ].filter(Boolean);
      button.setAttribute("aria-label", [cellWords(cells.get(id), players), ...extra].join(", "));
      button.setAttribute("aria-selected", String(Boolean(chosen)));
      button.setAttribute("aria-disabled", String(!can.has(id)));
      button.classList.toggle("can", can.has(id));
      button.classList.toggle("start", Boolean(marks.open?.has(id) || marks.start?.has(id)));
    }
    if (animate) this.animate(board.last ?? [], drawn);
  }

  rebuild(key) {
    this.layoutKey = key;
    const focused = document.activeElement?.dataset?.cell;
    this.buttons.clear();
    const rows = new Map();
    for (const one of this.plan.spots.values()) {
      const at = Math.round(one.y / 10);
      if (!rows.has(at)) rows.set(at, []);
      rows.get(at).push(one);
    }
    this.grid.replaceChildren();
    const [wide, high] = this.plan.size.map((length) => length + 8);
    for (const at of [...rows.keys()].sort((a, b) => a - b)) {
      const row = document.createElement("div");
      row.setAttribute("role", "row");
      for (const one of rows.get(at).sort((a, b) => a.x - b.x)) {
        const button = document.createElement("button");
        button.type = "button";
        button.className = `cell ${one.shape}`;
        button.dataset.cell = one.cell.id;
        button.setAttribute("role", "gridcell");
        button.tabIndex = -1;
        const inset = one.shape === "hex" ? 0.07 * U : one.shape === "round" ? 0.02 * U : 0;
        Object.assign(button.style, {
          left: `${((one.left + 4 + inset) / wide) * 100}%`,
          top: `${((one.top + 4 + inset) / high) * 100}%`,
          width: `${((one.width - 2 * inset) / wide) * 100}%`,
          height: `${((one.height - 2 * inset) / high) * 100}%`,
        });
        button.addEventListener("click", () => {
          this.reach(button, false);
          this.onPoint(one.cell.id);
        });
        row.append(button);
        this.buttons.set(one.cell.id, button);
      }
      this.grid.append(row);
    }
    const first = this.buttons.get(focused) ?? this.buttons.values().next().value;
    if (first) this.reach(first, this.buttons.has(focused));
  }

  reach(button, focus = true) {
    if (this.current) this.current.tabIndex = -1;
    this.current = button;
    button.tabIndex = 0;
    if (focus) button.focus({ preventScroll: true });
  }

  onKey(event) {
    const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (!way) {
      if (event.key === "Home" || event.key === "End") {
        const all = [...event.target.parentElement.children];
        this.reach(event.key === "Home" ? all[0] : all.at(-1));
        event.preventDefault();
      }
      return;
    }
    event.preventDefault();
    event.stopPropagation();
    const here = this.plan.spots.get(event.target.dataset.cell);
    let best = null;
    let least = Infinity;
    for (const there of this.plan.spots.values()) {
      const [dx, dy] = [there.x - here.x, there.y - here.y];
      const along = dx * way[0] + dy * way[1];
      const across = Math.abs(dx * way[1]) + Math.abs(dy * way[0]);
      const cost = along + 1.1 * across;
      if (along > 5 && across <= along * 1.8 && cost < least) [best, least] = [there, cost];
    }
    if (best) this.reach(this.buttons.get(best.cell.id));
  }

  /** The piece of the last move comes from where it stood. */
  animate(last, drawn) {
    const [from, to] = [this.plan.spots.get(last[0]), this.plan.spots.get(last[1])];
    const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    if (last.length < 2 || !from || !to || calm) return;
    const moved = drawn.querySelector(`[data-on="${CSS.escape(last[1])}"]`);
    if (!moved?.firstChild || to.shape === "point") return;
    moved.animate([{ transform: `translate(${from.x - to.x}px, ${from.y - to.y}px)` }, { transform: "none" }], { duration: 170, easing: "ease-out" });
  }
}
