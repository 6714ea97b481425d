"""What a student's search has to find: the textbook's code, run over the plain rules, with its nodes counted."""

import math
from dataclasses import dataclass
from typing import Any

from gametree.course.random_numbers import Draws
from gametree.errors import InputError
from gametree.game import Game

LONGEST_PLAY = 2_000


@dataclass(frozen=True)
class Truth:
    """The value for player 0, every best action by its place, and the nodes that each search visits."""

    value: float
    best: tuple[int, ...]
    nodes: int
    minimax_nodes: int | None
    """None where plain minimax would visit more than was allowed."""


class TooMany(Exception):
    """A search would visit more nodes than it may."""


class _Count:
    """Counts nodes up to a bound."""

    def __init__(self, most: float):
        self.most = most
        self.nodes: int = 0

    def add(self) -> None:
        self.nodes += 1
        if self.nodes > self.most:
            raise TooMany


def value(
    game: Game,
    state: Any,
    depth: float,
    count: _Count,
    cut: str,
    alpha: float = -math.inf,
    beta: float = math.inf,
) -> float:
    """The value for player 0: alpha-beta, fail-soft, with a cut at ">=" or ">"; minimax where `cut` is ""."""
    count.add()
    if game.is_terminal(state):
        return float(game.utility(state, 0))
    if depth == 0:
        return float(game.evaluate(state, 0))
    is_max = game.player(state) == 0
    best = -math.inf if is_max else math.inf
    for action in game.actions(state):
        found = value(game, game.result(state, action), depth - 1, count, cut, alpha, beta)
        best = max(best, found) if is_max else min(best, found)
        limit = beta if is_max else alpha
        beyond = best > limit if is_max else best < limit
        if cut and (beyond or (best == limit and cut == ">=")):
            break
        if is_max:
            alpha = max(alpha, best)
        else:
            beta = min(beta, best)
    return best


def truth(
    game: Game,
    state: Any,
    function: str,
    depth: int | None = None,
    strict: bool = False,
    most: float = math.inf,
) -> Truth:
    """What `function`, minimax or alphabeta, finds on a state. Raises TooMany beyond `most` nodes.

    >>> from gametree import Tree
    >>> truth(Tree([[3, 12, 8], [2, 4, 6], [14, 5, 2]]), 0, "alphabeta")
    Truth(value=3.0, best=(0,), nodes=11, minimax_nodes=13)
    """
    plies = math.inf if depth is None else depth
    count = _Count(most)
    worth = value(game, state, plies, count, "" if function == "minimax" else ">" if strict else ">=")
    below = [
        value(game, game.result(state, action), plies - 1, _Count(math.inf), ">")
        for action in game.actions(state)
    ]
    full = _Count(max(20_000, 20 * count.nodes))
    nodes: int | None
    try:
        value(game, state, plies, full, "")
        nodes = full.nodes
    except TooMany:
        nodes = None
    return Truth(worth, tuple(i for i, one in enumerate(below) if one == worth), count.nodes, nodes)


def positions(
    game: Game,
    function: str,
    count: int,
    seed: int,
    depth: int | None = None,
    strict: bool = False,
    most: int = 3_000,
) -> list[Any]:
    """States from random plays, where it can be the earliest that the search settles within `most` nodes.

    A game with few positions gives fewer than were asked for.
    """
    draws = Draws(seed)
    found: dict[Any, None] = {}
    for _ in range(20 * count):
        if len(found) == count:
            break
        settled: list[Any] = []
        for state in reversed(_play(game, draws)):
            try:
                truth(game, state, function, depth, strict, most)
            except TooMany:
                break
            settled.append(state)
        if settled:
            # Of a search to a depth the earliest state is always the same: then any other will do.
            earliest = settled[-1]
            found[earliest if earliest not in found else draws.choice(settled)] = None
    if not found:
        raise InputError(
            f"{type(game).__name__} has no position that {function} settles within {most:,} nodes; give a depth,"
            " or positions"
        )
    return list(found)


def _play(game: Game, draws: Draws) -> list[Any]:
    """The states of a random play, without the last."""
    state = game.initial()
    play: list[Any] = []
    while not game.is_terminal(state) and len(play) < LONGEST_PLAY:
        play.append(state)
        state = game.result(state, draws.choice(list(game.actions(state))))
    return play
