"""The graph of a game: every position that can be reached, each once, and which follow it.

Positions are numbered as they are found, breadth first: 0 is the first one asked about. A node is expanded when its
children have numbers; those that are not are the frontier. What is explored stays, so that exploring can be broken off
and taken up again.

    number of a node   0       1   2       3 …
    first[node]        0       2   5       5 …     where its children begin; behind the last, where they end
    child[…]           1 2     3 4 5       …       the numbers of the children, in the order of `actions`
"""

import contextlib
import math
from array import array
from collections.abc import Callable, Hashable, Iterator
from typing import Any, Final

from gametree.errors import RulesError
from gametree.game import Game, offers
from gametree.search.core.plays import root_actions
from gametree.search.core.stopwatch import StopWatch

WON: Final = math.inf
"""The score of an end at the top of `payoffs`; at its bottom it is −WON. Other scores are payoffs of player 0."""
NOBODY: Final = -1
"""Who moves where the game is over."""


def identity(game: Game) -> Callable[[Any], Hashable]:
    """What makes two states the same position: `key`; the whole state where a clock, which is not in it, counts."""
    if offers(game, "key") and not offers(game, "clock"):
        return game.key
    return lambda state: state


def final_score(game: Game, state: Any) -> float:
    """What an end is worth to player 0, wins and losses beyond every payoff."""
    payoff = float(game.utility(state, 0))
    if math.isnan(payoff):
        raise RulesError(f"{type(game).__name__}.utility returned nan at {state!r}")
    if game.payoffs is not None:
        low, high = game.payoffs
        if payoff >= high:
            return WON
        if payoff <= low:
            return -WON
    return payoff


def mover_of(game: Game, state: Any) -> int:
    """Who moves at a state that is not the end, refused where it is neither of two players."""
    player = game.player(state)
    if player not in (0, 1):
        raise RulesError(
            f"{type(game).__name__}.player returned {player!r} at {state!r}; players are 0 and 1"
        )
    return int(player)


class Positions:
    """Positions by number, in the order in which they were met, of which the first so many have been expanded.

    Positions with one identity are one, and with `merges` those that are symmetric.
    """

    def __init__(self, game: Game, identity: Callable[[Any], Hashable], merges: bool):
        self.game: Game = game
        self.states: list[Any] = []
        self.first: array[int] = array("q", [0])
        """Where what follows a node begins, for each expanded one, and where it ends."""
        self._identity = identity
        self._merges = merges
        self._number: dict[Hashable, int] = {}

    def __len__(self) -> int:
        return len(self.states)

    @contextlib.contextmanager
    def in_time(self, watch: StopWatch) -> Iterator[None]:
        """Within this block rules are asked under a stop-watch: when time is over it ends."""
        game, self.game = self.game, watch.rules(self.game)
        try:
            with watch.in_time():
                yield
        finally:
            self.game = game

    @property
    def expanded(self) -> int:
        """How many nodes have been expanded: the first so many."""
        return len(self.first) - 1

    @property
    def complete(self) -> bool:
        """Whether nothing is left to explore."""
        return self.expanded == len(self.states)

    def number(self, state: Any) -> int:
        """The number of a position; a new one where it has not been seen."""
        found = self.find(state)
        if found is not None:
            return found
        # In this order Ctrl-C can only leave a node behind to which nothing leads.
        self.states.append(state)
        self._number[self._identity(state)] = len(self.states) - 1
        return len(self.states) - 1

    def find(self, state: Any) -> int | None:
        """The number of a position, or of one that is worth the same; None where neither has been seen."""
        key = self._identity(state)
        found = self._number.get(key)
        if found is not None or not self._merges:
            return found
        for image in self.game.symmetries(state):
            found = self._number.get(self._identity(image))
            if found is not None:
                self._number[key] = found
                return found
        return None


class Graph(Positions):
    """The positions found so far and what follows them. Symmetric positions are one, unless told otherwise."""

    def __init__(self, game: Game, *, merge_symmetric: bool = True):
        super().__init__(game, identity(game), merge_symmetric and offers(game, "symmetries"))
        self.mover: array[int] = array("b")
        """For each expanded node who moves; NOBODY at an end."""
        self.score: array[float] = array("d")
        """For each expanded node that is an end its score; 0 elsewhere."""
        self.child: array[int] = array("q")

    def children(self, node: int) -> "array[int]":
        """The numbers of the nodes that follow an expanded one, in the order of `actions`."""
        return self.child[self.first[node] : self.first[node + 1]]

    def explore(self, most: int, told_to_stop: Callable[[], bool] = lambda: False) -> bool:
        """Expands nodes until all are, or `most` positions are known, or it is told to stop; whether all are."""
        self._mend()
        while not self.complete and len(self.states) <= most:
            if told_to_stop():
                break
            self._expand(self.expanded)
        return self.complete

    def _mend(self) -> None:
        """Takes back what Ctrl-C or the end of time left half done: an expanded node has its place in `first`."""
        del self.child[self.first[-1] :]
        del self.mover[self.expanded :]
        del self.score[self.expanded :]

    def _expand(self, node: int) -> None:
        game, state = self.game, self.states[node]
        if game.is_terminal(state):
            mover, score, children = NOBODY, final_score(game, state), []
        else:
            mover, score = mover_of(game, state), 0.0
            children = [self.number(game.result(state, action)) for action in root_actions(game, state)]
        self.child.extend(children)
        self.mover.append(mover)
        self.score.append(score)
        self.first.append(len(self.child))

    def reachable(self, node: int) -> int:
        """How many nodes can be reached from one, itself included."""
        seen = bytearray(len(self.states))
        seen[node] = 1
        waiting = [node]
        for node in waiting:
            for child in self.children(node) if node < self.expanded else ():
                if not seen[child]:
                    seen[child] = 1
                    waiting.append(child)
        return len(waiting)

    def circular(self) -> bool:
        """Whether play can go in circles, as far as the graph has been explored."""
        ready = self._sorted()
        return sum(1 for _ in ready) < self.expanded

    def backwards(self) -> list[int]:
        """All nodes, each after those that follow it where no circle forbids that; those on circles first."""
        order = list(self._sorted())
        placed = set(order)
        return [node for node in range(self.expanded - 1, -1, -1) if node not in placed] + order[::-1]

    def _sorted(self) -> Iterator[int]:
        """The expanded nodes that no circle leads to, each after all that lead to it (Kahn 1962)."""
        expanded = self.expanded
        before = [0] * expanded
        for child in self.child:
            if child < expanded:
                before[child] += 1
        ready = [node for node in range(expanded) if before[node] == 0]
        while ready:
            node = ready.pop()
            yield node
            for child in self.children(node):
                if child < expanded:
                    before[child] -= 1
                    if before[child] == 0:
                        ready.append(child)
