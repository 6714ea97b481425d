"""Who meets whom in a tournament: everybody everybody, the first everybody else, or those who stand alike."""

import itertools
from collections.abc import Callable, Iterator, Sequence
from typing import Final, Literal

Kind = Literal["round-robin", "gauntlet", "swiss"]
KINDS: Final = ("round-robin", "gauntlet", "swiss")
Meeting = tuple[int, ...]
"""The players who meet, by number."""


def meetings(kind: Kind, players: int, seats: int) -> tuple[Meeting, ...]:
    """Who meets in every round of a round robin or gauntlet. Where there are more seats than players, all of them.

    >>> meetings("round-robin", 3, 2), meetings("gauntlet", 3, 2), meetings("round-robin", 2, 3)
    (((0, 1), (0, 2), (1, 2)), ((0, 1), (0, 2)), ((0, 1),))
    """
    size = min(players, seats)
    if kind == "gauntlet":
        return tuple((0, *others) for others in itertools.combinations(range(1, players), size - 1))
    return tuple(itertools.combinations(range(players), size))


def swiss(
    standing: Sequence[float], met: Callable[[int, int], int], sat_out: Sequence[int], seats: int
) -> tuple[tuple[Meeting, ...], Meeting]:
    """Who meets in the next round of a Swiss tournament, and who sits out.

    `standing` is what everybody has made, `met` how often two have met, `sat_out` how often everybody sat out. Those
    who have made alike meet, from the top down; of two, with as few meeting again as can be. Who sits out has done so
    least, and of these stands last.

    >>> swiss([2, 2, 0, 0, 1], lambda one, other: int({one, other} == {0, 1}), [0] * 5, 2)
    (((0, 4), (1, 2)), (3,))
    """
    size = min(len(standing), seats)
    order = sorted(range(len(standing)), key=lambda one: (-standing[one], one))
    idle = sorted(order, key=lambda one: (sat_out[one], -order.index(one)))[: len(order) % size]
    field = [one for one in order if one not in idle]
    if size == 2:
        pairs = _paired(tuple(field), met)
    else:
        pairs = tuple(tuple(field[at : at + size]) for at in range(0, len(field), size))
    return tuple(tuple(sorted(pair)) for pair in pairs), tuple(idle)


def _paired(field: Meeting, met: Callable[[int, int], int]) -> tuple[Meeting, ...]:
    """Pairs from the top down, none of whom have met more often than has to be."""
    most = max((met(one, other) for one, other in itertools.combinations(field, 2)), default=0)
    for again in range(most + 1):
        found = next(_pairings(field, met, again, [10_000]), None)
        if found is not None:
            return found
    return tuple((field[at], field[at + 1]) for at in range(0, len(field), 2))


def _pairings(
    field: Meeting, met: Callable[[int, int], int], again: int, tries: list[int]
) -> Iterator[tuple[Meeting, ...]]:
    if not field:
        yield ()
        return
    first = field[0]
    for other in field[1:]:
        tries[0] -= 1
        if tries[0] < 0:
            return
        if met(first, other) <= again:
            rest = tuple(one for one in field[1:] if one != other)
            for found in _pairings(rest, met, again, tries):
                yield ((first, other), *found)
