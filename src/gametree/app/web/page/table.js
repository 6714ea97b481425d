// A game on the table: one tree of moves that is played on, analysed, walked through and shared. The address always says
// where it stands.

import { addressOf, placeOf } from "./address.js";
import { Analysis } from "./analysis.js";
import { button, h } from "./dom.js";
import { MoveList } from "./moves.js";
import { Play } from "./play.js";
import { Seats } from "./seats.js";
import { Stage } from "./stage.js";
import { title } from "./start.js";
import { Variation, readTree, writeTree } from "./variations.js";
import { capital, turnWords } from "./words.js";

const MANY = 60;

export function mount(element, context) {
  return new Table(element, context);
}

class Table {
  constructor(element, { client, params, navigate, announce, complain }) {
    Object.assign(this, { client, navigate, announce, complain });
    this.known = new Map();
    this.stamp = 0;
    this.live = true;
    this.verdict = "";
    this.turned = null;
    this.hint = null;
    this.preview = null;
    this.seats = new Seats(this, true);
    this.analysis = new Analysis(this);
    this.list = new MoveList(this);
    this.playing = new Play(this);
    this.build(element, params.game);
    this.onKey = (event) => this.key(event);
    addEventListener("keydown", this.onKey);
    this.onSight = () => this.sight();
    document.addEventListener("visibilitychange", this.onSight);
    this.readdress(params);
  }

  build(element, game) {
    this.openHands = h("p", { class: "soft open-hands", hidden: true }, "All hands lie open here, for analysis. ",
      h("a", { href: addressOf("seat", { game }) }, "Play without seeing the other hands"), ".");
    this.stage = new Stage(this, this.openHands);
    this.gauge = this.stage.gauge;
    this.modes = ["play", "analyse"].map((mode) => button(capital(mode), () => this.setMode(mode), { class: "button tab", "data-mode": mode }));
    const tools = h("div", { class: "row tools", role: "group", "aria-label": "The game" },
      button("New game", () => this.stage.open("setupDialog"), { class: "button primary" }),
      button("Flip", () => this.flip(), { title: "Turn the board round (f)" }),
      button("Import", () => this.stage.open("importDialog")), button("Share", () => this.stage.open("exportDialog")));
    this.side = h("aside", { class: "side", "aria-label": "Game" },
      h("header", { class: "side-head" }, h("h1", {}, title(game)), h("div", { class: "tabs", role: "group", "aria-label": "Play or analyse" }, this.modes)),
      this.seats.element, this.analysis.element, this.playing.element, this.list.element, tools);
    element.append(h("div", { class: "table" }, this.stage.element, this.side));
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
    this.playing.stop();
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
    if (this.wanted) this.settle(position);
    // Here everything lies open, as it may while engines play; people who play are shown what their seat sees.
    if (position.hides && this.mode === "play" && !this.seats.engines) {
      if (!node.parent) {
        this.navigate(this.seatAddress, { replace: true });
        return;
      }
      this.mode = "analyse";
    }
    this.stage.take(position);
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

  /** Where the same game is played without seeing the other hands. */
  get seatAddress() {
    return addressOf("seat", { ...this.base, moves: [] }, { seats: this.seats.written, clock: this.seats.clock.replace("+", "%2B") });
  }

  fail(error, node) {
    this.stage.fail(error.message);
    if (node?.parent && error.kind === "input") {
      // An address may name a move that the rules do not know any more.
      const back = node.remove();
      const message = error.message;
      this.go(back, { quiet: true }).then(() => {
        this.stage.fail(`${message}. The game goes on from the position before.`);
      });
    } else if (!this.position) {
      this.complain(error.message, `${title(this.base.game)} cannot be shown`);
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
    this.openHands.hidden = !position.hides;
    this.side.dataset.mode = this.mode;
    this.seats.element.hidden = this.mode !== "play";
    this.analysis.element.hidden = this.mode !== "analyse";
    this.playing.show();
    this.seats.show();
    this.list.show();
    this.paint(animate);
    const { mover, actions } = position;
    if (mover !== -1 || !this.free) this.stage.showActions();
    else this.stage.showActions([this.playing.dice, ...(this.mode === "analyse" ? actions.slice(0, MANY).map((action) => this.stage.named(action)) : [])]);
  }

  paint(animate = false) {
    const shown = this.preview ?? this.position;
    const marks = shown === this.position ? this.analysis.marks(this.stage.pointing) : undefined;
    if (this.hint && marks) marks.arrows.push(this.hint);
    this.stage.paint({ shown, animate, ply: this.node.ply, marks });
  }

  badgeOf(name) {
    return this.analysis.badgeOf(name);
  }

  // --- what is done ---------------------------------------------------------------------------------------

  play(name) {
    const mover = this.position.mover;
    this.live = true;
    this.stage.choose(null);
    return this.go(this.node.follow(name), { moved: mover });
  }

  act() {
    this.playing.act();
  }

  give(verdict) {
    this.playing.give(verdict);
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
    this.playing.stop();
    this.analysis.stop();
    if (mode === "play" && this.position?.hides) {
      this.navigate(addressOf("seat", { ...this.base, moves: [] }));
      return;
    }
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
    if (this.stage.pointing?.clicked.length) keys.Escape = () => this.stage.reset();
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
    this.playing.stop();
    this.seats.stop();
    removeEventListener("keydown", this.onKey);
    document.removeEventListener("visibilitychange", this.onSight);
  }
}

/** The tree on the table with what an address knows besides. */
function merged(root, other) {
  for (const child of other.children) merged(root.follow(child.move), child);
  if (other.comment) root.comment = other.comment;
  return root;
}
