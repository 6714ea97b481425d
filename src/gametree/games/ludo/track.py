"""Where the squares of Ludo lie: the cross of the usual board, or a ring where the track has another length.

The cross of 15 by 15, a quarter of it: 0 is the entry of the first seat, c its column of five, h home. The other
quarters are the same, turned by 90 degrees clockwise.

    10 9 8 7 6 5 .  h  .
     .             4 c5 .
                   3 c4 .
                   2 c3 .
                   1 c2 .
                   0 c1 .
                  51 50 49
"""

import functools
import math
from typing import Final, NamedTuple

COLUMN: Final = 5
"""Squares of one's own between the track and home."""
SYMBOLS: Final = "ABCD"
_CROSS: Final = 13
"""A fourth of the track of the usual board."""


class Spot(NamedTuple):
    """A place for tokens: its id, where it lies, and whose it is."""

    id: str
    x: float
    y: float
    owner: int | None


@functools.cache
def spots(quarter: int, seats: tuple[int, ...]) -> tuple[Spot, ...]:
    """All places: the track from the first entry on, then for each player the yard, the column and home.

    >>> spots(13, (0, 2))[0], len(spots(13, (0, 2)))
    (Spot(id='0', x=6.0, y=13.0, owner=0), 66)
    """
    found = [
        Spot(str(square), *_square(quarter, square), _owner(quarter, square, seats))
        for square in range(4 * quarter)
    ]
    for player, seat in enumerate(seats):
        for own in ("yard", *map(str, range(1, COLUMN + 1)), "home"):
            found.append(Spot(f"{SYMBOLS[player]} {own}", *_own(quarter, seat, own), player))
    return tuple(found)


@functools.cache
def ways(quarter: int, seats: tuple[int, ...]) -> tuple[tuple[str, str], ...]:
    """Which places follow each other."""
    track = 4 * quarter
    found = [(str(square), str((square + 1) % track)) for square in range(track)]
    for player, seat in enumerate(seats):
        entry = seat * quarter
        own = [f"{SYMBOLS[player]} {name}" for name in (*range(1, COLUMN + 1), "home")]
        found.append((f"{SYMBOLS[player]} yard", str(entry)))
        found += zip((str((entry - 2) % track), *own), own)
    return tuple(found)


def _owner(quarter: int, square: int, seats: tuple[int, ...]) -> int | None:
    """Whose entry a square is."""
    seat, rest = divmod(square, quarter)
    return seats.index(seat) if rest == 0 and seat in seats else None


def _square(quarter: int, square: int) -> tuple[float, float]:
    if quarter != _CROSS:
        return _on_ring(quarter, square, 1.0)
    seat, step = divmod(square, quarter)
    if step < 5:
        return _turned(6, 13 - step, seat)
    if step < 11:
        return _turned(10 - step, 8, seat)
    return _turned(0, 18 - step, seat)


def _own(quarter: int, seat: int, place: str) -> tuple[float, float]:
    """Where the yard, a square of the column, or home lies."""
    if quarter != _CROSS:
        if place == "yard":
            return _on_ring(quarter, seat * quarter, 1 + 2 / _radius(quarter))
        step = COLUMN + 1 if place == "home" else int(place)
        return _on_ring(quarter, seat * quarter - 2, 1 - step / (COLUMN + 2))
    if place == "yard":
        return _turned(2, 12, seat)
    return _turned(7, 8 if place == "home" else 14 - int(place), seat)


def _turned(x: float, y: float, seat: int) -> tuple[float, float]:
    right, down = x - 7.0, y - 7.0
    for _ in range(seat):
        right, down = -down, right
    return right + 7, down + 7


def _radius(quarter: int) -> float:
    """Squares of the ring, and those of the columns on the way to the middle, lie at least 1 apart."""
    return max(4 * quarter / math.tau, COLUMN + 2.0)


def _on_ring(quarter: int, square: int, share: float) -> tuple[float, float]:
    """A place on the ring, or on the line from it to the middle; the first entry is at the bottom."""
    radius = _radius(quarter)
    angle = math.tau * (0.25 + square / (4 * quarter))
    middle = radius + 2
    return round(middle + share * radius * math.cos(angle), 6), round(
        middle + share * radius * math.sin(angle), 6
    )
