"""The value of a zero-sum game by linear programming (von Neumann 1928, Dantzig 1951), exactly."""

from collections.abc import Sequence
from fractions import Fraction

from gametree.search.matrix.tableau import maximum
from gametree.strategic import Mix


def zero_sum(table: Sequence[Sequence[Fraction]]) -> tuple[Fraction, Mix, Mix]:
    """The value to the row player, who maximises, and an optimal strategy of each: a saddle point where there is one.

    >>> zero_sum([[Fraction(1), Fraction(-1)], [Fraction(-1), Fraction(1)]])
    (Fraction(0, 1), (Fraction(1, 2), Fraction(1, 2)), (Fraction(1, 2), Fraction(1, 2)))
    """
    rows, columns = len(table), len(table[0])
    lows = [min(row) for row in table]
    highs = [max(column) for column in zip(*table)]
    if max(lows) == min(highs):
        return (
            max(lows),
            _certain(lows.index(max(lows)), rows),
            _certain(highs.index(min(highs)), columns),
        )
    # With all payoffs above 0 the programme is max Σy where A y ≤ 1, and the value is the inverse of the maximum.
    shift = 1 - min(lows)
    above = [[value + shift for value in row] for row in table]
    one = Fraction(1)
    total, y, x = maximum(above, [one] * rows, [one] * columns)
    return 1 / total - shift, tuple(value / total for value in x), tuple(value / total for value in y)


def _certain(choice: int, size: int) -> Mix:
    return tuple(Fraction(int(at == choice)) for at in range(size))
