// A class: students join with a name and answer exercises; the teacher sees how far everybody is.

import { button, h } from "../dom.js";
import { address, frame } from "./frame.js";
import { answerSheet } from "./sheet.js";

const EVERY = 3000;
const PARTS = ["value", "move", "nodes"];

export function mount(element, context) {
  const at = frame(element);
  const box = h("div");
  let sheet = null, timer = 0, shownTable = "";
  at.root.append(h("h1", { class: "unseen-text" }, "Class"), box);
  const ask = (request) => context.client.ask(request);
  const card = (...inside) => h("section", { class: "card class" }, ...inside);

  async function begin() {
    try {
      teach((await ask({ do: "class-view" })).class);
    } catch (error) {
      if (error.kind === "message") {
        box.replaceChildren(card(h("h2", {}, "No class"), h("p", {}, "This server has no class. A teacher starts one with:"), h("pre", {}, "gametree serve --classroom class.sqlite"),
          h("p", {}, "Exercises to practise with are under ", h("a", { href: "#/exercise" }, "Exercises"), ".")));
      } else enter("", true);
    }
  }

  // --- a student ----------------------------------------------------------------------------------------

  /** Joins with a name; without one, as whoever joined in this browser before. */
  async function enter(name, quiet = false) {
    try {
      learn((await ask({ do: "join", name })).joined);
    } catch (error) {
      const field = h("input", { type: "text", value: name, "aria-label": "Your name", autocomplete: "name", maxlength: 60, required: true });
      box.replaceChildren(card(h("h2", {}, "Join the class"),
        h("form", { class: "row", onSubmit: (event) => { event.preventDefault(); enter(field.value); } }, h("label", {}, "Your name ", field), h("button", { class: "main" }, "Join")),
        h("p", { class: "status", role: "alert" }, quiet ? "" : error.message)));
      field.focus();
    }
  }

  function learn(joined) {
    const wanted = Number(context.params.query.get("n")) || joined.exercises.find((one) => one.state === "open")?.number || 1;
    const list = h("div", { class: "row screen", role: "group", "aria-label": "Exercises" });
    const status = h("p", { class: "status", role: "alert" });
    const into = h("div");
    box.replaceChildren(h("p", { class: "soft" }, "You are ", h("strong", { class: "isolate" }, joined.name), "."), list, status, into);
    let now = 0;
    const sign = (one) => (one.state === "open" ? "open" : `${one.score} of ${one.points}${one.score === one.points ? " ✓" : ""}`);
    function draw() {
      list.replaceChildren(
        ...joined.exercises.map((one) => button(`${one.number}. ${one.title}: ${sign(one)}`, () => open(one.number), { "aria-current": one.number === now ? "true" : null })),
        ...joined.programs.map((one) => button(`Program: ${one.title}: ${sign(one)}`, () => write(one), { "aria-current": one === now ? "true" : null })));
    }
    /** A program to be written: it is run where the grader runs it, and judged position by position. */
    async function write(task) {
      now = task;
      draw();
      status.textContent = "";
      sheet?.end();
      sheet = null;
      const { program, source } = await ask({ do: "class-program", number: task.number });
      const stub = `def ${task.function}(game, state):\n    """The value of the state to the first player, and the best action."""\n    return 0, None\n`;
      const text = h("textarea", { class: "program", rows: 16, spellcheck: "false", "aria-label": "Your program", value: source || stub });
      const file = h("input", { type: "file", accept: ".py", "aria-label": "From a file", onChange: async () => file.files[0] && (text.value = (await file.files[0].text()).slice(0, 60000)) });
      const result = h("div", { class: "result", role: "status" });
      const run = button("Run and mark", async () => {
        run.disabled = true;
        result.replaceChildren(h("p", { class: "soft" }, "Running on five positions …"));
        try {
          const { program: marks } = await ask({ do: "class-program", number: task.number, source: text.value });
          task.state = "checked";
          task.score = marks.score;
          draw();
          tellProgram(marks);
        } catch (error) {
          result.replaceChildren(h("p", { class: "status" }, error.message));
        }
        run.disabled = false;
      }, { class: "main" });
      const tellProgram = (marks) => result.replaceChildren(
        h("p", { class: "score" }, h("strong", {}, `${marks.score} of ${marks.points} points`)),
        ...marks.positions.map((one, at) => h("details", { open: one.score < 3 && marks.positions.findIndex(({ score }) => score < 3) === at },
          h("summary", {}, `Position ${at + 1}: ${one.score} of 3`), h("pre", {}, one.position),
          h("ul", {}, PARTS.map((part) => h("li", {}, `${part}: ${one[part].text}`))), one.output && h("pre", {}, one.output))));
      into.replaceChildren(h("section", { class: "card" }, h("h2", {}, task.title),
        h("p", {}, "Define ", h("code", {}, `${task.function}(game, state)`), ". It returns the value and the best action. The game has player, actions, result, is_terminal and utility. Value, action and the number of visited nodes count a point each, on five positions."),
        text, h("div", { class: "row" }, run, file), result));
      if (program) tellProgram(program);
    }
    async function open(number) {
      now = number;
      draw();
      status.textContent = "";
      context.navigate(address("classroom", { n: number }), { replace: true, quiet: true });
      try {
        const { exercise, answers } = await ask({ do: "class-exercise", number });
        if (now !== number || at.signal.aborted) return;
        await at.style(exercise.picture.style);
        sheet?.end();
        const next = joined.exercises.find((one) => one.number > number);
        sheet = answerSheet(at, context, exercise, {
          given: answers,
          check: async (given) => {
            const { check } = await ask({ do: "class-check", number, answers: given });
            const one = joined.exercises.find((other) => other.number === number);
            one.state = "checked";
            one.score = check.score;
            draw();
            return check;
          },
          buttons: next ? [button("Next exercise", () => open(next.number))] : [],
        });
        sheet.show(into);
      } catch (error) {
        status.textContent = error.message;
      }
    }
    open(Math.min(wanted, joined.exercises.length));
  }

  // --- the teacher --------------------------------------------------------------------------------------

  function teach(room) {
    const table = h("div", { class: "scroll", tabIndex: 0, role: "group", "aria-label": "How far everybody is" });
    const status = h("p", { class: "status", role: "alert" });
    box.replaceChildren(card(
      h("div", { class: "row" }, h("h2", {}, "The class"), h("a", { class: "button", href: "classroom.csv", download: "classroom.csv" }, "Download as CSV")),
      h("p", { class: "soft" }, "Students open the address that the server printed for others, and join with a name. This table keeps itself up to date."),
      status, table));
    const draw = (now) => {
      const text = JSON.stringify(now, (key, value) => (key === "seen" ? value < 60 : value));
      if (text === shownTable) return;
      shownTable = text;
      const total = now.exercises.reduce((sum, one) => sum + one.points, 0);
      const sum = (student) => student.results.reduce((all, one) => all + (one?.score ?? 0), 0);
      table.replaceChildren(now.students.length ? h("table", {},
        h("thead", {}, h("tr", {}, ["Name", ...now.exercises.map((one) => `${one.number}. ${one.title} (${one.points})`), `Sum (${total})`, ""].map((name) => h(name ? "th" : "td", name ? { scope: "col" } : {}, name)))),
        h("tbody", {}, now.students.map((student) => h("tr", {},
          h("th", { scope: "row", class: "isolate" }, `${student.seen < 60 ? "● " : "○ "}`, student.name, h("span", { class: "unseen-text" }, student.seen < 60 ? " (here)" : " (away)")),
          student.results.map((one) => h("td", {}, one ? `${one.score === one.points ? "✓ " : ""}${one.score} (${one.tries} ${one.tries === 1 ? "try" : "tries"})` : "–")),
          h("td", {}, String(+sum(student).toFixed(2))),
          h("td", {}, button("Release", () => ask({ do: "class-release", name: student.name }).then(() => context.announce(`${student.name} can join anew.`)), { title: "Let another browser join with this name", "aria-label": `Release the name ${student.name}` })))))) : h("p", {}, "Nobody has joined yet."));
    };
    draw(room);
    at.fit();
    timer = setInterval(async () => {
      if (document.hidden) return;
      try { draw((await ask({ do: "class-view" })).class); status.textContent = ""; } catch (error) { status.textContent = error.message; }
    }, EVERY);
  }

  at.ready.then(begin);
  return { unmount: () => { clearInterval(timer); sheet?.end(); at.end(); } };
}
