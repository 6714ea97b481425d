// What a search says about the position that is shown, while it searches: gauge, lines, the value of every move.

import { pathOf } from "./clicks.js";
import { button, h, select } from "./dom.js";
import { numberOf } from "./moves.js";
import { playerColor } from "./pieces.js";
import { capital, grouped, percent, rough, signed, valueSign, valueWords } from "./words.js";

const AT_ONCE = 8;
const DEEPER = 4;
const FEW = 14;
const MOST_LINES = 50;
const AFTER = 60;

const stored = (key, value) => {
  try {
    return localStorage.getItem(`analysis.${key}`) ?? value;
  } catch {
    return value;
  }
};

export class Analysis {
  constructor(table) {
    this.table = table;
    this.found = null;
    this.turnNumber = 0;
    this.wants = { lines: Number(stored("lines", 3)), values: stored("values", "shown"), method: "auto", by: "seconds", amount: "", evaluation: "", options: {} };
    this.running = true;
    this.value = h("strong", { class: "headline" });
    this.progress = h("span", { class: "soft progress" });
    this.why = h("p", { class: "soft why" });
    this.lines = h("ol", { class: "lines", "aria-label": "Best lines" });
    this.vector = h("p", { class: "vector", hidden: true });
    this.notice = h("p", { class: "notice", role: "status", hidden: true });
    this.toggle = h("input", { type: "checkbox", role: "switch", checked: true, onChange: () => this.turn(this.toggle.checked) });
    this.deeper = button("Go deeper", () => this.goDeeper(), { class: "button small" });
    this.settings = h("details", { class: "settings" }, h("summary", {}, "Search"), (this.form = h("div", { class: "form" })));
    this.element = h("section", { class: "panel analysis", "aria-label": "Analysis" },
      h("div", { class: "row head" }, h("label", { class: "switch" }, this.toggle, h("span", { class: "hidden-text" }, "Analyse")), this.value, this.deeper, this.progress),
      this.vector, this.lines, this.notice, this.why, this.settings);
  }

  keep(key, value) {
    this.wants[key] = value;
    try {
      localStorage.setItem(`analysis.${key}`, value);
    } catch {
      // It is not remembered, then.
    }
  }

  // --- asking -------------------------------------------------------------------------------------------

  /** Searches the position that is shown; what was said about another one is forgotten. */
  start(position, more = {}) {
    this.stop();
    this.position = position;
    if (!this.running || position.payoffs) {
      this.show();
      return;
    }
    this.plain = false;
    this.limit = more.limit ?? this.limitFor(1);
    this.soon = setTimeout(() => this.send(), AFTER);
    this.show();
  }

  limitFor(times) {
    const { by, amount } = this.wants;
    const given = Number(amount);
    if (by !== "seconds" && given >= 1) return { [by]: Math.round(given * times) };
    return { seconds: (by === "seconds" && given > 0 ? given : AT_ONCE) * times };
  }

  async send() {
    const mine = ++this.turnNumber;
    const { wants, table, position } = this;
    await this.showForm();
    if (mine !== this.turnNumber) return;
    const request = { do: "analyze", ...table.place, limit: this.limit, report_every: 0.1, priority: 1 };
    if (wants.method !== "auto") request.method = wants.method;
    if (wants.evaluation) request.evaluation = wants.evaluation;
    if (Object.keys(wants.options).length) request.options = wants.options;
    if (!this.plain) Object.assign(request, this.breadth(position));
    const hear = ({ analysis, chances }) => {
      if (mine !== this.turnNumber || !analysis) return;
      this.found = { ...analysis, lines: completed(analysis, this.found), chances: chances?.players ?? this.found?.chances, shares: shared(analysis, chances, this.found) };
      this.show();
    };
    this.busy = true;
    this.job = table.client.ask(request, hear);
    this.show();
    this.job.then(
      (answer) => {
        if (mine !== this.turnNumber) return;
        this.busy = false;
        hear(answer);
        this.show();
        this.sayIt();
      },
      (error) => {
        if (mine !== this.turnNumber) return;
        // Not every search gives lines, or a value for each move: then the value of the position has to do.
        if (error.kind === "input" && !this.plain && (request.lines || request.values)) {
          if (request.lines && request.values) this.plain = true;
          else if (request.lines) this.oneLine = true;
          else this.plain = true;
          this.send();
          return;
        }
        this.busy = false;
        this.say(error.message);
        this.show();
      },
    );
  }

