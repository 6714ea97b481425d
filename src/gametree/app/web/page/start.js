// The first page: every game with a picture of its board.

import { addressOf } from "./address.js";
import { drawBoard } from "./board.js";
import { h } from "./dom.js";

// A few moves make an empty board worth a look.
const LOOKS = {
  "connect-four": ["4", "4", "3", "5", "5", "4", "3", "2", "6", "3", "4", "5"],
  go: ["E5", "C7", "G3", "G7", "C3", "F6", "D6", "D7", "F3", "C6", "E7", "F7", "H4", "C4"],
  hex: ["f6", "g5", "e7", "d8", "f4", "h6", "g3", "i4", "d9", "c10"],
  mnk: ["b3", "c2", "b2", "c3", "a4", "d1", "d4"],
  othello: ["d3", "c3", "c4", "e3", "f4", "c5", "b4", "e6", "f6", "d6"],
  "tic-tac-toe": ["b2", "a3", "c3", "a1", "a2"],
  ludo: ["6", "in", "4"],
  pig: ["roll", "5", "roll", "4"],
};
const STEPS = 5;

export function mount(element, { client }) {
  let gone = false;
  const gallery = h("ul", { class: "gallery" });
  const search = h("input", { type: "search", placeholder: "Find a game", "aria-label": "Find a game" });
  search.addEventListener("input", () => {
    const wanted = search.value.trim().toLowerCase();
    for (const card of gallery.children) card.hidden = !card.dataset.words.includes(wanted);
  });
  element.append(
    h("div", { class: "welcome" },
      h("h1", {}, "Which game?"),
      h("p", {}, "Play it, see the value of every move, and follow the search. Your own rules join in: ", h("code", {}, "gametree serve mygame.py"), "."),
      search),
    gallery,
  );
  fill().catch((error) => gone || gallery.replaceChildren(h("li", {}, h("p", { class: "trouble", role: "alert" }, error.message))));
  document.title = "gametree";

  async function fill() {
    const { games } = await client.refresh();
    if (gone) return;
    const cards = games.map((game) => card(game));
    gallery.replaceChildren(...cards.map(({ item }) => item));
    for (const { game, picture } of cards) await look(game, picture).catch(({ message }) => picture.append(h("p", { class: "trouble" }, message)));
  }

  function card(game) {
    const picture = h("div", { class: "look" });
    const play = addressOf("play", { game: game.name });
    const seats = game.players === 1 ? "1 player" : `${game.players} players`;
    const item = h(
      "li",
      { class: "card", "data-words": `${game.name} ${game.summary}`.toLowerCase() },
      h("a", { class: "to-game", href: play, "data-game": game.name }, picture, h("h2", {}, title(game.name))),
      h("p", {}, game.summary.replaceAll("`", "") || "Rules of your own."),
      h("p", { class: "card-foot" }, h("span", { class: "chip" }, seats), h("a", { href: addressOf("play", { game: game.name }, { mode: "analyse" }), "aria-label": `Analyse ${title(game.name)}` }, "Analyse")),
    );
    return { item, game, picture };
  }

  async function look(game, picture) {
    const moves = LOOKS[game.name] ?? [];
    let at = await see(game.name, moves).catch(() => see(game.name, []));
    for (let step = 0; step < STEPS && !moves.length && isEmpty(at) && at.actions.length; step += 1) {
      moves.push(at.actions[(7 * step + 3) % at.actions.length].name);
      at = await see(game.name, moves);
    }
    if (gone) return;
    const { board } = at;
    if (board && board.kind !== "buttons" && board.kind !== "counters" && board.cells.length) picture.replaceChildren(drawBoard(board, { mini: true, marks: { last: [] } }));
    else picture.replaceChildren(h("pre", { class: "as-text" }, at.text.split("\n").slice(0, 10).join("\n")));
  }

  async function see(game, moves) {
    return (await client.ask({ do: "position", game, moves })).position;
  }

  return { unmount: () => (gone = true) };
}

const isEmpty = ({ board }) => !board || (board.kind !== "counters" && board.kind !== "buttons" && board.cells.filter((cell) => cell.count).length < 2);

const NAMES = { mnk: "m,n,k", "connect-four": "Connect Four", "tic-tac-toe": "Tic-tac-toe", "phantom-tic-tac-toe": "Phantom tic-tac-toe", "dark-hex": "Dark Hex" };

/** The name of a game as people write it. */
export function title(name) {
  const [file, own] = name.split(":");
  if (NAMES[name]) return NAMES[name];
  return (own ?? file).replace(/([a-z])(?=[A-Z])/g, "$1 ").replace(/[-_]/g, " ").toLowerCase().replace(/^./, (first) => first.toUpperCase());
}
