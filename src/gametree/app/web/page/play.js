// What happens on a table while a game is played: engines move, dice roll, hints, moves taken back, games given up.

import { pathOf } from "./clicks.js";
import { button, h } from "./dom.js";
import { capital } from "./words.js";

const ROLL_AFTER = 350;
const REPLY_AFTER = 250;

export const calm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** "White resigns", "the first two resign". */
export const resigns = (name) => `${capital(name)} ${/s$/.test(name) ? "resign" : "resigns"}`;

export class Play {
  constructor(table) {
    this.table = table;
    this.undoButton = button("Undo", () => this.undo());
    this.hintButton = button("Hint", () => this.askHint());
    this.resignButton = button("Resign", () => this.resign());
    this.element = h("div", { class: "row tools", role: "group", "aria-label": "While playing" }, this.undoButton, this.hintButton, this.resignButton);
  }

  show() {
    const { table } = this;
    const { position, seats } = table;
    this.element.hidden = table.mode !== "play" || Boolean(table.verdict || position.payoffs);
    this.resignButton.hidden = seats.engines;
    this.undoButton.disabled = !table.node.parent;
    this.hintButton.disabled = !table.free || position.mover === -1;
  }

  /** What can be done where chance decides. */
  get dice() {
    const { table } = this;
    const automatic = table.mode === "play" && table.seats.autoRoll;
    return button(automatic ? "Rolling …" : "Roll the dice", () => table.free && this.roll(), { class: "button primary", disabled: automatic });
  }

  /** What happens without a person: engines move, dice roll, the analysis runs. */
  act() {
    const { table } = this;
    clearTimeout(this.soon);
    const { position } = table;
    if (!position || table.gone) return;
    table.thinking = false;
    if (table.mode === "analyse") {
      if (!document.hidden) table.analysis.start(position);
      return;
    }
    if (!table.live || position.payoffs || table.verdict || (table.seats.paused && table.seats.engines)) return;
    if (position.mover === -1) {
      if (table.seats.autoRoll) this.soon = setTimeout(() => this.roll(), calm() ? 0 : ROLL_AFTER);
    } else if (!table.seats.isPerson(position.mover)) {
      this.soon = setTimeout(() => this.reply(), calm() ? 0 : REPLY_AFTER);
    }
  }

  async roll() {
    const { table } = this;
    const mine = table.stamp;
    const seed = crypto.getRandomValues(new Uint32Array(1))[0];
    try {
      const { move } = await table.client.ask({ do: "move", ...table.place, seed });
      if (mine === table.stamp && move !== null) table.play(move);
    } catch (error) {
      if (mine === table.stamp) table.fail(error);
    }
  }

  async reply() {
    const { table } = this;
    const mine = table.stamp;
    const seat = table.position.mover;
    table.thinking = true;
    table.paint();
    table.seats.ask = table.client.ask({ ...table.seats.request(seat), ...table.place, seed: Math.floor(Math.random() * 1e6), priority: 5 });
    try {
      const { move, analysis } = await table.seats.ask;
      if (mine !== table.stamp || table.seats.isPerson(seat) || table.verdict) return;
      table.thinking = false;
      if (move ?? analysis?.action) table.play(move ?? analysis.action);
    } catch (error) {
      if (mine === table.stamp) table.fail(error);
    }
  }

  undo() {
    const { table } = this;
    table.seats.ask?.cancel();
    let node = table.node;
    let earlier = node.parent;
    table.verdict = "";
    const ask = async () => {
      while (earlier?.parent) {
        const at = await table.see(earlier.moves);
        if (at.mover !== -1 && (table.seats.engines || table.seats.isPerson(at.mover))) break;
        [node, earlier] = [earlier, earlier.parent];
      }
      if (!earlier) return;
      node.remove();
      await table.go(earlier);
    };
    ask();
  }

  async askHint() {
    const { table } = this;
    const mine = table.stamp;
    this.hintButton.disabled = true;
    table.stage.status.append(h("span", { class: "soft" }, " looking for a hint …"));
    try {
      const { analysis } = await table.client.ask({ do: "analyze", ...table.place, limit: { seconds: 1 }, priority: 3 });
      if (mine !== table.stamp || !analysis?.action) return;
      const action = table.position.actions.find(({ name }) => name === analysis.action);
      table.hint = { ...pathOf(action ?? { touches: [] }, table.position.board), rank: 0 };
      table.paint();
      table.stage.status.append(h("span", { class: "chip" }, `Hint: ${analysis.action}`));
      table.announce(`Hint: ${analysis.action}`);
    } catch (error) {
      table.fail(error);
    } finally {
      this.hintButton.disabled = !table.free;
    }
  }

  resign() {
    const { table } = this;
    const seat = table.seats.isPerson(table.position.mover) ? table.position.mover : table.seats.kinds.indexOf("p");
    this.give(resigns(table.position.players[seat]));
  }

  /** Nobody thinks, no dice roll. */
  stop() {
    this.table.seats.ask?.cancel();
    clearTimeout(this.soon);
  }

  /** Ends the game before its rules do. */
  give(verdict) {
    const { table } = this;
    table.stamp += 1;
    table.verdict = verdict;
    this.stop();
    table.seats.stop();
    table.announce(verdict);
    table.show();
  }
}
