"""Dominated choices and their iterated elimination; what a player can be sure of; the Pareto set."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

from gametree.arguments import is_whole
from gametree.errors import InputError
from gametree.game import Game
from gametree.search.matrix.joint import form_of
from gametree.search.matrix.results import Elimination, Removal, Security
from gametree.search.matrix.tableau import maximum
from gametree.search.matrix.zero_sum import zero_sum
from gametree.strategic import Form, Mix, Profile


def dominance(game: Game | Form, state: Any = None, *, weak: bool = False, mixed: bool = True) -> Elimination:
    """Removes dominated choices round by round, all of a round at once, until none is left.

    A choice is strictly dominated where some other strategy of its player is better whatever the others do, and weakly
    where it is never worse and sometimes better. `mixed` says whether mixtures may dominate, too; a pure strategy that
    does is named first.

    >>> from gametree.games.matrix.game import Matrix
    >>> print(dominance(Matrix.parse("A/B silent betray; silent -1,-1 -3,0; betray 0,-3 -2,-2")))
    round 1: whatever B does, A gets more from betray than from silent
    round 1: whatever A does, B gets more from betray than from silent
    left: A: betray; B: betray
    iterated strict dominance by pure and mixed strategies
    """
    form = form_of(game, state)
    left: tuple[tuple[int, ...], ...] = tuple(tuple(range(size)) for size in form.sizes)
    removals: list[Removal] = []
    for number in range(1, sum(form.sizes) + 1):
        found = [
            Removal(player, choice, by, not weak, number, form, left)
            for player in range(form.players)
            for choice, by in dominated(form, left, player, weak=weak, mixed=mixed)
        ]
        if not found:
            break
        removals += found
        gone = {(one.player, one.choice) for one in found}
        left = tuple(
            tuple(choice for choice in some if (player, choice) not in gone)
            for player, some in enumerate(left)
        )
    return Elimination(form, tuple(removals), left, weak, mixed)


def dominated(
    form: Form, left: Sequence[Sequence[int]], player: int, *, weak: bool, mixed: bool = True
) -> Iterator[tuple[int, Mix]]:
    """The dominated choices of a player among those that are left, each with a strategy that dominates it."""
    mine = left[player]
    others = list(product(*(some for one, some in enumerate(left) if one != player)))
    worth = {
        choice: [form.payoff((*rest[:player], choice, *rest[player:]), player) for rest in others]
        for choice in mine
    }
    for choice in mine:
        by = _by_pure(worth, choice, weak)
        if by is None and mixed and len(mine) > 2:
            by = _by_mix(worth, choice, weak)
        if by is not None:
            yield choice, tuple(by.get(one, Fraction(0)) for one in range(form.sizes[player]))


def _by_pure(worth: dict[int, list[Fraction]], choice: int, weak: bool) -> dict[int, Fraction] | None:
    here = worth[choice]
    for other, there in worth.items():
        if weak:
            if there != here and all(a >= b for a, b in zip(there, here)):
                return {other: Fraction(1)}
        elif all(a > b for a, b in zip(there, here)):
            return {other: Fraction(1)}
    return None


def _by_mix(worth: dict[int, list[Fraction]], choice: int, weak: bool) -> dict[int, Fraction] | None:
    """A mixture that dominates, by a linear programme."""
    rivals = [other for other in worth if other != choice]
    ahead = [[a - b for a, b in zip(worth[other], worth[choice])] for other in rivals]
    if not weak:
        # A game against an adversary who picks what the others do: is the least advantage above zero?
        value, mix, _ = zero_sum(ahead)
        return dict(zip(rivals, mix)) if value > 0 else None
    # The greatest sum of advantages of a mixture that is nowhere behind; what is missing to 1 stays with the choice.
    rows = [[-gain for gain in column] for column in zip(*ahead)]
    one = Fraction(1)
    value, mix_, _ = maximum(
        [*rows, [one] * len(rivals)],
        [Fraction(0)] * len(rows) + [one],
        [sum(gains, Fraction(0)) for gains in ahead],
    )
    if value <= 0:
        return None
    total = sum(mix_, Fraction(0))
    return {other: share / total for other, share in zip(rivals, mix_)}


def security(game: Game | Form, player: int, state: Any = None) -> Security:
    """The security level of a player: the most that he can be sure of on average, whatever the others do together.

    >>> from gametree.games.matrix.game import Matrix
    >>> print(security(Matrix([[1, -1], [-1, 1]]), 0))
    A is sure of 0 by 1/2 a1 + 1/2 a2, without mixing of -1 by a1
    """
    form = form_of(game, state)
    if not is_whole(player) or not 0 <= player < form.players:
        known = ", ".join(f"{one} ({name})" for one, name in enumerate(form.names))
        raise InputError(f"player={player!r}: a player of this game by his number: {known}")
    others = list(product(*(range(size) for one, size in enumerate(form.sizes) if one != player)))
    table = [
        [form.payoff((*rest[:player], choice, *rest[player:]), player) for rest in others]
        for choice in range(form.sizes[player])
    ]
    value, mix, _ = zero_sum(table)
    lows = [min(row) for row in table]
    return Security(form, player, value, mix, max(lows), lows.index(max(lows)))


def pareto(game: Game | Form, state: Any = None) -> tuple[Profile, ...]:
    """The Pareto set: the pure profiles that no other one betters for somebody without harming anybody.

    >>> from gametree.games.matrix.game import Matrix
    >>> pareto(Matrix([[(-1, -1), (-3, 0)], [(0, -3), (-2, -2)]]))
    ((0, 0), (0, 1), (1, 0))
    """
    form = form_of(game, state)
    best = maxima(set(form.payoffs))
    return tuple(profile for profile, vector in zip(form.profiles(), form.payoffs) if vector in best)


def maxima(vectors: set[Mix]) -> set[Mix]:
    """The vectors that no other one betters."""
    kept: list[Mix] = []
    # Whoever betters a vector comes before it in this order.
    for vector in sorted(vectors, reverse=True):
        if not any(all(a >= b for a, b in zip(other, vector)) for other in kept):
            kept.append(vector)
    return set(kept)
