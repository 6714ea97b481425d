// What the views of a lecture share: a frame with its own look, the client, addresses.

import { escaped } from "../address.js";
import { h } from "../dom.js";

const SHEETS = ["style.css", "../board.css", "stepper.css", "lecture.css"];
let texts = null;

/** The texts of the style sheets, asked for once. */
function sheets() {
  texts ??= Promise.all(SHEETS.map(async (name) => (await fetch(new URL(name, import.meta.url))).text()));
  return texts;
}

/** A frame whose look depends on its own style sheets alone; `style` adds one, `ready` is when it is shown. */
export function frame(element) {
  const host = h("div", { class: "lecture-frame" });
  const root = host.attachShadow({ mode: "open" });
  const ending = new AbortController();
  const theme = new MutationObserver(() => dress());
  let extra = "";
  async function dress() {
    const chosen = document.documentElement.dataset.theme;
    if (chosen) host.dataset.theme = chosen; else delete host.dataset.theme;
    // The style sheets ask the system for its colours; where the page has colours of its own, these count.
    const asked = chosen === "dark" ? "screen" : chosen === "light" ? "not all" : "screen and (prefers-color-scheme: dark)";
    root.adoptedStyleSheets = [...(await sheets()), extra].map((text) => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(text.replaceAll("screen and (prefers-color-scheme: dark)", asked).replace(/:root((\[[^\]]*\]|:not\([^)]*\))+)/g, ":host($1)").replaceAll(":root", ":host"));
      return sheet;
    });
  }
  // What fills the height of the window begins where `.screenful` does.
  const fit = () => {
    const top = (root.querySelector(".screenful") ?? host).getBoundingClientRect().top + scrollY;
    host.style.setProperty("--height", `${Math.max(480, innerHeight - top - 10)}px`);
  };
  theme.observe(document.documentElement, { attributeFilter: ["data-theme"] });
  addEventListener("resize", fit, { signal: ending.signal });
  element.replaceChildren(host);
  fit();
  return {
    root, host, fit, signal: ending.signal, ready: dress(),
    style: (text) => { extra = text; return dress(); },
    end: () => { ending.abort(); theme.disconnect(); host.remove(); },
  };
}

/** The nodes of markup that the server has made, in which names are text. Nothing in it is run. */
export const parsed = (markup) => [...new DOMParser().parseFromString(markup, "text/html").body.childNodes];

/** The address of a view with its parameters. */
export function address(view, parameters) {
  const given = Object.entries(parameters).filter(([, value]) => value !== "" && value !== undefined && value !== null);
  return `#/${view}${given.length ? "?" + given.map(([name, value]) => `${name}=${escaped(String(value))}`).join("&") : ""}`;
}

export const shown = (value) =>
  Array.isArray(value) ? `(${value.map(shown).join(", ")})`
    : value === null || value === undefined ? ""
      : value === "inf" ? "∞" : value === "-inf" ? "−∞"
        : typeof value === "number" ? String(+value.toPrecision(6)).replace("-", "−") : String(value);

/** Writes the address of what is shown. Browsers limit how often one may. */
export function writer(context) {
  let due = 0, wanted = "";
  return (where) => {
    wanted = where;
    due ||= setTimeout(() => { due = 0; context.navigate(wanted, { replace: true, quiet: true }); }, 200);
  };
}
