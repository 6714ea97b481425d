// The stage: a board with what is marked on it, tiles beside it, buttons for what no click can tell. It shows the position
// of its owner, a table or a seat, and tells it what was clicked.

import { BoardView, cellWords } from "./board.js";
import { Pointing } from "./clicks.js";
import { button, h } from "./dom.js";
import { drawPiece, playerColor, svg } from "./pieces.js";
import { title } from "./start.js";
import { percent, turnWords } from "./words.js";

const MANY = 60;

export class Stage {
  /** `owner` has a `position`, says what is `free` to be done, and hears what to `play`. */
  constructor(owner, ...below) {
    this.owner = owner;
    this.gauge = h("div", { class: "gauge", role: "img", hidden: true });
    this.boardHost = h("div", { class: "board-host" });
    this.board = new BoardView(this.boardHost, (id) => this.point(id));
    this.text = h("pre", { class: "as-text", hidden: true });
    this.beside = h("div", { class: "beside", role: "group", "aria-label": "Beside the board" });
    this.status = h("p", { class: "status", id: "status" });
    this.chooser = h("div", { class: "chooser", role: "group", "aria-label": "Which move?", hidden: true });
    this.buttons = h("div", { class: "row actions", role: "group", "aria-label": "What can be done" });
    this.trouble = h("p", { class: "trouble", role: "alert", hidden: true });
    this.all = h("details", { class: "all-moves" }, h("summary", {}, "All moves by name"), (this.names = h("div", { class: "row names" })));
    this.frame = h("div", { class: "frame" }, this.gauge, this.boardHost, this.text);
    this.element = h("section", { class: "stage", "aria-label": "Board" },
      this.status, this.frame, this.beside, this.chooser, this.buttons, this.trouble, ...below, this.all);
  }

  /** A position that was not clicked on yet. */
  take(position) {
    this.trouble.hidden = true;
    this.pointing = new Pointing(position);
  }

  fail(message) {
    this.trouble.hidden = false;
    this.trouble.textContent = message;
  }

  /** Opens a dialog: a new game, import, export. What it takes is loaded now, and not with the page. */
  async open(name) {
    try {
      const dialogs = await import("./exchange.js");
      await dialogs[name](this.owner);
    } catch (error) {
      this.fail(error.message);
    }
  }

  /** Takes back what was clicked. */
  reset() {
    this.pointing.reset();
    this.choose(null);
    this.owner.paint();
  }

  /** The board with everything that is marked on it; `marks` gives arrows and badges. */
  paint({ shown, animate = false, ply = 0, marks = { arrows: [], badges: new Map() } }) {
    const { owner, pointing } = this;
    const { board } = shown;
    const ours = shown === owner.position;
    const drawable = board && board.kind !== "buttons" && board.kind !== "counters" && board.cells.length > 0;
    this.boardHost.hidden = !drawable;
    this.text.hidden = drawable || (board?.kind === "counters" && board.cells.length > 0);
    this.text.textContent = shown.text;
    this.text.classList.toggle("words", Boolean(owner.covered));
    this.element.classList.toggle("preview", !ours);
    this.element.dataset.ply = ply;
    const points = owner.points && ours;
    const open = points ? pointing.open : new Set();
    const clicked = new Set(pointing.clicked);
    const can = points ? new Set(owner.position.actions.flatMap((action) => action.touches)) : new Set();
    if (drawable) {
      const drawn = { ...marks, last: board.last ?? [], selected: clicked, open: clicked.size ? open : new Set(), start: clicked.size ? null : open };
      this.board.show(board, { turned: owner.isTurned, marks: drawn, players: shown.players, can, animate, label: `${title(shown.game)}, ${turnWords(shown)}` });
    }
    this.showBeside(board, drawable, { open, clicked, can });
    this.status.replaceChildren(...this.statusParts(shown, ours));
    this.status.dataset.over = String(Boolean(shown.payoffs || owner.verdict));
  }

  statusParts(shown, ours) {
    const { verdict, covered, thinking } = this.owner;
    const color = shown.mover !== null && shown.mover >= 0 ? h("span", { class: `swatch of-${playerColor(shown.board, shown.mover)}`, "aria-hidden": "true" }) : null;
    return [
      ours ? null : h("span", { class: "chip" }, "Preview"),
      color,
      h("strong", {}, (ours && (verdict || covered)) || turnWords(shown)),
      ours && thinking ? h("span", { class: "soft" }, " thinking …") : null,
    ].filter(Boolean);
  }

