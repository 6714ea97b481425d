// A game on the table: one tree of moves that is played on, analysed, walked through and shared. The address always says
// where it stands.

import { addressOf, placeOf } from "./address.js";
import { Analysis } from "./analysis.js";
import { BoardView, cellWords } from "./board.js";
import { Pointing, pathOf } from "./clicks.js";
import { button, h } from "./dom.js";
import { exportDialog, importDialog, setupDialog } from "./exchange.js";
import { MoveList } from "./moves.js";
import { drawPiece, playerColor, svg } from "./pieces.js";
import { Seats } from "./seats.js";
import { title } from "./start.js";
import { Variation, readTree, writeTree } from "./variations.js";
import { capital, percent, turnWords } from "./words.js";

const ROLL_AFTER = 350;
const REPLY_AFTER = 250;
const MANY = 60;

export function mount(element, context) {
  return new Table(element, context);
}

class Table {
  constructor(element, { client, params, navigate, announce }) {
    Object.assign(this, { client, navigate, announce });
    this.known = new Map();
    this.stamp = 0;
    this.live = true;
    this.verdict = "";
    this.turned = null;
    this.hint = null;
    this.preview = null;
    this.seats = new Seats(this);
    this.analysis = new Analysis(this);
    this.list = new MoveList(this);
    this.build(element, params.game);
    this.onKey = (event) => this.key(event);
    addEventListener("keydown", this.onKey);
    this.onSight = () => this.sight();
    document.addEventListener("visibilitychange", this.onSight);
    this.readdress(params);
  }

  build(element, game) {
    this.gauge = h("div", { class: "gauge", role: "img", hidden: true });
    this.boardHost = h("div", { class: "board-host" });
    this.board = new BoardView(this.boardHost, (id) => this.point(id));
    this.text = h("pre", { class: "as-text", hidden: true });
    this.beside = h("div", { class: "beside", role: "group", "aria-label": "Beside the board" });
    this.status = h("p", { class: "status", id: "status" });
    this.chooser = h("div", { class: "chooser", role: "group", "aria-label": "Which move?", hidden: true });
    this.buttons = h("div", { class: "row actions", role: "group", "aria-label": "What can be done" });
    this.trouble = h("p", { class: "trouble", role: "alert", hidden: true });
    this.openHands = h("p", { class: "soft open-hands", hidden: true },
      "All hands lie open here, for analysis. To play without seeing the other hand: ", h("code", {}, `gametree play ${game}`), ".");
    this.all = h("details", { class: "all-moves" }, h("summary", {}, "All moves by name"), (this.names = h("div", { class: "row names" })));
    this.modes = ["play", "analyse"].map((mode) => button(capital(mode), () => this.setMode(mode), { class: "button tab", "data-mode": mode }));
    const flip = button("Flip", () => this.flip(), { title: "Turn the board round (f)" });
    this.undoButton = button("Undo", () => this.undo());
    this.hintButton = button("Hint", () => this.askHint());
    this.resignButton = button("Resign", () => this.resign());
    this.playing = h("div", { class: "row tools", role: "group", "aria-label": "While playing" }, this.undoButton, this.hintButton, this.resignButton);
    const tools = h("div", { class: "row tools", role: "group", "aria-label": "The game" },
      button("New game", () => setupDialog(this), { class: "button primary" }), flip,
      button("Import", () => importDialog(this)), button("Share", () => exportDialog(this)));
    this.frame = h("div", { class: "frame" }, this.gauge, this.boardHost, this.text);
    this.stage = h("section", { class: "stage", "aria-label": "Board" },
      this.status, this.frame, this.beside, this.chooser, this.buttons, this.trouble, this.openHands, this.all);
    this.side = h("aside", { class: "side", "aria-label": "Game" },
      h("header", { class: "side-head" }, h("h1", {}, title(game)), h("div", { class: "tabs", role: "group", "aria-label": "Play or analyse" }, this.modes)),
      this.seats.element, this.analysis.element, this.playing, this.list.element, tools);
    element.append(h("div", { class: "table" }, this.stage, this.side));
  }

  // --- where it stands ------------------------------------------------------------------------------------

