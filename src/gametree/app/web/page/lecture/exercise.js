// Exercises to practise with: answered in the tree, checked at once, then the next one.

import { button, h, select } from "../dom.js";
import { address, frame } from "./frame.js";
import { answerSheet } from "./sheet.js";

const KINDS = [["minimax", "Minimax"], ["alphabeta", "Alpha-beta"], ["expectiminimax", "Expectiminimax"], ["maxn", "Max^n"], ["unknown", "An unknown leaf"], ["ordering", "Move ordering"]];

export function mount(element, context) {
  const at = frame(element);
  const { query, path } = context.params;
  const known = KINDS.map(([name]) => name);
  const state = { kind: known.includes(path[0]) ? path[0] : "alphabeta", seed: Number(query.get("seed")) || 1, depth: Number(query.get("depth")) || 2, branching: query.get("branching") || "2-3" };
  let sheet = null, asked = 0;
  const status = h("p", { class: "status", role: "alert" });
  const box = h("div", {}, h("p", { class: "soft" }, "Making an exercise …"));
  const seed = h("input", { type: "number", min: 0, value: state.seed, "aria-label": "Number of the exercise", class: "short" });
  const kind = select("Kind", KINDS, state.kind, (value) => { state.kind = value; load(); });
  const depth = select("Depth", [1, 2, 3, 4].map((one) => [String(one), `${one} ${one === 1 ? "level" : "levels"}`]), String(state.depth), (value) => { state.depth = Number(value); load(); });
  const branching = select("Branching", [["2", "2 children"], ["2-3", "2 or 3 children"], ["3", "3 children"]], state.branching, (value) => { state.branching = value; load(); });
  seed.addEventListener("change", () => { state.seed = Math.max(0, Number(seed.value) || 0); load(); });
  at.root.append(
    h("h1", { class: "unseen-text" }, "Exercises"),
    h("div", { class: "bar screen", role: "group", "aria-label": "Which exercise" }, kind, depth, branching, h("label", {}, "Number ", seed)),
    status, box);

  async function load() {
    const mine = ++asked;
    seed.value = state.seed;
    const { kind: kindOf, ...rest } = state;
    context.navigate(address(`exercise/${kindOf}`, rest), { replace: true, quiet: true });
    try {
      const found = (await context.client.ask({ do: "exercise", ...state })).exercise;
      if (mine !== asked || at.signal.aborted) return;
      await at.style(found.picture.style);
      status.textContent = "";
      sheet?.end();
      sheet = answerSheet(at, context, found, {
        check: async (answers) => (await context.client.ask({ do: "check", exercise: found.document, answers })).check,
        buttons: [
          button("Next exercise", () => { state.seed += 1; load(); }),
          button("Show the solution", async () => {
            const { solution } = await context.client.ask({ do: "solution", exercise: found.document });
            sheet.fill(solution.answers);
            sheet.result.replaceChildren(h("p", {}, h("strong", {}, "This is one right solution.")));
          }),
        ],
      });
      sheet.show(box);
    } catch (error) {
      if (mine === asked) status.textContent = error.message;
    }
  }

  at.ready.then(load);
  return { unmount: () => { sheet?.end(); at.end(); } };
}
