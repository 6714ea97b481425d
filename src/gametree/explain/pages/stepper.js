/* A search, step by step, forward and back. The static page, the served page and the notebook share this module.
   `root` holds the markup that explain/pages/steps.py has made; `data` has what changes from step to step. */

export function stepper(root, data, { keysOn = document, follow = () => {}, address = (step) => "#step=" + step } = {}) {
  const $ = (id) => root.querySelector("#" + id);
  const last = data.steps.length - 1;
  const stage = $("screenful");
  const items = [...$("steps").children];
  const lines = [...$("code").children];
  const groups = new Map([...$("tree").querySelectorAll("[data-key]")].map((g) => [g.dataset.key, g]));
  const words = [...root.querySelectorAll("[data-word]")];
  const shown = new Map();
  const ending = new AbortController();
  const on = (target, kind, heard) => target.addEventListener(kind, heard, { signal: ending.signal });
  let current = -1;

  /* A timeline is [step, what, step, what, …] with rising steps: what holds at `step`? */
  function holds(timeline, step) {
    let low = 0, high = timeline.length / 2 - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (timeline[2 * middle] <= step) low = middle; else high = middle - 1;
    }
    return timeline[2 * low + 1];
  }

  function drawTree(step) {
    const shelf = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    for (const [key, timeline] of Object.entries(data.picture)) {
      const part = holds(timeline, step);
      if (shown.get(key) === part) continue;
      shelf.innerHTML = data.parts[part];
      const group = shelf.firstElementChild;
      groups.get(key).replaceWith(group);
      groups.set(key, group);
      shown.set(key, part);
    }
    words.forEach((word, i) => { word.textContent = data.texts[holds(data.words[i], step)]; });
  }

  function drawPath(rows) {
    $("path").replaceChildren(...rows.map((row) => {
      const [name, who, ...cells] = data.rows[row];
      const tr = document.createElement("tr");
      const th = document.createElement("th");
      th.scope = "row";
      const small = document.createElement("span");
      small.className = "who";
      small.textContent = who;
      th.append(name, name && " ", small);
      tr.append(th, ...cells.map((text) => {
        const td = document.createElement("td");
        td.textContent = text;
        return td;
      }));
      return tr;
    }));
  }

  function point(list, index) {
    list.forEach((item, i) => {
      if (i === index) item.setAttribute("aria-current", "step"); else item.removeAttribute("aria-current");
    });
  }

  /* Scrolls a box, never the page, until the element stands in it. */
  function reveal(box, element) {
    if (!box || !element) return;
    const outer = box.getBoundingClientRect(), inner = element.getBoundingClientRect();
    const margin = (room, size) => Math.max(0, Math.min(48, (room - size) / 2));
    const across = margin(outer.width, inner.width), down = margin(outer.height, inner.height);
    let left = 0, top = 0;
    if (inner.left < outer.left + across) left = inner.left - outer.left - across;
    else if (inner.right > outer.right - across) left = inner.right - outer.right + across;
    if (inner.top < outer.top + down) top = inner.top - outer.top - down;
    else if (inner.bottom > outer.bottom - down) top = inner.bottom - outer.bottom + down;
    if (left || top) box.scrollBy(left, top);
  }

  function show(wanted) {
    const step = Math.max(0, Math.min(last, wanted));
    if (step === current) return;
    current = step;
    const [kind, line, nodes, leaves, cuts, rows, key] = data.steps[step];
    drawTree(step);
    drawPath(rows);
    point(lines, line - 1);
    point(items, step);
    $("sentence").textContent = items[step].querySelector(".text").textContent;
    $("kind").textContent = kind ? data.kinds[kind] : "";
    $("kind").dataset.kind = kind;
    $("number").textContent = step;
    $("here").href = address(step);
    $("nodes").textContent = nodes;
    $("leaves").textContent = leaves;
    $("cuts").textContent = cuts;
    $("slider").value = step;
    $("slider").setAttribute("aria-valuetext", `step ${step} of ${last}`);
    for (const id of ["first", "back"]) $(id).setAttribute("aria-disabled", step === 0);
    for (const id of ["next", "last"]) $(id).setAttribute("aria-disabled", step === last);
    $("cut").setAttribute("aria-disabled", nextCut() < 0);
    reveal($("tree"), groups.get(key));
    reveal($("code-box"), lines[line - 1]);
    reveal($("path-box"), $("path").lastElementChild);
    reveal($("steps"), items[step]);
  }

  function go(step) {
    show(step);
    follow(current);
  }

  const nextCut = () => data.steps.findIndex((step, i) => i > current && step[0] === "cut");

  /* Large, for a projector. The whole screen is asked for too; where that is refused, the page alone changes. */
  function present(wanted) {
    stage.classList.toggle("present", wanted);
    $("present").setAttribute("aria-pressed", wanted);
    if (wanted) stage.requestFullscreen?.().catch(() => {});
    else if (document.fullscreenElement) document.exitFullscreen().catch(() => {});
  }
  const presented = () => stage.classList.contains("present");

  const actions = {
    first: () => go(0), back: () => go(current - 1), next: () => go(current + 1), last: () => go(last),
    cut: () => { const step = nextCut(); if (step >= 0) go(step); },
    present: () => present(!presented()),
  };
  for (const [id, action] of Object.entries(actions)) on($(id), "click", action);
  on($("slider"), "input", (event) => go(Number(event.target.value)));
  on(document, "fullscreenchange", () => { if (!document.fullscreenElement && presented()) present(false); });

  /* On paper every step has its picture beside its sentence: made for the printer, gone afterwards. */
  function paper() {
    const before = current;
    items.forEach((item, step) => {
      drawTree(step);
      const picture = $("tree").querySelector("svg").cloneNode(true);
      picture.classList.add("paper");
      item.append(picture);
    });
    drawTree(before);
  }
  on(window, "beforeprint", paper);
  on(window, "afterprint", () => items.forEach((item) => item.querySelector("svg.paper")?.remove()));

  const keys = { ArrowRight: "next", ArrowLeft: "back", Home: "first", End: "last", " ": "next", p: "present" };
  on(keysOn, "keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented) return;
    const at = event.composedPath()[0];
    if (at.matches?.("input, select, textarea")) return;
    if (event.key === " " && at.closest?.("button, a, summary")) return;
    if (event.key === "Escape" && presented()) return present(false);
    if (event.shiftKey) {
      const way = { ArrowRight: 60, ArrowLeft: -60 }[event.key];
      if (way) { $("tree").scrollBy({ left: way, behavior: "instant" }); event.preventDefault(); }
      if (event.key === " ") { actions.back(); event.preventDefault(); }
      return;
    }
    if (keys[event.key]) { actions[keys[event.key]](); event.preventDefault(); }
  });

  items.forEach((item, step) => {
    const link = document.createElement("a");
    link.className = "number";
    link.href = address(step);
    link.textContent = step;
    link.setAttribute("aria-label", "Step " + step);
    item.querySelector(".number").replaceWith(link);
  });
  $("controls").hidden = false;
  return { show, go, last, get step() { return current; }, unmount: () => ending.abort() };
}
