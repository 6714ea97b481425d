// Replays the games of a match. A frame is what stays of the frame before at its beginning and end, and what lies between.
const data = JSON.parse(document.getElementById("match").textContent);
const find = (id) => document.getElementById(id);
const [game, who, board, moves, where] = ["game", "who", "board", "moves", "where"].map(find);
let current = data.games[0];
let at = 0;
let frames = [];

function unpacked(one) {
  const found = [];
  let before = [];
  for (const [head, tail, between] of one.frames) {
    before = [...before.slice(0, head), ...between, ...(tail ? before.slice(-tail) : [])];
    found.push(before);
  }
  return found;
}

function show() {
  const [wide, high] = data.box;
  board.innerHTML = `<svg class="gt-tree gt-auto" viewBox="-1 -1 ${wide} ${high}" role="img" aria-label="The position">`
    + frames[at].map((number) => data.things[number]).join("") + "</svg>";
  for (const button of moves.querySelectorAll("button")) {
    button.toggleAttribute("aria-current", Number(button.dataset.at) === at);
  }
  moves.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
  const ended = at === frames.length - 1 ? `: ${current.reason}` : "";
  where.textContent = `ply ${at} of ${frames.length - 1}${ended}`;
  find("first").setAttribute("aria-disabled", at === 0);
  find("back").setAttribute("aria-disabled", at === 0);
  find("forward").setAttribute("aria-disabled", at === frames.length - 1);
  find("last").setAttribute("aria-disabled", at === frames.length - 1);
}

function go(to) {
  at = Math.max(0, Math.min(frames.length - 1, to));
  show();
}

function open(number) {
  current = data.games[number];
  frames = unpacked(current);
  who.textContent = current.players.map((name, side) => `${name} ${current.points[side]}`).join("  ·  ");
  moves.replaceChildren(...current.moves.slice(0, frames.length - 1).map((name, ply) => {
    const item = document.createElement("li");
    const button = document.createElement("button");
    button.textContent = name;
    button.dataset.at = String(ply + 1);
    if (ply < current.opening) item.className = "book";
    item.append(button);
    return item;
  }));
  go(current.opening);
}

if (current) {
  data.games.forEach((one, number) => {
    game.append(new Option(`${one.name}  ${one.players.join(" – ")}  ${one.points.join(" : ")}`, String(number)));
  });
  game.addEventListener("change", () => open(Number(game.value)));
  moves.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (button) go(Number(button.dataset.at));
  });
  find("first").addEventListener("click", () => go(0));
  find("back").addEventListener("click", () => go(at - 1));
  find("forward").addEventListener("click", () => go(at + 1));
  find("last").addEventListener("click", () => go(frames.length));
  document.addEventListener("keydown", (event) => {
    if (event.target.closest("select")) return;
    if (event.key === "ArrowLeft") go(at - 1);
    else if (event.key === "ArrowRight") go(at + 1);
  });
  open(0);
} else {
  find("replay").hidden = true;
}
