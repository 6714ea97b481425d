"""The tree that a search looked at, a row a node: values, windows, order, and what was cut and why.

A tree can have many thousands of nodes. It is told in portions: first the nodes next to the root, then what lies below
a node that somebody opens.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from gametree.documents.lecturing import ExploredDocument
from gametree.errors import InputError
from gametree.explain.traces.trace import Cut, Event, Trace
from gametree.game import CHANCE, Game
from gametree.games.tree.outline import Outline, Path
from gametree.result import Analysis
from gametree.search.engine.view import EngineTree
from gametree.search.mcts.view import SearchTree

MOST_ROWS: Final = 20_000
COLUMNS: Final = (
    "parent",
    "move",
    "kind",
    "who",
    "value",
    "bound",
    "alpha",
    "beta",
    "order",
    "state",
    "note",
    "below",
    "name",
)
"""Of a textbook search, and of the engine. `state` is "seen", "cut", or "unkept" where the engine remembers nothing;
`note` says why a search stopped at the node, `below` how many nodes lie below it that are not among the rows: all of
them below a cut, else its children, which another portion has."""
TREE_COLUMNS: Final = ("parent", "move", "kind", "who", "value", "visits", "share", "state", "below")
"""Of a Monte-Carlo tree."""


@dataclass(frozen=True)
class Explored:
    """A tree to be told in portions; what a node is, only its functions know."""

    head: dict[str, Any]
    """What is said of the tree as a whole."""
    columns: tuple[str, ...]
    root: Any
    row: Callable[[Any, Any], dict[str, Any]]
    """row(node, parent): what stands in the columns, but `parent` and, where nothing was cut, `below`."""
    children: Callable[[Any], Sequence[Any]]

    def portion(self, path: Sequence[int] = (), most: int = MOST_ROWS) -> ExploredDocument:
        """The rows of a node and of those below it, the nearest first, so many at most. `path` are places of children.

        The children of a node are told together, or none of them.
        """
        above: Any = None
        top = self.root
        for place in path:
            kids = self.children(top)
            if place >= len(kids):
                raise InputError(f"path: {list(path)} leads to no node of this tree")
            above, top = top, kids[place]
        told: dict[int, Sequence[Any]] = {}
        count, level = 1, [top]
        while level:
            after: list[Any] = []
            for node in level:
                kids = self.children(node)
                if kids and (count + len(kids) <= most or not told):
                    told[id(node)] = kids
                    count += len(kids)
                    after += kids
            level = after
        rows: list[list[Any]] = []
        stack: list[tuple[Any, Any, int | None]] = [(top, above, None)]
        while stack:
            node, parent, number = stack.pop()
            kids = told.get(id(node), ())
            made = {
                "parent": number,
                "below": 0 if kids else len(self.children(node)),
                **self.row(node, parent),
            }
            here = len(rows)
            stack += [(kid, node, here) for kid in reversed(kids)]
            rows.append([made[name] for name in self.columns])
        return {**self.head, "columns": list(self.columns), "rows": rows}  # type: ignore[typeddict-item]


# --- textbook searches --------------------------------------------------------------------------------


def explored(told: Trace) -> Explored:
    """What a traced search looked at; of what it cut, the uppermost nodes.

    >>> from gametree.explain.traces.trace import trace
    >>> found = explored(trace([[3, 12, 8], [2, "x", "y"], [14, 5, 2]])).portion()
    >>> found["looked"], found["cut"], found["rows"][6][:4]
    (11, 2, [5, '1', 'leaf', ''])
    """
    entered: dict[Path, Event] = {}
    cuts: dict[Path, Event] = {}
    for event in told.events:
        entered.setdefault(event.path, event)
        if event.cut is not None:
            cuts[event.path] = event
    order = {path: place for place, path in enumerate(told.visited, 1)}
    skipped = {path: event.cut for event in cuts.values() if event.cut for path in event.cut.skipped}
    proven = {path: mark.proven for path, mark in told.at(len(told.events)).marks.items()}

    def row(node: Outline, parent: Outline | None) -> dict[str, Any]:
        cut = skipped.get(node.path)
        start, stop = entered.get(node.path), cuts.get(node.path)
        made = {
            "move": _move(node),
            "kind": node.kind,
            "who": node.who if node.children else "",
            "value": _worth(node.payoff if node.is_leaf else told.values.get(node.path)),
            "bound": "" if cut else "≈" if node.estimated else proven[node.path].removeprefix("="),
            "alpha": _worth(start.alpha) if start else None,
            "beta": _worth(start.beta) if start else None,
            "order": order.get(node.path),
            "state": "cut" if cut else "seen",
            "note": _why(cut) if cut else stop.sentence if stop else "",
            "name": node.name,
        }
        return {**made, "below": node.size - 1} if cut else made

    head = {
        "method": told.method,
        "value": _worth(told.value),
        "looked": len(told.visited),
        "cut": len(skipped),
        "below": sum(node.size - 1 for node in told.outline.walk() if node.path in skipped),
        "note": "",
    }
    return Explored(
        head, COLUMNS, told.outline, row, lambda node: node.children if node.path in order else ()
    )


def _move(node: Outline) -> str:
    if node.probability is not None:
        return f"{node.move} ({node.probability:.4g})"
    return node.move


def _why(cut: Cut) -> str:
    return f"{cut.depth} {'α' if cut.kind == 'alpha' else 'β'}-cut"


def _worth(value: Any) -> Any:
    if isinstance(value, (tuple, list)):
        return [_worth(one) for one in value]
    if isinstance(value, float) and math.isinf(value):
        return "inf" if value > 0 else "-inf"
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value


# --- the engine ---------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class _Reached:
    """A node of a tree of states."""

    state: Any
    action: Any = None
    place: int = 0
    plies: int = 0
    node: int = 0
    """Its number in a Monte-Carlo tree."""


def remembered(tree: EngineTree, found: Analysis, state: Any, depth: int) -> Explored:
    """What the engine's table says of the nodes that it looked at, not deeper than `depth`.

    >>> import gametree as gt
    >>> game = gt.games.TicTacToe()
    >>> engine = gt.Engine(game, compile="never")
    >>> found = remembered(engine.tree, engine.analyze(depth=4), game.initial(), 1).portion()
    >>> [(row[1], row[4], row[5]) for row in found["rows"][:3]]
    [('', 1, ''), ('a3', 0, '≤'), ('b3', -1, '≤')]
    """
    game = tree.game
    names = _names(game)
    grown_below: dict[int, Sequence[_Reached]] = {}

    def children(at: _Reached) -> Sequence[_Reached]:
        if at.plies == depth or (at.plies and tree.entry(at.state, at.plies) is None):
            return ()
        if id(at) not in grown_below:
            grown_below[id(at)] = [
                _Reached(after, action, place, at.plies + 1)
                for place, action, after in tree.children(at.state)
            ]
        return grown_below[id(at)]

    def row(at: _Reached, above: _Reached | None) -> dict[str, Any]:
        over = game.is_terminal(at.state)
        entry = None if over else tree.entry(at.state, at.plies)
        value: Any = game.utility(at.state, 0) if over else None if entry is None else entry.payoff
        if above is None:
            value = found.values[0] if found.values else value
        return {
            "move": game.name_action(above.state, at.action) if above else "",
            "kind": "leaf" if over else "player",
            "who": "" if over else names[game.player(at.state)],
            "value": _worth(value),
            "bound": "" if entry is None else {"lower": "≥", "upper": "≤"}.get(entry.bound, ""),
            "alpha": None,
            "beta": None,
            "order": None,
            "state": "seen" if over or entry is not None or above is None else "unkept",
            "note": _remembered(game, tree, at) if above else f"best {found.name}" if found.name else "",
            "name": "",
        }

    head = {
        "method": "engine",
        "value": _worth(found.values[0]) if found.values else 0,
        "looked": found.nodes,
        "cut": 0,
        "below": 0,
        "note": "What is not in the table was cut off, judged at the horizon, or had to make room.",
    }
    return Explored(head, COLUMNS, _Reached(state), row, children)


def _remembered(game: Game, tree: EngineTree, at: _Reached) -> str:
    """What is known of a node, in words."""
    if game.is_terminal(at.state):
        return "the end of the game"
    entry = tree.entry(at.state, at.plies)
    if entry is None:
        return "not in the table"
    said = [f"{entry.depth} {'ply' if entry.depth == 1 else 'plies'} below"]
    if entry.plies is not None:
        said.append(f"decided in {entry.plies}")
    actions = list(game.actions(at.state))
    if entry.best is not None and entry.best < len(actions):
        best = game.name_action(at.state, actions[entry.best])
        cuts = entry.bound == ("lower" if game.player(at.state) == 0 else "upper")
        said.append(f"cut by {best}" if cuts else f"best {best}")
    return ", ".join(said)


def _names(game: Game) -> list[str]:
    known = game.player_names
    return [*known, *(f"player {number + 1}" for number in range(len(known), game.players))]


# --- Monte-Carlo trees --------------------------------------------------------------------------------


def grown(search: SearchTree, depth: int) -> Explored:
    """The upper part of a Monte-Carlo tree, the children with the most visits first, not deeper than `depth`.

    >>> import gametree as gt
    >>> thinker = gt.MonteCarlo(gt.games.Nim(counters=5), solver=False, compile="never")
    >>> _ = thinker.analyze(simulations=100)
    >>> found = grown(thinker.tree, 1).portion()
    >>> [(row[1], row[5]) for row in found["rows"]]
    [('', 100), ('1', 90), ('2', 5), ('3', 5)]
    """
    game = search.game
    one = game.players == 2 and game.total is not None
    names = _names(game)
    grown_below: dict[int, Sequence[_Reached]] = {}

    def mean(node: int) -> Any:
        return _rounded(search.mean(node, 0) if one else list(search.means(node)))

    def children(at: _Reached) -> Sequence[_Reached]:
        if at.plies == depth or search.mover(at.node) is None or not search.count(at.node):
            return ()
        if at.node not in grown_below:
            steps = sorted(search.steps(at.node, at.state), key=lambda step: -search.visits(step[0]))
            grown_below[at.node] = [
                _Reached(game.result(at.state, action), action, place, at.plies + 1, child)
                for place, (child, action) in enumerate(steps)
            ]
        return grown_below[at.node]

    def row(at: _Reached, above: _Reached | None) -> dict[str, Any]:
        mover, visits = search.mover(at.node), search.visits(at.node)
        settled = search.is_settled(at.node)
        whole = search.visits(above.node) if above else 0
        return {
            "move": game.name_action(above.state, at.action) if above else "",
            "kind": "leaf" if mover is None else "chance" if mover == CHANCE else "player",
            "who": "chance" if mover == CHANCE else "" if mover is None else names[mover],
            "value": mean(at.node) if visits or settled else None,
            "visits": visits,
            "share": round(visits / whole, 4) if whole else 1.0,
            "state": "proven" if settled else "seen" if visits else "unseen",
        }

    visits = search.visits(search.root)
    head = {
        "method": "mcts",
        "value": mean(search.root) if visits or search.is_settled(search.root) else 0,
        "looked": search.size,
        "cut": 0,
        "below": 0,
        "note": "",
    }
    return Explored(head, TREE_COLUMNS, _Reached(search.state, node=search.root), row, children)


def _rounded(mean: float | list[float]) -> Any:
    return [_rounded(one) for one in mean] if isinstance(mean, list) else _worth(float(f"{mean:.4g}"))
