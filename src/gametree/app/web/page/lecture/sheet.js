// An exercise that is answered in its tree: values are typed into nodes, edges are cut by a click, leaves are numbered
// by clicks. `check` gives the marks; the key is never here before somebody asks for it.

import { button, h } from "../dom.js";
import { parsed } from "./frame.js";
import { keyOf, overlay } from "./overlay.js";

const CUTS = ["", "alpha shallow", "alpha deep", "beta shallow", "beta deep"];
const SIGNS = { "": "", "alpha shallow": "α", "alpha deep": "αd", "beta shallow": "β", "beta deep": "βd" };
const SPOKEN = { "": "not cut", "alpha shallow": "shallow alpha cut", "alpha deep": "deep alpha cut", "beta shallow": "shallow beta cut", "beta deep": "deep beta cut" };
const ROWS = { leaves: "Leaves in order", "best-order": "Leaves in order", "worst-order": "Leaves in order" };

/** Shows a sheet in a frame; returns how to read and fill in the answers. */
export function answerSheet(at, context, sheet, { given = {}, check, buttons = [] }) {
  const asks = new Set(sheet.questions.map((one) => one.part));
  const named = new Map(sheet.nodes.map((one) => [one.name, one]));
  const inner = sheet.nodes.filter((one) => one.who !== "leaf");
  const leaves = sheet.nodes.filter((one) => one.who === "leaf");
  const below = sheet.nodes.filter((one) => one.path.length === 1);
  const answers = { values: {}, cuts: {}, ...fromGiven(given) };
  let rowPart = Object.keys(ROWS).find((part) => asks.has(part));
  const verdicts = new Map(), over = [];

  // --- over the tree ------------------------------------------------------------------------------------

  const items = [], fields = new Map(), edges = new Map(), numbers = new Map();
  if (asks.has("values")) {
    for (const node of inner) {
      const input = h("input", {
        type: "text", class: "typed", value: answers.values[node.name] ?? "", "aria-label": `Value of ${node.name}, ${node.who}`,
        autocomplete: "off", inputmode: sheet.document.kind === "maxn" ? "text" : "decimal",
        onInput: () => { answers.values[node.name] = input.value; changed(); },
      });
      fields.set(node.name, input);
      items.push({ key: keyOf(node.path), element: input, grow: -14 });
    }
  }
  if (asks.has("cuts")) {
    for (const node of sheet.nodes.filter((one) => one.path.length)) {
      const edge = h("button", { type: "button", class: "branch", onClick: () => { answers.cuts[node.name] = CUTS[(CUTS.indexOf(answers.cuts[node.name] ?? "") + 1) % CUTS.length]; drawEdge(node.name); changed(); } });
      edges.set(node.name, edge);
      items.push({ key: "e" + keyOf(node.path).slice(1), element: edge, edge: node.who === "leaf" ? 0.8 : 0.42 });
      drawEdge(node.name);
    }
  }
  if (rowPart) {
    for (const leaf of leaves) {
      const spot = h("button", { type: "button", class: "spot", onClick: () => {
        const row = words(answers[rowPart]);
        answers[rowPart] = (row.includes(leaf.name) ? row.filter((one) => one !== leaf.name) : [...row, leaf.name]).join(" ");
        rows.get(rowPart).value = answers[rowPart];
        drawNumbers();
        changed();
      } });
      numbers.set(leaf.name, spot);
      items.push({ key: keyOf(leaf.path), element: spot, grow: 4 });
    }
  }
  function drawEdge(name) {
    const edge = edges.get(name), kind = answers.cuts[name] ?? "";
    edge.textContent = SIGNS[kind];
    edge.classList.toggle("is-cut", kind !== "");
    edge.setAttribute("aria-label", `Edge to ${name}: ${SPOKEN[kind]}`);
    edge.title = `Edge to ${name}: ${SPOKEN[kind]}. A click changes it.`;
  }
  function drawNumbers() {
    const row = words(answers[rowPart]);
    for (const [name, spot] of numbers) {
      const place = row.indexOf(name) + 1;
      spot.dataset.place = place || "";
      spot.setAttribute("aria-label", `Leaf ${name}, worth ${named.get(name).payoff}: ${place ? `number ${place}` : "not looked at"}`);
      spot.classList.toggle("is-numbered", place > 0);
    }
  }

  // --- beside the tree ----------------------------------------------------------------------------------

  const rows = new Map();
  const controls = {
    values: () => h("p", { class: "soft" }, "Type into the nodes of the tree."),
    cuts: () => [
      h("p", { class: "soft" }, "Click an edge again and again: α, αd (deep), β, βd (deep), not cut."),
      h("label", {}, h("input", { type: "checkbox", class: "none", checked: Array.isArray(given.cuts) && given.cuts.length === 0, onChange: (event) => { answers.none = event.target.checked; changed(); } }), " no branch is cut"),
    ],
    move: () => radios("move", below.map((one) => [one.name, one.name])),
    depends: () => radios("depends", [["yes", "yes"], ["no", "no"]]),
    range: () => ["least", "greatest"].map((name) => {
      const input = h("input", { type: "text", size: 7, value: answers.range?.[name] ?? "", autocomplete: "off", onInput: () => { answers.range = { ...answers.range, [name]: input.value }; changed(); } });
      return h("label", {}, name + " ", input, " ");
    }),
    threshold: () => line("threshold", "a number, always or never"),
  };
  const radios = (part, options) => h("div", { class: "row", role: "radiogroup", "aria-label": part },
    options.map(([value, text]) => h("label", {}, h("input", { type: "radio", name: part, value, checked: answers[part] === value, onChange: () => { answers[part] = value; changed(); } }), " ", text)));
  function line(part, label) {
    const input = h("input", { type: "text", class: "long", value: answers[part] ?? "", "aria-label": label, autocomplete: "off", spellcheck: "false" });
    input.addEventListener("focus", () => { if (part in ROWS) { rowPart = part; drawNumbers(); } });
    input.addEventListener("input", () => { answers[part] = input.value; if (part in ROWS) drawNumbers(); changed(); });
    rows.set(part, input);
    return input;
  }
  const result = h("div", { class: "result", role: "status" });
  const questions = sheet.questions.map((question, i) => {
    const verdict = h("span", { class: "verdict" });
    verdicts.set(question.part, verdict);
    const control = question.part in ROWS ? line(question.part, ROWS[question.part]) : controls[question.part]();
    return h("fieldset", { "data-part": question.part },
      h("legend", {}, `${i + 1}. ${question.label} `, h("span", { class: "soft" }, `· ${question.points} ${question.points === 1 ? "point" : "points"}`), " ", verdict),
      h("details", {}, h("summary", {}, "What is asked"), h("p", {}, question.text)), control);
  });
  const checking = button("Check", run, { class: "main" });
  const tree = h("div", { id: "tree", class: "scroll", tabIndex: 0, role: "group", "aria-label": "The tree" }, parsed(sheet.picture.svg));
  const layer = h("div", { class: "overlay", role: "group", "aria-label": "Answers in the tree" }, items.map((one) => one.element));
  tree.append(layer);
  const view = h("div", { class: "screenful" }, h("div", { class: "stage exercise" },
    h("section", { class: "card picture", "aria-label": "The tree" }, h("p", { class: "soft" }, sheet.introduction), tree),
    h("section", { class: "card questions", "aria-label": "Questions" },
      h("div", { class: "row" }, checking, ...buttons), result, ...questions)));

  function show(into) {
    into.replaceChildren(view);
    at.fit();
    over.push(overlay(tree, items));
    if (rowPart) drawNumbers();
  }

  // --- answers ------------------------------------------------------------------------------------------

  function changed() {
    for (const one of view.querySelectorAll(".mistake")) one.classList.remove("mistake");
    for (const verdict of verdicts.values()) verdict.textContent = "";
    result.replaceChildren();
  }

  function collected() {
    const made = {};
    for (const part of asks) {
      if (part === "values") {
        const values = Object.fromEntries(Object.entries(answers.values).filter(([, value]) => String(value).trim() !== ""));
        if (Object.keys(values).length) made.values = values;
      } else if (part === "cuts") {
        const cuts = Object.fromEntries(Object.entries(answers.cuts).filter(([, kind]) => kind));
        if (Object.keys(cuts).length) made.cuts = cuts;
        else if (answers.none) made.cuts = [];
      } else if (answers[part] !== undefined && answers[part] !== "") made[part] = answers[part];
    }
    return made;
  }

  async function run() {
    try {
      told(await check(collected()));
    } catch (error) {
      result.replaceChildren(h("p", { class: "status" }, error.message));
    }
  }

  function told(marks) {
    changed();
    const sign = { right: "✓ right", "partly right": "◐ partly right", wrong: "✗ wrong", "not answered": "– not answered" };
    for (const { part, verdict, score, points } of marks.parts) {
      const into = verdicts.get(part);
      into.textContent = `${sign[verdict]} (${score} of ${points})`;
      into.dataset.verdict = verdict;
    }
    const all = marks.score === marks.points;
    result.replaceChildren(
      h("p", { class: "score" }, h("strong", {}, `${marks.score} of ${marks.points} points`), all ? " – all right!" : ""),
      marks.mistake && h("p", { class: "first" }, h("strong", {}, `First mistake: ${marks.mistake.where}. `), marks.mistake.sentence));
    if (!marks.mistake) return;
    const name = marks.mistake.path && sheet.nodes.find((one) => one.path.join() === marks.mistake.path.join())?.name;
    const where = { values: fields, cuts: edges, leaves: numbers }[marks.mistake.part]?.get(name);
    where?.classList.add("mistake");
  }

  /** Fills in answers, those of the key or those kept from before. */
  function fill(from) {
    Object.assign(answers, fromGiven(from));
    for (const [name, input] of fields) input.value = text(answers.values[name] ?? "");
    for (const name of edges.keys()) drawEdge(name);
    for (const [part, input] of rows) input.value = answers[part] ?? "";
    if (rowPart) drawNumbers();
    for (const input of view.querySelectorAll("[type=radio]")) input.checked = answers[input.name] === input.value;
    changed();
  }

  return { show, collected, fill, told, result, end: () => over.forEach((one) => one.end()) };
}

const words = (row) => String(row ?? "").split(/[\s,]+/).filter(Boolean);
const text = (value) => (Array.isArray(value) ? `(${value.join(", ")})` : String(value));

/** Answers as they are handed in, or as a key has them, in the form in which they are kept here. */
function fromGiven(given) {
  const made = {};
  for (const [part, answer] of Object.entries(given)) {
    if (part === "cuts") {
      made.cuts = Array.isArray(answer) ? Object.fromEntries(answer.map((one) => [one.branch, `${one.kind} ${one.depth}`])) : { ...answer };
      made.none = Array.isArray(answer) && !answer.length;
    } else if (part === "values") made.values = Object.fromEntries(Object.entries(answer).map(([name, value]) => [name, text(value)]));
    else made[part] = part in ROWS && Array.isArray(answer) ? answer.join(" ") : answer;
  }
  return made;
}
