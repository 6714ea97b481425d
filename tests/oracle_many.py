"""The naive truth for games of many players, chance included. Nothing here is clever, and nothing here may be made so.

Payoffs are vectors, one number for each player. The root counts as a node.
"""

import math
from collections.abc import Iterable
from typing import Any, NamedTuple

from gametree.game import CHANCE, Game

Vector = tuple[float, ...]


class Found(NamedTuple):
    """What a naive search found."""

    values: Vector
    action: Any
    """What it takes at the root; None at a leaf and where chance moves."""
    nodes: int


def team_of(game: Game, player: int) -> list[int]:
    return [other for other in range(game.players) if game.team(other) == game.team(player)]


def leaf(game: Game, state: Any, depth: float) -> Vector | None:
    """The payoffs where nothing follows; teams judge as their first member does."""
    players = range(game.players)
    if game.is_terminal(state):
        return tuple(float(game.utility(state, player)) for player in players)
    if depth == 0:
        return tuple(float(game.evaluate(state, team_of(game, player)[0])) for player in players)
    return None


def mean(parts: Iterable[tuple[float, Vector]]) -> Vector:
    sums: Vector = ()
    for weight, vector in parts:
        sums = sums or (0.0,) * len(vector)
        sums = tuple(so_far + weight * part for so_far, part in zip(sums, vector, strict=True))
    return sums


def liking(game: Game, ties: str, asking: int, mover: int, vector: Vector) -> float:
    """What decides where a mover is indifferent."""
    mates = team_of(game, mover)
    others = sum(payoff for player, payoff in enumerate(vector) if player not in mates)
    return {
        "first": 0.0,
        "paranoid": -vector[asking],
        "friendly": vector[asking],
        "spiteful": -others,
        "generous": others,
    }[ties]


def maxn(game: Game, state: Any = None, depth: int | None = None, ties: str = "first") -> Found:
    """Max^n without pruning: everybody takes the vector that is best for oneself."""
    state = game.initial() if state is None else state
    asking = 0 if game.is_terminal(state) else max(0, game.player(state))
    nodes = 0

    def value(state: Any, depth: float) -> tuple[Vector, Any]:
        nonlocal nodes
        nodes += 1
        end = leaf(game, state, depth)
        if end is not None:
            return end, None
        mover = game.player(state)
        if mover == CHANCE:
            return mean((p, value(game.result(state, o), depth - 1)[0]) for o, p in game.chance(state)), None
        children = [
            (value(game.result(state, action), depth - 1)[0], action) for action in game.actions(state)
        ]
        # `max` returns the first of those that are equal.
        return max(children, key=lambda child: (child[0][mover], liking(game, ties, asking, mover, child[0])))

    values, action = value(state, math.inf if depth is None else depth)
    return Found(values, action, nodes)


def shallow(game: Game, state: Any = None, depth: int | None = None, *, most: float | None = None) -> Found:
    """Korf's procedure: a node is left when its player has `bound`, which is what leaves the player above no more.

    Players begin with nothing below the least payoff, so no bound is negative; teams count once for each member. Ties
    go to the first.
    """
    state = game.initial() if state is None else state
    assert game.payoffs is not None
    low, high = game.payoffs
    total = game.total if game.total is not None else most
    nodes = 0

    def highest(player: int) -> float:
        size = len(team_of(game, player))
        return high if total is None else min(high, (total - (game.players - size) * low) / size)

    def bound_below(mover: int, has: float, below: int) -> float:
        """What the mover of a node has to have for the mover above, who has something already, to be uninterested."""
        above, here = team_of(game, mover), team_of(game, below)
        if total is None or below in above:
            return math.inf
        rest = game.players - len(above) - len(here)
        return (total - len(above) * has - rest * low) / len(here)

    def value(state: Any, depth: float, bound: tuple[int, float] | None) -> Vector:
        nonlocal nodes
        nodes += 1
        end = leaf(game, state, depth)
        if end is not None:
            return end
        mover = game.player(state)
        if mover == CHANCE:
            return mean((p, value(game.result(state, o), depth - 1, None)) for o, p in game.chance(state))
        best: Vector | None = None
        for action in game.actions(state):
            if best is not None:
                if best[mover] >= highest(mover):
                    break
                if bound is not None and best[mover] >= bound_below(*bound, mover):
                    break
            child = game.result(state, action)
            vector = value(child, depth - 1, None if best is None else (mover, best[mover]))
            if best is None or vector[mover] > best[mover]:
                best = vector
        assert best is not None
        return best

    values = value(state, math.inf if depth is None else depth, None)
    return Found(values, None, nodes)


