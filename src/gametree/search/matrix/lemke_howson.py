"""One equilibrium of a bimatrix game (Lemke and Howson 1964), with the lexicographic rule for degenerate games.

The best-response polytopes are P = {x ≥ 0, Bᵀx ≤ 1} and Q = {y ≥ 0, Ay ≤ 1}. Each inequality has a label: the rows
of the game, then its columns. A pair of vertices that has all labels is an equilibrium, once x and y are scaled to sum
to 1, or the pair of origins. From there a label is dropped, and the path of pairs that have all the others ends at
another one.
"""

from collections.abc import Sequence
from fractions import Fraction

from gametree.search.matrix.tableau import Tableau, whole
from gametree.strategic import Form, Mix


def positive(table: Sequence[Sequence[Fraction]]) -> list[list[int]]:
    """The payoffs of one player as whole numbers above zero: the same game to him, on another scale.

    >>> positive([[Fraction(0), Fraction(-1, 2)]])
    [[2, 1]]
    """
    rows, _ = whole(table)
    low = min(map(min, rows))
    return [[value - low + 1 for value in row] for row in rows]


def lemke_howson(form: Form, label: int = 0) -> tuple[Mix, Mix]:
    """An equilibrium of a game of two players: the end of the path along which a label is missing.

    The labels are the rows, from 0, then the columns.
    """
    m, n = form.sizes
    first = [list(column) for column in zip(*positive(form.table(1)))]
    second = positive(form.table(0))
    # Variables of P: x has the labels of rows, the slacks those of columns. Of Q: y of columns, slacks of rows.
    p = Tableau(first, [1] * n)
    q = Tableau(second, [1] * m)
    in_p = label < m
    entering = label
    while True:
        if in_p:
            left = p.enter(entering)
            assert left is not None, "the polytope is bounded"
            missing = left
        else:
            left = q.enter(entering - m if entering >= m else entering + n)
            assert left is not None, "the polytope is bounded"
            missing = left + m if left < n else left - n
        if missing == label:
            break
        entering, in_p = missing, not in_p
    return scaled(p.point()), scaled(q.point())


def scaled(point: Sequence[Fraction]) -> Mix:
    """A point as probabilities."""
    total = sum(point, Fraction(0))
    return tuple(value / total for value in point)