  /** Obeys an address: a reload, a link, the back button. */
  async readdress(params) {
    const place = placeOf(params);
    const base = { game: params.game, settings: place.settings, position: place.position };
    const same = this.base && JSON.stringify(base) === JSON.stringify(this.base);
    const tree = readTree(params.raw.get("tree"));
    if (!same || params.raw.has("tree") || !this.root) this.root = same && this.root ? merged(this.root, tree) : tree;
    this.base = base;
    this.mode = params.query.get("mode") === "analyse" ? "analyse" : "play";
    let node = this.root;
    for (const move of place.moves) node = node.follow(move);
    this.wanted = { seats: params.query.get("seats"), clock: params.query.get("clock") };
    this.verdict = "";
    this.live = !node.children.length;
    if (!same) this.known.clear();
    document.title = `${title(params.game)} · gametree`;
    await this.go(node, { quiet: true });
  }

  get place() {
    return { ...this.base, moves: this.node.moves };
  }

  get address() {
    const tree = this.root.isRich || this.node.children.length ? writeTree(this.root) : "";
    const more = { mode: this.mode === "analyse" ? "analyse" : "", seats: this.seats.kinds.length ? this.seats.written : "", clock: this.seats.clock.replace("+", "%2B"), tree };
    return addressOf("play", this.place, more);
  }

  /** Something of the tree or the seats is different: the address follows, without a new entry in the history. */
  changed() {
    this.navigate(this.address, { replace: true, quiet: true });
    this.list.show();
  }

  /** A position of this game, asked for once. */
  see(moves) {
    const key = JSON.stringify(moves);
    if (!this.known.has(key)) {
      const asked = this.client.ask({ do: "position", ...this.base, moves }).then(({ position }) => position);
      asked.catch(() => this.known.delete(key));
      this.known.set(key, asked);
    }
    return this.known.get(key);
  }

  /** Goes to a node of the tree. */
  async go(node, { quiet = false, moved = null } = {}) {
    const mine = ++this.stamp;
    this.node = node;
    this.isAway = true;
    this.hint = this.preview = null;
    this.analysis.stop();
    this.seats.ask?.cancel();
    clearTimeout(this.soon);
    if (!quiet && moved === null) this.live = !node.children.length;
    let position;
    try {
      position = await this.see(node.moves);
    } catch (error) {
      if (mine === this.stamp) this.fail(error, node);
      return;
    }
    if (mine !== this.stamp || this.gone) return;
    const before = this.position;
    this.position = position;
    this.isAway = false;
    // All that is hidden lies open on this page: a game with it can be analysed here, and played in a terminal.
    if (position.hides) this.mode = "analyse";
    if (this.wanted) this.settle(position);
    this.trouble.hidden = true;
    this.pointing = new Pointing(position);
    if (moved === null && !quiet && !node.children.length === false) this.seats.stop();
    this.hasDice ||= position.mover === -1;
    if (!quiet) this.navigate(this.address, { quiet: true });
    else if (location.hash.startsWith("#/play/")) this.navigate(this.address, { replace: true, quiet: true });
    this.show(moved !== null);
    if (before !== position) this.tell(position, node.move);
    if (this.mode === "play" && this.live && !this.verdict) this.seats.punch(position.payoffs ? -1 : position.mover, moved);
    this.act();
  }

  settle(position) {
    const { seats, clock } = this.wanted;
    this.wanted = null;
    this.seats.position = position;
    const analysing = this.mode === "analyse" && !seats;
    this.seats.read(analysing ? position.players.map(() => "p").join(",") : seats, clock, position.players.length);
    this.pairs = position.players.length === 2 && position.mover !== -1;
    this.firstIsSecond = this.pairs && Boolean(this.base.position) && (position.mover === 1) !== (this.node.ply % 2 === 1);
  }

  fail(error, node) {
    this.trouble.hidden = false;
    this.trouble.textContent = error.message;
    if (node?.parent && error.kind === "input") {
      // An address may name a move that the rules do not know any more.
      const back = node.remove();
      const message = error.message;
      this.go(back, { quiet: true }).then(() => {
        this.trouble.hidden = false;
        this.trouble.textContent = `${message}. The game goes on from the position before.`;
      });
    } else if (!this.position) {
      this.status.textContent = "This position cannot be shown.";
      this.trouble.append(" ", h("a", { href: addressOf("play", { game: this.base.game }) }, "Begin anew"));
    }
  }

  tell(position, move) {
    const turn = turnWords(position);
    const dice = position.mover === -1 ? "" : turn;
    this.announce([move, dice].filter(Boolean).join(". ") + ".");
  }

  back() {
    if (this.node.parent) this.go(this.node.parent);
  }

  on() {
    if (this.node.children.length) this.go(this.node.children[0]);
  }

