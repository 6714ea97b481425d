"""The slow, obvious truth about matrix games. Nothing here is clever."""

import random
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations, pairwise, product

from gametree.games.matrix.spec import form_of
from gametree.strategic import Form, Mix

Rows = Sequence[Sequence[Fraction]]


def random_form(draw: random.Random, sizes: Sequence[int], most: int) -> Form:
    """A game with whole payoffs from 0 to `most`; few values make degenerate games."""
    cells = 1
    for size in sizes:
        cells *= size
    payoffs = [tuple(Fraction(draw.randint(0, most)) for _ in sizes) for _ in range(cells)]
    return form_of(tuple(sizes), payoffs, [None] * len(sizes), None)


def solve(system: Rows, right: Sequence[Fraction]) -> list[Fraction] | None:
    """The solution of a square system of equations; None where there is not exactly one."""
    rows = [[*row, value] for row, value in zip(system, right)]
    for column in range(len(rows)):
        at = next((row for row in range(column, len(rows)) if rows[row][column]), None)
        if at is None:
            return None
        rows[column], rows[at] = rows[at], rows[column]
        head = rows[column]
        rows[column] = [value / head[column] for value in head]
        for other in range(len(rows)):
            if other != column:
                factor = rows[other][column]
                rows[other] = [a - factor * b for a, b in zip(rows[other], rows[column])]
    return [row[-1] for row in rows]


def polytope(payoffs: Rows) -> dict[tuple[Fraction, ...], set[int]]:
    """All vertices of {z ≥ 0, payoffs·z ≤ 1} but the origin, with what is tight: z_j = 0 is −1 − j, row i is i."""
    size = len(payoffs[0])
    unit = [[Fraction(int(at == one)) for at in range(size)] for one in range(size)]
    inequalities = [([-x for x in row], Fraction(0), -1 - j) for j, row in enumerate(unit)]
    inequalities += [(list(row), Fraction(1), i) for i, row in enumerate(payoffs)]
    found = {}
    for some in combinations(inequalities, size):
        point = solve([row for row, _, _ in some], [bound for _, bound, _ in some])
        if point is None or not any(point):
            continue
        worths = [sum(a * b for a, b in zip(row, point)) for row, _, _ in inequalities]
        if all(worth <= bound for worth, (_, bound, _) in zip(worths, inequalities)):
            found[tuple(point)] = {
                label for worth, (_, bound, label) in zip(worths, inequalities) if worth == bound
            }
    return found


def extreme_equilibria(form: Form) -> set[tuple[Mix, ...]]:
    """The extreme equilibria of a game of two players: pairs of vertices that have every label."""
    low = min(min(vector) for vector in form.payoffs) - 1
    first = [[value - low for value in column] for column in zip(*form.table(1))]
    second = [[value - low for value in row] for row in form.table(0)]
    m, n = form.sizes
    found: set[tuple[Mix, ...]] = set()
    for x, tight_x in polytope(first).items():
        for y, tight_y in polytope(second).items():
            rows = all(-1 - i in tight_x or i in tight_y for i in range(m))
            if rows and all(j in tight_x or -1 - j in tight_y for j in range(n)):
                found.add((scaled(x), scaled(y)))
    return found


def scaled(point: Sequence[Fraction]) -> Mix:
    return tuple(value / sum(point) for value in point)


def payoff(form: Form, mixes: Sequence[Mix], player: int) -> Fraction:
    """What a player gets on average, cell by cell."""
    total = Fraction(0)
    for profile, vector in zip(product(*map(range, form.sizes)), form.payoffs):
        share = Fraction(1)
        for mix, choice in zip(mixes, profile):
            share *= mix[choice]
        total += share * vector[player]
    return total


def is_equilibrium(form: Form, mixes: Sequence[Mix]) -> bool:
    """Nash's definition: no pure strategy of anybody is better."""
    for player, size in enumerate(form.sizes):
        if sum(mixes[player]) != 1 or min(mixes[player]) < 0 or len(mixes[player]) != size:
            return False
        here = payoff(form, mixes, player)
        for choice in range(size):
            alone = tuple(Fraction(int(at == choice)) for at in range(size))
            if payoff(form, [*mixes[:player], alone, *mixes[player + 1 :]], player) > here:
                return False
    return True


def dominated_by_pure(form: Form, left: Sequence[Sequence[int]], player: int, weak: bool) -> set[int]:
    """The choices that another one of the same player dominates, by the definition."""
    others = [some for one, some in enumerate(left) if one != player]
    found = set()
    for choice in left[player]:
        for better in left[player]:
            gains = []
            for rest in product(*others):
                here = (*rest[:player], choice, *rest[player:])
                there = (*rest[:player], better, *rest[player:])
                gains.append(form.payoff(there, player) - form.payoff(here, player))
            if min(gains) > 0 or (weak and min(gains) >= 0 and max(gains) > 0):
                found.add(choice)
    return found


def beliefs(form: Form, player: int, parts: int) -> Iterator[list[Fraction]]:
    """What a player gets from each choice, for all beliefs about the others with this denominator."""
    others = [range(size) for one, size in enumerate(form.sizes) if one != player]
    rests = list(product(*others))
    for cut in combinations(range(parts + len(rests) - 1), len(rests) - 1):
        ends = (-1, *cut, parts + len(rests) - 1)
        shares = [Fraction(b - a - 1, parts) for a, b in pairwise(ends)]
        yield [
            sum(
                (s * form.payoff((*r[:player], choice, *r[player:]), player) for s, r in zip(shares, rests)),
                Fraction(0),
            )
            for choice in range(form.sizes[player])
        ]
