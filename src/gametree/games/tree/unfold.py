"""The tree below a state of any game, node by node."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from gametree.errors import InputError, RulesError, UnsuitableError
from gametree.game import CHANCE, Game, check_state, offers
from gametree.games.tree.game import Tree

MOST_LEVELS = 200
"""Deeper trees are no picture, and recursive code that students read would not get to their ends."""

Path = tuple[int, ...]


@dataclass(slots=True)
class Unfolded:
    """One node: where it is, who moves, what it is worth."""

    path: Path
    state: Any
    move: str = ""
    probability: float | None = None
    """How likely the node is, where its parent is a chance node."""
    alike: int = 1
    """How many symmetric moves this one stands for, where they were merged."""
    mover: int | None = None
    """Who moves, or CHANCE; None at a leaf."""
    payoff: float | str | tuple[float, ...] | None = None
    """At a leaf: the payoff of player 0, the name of an unknown, or the payoff of each player."""
    estimated: bool = False
    """Whether the leaf is a state at the depth, judged by `evaluate`."""
    children: list[int] = field(default_factory=list)


def unfold(game: Game, state: Any, depth: int | None, merge_symmetric: bool, most: int) -> list[Unfolded]:
    """The nodes below a state, level by level, to the end of the game or to a depth.

    States at the depth are judged by `evaluate`; where the game has none they are unknown leaves x1, x2, …. So are
    the leaves named "?" of a `Tree`.
    """
    if depth is not None and (isinstance(depth, bool) or not isinstance(depth, int) or depth < 0):
        raise InputError(f"depth={depth!r}: the depth is a number of moves, 0 or more")
    if offers(game, "observe"):
        raise UnsuitableError(
            f"{type(game).__name__} hides information (it defines `observe`); the tree of its states is not the"
            " tree that its players see"
        )
    nodes = [Unfolded((), check_state(game, state))]
    for node in nodes:
        if len(node.path) > MOST_LEVELS:
            raise InputError(f"the tree has more than {MOST_LEVELS} levels: give a depth")
        if game.is_terminal(node.state) or len(node.path) == depth:
            _judge(game, node)
            continue
        node.mover = game.player(node.state)
        for child in _children(game, node, merge_symmetric, most):
            node.children.append(len(nodes))
            nodes.append(child)
        if len(nodes) > most:
            way = "Give a smaller depth, or" if depth is None or depth > 1 else "You can"
            raise InputError(
                f"the tree has more than {most:,} nodes, too many to look at one by one. {way} raise the limit"
                f" with most={most * 10}"
            )
    _name_unknown(nodes)
    return nodes


def has_one_scale(game: Game) -> bool:
    """Whether one number is enough for a leaf: two players, of whom one loses what the other gains."""
    return game.players == 2 and game.total is not None and not (isinstance(game, Tree) and game.has_vectors)


def _children(game: Game, parent: Unfolded, merge: bool, most: int) -> Iterator[Unfolded]:
    """One node for each move, or for each kind of moves where symmetric ones are merged."""
    state = parent.state
    found: dict[Any, Unfolded] = {}
    moves: Iterator[tuple[Any, float | None]]
    if parent.mover == CHANCE:
        moves = iter(game.chance(state))
    else:
        moves = ((action, None) for action in game.actions(state))
    # One more than allowed is enough to be refused.
    for action, odds in islice(moves, most + 1):
        name = game.name_action(state, action)
        child = Unfolded((*parent.path, len(found)), game.result(state, action), name, odds)
        twin = (
            next((found[key] for key in _images(game, child.state) if key in found), None) if merge else None
        )
        if twin is None:
            found[game.key(child.state) if merge else len(found)] = child
        else:
            twin.alike += 1
            if twin.probability is not None and odds is not None:
                twin.probability += odds
    if not found:
        raise RulesError(f"{type(game).__name__} has no actions in a state that is not terminal: {state!r}")
    yield from found.values()


def _images(game: Game, state: Any) -> Iterator[Any]:
    yield game.key(state)
    for image in game.symmetries(state):
        yield game.key(image)


def _judge(game: Game, node: Unfolded) -> None:
    """Writes down what a leaf is worth."""
    state = node.state
    if isinstance(game, Tree) and (unknown := game.unknown(state)) is not None:
        node.payoff = unknown
        return
    if game.is_terminal(state):
        worth = game.utility
    elif offers(game, "evaluate"):
        worth = game.evaluate
        node.estimated = True
    else:
        node.payoff = "?"
        return
    one = has_one_scale(game)
    values = tuple(float(worth(state, player)) for player in range(1 if one else game.players))
    if any(math.isnan(value) for value in values):
        raise RulesError(f"{type(game).__name__} values {state!r} at nan")
    node.payoff = values[0] if one else values


def _name_unknown(nodes: list[Unfolded]) -> None:
    """Each leaf without a name of its own gets one, from left to right."""
    taken = {node.payoff for node in nodes if isinstance(node.payoff, str)}
    index = 0
    for node in sorted(nodes, key=lambda one: one.path):
        if node.payoff == "?":
            index += 1
            while f"x{index}" in taken:
                index += 1
            node.payoff = f"x{index}"
