// Positions and games from elsewhere, and for elsewhere: a new game, import, export.

import { addressOf } from "./address.js";
import { button, dialog, h, select } from "./dom.js";
import { readGame, writeGame } from "./notation.js";
import { title } from "./start.js";

/** A new game: its parameters, who plays, where it begins. */
export async function setupDialog(table) {
  const { games } = await table.client.hello;
  const { base } = table;
  const game = games.find(({ name }) => name === base.game);
  const fields = (game?.parameters ?? []).map((one) => {
    const known = base.settings?.[one.name] ?? (one.default === null ? "" : String(one.default));
    const isFlag = typeof one.default === "boolean";
    const control = isFlag
      ? select(one.name, [["false", "no"], ["true", "yes"]], known, () => {})
      : h("input", { type: typeof one.default === "number" ? "number" : "text", step: "any", value: known });
    return { name: one.name, standard: one.default === null ? "" : String(one.default), control, label: h("label", { class: "field" }, h("span", {}, one.name.replaceAll("_", " ")), control) };
  });
  const position = h("textarea", { rows: 3, placeholder: "Empty for the usual beginning", value: base.position ?? "", "aria-label": "Where it begins" });
  const here = table.position?.notation ? button("From the position shown", () => (position.value = table.position.notation), { class: "button small" }) : null;
  const trouble = h("p", { class: "trouble", role: "alert", hidden: true });
  const made = dialog(`New game of ${title(base.game)}`,
    ...fields.map(({ label }) => label),
    table.position?.notation === null ? null : h("div", { class: "field tall" }, h("span", {}, "Begin from"), position, here),
    trouble,
    h("div", { class: "row end" }, button("Begin", begin, { class: "button primary" })));

  async function begin() {
    const settings = {};
    for (const { name, standard, control } of fields) if (control.value !== "" && control.value !== standard) settings[name] = control.value;
    const wanted = { game: base.game };
    if (Object.keys(settings).length) wanted.settings = settings;
    if (position.value.trim()) wanted.position = position.value.trim();
    try {
      await table.client.ask({ do: "position", ...wanted });
    } catch (error) {
      trouble.hidden = false;
      trouble.textContent = error.message;
      return;
    }
    made.close();
    table.begin(wanted);
  }
}

export function importDialog(table) {
  const text = h("textarea", { rows: 9, "aria-label": "A game or a position", placeholder: "Moves, PGN, PDN, SGF, JSON, or a position (FEN or as the game writes it)" });
  const file = h("input", { type: "file", "aria-label": "From a file", onChange: async () => file.files[0] && (text.value = (await file.files[0].text()).slice(0, 1e6)) });
  const trouble = h("p", { class: "trouble", role: "alert", hidden: true });
  const made = dialog(`Import into ${title(table.base.game)}`, text, file, trouble, h("div", { class: "row end" }, button("Import", read, { class: "button primary" })));

  async function read() {
    trouble.hidden = true;
    try {
      const { base, root } = await readGame(text.value, table);
      made.close();
      table.begin(base, root, { at: root.end });
    } catch (error) {
      trouble.hidden = false;
      trouble.textContent = error.message;
    }
  }
}

export async function exportDialog(table) {
  const link = `${location.origin}${location.pathname}${table.address}`;
  const written = await writeGame(table);
  const area = h("textarea", { rows: 9, readonly: true, "aria-label": "The game as text", value: written[0].text });
  const kind = select("Format", written.map(({ name }) => [name, name]), written[0].name, (name) => (area.value = written.find((one) => one.name === name).text));
  const said = h("span", { class: "soft", role: "status" });
  const copy = async (value) => {
    try {
      await navigator.clipboard.writeText(value);
      said.textContent = "Copied.";
    } catch {
      area.select();
      said.textContent = "Press Ctrl+C to copy.";
    }
  };
  const address = h("input", { type: "text", readonly: true, value: link, "aria-label": "Link to this position" });
  dialog("Share",
    h("div", { class: "field tall" }, h("span", {}, "Link to this position"), address, button("Copy link", () => copy(link), { class: "button small" })),
    h("label", { class: "field" }, h("span", {}, "Format"), kind),
    area,
    h("div", { class: "row end" }, said, button("Copy", () => copy(area.value)), h("a", { class: "button", href: `${addressOf("explore", table.place)}` }, "Search tree from here")));
}
