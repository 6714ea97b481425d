"""The naive truth that every fast search is compared with.

MAX-VALUE and MIN-VALUE as in Russell & Norvig, by plain recursion over the plain rules. Player 0 is MAX,
everybody else is MIN, and all values are payoffs of player 0. The root counts as a node. Nothing here is
clever, and nothing here may be made so.
"""

import math
import random
from typing import Any, NamedTuple

from gametree.game import CHANCE, Game, offers
from gametree.games.tree.game import Chance, Turn
from gametree.result import Value


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


class Expectiminimax(NamedTuple):
    """What plain expectiminimax finds."""

    value: float
    best: list[Any]
    """Every action that reaches the value up to rounding, in the order of `actions`; none at a chance node."""
    nodes: int


def expectiminimax(game: Game, state: Any = None, depth: int | None = None) -> Expectiminimax:
    """The expected payoff of player 0 between perfect players; `depth` counts actions, not throws of dice."""
    state = game.initial() if state is None else state
    nodes = 0

    def value(state: Any, depth: float) -> float:
        nonlocal nodes
        nodes += 1
        if game.is_terminal(state):
            return float(game.utility(state, 0))
        if depth == 0:
            return float(game.evaluate(state, 0))
        if game.player(state) == CHANCE:
            return sum(odds * value(game.result(state, out), depth) for out, odds in game.chance(state))
        below = [value(game.result(state, action), depth - 1) for action in game.actions(state)]
        return max(below) if game.player(state) == 0 else min(below)

    plies = math.inf if depth is None else depth
    root = value(state, plies)
    counted = nodes
    best: list[Any] = []
    if plies > 0 and not game.is_terminal(state) and game.player(state) != CHANCE:
        best = [a for a in game.actions(state) if same(value(game.result(state, a), plies - 1), root)]
    return Expectiminimax(root, best, counted)


def same(a: float, b: float) -> bool:
    """Whether two expected payoffs are the same up to rounding."""
    return abs(a - b) <= 1e-12 * max(1, abs(a), abs(b))


def distribution(game: Game, state: Any = None, depth: int | None = None) -> dict[float, float]:
    """How likely player 0 gets which payoff when both play the first of their best actions."""
    state = game.initial() if state is None else state
    if game.is_terminal(state):
        return {float(game.utility(state, 0)): 1.0}
    if depth == 0:
        return {float(game.evaluate(state, 0)): 1.0}
    if game.player(state) != CHANCE:
        action = expectiminimax(game, state, depth).best[0]
        return distribution(game, game.result(state, action), None if depth is None else depth - 1)
    found: dict[float, float] = {}
    for outcome, odds in game.chance(state):
        for payoff, chance in distribution(game, game.result(state, outcome), depth).items():
            found[payoff] = found.get(payoff, 0.0) + odds * chance
    return found


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


def random_chance_spec(rng: random.Random, depth: int = 4, branching: int = 3, most: int = 4) -> Any:
    """A ragged random tree for `Tree` in which chance, and not always the next player, decides at some nodes.

    Leaves are whole numbers from −most to most or numbers between; probabilities are halves and quarters, with which
    sums are exact and ties abound, or any.
    """
    whole = rng.random() < 0.7

    def leaf() -> float:
        return rng.randint(-most, most) if whole else rng.uniform(-most, most)

    def subtree(depth: int) -> Any:
        if depth == 0 or rng.random() < 0.15:
            return leaf()
        children = [subtree(depth - 1) for _ in range(rng.randint(1, branching))]
        kind = rng.random()
        if kind < 0.45:
            return Chance(list(zip(_random_odds(rng, len(children), whole), children)))
        return Turn(rng.randint(0, 1), children) if kind < 0.6 else children

    return subtree(depth)


def _random_odds(rng: random.Random, count: int, simple: bool) -> list[float]:
    if simple:
        return {1: [1.0], 2: [0.25, 0.75], 3: [0.5, 0.25, 0.25]}.get(count, [1 / count] * count)
    shares = [rng.random() + 1e-3 for _ in range(count)]
    return [share / sum(shares) for share in shares]


# --- alpha-beta as a course draws it ----------------------------------------------------------------


class Crossed(NamedTuple):
    """A branch that a student crosses out: at which node, by whose bound, and what is not looked at."""

    path: tuple[int, ...]
    kind: str
    depth: str
    by: tuple[int, ...]
    skipped: list[tuple[int, ...]]


class Drawn(NamedTuple):
    """Alpha-beta on a tree of nested lists, with all that a student writes beside it."""

    value: float
    returned: dict[tuple[int, ...], float]
    visited: list[tuple[int, ...]]
    leaves: list[tuple[int, ...]]
    crossed: list[Crossed]