  /** How many lines are asked for, and whether each move gets a value. */
  breadth(position) {
    const { lines, values, method } = this.wants;
    const few = position.actions.length;
    const everything = values !== "hidden" && (values !== "shown" || few <= FEW || this.isChosen);
    if (position.mover === -1) return {};
    // Who has no evaluation is searched by playing on, which gives a value to each move, but one line.
    const single = this.oneLine || !this.evaluations.length || method !== "auto" || position.players.length > 2 || this.table.hasDice;
    if (single) return everything || lines > 1 ? { values: true } : {};
    if (everything && few <= MOST_LINES) return few > 1 ? { lines: few } : { values: true };
    return everything ? { values: true } : lines > 1 ? { lines: Math.min(lines, Math.max(1, few)) } : {};
  }

  stop() {
    clearTimeout(this.soon);
    this.turnNumber += 1;
    this.job?.cancel();
    this.job = null;
    this.busy = false;
    this.found = null;
    this.say("");
  }

  goDeeper() {
    this.table.announce("Going deeper");
    const { limit } = this;
    const [[by, amount]] = Object.entries(limit).length ? Object.entries(limit) : [["seconds", AT_ONCE]];
    this.start(this.position, { limit: { [by]: by === "depth" ? amount + 2 : amount * DEEPER } });
  }

  turn(on) {
    this.running = on;
    this.restart();
  }

  restart() {
    this.start(this.table.position);
    this.table.paint();
  }

  say(text) {
    this.notice.hidden = !text;
    this.notice.textContent = text;
  }

  sayIt() {
    const { found, position } = this;
    if (found?.action) this.table.announce(`Best: ${found.action}, ${valueWords(found.value, found.exact, position)}`);
  }

  // --- showing ------------------------------------------------------------------------------------------

  show() {
    const { found, position, table } = this;
    if (!position) return;
    this.toggle.checked = this.running;
    const over = Boolean(position.payoffs);
    const mover = position.players[Math.max(0, position.mover ?? 0)];
    if (over) this.value.textContent = "The game is over";
    else if (!this.running) this.value.textContent = "Analysis is off";
    else if (!found?.value) this.value.textContent = "…";
    else this.value.replaceChildren(valueWords(found.value, found.exact, position), h("span", { class: "for" }, ` for ${mover}`));
    this.progress.textContent = found && !over ? progressWords(found) : this.busy ? "searching …" : "";
    this.deeper.hidden = !this.running || over || this.busy || !found || found.exact || found.value?.outcome || found.stopped_by === "end";
    this.why.textContent = found ? whyWords(found) : "";
    this.showLines();
    this.showVector();
    this.showGauge();
    if (table.mode === "analyse" && table.position === position && !table.preview) {
      table.paint();
      table.showValues?.();
    }
  }

  /** The lines: those of the search, else the best moves with their values. */
  get listed() {
    const { found, wants } = this;
    if (!found || !found.value) return [];
    const main = { action: found.action, value: found.value, exact: found.exact, line: found.line };
    const known = found.lines.length ? found.lines : [];
    const others = ranked(found).filter(({ action }) => !known.some((one) => one.action === action));
    const all = known.length ? [...known, ...others] : [main, ...others.filter(({ action }) => action !== main.action)];
    return all.filter(({ action }) => action !== null).slice(0, wants.lines);
  }

