"""Where the other's ships can be: how many fleets agree with every shot, and in how many of them a cell is occupied.

All fleets that agree with what was seen are equally likely. They are counted like this:

1. A ship that was sunk lies over the shot that sank it and over hits; every hit that no sunk ship explains lies under
   one of the ships still afloat. All ways to explain the hits are listed: `covers`.
2. The ships that explain nothing are free: they lie anywhere where nothing was shot at. For the last two of them a
   table says which places exclude each other, so that pairs are counted by a product of matrices and not one by one.
3. The free ships before these two are listed where they are few, and the count is exact. Else they are drawn: each at
   random among the places left, and what is drawn counts by how many places there were (importance sampling).
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from gametree.kernel.random import Generator, seeded, unit

UNKNOWN: Final = 0
MISS: Final = 1
HIT: Final = 2
SUNK: Final = 3
"""The shot that sank ship i is SUNK + i."""
MOST_LISTED: Final = 3_000
"""So many ways to lay the ships before the last two are listed; more are sampled."""
SAMPLES: Final = 1_500
Floats = np.ndarray[Any, np.dtype[np.float64]]
Bools = np.ndarray[Any, np.dtype[np.bool_]]


@dataclass(frozen=True)
class Posterior:
    """What is known of a fleet."""

    occupied: tuple[float, ...]
    """For every cell the probability that a ship lies there."""
    fleets: float
    """How many fleets agree with what was seen; about as many where it is not `exact`."""
    exact: bool
    """Whether all of them were counted, or some sampled."""


class Places:
    """Where the ships of a fleet can lie on a board."""

    def __init__(self, width: int, height: int, fleet: tuple[int, ...]):
        self.width = width
        self.height = height
        self.fleet = fleet
        self.cells: int = width * height
        by_length = {length: self._of(length) for length in set(fleet)}
        self.masks: list[Bools] = [by_length[length] for length in fleet]
        """For each ship, whether it covers a cell in each of its places."""

    def _of(self, length: int) -> Bools:
        rows = []
        for cell in range(self.cells):
            row, column = divmod(cell, self.width)
            if column + length <= self.width:
                rows.append([cell + i for i in range(length)])
            if length > 1 and row + length <= self.height:
                rows.append([cell + i * self.width for i in range(length)])
        masks = np.zeros((len(rows), self.cells), np.bool_)
        for at, cells in enumerate(rows):
            masks[at, cells] = True
        return masks


class Fleets:
    """The fleets that agree with what was seen: of every cell UNKNOWN, MISS, HIT, or SUNK + the ship.

    `order` says when each cell was shot at: a ship is sunk by the last of the shots that hit it.
    """

    def __init__(
        self,
        places: Places,
        seen: tuple[int, ...],
        order: tuple[int, ...] = (),
        samples: int = SAMPLES,
        seed: int = 0,
    ):
        self.places = places
        state = np.array(seen)
        when = np.array(order or state >= SUNK, np.int64)  # without an order any hit may have come before
        hits = state >= HIT
        afloat_cells = (state == UNKNOWN) | (state == HIT)
        sunk = [int(code) - SUNK for code in state if code >= SUNK]
        self.afloat: list[int] = [ship for ship in range(len(places.fleet)) if ship not in sunk]
        self.allowed: list[Bools] = []
        """For each ship its places that no shot denies."""
        for ship, masks in enumerate(places.masks):
            if ship in sunk:  # over its last shot, and otherwise over hits that sank nothing
                last = state == SUNK + ship
                before = (state == HIT) & (when < when[last])
                fits = (masks & last).any(1) & ~(masks & ~(last | before)).any(1)
            else:  # not over water, not over a shot that sank another, and not hit all over
                fits = ~(masks & ~afloat_cells).any(1) & (masks & (state == UNKNOWN)).any(1)
            self.allowed.append(masks[fits])
        self.hits = hits
        self.covers: list[tuple[Bools, tuple[tuple[int, Bools], ...]]] = []
        """The ways to explain the hits: the cells that are taken, and which ships lie how."""
        self._cover(sunk, hits, np.zeros(places.cells, np.bool_), ())
        free = {
            used: _Free([self._over_water(ship) for ship in self.afloat if ship not in used])
            for used in {tuple(ship for ship, _ in laid) for _, laid in self.covers}
        }
        generator = Generator(random=seeded(seed))
        each = max(20, samples // max(1, len(self.covers)))
        self.exact: bool = True
        self.counts: list[float] = []
        """For each cover how many fleets it is a part of."""
        total = np.zeros(places.cells)
        for taken, laid in self.covers:
            count, occupied, exact = free[tuple(ship for ship, _ in laid)].count(taken, each, generator)
            self.exact = self.exact and exact
            self.counts.append(count)
            total += occupied + count * taken
        self.fleets: float = float(sum(self.counts))
        self.occupied: Floats = total / (self.fleets or 1.0)

    def _over_water(self, ship: int) -> Bools:
        """The places of a ship that explains no hit."""
        masks = self.allowed[ship]
        return masks[~(masks & self.hits).any(1)]

    def _cover(self, sunk: list[int], hits: Bools, taken: Bools, laid: tuple[tuple[int, Bools], ...]) -> None:
        """All ways to lay the sunk ships, and ships afloat over the hits that are left."""
        if sunk:
            for mask in self.allowed[sunk[0]]:
                if not (mask & taken).any():
                    self._cover(sunk[1:], hits, taken | mask, (*laid, (sunk[0], mask)))
            return
        bare = hits & ~taken
        if not bare.any():
            self.covers.append((taken, laid))
            return
        cell = int(bare.argmax())
        for ship in self.afloat:
            if all(ship != other for other, _ in laid):
                masks = self.allowed[ship]
                for mask in masks[masks[:, cell] & ~(masks & taken).any(1)]:
                    self._cover(sunk, hits, taken | mask, (*laid, (ship, mask)))

    def draw(self, draw: Callable[[int], int]) -> list[Bools]:
        """One of the fleets, each as likely as the others where they were counted exactly: the cells of every ship."""
        point = draw(1 << 40) / (1 << 40) * self.fleets
        at = 0
        while at < len(self.counts) - 1 and point >= self.counts[at]:
            point -= self.counts[at]
            at += 1
        taken, laid = self.covers[at]
        free = [ship for ship in self.afloat if all(ship != other for other, _ in laid)]
        options = {ship: self._over_water(ship) for ship in free}
        options = {ship: masks[~(masks & taken).any(1)] for ship, masks in options.items()}
        while True:  # drawn alone, and again where they cross each other
            fleet = dict(laid) | {ship: masks[draw(len(masks))] for ship, masks in options.items()}
            if sum(int(mask.sum()) for mask in fleet.values()) == int(np.any(list(fleet.values()), 0).sum()):
                return [fleet[ship] for ship in range(len(self.places.fleet))]


def posterior(
    places: Places, seen: tuple[int, ...], order: tuple[int, ...] = (), samples: int = SAMPLES
) -> Posterior | None:
    """What can be known from shots, as in `Fleets`; None where no fleet agrees with them.

    >>> found = posterior(Places(2, 1, (1,)), (UNKNOWN, MISS))
    >>> found.occupied, found.fleets, found.exact
    ((1.0, 0.0), 1.0, True)
    """
    found = Fleets(places, seen, order, samples)
    if not found.fleets:
        return None
    return Posterior(tuple(map(float, found.occupied)), found.fleets, found.exact)


class _Free:
    """The ships that explain no hit: they lie over cells that were not shot at."""

    def __init__(self, masks: list[Bools]):
        masks.sort(key=len)  # the last two are counted at once, and it pays if they have the most places
        self.masks = [one.astype(np.float32) for one in masks]
        self.apart: Any = None
        if len(masks) >= 2:
            self.apart = (self.masks[-2] @ self.masks[-1].T == 0).astype(np.float32)

    def count(self, taken: Bools, samples: int, generator: Generator) -> tuple[float, Floats, bool]:
        """In how many ways the free ships fit, how often each cell is occupied by them, and whether that is exact."""
        cells = len(taken)
        if not self.masks:
            return 1.0, np.zeros(cells), True
        blocked = taken.astype(np.float32)
        masks = [mask[mask @ blocked == 0] for mask in self.masks]
        if any(len(mask) == 0 for mask in masks):
            return 0.0, np.zeros(cells), True
        if len(masks) == 1:
            return float(len(masks[0])), masks[0].sum(0, dtype=np.float64), True
        outer, kept = masks[:-2], [mask @ blocked == 0 for mask in self.masks[-2:]]
        apart = self.apart[np.ix_(*kept)]
        ways = 1
        for mask in outer:
            ways *= len(mask)
        exact = ways <= MOST_LISTED
        before, weights = _all(outer, cells) if exact else _drawn(outer, cells, samples, generator)
        if len(weights) == 0:
            return 0.0, np.zeros(cells), exact
        one = (before @ masks[-2].T == 0).astype(np.float32)
        other = (before @ masks[-1].T == 0).astype(np.float32)
        with_one = one * (
            other @ apart.T
        )  # for every place of the last but one, how many of the last go with it
        with_other = other * (one @ apart)
        pairs = with_one.sum(1, dtype=np.float64) * weights
        occupied = (
            (pairs[None, :] @ before)[0]
            + (weights @ with_one) @ masks[-2]
            + (weights @ with_other) @ masks[-1]
        )
        return float(pairs.sum()), np.asarray(occupied, np.float64), exact


def _all(outer: list[Any], cells: int) -> tuple[Any, Any]:
    """All ways to lay the first of the free ships: the cells they take."""
    before = np.zeros((1, cells), np.float32)
    for mask in outer:
        first, second = np.nonzero(before @ mask.T == 0)
        before = before[first] + mask[second]
    return before, np.ones(len(before))


def _drawn(outer: list[Any], cells: int, samples: int, generator: Generator) -> tuple[Any, Any]:
    """Some ways to lay the first of the free ships, each with the number of ways it stands for."""
    rng = np.random.default_rng(int(unit(generator) * 2**52))
    before = np.zeros((samples, cells), np.float32)
    weights = np.full(samples, 1 / samples)
    for at, mask in enumerate(outer):
        fits = before @ mask.T == 0
        counts = fits.sum(1)
        if at == 0:  # the first ship in turn, that every place has its share
            place = (np.arange(samples) + rng.random()) * len(mask) / samples
            chosen = np.minimum(place.astype(np.int64), len(mask) - 1)
        else:
            wanted = (rng.random(samples) * counts).astype(np.int64)
            chosen = (fits.cumsum(1) > wanted[:, None]).argmax(1)
        weights = weights * counts
        before = before + mask[chosen]
        alive = counts > 0
        before, weights = before[alive], weights[alive]
        samples = len(weights)
    return before, weights