def drawn_alphabeta(
    tree: Any, movers: tuple[int, ...] = (0, 1), cut: str = ">=", fail: str = "soft", backwards: bool = False
) -> Drawn:
    """Alpha-beta from its definition, on nested lists whose leaves are numbers.

    α of a node is the greatest current payoff of its MAX ancestors, β the least of its MIN ancestors. A MIN node
    is left when its payoff is α or less, a MAX node when it is β or more (with `cut=">"`: less, more). The current
    payoffs of the nodes from the root down to the present one are kept in a list; nothing else is passed on.

    With `fail="hard"` a node begins with the bound that is above it as its payoff, and returns no more than the
    other one: this is V(J, α, β). A leaf returns its number.
    """
    returned: dict[tuple[int, ...], float] = {}
    visited: list[tuple[int, ...]] = []
    leaves: list[tuple[int, ...]] = []
    crossed: list[Crossed] = []
    line: list[tuple[tuple[int, ...], int, list[float]]] = []  # path, mover, current payoff

    def bound_of(player: int) -> tuple[float, tuple[int, ...] | None]:
        """The best current payoff for a player among the nodes above, and the topmost node that has it."""
        best, at = (-math.inf, None) if player == 0 else (math.inf, None)
        for path, mover, (payoff,) in line:
            if mover == player and (payoff > best if player == 0 else payoff < best):
                best, at = payoff, path
        return best, at

    def stops(payoff: float, bound: float, mover: int) -> bool:
        if cut == ">=":
            return payoff >= bound if mover == 0 else payoff <= bound
        return payoff > bound if mover == 0 else payoff < bound

    def value(node: Any, path: tuple[int, ...]) -> float:
        visited.append(path)
        if not isinstance(node, list):
            leaves.append(path)
            returned[path] = float(node)
            return float(node)
        mover = movers[len(path) % len(movers)]
        mine, _ = bound_of(mover)
        other, by = bound_of(1 - mover)
        start = (-math.inf if mover == 0 else math.inf) if fail == "soft" else mine
        current = [start]
        line.append((path, mover, current))
        order = range(len(node) - 1, -1, -1) if backwards else range(len(node))
        for place, index in enumerate(order):
            reply = value(node[index], (*path, index))
            current[0] = max(current[0], reply) if mover == 0 else min(current[0], reply)
            if stops(current[0], other, mover):
                skipped = [(*path, left) for left in order[place + 1 :]]
                if skipped:
                    assert by is not None
                    depth = "shallow" if by == path[:-1] else "deep"
                    crossed.append(Crossed(path, ("beta", "alpha")[mover], depth, by, skipped))
                break
        line.pop()
        result = current[0]
        if fail == "hard":
            result = min(result, other) if mover == 0 else max(result, other)
        returned[path] = result
        return result

    return Drawn(value(tree, ()), returned, visited, leaves, crossed)


# --- wins and losses by distance, and games that go in circles ----------------------------------------

WON_IN_0 = 1e6
"""The score of a win in n plies is this less n, that of a loss its negative; other scores are payoffs of player 0."""


def final_score(game: Game, state: Any) -> float:
    """The score of a terminal state: at the ends of `payoffs` are wins and losses."""
    payoff = float(game.utility(state, 0))
    if game.payoffs is not None and payoff >= game.payoffs[1]:
        return WON_IN_0
    if game.payoffs is not None and payoff <= game.payoffs[0]:
        return -WON_IN_0
    return payoff


def one_ply_farther(score: float) -> float:
    """A score as seen from one ply before: a win and a loss are one ply farther away, all else is as it was."""
    if WON_IN_0 / 2 < score < math.inf:
        return score - 1
    if -math.inf < score < -WON_IN_0 / 2:
        return score + 1
    return score


def score_of(value: Value, player: int) -> float:
    """What a search calls a value to `player`, on the scale of this page; payoffs have to sum to zero."""
    if value.outcome is None:
        return value.payoff if player == 0 else -value.payoff
    assert value.plies is not None
    won = (value.outcome == "win") == (player == 0)
    return WON_IN_0 - value.plies if won else value.plies - WON_IN_0


def best_score(game: Game, state: Any, scores: list[float]) -> float:
    """What the player to move makes of the scores of the actions."""
    return max(scores) if game.player(state) == 0 else min(scores)


def score_to_depth(game: Game, state: Any, depth: int) -> float:
    """Minimax to a depth with wins and losses by distance; where a game has no evaluation, nobody is ahead."""
    if game.is_terminal(state):
        return final_score(game, state)
    if depth == 0:
        return float(game.evaluate(state, 0)) if offers(game, "evaluate") else (game.total or 0) / 2
    scores = [score_to_depth(game, game.result(state, action), depth - 1) for action in game.actions(state)]
    return best_score(game, state, [one_ply_farther(score) for score in scores])


def fixpoint(
    game: Game, states: list[Any], endless: float, drawn: frozenset[Any] = frozenset()
) -> dict[Any, float]:
    """The score of every state where play that never ends is worth `endless`: the values that reproduce themselves.

    The states are all that can be reached from each other. First everything that is no end is worth `endless`; then
    every state is worth what its best action is worth, again and again, as often as there are states and until
    nothing changes any more. Who moves to a state that is `drawn` by a rule has a draw.
    """
    scores = {s: final_score(game, s) if game.is_terminal(s) else endless for s in states}
    rounds = 0
    while True:
        new = dict(scores)
        for state in states:
            if not game.is_terminal(state):
                after = [game.result(state, action) for action in game.actions(state)]
                seen = [0.0 if child in drawn else one_ply_farther(scores[child]) for child in after]
                new[state] = best_score(game, state, seen)
        rounds += 1
        if new == scores and rounds > len(states):
            return scores
        scores = new


def score_by_paths(game: Game, path: list[Any]) -> float:
    """The score of the last state of a path, with the game's rule on positions that recur, by trying every path.

    The path has every state of the game so far. Nan where somebody has to go on and may not.
    """
    state = path[-1]
    if game.is_terminal(state):
        return final_score(game, state)
    what, times = game.repetition or ("draw", math.inf)
    mover = game.player(state)
    scores = []
    for action in game.actions(state):
        child = game.result(state, action)
        recurs = not game.is_terminal(child) and path.count(child) >= times - 1
        if recurs and what == "forbid":
            continue
        if recurs and what == "draw":
            score = 0.0
        elif recurs:
            score = WON_IN_0 if (what == "win") == (mover == 0) else -WON_IN_0
        else:
            score = score_by_paths(game, [*path, child])
        if math.isnan(score):
            return score
        scores.append(one_ply_farther(score))
    return best_score(game, state, scores) if scores else math.nan
