"""Simplex tableaux in whole numbers: pivots without fractions and without rounding.

The tableau stands for the equations x_B + T x_N = b: the basic variables by the nonbasic ones. All its numbers have
one denominator, a determinant, so that a pivot divides without remainder (Edmonds 1967, Bareiss 1968). Ties between
rows are broken by the lexicographic rule (Dantzig, Orden and Wolfe 1955), so that no sequence of pivots ever returns.
"""

from collections.abc import Sequence
from fractions import Fraction
from math import lcm


class Tableau:
    """The polyhedron M x ≤ b, x ≥ 0 with b ≥ 0, at one of its vertices. It begins at x = 0.

    The variables x are numbered from 0; those after them are the slacks of the rows of M.
    """

    __slots__ = ("basic", "bounds", "denominator", "nonbasic", "rows", "size")

    def __init__(self, rows: Sequence[Sequence[int]], bounds: Sequence[int]):
        self.size: int = len(rows[0])
        self.rows: list[list[int]] = [list(row) for row in rows]
        self.bounds: list[int] = list(bounds)
        self.denominator: int = 1
        self.nonbasic: list[int] = list(range(self.size))
        """The variable of each column."""
        self.basic: list[int] = list(range(self.size, self.size + len(rows)))
        """The variable of each row."""

    def copy(self) -> "Tableau":
        other: Tableau = object.__new__(Tableau)
        other.size, other.denominator = self.size, self.denominator
        other.rows, other.bounds = [row[:] for row in self.rows], self.bounds[:]
        other.nonbasic, other.basic = self.nonbasic[:], self.basic[:]
        return other

    def leaving(self, column: int) -> int | None:
        """The row whose variable leaves when that of a column enters; None where nothing bounds it."""
        best: int | None = None
        for at, row in enumerate(self.rows):
            if row[column] > 0 and (best is None or self._is_earlier(at, best, column)):
                best = at
        return best

    def _is_earlier(self, one: int, other: int, column: int) -> bool:
        """Whether the ratio of a row is lexicographically smaller: its bound, then its entries at the slacks."""
        mine, theirs = self.rows[one], self.rows[other]
        here, there = mine[column], theirs[column]
        left, right = self.bounds[one] * there, self.bounds[other] * here
        if left != right:
            return left < right
        where = {variable: at for at, variable in enumerate(self.nonbasic)}
        for slack in range(self.size, self.size + len(self.rows)):
            at = where.get(slack)
            if at is not None:
                left, right = mine[at] * there, theirs[at] * here
            else:
                left = there * self.denominator if self.basic[one] == slack else 0
                right = here * self.denominator if self.basic[other] == slack else 0
            if left != right:
                return left < right
        raise AssertionError("two rows of a basis are never in proportion")

    def pivot(self, at: int, column: int) -> None:
        """Exchanges the variable of a row for that of a column."""
        row = self.rows[at]
        p, d = row[column], self.denominator
        bound = self.bounds[at]
        for one, other in enumerate(self.rows):
            if one == at:
                continue
            factor = other[column]
            if factor:
                self.rows[one] = new = [(x * p - factor * y) // d for x, y in zip(other, row)]
                new[column] = -factor
                self.bounds[one] = (self.bounds[one] * p - factor * bound) // d
            elif p != d:
                self.rows[one] = [x * p // d for x in other]
                self.bounds[one] = self.bounds[one] * p // d
        row[column] = d
        self.denominator = p
        self.basic[at], self.nonbasic[column] = self.nonbasic[column], self.basic[at]

    def enter(self, variable: int) -> int | None:
        """Brings a nonbasic variable into the basis; the one that leaves, or None where nothing bounds it."""
        column = self.nonbasic.index(variable)
        at = self.leaving(column)
        if at is None:
            return None
        left = self.basic[at]
        self.pivot(at, column)
        return left

    def point(self) -> list[Fraction]:
        """The vertex: the values of the variables x."""
        values = [Fraction(0)] * self.size
        for variable, bound in zip(self.basic, self.bounds):
            if variable < self.size:
                values[variable] = Fraction(bound, self.denominator)
        return values


def whole(rows: Sequence[Sequence[Fraction]]) -> tuple[list[list[int]], int]:
    """The rows times the least number that makes all of them whole, and that number.

    >>> whole([[Fraction(1, 2), Fraction(2, 3)]])
    ([[3, 4]], 6)
    """
    factor = lcm(*(value.denominator for row in rows for value in row))
    return [[value.numerator * (factor // value.denominator) for value in row] for row in rows], factor


def maximum(
    rows: Sequence[Sequence[Fraction]], bounds: Sequence[Fraction], worth: Sequence[Fraction]
) -> tuple[Fraction, list[Fraction], list[Fraction]]:
    """The linear programme max worth·x with rows·x ≤ bounds, x ≥ 0, where bounds ≥ 0: value, x, and the dual solution.

    >>> maximum([[Fraction(1), Fraction(2)]], [Fraction(4)], [Fraction(1), Fraction(1)])[:2]
    (Fraction(4, 1), [Fraction(4, 1), Fraction(0, 1)])
    """
    # A row for the worth stands at the end; it never leaves.
    scaled = [whole([[*row, bound]])[0][0] for row, bound in zip(rows, bounds)]
    (aim,), factor = whole([worth])
    tableau = Tableau([row[:-1] for row in scaled], [row[-1] for row in scaled])
    scales = [Fraction(_scale(row, bound)) for row, bound in zip(rows, bounds)]
    costs = [-value for value in aim]
    gained = 0
    while True:
        # The greatest improvement per unit, the first of equals.
        column = min(range(len(costs)), key=costs.__getitem__)
        if costs[column] >= 0:
            break
        at = tableau.leaving(column)
        if at is None:
            raise ArithmeticError("the linear programme has no maximum")
        row, bound = tableau.rows[at][:], tableau.bounds[at]
        p, d, factor_here = row[column], tableau.denominator, costs[column]
        tableau.pivot(at, column)
        costs = [(x * p - factor_here * y) // d for x, y in zip(costs, row)]
        costs[column] = -factor_here
        gained = (gained * p - factor_here * bound) // d
    below = tableau.denominator * factor
    dual = [Fraction(0)] * len(rows)
    for variable, cost in zip(tableau.nonbasic, costs):
        if variable >= tableau.size:
            slack = variable - tableau.size
            dual[slack] = Fraction(cost, below) * scales[slack]
    return Fraction(gained, below), tableau.point(), dual


def _scale(row: Sequence[Fraction], bound: Fraction) -> int:
    return lcm(bound.denominator, *(value.denominator for value in row))
