// Who sits where: people at this screen, engines at a level, or searches by name, with clocks if wanted.

import { button, h, select } from "./dom.js";
import { playerColor } from "./pieces.js";
import { capital } from "./words.js";

const LEVELS = [["p", "Person"], ...Array.from({ length: 10 }, (_, at) => [String(at + 1), `Engine, level ${at + 1}`])];
const SEARCHES = [["analyze:seconds=1", "Search, 1 s a move"], ["mcts:seconds=1", "Monte-Carlo, 1 s"]];
const BY_NAME = /^([a-z]{2,}(?:-[a-z]+)*)(?::(seconds|depth|nodes|simulations)=(\d+(?:\.\d+)?))?$/;
const CLOCKS = [["", "No clock"], ["60+0", "1 minute"], ["180+2", "3 minutes + 2 s a move"], ["300+3", "5 minutes + 3 s a move"], ["900+10", "15 minutes + 10 s a move"]];
const TICK = 100;

export class Seats {
  /** `byName`: whether a seat may be that of a search, as "mcts:simulations=800" or "alphabeta:depth=4". */
  constructor(table, byName = false) {
    this.table = table;
    this.byName = byName;
    this.kinds = [];
    this.autoRoll = true;
    this.paused = false;
    this.clock = "";
    this.left = [];
    this.rows = h("ol", { class: "seats" });
    this.clocks = [];
    this.element = h("section", { class: "panel", "aria-label": "Players" }, this.rows, (this.options = h("div", { class: "row options" })));
  }

  /** From an address: "p,5" or "p,mcts:seconds=1", and "180+2". */
  read(kinds, clock, count) {
    const may = (kind) => kind === "p" || (Number(kind) >= 1 && Number(kind) <= 10) || (this.byName && BY_NAME.test(kind));
    const given = kinds ? kinds.split(",").map((kind) => (may(kind) ? kind : "4")) : [];
    this.kinds = Array.from({ length: count }, (_, seat) => given[seat] ?? (seat === 0 || given.length ? "p" : "4"));
    if (clock !== this.clock || !this.left.length) this.setClock(clock ?? "");
  }

  get written() {
    return this.kinds.join(",");
  }

  get engines() {
    return this.kinds.every((kind) => kind !== "p");
  }

  isPerson(seat) {
    return this.kinds[seat] === "p";
  }

  level(seat) {
    return Number(this.kinds[seat]);
  }

  /** What is asked of an engine for its move: a level, or a search by its name. */
  request(seat) {
    const [, name, limit, amount] = BY_NAME.exec(this.kinds[seat]) ?? [];
    if (!name) return { do: "move", level: this.level(seat) };
    const method = name === "analyze" ? "auto" : name;
    return { do: "analyze", method, limit: limit ? { [limit === "simulations" ? "nodes" : limit]: Number(amount) } : { seconds: 1 } };
  }

  /** Who may sit there; a name that the address brought along is one of them. */
  choices(seat) {
    const all = this.byName ? [...LEVELS, ...SEARCHES] : LEVELS;
    const kind = this.kinds[seat];
    return all.some(([one]) => one === kind) ? all : [...all, [kind, kind]];
  }

  /** The seat from which the board is looked at: the only person's, else the first one's. */
  get viewer() {
    const people = this.kinds.flatMap((kind, seat) => (kind === "p" ? [seat] : []));
    return people.length === 1 ? people[0] : null;
  }

  setClock(text) {
    this.clock = /^\d+\+\d+$/.test(text) ? text : "";
    const [seconds] = this.clock.split("+").map(Number);
    this.left = this.clock ? this.kinds.map(() => seconds * 1000) : [];
    this.turn = null;
    this.show();
  }

  show() {
    const { table } = this;
    const { position } = table;
    if (!position) return;
    const focused = document.activeElement?.getAttribute("aria-label");
    this.clocks = [];
    this.rows.replaceChildren(
      ...position.players.map((name, seat) => {
        const kind = select(`${capital(name)} is`, this.choices(seat), this.kinds[seat], (value) => this.change(seat, value));
        const time = this.clock ? h("span", { class: "clock", role: "timer" }) : null;
        this.clocks.push(time);
        const turn = position.mover === seat && !table.verdict;
        return h("li", { class: turn ? "seat turn" : "seat" },
          h("span", { class: `swatch of-${playerColor(position.board, seat)}`, "aria-hidden": "true" }),
          h("span", { class: "who" }, capital(name), turn ? h("span", { class: "hidden-text" }, ", to move") : null),
          time, kind);
      }),
    );
    this.options.replaceChildren(select("Clock", CLOCKS, this.clock, (value) => {
      this.setClock(value);
      table.changed();
    }));
    if (table.hasDice) {
      this.options.append(h("label", { class: "check" }, h("input", { type: "checkbox", checked: this.autoRoll, onChange: (event) => {
        this.autoRoll = event.target.checked;
        table.act();
      } }), "Dice roll by themselves"));
    }
    if (this.engines) {
      this.options.append(button(this.paused ? "Go on" : "Pause", () => {
        this.paused = !this.paused;
        this.show();
        table.act();
      }));
    }
    this.tick();
    if (focused) this.element.querySelector(`[aria-label="${CSS.escape(focused)}"]`)?.focus();
  }

  change(seat, value) {
    this.kinds[seat] = value;
    this.show();
    this.table.changed();
    this.table.live = true;
    this.table.act();
  }

  // --- clocks -------------------------------------------------------------------------------------------

  /** A position is reached by a move: the clock of who moved stops, that of who moves runs. */
  punch(mover, moved) {
    this.tick();
    if (this.clock && moved !== null && moved >= 0 && this.turn === moved) this.left[moved] += Number(this.clock.split("+")[1]) * 1000;
    this.turn = mover >= 0 ? mover : null;
    this.since = performance.now();
    clearInterval(this.timer);
    if (this.clock && this.turn !== null) this.timer = setInterval(() => this.tick(), TICK);
    this.tick();
  }

  stop() {
    this.tick();
    this.turn = null;
    clearInterval(this.timer);
  }

  tick() {
    if (!this.clock) return;
    const now = performance.now();
    if (this.turn !== null) {
      this.left[this.turn] -= now - this.since;
      this.since = now;
      if (this.left[this.turn] <= 0) {
        const seat = this.turn;
        this.left[seat] = 0;
        this.turn = null;
        clearInterval(this.timer);
        this.table.give(`${capital(this.table.position.players[seat])} ran out of time`);
      }
    }
    this.clocks.forEach((clock, seat) => clock && (clock.textContent = written(this.left[seat])));
  }
}

function written(milliseconds) {
  const seconds = Math.ceil(milliseconds / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
