// From clicks on cells to an action. An action is told by the cells that it touches; those that touch none, or the same
// as others, are told by their names in a chooser.

const count = (list, id) => list.filter((one) => one === id).length;
const contains = (touches, clicked) => clicked.every((id) => count(touches, id) >= count(clicked, id));
const begins = (touches, clicked) => clicked.every((id, at) => touches[at] === id);

export class Pointing {
  constructor(position) {
    this.position = position;
    this.actions = position.actions;
    const cells = [...(position.board?.cells ?? []), ...(position.board?.beside ?? [])];
    this.cells = new Map(cells.map((cell) => [cell.id, cell]));
    this.clicked = [];
  }

  /** The actions that are left after the clicks so far. */
  get left() {
    return this.actions.filter((action) => contains(action.touches, this.clicked));
  }

  /** The cells that are worth a click: where actions begin, or how the chosen ones go on. */
  get open() {
    const found = new Set();
    for (const { touches } of this.clicked.length ? this.left : this.actions) {
      if (!this.clicked.length) {
        if (touches.length) found.add(touches[0]);
        continue;
      }
      for (const id of touches) if (count(touches, id) > count(this.clicked, id)) found.add(id);
    }
    return found;
  }

  reset() {
    this.clicked = [];
  }

  /** A click: {play: name}, {choose: actions}, or {} where more clicks are needed or nothing can be done there. */
  point(id) {
    const again = this.clicked.length === 1 && this.clicked[0] === id;
    this.clicked.push(id);
    let left = this.left;
    if (again && !left.length) {
      this.clicked = [id];
      left = this.left;
      if (left.length === 1) return this.settled(left);
      this.reset();
      return {};
    }
    if (!left.length) {
      this.clicked = [id];
      left = this.left;
      if (!left.length) {
        this.reset();
        return {};
      }
    }
    return this.settled(this.resolved(left, id, again));
  }

  resolved(left, id) {
    const { clicked } = this;
    const exact = left.filter(({ touches }) => touches.length === clicked.length);
    if (exact.length) return exact;
    if (clicked.length === 1) {
      // The name of a cell can be the name of what is done there, as with pits.
      const here = this.cells.get(id);
      const named = left.filter(({ name }) => here?.count && (name === id || name === here.name));
      if (named.length === 1 && !left.some(({ touches }) => touches[0] === id && touches.length === 2)) return named;
      return left.length === 1 && this.isPlacing(left[0], id) ? left : left.length > 1 && alike(left) ? left : null;
    }
    const ends = left.filter(({ touches }) => touches[0] === clicked[0] && touches.at(-1) === id);
    const others = left.filter((action) => !ends.includes(action) && begins(action.touches, clicked));
    if (ends.length && !others.length) return ends;
    return left.length === 1 || alike(left) ? left : null;
  }

  /** Whether an action puts something on an empty cell and moves nothing of one's own. */
  isPlacing(action, id) {
    const { mover } = this.position;
    return action.touches.every((other) => {
      const piece = this.cells.get(other)?.piece;
      return other === id ? !piece : !piece || (piece.owner !== undefined && piece.owner !== mover);
    });
  }

  settled(found) {
    if (found?.length === 1) {
      this.reset();
      return { play: found[0].name };
    }
    if (found) return { choose: found };
    return this.clicked.length > 1 ? { choose: this.left, more: true } : {};
  }
}

/** The touched cells in the order in which a move is drawn, and whether it leads from the first to the last. */
export function pathOf({ name, touches }, board) {
  const named = (board?.cells ?? []).find((cell) => cell.count && touches.includes(cell.id) && (cell.name ?? cell.id) === name);
  const ordered = named ? [named.id, ...touches.filter((id) => id !== named.id)] : touches;
  const from = (board?.cells ?? []).find((cell) => cell.id === ordered[0]);
  return { touches: ordered, isPath: !named && touches.length > 1 && touches.length < 5 && Boolean(from?.piece) };
}

function alike(actions) {
  const key = ({ touches }) => [...touches].sort().join("\n");
  return actions.every((action) => key(action) === key(actions[0]));
}