  showLines() {
    const { table, position } = this;
    const focused = this.lines.contains(document.activeElement) ? document.activeElement.dataset.at : null;
    this.lines.hidden = this.wants.lines === 0 || position.mover === -1;
    this.lines.replaceChildren(
      ...this.listed.map((one, rank) => {
        const line = one.line?.length ? one.line : [one.action];
        const before = { ply: table.node.ply };
        const moves = line.slice(0, 16).map((name, at) => {
          const upTo = line.slice(0, at + 1);
          const text = numberOf({ ply: before.ply + at + 1 }, table, at === 0);
          const look = () => table.look(upTo);
          return [
            text ? h("span", { class: "number" }, text) : null,
            button(name, () => this.follow(upTo), { class: "move", "data-at": `${rank}.${at}`, onMouseenter: look, onFocus: look, onMouseleave: () => table.endLook(), onBlur: () => table.endLook(), tabIndex: at === 0 ? 0 : -1, "aria-label": `Go to ${upTo.join(" ")}` }),
          ];
        });
        const score = h("span", { class: `score ${this.toneOf(one)}` }, valueWords(one.value, one.exact, position));
        return h("li", {}, score, h("span", { class: "line" }, moves.flat()));
      }),
    );
    if (focused) this.lines.querySelector(`[data-at="${focused}"]`)?.focus();
  }

  /** Goes to where a line leads; all its moves become a variation. */
  async follow(moves) {
    const { table } = this;
    table.endLook();
    let node = table.node;
    for (const move of moves) node = node.follow(move);
    await table.go(node);
  }

  showVector() {
    const { found, position } = this;
    const several = position.players.length > 2 && found?.values.length === position.players.length;
    this.vector.hidden = !several;
    if (!several) return;
    this.vector.replaceChildren(...position.players.map((name, seat) => h("span", { class: "chip" }, h("span", { class: `swatch of-${playerColor(position.board, seat)}`, "aria-hidden": "true" }), `${name} ${signed(found.values[seat])}`)));
  }

  showGauge() {
    const { found, position, table } = this;
    const { gauge } = table;
    const parts = this.running && table.mode === "analyse" ? (position.payoffs ? ended(position) : found?.chances) : null;
    const wanted = table.mode === "analyse" && this.running && position.players.length > 1;
    gauge.hidden = !wanted;
    if (!wanted) return;
    const even = position.players.map(() => 1 / position.players.length);
    const shown = parts?.length === even.length ? parts : even;
    while (gauge.children.length > shown.length) gauge.lastChild.remove();
    while (gauge.children.length < shown.length) gauge.append(h("span", { class: "part" }));
    const order = table.isTurned ? shown.map((_, at) => at) : shown.map((_, at) => shown.length - 1 - at);
    order.forEach((seat, at) => {
      const part = gauge.children[at];
      part.className = `part of-${playerColor(position.board, seat)}`;
      part.style.flexGrow = String(Math.max(0.0001, shown[seat]));
      part.title = `${capital(position.players[seat])} ${percent(shown[seat])}`;
    });
    const words = position.players.map((name, seat) => `${name} ${percent(shown[seat])}`).join(", ");
    gauge.setAttribute("aria-label", shown === parts ? `Winning chances: ${words}` : "Winning chances: not known yet");
    gauge.dataset.words = shown === parts ? percent(shown[0]) : "";
  }

  /** What the board shows of it: arrows for the best lines, a value for every move. */
  marks(pointing) {
    const none = { arrows: [], badges: new Map() };
    const { found, position, table } = this;
    if (!found || table.mode !== "analyse" || !this.running || position !== table.position || position.payoffs || position.mover === -1) return none;
    const paths = new Map(position.actions.map((action) => [action.name, pathOf(action, position.board)]));
    const arrows = pointing.clicked.length ? [] : this.listed.slice(0, 5).map(({ action }, rank) => ({ ...paths.get(action), rank })).filter((one) => one.touches?.length);
    return { arrows, badges: this.badges(pointing, paths) };
  }

  /** On each cell the value of the best move that a click there leads to. */
  badges(pointing, paths) {
    const found = new Map();
    if (this.wants.values === "hidden") return found;
    const chosen = pointing.clicked;
    const open = new Set(chosen.length ? pointing.left.map(({ name }) => name) : paths.keys());
    for (const move of this.valued()) {
      if (!open.has(move.action)) continue;
      const cells = paths.get(move.action)?.touches ?? [];
      const id = chosen.length ? cells.filter((one) => !chosen.includes(one)).at(-1) : cells[0];
      if (id !== undefined && !found.has(id)) found.set(id, this.badge(move));
    }
    return found;
  }

