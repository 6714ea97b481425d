// Elements in one line. Texts are always text, never markup.

/** An element: attributes, `on…` listeners, children. */
export function h(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith("on")) made.addEventListener(key.slice(2).toLowerCase(), value);
    else if (key in PROPERTIES) made[key] = value;
    else made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return made;
}

const PROPERTIES = { value: 1, checked: 1, disabled: 1, hidden: 1, selected: 1, tabIndex: 1, textContent: 1 };

export const button = (text, onClick, attributes = {}) => h("button", { type: "button", class: "button", onClick, ...attributes }, text);

/** A select with the given [value, text] pairs. */
export function select(label, options, value, onChange, attributes = {}) {
  return h(
    "select",
    { "aria-label": label, onChange: (event) => onChange(event.target.value), ...attributes },
    options.map(([key, text]) => h("option", { value: key, selected: key === value }, text)),
  );
}

/** A dialog that is shown at once and gone when it is closed. */
export function dialog(title, ...children) {
  const close = h("button", { type: "button", class: "button quiet close", "aria-label": "Close", onClick: () => made.close() }, "×");
  const made = h("dialog", { "aria-label": title }, h("header", {}, h("h2", {}, title), close), ...children);
  made.addEventListener("close", () => made.remove());
  document.body.append(made);
  made.showModal();
  return made;
}
