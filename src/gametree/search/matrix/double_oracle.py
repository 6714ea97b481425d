"""Double oracle with alpha-beta bounds, for zero-sum games of two players with simultaneous moves that end.

B. Bošanský, V. Lisý, J. Čermák, R. Vítek & M. Pěchouček, Using Double-Oracle Method and Serialized Alpha-Beta Search
for Pruning in Simultaneous Move Games, IJCAI 2013. A state is worth at least what player 0 gets where he chooses first
and the other answers, here and ever after; and at most what he gets where he answers. Both are values of games with
perfect information, which alpha-beta finds. Where they meet, a state is solved without a matrix. Else a matrix of a few
choices is solved, and a choice is added where it would gain; one that gains nothing by its bounds is not looked at.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

from gametree.arguments import whole
from gametree.errors import UnsuitableError
from gametree.game import Game, check_state
from gametree.search.matrix.markov import JointGraph, Markov, Opened, Stage, require_zero_sum
from gametree.search.matrix.zero_sum import zero_sum
from gametree.strategic import Mix

INFINITE: Final = Fraction(10**400)
"""Beyond every payoff, which are floats."""


def double_oracle(game: Game, state: Any = None, *, most_states: int = 100_000) -> Markov:
    """Solves a zero-sum game of two players with simultaneous moves that ends, looking at as little as it needs.

    Exact, as `shapley` is; but only the states that were needed have a value and strategies.

    >>> from gametree.games.matrix.classics import MatchingPennies
    >>> from gametree.games.matrix.repeated import Repeated
    >>> print(double_oracle(Repeated(MatchingPennies(), rounds=2)))
    value 0; A: 1/2 heads + 1/2 tails; B: 1/2 heads + 1/2 tails
    5 states, by double oracle with alpha-beta bounds, 21 states seen
    """
    require_zero_sum(game, "double_oracle")
    whole("most_states", most_states)
    root = check_state(game, state)
    search = _Search(game, root, most_states)
    try:
        search.solve(0)
    except RecursionError:
        raise UnsuitableError(
            f"{type(game).__name__} goes on for longer than double_oracle follows it: use shapley(game)"
        ) from None
    stages = tuple(
        Stage(search.graph.states[at], one.value, one.mixes, search.opened[at].choice)
        for at, one in search.solved.items()
    )
    method = f"double oracle with alpha-beta bounds, {len(search.graph.states):,} states seen"
    return Markov(game, root, stages, 0.0, 1, 1.0, method)


@dataclass(frozen=True)
class _Solved:
    value: Fraction
    mixes: tuple[Mix, ...]


class _Search:
    """What is known of the states so far."""

    def __init__(self, game: Game, root: Any, most: int):
        self.graph = JointGraph(game, root, most)
        self.opened: dict[int, Opened] = {}
        self.solved: dict[int, _Solved] = {}
        self._bounds: dict[tuple[int, int], tuple[Fraction, Fraction]] = {}
        """For a state and who chooses first: between which two numbers its serialized value lies."""
        self._path: set[tuple[int, int]] = set()

    def _open(self, at: int) -> Opened:
        found = self.opened.get(at)
        if found is None:
            found = self.opened[at] = self.graph.open(at)
        return found

    # --- bounds ---------------------------------------------------------------------------------------

    def low(self, at: int) -> Fraction:
        """What the state is worth where player 0 always chooses first: at most its value."""
        return self.serialized(at, -INFINITE, INFINITE, 0)

    def high(self, at: int) -> Fraction:
        """What it is worth where player 1 always chooses first: at least its value."""
        return self.serialized(at, -INFINITE, INFINITE, 1)

    def serialized(self, at: int, alpha: Fraction, beta: Fraction, first: int) -> Fraction:
        """The value where one player always chooses first and the other sees it, by alpha-beta.

        Within (alpha, beta) it is exact; at most alpha it is an upper bound, at least beta a lower one.
        """
        assert alpha < beta
        key = at, first
        least, most = self._bounds.get(key, (-INFINITE, INFINITE))
        if least == most or least >= beta:
            return least
        if most <= alpha:
            return most
        if key in self._path:
            raise UnsuitableError(
                f"{type(self.graph.game).__name__} can come back to a state: use shapley(game, discount=0.9)"
            )
        self._path.add(key)
        here = self._open(at)
        value = here.reward + self._following(here, alpha - here.reward, beta - here.reward, first)
        self._path.discard(key)
        # By now the bounds may be better than before: a chance node asks for exact values.
        self._bounds[key] = (
            max(least, value) if value > alpha else least,
            min(most, value) if value < beta else most,
        )
        return value

    def _following(self, here: Opened, alpha: Fraction, beta: Fraction, first: int) -> Fraction:
        if here.choice is None:
            return sum(
                (odds * self.serialized(one, -INFINITE, INFINITE, first) for one, odds in here.after),
                Fraction(0),
            )
        table = here.table([one for one, _ in here.after])
        if first == 0:
            best = -INFINITE
            for row in table:
                worst = INFINITE
                for one in row:
                    worst = min(worst, self.serialized(one, max(alpha, best), min(beta, worst), first))
                    if worst <= max(alpha, best):
                        break
                best = max(best, worst)
                if best >= beta:
                    break
            return best
        worst = INFINITE
        for column in zip(*table):
            best = -INFINITE
            for one in column:
                best = max(best, self.serialized(one, max(alpha, best), min(beta, worst), first))
                if best >= min(beta, worst):
                    break
            worst = min(worst, best)
            if worst <= alpha:
                break
        return worst

    # --- values ---------------------------------------------------------------------------------------

    def value(self, at: int) -> Fraction:
        """The value of a state, without a matrix where its bounds meet."""
        if at in self.solved:
            return self.solved[at].value
        low = self.low(at)
        return low if low == self.high(at) else self.solve(at)

    def solve(self, at: int) -> Fraction:
        """The value of a state with the strategies of both, by double oracle."""
        known = self.solved.get(at)
        if known is not None:
            return known.value
        here = self._open(at)
        value = here.reward
        mixes: tuple[Mix, ...] = ()
        if here.choice is None:
            value += sum((odds * self.value(one) for one, odds in here.after), Fraction(0))
        else:
            table = here.table([one for one, _ in here.after])
            worth, *both = self._double_oracle(table)
            value += worth
            mixes = tuple(both[player] for player in here.choice.players)
        self.solved[at] = _Solved(value, mixes)
        return value

    def _double_oracle(self, table: list[list[int]]) -> tuple[Fraction, Mix, Mix]:
        """The value of a matrix of states, and optimal strategies, of a part of it that nobody gains by leaving."""
        rows = [max(range(len(table)), key=lambda i: min(map(self.low, table[i])))]
        columns = [min(range(len(table[0])), key=lambda j: max(self.high(row[j]) for row in table))]
        while True:
            value, x, y = zero_sum([[self.value(table[i][j]) for j in columns] for i in rows])
            row = self._gaining([[line[j] for j in columns] for line in table], y, value, rows, 1)
            column = self._gaining(
                [[table[i][j] for i in rows] for j in range(len(table[0]))], x, value, columns, -1
            )
            if row is None and column is None:
                return value, _spread(x, rows, len(table)), _spread(y, columns, len(table[0]))
            rows += [] if row is None else [row]
            columns += [] if column is None else [column]

    def _gaining(
        self, choices: list[list[int]], against: Mix, value: Fraction, known: list[int], sign: int
    ) -> int | None:
        """The choice by which a player gains most, of those that are not in the matrix yet; None where none gains."""
        bound = self.high if sign > 0 else self.low
        best, found = sign * value, None
        for choice, line in enumerate(choices):
            if choice in known:
                continue
            met = [(one, p) for one, p in zip(line, against) if p]
            if sign * sum((p * bound(one) for one, p in met), Fraction(0)) <= best:
                continue
            worth = sign * sum((p * self.value(one) for one, p in met), Fraction(0))
            if worth > best:
                best, found = worth, choice
        return found


def _spread(mix: Mix, choices: list[int], size: int) -> Mix:
    """A mixture of some choices as one of all."""
    at = dict(zip(choices, mix))
    return tuple(at.get(choice, Fraction(0)) for choice in range(size))