  /** Hands, dice, heaps and scores: tiles that can be clicked where a move touches them. */
  showBeside(board, drawable, { open, clicked, can }) {
    const tiles = [...(board?.kind === "counters" ? board.cells : []), ...(board?.beside ?? [])].filter((cell) => !drawable || !this.board.plan.spots.has(cell.id));
    const focused = document.activeElement?.dataset?.tile;
    this.beside.classList.toggle("large", !drawable);
    this.beside.hidden = !tiles.length;
    if (drawable) this.frame.after(this.beside);
    else this.frame.append(this.beside);
    this.beside.replaceChildren(
      ...tiles.map((cell) =>
        h("button", {
          type: "button",
          class: `tile${open.has(cell.id) ? " start" : ""}${clicked.has(cell.id) ? " chosen" : ""}${can.has(cell.id) ? " can" : ""}`,
          "data-tile": cell.id,
          "aria-label": cellWords(cell, this.owner.position.players),
          "aria-disabled": String(!can.has(cell.id)),
          onClick: () => this.point(cell.id),
        }, tilePicture(cell, board), h("span", { class: "tile-name" }, cell.name ?? cell.id)),
      ),
    );
    if (focused) this.beside.querySelector(`[data-tile="${CSS.escape(focused)}"]`)?.focus();
  }

  /** Buttons for what no click on a cell can tell, or those that are `given`; and, folded away, for everything. */
  showActions(given = null) {
    const { owner } = this;
    this.choose(null);
    const focused = this.buttons.contains(document.activeElement) ? document.activeElement.textContent : null;
    this.buttons.replaceChildren();
    this.names.replaceChildren();
    const { actions } = owner.position;
    const drawn = !this.boardHost.hidden;
    this.all.hidden = !owner.free || Boolean(given) || !drawn || actions.length === 0;
    if (given) this.buttons.append(...given);
    else if (owner.free) {
      const plain = drawn ? actions.filter((action) => !action.touches.length) : actions;
      this.buttons.append(...plain.slice(0, 10 * MANY).map((action) => this.named(action)));
    }
    this.fill = () => this.names.replaceChildren(...actions.slice(0, 10 * MANY).map((action) => this.named(action, "small")));
    this.all.ontoggle = () => this.all.open && this.fill();
    if (this.all.open && !this.all.hidden) this.fill();
    if (focused !== null) {
      const all = [...this.buttons.children];
      (all.find((one) => one.textContent === focused) ?? all[0])?.focus();
    }
  }

  named(action, size = "") {
    const { owner } = this;
    const odds = action.probability === undefined ? "" : ` ${percent(action.probability)}`;
    const made = button(action.name, () => owner.free && owner.play(action.name), { class: `button act ${size}`, "data-action": action.name });
    if (odds) made.append(h("span", { class: "soft" }, odds));
    const value = owner.badgeOf?.(action.name);
    if (value) made.append(h("span", { class: `value ${value.tone}` }, value.text));
    return made;
  }

  /** Offers the actions among which clicks alone cannot decide. */
  choose(actions, more = false) {
    this.chooser.hidden = !actions;
    if (!actions) {
      this.chooser.replaceChildren();
      return;
    }
    const cancel = button("Cancel", () => this.reset(), { class: "button quiet" });
    this.chooser.replaceChildren(h("span", {}, more ? "Click on, or choose:" : "Which one?"), ...actions.slice(0, MANY).map((action) => this.named(action)), cancel);
    if (!more) this.chooser.querySelector("button")?.focus({ preventScroll: true });
  }

  point(id) {
    const { owner } = this;
    if (!owner.points || owner.preview) return;
    const { play, choose, more } = this.pointing.point(id);
    this.choose(choose ?? null, more);
    if (play !== undefined) owner.play(play);
    else owner.paint();
  }
}

/** What a heap, a score or a die looks like. */
function tilePicture(cell, board) {
  const drawn = svg("svg", { viewBox: "0 0 100 100", class: "board tile-picture", "aria-hidden": "true" });
  if (cell.piece?.shape === "die") drawn.append(drawPiece(cell.piece, 50, 50, 110));
  else if (cell.piece && cell.owner === undefined && cell.count > 1 && board.kind === "counters") return heap(cell);
  else if (cell.piece) drawn.append(drawPiece(cell.piece, 50, 50, 100, cell.count));
  else {
    const owned = cell.owner === undefined ? "by-nobody" : `by-${playerColor(board, cell.owner)}`;
    drawn.append(svg("text", { class: `symbol ${owned}`, x: 50, y: 68, "font-size": 52 }, String(cell.count ?? (/die/.test(cell.id) ? "–" : 0))));
  }
  return drawn;
}

function heap({ count }) {
  const across = Math.min(count, 10);
  const shown = Math.min(count, 60);
  const down = Math.ceil(shown / across);
  const drawn = svg("svg", { viewBox: `0 0 ${across * 30 + 70} ${Math.max(2, down) * 30}`, class: "board heap", "aria-hidden": "true" });
  for (let at = 0; at < shown; at += 1) drawn.append(svg("circle", { class: "disc counter", cx: (at % across) * 30 + 15, cy: Math.floor(at / across) * 30 + 15, r: 12 }));
  drawn.append(svg("text", { class: "symbol by-nobody", x: across * 30 + 36, y: Math.max(2, down) * 15 + 12, "font-size": 38 }, String(count)));
  return drawn;
}
