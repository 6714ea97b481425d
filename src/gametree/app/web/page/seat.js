// A seat in a game whose players do not see everything. A referee at the server keeps the game; this page is told what one
// seat may see, and asks before it shows the hand of another person at the same screen.

import { addressOf, placeOf } from "./address.js";
import { button, h } from "./dom.js";
import { calm, resigns } from "./play.js";
import { Seats } from "./seats.js";
import { Stage } from "./stage.js";
import { title } from "./start.js";
import { capital, percent, turnWords } from "./words.js";

export function mount(element, context) {
  return new Seat(element, context);
}

class Seat {
  constructor(element, { client, params, navigate, announce, complain }) {
    Object.assign(this, { client, navigate, announce, complain });
    this.stamp = 0;
    this.preview = null;
    this.seats = new Seats(this);
    this.stage = new Stage(this);
    this.hintButton = button("Hint", () => this.askHint());
    this.resignButton = button("Resign", () => this.resign());
    this.openButton = button("Open all hands", () => this.openHands());
    this.said = h("p", { class: "soft", role: "status" });
    this.analyse = button("Analyse", () => this.openHands(), { class: "button tab", "aria-pressed": "false" });
    const tabs = h("div", { class: "tabs", role: "group", "aria-label": "Play or analyse" }, button("Play", () => {}, { class: "button tab", "aria-pressed": "true" }), this.analyse);
    const side = h("aside", { class: "side", "aria-label": "Game", "data-mode": "play" },
      h("header", { class: "side-head" }, h("h1", {}, title(params.game)), tabs),
      this.seats.element,
      h("div", { class: "row tools", role: "group", "aria-label": "While playing" }, this.hintButton, this.resignButton, this.openButton),
      this.said,
      h("div", { class: "row tools", role: "group", "aria-label": "The game" },
        button("New game", () => this.stage.open("setupDialog"), { class: "button primary" }), button("Flip", () => this.flip(), { title: "Turn the board round (f)" })));
    element.append(h("div", { class: "table" }, this.stage.element, side));
    this.onKey = (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName) || document.querySelector("dialog[open]")) return;
      if (event.key === "f") this.flip();
      if (event.key === "Escape" && this.stage.pointing?.clicked.length) this.stage.reset();
    };
    addEventListener("keydown", this.onKey);
    this.readdress(params);
  }

  // --- the game at the referee's ------------------------------------------------------------------------

  async readdress(params) {
    const { game, settings, position } = placeOf(params);
    this.base = { game, ...(settings && { settings }), ...(position && { position }) };
    document.title = `${title(game)} · gametree`;
    await this.guarded(async () => {
      // Before the first move nothing is hidden.
      const { position: start } = await this.client.ask({ do: "position", ...this.base });
      this.start = this.position = start;
      this.stage.take(start);
      this.seats.read(params.query.get("seats"), params.query.get("clock"), start.players.length);
      await (this.restored() ? this.hand() : this.open());
    });
  }

  /** Runs what asks the server; what goes wrong is said where the board is. */
  async guarded(run) {
    const mine = ++this.stamp;
    try {
      await run(() => mine === this.stamp && !this.gone);
    } catch (error) {
      if (mine === this.stamp && !this.gone) this.lost(error);
    }
  }

  lost(error) {
    this.thinking = this.isAway = false;
    if (!this.position) {
      this.complain(error.message, `${title(this.base.game)} cannot be shown`);
      return;
    }
    this.show();
    this.stage.fail(error.message);
    if (/no game has this key|was closed/.test(error.message)) this.stage.trouble.append(" ", button("Begin anew", () => this.anew(), { class: "button small" }));
  }

  get address() {
    return addressOf("seat", { ...this.base, moves: [] }, { seats: this.seats.written, clock: this.seats.clock.replace("+", "%2B") });
  }

  /** The keys stay in this tab: an address that is copied gives no hand away. */
  get shelf() {
    return `seat ${this.address}`;
  }

  restored() {
    try {
      Object.assign(this, { keys: null, ...JSON.parse(sessionStorage.getItem(this.shelf) ?? "{}") });
    } catch {
      this.keys = null;
    }
    this.sat = this.seats.written;
    return Boolean(this.keys);
  }

  keep() {
    try {
      if (this.keys && this.mover !== null) sessionStorage.setItem(this.shelf, JSON.stringify({ keys: this.keys, mover: this.mover, turns: this.turns }));
      else sessionStorage.removeItem(this.shelf);
    } catch {
      // Then a reload begins anew.
    }
  }

  async open() {
    if (this.seats.engines) {
      this.navigate(addressOf("play", { ...this.base, moves: [] }, { seats: this.seats.written }), { replace: true });
      return;
    }
    const { opened } = await this.client.ask({ do: "open", ...this.base, seats: this.seats.kinds.map((kind) => (kind === "p" ? 0 : Number(kind))) });
    Object.assign(this, { keys: opened.keys, mover: opened.mover, turns: 0, sat: this.seats.written, verdict: "", turned: null, looking: null });
    this.navigate(this.address, { replace: true, quiet: true });
    this.said.textContent = "";
    this.keep();
    await this.hand();
  }

  /** Gives up what is played, and begins another game. */
  anew() {
    return this.guarded(async () => {
      await this.close().catch(() => {});
      this.position = this.start;
      await this.open();
    });
  }

  /** Ends the game at the referee's; its record. */
  async close() {
    const key = this.keys?.find(Boolean);
    this.keys = null;
    this.keep();
    return key ? (await this.client.ask({ do: "close", key })).record : null;
  }

  /** A new game, as the dialog wants it. */
  begin(base) {
    Object.assign(this, { base });
    return this.guarded(async () => {
      await this.close().catch(() => {});
      const { position } = await this.client.ask({ do: "position", ...base });
      if (!position.hides) {
        this.navigate(addressOf("play", { ...base, moves: [] }));
        return;
      }
      this.start = this.position = position;
      this.seats.read(this.seats.written, this.seats.clock, position.players.length);
      await this.open();
    });
  }

  // --- whose screen it is -------------------------------------------------------------------------------

  get people() {
    return (this.keys ?? []).flatMap((key, seat) => (key ? [seat] : []));
  }

  /** Shows the one person's hand; among several it is covered until somebody says to be there. */
  async hand() {
    const { people } = this;
    if (people.length === 1) await this.look(people[0]);
    else this.cover(people.includes(this.mover) ? this.mover : people[0]);
  }

  cover(seat) {
    this.looking = null;
    this.thinking = this.isAway = false;
    const name = this.start.players[seat];
    this.covered = `Pass the screen to ${name}`;
    this.position = { ...this.start, mover: seat, board: null, actions: [], text: `${capital(name)} looks now, and nobody else.`, notation: null };
    this.stage.take(this.position);
    this.show([button(`${capital(name)} looks now`, () => this.guarded(() => this.look(seat)), { class: "button primary" })]);
    this.announce(`${this.covered}.`);
  }

  /** Asks for what a seat sees, again and again until the others have played. */
  async look(seat, request = { do: "seat" }) {
    const mine = this.stamp;
    this.looking = seat;
    this.isAway = request.do === "act";
    this.thinking = this.isAway && this.people.length === 1;
    const hear = (found) => {
      if (mine !== this.stamp || this.gone || !found) return false;
      this.take(found);
      return true;
    };
    const asked = this.client.ask({ ...request, key: this.keys[seat] }, ({ seat: found }) => hear(found));
    const { seat: found } = await asked;
    this.thinking = false;
    if (!hear(found)) return;
    this.seats.punch(found.payoffs ? -1 : found.mover, request.do === "act" ? seat : null);
    if (found.payoffs) this.seats.stop();
  }

  take(found) {
    const before = this.position;
    this.covered = "";
    this.isAway = false;
    this.position = found;
    this.mover = found.mover;
    this.turns = (this.turns ?? 0) + 1;
    this.keep();
    this.stage.take(found);
    this.show();
    if (before.text !== found.text || before.mover !== found.mover) this.announce(`${turnWords(found)}.`);
  }

  // --- what is seen -------------------------------------------------------------------------------------

  get isTurned() {
    const { bottom } = this.position.board ?? {};
    return this.turned ?? (bottom !== undefined && this.looking !== null && this.looking !== bottom);
  }

  get free() {
    // Between two positions nothing can be done: what is seen belongs to the one before.
    return Boolean(this.keys) && !this.isAway && !this.thinking && !this.verdict && this.position.actions.length > 0 && this.position.seat !== undefined;
  }

  get points() {
    return this.free;
  }

  show(buttons = this.handing()) {
    const over = Boolean(this.position.payoffs || this.verdict);
    this.hintButton.hidden = this.resignButton.hidden = over;
    this.hintButton.disabled = !this.free;
    this.openButton.hidden = !over;
    this.analyse.disabled = !over;
    this.analyse.title = over ? "" : "When the game is over";
    this.seats.show();
    this.paint(!calm());
    this.stage.showActions(buttons);
  }

  /** The way to the next person, where it is somebody else's turn. */
  handing() {
    const { position, mover } = this;
    const other = !position.payoffs && !this.verdict && mover !== this.looking && this.people.includes(mover);
    return other ? [button(`Hand over to ${position.players[mover]}`, () => this.cover(mover), { class: "button primary" })] : null;
  }

  paint(animate = false) {
    this.stage.paint({ shown: this.position, animate, ply: this.turns ?? 0 });
  }

  flip() {
    this.turned = !this.isTurned;
    this.paint();
  }

  // --- what is done -------------------------------------------------------------------------------------

  play(move) {
    this.stage.choose(null);
    this.said.textContent = "";
    return this.guarded(() => this.look(this.looking, { do: "act", move }));
  }

  askHint() {
    return this.guarded(async (isMine) => {
      this.hintButton.disabled = true;
      this.said.textContent = "Looking for a hint …";
      const { analysis } = await this.client.ask({ do: "hint", key: this.keys[this.looking] });
      if (!isMine()) return;
      this.hintButton.disabled = !this.free;
      const mixed = (analysis.strategy ?? []).filter(({ probability }) => probability > 0).map(({ action, probability }) => `${action} ${percent(probability)}`);
      this.said.textContent = `Hint: ${mixed.length > 1 ? mixed.join(", ") : analysis.action}`;
    });
  }

  resign() {
    const seat = this.people.includes(this.mover) ? this.mover : this.people[0];
    return this.give(resigns(this.start.players[seat]));
  }

  /** Ends the game before its rules do. */
  give(verdict) {
    return this.guarded(async () => {
      this.verdict = verdict;
      this.seats.stop();
      this.record = await this.close();
      this.announce(verdict);
      this.show();
    });
  }

  /** What was hidden, once nobody plays any more: the whole game, to be analysed. */
  openHands() {
    return this.guarded(async () => {
      const record = this.record ?? (await this.close());
      this.record = null;
      this.navigate(addressOf("play", { ...this.base, moves: record?.moves ?? [] }, { mode: "analyse" }));
    });
  }

  /** Somebody else sits down. */
  changed() {
    if (!this.keys || this.seats.written !== this.sat) {
      this.anew();
      return;
    }
    this.navigate(this.address, { replace: true, quiet: true });
    this.keep();
  }

  act() {
    // The referee has engines and chance play.
  }

  unmount() {
    this.gone = true;
    this.stamp += 1;
    this.seats.stop();
    removeEventListener("keydown", this.onKey);
  }
}
