"""The vertices of best-response polytopes {z ≥ 0, M z ≤ 1}, M > 0 in whole numbers, and which of them fit together.

A vertex is known by the set of its tight inequalities, a bit each: z_j ≥ 0 is bit j, row i of M is bit size + i. From
the origin the vertices are visited along edges, in whole frontiers at once and in floating point. Where no more than
`size` inequalities are tight at any vertex the polytope is simple, and then a set of vertices that holds all neighbours
of each of its members is the set of all. That each vertex is one, that nothing else is tight there, and which of them
fit a vertex of the other polytope, is then proven by a bound on the rounding errors. Where the proof fails, as in
every degenerate game, the vertices are found in whole numbers, over the bases of the polytope whose bounds are moved
by powers of an infinitely small number.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from gametree.errors import UnsuitableError
from gametree.search.matrix.tableau import Tableau

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Table = Sequence[Sequence[int]]

_MOST_BITS: Final = 62
_LARGEST: Final = 2**40
"""Larger entries are not trusted to floating point at all."""
_MOST: Final = 300_000
_MOST_EXACT: Final = 15_000
_TINY: Final = 1e-9


def fitting(first: Table, second: Table, most: int = _MOST) -> list[int] | None:
    """The vertices of the first polytope that some vertex of the second completes: each label tight at exactly one.

    None where it is not proven that they are all, or that no vertex has other labels tight as well.

    >>> fitting([[2, 1], [1, 3]], [[2, 1], [1, 3]])
    [6, 9, 12]
    """
    import numpy as np

    size, rows = len(first[0]), len(first)
    if size + rows > _MOST_BITS or max(max(map(max, first)), max(map(max, second))) >= _LARGEST:
        return None
    ours, theirs = np.array(first, dtype=np.float64), np.array(second, dtype=np.float64)
    masks = _walk(ours, most)
    return None if masks is None else _completed(ours, theirs, masks)


def _too_many(most: int) -> UnsuitableError:
    return UnsuitableError(
        f"the game has more than {most:,} vertices to look at, too many to find all equilibria; equilibrium(game)"
        " finds a good one"
    )


# --- in floating point ------------------------------------------------------------------------------


def _walk(table: "NDArray[np.float64]", most: int) -> "NDArray[np.int64] | None":
    """The tight sets of all vertices; None where more than `size` inequalities seem to be tight at one."""
    import numpy as np

    rows, size = table.shape
    # Tableaux lie on their side: a column of the tableau in each row, and the bounds in the last.
    frontier = np.ones((1, size + 1, rows))
    frontier[0, :size] = table.T
    nonbasic = np.int64(1) << np.arange(size, dtype=np.int64)[None, :]
    basic = np.int64(1) << np.arange(size, size + rows, dtype=np.int64)[None, :]
    masks = np.array([(1 << size) - 1], dtype=np.int64)
    seen = masks
    while True:
        # The bounds are above zero: the greatest inverse ratio belongs to the row that leaves.
        leaving = (frontier[:, :size] / frontier[:, size:]).argmax(axis=2)
        out = basic[np.arange(len(masks))[:, None], leaving]
        fresh, first = np.unique((masks[:, None] ^ nonbasic ^ out).ravel(), return_index=True)
        at = np.searchsorted(seen, fresh)
        at[at == len(seen)] = 0
        new = seen[at] != fresh
        masks, first = fresh[new], first[new]
        if not len(masks):
            return seen
        seen = np.sort(np.concatenate([seen, masks]))
        if len(seen) > most:
            raise _too_many(most)
        source, column = np.divmod(first, size)
        row = leaving[source, column]
        here = np.arange(len(masks))
        frontier = frontier[source]
        heads = frontier[here, column]
        pivots = heads[here, row]
        sides = frontier[here, :, row] / pivots[:, None]
        frontier -= sides[:, :, None] * heads[:, None, :]
        frontier[here, column] = heads / -pivots[:, None]
        sides[here, column] = 1 / pivots
        frontier[here, :, row] = sides
        nonbasic, basic = nonbasic[source], basic[source]
        nonbasic[here, column], basic[here, row] = basic[here, row], nonbasic[here, column]
        if frontier[:, size].min() < _TINY:
            return None


class _Solved(NamedTuple):
    """The points where chosen rows are tight and chosen variables are not zero, many at once, with their errors."""

    point: "NDArray[np.float64]"
    error: "NDArray[np.float64]"
    slacks: "NDArray[np.float64]"
    slack_error: "NDArray[np.float64]"


def _completed(
    ours: "NDArray[np.float64]", theirs: "NDArray[np.float64]", masks: "NDArray[np.int64]"
) -> list[int] | None:
    """Which vertices have a partner; None where a sign is not proven."""
    import numpy as np

    rows, size = ours.shape
    bits = (masks[:, None] >> np.arange(size + rows)) & 1 == 1
    counts = size - bits[:, :size].sum(axis=1)
    found: list[int] = []
    for count in range(1, min(rows, size) + 1):
        group = counts == count
        if not group.any():
            continue
        zero, tight = bits[group, :size], bits[group, size:]
        used = np.nonzero(~zero)[1].reshape(-1, count)
        equal = np.nonzero(tight)[1].reshape(-1, count)
        x = _solve(ours, equal, used)
        y = _solve(theirs, used, equal)
        if x is None or y is None:
            return None
        proven = (x.point > x.error).all() and (tight | (x.slacks > x.slack_error)).all()
        fits = (y.point > y.error).all(axis=1) & (~zero | (y.slacks > y.slack_error)).all(axis=1)
        fails = (y.point < -y.error).any(axis=1) | (zero & (y.slacks < -y.slack_error)).any(axis=1)
        if not proven or not (fits | fails).all():
            return None
        found += masks[group][fits].tolist()
    return sorted(found)


def _solve(
    table: "NDArray[np.float64]", tight: "NDArray[np.int64]", used: "NDArray[np.int64]"
) -> _Solved | None:
    """The points at which so many rows are tight and so many variables used; None where a system may be singular.

    With R an approximate inverse of the system A and e = ‖I − RA‖ below 1, A is regular, and the solution of A z = 1
    differs from any z by at most ‖R‖ ‖1 − A z‖ / (1 − e). Norms are greatest row sums; `unit` times the sizes of what
    is added bounds what rounding does to a sum.
    """
    import numpy as np

    count = used.shape[1]
    system = table[tight[:, :, None], used[:, None, :]]
    try:
        inverse = np.linalg.inv(system)
    except np.linalg.LinAlgError:
        return None
    unit = 4 * (len(table[0]) + 2) * np.finfo(np.float64).eps
    point = inverse.sum(axis=2)
    largest = np.abs(point).max(axis=1)
    wide = np.abs(inverse).sum(axis=2).max(axis=1)
    # All entries of the table are above zero.
    high = table.sum(axis=1).max()
    away = np.abs(inverse @ system - np.eye(count)).sum(axis=2).max(axis=1) + unit * (wide * high + 1)
    if not away.max() < 0.5:
        return None
    rounding = unit * (high * largest + 1)
    residual = np.abs((system @ point[:, :, None])[:, :, 0] - 1).max(axis=1) + rounding
    error = 2 * wide * residual / (1 - away)
    whole = np.zeros((len(used), table.shape[1]))
    whole[np.arange(len(used))[:, None], used] = point
    slacks = 1 - whole @ table.T
    return _Solved(point, error[:, None], slacks, (high * error + rounding)[:, None])


# --- in whole numbers -------------------------------------------------------------------------------


def exact_vertices(matrix: Table, most: int = _MOST_EXACT) -> list[int]:
    """The tight sets of all vertices but the origin, of any polytope of this kind, in whole numbers of any length.

    >>> sorted(exact_vertices([[1, 1]]))
    [5, 6]
    """
    start = Tableau(matrix, [1] * len(matrix))
    seen = {frozenset(start.nonbasic)}
    found = set()
    stack = [start]
    while stack:
        here = stack.pop()
        for column in range(here.size):
            at = here.leaving(column)
            assert at is not None, "the polytope is bounded"
            basis = frozenset(here.nonbasic) - {here.nonbasic[column]} | {here.basic[at]}
            if basis in seen:
                continue
            seen.add(basis)
            if len(seen) > most:
                raise _too_many(most)
            there = here.copy()
            there.pivot(at, column)
            found.add(_tight(there))
            stack.append(there)
    return list(found)


def _tight(tableau: Tableau) -> int:
    """The inequalities that are tight at the vertex of a tableau."""
    zeros = [variable for variable, bound in zip(tableau.basic, tableau.bounds) if bound == 0]
    return sum(1 << variable for variable in (*tableau.nonbasic, *zeros))
