// A search in a notebook, stepped through by the module that the pages use.

import { shadow } from "./shadow.js";
import { stepper } from "./stepper.js";

function render({ model, el }) {
  const { html, style, data } = model.get("document");
  const root = shadow(el, [model.get("sheet"), style, WIDGET], model.get("height"));
  const box = document.createElement("div");
  box.innerHTML = html;
  root.append(box);
  const steps = stepper(root, data, {
    keysOn: root.host, address: () => "#",
    follow: (step) => { model.set("step", step); model.save_changes(); },
  });
  root.addEventListener("click", (event) => {
    const link = event.target.closest("a");
    if (!link) return;
    event.preventDefault();
    if (link.classList.contains("number")) steps.go(Number(link.textContent));
  });
  const show = () => steps.show(model.get("step"));
  show();
  model.on("change:step", show);
  return () => { model.off("change:step", show); steps.unmount(); };
}

const WIDGET = `:host { display: block; color: var(--ink); font: 14px/1.45 var(--sans); container-type: inline-size; }
.all { display: none; } .screenful { padding: 2px; } .screenful.present { background: var(--ground); }`;

export default { render };
