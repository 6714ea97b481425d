"""Where the other's ships can be: how many fleets agree with every shot, and in how many of them a cell is occupied.

All fleets that agree with what was seen are equally likely. They are counted like this:

1. A ship that was sunk lies over the shot that sank it and over hits; every hit that no sunk ship explains lies under
   one of the ships still afloat. All ways to explain the hits are listed: `covers`.
2. The ships that explain nothing are free: they lie anywhere where nothing was shot at. For the last two of them a
   table says which places exclude each other, so that pairs are counted by a product of matrices and not one by one.
3. The free ships before these two are listed where there are few ways, and the count is exact. Else some of the ways
   are drawn, ship after ship: each as likely as the number of ways that it stands for, so that all count alike.
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
"""So many ways to lay the ships before the last two are listed in all; of more, some are drawn."""
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
        by_ships: dict[tuple[int, ...], list[int]] = {}
        for at, (_, laid) in enumerate(self.covers):
            by_ships.setdefault(tuple(sorted(ship for ship, _ in laid)), []).append(at)
        generator = np.random.default_rng(int(unit(Generator(random=seeded(seed))) * 2**52))
        self.exact: bool = True
        counts = np.zeros(len(self.covers))
        occupied: Floats = np.zeros(places.cells)
        for used, members in by_ships.items():
            free = Free([self._over_water(ship) for ship in self.afloat if ship not in used])
            taken = np.array([self.covers[at][0] for at in members], np.float32)
            share = len(members) / len(self.covers)
            most = int(MOST_LISTED * max(share, 1 / len(by_ships)))
            ways = free.laid(taken, most, max(200, int(samples * share)), generator)
            self.exact = self.exact and ways.exact
            counts[members] = ways.counts
            occupied += ways.occupied
        self.counts: list[float] = counts.tolist()
        """For each cover how many fleets it is a part of."""
        self.fleets: float = float(counts.sum())
        self.occupied: Floats = occupied / (self.fleets or 1.0)
        """For every cell the probability that a ship lies there."""

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


@dataclass(frozen=True)
class Ways:
    """In how many ways the free ships can be laid."""

    counts: Floats
    """For each cover."""
    occupied: Floats
    """In how many of all of them each cell is occupied, those of the covers included."""
    exact: bool


class Free:
    """The ships that explain no hit: they lie over cells that were not shot at."""

    def __init__(self, masks: list[Bools]):
        masks.sort(key=len)  # the last two are counted at once, and it pays if they have the most places
        self.masks: list[Any] = [one.astype(np.float32) for one in masks]

    def laid(self, taken: Any, most: int, samples: int, generator: np.random.Generator) -> Ways:
        """The ways to lay them beside what each of several covers takes: listed, up to so many, or sampled."""
        rows, cover, weights, exact = taken, np.arange(len(taken)), np.ones(len(taken)), True
        for mask in self.masks[:-2]:
            fits = rows @ mask.T == 0
            likely = weights[:, None] * fits
            if exact and np.count_nonzero(fits) <= most:
                first, second = np.nonzero(fits)
                weights = weights[first]
            else:
                exact = False
                sums = np.cumsum(likely.reshape(-1))
                if not sums[-1]:
                    return Ways(np.zeros(len(taken)), np.zeros(taken.shape[1]), exact)
                # Every stretch of the sum has its sample.
                points = (np.arange(samples) + generator.random(samples)) * sums[-1] / samples
                place = np.minimum(np.searchsorted(sums, points, "right"), len(sums) - 1)
                first, second = np.divmod(place, len(mask))
                weights = np.full(samples, sums[-1] / samples)
            rows, cover = rows[first] + mask[second], cover[first]
        one, other = ([*self.masks[-2:], None, None])[:2] if self.masks else (None, None)
        return _added(rows, cover, weights, one, other, len(taken), exact)


def _added(rows: Any, cover: Any, weights: Any, one: Any, other: Any, covers: int, exact: bool) -> Ways:
    """The sums over rows of cells that are taken, and the places of the last two ships beside them."""
    pairs, occupied = weights, 0.0
    if one is not None:
        with_one: Any = (rows @ one.T == 0).astype(np.float32)
        if other is not None:
            with_other = (rows @ other.T == 0).astype(np.float32)
            apart = (one @ other.T == 0).astype(np.float32)
            # For every place of the one, how many of the other go with it, and the other way round.
            with_one, with_other = with_one * (with_other @ apart.T), with_other * (with_one @ apart)
            occupied = (weights @ with_other) @ other
        occupied = occupied + (weights @ with_one) @ one
        pairs = weights * with_one.sum(1, dtype=np.float64)
    counts = np.bincount(cover, pairs, covers).astype(np.float64)
    return Ways(counts, np.asarray(occupied + pairs @ rows, np.float64), exact)
