"use strict";
(() => {
  const $ = (id) => document.getElementById(id);
  const data = JSON.parse($("trace").textContent);
  const last = data.steps.length - 1;
  const items = [...$("steps").children];
  const lines = [...$("code").children];
  const groups = new Map([...$("tree").querySelectorAll("[data-key]")].map((g) => [g.dataset.key, g]));
  const words = [...document.querySelectorAll("[data-word]")];
  const shown = new Map();
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
    if (!element) return;
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

  function show(step) {
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
    $("here").href = "#step=" + step;
    $("nodes").textContent = nodes;
    $("leaves").textContent = leaves;
    $("cuts").textContent = cuts;
    $("slider").value = step;
    $("slider").setAttribute("aria-valuetext", `step ${step} of ${last}`);
    for (const id of ["first", "back"]) $(id).setAttribute("aria-disabled", step === 0);
    for (const id of ["next", "last"]) $(id).setAttribute("aria-disabled", step === last);
    $("cut").setAttribute("aria-disabled", nextCut() < 0);
    reveal($("tree"), groups.get(key));
    reveal($("steps"), items[step]);
  }

  /* Steps are written into the address without new entries in the history, so that Back leaves the page;
     links to a step do make entries, and Back returns from them. Browsers limit how often one may write. */
  let written = location.hash, due = 0;
  function write() {
    due = 0;
    if (location.hash !== written) return;
    try { history.replaceState(null, "", "#step=" + current); } catch { return; }
    written = location.hash;
  }
  function go(step) {
    show(Math.max(0, Math.min(last, step)));
    if (!due) due = setTimeout(write, 250);
  }
  function follow() {
    const match = /^#step=(\d{1,9})$/.exec(location.hash);
    written = location.hash;
    show(match ? Math.min(last, Number(match[1])) : 0);
  }

  const nextCut = () => data.steps.findIndex((step, i) => i > current && step[0] === "cut");

  const actions = {
    first: () => go(0), back: () => go(current - 1), next: () => go(current + 1), last: () => go(last),
    cut: () => { const step = nextCut(); if (step >= 0) go(step); },
  };
  for (const [id, action] of Object.entries(actions)) $(id).addEventListener("click", action);
  $("slider").addEventListener("input", (event) => go(Number(event.target.value)));
  window.addEventListener("hashchange", follow);

  const keys = { ArrowRight: "next", ArrowLeft: "back", Home: "first", End: "last", " ": "next" };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented) return;
    const on = event.target;
    if (on.matches("input, select, textarea")) return;
    if (event.key === " " && on.closest("button, a, summary")) return;
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
    link.href = "#step=" + step;
    link.textContent = step;
    link.setAttribute("aria-label", "Step " + step);
    item.querySelector(".number").replaceWith(link);
  });
  $("controls").hidden = false;
  follow();
})();
