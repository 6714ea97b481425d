"""Value iteration: the value of every position of a game with chance, circles included, with a bound on the error.

Shapley, Stochastic Games (1953): the values are those that reproduce themselves. Here from both sides: a lower bound
that begins with the worst payoff and an upper one that begins with the best. Each pass makes every position worth what
its best action is worth by the bounds so far, in place, the last positions first (Gauss and Seidel). What unfinished
play is worth lies between the two at any time, so the value does too; where they meet, it is proven. Where the players
can keep a game from ending they never meet, and that is said.
"""

import math
from collections.abc import Callable
from typing import Any, Final

from gametree.errors import InputError
from gametree.game import CHANCE, Game
from gametree.kernel.memory import Memory
from gametree.kernel.primitives import Floats, Ints
from gametree.result import Value
from gametree.search.core.runner import prepare
from gametree.search.solve.chance_graph import ChanceGraph

ERROR: Final = 1e-10
"""The share of the greatest payoff that the bounds may be apart in the end."""
STILL: Final = 1e-15
"""A pass that moves no bound by more than this share changes nothing any more."""
CHUNK: Final = 20_000
"""So many positions are looked at between two looks at the clock."""
WORTH_COMPILING: Final = 20_000
"""Fewer positions are done before a compiler is loaded."""
_PLACES: Final = ("first", "begins", "child")
"""The arrays of whole numbers."""
INFINITY = math.inf


class Bounds(Memory):
    """The graph as arrays, and the bounds of each position."""

    first: Ints
    """Where the actions of each position begin, and behind the last position their number."""
    begins: Ints
    """Where the positions that follow each action begin, and behind the last action their number."""
    child: Ints
    """A position that follows."""
    constant: Floats
    """What an action is worth by the ends that may follow at once."""
    weight: Floats
    """How much a position that follows counts, negative where the other player moves."""
    low: Floats
    high: Floats


def sweep(game: Any, state: Any, begin: int, end: int, bounds: Bounds) -> float:
    """Makes the positions from `end` − 1 down to `begin` worth what follows; the greatest change of a bound."""
    low, high, child, weight = bounds.low, bounds.high, bounds.child, bounds.weight
    change = 0.0
    for node in range(end - 1, begin - 1, -1):
        least = -INFINITY
        most = -INFINITY
        for action in range(bounds.first[node], bounds.first[node + 1]):
            bottom = bounds.constant[action]
            top = bottom
            for edge in range(bounds.begins[action], bounds.begins[action + 1]):
                w = weight[edge]
                if w > 0.0:
                    bottom += w * low[child[edge]]
                    top += w * high[child[edge]]
                else:
                    bottom += w * high[child[edge]]
                    top += w * low[child[edge]]
            least = max(least, bottom)
            most = max(most, top)
        if least > low[node]:
            change = max(change, least - low[node])
            low[node] = least
        if most < high[node]:
            change = max(change, high[node] - most)
            high[node] = most
    return change