  /** All moves with a value, the best first. */
  valued() {
    return this.found ? ranked(this.found) : [];
  }

  badge(move) {
    const { position } = this;
    if (this.wants.values === "loss") {
      const [best] = this.valued();
      const lost = this.share(best) - this.share(move);
      if (Number.isNaN(lost)) return { text: "?", words: "not known", tone: "even" };
      const text = lost < 0.005 ? "0" : `−${Math.round(100 * lost)}%`;
      return { text, words: lost < 0.005 ? "as good as the best" : `${text} winning chances`, tone: lost < 0.005 ? "good" : lost < 0.1 ? "even" : "bad" };
    }
    return { text: valueSign(move.value, move.exact, position), words: valueWords(move.value, move.exact, position), tone: this.toneOf(move) };
  }

  /** The winning chances of a move to the player who makes it. */
  share({ action, value }) {
    if (value.outcome) return value.outcome === "win" ? 1 : 0;
    return this.found.shares.get(action) ?? NaN;
  }

  toneOf(move) {
    const part = this.share(move) * this.position.players.length;
    return part > 1.1 ? "good" : part < 0.9 ? "bad" : "even";
  }

  badgeOf(name) {
    if (!this.found || this.wants.values === "hidden" || this.table.mode !== "analyse" || this.position !== this.table.position) return null;
    const move = this.valued().find(({ action }) => action === name);
    return move ? this.badge(move) : null;
  }

  // --- what is asked for --------------------------------------------------------------------------------

  async showForm() {
    const wanted = this.table.base.game;
    if (this.formFor === wanted) return;
    const { client } = this.table;
    // Without a list of games the position can be searched all the same.
    const { methods, games } = await client.hello.catch(() => ({ methods: ["auto"], games: [] }));
    this.formFor = wanted;
    this.oneLine = false;
    this.methods = methods;
    this.evaluations = games.find(({ name }) => name === wanted)?.evaluations ?? [];
    this.fillForm();
  }

  fillForm() {
    const { wants } = this;
    const field = (text, control) => h("label", { class: "field" }, h("span", {}, text), control);
    const change = (key) => (value) => {
      this.keep(key, value);
      if (key === "method") wants.options = {};
      if (key === "method" || key === "by") this.fillForm();
      if (key === "method") this.learn();
      this.isChosen ||= key === "values";
      this.oneLine = false;
      this.restart();
    };
    const lines = select("Lines", [0, 1, 2, 3, 4, 5].map((n) => [String(n), n === 1 ? "1 line" : `${n} lines`]), String(wants.lines), (value) => {
      this.keep("lines", Number(value));
      this.restart();
    });
    const values = select("Values on moves", [["shown", "as values"], ["loss", "as loss"], ["hidden", "hidden"]], wants.values, change("values"));
    const amount = h("input", { type: "number", min: "0", step: "any", value: wants.amount, placeholder: wants.by === "seconds" ? String(AT_ONCE) : "", "aria-label": "How much", onChange: (event) => change("amount")(event.target.value) });
    const nodes = wants.method === "mcts" ? "visits" : "nodes";
    const by = select("Until", [["seconds", "seconds"], ["depth", "plies deep"], ["nodes", nodes]], wants.by, change("by"));
    const rows = [
      field("Show", lines),
      field("Values on moves", values),
      field("Method", select("Method", (this.methods ?? ["auto"]).map((name) => [name, name === "auto" ? "the one that fits" : name]), wants.method, change("method"))),
      field("Until", h("span", { class: "row" }, amount, by)),
    ];
    if (this.evaluations.length > 1) rows.push(field("Evaluation", select("Evaluation", [["", "the game's own choice"], ...this.evaluations.map((name) => [name, name])], wants.evaluation, change("evaluation"))));
    for (const option of this.told?.find(({ name }) => name === wants.method)?.options ?? []) rows.push(field(spelled(option.name), this.control(option)));
    this.form.replaceChildren(...rows);
  }

  /** Asks once what each search can be told. */
  async learn() {
    if (this.told || this.wants.method === "auto") return;
    this.told = (await this.table.client.ask({ do: "methods" }).catch(() => ({}))).methods;
    this.fillForm();
  }

