"""The graph of a game with chance: every position where a player moves, each once, and what each action leads to.

Chance nodes and ends have no number of their own: an action leads with certain probabilities to positions, and what it
ends with at once is a constant. Everything is seen from the player to move, less half of what there is to share, so
that what one player has the other lacks: a position where the other moves counts with a minus sign. So a position is
worth the greatest of

    constant[action] + Σ weight[edge] · worth of child[edge]

over its actions. Positions that are the same to the player who moves there are one, where the game tells (`value_key`).

    number of a position   0       1 …       first[position]   where its actions begin; behind the last, where they end
    number of an action    0   1   2 …       begins[action]    where its edges begin
    number of an edge      0 1 2 3 …         child[…], weight[…]
"""

import math
from array import array
from collections.abc import Callable
from typing import Any, Final

from gametree.errors import RulesError
from gametree.game import CHANCE, Game, offers
from gametree.search.core.plays import CLOSE, odds_problem, root_actions
from gametree.search.solve.graph import NOBODY, Positions, identity, mover_of

MOST_THROWS: Final = 100
"""More chance nodes in a row are taken for a circle of dice."""

Prospect = tuple[float, dict[int, float]]
"""What is certain, and the positions that follow with their weights."""


class ChanceGraph(Positions):
    """The positions found so far and what follows them."""

    def __init__(self, game: Game):
        assert game.total is not None
        same = game.value_key if offers(game, "value_key") else identity(game)
        super().__init__(game, same, offers(game, "symmetries"))
        self.half: float = game.total / 2
        self.begins: array[int] = array("q", [0])
        self.constant: array[float] = array("d")
        self.child: array[int] = array("q")
        self.weight: array[float] = array("d")
        self.greatest: float = 0.0
        """How far from half the farthest end is."""
        self.begun: int = 0
        """How many positions there were when exploring began: the first ones."""

    def knows(self, state: Any) -> bool:
        """Whether all positions that follow a state once the dice are thrown have been seen."""
        numbers = self.prospect(state, 0, lambda s: -1 if (found := self.find(s)) is None else found)[1]
        return -1 not in numbers

    def explore(self, most: int, told_to_stop: Callable[[], bool] = lambda: False) -> bool:
        """Expands positions until all are, or `most` are known, or it is told to stop; whether all are."""
        self._mend()
        self.begun = self.begun or len(self.states)
        while not self.complete and len(self.states) <= most:
            if told_to_stop():
                break
            self._expand(self.states[self.expanded])
        return self.complete

    def _mend(self) -> None:
        """Takes back what Ctrl-C left half done: a position is expanded when it has its place in `first`."""
        actions = self.first[-1]
        del self.constant[actions:]
        del self.begins[actions + 1 :]
        del self.child[self.begins[-1] :]
        del self.weight[self.begins[-1] :]

    def _expand(self, state: Any) -> None:
        game = self.game
        player = mover_of(game, state)
        actions = [
            self.prospect(game.result(state, action), player, self.number)
            for action in root_actions(game, state)
        ]
        for certain, follow in actions:
            self.constant.append(certain)
            self.child.extend(follow)
            self.weight.extend(follow.values())
            self.begins.append(len(self.child))
        self.first.append(len(self.constant))

    def prospect(self, state: Any, player: int, number: Callable[[Any], int]) -> Prospect:
        """What a state means to a player: the dice are thrown, and ends are counted."""
        certain, follow = 0.0, dict[int, float]()
        for end, who, chance in self._thrown(state, 1.0, 0):
            if who == NOBODY:
                certain += chance * self._payoff(end, player)
                continue
            node = number(end)
            follow[node] = follow.get(node, 0.0) + (chance if who == player else -chance)
        return certain, follow

    def _thrown(self, state: Any, chance: float, throws: int) -> list[tuple[Any, int, float]]:
        """The states that follow once no more dice are thrown, each with who moves there and its probability."""
        game = self.game
        if game.is_terminal(state):
            return [(state, NOBODY, chance)]
        who = game.player(state)
        if who != CHANCE:
            return [(state, who if who in (0, 1) else mover_of(game, state), chance)]
        if throws >= MOST_THROWS:
            raise RulesError(
                f"{type(game).__name__}: chance follows on chance more than {MOST_THROWS:,} times, up to {state!r}"
            )
        found: list[tuple[Any, int, float]] = []
        total = 0.0
        for outcome, probability in game.chance(state):
            odds = float(probability)
            if odds > 0:
                found += self._thrown(game.result(state, outcome), chance * odds, throws + 1)
            elif odds != 0:
                raise odds_problem(game, state, ())
            total += odds
        if abs(total - 1) > CLOSE:
            raise odds_problem(game, state, ())
        return found

    def _payoff(self, state: Any, player: int) -> float:
        payoff = float(self.game.utility(state, 0))
        if not math.isfinite(payoff):
            raise RulesError(f"{type(self.game).__name__}.utility returned {payoff} at {state!r}")
        mine = payoff - self.half if player == 0 else self.half - payoff
        self.greatest = max(self.greatest, abs(mine))
        return mine

    def reachable(self, state: Any) -> int:
        """How many positions can be reached from a state, itself included."""
        waiting = list(self.prospect(state, 0, self.number)[1])
        seen = set(waiting)
        for node in waiting:
            new = set(self.children(node)) - seen
            seen |= new
            waiting += new
        return len(waiting)

    def children(self, node: int) -> "array[int]":
        """The numbers of the positions that can follow an expanded one, as often as they do."""
        return self.child[self.begins[self.first[node]] : self.begins[self.first[node + 1]]]

    def in_circles(self) -> bool:
        """Whether play can go in circles (Kahn 1962)."""
        before = [0] * len(self)
        for child in self.child:
            before[child] += 1
        ready = [node for node in range(len(self)) if before[node] == 0]
        for node in ready:
            for child in self.children(node):
                before[child] -= 1
                if before[child] == 0:
                    ready.append(child)
        return len(ready) < len(self)
