// The tree that a search really looked at: values, windows, order, cuts with their reason. Only the rows that can be
// seen are in the page, so that a tree of many thousand nodes scrolls as one of ten.

import { addressOf, placeOf } from "../address.js";
import { drawBoard } from "../board.js";
import { button, h, select } from "../dom.js";
import { address, frame, shown } from "./frame.js";

const HEIGHT = 30;
/** So many rows are asked for at once; what lies below them, when somebody opens it. */
const PORTION = 2000;
const METHODS = [["auto", "the search that fits"], ["engine", "the engine's own tree"], ["minimax", "minimax"], ["alphabeta", "alpha-beta"], ["expectiminimax", "expectiminimax"], ["maxn", "max^n"], ["mcts", "Monte-Carlo"]];

export function mount(element, context) {
  const at = frame(element);
  const { query } = context.params;
  const text = query.get("t") || "";
  const place = placeOf(context.params);
  const state = { method: query.get("method") || "auto", depth: Number(query.get("depth")) || 3, deep: query.has("depth"), simulations: Number(query.get("simulations")) || 200 };
  let question = null, found = null, column = {}, rows = [], children = [], open = new Set(), visible = [], chosen = 0, asked = 0, pending = null;

  // --- what stands around the table ---------------------------------------------------------------------

  const status = h("p", { class: "status", role: "alert" });
  const summary = h("p", { class: "soft summary", "aria-live": "polite" });
  const games = select("Game", [[place.game || "tic-tac-toe", place.game || "tic-tac-toe"]], place.game, (name) => {
    context.navigate(addressOf("explore", { game: name }, keep()));
  });
  const depth = h("input", { type: "number", min: 0, max: 60, value: state.depth, "aria-label": "Depth in plies" });
  const simulations = h("input", { type: "number", min: 1, max: 1000000, value: state.simulations, "aria-label": "Simulations" });
  const amount = h("label", {}, "Simulations ", simulations);
  const method = select("Search", METHODS, state.method, (value) => { state.method = value; search(); });
  depth.addEventListener("change", () => { state.depth = Math.max(0, Number(depth.value) || 0); state.deep = true; search(); });
  simulations.addEventListener("change", () => { state.simulations = Math.max(1, Number(simulations.value) || 1); search(); });
  const head = h("div", { role: "row", class: "head", "aria-rowindex": 1 });
  const window_ = h("div", { class: "rows", role: "rowgroup" });
  const space = h("div", { class: "space" }, window_);
  const table = h("div", { class: "table", role: "treegrid", "aria-label": "Nodes that the search looked at" }, h("div", { role: "rowgroup" }, head), space);
  const detail = h("section", { class: "card detail", "aria-label": "The chosen node" });
  const kept = () => (text ? { t: text } : {});
  const keep = () => ({ method: state.method === "auto" ? "" : state.method, depth: state.deep ? state.depth : "", simulations: state.method === "mcts" ? state.simulations : "" });
  const here = () => (text ? address("explore", { ...kept(), ...keep() }) : addressOf("explore", place, keep()));
  at.root.append(
    h("h1", { class: "unseen-text" }, "Search tree"),
    h("div", { class: "bar screen", role: "group", "aria-label": "What is searched" },
      !text && games, method, h("label", {}, "Depth ", depth), amount,
      button("Open all", () => { open = new Set([...rows.keys()].filter((i) => children[i].length)); lay(); }), button("Close all", () => { open = new Set([0]); choose(0); lay(); }),
      button("Next cut", nextCut, { "aria-keyshortcuts": "n" }),
      !text && place.game && h("a", { class: "button", href: addressOf("play", place) }, "Play from here")),
    status, summary,
    h("div", { class: "screenful explore" }, table, detail),
  );
  if (!text) {
    context.client.hello.then(({ games: known }) => {
      games.replaceChildren(...known.map(({ name }) => h("option", { value: name, selected: name === (place.game || "tic-tac-toe") }, name)));
    }, () => {});
  }

  // --- the search ---------------------------------------------------------------------------------------

  async function search() {
    const mine = ++asked;
    amount.hidden = state.method !== "mcts";
    status.textContent = "";
    summary.textContent = "Searching …";
    at.fit();
    context.navigate(here(), { replace: true, quiet: true });
    pending?.cancel();
    question = { do: "explore", method: state.method, depth: state.depth, rows: PORTION };
    if (state.method === "mcts") question.simulations = state.simulations;
    Object.assign(question, text ? { tree: text } : { ...place, game: place.game || "tic-tac-toe" });
    if (text) delete question.depth;
    try {
      pending = context.client.ask(question);
      const answer = (await pending).explore;
      if (mine !== asked || !answer || at.signal.aborted) return;
      take(answer);
    } catch (error) {
      if (mine !== asked) return;
      // Nobody has said how deep: as deep as a tree can be looked at.
      if (!state.deep && state.depth > 1 && error.kind === "input" && /too many/.test(error.message)) {
        depth.value = state.depth -= 1;
        search();
        return;
      }
      summary.textContent = "";
      status.textContent = error.message;
    }
  }

  function take(answer) {
    found = answer;
    rows = answer.rows;
    column = Object.fromEntries(answer.columns.map((name, i) => [name, i]));
    children = rows.map(() => []);
    link(1);
    open = new Set([0]);
    chosen = 0;
    const many = (count, one, more) => `${count.toLocaleString("en")} ${count === 1 ? one : more}`;
    summary.textContent = answer.method === "mcts"
      ? `Monte-Carlo tree: ${many(answer.looked, "node", "nodes")}, ${many(rows.length, "is", "are")} here. Value ${shown(answer.value)}. ${answer.note}`
      : answer.method === "engine" ? `The engine looked at ${many(answer.looked, "node", "nodes")}. Value ${shown(answer.value)}. ${answer.note}`
      : `${answer.method}: value ${shown(answer.value)}; looked at ${many(answer.looked, "node", "nodes")}, cut ${many(answer.cut, "branch", "branches")} with ${many(answer.below, "node", "nodes")} below.`;
    head.replaceChildren(...heads().map((name) => h("span", { role: "columnheader" }, name)));
    lay();
    at.fit();
    tell();
  }

  /** Puts the rows from `first` on below their parents. */
  function link(first) {
    for (let i = first; i < rows.length; i++) children[get(i, "parent")].push(i);
  }

  /** Whether a node has children that are not here yet. */
  const isShut = (i) => !children[i].length && get(i, "below") > 0 && get(i, "state") !== "cut";

  /** Asks for what lies below a node. */
  async function fetchBelow(i) {
    const mine = asked, path = [];
    for (let k = i; get(k, "parent") !== null; k = get(k, "parent")) path.unshift(children[get(k, "parent")].indexOf(k));
    try {
      const { explore } = await context.client.ask({ ...question, path });
      if (mine !== asked || !explore || at.signal.aborted || !isShut(i)) return;
      const shift = rows.length - 1;
      rows.push(...explore.rows.slice(1).map((row) => row.map((value, k) => (k === column.parent ? (value === 0 ? i : value + shift) : value))));
      while (children.length < rows.length) children.push([]);
      link(shift + 1);
      open.add(i);
      lay();
    } catch (error) {
      if (mine === asked) status.textContent = error.message;
    }
  }

  const heads = () => (found.method === "mcts" ? ["Move", "To move", "Value", "Visits", "Share", ""] : ["Move", "To move", "Value", "Window", "Order", found.method === "engine" ? "What is remembered" : "Why it stops"]);
  const get = (i, name) => rows[i][column[name]];

  function cells(i) {
    const value = shown(get(i, "value"));
    if (found.method === "mcts") {
      return [get(i, "who"), value, get(i, "visits").toLocaleString("en"), `${(100 * get(i, "share")).toFixed(1)} %`, get(i, "state") === "proven" ? "proven" : ""];
    }
    const cut = get(i, "state") === "cut";
    const span = get(i, "alpha") === null ? "–" : `[${shown(get(i, "alpha"))}, ${shown(get(i, "beta"))}]`;
    return [get(i, "who") ? `${get(i, "who")} ${get(i, "name")}` : cut ? "" : "leaf", cut ? "not looked at" : get(i, "state") === "unkept" ? "?" : get(i, "bound") + value, span, get(i, "order") ?? "–", (cut ? "✂ " : "") + get(i, "note")];
  }

  // --- the rows -----------------------------------------------------------------------------------------

  /** Which rows stand in the table, from the nodes that are open. */
  function lay() {
    visible = [];
    const stack = rows.length ? [[0, 1]] : [];
    while (stack.length) {
      const [i, level] = stack.pop();
      visible.push([i, level]);
      if (open.has(i)) for (let k = children[i].length - 1; k >= 0; k--) stack.push([children[i][k], level + 1]);
    }
    table.setAttribute("aria-rowcount", visible.length + 1);
    space.style.height = `${visible.length * HEIGHT}px`;
    paint();
  }

  let drawn = 0;
  function paint() {
    drawn = 0;
    const first = Math.max(0, Math.floor(table.scrollTop / HEIGHT) - 8);
    const last = Math.min(visible.length, first + Math.ceil(table.clientHeight / HEIGHT) + 18);
    const had = window_.contains(at.root.activeElement);
    window_.style.transform = `translateY(${first * HEIGHT}px)`;
    window_.replaceChildren(...visible.slice(first, last).map(([i, level], k) => row(i, level, first + k)));
    if (had) window_.querySelector("[tabindex='0']")?.focus({ preventScroll: true });
  }

  function row(i, level, index) {
    const inner = children[i].length > 0 || isShut(i);
    const move = get(i, "move") || (get(i, "parent") === null ? "the root" : "");
    const made = h("div", {
      role: "row", class: "treeline" + (get(i, "state") === "cut" ? " cut" : ""), "data-row": i, "aria-level": level, "aria-rowindex": index + 2,
      "aria-expanded": inner ? String(open.has(i)) : null, "aria-selected": String(i === chosen), tabIndex: i === chosen ? 0 : -1,
    },
      h("span", { role: "gridcell", class: "move" }, h("span", { class: "knob", "aria-hidden": "true" }, inner ? (open.has(i) ? "▾" : "▸") : "·"), move),
      cells(i).map((text) => h("span", { role: "gridcell" }, text)));
    made.style.setProperty("--level", level);
    return made;
  }

  function choose(i, focus = true) {
    chosen = i;
    const index = visible.findIndex(([one]) => one === i);
    const top = index * HEIGHT, room = table.clientHeight - head.offsetHeight;
    if (top < table.scrollTop) table.scrollTop = top;
    else if (top + HEIGHT > table.scrollTop + room) table.scrollTop = top + HEIGHT - room;
    paint();
    if (focus) window_.querySelector("[tabindex='0']")?.focus({ preventScroll: true });
    tell();
  }

  function toggle(i, wanted = !open.has(i)) {
    if (isShut(i)) {
      fetchBelow(i);
      return;
    }
    if (!children[i].length) return;
    if (wanted) open.add(i); else open.delete(i);
    lay();
  }

  function nextCut() {
    if (column.state === undefined || !rows.length) return;
    const order = [], stack = [0];
    while (stack.length) {
      order.push(stack.pop());
      stack.push(...[...children[order.at(-1)]].reverse());
    }
    const cut = order.slice(order.indexOf(chosen) + 1).find((i) => get(i, "state") === "cut");
    if (cut === undefined) { context.announce("No cut comes after this one."); return; }
    for (let i = get(cut, "parent"); i !== null; i = get(i, "parent")) open.add(i);
    lay();
    choose(cut);
  }

  table.addEventListener("scroll", () => { drawn ||= requestAnimationFrame(paint); });
  table.addEventListener("click", (event) => {
    const line = event.target.closest(".treeline");
    if (!line) return;
    const i = Number(line.dataset.row);
    choose(i);
    if (event.target.closest(".knob")) toggle(i);
  });
  table.addEventListener("dblclick", (event) => { const line = event.target.closest(".treeline"); if (line) toggle(Number(line.dataset.row)); });
  table.addEventListener("keydown", (event) => {
    if (!rows.length || event.ctrlKey || event.altKey || event.metaKey) return;
    const index = visible.findIndex(([one]) => one === chosen), page = Math.max(1, Math.floor(table.clientHeight / HEIGHT) - 2);
    const to = (k) => choose(visible[Math.max(0, Math.min(visible.length - 1, k))][0]);
    const keys = {
      ArrowDown: () => to(index + 1), ArrowUp: () => to(index - 1), PageDown: () => to(index + page), PageUp: () => to(index - page),
      Home: () => to(0), End: () => to(visible.length - 1), Enter: () => toggle(chosen), " ": () => toggle(chosen), n: nextCut,
      ArrowRight: () => (open.has(chosen) || !(children[chosen].length || isShut(chosen)) ? children[chosen].length && choose(children[chosen][0]) : toggle(chosen, true)),
      ArrowLeft: () => (open.has(chosen) && children[chosen].length ? toggle(chosen, false) : get(chosen, "parent") !== null && choose(get(chosen, "parent"))),
    };
    if (!keys[event.key]) return;
    keys[event.key]();
    event.preventDefault();
  });

  // --- the chosen node ----------------------------------------------------------------------------------

  let told = 0;
  async function tell() {
    const mine = ++told;
    const line = [];
    for (let i = chosen; get(i, "parent") !== null; i = get(i, "parent")) line.unshift(get(i, "move").replace(/ \([\d.e-]+\)$/, ""));
    const [who, value, third, fourth, note] = cells(chosen);
    const [, , , thirdName, fourthName] = heads();
    detail.replaceChildren(
      h("h2", {}, "The chosen node"),
      h("p", { class: "isolate" }, h("strong", {}, line.join(" ") || "the root")),
      h("dl", { class: "counters" }, [["To move", who], ["Value", value], [thirdName, third], [fourthName, fourth]].filter(([name, text]) => name && text !== "").map(([name, text]) => h("div", {}, h("dt", {}, name), h("dd", {}, String(text))))),
      note ? h("p", {}, note) : "",
    );
    if (text) return;
    const request = { ...place, game: place.game || "tic-tac-toe", do: "position", moves: [...(place.moves ?? []), ...line] };
    try {
      const { position } = await context.client.ask(request);
      if (mine !== told || !position) return;
      detail.append(position.board ? h("div", { class: "board" }, drawBoard(position.board, { label: `After ${line.join(" ") || "no move"}` })) : h("pre", {}, position.text));
    } catch { /* a forbidden repetition has no position of its own */ }
  }

  at.ready.then(search);
  return { unmount: () => { pending?.cancel(); at.end(); } };
}
