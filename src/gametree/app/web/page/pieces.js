// Pieces as SVG, around a point, in units of a cell. Whose a piece is can be told by its shape or its emblem, not by
// colour alone.

const NAMESPACE = "http://www.w3.org/2000/svg";

/** An SVG element with attributes and children. */
export function svg(name, attributes = {}, ...children) {
  const made = document.createElementNS(NAMESPACE, name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== null) made.setAttribute(key, value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

const BY_OWNER = ["black", "white", "red", "blue", "green", "yellow"];
const PLAYERS = ["red", "blue", "green", "yellow", "purple", "orange"];

/** The colour of a piece that is drawn as a disc. */
export const colorOf = (piece) => piece.color || BY_OWNER[(piece.owner ?? 0) % BY_OWNER.length];

/** The colour that stands for a player: that of a piece of theirs, else one by their number. */
export function playerColor(board, player) {
  const own = (board?.pieces ?? []).find((piece) => piece.owner === player && piece.color);
  return own ? own.color : PLAYERS[player % PLAYERS.length];
}

// A square of 100 by 100.
const BASE = "M27 86q0-8 7-8h32q7 0 7 8z";
const FIGURES = {
  pawn: ["M50 21a13 13 0 0 1 8.6 22.8c7.4 3.7 9.4 9.7 8.4 15.2-1 7-5.5 12-6 19H39c-.5-7-5-12-6-19-1-5.5 1-11.5 8.4-15.200A13 13 0 0 1 50 21z"],
  rook: ["M27 19h11v7h7v-7h10v7h7v-7h11v18l-8 7 3 34H32l3-34-8-7z", "M35 44h30"],
  bishop: [
    "M50 13a5.5 5.5 0 0 1 3.6 9.600C62 29 69 38 69 48c0 8-4 13-9 16l3 14H37l3-14c-5-3-9-8-9-16 0-10 7-19 15.4-25.400A5.5 5.5 0 0 1 50 13z",
    "M50 36v16M42 44h16M40 64h20",
  ],
  queen: [
    "M18 27a4.5 4.5 0 1 1 4 4.400L34 49l-.6-23.300a4.5 4.5 0 1 1 4.6-.900L46.5 46l1.7-25a4.5 4.5 0 1 1 3.6 0l1.7 25L62 24.800a4.5 4.5 0 1 1 4.6.900L66 49l12-17.600A4.5 4.5 0 1 1 82 27L69 64l-2 14H33l-2-14z",
    "M31.5 65q18.5-7 37 0",
  ],
  king: [
    "M46.5 9h7v6h6v7h-6v8.500C58 26 64 25 70 26.500c11 2.5 14 14.5 7.5 23.500C73 56 68.5 60 67.5 66L67 78H33l-.5-12c-1-6-5.5-10-10-16C16 41 19 29 30 26.500c6-1.5 12-.5 16.5 4V22h-6v-7h6z",
    "M32 66q18-7 36 0M50 31v27",
  ],
  knight: [
    "M36 78c0-14 11-19 12-32-5 6-10 6-14 12-3 5-10 5-13 0-2-4 0-7 2-11l11-17c1-4 0-8 0-12l8 5 7-6c2 2 3 4 4 7 18 4 26 22 24 54z",
    "M57 30c9 5 13 18 12 36M28 53l3-3",
  ],
};
const EYES = { knight: [41, 33] };

/** What is drawn for a piece at x, y; `unit` is the size of a cell. */
export function drawPiece(piece, x, y, unit, count = 1) {
  const group = svg("g", { class: "piece", transform: `translate(${x} ${y})` });
  const { shape } = piece;
  if (shape === "cross") {
    const reach = 0.27 * unit;
    group.append(
      svg("path", {
        class: "cross",
        d: `M${-reach} ${-reach}L${reach} ${reach}M${-reach} ${reach}L${reach} ${-reach}`,
        "stroke-width": 0.11 * unit,
      }),
    );
  } else if (shape === "nought") {
    group.append(svg("circle", { class: "nought", r: 0.28 * unit, "stroke-width": 0.11 * unit }));
  } else if (shape === "disc" || shape === "crown") {
    group.append(...disc(piece, unit));
  } else if (shape === "die") {
    group.append(...die(piece.symbol, unit));
  } else if (FIGURES[shape]) {
    group.append(figure(piece, unit));
  } else {
    const long = [...piece.symbol].length;
    group.append(
      svg("text", {
        class: `symbol by-${piece.color || (piece.owner === undefined ? "nobody" : PLAYERS[piece.owner % 6])}`,
        "font-size": unit * (long > 2 ? 0.9 / long : 0.6),
        y: unit * (long > 2 ? 0.3 / long : 0.21),
      }, piece.symbol),
    );
  }
  if (count > 1) group.append(counted(count, unit));
  return group;
}

function figure(piece, unit) {
  const [body, lines] = FIGURES[piece.shape];
  const size = unit / 104;
  const drawn = svg("g", { class: `figure ${piece.color || "black"}`, transform: `scale(${size}) translate(-50 -52)` });
  drawn.append(svg("path", { d: body }), svg("path", { d: BASE }));
  if (lines) drawn.append(svg("path", { class: "detail", d: lines }));
  if (EYES[piece.shape]) drawn.append(svg("circle", { class: "eye", cx: EYES[piece.shape][0], cy: EYES[piece.shape][1], r: 3 }));
  return drawn;
}

function disc(piece, unit) {
  const color = colorOf(piece);
  const radius = 0.39 * unit;
  const found = [
    svg("circle", { class: "shadow", cy: 0.025 * unit, r: radius }),
    svg("circle", { class: `disc ${color}`, r: radius, "stroke-width": 0.025 * unit }),
  ];
  if (piece.shape === "crown") {
    const u = 0.2 * unit;
    const d = `M${-u} ${0.7 * u}V${-0.5 * u}L${-0.5 * u} ${0.05 * u}L0 ${-0.9 * u}L${0.5 * u} ${0.05 * u}L${u} ${-0.5 * u}V${0.7 * u}z`;
    found.push(svg("path", { class: `crown on-${color}`, d }));
  } else {
    found.push(svg("circle", { class: `ring on-${color}`, r: radius * 0.74, "stroke-width": 0.025 * unit }));
    if (color !== "black" && color !== "white") found.push(emblem(piece.owner ?? 0, color, unit * 0.15));
  }
  return found;
}

/** A sign for each player, so that nobody has to tell colours apart. */
function emblem(owner, color, reach) {
  const r = reach;
  const paths = [
    `M${-r} ${-r}L${r} ${r}M${-r} ${r}L${r} ${-r}`,
    `M${-r} 0a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0`,
    `M0 ${-r}L${r} ${0.8 * r}H${-r}z`,
    `M${-r} ${-r}H${r}V${r}H${-r}z`,
    `M0 ${-1.2 * r}L${r} 0L0 ${1.2 * r}L${-r} 0z`,
    `M${-r} 0H${r}M0 ${-r}V${r}`,
  ];
  return svg("path", { class: `emblem on-${color}`, d: paths[owner % 6], "stroke-width": r * 0.34 });
}

const PIPS = { 1: "c", 2: "ai", 3: "aci", 4: "agci", 5: "agcie", 6: "agcibh" };
const PIP_AT = { a: [-1, -1], b: [-1, 0], g: [-1, 1], c: [1, -1], h: [1, 0], i: [1, 1], e: [0, 0] };
PIPS[1] = "e";
PIPS[3] = "aei";

function die(symbol, unit) {
  const half = 0.4 * unit;
  const found = [
    svg("rect", { class: "die", x: -half, y: -half, width: 2 * half, height: 2 * half, rx: 0.16 * unit, "stroke-width": 0.03 * unit }),
  ];
  const pips = PIPS[symbol];
  if (!pips) return [...found, svg("text", { class: "symbol by-nobody", "font-size": 0.5 * unit, y: 0.18 * unit }, symbol)];
  for (const key of pips) {
    const [x, y] = PIP_AT[key];
    found.push(svg("circle", { class: "pip", cx: x * 0.22 * unit, cy: y * 0.22 * unit, r: 0.075 * unit }));
  }
  return found;
}

function counted(count, unit) {
  return svg("g", { class: "counted", transform: `translate(${0.27 * unit} ${0.27 * unit})` },
    svg("circle", { r: 0.2 * unit }),
    svg("text", { "font-size": 0.26 * unit, y: 0.09 * unit }, String(count)),
  );
}

/** What stands on a cell, in words. */
export function pieceWords(piece, players = []) {
  if (piece.shape === "die") return `die ${piece.symbol}`;
  if (piece.shape === "crown") return `${colorOf(piece)} crowned disc`;
  if (FIGURES[piece.shape]) return `${piece.color} ${piece.shape}`;
  if (piece.shape === "disc") return `${colorOf(piece)} disc`;
  const named = piece.owner !== undefined && players[piece.owner];
  return named && named.length < 3 ? named : piece.symbol;
}
