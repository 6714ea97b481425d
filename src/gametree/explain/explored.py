"""The tree that a search looked at, a row a node: values, windows, order, and what was cut and why."""

import math
from collections.abc import Iterator
from typing import Any, Final

from gametree.documents.lecturing import ExploredDocument
from gametree.explain.traces.trace import Cut, Event, Trace
from gametree.game import CHANCE
from gametree.games.tree.outline import Outline, Path
from gametree.search.mcts.view import SearchTree

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
"""Of a traced search. `state` is "seen" or "cut", `note` says why a search stopped at the node, `below` how many
nodes lie below it that are not in the table."""
TREE_COLUMNS: Final = ("parent", "move", "kind", "who", "value", "visits", "share", "state")
"""Of a Monte-Carlo tree."""


def explored(told: Trace) -> ExploredDocument:
    """What a traced search looked at; of what it cut, the uppermost nodes.

    >>> from gametree.explain.traces.trace import trace
    >>> found = explored(trace([[3, 12, 8], [2, "x", "y"], [14, 5, 2]]))
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
    places: dict[Path, int] = {}
    rows: list[list[Any]] = []
    hidden = 0
    for node in _uppermost(told.outline, order):
        places[node.path] = len(rows)
        above = places[node.path[:-1]] if node.path else None
        cut = skipped.get(node.path)
        start, stop = entered.get(node.path), cuts.get(node.path)
        under = node.size - 1 if cut else 0
        hidden += under
        rows.append(
            [
                above,
                _move(node),
                node.kind,
                node.who if node.children else "",
                _worth(node.payoff if node.is_leaf else told.values.get(node.path)),
                "" if cut else "≈" if node.estimated else proven[node.path].removeprefix("="),
                _worth(start.alpha) if start else None,
                _worth(start.beta) if start else None,
                order.get(node.path),
                "cut" if cut else "seen",
                _why(cut) if cut else stop.sentence if stop else "",
                under,
                node.name,
            ]
        )
    return {
        "method": told.method,
        "columns": list(COLUMNS),
        "rows": rows,
        "value": _worth(told.value),
        "looked": len(told.visited),
        "cut": len(skipped),
        "below": hidden,
        "note": "",
    }


def _uppermost(node: Outline, seen: dict[Path, int]) -> Iterator[Outline]:
    """The nodes that were looked at and the children of these."""
    stack = [node]
    while stack:
        node = stack.pop()
        yield node
        if node.path in seen:
            stack.extend(reversed(node.children))


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


# --- Monte-Carlo trees ------------------------------------------------------------------------------


def grown(search: SearchTree, depth: int, most: int) -> ExploredDocument:
    """The upper part of a Monte-Carlo tree: the nodes with the most visits, not deeper than `depth`.

    >>> import gametree as gt
    >>> thinker = gt.MonteCarlo(gt.games.Nim(counters=5), solver=False, compile="never")
    >>> _ = thinker.analyze(simulations=100)
    >>> found = grown(thinker.tree, 1, 100)
    >>> [(row[1], row[5]) for row in found["rows"]]
    [('', 100), ('1', 90), ('2', 5), ('3', 5)]
    """
    game = search.game
    one = game.players == 2 and game.total is not None
    everyone = [
        *game.player_names,
        *(f"player {number + 1}" for number in range(len(game.player_names), game.players)),
    ]
    rows: list[list[Any]] = []
    whole = True

    def add(node: int, state: Any, move: str, above: int | None, level: int) -> None:
        nonlocal whole
        mover = search.mover(node)
        visits = search.visits(node)
        shown = None
        if visits or search.is_settled(node):
            shown = _rounded(search.mean(node, 0) if one else list(search.means(node)))
        over = above is None or not rows[above][5]
        share = 1.0 if over else round(visits / rows[above or 0][5], 4)
        kind = "leaf" if mover is None else "chance" if mover == CHANCE else "player"
        who = "chance" if mover == CHANCE else "" if mover is None else everyone[mover]
        settled = "proven" if search.is_settled(node) else "seen" if visits else "unseen"
        rows.append([above, move, kind, who, shown, visits, share, settled])
        place = len(rows) - 1
        if level == depth or mover is None or not search.count(node):
            return
        steps = sorted(search.steps(node, state), key=lambda step: -search.visits(step[0]))
        for child, action in steps:
            if len(rows) >= most:
                whole = False
                return
            add(child, game.result(state, action), game.name_action(state, action), place, level + 1)

    add(search.root, search.state, "", None, 0)
    return {
        "method": "mcts",
        "columns": list(TREE_COLUMNS),
        "rows": rows,
        "value": rows[0][4],
        "looked": search.size,
        "cut": 0,
        "below": max(0, search.size - len(rows)),
        "note": "" if whole else f"The tree has more nodes than {most:,}: the rest is left out.",
    }


def _rounded(mean: float | list[float]) -> Any:
    return [_rounded(one) for one in mean] if isinstance(mean, list) else _worth(float(f"{mean:.4g}"))
