// A tree that is drawn by clicking, and searched while it is drawn: minimax, alpha-beta, expectiminimax, max^n.

import { button, h, select } from "../dom.js";
import { address, frame, parsed, writer } from "./frame.js";
import { keyOf, overlay } from "./overlay.js";
import { stepper } from "./stepper.js";
import * as tree from "./tree.js";

const METHODS = [["auto", "the search that fits"], ["minimax", "minimax"], ["alphabeta", "alpha-beta"], ["expectiminimax", "expectiminimax"], ["maxn", "max^n"]];
const EXAMPLES = [
  [tree.TEXTBOOK, "two plies, a cut"],
  ["[[[[3, 5], [6, 9]], [[1, 2], [0, -1]]], [[[7, 4], [5, 8]], [[2, 6], [9, 4]]]]", "four plies"],
  ["[[[[8, 2], [9, 6]], [[1, 4], 7]], [[3, 5], 2]]", "leaves at several levels"],
  ["[chance(0.5: [3, 5], 0.5: [1, 9]), chance(0.25: 8, 0.75: [2, 4])]", "chance nodes"],
  ["[[player 2[(1, 2, 6), (4, 3, 3)], player 2[(6, 1, 2), (7, 4, 1)]], [player 2[(5, 1, 1), (1, 5, 2)], player 2[(7, 7, 1), (5, 4, 5)]]]", "three players"],
  ["[[3, 12, 8], [2, x, y], [14, 5, 2]]", "unknown leaves"],
];
const CONVENTIONS = {
  cut: ["Cut at", [[">=", "≥"], [">", ">"]]],
  fail: ["Returns", [["soft", "fail-soft"], ["hard", "fail-hard"]]],
  bounds: ["At nodes", [["alpha-beta", "α and β"], ["intervals", "intervals"]]],
  shapes: ["Shapes", [["squares-circles", "squares, circles"], ["triangles", "triangles"]]],
  direction: ["Order", [["left-to-right", "left to right"], ["right-to-left", "right to left"]]],
  form: ["Pseudo-code", [["aima", "MAX-VALUE, MIN-VALUE"], ["bound", "V(J, α, β)"], ["value-move", "⟨value, move⟩"]]],
};