  // --- what is seen ---------------------------------------------------------------------------------------

  get isTurned() {
    if (this.turned !== null) return this.turned;
    const { bottom } = this.position.board ?? {};
    const near = this.mode === "play" ? this.seats.viewer : null;
    return bottom !== undefined && near !== null && near !== bottom;
  }

  get free() {
    const { position } = this;
    // Between two positions nothing can be done: what is seen belongs to the one before.
    if (!position || this.isAway || position.payoffs || this.verdict) return false;
    return this.mode === "analyse" || position.mover === -1 || this.seats.isPerson(position.mover);
  }

  /** Whether a click on the board does something: nobody who plays turns the dice over. */
  get points() {
    return this.free && (this.mode === "analyse" || this.position.mover !== -1);
  }

  show(animate = false) {
    const { position } = this;
    for (const tab of this.modes) tab.setAttribute("aria-pressed", String(tab.dataset.mode === this.mode));
    this.modes[0].disabled = position.hides;
    this.openHands.hidden = !position.hides;
    this.side.dataset.mode = this.mode;
    this.seats.element.hidden = this.mode !== "play";
    this.playing.hidden = this.mode !== "play" || Boolean(this.verdict || position.payoffs);
    this.resignButton.hidden = this.seats.engines;
    this.undoButton.disabled = !this.node.parent;
    this.hintButton.disabled = !this.free || position.mover === -1;
    this.analysis.element.hidden = this.mode !== "analyse";
    this.seats.show();
    this.list.show();
    this.paint(animate);
    this.showActions();
  }

  /** The board with everything that is marked on it. */
  paint(animate = false) {
    const shown = this.preview ?? this.position;
    const { board } = shown;
    const ours = shown === this.position;
    const drawable = board && board.kind !== "buttons" && board.kind !== "counters" && board.cells.length > 0;
    this.boardHost.hidden = !drawable;
    this.text.hidden = drawable || (board?.kind === "counters" && board.cells.length > 0);
    this.text.textContent = shown.text;
    this.stage.classList.toggle("preview", !ours);
    this.stage.dataset.ply = this.node.ply;
    const points = this.points && ours;
    const open = points ? this.pointing.open : new Set();
    const clicked = new Set(this.pointing.clicked);
    const can = points ? new Set(this.position.actions.flatMap((action) => action.touches)) : new Set();
    const { arrows, badges } = ours ? this.analysis.marks(this.pointing) : { arrows: [], badges: new Map() };
    if (this.hint && ours) arrows.push(this.hint);
    const marks = { last: board?.last ?? [], selected: clicked, open: clicked.size ? open : new Set(), start: clicked.size ? null : open, arrows, badges };
    this.open = open;
    if (drawable) {
      this.board.show(board, { turned: this.isTurned, marks, players: shown.players, can, animate, label: `${title(this.base.game)}, ${turnWords(shown)}` });
    }
    this.showBeside(board, drawable, { open, clicked, can });
    this.status.replaceChildren(...this.statusParts(shown, ours));
    this.status.dataset.over = String(Boolean(shown.payoffs || this.verdict));
  }

