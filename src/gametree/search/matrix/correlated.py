"""The best correlated equilibrium, by one linear programme (Aumann 1974; Papadimitriou and Roughgarden 2008)."""

from fractions import Fraction
from typing import Any, Literal

from gametree.arguments import is_whole
from gametree.errors import InputError
from gametree.game import Game
from gametree.search.matrix.joint import form_of
from gametree.search.matrix.results import Correlated
from gametree.search.matrix.tableau import maximum
from gametree.strategic import Form


def correlated_equilibrium(
    game: Game | Form, state: Any = None, *, aim: Literal["sum", "least"] | int = "sum"
) -> Correlated:
    """A correlated equilibrium with the greatest sum of payoffs, or the greatest least payoff, or that of one player.

    A draw that all trust tells everybody his own part; nobody gains by doing anything else. Found and checked in exact
    fractions.

    >>> from gametree.games.matrix.game import Matrix
    >>> chicken = Matrix.parse("A/B dare yield; dare 0,0 7,2; yield 2,7 6,6")
    >>> print(correlated_equilibrium(chicken))
    correlated equilibrium
      1/4 (dare, yield)
      1/4 (yield, dare)
      1/2 (yield, yield)
    → 21/4, 21/4; the greatest sum of payoffs
    by linear programming
    """
    form = form_of(game, state)
    known = aim in ("sum", "least") if isinstance(aim, str) else is_whole(aim) and 0 <= aim < form.players
    if not known:
        raise InputError(f"aim={aim!r}: 'sum', 'least', or the number of a player, 0 to {form.players - 1}")
    profiles = list(form.profiles())
    rows: list[list[Fraction]] = []
    for player in range(form.players):
        for told in range(form.sizes[player]):
            for instead in range(form.sizes[player]):
                if instead != told:
                    rows.append(_temptation(form, profiles, player, told, instead))
    # Payoffs above zero: then the whole probability is given away, as more of it is always worth more.
    low = min(map(min, form.payoffs)) - 1
    above = [tuple(value - low for value in vector) for vector in form.payoffs]
    if aim == "least":
        worth = [Fraction(0)] * len(profiles) + [Fraction(1)]
        rows = [[*row, Fraction(0)] for row in rows]
        rows += [[*(-vector[player] for vector in above), Fraction(1)] for player in range(form.players)]
    else:
        worth = [sum(vector, Fraction(0)) if aim == "sum" else vector[int(aim)] for vector in above]
    whole = [Fraction(1)] * len(profiles) + [Fraction(0)] * (aim == "least")
    bounds = [*[Fraction(0)] * len(rows), Fraction(1)]
    _, point, _ = maximum([*rows, whole], bounds, worth)
    shares = tuple((profile, share) for profile, share in zip(profiles, point) if share)
    told_aim = {"sum": "the greatest sum of payoffs", "least": "the greatest least payoff"}
    words = told_aim[aim] if isinstance(aim, str) else f"the most for {form.names[aim]}"
    found = Correlated(form, shares, words, "linear programming")
    assert found.is_equilibrium(), "a correlated equilibrium holds by definition"
    return found


def _temptation(
    form: Form, profiles: list[tuple[int, ...]], player: int, told: int, instead: int
) -> list[Fraction]:
    """For each profile what a player would gain there by another choice than the one he is told."""
    row = [Fraction(0)] * len(profiles)
    for at, profile in enumerate(profiles):
        if profile[player] == told:
            other = (*profile[:player], instead, *profile[player + 1 :])
            row[at] = form.payoff(other, player) - form.payoff(profile, player)
    return row
