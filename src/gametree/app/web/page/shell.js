// The frame of the page: which view is shown at which address, light or dark, and what is read aloud.

import { addressOf, parseAddress } from "./address.js";
import { Client } from "./client.js";
import { button, h } from "./dom.js";

const VIEWS = {
  "": { load: () => import("./start.js") },
  play: { load: () => import("./table.js") },
  seat: { load: () => import("./seat.js") },
};
const NAV = [["Games", "#/"]];
const LATER = 1000;

const main = document.getElementById("main");
const announcer = document.getElementById("announcer");
const client = new Client();
let shown = null;
let address = null;
let turn = 0;

/** Shows what the address says. */
async function route() {
  address = location.hash;
  const wanted = parseAddress(address);
  const same = shown?.key === `${wanted.view}/${wanted.game}`;
  if (same && shown.view.readdress) {
    shown.view.readdress(wanted);
    return;
  }
  const mine = ++turn;
  shown?.view.unmount?.();
  shown = null;
  const known = VIEWS[wanted.view];
  main.replaceChildren();
  main.dataset.view = wanted.view || "start";
  for (const link of document.querySelectorAll("#nav a")) {
    const here = link.getAttribute("href") === `#/${wanted.view}`;
    if (here) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  if (!known) {
    complain(`There is no page at ${location.hash}.`);
    return;
  }
  try {
    const module = await known.load();
    if (mine !== turn) return;
    const view = module.mount(main, { client, params: wanted, navigate, announce, complain });
    shown = { key: `${wanted.view}/${wanted.game}`, view };
  } catch (error) {
    complain(error.message);
  }
}

/** Shows why there is nothing to show, and the ways out of it; a file may be mended before one tries again. */
function complain(message, heading = "That did not work") {
  shown?.view.unmount?.();
  shown = null;
  main.replaceChildren(
    h("div", { class: "panel complaint", role: "alert" }, h("h1", {}, heading), h("p", { class: "trouble" }, message),
      h("div", { class: "row" }, button("Try again", route, { class: "button primary" }), h("a", { class: "button", href: "#/" }, "To the games"))),
  );
}

/** Goes to an address. With `quiet` the view that is shown keeps itself up to date. */
function navigate(hash, { replace = false, quiet = false } = {}) {
  if (hash === location.hash) return;
  address = hash;
  write(replace);
  if (!quiet) route();
}

let late = 0;

/** Writes down the address. Browsers take only so many in a while, and drop the rest or raise an error. */
function write(replace) {
  clearTimeout(late);
  try {
    if (replace) history.replaceState(null, "", address);
    else history.pushState(null, "", address);
  } catch {
    // It is written later.
  }
  if (location.hash !== new URL(address, location.href).hash) late = setTimeout(() => write(true), LATER);
}

/** Has a text read aloud by a screen reader. */
function announce(text) {
  const line = h("p", {}, text);
  announcer.append(line);
  while (announcer.children.length > 5) announcer.firstChild.remove();
}

// --- light and dark -------------------------------------------------------------------------------------

const THEMES = { auto: "◐", light: "☀", dark: "☾" };

function theme(wanted) {
  const name = wanted in THEMES ? wanted : "auto";
  if (name === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = name;
  const knob = document.getElementById("theme");
  knob.textContent = THEMES[name];
  knob.setAttribute("aria-label", `Colours: ${name}. Change.`);
  knob.title = `Colours: ${name}`;
  knob.dataset.name = name;
  try {
    localStorage.setItem("theme", name);
  } catch {
    // A browser may keep nothing.
  }
}

function remembered() {
  try {
    return localStorage.getItem("theme");
  } catch {
    return null;
  }
}

document.getElementById("theme").addEventListener("click", (event) => {
  const names = Object.keys(THEMES);
  theme(names[(names.indexOf(event.target.dataset.name) + 1) % names.length]);
});

async function begin() {
  theme(remembered());
  client.addEventListener("offline", () => (document.getElementById("offline").hidden = false));
  client.addEventListener("online", () => (document.getElementById("offline").hidden = true));
  try {
    // Pages for lectures bring themselves along; without them there is still everything to play.
    const { views } = await import("./lecture/views.js");
    for (const [name, { title, load, ...more }] of Object.entries(views)) {
      VIEWS[name] = { load };
      if (title && !more.hidden) NAV.push([title, `#/${name}`]);
    }
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
  }
  document.getElementById("nav").replaceChildren(...NAV.map(([text, href]) => h("a", { href }, text)));
  addEventListener("hashchange", () => location.hash !== address && route());
  addEventListener("popstate", () => location.hash !== address && route());
  await route();
}

begin();
