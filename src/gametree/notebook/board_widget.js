// A board in a notebook: moves by clicks, the value of every move, the best lines. Python answers as the server does.

import { BoardView } from "./board.js";
import { Pointing } from "./clicks.js";
import { button, h } from "./dom.js";
import { shadow } from "./shadow.js";
import { valueWords } from "./words.js";

function render({ model, el }) {
  const root = shadow(el, [model.get("sheet"), WIDGET]);
  const waiting = new Map();
  let number = 0, position = null, pointing = null, turn = 0;

  function ask(request, partial = () => {}) {
    const id = ++number;
    model.send({ id, ...request });
    return new Promise((resolve, reject) => waiting.set(id, { resolve, reject, partial }));
  }
  function hear(answer) {
    const job = waiting.get(answer.id);
    if (!job) return;
    if (!answer.done) { job.partial(answer); return; }
    waiting.delete(answer.id);
    if (answer.error) job.reject(new Error(answer.error.message)); else job.resolve(answer);
  }

  const host = h("div", { class: "board" });
  const status = h("p", { class: "told", role: "status" });
  const chooser = h("div", { class: "row moves", role: "group", "aria-label": "Moves" });
  const lines = h("ol", { class: "lines", "aria-label": "Best lines" });
  const view = new BoardView(host, point);
  root.append(h("div", { class: "play" }, host, h("div", { class: "beside" }, status,
    h("div", { class: "row" },
      button("Undo", () => play(moves().slice(0, -1))), button("From the start", () => play([])), button("Let the engine move", engine)),
    chooser, lines)));

  const moves = () => model.get("moves");
  const place = () => ({ game: model.get("game"), moves: moves(), ...(model.get("position") ? { position: model.get("position") } : {}) });
  function play(line) {
    model.set("moves", line);
    model.save_changes();
  }
  async function engine() {
    if (!position?.actions.length) return;
    try {
      const { move } = await ask({ do: "move", ...place(), level: model.get("level") });
      if (move) play([...moves(), move]);
    } catch (error) { status.textContent = error.message; }
  }
  function point(id) {
    const found = pointing.point(id);
    if (found.play) { play([...moves(), found.play]); return; }
    draw(found.choose ?? null);
  }

  function draw(choice = null, found = null) {
    if (position.board) {
      view.show(position.board, {
        turned: false, marks: { selected: new Set(pointing.clicked), open: pointing.clicked.length ? pointing.open : new Set(), start: pointing.open, last: position.board.last ?? [] },
        players: position.players, can: pointing.open, label: `${position.game}, the board`, animate: false,
      });
    } else host.replaceChildren(h("pre", {}, position.text));
    const values = new Map((found?.moves ?? []).map((one) => [one.action, valueWords(one.value, one.exact, { ...position, range: position.range ?? null })]));
    const named = choice ?? position.actions;
    chooser.replaceChildren(...named.slice(0, 80).map(({ name }) => button(values.has(name) ? `${name}  ${values.get(name)}` : name, () => play([...moves(), name]), { "data-move": name, class: name === found?.action ? "best" : "" })));
    if (found) {
      lines.replaceChildren(...(found.lines ?? []).map((line) => h("li", {}, h("strong", {}, valueWords(line.value, line.exact ?? found.exact, { ...position, range: position.range ?? null })), " ", line.line.join(" "))));
    }
  }

  async function show() {
    const mine = ++turn;
    try {
      const answer = await ask({ do: "position", ...place() });
      if (mine !== turn) return;
      position = answer.position;
      pointing = new Pointing(position);
      const who = position.mover === null ? `${position.ended}: ${position.payoffs.join(", ")}` : position.mover < 0 ? "the dice" : `${position.players[position.mover]} is to move`;
      status.textContent = who;
      lines.replaceChildren();
      draw();
      const seconds = model.get("seconds");
      if (!position.actions.length || position.mover < 0 || !seconds) return;
      const told = (analysis) => {
        if (mine !== turn || !analysis) return;
        status.textContent = `${who}; ${valueWords(analysis.value, analysis.exact, { ...position, range: position.range ?? null })}, depth ${analysis.depth ?? "–"}, ${analysis.nodes.toLocaleString("en")} nodes`;
        if (!pointing.clicked.length) draw(null, analysis);
      };
      const request = { do: "analyze", ...place(), limit: { seconds }, values: true };
      told((await ask(request, ({ analysis }) => told(analysis))).analysis);
    } catch (error) {
      if (mine === turn) status.textContent = error.message;
    }
  }

  model.on("msg:custom", hear);
  model.on("change:moves", show);
  show();
  return () => { model.off("msg:custom", hear); model.off("change:moves", show); };
}

const WIDGET = `:host { display: block; color: var(--ink); font: 14px/1.45 var(--sans); --font: var(--sans); }
.play { display: flex; flex-wrap: wrap; gap: 1rem; padding: 2px; }
.play .board { position: relative; flex: 1 1 18rem; max-width: 26rem; align-self: start; }
.board .picture svg { display: block; width: 100%; height: auto; }
.board .cells { position: absolute; inset: 0; }
.board .cell { position: absolute; min-width: 0; min-height: 0; padding: 0; border: 0; background: transparent; }
.board .cell.can { cursor: pointer; }
.board .cell.can:hover { box-shadow: inset 0 0 0 3px var(--accent); background: transparent; }
.beside { flex: 1 1 16rem; min-width: 0; }
.row { display: flex; flex-wrap: wrap; gap: 0.3rem; margin: 0.4rem 0; }
.row button { min-height: 2.2rem; padding: 0.2rem 0.6rem; }
.row .best { border: 2px solid var(--good); }
.told { margin: 0; font-weight: 650; }
.lines { padding-left: 1.4rem; }`;

export default { render };