class Against(Game):
    """A game of many players as paranoid search sees it: our side is MAX, everybody else MIN."""

    def __init__(self, game: Game, player: int):
        self.game = game
        self.me = player

    def initial(self) -> Any:
        return self.game.initial()

    def player(self, state: Any) -> int:
        mover = self.game.player(state)
        return mover if mover == CHANCE else int(mover not in team_of(self.game, self.me))

    def actions(self, state: Any) -> Iterable[Any]:
        return self.game.actions(state)

    def chance(self, state: Any) -> Iterable[tuple[Any, float]]:
        return self.game.chance(state)

    def result(self, state: Any, action: Any) -> Any:
        return self.game.result(state, action)

    def is_terminal(self, state: Any) -> bool:
        return self.game.is_terminal(state)

    def utility(self, state: Any, player: int) -> float:
        return self.game.utility(state, self.me)

    def evaluate(self, state: Any, player: int) -> float:
        return self.game.evaluate(state, team_of(self.game, self.me)[0])


class Replies(Against):
    """A game of many players as best-reply search sees it: MIN moves for one opponent, the others pass.

    An action of MIN is how many pass before, and what the next one plays.
    """

    def _passed(self, state: Any) -> Any:
        after = self.game.null(state)
        return None if after is None or self.game.player(after) == self.game.player(state) else after

    def actions(self, state: Any) -> Iterable[Any]:
        if super().player(state) == 0:
            yield from self.game.actions(state)
            return
        passes = 0
        while state is not None and not self.game.is_terminal(state) and super().player(state) == 1:
            for action in self.game.actions(state):
                yield passes, action
            state = self._passed(state)
            passes += 1

    def result(self, state: Any, action: Any) -> Any:
        if super().player(state) == 0:
            return self.game.result(state, action)
        passes, play = action
        for _ in range(passes):
            state = self._passed(state)
        state = self.game.result(state, play)
        while not self.game.is_terminal(state) and super().player(state) == 1:
            after = self._passed(state)
            if after is None:
                break
            state = after
        return state


def expectation(game: Game, state: Any, depth: float, me: int, lottery: Any) -> float:
    """What our side gets where it plays best and the others draw lots: pairs of an action and a probability."""
    end = leaf(game, state, depth)
    if end is not None:
        return end[me]
    mover = game.player(state)
    if mover == CHANCE or mover not in team_of(game, me):
        odds = game.chance(state) if mover == CHANCE else lottery(state)
        return sum(p * expectation(game, game.result(state, a), depth - 1, me, lottery) for a, p in odds)
    return max(expectation(game, game.result(state, a), depth - 1, me, lottery) for a in game.actions(state))


def first_of_the_best(own: list[float]) -> int:
    """The first of the greatest numbers; what only rounding tells apart is equal."""
    return next(place for place, value in enumerate(own) if value >= max(own) - 1e-12 * max(1, abs(max(own))))


def erring(game: Game, state: Any, depth: float, me: int, weigh: Any) -> Vector:
    """The vector where our side plays best and the others err: `weigh(own values of the actions)` gives the odds."""
    end = leaf(game, state, depth)
    if end is not None:
        return end
    mover = game.player(state)
    if mover == CHANCE:
        return mean(
            (p, erring(game, game.result(state, o), depth - 1, me, weigh)) for o, p in game.chance(state)
        )
    vectors = [erring(game, game.result(state, a), depth - 1, me, weigh) for a in game.actions(state)]
    own = [vector[mover] for vector in vectors]
    if mover in team_of(game, me):
        return vectors[first_of_the_best(own)]
    return mean(zip(weigh(own), vectors, strict=True))