  statusParts(shown, ours) {
    const color = shown.mover !== null && shown.mover >= 0 ? h("span", { class: `swatch of-${playerColor(shown.board, shown.mover)}`, "aria-hidden": "true" }) : null;
    const words = ours && this.verdict ? this.verdict : turnWords(shown);
    const thinking = ours && this.thinking ? h("span", { class: "soft" }, " thinking …") : null;
    return [ours ? null : h("span", { class: "chip" }, "Preview"), color, h("strong", {}, words), thinking].filter(Boolean);
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
          "aria-label": cellWords(cell, this.position.players),
          "aria-disabled": String(!can.has(cell.id)),
          onClick: () => this.point(cell.id),
        }, tilePicture(cell, board), h("span", { class: "tile-name" }, cell.name ?? cell.id)),
      ),
    );
    if (focused) this.beside.querySelector(`[data-tile="${CSS.escape(focused)}"]`)?.focus();
  }

  /** Buttons for what no click on a cell can tell: a pass, a roll, outcomes; and, folded away, for everything. */
  showActions() {
    const { position } = this;
    this.choose(null);
    const focused = this.buttons.contains(document.activeElement) ? document.activeElement.textContent : null;
    this.buttons.replaceChildren();
    this.names.replaceChildren();
    const { actions } = position;
    if (!this.free) {
      this.all.hidden = true;
      return;
    }
    const drawn = !this.boardHost.hidden;
    if (position.mover === -1) {
      const automatic = this.mode === "play" && this.seats.autoRoll;
      this.buttons.append(button(automatic ? "Rolling …" : "Roll the dice", () => this.free && this.roll(), { class: "button primary", disabled: automatic }));
      if (this.mode === "analyse") this.buttons.append(...actions.slice(0, MANY).map((action) => this.named(action)));
    } else {
      const plain = drawn ? actions.filter((action) => !action.touches.length) : actions;
      this.buttons.append(...plain.slice(0, 10 * MANY).map((action) => this.named(action)));
    }
    this.all.hidden = position.mover === -1 || !drawn || actions.length === 0;
    this.fill = () => this.names.replaceChildren(...actions.slice(0, 10 * MANY).map((action) => this.named(action, "small")));
    this.all.ontoggle = () => this.all.open && this.fill();
    if (this.all.open) this.fill();
    if (focused !== null) {
      const all = [...this.buttons.children];
      (all.find((one) => one.textContent === focused) ?? all[0])?.focus();
    }
  }

  named(action, size = "") {
    const odds = action.probability === undefined ? "" : ` ${percent(action.probability)}`;
    const made = button(action.name, () => this.free && this.play(action.name), { class: `button act ${size}`, "data-action": action.name });
    if (odds) made.append(h("span", { class: "soft" }, odds));
    const value = this.analysis.badgeOf(action.name);
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
    const cancel = button("Cancel", () => {
      this.pointing.reset();
      this.choose(null);
      this.paint();
    }, { class: "button quiet" });
    this.chooser.replaceChildren(h("span", {}, more ? "Click on, or choose:" : "Which one?"), ...actions.slice(0, MANY).map((action) => this.named(action)), cancel);
    if (!more) this.chooser.querySelector("button")?.focus({ preventScroll: true });
  }

  // --- what is done ---------------------------------------------------------------------------------------

  point(id) {
    if (!this.points || this.preview) return;
    const { play, choose, more } = this.pointing.point(id);
    this.choose(choose ?? null, more);
    if (play !== undefined) this.play(play);
    else this.paint();
  }

  play(name) {
    const mover = this.position.mover;
    this.live = true;
    this.choose(null);
    return this.go(this.node.follow(name), { moved: mover });
  }

  async roll() {
    const mine = this.stamp;
    const seed = crypto.getRandomValues(new Uint32Array(1))[0];
    try {
      const { move } = await this.client.ask({ do: "move", ...this.place, seed });
      if (mine === this.stamp && move !== null) this.play(move);
    } catch (error) {
      if (mine === this.stamp) this.fail(error);
    }
  }

  /** What happens without a person: engines move, dice roll, the analysis runs. */
  act() {
    clearTimeout(this.soon);
    const { position } = this;
    if (!position || this.gone) return;
    this.thinking = false;
    if (this.mode === "analyse") {
      if (!document.hidden) this.analysis.start(position);
      return;
    }
    if (!this.live || position.payoffs || this.verdict || (this.seats.paused && this.seats.engines)) return;
    if (position.mover === -1) {
      if (this.seats.autoRoll) this.soon = setTimeout(() => this.roll(), calm() ? 0 : ROLL_AFTER);
    } else if (!this.seats.isPerson(position.mover)) {
      this.soon = setTimeout(() => this.reply(), calm() ? 0 : REPLY_AFTER);
    }
  }

  async reply() {
    const mine = this.stamp;
    const seat = this.position.mover;
    this.thinking = true;
    this.paint();
    this.seats.ask = this.client.ask({ do: "move", ...this.place, level: this.seats.level(seat), seed: Math.floor(Math.random() * 1e6), priority: 5 });
    try {
      const { move } = await this.seats.ask;
      if (mine !== this.stamp || this.seats.isPerson(seat) || this.verdict) return;
      this.thinking = false;
      if (move) this.play(move);
    } catch (error) {
      if (mine === this.stamp) this.fail(error);
    }
  }

  undo() {
    this.seats.ask?.cancel();
    let node = this.node;
    let earlier = node.parent;
    this.verdict = "";
    const ask = async () => {
      while (earlier?.parent) {
        const at = await this.see(earlier.moves);
        if (at.mover !== -1 && (this.seats.engines || this.seats.isPerson(at.mover))) break;
        [node, earlier] = [earlier, earlier.parent];
      }
      if (!earlier) return;
      node.remove();
      await this.go(earlier);
    };
    ask();
  }

  async askHint() {
    const mine = this.stamp;
    this.hintButton.disabled = true;
    this.status.append(h("span", { class: "soft" }, " looking for a hint …"));
    try {
      const { analysis } = await this.client.ask({ do: "analyze", ...this.place, limit: { seconds: 1 }, priority: 3 });
      if (mine !== this.stamp || !analysis?.action) return;
      const action = this.position.actions.find(({ name }) => name === analysis.action);
      this.hint = { ...pathOf(action ?? { touches: [] }, this.position.board), rank: 0 };
      this.paint();
      this.status.append(h("span", { class: "chip" }, `Hint: ${analysis.action}`));
      this.announce(`Hint: ${analysis.action}`);
    } catch (error) {
      this.fail(error);
    } finally {
      this.hintButton.disabled = !this.free;
    }
  }

  resign() {
    const seat = this.seats.isPerson(this.position.mover) ? this.position.mover : this.seats.kinds.indexOf("p");
    this.give(`${capital(this.position.players[seat])} ${/s$/.test(this.position.players[seat]) ? "resign" : "resigns"}`);
  }

  /** Ends the game before its rules do. */
  give(verdict) {
    this.stamp += 1;
    this.verdict = verdict;
    this.seats.ask?.cancel();
    this.seats.stop();
    clearTimeout(this.soon);
    this.announce(verdict);
    this.show();
  }

  flip() {
    this.turned = !this.isTurned;
    this.paint();
  }

  setMode(mode) {
    if (mode === this.mode) return;
    this.mode = mode;
    this.stamp += 1;
    this.verdict = "";
    this.seats.stop();
    this.seats.ask?.cancel();
    this.analysis.stop();
    this.live = !this.node.children.length;
    this.navigate(this.address, { replace: true, quiet: true });
    this.show();
    this.act();
  }

  /** A new game, or one that was imported: `root` is its tree. */
  begin(base, root = new Variation(), { seats = this.seats.written, clock = this.seats.clock, at = root } = {}) {
    const anew = JSON.stringify(base) !== JSON.stringify(this.base);
    Object.assign(this, { base, root, verdict: "", turned: anew ? null : this.turned, live: !at.children.length, hasDice: false });
    this.known.clear();
    this.wanted = { seats, clock };
    this.seats.left = [];
    return this.go(at, { moved: -1 });
  }

  /** Shows where a line leads while the pointer is on it. */
  async look(moves) {
    if (!moves) {
      this.preview = null;
      if (this.position) this.paint();
      return;
    }
    const mine = (this.looks = (this.looks ?? 0) + 1);
    const stamp = this.stamp;
    try {
      const shown = await this.see([...this.node.moves, ...moves]);
      if (mine !== this.looks || stamp !== this.stamp) return;
      this.preview = shown;
      this.paint();
    } catch {
      // A line may end where a rule that the search does not know ends the game.
    }
  }

  endLook() {
    this.looks = (this.looks ?? 0) + 1;
    this.look(null);
  }

  key(event) {
    const { target } = event;
    if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName) || document.querySelector("dialog[open]")) return;
    const inGrid = target.closest?.("[role=grid]");
    const keys = { f: () => this.flip() };
    if (!inGrid) Object.assign(keys, { ArrowLeft: () => this.back(), ArrowRight: () => this.on(), Home: () => this.go(this.root), End: () => this.go(this.node.end) });
    if (event.key === "Escape" && this.pointing?.clicked.length) keys.Escape = () => {
      this.pointing.reset();
      this.choose(null);
      this.paint();
    };
    if (!keys[event.key]) return;
    event.preventDefault();
    keys[event.key]();
  }

  /** A tab that nobody sees asks for nothing. */
  sight() {
    if (document.hidden) this.analysis.stop();
    else if (this.mode === "analyse") this.act();
  }

  unmount() {
    this.gone = true;
    this.stamp += 1;
    this.analysis.stop();
    this.seats.ask?.cancel();
    this.seats.stop();
    clearTimeout(this.soon);
    removeEventListener("keydown", this.onKey);
    document.removeEventListener("visibilitychange", this.onSight);
  }
}

const calm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

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

/** The tree on the table with what an address knows besides. */
function merged(root, other) {
  for (const child of other.children) merged(root.follow(child.move), child);
  if (other.comment) root.comment = other.comment;
  return root;
}
