"""The naive truth that every fast search is compared with.

MAX-VALUE and MIN-VALUE as in Russell & Norvig, by plain recursion over the plain rules. Player 0 is MAX,
everybody else is MIN, and all values are payoffs of player 0. The root counts as a node. Nothing here is
clever, and nothing here may be made so.
"""

import math
import random
from typing import Any, NamedTuple

from gametree.game import Game


class Minimax(NamedTuple):
    """What plain minimax finds."""

    value: float
    best: list[Any]
    """Every action that reaches the value, in the order of `actions`; a search has to return the first."""
    nodes: int


class AlphaBeta(NamedTuple):
    """What plain alpha-beta finds."""

    value: float
    action: Any
    """The first action that reached the value; None at a leaf."""
    visited: list[Any]
    """The states in the order in which they were looked at, the root first."""

    @property
    def nodes(self) -> int:
        return len(self.visited)


def minimax(game: Game, state: Any = None, depth: int | None = None) -> Minimax:
    """The value of a state, searched to the end or to a depth, where `evaluate` judges."""
    state = game.initial() if state is None else state
    nodes = 0

    def value(state: Any, depth: float) -> float:
        nonlocal nodes
        nodes += 1
        if game.is_terminal(state):
            return float(game.utility(state, 0))
        if depth == 0:
            return float(game.evaluate(state, 0))
        return max_value(state, depth) if game.player(state) == 0 else min_value(state, depth)

    def max_value(state: Any, depth: float) -> float:
        v = -math.inf
        for action in game.actions(state):
            v = max(v, value(game.result(state, action), depth - 1))
        return v

    def min_value(state: Any, depth: float) -> float:
        v = math.inf
        for action in game.actions(state):
            v = min(v, value(game.result(state, action), depth - 1))
        return v

    plies = math.inf if depth is None else depth
    root = value(state, plies)
    counted = nodes
    best: list[Any] = []
    if plies > 0 and not game.is_terminal(state):
        best = [a for a in game.actions(state) if value(game.result(state, a), plies - 1) == root]
    return Minimax(root, best, counted)


def alphabeta(
    game: Game,
    state: Any = None,
    depth: int | None = None,
    alpha: float = -math.inf,
    beta: float = math.inf,
    fail: str = "soft",
) -> AlphaBeta:
    """Plain alpha-beta: cut where v ≥ β at MAX and where v ≤ α at MIN.

    With `fail="soft"` a value outside the window is a bound as tight as was found; with "hard" it is α or β.
    """
    state = game.initial() if state is None else state
    visited: list[Any] = []

    def value(state: Any, alpha: float, beta: float, depth: float) -> tuple[float, Any]:
        visited.append(state)
        if game.is_terminal(state):
            return within(game.utility(state, 0), alpha, beta), None
        if depth == 0:
            return within(game.evaluate(state, 0), alpha, beta), None
        if game.player(state) == 0:
            return max_value(state, alpha, beta, depth)
        return min_value(state, alpha, beta, depth)

    def max_value(state: Any, alpha: float, beta: float, depth: float) -> tuple[float, Any]:
        v, move, (low, high) = -math.inf, None, (alpha, beta)
        for action in game.actions(state):
            reply, _ = value(game.result(state, action), alpha, beta, depth - 1)
            if move is None or reply > v:
                v, move = reply, action
            if v >= beta:
                break
            alpha = max(alpha, v)
        return within(v, low, high), move

    def min_value(state: Any, alpha: float, beta: float, depth: float) -> tuple[float, Any]:
        v, move, (low, high) = math.inf, None, (alpha, beta)
        for action in game.actions(state):
            reply, _ = value(game.result(state, action), alpha, beta, depth - 1)
            if move is None or reply < v:
                v, move = reply, action
            if v <= alpha:
                break
            beta = min(beta, v)
        return within(v, low, high), move

    def within(v: float, alpha: float, beta: float) -> float:
        return float(v) if fail == "soft" else float(min(max(v, alpha), beta))

    v, action = value(state, alpha, beta, math.inf if depth is None else depth)
    return AlphaBeta(v, action, visited)


def perft(game: Game, depth: int, state: Any = None) -> int:
    """How many sequences of `depth` actions there are: follows `actions` and does not ask `is_terminal`."""
    state = game.initial() if state is None else state
    if depth == 0:
        return 1
    return sum(perft(game, depth - 1, game.result(state, action)) for action in game.actions(state))


def random_tree_spec(
    rng: random.Random,
    depth: int = 4,
    branching: int = 4,
    low: int = -5,
    high: int = 5,
    leaf: float = 0.2,
    floats: bool = False,
) -> Any:
    """A ragged random tree for `Tree`: whole numbers in a small range, so that ties abound, or floats.

    Below the root every node is a leaf with the probability `leaf`, and at `depth` all are.
    """

    def subtree(depth: int) -> Any:
        if depth == 0:
            return rng.uniform(low, high) if floats else rng.randint(low, high)
        children = range(rng.randint(1, branching))
        return [subtree(0 if rng.random() < leaf else depth - 1) for _ in children]

    return subtree(depth)
