"""All equilibria of a bimatrix game: vertices that fit together, and the components that they span.

A pair of vertices of the best-response polytopes is an equilibrium where every label is tight at one of them
(Mangasarian 1964). In a degenerate game the equilibria may be infinitely many: they are the products of hulls of
vertices all of which fit together (maximal Nash subsets), and those that touch form a component (Winkels 1979; Avis,
Rosenberg, Savani and von Stengel 2010).
"""

from collections.abc import Sequence
from fractions import Fraction
from math import lcm

from gametree.errors import UnsuitableError
from gametree.search.matrix.lemke_howson import positive
from gametree.search.matrix.vertices import exact_vertices, fitting
from gametree.strategic import Form, Mix

_MOST_SUBSETS = 20_000

Clique = tuple[tuple[int, ...], tuple[int, ...]]


def extreme_equilibria(points: "Points") -> tuple[list[tuple[int, int]], bool]:
    """The extreme equilibria of a game of two players, as pairs of sets of labels, and whether the game is degenerate.

    A label is a bit: the rows first, then the columns.
    """
    m, n, first, second = points.m, points.n, points.first, points.second
    every = (1 << m + n) - 1
    found = fitting(first, second)
    if found is not None:
        return [(p, every ^ p) for p in found], False
    low = (1 << n) - 1
    ps = exact_vertices(first)
    # In Q the columns come first; as labels they come after the rows.
    qs = [tight >> n | (tight & low) << m for tight in exact_vertices(second)]
    degenerate = any(p.bit_count() > m for p in ps) or any(q.bit_count() > n for q in qs)
    return sorted((p, q) for p in ps for q in qs if p | q == every), degenerate


class Points:
    """The strategies that belong to sets of labels, each solved for once."""

    def __init__(self, form: Form):
        self.m: int
        self.n: int
        self.m, self.n = form.sizes
        self.first: list[list[int]] = [list(column) for column in zip(*positive(form.table(1)))]
        self.second: list[list[int]] = positive(form.table(0))
        self._x: dict[int, Mix] = {}
        self._y: dict[int, Mix] = {}

    def x(self, labels: int) -> Mix:
        """The strategy of the first player at a vertex of P."""
        if labels not in self._x:
            used = [row for row in range(self.m) if not labels >> row & 1]
            tight = [column for column in range(self.n) if labels >> self.m + column & 1]
            self._x[labels] = _solved(self.first, used, tight, self.m)
        return self._x[labels]

    def y(self, labels: int) -> Mix:
        """The strategy of the second player at a vertex of Q."""
        if labels not in self._y:
            used = [column for column in range(self.n) if not labels >> self.m + column & 1]
            tight = [row for row in range(self.m) if labels >> row & 1]
            self._y[labels] = _solved(self.second, used, tight, self.n)
        return self._y[labels]

    def is_equilibrium(self, x: Mix, y: Mix) -> bool:
        """Whether no pure choice does better: the definition, in whole numbers."""
        xs, ys = _whole(x), _whole(y)
        if min(xs) < 0 or min(ys) < 0 or not sum(xs) or not sum(ys):
            return False
        return _is_best(self.second, xs, ys) and _is_best(self.first, ys, xs)


def _is_best(table: list[list[int]], mine: list[int], theirs: list[int]) -> bool:
    worths = [sum(map(int.__mul__, row, theirs)) for row in table]
    best = max(worths)
    return all(worth == best for worth, share in zip(worths, mine) if share)


def _whole(mix: Mix) -> list[int]:
    factor = lcm(*(share.denominator for share in mix))
    return [share.numerator * (factor // share.denominator) for share in mix]


def _solved(matrix: list[list[int]], used: list[int], tight: list[int], size: int) -> Mix:
    """The point where the used variables make the tight rows equal to 1, scaled to sum to 1.

    Gaussian elimination without fractions (Bareiss). Rows that say nothing new are left out.
    """
    system = [[*(matrix[row][column] for column in used), 1] for row in tight]
    count, divisor, done = len(used), 1, 0
    for column in range(count):
        at = next(row for row in range(done, len(system)) if system[row][column])
        system[done], system[at] = system[at], system[done]
        head = system[done]
        p = head[column]
        for row, other in enumerate(system):
            if row != done:
                factor = other[column]
                system[row] = [(x * p - factor * y) // divisor for x, y in zip(other, head)]
        divisor = p
        done += 1
    # Each variable is its right-hand side over the common divisor; scaled to sum to 1 the divisor goes.
    values = [system[row][count] for row in range(count)]
    total = sum(values)
    mix = [Fraction(0)] * size
    for column, value in zip(used, values):
        mix[column] = Fraction(value, total)
    return tuple(mix)


# --- components -------------------------------------------------------------------------------------


def components(pairs: Sequence[tuple[int, int]]) -> list[tuple[list[int], list[Clique]]]:
    """The connected components of a set of extreme equilibria: the numbers of their pairs, and their Nash subsets.

    A subset is all of the first against all of the second, by labels.
    """
    rows: dict[int, set[int]] = {}
    columns: dict[int, set[int]] = {}
    for p, q in pairs:
        rows.setdefault(p, set()).add(q)
        columns.setdefault(q, set()).add(p)
    found: list[tuple[list[int], list[Clique]]] = []
    left = dict.fromkeys(rows)
    while left:
        start = next(iter(left))
        some: dict[int, None] = {start: None}
        stack = [start]
        while stack:
            for q in rows[stack.pop()]:
                for p in columns[q]:
                    if p not in some:
                        some[p] = None
                        stack.append(p)
        for p in some:
            del left[p]
        members = [at for at, (p, _) in enumerate(pairs) if p in some]
        found.append((members, _maximal([pairs[at] for at in members], rows, columns)))
    return found


def _maximal(
    pairs: Sequence[tuple[int, int]], rows: dict[int, set[int]], columns: dict[int, set[int]]
) -> list[Clique]:
    """The maximal sets of pairs in which every first fits every second: closed sets under intersection."""
    order = {pair: at for at, pair in enumerate(dict.fromkeys(p for p, _ in pairs))}
    sets = {frozenset(rows[p]) for p in order}
    stack = list(sets)
    single = list(sets)
    while stack:
        one = stack.pop()
        for other in single:
            both = one & other
            if both and both not in sets:
                sets.add(both)
                stack.append(both)
                if len(sets) > _MOST_SUBSETS:
                    raise UnsuitableError(
                        f"the game is degenerate with more than {_MOST_SUBSETS:,} Nash subsets; equilibrium(game)"
                        " finds a good equilibrium"
                    )
    cliques = []
    for theirs in sets:
        mine = frozenset.intersection(*(frozenset(columns[q]) for q in theirs))
        cliques.append((tuple(sorted(mine, key=order.__getitem__)), tuple(sorted(theirs))))
    return sorted(cliques, key=lambda clique: [order[p] for p in clique[0]])
