// A tree of variations: nodes with the name of a move, a comment, and what may follow; the first child is the main line.

import { escaped, safely } from "./address.js";

export class Variation {
  constructor(move = "", parent = null) {
    this.move = move;
    this.parent = parent;
    this.children = [];
    this.comment = "";
  }

  /** The node after a move, made where there is none. */
  follow(move) {
    const known = this.children.find((child) => child.move === move);
    if (known) return known;
    const made = new Variation(move, this);
    this.children.push(made);
    return made;
  }

  get moves() {
    const found = [];
    for (let node = this; node.parent; node = node.parent) found.unshift(node.move);
    return found;
  }

  get ply() {
    return this.moves.length;
  }

  get end() {
    let node = this;
    while (node.children.length) node = node.children[0];
    return node;
  }

  /** Whether it is the main line of its parent, all the way up. */
  get isMain() {
    for (let node = this; node.parent; node = node.parent) if (node.parent.children[0] !== node) return false;
    return true;
  }

  /** Makes this the main line, one fork further up each time. */
  promote() {
    for (let node = this; node.parent; node = node.parent) {
      const among = node.parent.children;
      const at = among.indexOf(node);
      if (at > 0) {
        among.splice(at, 1);
        among.unshift(node);
        return true;
      }
    }
    return false;
  }

  remove() {
    if (this.parent) this.parent.children = this.parent.children.filter((child) => child !== this);
    return this.parent ?? this;
  }

  *all() {
    yield this;
    for (const child of this.children) yield* child.all();
  }

  /** Whether more than one line, or a comment, has to be kept. */
  get isRich() {
    return [...this.all()].some((node) => node.children.length > 1 || node.comment);
  }
}

/** The tree as text for an address: moves with commas, variations in brackets, comments after a tilde. */
export function writeTree(root) {
  const parts = root.comment ? [`~${escaped(root.comment)}`] : [];
  write(root, parts);
  return parts.join(",").replaceAll("(,", "(").replaceAll(",)", ")");
}

function write(node, parts) {
  for (; node.children.length; node = node.children[0]) {
    const [main, ...others] = node.children;
    writeMove(main, parts);
    for (const other of others) {
      parts.push("(");
      writeMove(other, parts);
      write(other, parts);
      parts.push(")");
    }
  }
}

function writeMove(node, parts) {
  parts.push(escaped(node.move));
  if (node.comment) parts.push(`~${escaped(node.comment)}`);
}

/** The tree that `writeTree` wrote. */
export function readTree(text) {
  const root = new Variation();
  let node = root;
  const forks = [];
  for (const token of (text ?? "").match(/[()]|[^(),]+/g) ?? []) {
    if (token === "(") {
      forks.push(node);
      node = node.parent ?? node;
    } else if (token === ")") {
      node = forks.pop() ?? root;
    } else if (token.startsWith("~")) {
      node.comment = safely(token.slice(1));
    } else {
      node = node.follow(safely(token));
    }
  }
  return root;
}
