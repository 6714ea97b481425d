"""Equilibria of more than two players in which few mix: none, any two, or three between two choices each.

With the supports given an equilibrium solves equations that say that the choices of each support are worth the same
(Dickhaut and Kaplan 1991; Porter, Nudelman and Shoham 2008). They are linear where two mix. Where three mix between two
choices each they come down to one quadratic equation, whose roots need not be fractions.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations, product
from math import isqrt

from gametree.search.matrix.bimatrix import Points, extreme_equilibria
from gametree.strategic import Form, Mix, Profile

_DIGITS = 10**40
_ROUNDING = Fraction(1, 10**30)


def pure_profiles(form: Form) -> Iterator[Profile]:
    """The pure equilibria: everybody's choice is a best response to those of the others."""
    best: list[set[Profile]] = []
    for player in range(form.players):
        marked: set[Profile] = set()
        for rest in product(*(range(one) if at != player else (0,) for at, one in enumerate(form.sizes))):
            marked |= {
                (*rest[:player], choice, *rest[player + 1 :]) for choice in form.best_responses(player, rest)
            }
        best.append(marked)
    yield from sorted(set.intersection(*best))


def two_mixing(form: Form) -> Iterator[tuple[Mix, ...]]:
    """The equilibria in which two players at most mix: of the game between them, and good for the others, too."""
    for pair in combinations(range(form.players), 2):
        others = [(0,) if one in pair else range(size) for one, size in enumerate(form.sizes)]
        for rest in product(*others):
            kept = [range(size) if one in pair else (rest[one],) for one, size in enumerate(form.sizes)]
            part = form.only(kept)
            between = Form(
                tuple(part.names[one] for one in pair),
                tuple(part.choices[one] for one in pair),
                tuple(tuple(vector[one] for one in pair) for vector in part.payoffs),
            )
            points = Points(between)
            for p, q in extreme_equilibria(points)[0]:
                found = {pair[0]: points.x(p), pair[1]: points.y(q)}
                mixes = form.spread(kept, [found.get(one, (Fraction(1),)) for one in range(form.players)])
                if form.is_equilibrium(mixes):
                    yield mixes


def three_mixing(form: Form) -> Iterator[tuple[tuple[Mix, ...], bool]]:
    """The equilibria in which three players mix between two choices each, and whether they are exact."""
    for trio in combinations(range(form.players), 3):
        sides = [
            list(combinations(range(size), 2)) if one in trio else [(choice,) for choice in range(size)]
            for one, size in enumerate(form.sizes)
        ]
        for kept in product(*sides):
            for shares, exact in _interior(form.only(kept), trio):
                found = dict(zip(trio, shares))
                mixes = form.spread(
                    kept,
                    [
                        (found[one], 1 - found[one]) if one in found else (Fraction(1),)
                        for one in range(form.players)
                    ],
                )
                if form.is_equilibrium(mixes) if exact else max(form.gains(mixes)) < _ROUNDING:
                    yield mixes, exact


def _interior(form: Form, trio: Sequence[int]) -> Iterator[tuple[tuple[Fraction, Fraction, Fraction], bool]]:
    """Probabilities of the first choices of three players, at which each finds both of his choices the same."""
    one, two, three = (_indifference(form, trio, at) for at in range(3))
    # one: a + b q + c r + d q r = 0, two: the same in p and r, three: in p and q. From the first r follows from q, and
    # from the last p does: r = −(a + b q) / (c + d q), p = −(a' + c' q) / (b' + d' q).
    r_above, r_below = (-one[0], -one[1]), (one[2], one[3])
    p_above, p_below = (-three[0], -three[2]), (three[1], three[3])
    a, b, c, d = two
    terms = (
        (a, p_below, r_below),
        (b, p_above, r_below),
        (c, p_below, r_above),
        (d, p_above, r_above),
    )
    quadratic = [
        sum((factor * value for factor, value in parts), Fraction(0))
        for parts in zip(
            *([(factor, value) for value in _product(left, right)] for factor, left, right in terms)
        )
    ]
    for q, exact in _roots(quadratic):
        below, under = r_below[0] + r_below[1] * q, p_below[0] + p_below[1] * q
        r = (r_above[0] + r_above[1] * q) / below if below else None
        p = (p_above[0] + p_above[1] * q) / under if under else None
        # Who is the same whatever one opponent does says nothing of this opponent: then the second player does.
        if r is None and p is not None and c + d * p:
            r = -(a + b * p) / (c + d * p)
        if p is None and r is not None and b + d * r:
            p = -(a + c * r) / (b + d * r)
        if p is not None and r is not None and all(0 < share < 1 for share in (p, q, r)):
            yield (p, q, r), exact


def _indifference(form: Form, trio: Sequence[int], at: int) -> tuple[Fraction, Fraction, Fraction, Fraction]:
    """a, b, c, d with a + b s + c t + d s t = 0 where a player finds both choices the same; s and t are the others'."""
    player = trio[at]
    others = [one for one in trio if one != player]

    def ahead(first: int, second: int) -> Fraction:
        profile = [0] * form.players
        profile[others[0]], profile[others[1]] = first, second
        worths = form.against(player, profile)
        return worths[0] - worths[1]

    both, left, right, none = ahead(0, 0), ahead(0, 1), ahead(1, 0), ahead(1, 1)
    return none, left - none, right - none, both - left - right + none


def _product(left: tuple[Fraction, Fraction], right: tuple[Fraction, Fraction]) -> tuple[Fraction, ...]:
    return left[0] * right[0], left[0] * right[1] + left[1] * right[0], left[1] * right[1]


def _roots(quadratic: Sequence[Fraction]) -> Iterator[tuple[Fraction, bool]]:
    """The roots of c + b x + a x², each with whether it is exact; none where all three are zero."""
    c, b, a = quadratic
    if not a:
        if b:
            yield -c / b, True
        return
    inside = b * b - 4 * a * c
    if inside < 0:
        return
    top, bottom = isqrt(inside.numerator), isqrt(inside.denominator)
    exact = top * top == inside.numerator and bottom * bottom == inside.denominator
    root = Fraction(top, bottom) if exact else _square_root(inside)
    for signed in {root, -root}:
        yield (-b + signed) / (2 * a), exact


def _square_root(value: Fraction) -> Fraction:
    return Fraction(isqrt(value.numerator * _DIGITS**2 // value.denominator), _DIGITS)