  /** What sets an option of a search; left empty it is as usual. */
  control({ name, kind, choices, default: usual }) {
    const { options } = this.wants;
    const set = (text) => {
      if (text === "") delete options[name];
      else options[name] = { number: Number, whole: Number, flag: (word) => word === "yes", pair: (words) => words.split(/[\s,]+/).filter(Boolean).map(Number) }[kind]?.(text) ?? text;
      this.restart();
    };
    const known = options[name] === undefined ? "" : kind === "flag" ? (options[name] ? "yes" : "no") : String(options[name]);
    const words = kind === "flag" ? ["no", "yes"] : choices;
    const shown = usual === null ? "usual" : `${kind === "flag" ? (usual ? "yes" : "no") : usual} (usual)`;
    if (words.length) return select(spelled(name), [["", shown], ...words.map((word) => [word, word])], known, set);
    return h("input", { type: kind === "number" || kind === "whole" ? "number" : "text", step: "any", "aria-label": spelled(name), placeholder: kind === "pair" ? "two numbers" : usual ?? "", value: known, onChange: (event) => set(event.target.value.trim()) });
  }
}

/** "tree_policy" as people write it. */
const spelled = (name) => capital(name.replaceAll("_", " "));

/** A search that was interrupted has fewer lines than it had a depth before: the others stay. */
function completed({ lines, action, exact }, before) {
  const older = before?.lines ?? [];
  if (exact || !older.length || lines.length >= older.length || !action) return lines;
  return [...lines, ...older.filter((one) => !lines.some((line) => line.action === one.action))].slice(0, older.length);
}

function ranked({ moves, lines }) {
  const known = new Map();
  for (const one of [...moves, ...lines]) known.set(one.action, one);
  return [...known.values()].sort((a, b) => rank(b.value) - rank(a.value));
}

/** Wins before all else, the nearest first; losses last, the nearest at the very end. */
function rank({ payoff, outcome, plies }) {
  if (outcome === "win") return 1e12 - (plies ?? 1e6);
  if (outcome === "loss") return -1e12 + (plies ?? 1e6);
  return payoff === "inf" ? 1e11 : payoff === "-inf" ? -1e11 : payoff;
}

/** The winning chances of the moves by their names; those of an earlier answer where this one has none. */
function shared({ lines, moves }, chances, before) {
  const found = new Map(before?.shares);
  if (!chances) return found;
  moves.forEach(({ action }, at) => found.set(action, chances.moves[at]));
  lines.forEach(({ action }, at) => found.set(action, chances.lines[at]));
  return found;
}

function ended({ payoffs, players }) {
  const numbers = payoffs.map(Number);
  const best = Math.max(...numbers);
  const winners = numbers.filter((one) => one === best).length;
  return winners === players.length ? numbers.map(() => 1 / winners) : numbers.map((one) => (one === best ? 1 / winners : 0));
}

function progressWords({ depth, selective_depth: selective, nodes, seconds, method }) {
  const visits = method === "mcts" ? "visits" : "nodes";
  const speed = seconds > 0.05 ? `${rough(nodes / seconds)}/s` : "";
  const deep = depth ? `depth ${depth}${selective > depth ? `/${selective}` : ""}` : "";
  return [deep, `${rough(nodes)} ${visits}`, speed].filter(Boolean).join(" · ");
}

function whyWords({ method, parameters, nodes, seconds, exact, notes = [] }) {
  const why = parameters.why ? `${capital(method)}, because this is a game of ${parameters.why}.` : `${capital(method)}, as you chose.`;
  const own = Object.entries(parameters).filter(([key, value]) => !["why", "seconds", "compiled"].includes(key) && value !== null).map(([key, value]) => `${key.replaceAll("_", " ")} ${value}`);
  const proven = exact ? " The value is proven." : "";
  const made = parameters.compiled === false ? " Interpreted while machine code is made." : "";
  return `${why}${proven}${own.length ? ` With ${own.join(", ")}.` : ""} ${grouped(nodes)} ${method === "mcts" ? "visits" : "nodes"} in ${seconds.toFixed(2)} s.${made} ${notes.join(" ")}`.trim();
}