class Iteration:
    """The bounds on every position of a graph that is complete, and the passes that narrow them."""

    def __init__(self, graph: ChanceGraph, compile: str, endless: float | None = None):
        """`endless`: what play that never ends is worth to player 0, where that may be more than any payoff."""
        assert graph.complete
        self.graph = graph
        self.passes: int = 0
        size = max(graph.greatest, 0.0 if endless is None else abs(endless - graph.half))
        self._scale = size or 1.0
        insist = compile == "always"
        self._native = None
        if compile != "never" and len(graph) and (insist or len(graph) >= WORTH_COMPILING):
            self._native = prepare(sweep, graph.game, graph.states[:1], insist)
        arrays = {name: getattr(graph, name) for name in ("first", "begins", "child", "constant", "weight")}
        arrays |= {"low": [-size] * len(graph), "high": [size] * len(graph)}
        compiled = self._native is not None
        if compiled:
            import numpy as np

            # An empty array has no memory to point to.
            arrays = {
                name: np.array(a if len(a) else [0], np.int64 if name in _PLACES else np.float64)
                for name, a in arrays.items()
            }
        self._bounds: Bounds = Bounds.allocate(compiled, **arrays)
        self.low: Any = arrays["low"]
        self.high: Any = arrays["high"]

    def gap(self, node: int) -> float:
        """How far apart the bounds of a position are."""
        return float(self.high[node] - self.low[node])

    def narrow(self, told_to_stop: Callable[[], bool]) -> bool:
        """Passes until all bounds have met, or nothing changes any more; False where it was told to stop."""
        while self.widest() > ERROR * self._scale:
            change = 0.0
            for end in range(len(self.graph), 0, -CHUNK):
                if told_to_stop():
                    return False
                change = max(change, self._sweep(max(0, end - CHUNK), end))
            self.passes += 1
            if change <= STILL * self._scale:
                break
        return True

    def widest(self) -> float:
        """How far apart bounds are at the most."""
        if not len(self.graph):
            return 0.0
        if self._native is not None:
            return float((self.high - self.low).max())
        return max(map(float.__sub__, self.high, self.low))

    @property
    def closed(self) -> bool:
        """Whether all bounds have met."""
        return self.widest() <= ERROR * self._scale

    def _sweep(self, begin: int, end: int) -> float:
        if self._native is None:
            return sweep(self.graph.game, None, begin, end, self._bounds)
        return float(self._native(self.graph.states[0], begin, end, self._bounds))


class Policy:
    """What to play anywhere in a game with chance, and what that is worth. Call it with a state.

    >>> from gametree import solve
    >>> from gametree.games import Pig
    >>> pig = Pig(goal=12, sides=3)
    >>> policy = solve(pig).policy
    >>> state = pig.parse_state("0 0 5")
    >>> pig.name_action(state, policy(state)), round(policy.value(state), 4)
    ('hold', 0.6601)
    """

    def __init__(self, iteration: Iteration):
        self._iteration = iteration
        self._graph = iteration.graph
        self.game: Game = iteration.graph.game
        self.error: float = iteration.widest() / 2
        """How far from the truth a value can be."""

    def __call__(self, state: Any) -> Any:
        """The first of the best actions."""
        return self.best(state)[0]

    def best(self, state: Any) -> tuple[Any, float]:
        """The first of the best actions, with what it is worth to the player who moves."""
        best: tuple[Any, float] | None = None
        for action, worth in self.actions(state):
            if best is None or worth > best[1] + self.error:
                best = action, worth
        assert best is not None
        return best

    def actions(self, state: Any) -> list[tuple[Any, float]]:
        """Every action with what it is worth to the player who moves."""
        player = self.game.player(state)
        return [
            (action, self.worth(self.game.result(state, action), player))
            for action in self.game.actions(state)
        ]

    def value(self, state: Any) -> Value:
        """What a position is worth to the player who moves; where chance decides or the game is over, to player 0."""
        over = self.game.is_terminal(state)
        return Value(self.worth(state, 0 if over else max(self.game.player(state), 0)))

    def worth(self, state: Any, player: int) -> float:
        """What a state is worth to a player."""
        low, high = self.bounds(state, player)
        return (low + high) / 2

    def bounds(self, state: Any, player: int) -> tuple[float, float]:
        """Between which two numbers the worth of a state to a player lies."""
        certain, follow = self._graph.prospect(state, player, self._known)
        half, low, high = self._graph.half, self._iteration.low, self._iteration.high
        bottom = top = half + certain
        for node, weight in follow.items():
            bottom += weight * float(low[node] if weight > 0 else high[node])
            top += weight * float(high[node] if weight > 0 else low[node])
        return bottom, top

    def _known(self, state: Any) -> int:
        node = self._graph.find(state)
        if node is None:
            raise InputError(
                f"{state!r} does not follow from the position that was solved; solve from there, or earlier"
            )
        return node

    def line(self, state: Any, most: int = 1000) -> list[Any]:
        """Best play up to where chance decides."""
        line: list[Any] = []
        while len(line) < most and not self.game.is_terminal(state) and self.game.player(state) != CHANCE:
            line.append(self(state))
            state = self.game.result(state, line[-1])
        return line
