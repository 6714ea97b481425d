// The moves of a game as they are read: the main line, variations in brackets, comments; and what can be done with them.

import { button, h } from "./dom.js";

export class MoveList {
  /** `table` goes to nodes; this shows them. */
  constructor(table) {
    this.table = table;
    this.list = h("div", { class: "moves", role: "group", "aria-label": "Moves and variations" });
    new ResizeObserver(() => this.reveal()).observe(this.list);
    this.comment = h("textarea", { rows: 1, placeholder: "A comment on this position", "aria-label": "A comment on this position" });
    this.comment.addEventListener("change", () => {
      table.node.comment = this.comment.value.trim();
      table.changed();
    });
    const step = (sign, name, go, key) => button(sign, go, { class: "button step", "aria-label": name, title: `${name}${key ? ` (${key})` : ""}`, "data-step": name });
    this.controls = h("div", { class: "row steps", role: "group", "aria-label": "Go through the moves" },
      step("«", "First position", () => table.go(table.root), "Home"),
      step("‹", "Move back", () => table.back(), "←"),
      step("›", "Move on", () => table.on(), "→"),
      step("»", "Last position", () => table.go(table.node.end), "End"),
    );
    this.promote = button("Make main line", () => {
      table.node.promote();
      table.changed();
    }, { class: "button small" });
    this.remove = button("Delete from here", () => table.go(table.node.remove()), { class: "button small" });
    this.edit = h("div", { class: "row edit" }, this.promote, this.remove);
    this.element = h("section", { class: "panel record", "aria-label": "Moves" }, this.controls, this.list, this.comment, this.edit);
  }

  show() {
    const { table } = this;
    this.list.replaceChildren(...this.written(table.root));
    if (!table.root.children.length) this.list.append(h("p", { class: "soft" }, "No moves yet."));
    if (document.activeElement !== this.comment) this.comment.value = table.node.comment;
    this.promote.hidden = table.node.isMain;
    this.remove.hidden = !table.node.parent;
    const [first, back, on, last] = this.controls.children;
    first.disabled = back.disabled = !table.node.parent;
    on.disabled = last.disabled = !table.node.children.length;
    this.reveal();
  }

  /** Scrolls to the current move, also when the list gets more or less room. */
  reveal() {
    const current = this.list.querySelector("[aria-current]");
    if (current) this.list.scrollTop = Math.max(0, current.offsetTop - this.list.clientHeight / 2);
  }

  written(root) {
    const found = root.comment ? [h("span", { class: "comment" }, root.comment)] : [];
    this.write(root, found, true);
    return found;
  }

  write(start, found, numbered) {
    let number = numbered;
    for (let node = start; node.children.length; node = node.children[0]) {
      const [main, ...others] = node.children;
      found.push(...this.move(main, number));
      number = Boolean(main.comment);
      for (const other of others) {
        const inner = [...this.move(other, true)];
        this.write(other, inner, Boolean(other.comment));
        found.push(h("div", { class: "variation", role: "group", "aria-label": `Instead of ${main.move}` }, inner));
        number = true;
      }
    }
  }

  move(node, numbered) {
    const { table } = this;
    const found = [];
    const text = numberOf(node, table, numbered);
    if (text) found.push(h("span", { class: "number" }, text));
    const here = node === table.node;
    found.push(button(node.move, () => table.go(node), { class: "move", "aria-current": here ? "true" : null, tabIndex: here ? 0 : -1 }));
    if (node.comment) found.push(h("span", { class: "comment" }, node.comment));
    return found;
  }
}

/** "12." before a first player's move, "12…" before a second one's that stands alone. */
export function numberOf(node, { pairs, firstIsSecond = false }, numbered) {
  const ply = node.ply - 1 + (firstIsSecond ? 1 : 0);
  if (!pairs) return `${node.ply}.`;
  if (ply % 2 === 0) return `${ply / 2 + 1}.`;
  return numbered ? `${(ply - 1) / 2 + 1}…` : "";
}
