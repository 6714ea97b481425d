"""The equilibria of games in which everybody chooses once: all of them, the pure ones, a good one."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from math import comb, prod
from typing import Any

from gametree.errors import UnsuitableError
from gametree.game import Game
from gametree.search.matrix.bimatrix import Points, components, extreme_equilibria
from gametree.search.matrix.dominance import dominated, maxima
from gametree.search.matrix.joint import form_of
from gametree.search.matrix.lemke_howson import lemke_howson
from gametree.search.matrix.results import Component, Equilibria, Equilibrium, plural
from gametree.search.matrix.supports import pure_profiles, three_mixing, two_mixing
from gametree.search.matrix.zero_sum import zero_sum
from gametree.strategic import Form, Mix

_MOST_CHOICES = 12
"""Up to so many choices a player all equilibria are compared for a good one."""
_MOST_PATHS = 24
_MOST_SUPPORTS = 100_000


def pure_equilibria(game: Game | Form, state: Any = None) -> tuple[Equilibrium, ...]:
    """The equilibria in which nobody mixes.

    >>> from gametree.games.matrix.game import Matrix
    >>> print(*pure_equilibria(Matrix.parse("A/B silent betray; silent -1,-1 -3,0; betray 0,-3 -2,-2")))
    A: betray; B: betray → -2, -2
    """
    form = form_of(game, state)
    return tuple(Equilibrium(form, form.pure(one), "best responses") for one in pure_profiles(form))


def equilibria(game: Game | Form, state: Any = None) -> Equilibria:
    """All equilibria of a game of two players, in exact fractions; of more players those in which few mix.

    Two players: by vertex enumeration. Where a game is degenerate its equilibria may be infinitely many; they come as
    components, each by its extreme equilibria. More players: those in which two mix at most, or three between two
    choices each; `note` says so.

    >>> from gametree.games.matrix.game import Matrix
    >>> print(equilibria(Matrix.parse("A/B opera fight; opera 2,1 0,0; fight 0,0 1,2")))
    3 equilibria
      A: opera; B: opera → 2, 1
      A: fight; B: fight → 1, 2
      A: 2/3 opera + 1/3 fight; B: 1/3 opera + 2/3 fight → 2/3, 2/3
    by vertex enumeration
    """
    form = form_of(game, state)
    if form.players == 1:
        best = max(form.payoffs)
        points = [form.pure((at,)) for at, vector in enumerate(form.payoffs) if vector == best]
        return _listed(form, points, "comparison", len(points) > 1, True, "")
    return _of_two(form) if form.players == 2 else _of_more(form)


def _of_two(form: Form) -> Equilibria:
    points = Points(form)
    pairs, degenerate = extreme_equilibria(points)
    method = "vertex enumeration"
    solved = {pair: Equilibrium(form, (points.x(pair[0]), points.y(pair[1])), method) for pair in pairs}
    for one in solved.values():
        assert points.is_equilibrium(*one.mixes), "an equilibrium holds by definition"
    found = []
    for members, cliques in components(pairs):
        subsets = tuple(
            (tuple(map(points.x, mine)), tuple(map(points.y, theirs))) for mine, theirs in cliques
        )
        found.append(Component(tuple(solved[pairs[at]] for at in members), subsets))
    return Equilibria(form, tuple(sorted(found, key=_plainest)), degenerate, True, method)


def _plainest(component: Component) -> tuple[bool, int, tuple[Any, ...]]:
    """Single equilibria first, those with small supports before others, then in the order of the choices."""
    first = component.equilibria[0]
    return not component.is_point, sum(map(len, first.supports)), first.supports


def _of_more(form: Form) -> Equilibria:
    found: dict[tuple[Mix, ...], bool] = dict.fromkeys(map(form.pure, pure_profiles(form)), True)
    looked = ["nobody mixes"]
    cells = prod(form.sizes)
    if cells * form.players**2 <= _MOST_SUPPORTS and max(form.sizes) <= _MOST_CHOICES:
        found |= dict.fromkeys(two_mixing(form), True)
        looked = ["two players mix at most"]
    trios = sum(
        prod(comb(form.sizes[one], 2) for one in trio) for trio in combinations(range(form.players), 3)
    )
    if trios * cells <= _MOST_SUPPORTS:
        found |= dict(three_mixing(form))
        looked.append("three mix between two choices each")
    degenerate = any(_has_spare_best_responses(form, mixes) for mixes, exact in found.items() if exact)
    # Almost every game has an odd number of equilibria (Wilson 1971): where it is even, some are missing.
    odd = len(found) % 2 == 1
    complete = max(form.sizes) <= 2 and form.players == 3 and not degenerate and odd
    note = "" if complete else f"looked at: supports in which {', or '.join(looked)}"
    return _listed(form, list(found), "support enumeration", degenerate, complete, note, found)


def _listed(
    form: Form,
    points: Sequence[tuple[Mix, ...]],
    method: str,
    degenerate: bool,
    complete: bool,
    note: str,
    exact: dict[tuple[Mix, ...], bool] | None = None,
) -> Equilibria:
    """Equilibria that are not put together to components."""
    single = [
        Component((Equilibrium(form, mixes, method, exact is None or exact[mixes]),), ()) for mixes in points
    ]
    return Equilibria(form, tuple(sorted(single, key=_plainest)), degenerate, complete, method, note)


def _has_spare_best_responses(form: Form, mixes: tuple[Mix, ...]) -> bool:
    for player, mix in enumerate(mixes):
        worths = form.of_choices(mixes, player)
        if worths.count(max(worths)) > sum(share > 0 for share in mix):
            return True
    return False


def equilibrium(game: Game | Form, state: Any = None) -> Equilibrium:
    """One good equilibrium, for whoever wants just one.

    Of those that are known the one that no other betters for everybody; then without weakly dominated choices, with
    the greatest sum of payoffs, the greatest least payoff, and the fewest choices mixed. `method` says of how many.

    >>> from gametree.games.matrix.game import Matrix
    >>> print(equilibrium(Matrix.parse("A/B stag hare; stag 4,4 0,3; hare 3,0 3,3")))
    A: stag; B: stag → 4, 4
    """
    form = form_of(game, state)
    candidates, method = _candidates(form)
    if not candidates:
        raise UnsuitableError(
            f"no equilibrium in which few of the {form.players} players mix: correlated_equilibrium(game) always finds"
            " one of its kind"
        )
    worths = {one: one.values for one in candidates}
    unbettered = maxima(set(worths.values()))
    good = [one for one in candidates if worths[one] in unbettered]
    weak = [
        {
            choice
            for choice, _ in dominated(
                form, [range(size) for size in form.sizes], player, weak=True, mixed=False
            )
        }
        for player in range(form.players)
    ]

    def rank(one: Equilibrium) -> tuple[Any, ...]:
        used = sum(choice in some for support, some in zip(one.supports, weak) for choice in support)
        worth = worths[one]
        return used, -sum(worth, Fraction(0)), -min(worth), sum(map(len, one.supports)), one.supports

    return replace(min(good, key=rank), method=method)


def _candidates(form: Form) -> tuple[list[Equilibrium], str]:
    """The equilibria among which a good one is chosen, and how they were found."""
    if form.players == 2 and form.total is not None and max(form.sizes) > _MOST_CHOICES:
        _, x, y = zero_sum(form.table(0))
        return [Equilibrium(form, (x, y), "")], "linear programming"
    if form.players != 2 or max(form.sizes) <= _MOST_CHOICES:
        try:
            found = equilibria(form)
        except UnsuitableError:
            if form.players != 2:
                raise
        else:
            known = "" if found.complete else " known"
            return list(
                found
            ), f"{found.method}, the best of {plural(len(found), 'equilibrium', 'equilibria')}{known}"
    pure = list(pure_equilibria(form))
    labels = range(0, sum(form.sizes), max(1, sum(form.sizes) // _MOST_PATHS))
    mixed = {lemke_howson(form, label): None for label in (labels if not pure else ())}
    candidates = pure or [Equilibrium(form, mixes, "") for mixes in mixed]
    how = "best responses" if pure else "the paths of Lemke and Howson"
    return candidates, f"{how}, the best of {plural(len(candidates), 'equilibrium', 'equilibria')} found"