export function mount(element, context) {
  const at = frame(element);
  const query = context.params.query;
  const write = writer(context);
  const state = {
    text: query.get("t") || tree.TEXTBOOK, method: query.get("method") || "auto", step: Number(query.get("step")) || 0,
    rules: Object.fromEntries((query.get("rules") || "").split(",").map((one) => one.split(":")).filter(([name]) => name in CONVENTIONS)),
  };
  let root = null, chosen = [], steps = null, over = null, asked = 0, atEnd = false;
  const past = [], future = [];

  // --- what stands around the tree ----------------------------------------------------------------------

  const source = h("input", { type: "text", value: state.text, "aria-label": "The tree as text", spellcheck: "false", class: "source", autocomplete: "off" });
  const status = h("p", { class: "status", role: "alert" });
  const box = h("div", { class: "canvas" }, h("p", { class: "soft" }, "Reading the tree …"));
  const panel = h("section", { class: "card edit screen", "aria-label": "The chosen node" });
  const undo = button("Undo", () => turn(past, future), { "aria-keyshortcuts": "Control+z" });
  const redo = button("Redo", () => turn(future, past), { "aria-keyshortcuts": "Control+y" });
  const rules = h("details", { class: "rules" }, h("summary", {}, "Conventions"),
    h("div", { class: "row" }, Object.entries(CONVENTIONS).map(([name, [label, values]]) =>
      h("label", {}, label + " ", select(label, values, state.rules[name] ?? values[0][0], (value) => { state.rules[name] = value; load(state.text); })))));
  const method = select("Search", METHODS, state.method, (value) => { state.method = value; load(state.text); });
  const examples = select("Examples", [["", "Examples …"], ...EXAMPLES], "", (value) => { if (value) change(value); examples.value = ""; });
  const link = button("Copy link", async () => {
    context.navigate(here(), { replace: true, quiet: true });
    try {
      await navigator.clipboard.writeText(location.href);
      context.announce("The link is copied.");
      link.textContent = "Copied";
      setTimeout(() => { link.textContent = "Copy link"; }, 1500);
    } catch { complain("The browser does not let this page copy: copy the address of the page."); }
  });
  source.addEventListener("change", () => change(source.value));
  source.addEventListener("keydown", (event) => { if (event.key === "Enter") change(source.value); });
  at.root.append(
    h("h1", { class: "unseen-text" }, "Tree editor"),
    h("div", { class: "bar screen", role: "group", "aria-label": "Tree and search" }, source, method, examples, undo, redo, link, rules),
    status, box,
  );
  const here = () => address("tree", {
    t: state.text, method: state.method === "auto" ? "" : state.method, step: state.step || "",
    rules: Object.entries(state.rules).map((one) => one.join(":")).join(","),
  });

  function complain(message) { status.textContent = message; }

  // --- the tree and its search --------------------------------------------------------------------------

  /** Takes a text for the tree; what was before can be had back. */
  function change(text, keep = null) {
    if (text === state.text && root) return;
    past.push(state.text);
    future.length = 0;
    load(text, keep);
  }
  function turn(from, to) {
    if (!from.length) return;
    to.push(state.text);
    load(from.pop());
  }

  async function load(text, keep = null) {
    const mine = ++asked;
    const before = state.text;
    state.text = text;
    let found;
    try {
      const request = { do: "steps", tree: text, method: state.method, conventions: state.rules };
      found = (await context.client.ask(request)).steps;
    } catch (error) {
      if (mine !== asked) return;
      complain(error.message);
      if (past.at(-1) === before && root) { past.pop(); state.text = before; }
      return;
    }
    if (mine !== asked || at.signal.aborted) return;
    complain("");
    root = tree.fromNodes(found.nodes);
    if (keep) chosen = keep;
    if (!tree.at(root, chosen)) chosen = [];
    source.value = text;
    await show(found);
    write(here());
  }

  async function show(found) {
    const focused = at.root.activeElement?.closest?.("[role=treeitem]") !== null && at.root.activeElement !== null && over?.box.contains(at.root.activeElement);
    if (steps) { atEnd = steps.step === steps.last && steps.last > 0; steps.unmount(); steps = null; }
    over?.end();
    if (found.steps) {
      await at.style(found.steps.style);
      box.replaceChildren(...parsed(found.steps.html));
      steps = stepper(at.root, found.steps.data, {
        follow: (step) => { state.step = step; write(here()); },
        address: (step) => here().replace(/([?&])step=\d+/, "$1").replace(/[?&]$/, "") + `&step=${step}`,
      });
      steps.show(atEnd ? steps.last : state.step);
      state.step = steps.step;
    } else {
      await at.style(found.picture.style);
      const picture = h("div", { id: "tree", class: "scroll" }, parsed(found.picture.svg));
      box.replaceChildren(h("div", { class: "screenful" }, h("div", { class: "stage alone" }, h("section", { class: "card picture" }, picture))));
      complain(`No search yet: ${found.why}.`);
    }
    box.querySelector(".picture").append(panel);
    lay();
    describe();
    undo.setAttribute("aria-disabled", !past.length);
    redo.setAttribute("aria-disabled", !future.length);
    at.fit();
    if (focused) item(chosen)?.focus({ preventScroll: true });
  }

  // --- the nodes, over the picture ----------------------------------------------------------------------

  const item = (path) => box.querySelector(`[data-path="${path.join(".")}"]`);

  function lay() {
    const into = box.querySelector("#tree");
    const items = [];
    const layer = h("div", { class: "overlay screen", role: "tree", "aria-label": "The tree. Arrow keys move; Enter adds a child, Delete removes, a digit types a leaf, F2 names the move, M and C change who decides." });
    (function walk(node, path, siblings) {
      const one = h("div", {
        role: "treeitem", class: "handle", "data-path": path.join("."), "aria-level": path.length + 1, "aria-posinset": (path.at(-1) ?? 0) + 1,
        "aria-setsize": siblings, "aria-label": named(node), "aria-selected": String(same(path, chosen)), tabIndex: same(path, chosen) ? 0 : -1,
      });
      one.addEventListener("focus", () => choose(path, false));
      items.push({ key: keyOf(path), element: one, grow: 6 });
      layer.append(one);
      node.children.forEach((child, i) => walk(child, [...path, i], node.children.length));
    })(root, [], 1);
    layer.addEventListener("keydown", pressed);
    layer.addEventListener("pointerdown", grab);
    into.append(layer);
    over = Object.assign(overlay(into, items), { box: layer });
  }

  const same = (one, other) => one.join(".") === other.join(".");
  const who = (node) => (node.chance ? "chance" : tree.isVector(root) ? `player ${node.player + 1}` : node.player ? "MIN" : "MAX");
  const named = (node) => [node.move, node.children.length ? `${who(node)} ${node.name}, ${node.children.length} ${node.children.length === 1 ? "child" : "children"}` : `leaf ${node.value}`].filter(Boolean).join(": ");

  function choose(path, focus = true) {
    if (!same(path, chosen)) {
      const old = item(chosen);
      if (old) { old.tabIndex = -1; old.setAttribute("aria-selected", "false"); }
      chosen = path;
      const now = item(path);
      now.tabIndex = 0;
      now.setAttribute("aria-selected", "true");
      describe();
    }
    if (focus) item(path)?.focus({ preventScroll: true });
  }

  // --- the chosen node ----------------------------------------------------------------------------------

  function describe() {
    const node = tree.at(root, chosen);
    const above = chosen.length ? tree.at(root, chosen.slice(0, -1)) : null;
    const field = (label, value, taken, more = {}) => {
      const input = h("input", { type: "text", value, size: 6, autocomplete: "off", "aria-label": label, ...more });
      input.addEventListener("change", () => taken(input.value.trim()));
      input.addEventListener("keydown", (event) => { if (event.key === "Escape") { input.value = value; item(chosen)?.focus(); } if (event.key === "Enter") setTimeout(() => item(chosen)?.focus()); });
      return h("label", {}, label + " ", input);
    };
    const players = tree.isVector(root) ? [...Array(Math.max(...texts(root))).keys()].map((i) => [String(i), `player ${i + 1}`]) : [["0", "MAX"], ["1", "MIN"]];
    panel.replaceChildren(
      h("strong", { class: "isolate" }, named(node)),
      h("div", { class: "row" },
        button("Add child", () => edit(() => tree.addChild(root, chosen).slice(0, -1)), { "aria-keyshortcuts": "Enter" }),
        node.children.length
          ? select("Who decides", [...players, ["chance", "chance"]], node.chance ? "chance" : String(node.player), (value) => edit(() => { tree.decides(root, chosen, value); }))
          : field("Worth", node.value, (value) => edit(() => { node.value = value || "0"; }), { name: "worth" }),
        above && !above.chance && field("Move", node.move, (value) => edit(() => { node.move = value; }), { name: "move" }),
        above?.chance && field("Probability", String(node.odds), (value) => edit(() => tree.shareOut(above, chosen.at(-1), fraction(value, node.odds))), { name: "odds" }),
        above && button("←", () => shift(-1), { "aria-label": "Move left", title: "Move left (Alt+←)" }),
        above && button("→", () => shift(1), { "aria-label": "Move right", title: "Move right (Alt+→)" }),
        above && button("Delete", drop, { "aria-keyshortcuts": "Delete" }),
      ),
    );
  }
  const texts = (node) => (node.children.length ? node.children.flatMap(texts) : [node.value.split(",").length]);
  function fraction(text, otherwise) {
    const [top, bottom] = text.replace(",", ".").split("/").map(Number);
    const odds = bottom ? top / bottom : top;
    return odds > 0 && odds <= 1 ? odds : otherwise;
  }

  /** Changes the tree; `made` returns the path of the node that is chosen afterwards. */
  function edit(made) {
    const path = made();
    change(tree.toText(root), path ?? chosen);
  }
  function drop() {
    if (!chosen.length) return;
    edit(() => { tree.remove(root, chosen); return chosen.slice(0, -1); });
  }
  function shift(way) {
    const above = tree.at(root, chosen.slice(0, -1)), from = chosen.at(-1), to = from + way;
    if (!chosen.length || to < 0 || to >= above.children.length) return;
    edit(() => {
      const [moved] = above.children.splice(from, 1);
      above.children.splice(to, 0, moved);
      return [...chosen.slice(0, -1), to];
    });
  }

  function pressed(event) {
    if (event.metaKey || (event.ctrlKey && !/^[zy]$/i.test(event.key))) return;
    const node = tree.at(root, chosen), last = chosen.at(-1);
    const beside = (way) => {
      const level = [...box.querySelectorAll(`.handle[aria-level="${chosen.length + 1}"]`)];
      return level[level.indexOf(item(chosen)) + way]?.dataset.path.split(".").filter(Boolean).map(Number);
    };
    const go = (path) => path && tree.at(root, path) && choose(path);
    const keys = {
      ArrowDown: () => go([...chosen, 0]), ArrowUp: () => chosen.length && go(chosen.slice(0, -1)),
      ArrowLeft: () => (event.altKey ? shift(-1) : go(beside(-1))), ArrowRight: () => (event.altKey ? shift(1) : go(beside(1))),
      Home: () => go([]), Enter: () => edit(() => tree.addChild(root, chosen).slice(0, -1)), Insert: () => edit(() => tree.addChild(root, chosen).slice(0, -1)),
      Delete: drop, Backspace: drop, F2: () => { const name = panel.querySelector("[name=move], [name=odds]"); name?.focus(); name?.select(); },
      m: () => node.children.length && edit(() => tree.decides(root, chosen, node.player === 0 && !node.chance ? "1" : "0")),
      c: () => node.children.length && edit(() => tree.decides(root, chosen, node.chance ? "0" : "chance")),
      z: () => event.ctrlKey && turn(past, future), y: () => event.ctrlKey && turn(future, past),
    };
    if (keys[event.key]) {
      keys[event.key]();
      event.preventDefault();
    } else if (/^[-−\d(]$/.test(event.key) && !node.children.length) {
      const input = panel.querySelector("[name=worth]");
      input.value = "";
      input.focus();
    } else return;
    event.stopPropagation();
  }

  /** A node is chosen by a press, and carried elsewhere by dragging. */
  function grab(event) {
    const handle = event.target.closest(".handle");
    if (!handle || event.button) return;
    const pathOf = (one) => one.dataset.path.split(".").filter(Boolean).map(Number);
    const from = pathOf(handle), [x, y] = [event.clientX, event.clientY];
    choose(from);
    let target = null, moved = false;
    const dragging = new AbortController();
    const stop = () => { dragging.abort(); target?.classList.remove("target"); handle.classList.remove("carried"); handle.style.translate = ""; };
    handle.setPointerCapture?.(event.pointerId);
    handle.addEventListener("pointermove", (now) => {
      if (!moved && Math.hypot(now.clientX - x, now.clientY - y) < 8) return;
      moved = true;
      handle.classList.add("carried");
      handle.style.translate = `${now.clientX - x}px ${now.clientY - y}px`;
      target?.classList.remove("target");
      target = at.root.elementsFromPoint(now.clientX, now.clientY).find((one) => one !== handle && one.classList.contains("handle")) ?? null;
      target?.classList.add("target");
    }, { signal: dragging.signal });
    handle.addEventListener("pointercancel", stop, { signal: dragging.signal });
    handle.addEventListener("pointerup", (now) => {
      const to = target && pathOf(target);
      const middle = target && target.getBoundingClientRect().left + target.getBoundingClientRect().width / 2;
      stop();
      if (!moved || !to) return;
      const path = tree.carry(root, from, to, now.clientX > middle);
      if (path) change(tree.toText(root), path);
    }, { signal: dragging.signal });
  }

  at.ready.then(() => load(state.text));
  return {
    unmount: () => { steps?.unmount(); over?.end(); at.end(); },
    readdress: ({ query: now }) => {
      state.step = Number(now.get("step")) || 0;
      if ((now.get("t") || tree.TEXTBOOK) !== state.text) change(now.get("t") || tree.TEXTBOOK);
      else steps?.show(state.step);
    },
  };
}
