"use strict";
(() => {
  const $ = (id) => document.getElementById(id);
  const data = JSON.parse($("argument").textContent);
  const items = [...$("steps").children];
  const last = items.length - 1;
  const groups = new Map([...$("matrix").querySelectorAll("[data-key]")].map((g) => [g.dataset.key, g]));
  let current = -1;

  /* A timeline is [step, what, step, what, …] with rising steps: what holds at `step`? */
  function holds(timeline, step) {
    let found = timeline[1];
    for (let i = 0; i < timeline.length; i += 2) if (timeline[i] <= step) found = timeline[i + 1];
    return found;
  }

  function show(step) {
    current = Math.max(0, Math.min(last, step));
    const shelf = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    for (const [key, timeline] of Object.entries(data.picture)) {
      shelf.innerHTML = data.parts[holds(timeline, current)];
      const group = shelf.firstElementChild;
      groups.get(key).replaceWith(group);
      groups.set(key, group);
    }
    items.forEach((item, i) => {
      if (i === current) item.setAttribute("aria-current", "step"); else item.removeAttribute("aria-current");
    });
    $("sentence").textContent = items[current].textContent;
    $("number").textContent = current;
    $("slider").value = current;
    $("back").disabled = current === 0;
    $("next").disabled = current === last;
  }

  $("back").addEventListener("click", () => show(current - 1));
  $("next").addEventListener("click", () => show(current + 1));
  $("slider").addEventListener("input", (event) => show(Number(event.target.value)));
  const ways = { ArrowRight: 1, ArrowLeft: -1, " ": 1, Home: -1e9, End: 1e9 };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || !(event.key in ways)) return;
    if (event.target.matches("input") || (event.key === " " && event.target.closest("button"))) return;
    show(current + ways[event.key]);
    event.preventDefault();
  });
  $("controls").hidden = false;
  show(0);
})();
