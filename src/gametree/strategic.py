"""The strategic form of a game as plain data: what each player can choose, and what everybody then gets, exactly.

A mixed strategy is a tuple of probabilities, one for each choice of a player; a mixed profile has one for each player.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import product
from math import prod
from typing import Any, Final

Mix = tuple[Fraction, ...]
"""A mixed strategy."""
Profile = tuple[int, ...]
"""A choice for each player, by its number."""

_DENOMINATORS: Final = (1_000, 1_000_000, 1_000_000_000)


def exact(value: Any) -> Fraction:
    """A number as the fraction that people mean by it: of those that are the same float, one with a small denominator.

    >>> exact(0.1), exact(1 / 3), exact("2/7")
    (Fraction(1, 10), Fraction(1, 3), Fraction(2, 7))
    """
    if not isinstance(value, float):
        return Fraction(value)
    for denominator in _DENOMINATORS:
        near = Fraction(value).limit_denominator(denominator)
        if float(near) == value:
            return near
    return Fraction(value)


@dataclass(frozen=True)
class Form:
    """The strategic form: players, their choices and their payoffs.

    >>> form = Form(("A", "B"), (("up", "down"), ("left",)), ((Fraction(1), Fraction(2)), (Fraction(3), Fraction(0))))
    >>> form.payoff((1, 0), 0), form.best_responses(0, (0, 0))
    (Fraction(3, 1), (1,))
    """

    names: tuple[str, ...]
    """What the players are called."""
    choices: tuple[tuple[str, ...], ...]
    """For each player what his choices are called."""
    payoffs: tuple[Mix, ...]
    """For each profile the payoff of each player; the choice of the last player changes fastest."""

    @property
    def players(self) -> int:
        return len(self.names)

    @cached_property
    def sizes(self) -> tuple[int, ...]:
        """How many choices each player has."""
        return tuple(map(len, self.choices))

    def profiles(self) -> Iterator[Profile]:
        """All pure profiles, in the order of `payoffs`."""
        return product(*map(range, self.sizes))

    def index(self, profile: Sequence[int]) -> int:
        """Where the payoffs of a profile stand."""
        at = 0
        for choice, size in zip(profile, self.sizes, strict=True):
            at = at * size + choice
        return at

    def payoff(self, profile: Sequence[int], player: int) -> Fraction:
        return self.payoffs[self.index(profile)][player]

    def table(self, player: int) -> list[list[Fraction]]:
        """The payoffs of one player of two: a row for each choice of the first."""
        wide = self.sizes[1]
        return [
            [self.payoffs[row * wide + column][player] for column in range(wide)]
            for row in range(self.sizes[0])
        ]

    @property
    def total(self) -> Fraction | None:
        """What the payoffs of all players sum to; None where that differs."""
        first = sum(self.payoffs[0], Fraction(0))
        return first if all(sum(vector) == first for vector in self.payoffs) else None

    # --- by definition ------------------------------------------------------------------------------

    def weights(self, mixes: Sequence[Mix]) -> Iterator[tuple[Profile, Fraction]]:
        """The pure profiles that come about with a probability above zero."""
        supports = [[(choice, share) for choice, share in enumerate(mix) if share] for mix in mixes]
        for picked in product(*supports):
            yield (
                tuple(choice for choice, _ in picked),
                prod((share for _, share in picked), start=Fraction(1)),
            )

    def expected(self, mixes: Sequence[Mix], player: int) -> Fraction:
        """What a player gets on average."""
        return sum(
            (share * self.payoff(profile, player) for profile, share in self.weights(mixes)), Fraction(0)
        )

    def of_choices(self, mixes: Sequence[Mix], player: int) -> tuple[Fraction, ...]:
        """What each choice of a player is worth to him against the mixes of the others."""
        size = self.sizes[player]
        anything: Mix = (Fraction(1),) * size
        totals = [Fraction(0)] * size
        others = [anything if one == player else mix for one, mix in enumerate(mixes)]
        for profile, share in self.weights(others):
            totals[profile[player]] += share * self.payoff(profile, player)
        return tuple(totals)

    def gains(self, mixes: Sequence[Mix]) -> tuple[Fraction, ...]:
        """What each player could gain at most by another strategy, the others staying with theirs."""
        found = []
        for player in range(self.players):
            worths = self.of_choices(mixes, player)
            here = sum((share * worth for share, worth in zip(mixes[player], worths)), Fraction(0))
            found.append(max(worths) - here)
        return tuple(found)

    def is_equilibrium(self, mixes: Sequence[Mix]) -> bool:
        """Whether these are mixed strategies and nobody gains by another one: the definition of Nash."""
        return all(
            len(mix) == size and min(mix) >= 0 and sum(mix) == 1 for mix, size in zip(mixes, self.sizes)
        ) and not any(self.gains(mixes))

    def best_responses(self, player: int, profile: Sequence[int]) -> tuple[int, ...]:
        """The best choices of a player against what the others choose in a profile; his own there is not looked at."""
        worths = self.against(player, profile)
        best = max(worths)
        return tuple(choice for choice, worth in enumerate(worths) if worth == best)

    def against(self, player: int, profile: Sequence[int]) -> list[Fraction]:
        """What each choice of a player is worth against what the others choose in a profile."""
        return [
            self.payoff((*profile[:player], choice, *profile[player + 1 :]), player)
            for choice in range(self.sizes[player])
        ]

    # --- parts --------------------------------------------------------------------------------------

    def only(self, kept: Sequence[Sequence[int]]) -> "Form":
        """The form with some of the choices of each player."""
        return Form(
            self.names,
            tuple(tuple(names[choice] for choice in some) for names, some in zip(self.choices, kept)),
            tuple(self.payoffs[self.index(profile)] for profile in product(*kept)),
        )

    def pure(self, profile: Sequence[int]) -> tuple[Mix, ...]:
        """A pure profile as a mixed one.

        >>> Form(("A",), (("up", "down"),), ((Fraction(1),), (Fraction(2),))).pure((1,))
        ((Fraction(0, 1), Fraction(1, 1)),)
        """
        return tuple(
            tuple(Fraction(int(choice == chosen)) for choice in range(size))
            for chosen, size in zip(profile, self.sizes)
        )

    def spread(self, kept: Sequence[Sequence[int]], mixes: Sequence[Iterable[Fraction]]) -> tuple[Mix, ...]:
        """Mixes over some of the choices as mixes over all of them."""
        whole = []
        for size, some, mix in zip(self.sizes, kept, mixes):
            shares = dict(zip(some, mix))
            whole.append(tuple(shares.get(choice, Fraction(0)) for choice in range(size)))
        return tuple(whole)

    def told(self, profile: Sequence[int]) -> str:
        """A pure profile by the names of its choices."""
        return "(" + ", ".join(names[choice] for names, choice in zip(self.choices, profile)) + ")"
