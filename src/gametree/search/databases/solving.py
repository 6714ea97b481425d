"""A slice from its rules to its codes: the driver of the kernels."""

import functools
import time
from collections.abc import Callable, Iterable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final

import numpy as np

from gametree.errors import InputError, RulesError, UnsuitableError
from gametree.game import Game, offers
from gametree.search.core.runner import prepare
from gametree.search.databases import kernel
from gametree.search.databases.kernel import DONE, FULL, MISSING, RAISED, TOO_LONG, TROUBLE, Solving
from gametree.search.databases.shelf import Shelf, start_of

RANGE: Final = 1 << 15
"""So many places are expanded between two looks around; interpreted, far fewer."""
FEW: Final = 1 << 8
ROOM: Final = 24
"""Room for so many edges a place of a range, at first."""
MOST_PLACES: Final = 1 << 30
Words = Any
"""An array of 64-bit words; a list where the kernels are interpreted."""
OnProgress = Callable[["Progress"], None]


class MissingSliceError(InputError):
    """An action leads to a slice that has not been solved."""

    def __init__(self, message: str, slice: int):
        super().__init__(message)
        self.slice = slice


@dataclass(frozen=True)
class Progress:
    """How far a slice is."""

    slice: int
    step: str
    """"listing", "turning round" or "solving"."""
    done: int
    """Places, or plies where it is solving."""
    total: int
    seconds: float


@dataclass(frozen=True)
class Statistics:
    """What is in a slice."""

    positions: int
    won: int
    drawn: int
    lost: int
    longest: int
    """How many plies the longest win takes."""


class Kernels:
    """The kernels for one game: machine code, or the functions as they stand."""

    def __init__(self, game: Game, compile: str = "auto"):
        self.game = game
        names = ("expand", "turn_round", "propagate", "settle", "verify")
        calls = {}
        if compile != "never":
            for name in names:
                calls[name] = prepare(getattr(kernel, name), game, (), compile == "always")
                if calls[name] is None:
                    break
        self.compiled: bool = len(calls) == len(names) and None not in calls.values()
        if not self.compiled:
            calls = {name: functools.partial(getattr(kernel, name), game) for name in names}
        self.call: dict[str, Any] = calls

    def words(self, size: int) -> Words:
        """So many words, all 0."""
        return np.zeros(size, dtype=np.int64) if self.compiled else [0] * size

    def solving(self, **fields: Any) -> Solving:
        """A block for the kernels."""
        low, high = outcomes(self.game)
        return Solving.allocate(self.compiled, lowest=low, highest=high, **fields)


def outcomes(game: Game) -> tuple[float, float]:
    """What a loss and a win pay; a game is refused that databases cannot hold."""
    name = type(game).__name__
    if game.players != 2:
        raise UnsuitableError(f"{name} has {game.players} players; databases are for two")
    for member, what in (("chance", "chance nodes"), ("observe", "hidden information")):
        if offers(game, member):
            raise UnsuitableError(f"{name} has {what}; databases hold games without")
    if game.payoffs is None or game.total is None:
        raise UnsuitableError(
            f"{name} does not declare `payoffs`, what a loss and a win pay, or the sum is not the same at every end;"
            " a database holds wins, draws and losses"
        )
    if game.repetition is not None and game.repetition[0] != "draw":
        raise UnsuitableError(
            f"in {name} a position that recurs is no draw ({game.repetition[0]}): what it is worth depends on those"
            " before it, so no database can tell"
        )
    return float(game.payoffs[0]), float(game.payoffs[1])


def solve_slice(
    kernels: Kernels,
    slice: int,
    shelf: Shelf,
    *,
    threads: int = 1,
    on_progress: OnProgress | None = None,
) -> tuple[Words, Statistics]:
    """The codes of a slice, four a word, where the slices below are on the shelf."""
    game = kernels.game
    size = int(game.slice_size(slice))
    if not 0 < size <= MOST_PLACES:
        raise InputError(f"{game.name_slice(slice)} has {size:,} places; a slice has 1 to {MOST_PLACES:,}")
    start = time.perf_counter()

    def tell(step: str, done: int, total: int) -> None:
        if on_progress is not None:
            on_progress(Progress(slice, step, done, total, time.perf_counter() - start))

    notes = kernels.words((size + 1) // 2)
    codes = kernels.words((size + 3) // 4)
    ranges = _expanded(kernels, slice, size, notes, shelf, threads, functools.partial(tell, "listing"))
    into, parents, last = _turned(kernels, slice, size, ranges)
    solving = kernels.solving(
        slice=slice, size=size, notes=notes, codes=codes, into=into, parents=parents, last=last
    )
    initial, plies = game.initial(), 0
    while plies <= solving.last:
        kernels.call["propagate"](initial, plies, solving)
        plies += 1
        tell("solving", plies, solving.last + 1)
    kernels.call["settle"](initial, solving)
    return codes, statistics(codes, size)


def _expanded(
    kernels: Kernels,
    slice: int,
    size: int,
    notes: Words,
    shelf: Shelf,
    threads: int,
    tell: Callable[[int, int], None],
) -> list[Solving]:
    """Ranges of places with their edges, which together are the slice."""
    step = RANGE if kernels.compiled else FEW
    waiting = iter(range(0, size, step))
    ranges: list[Solving] = []
    done = 0

    def work(begin: int) -> list[Solving]:
        return _range(kernels, slice, begin, min(begin + step, size), notes, shelf)

    if threads == 1 or not kernels.compiled:
        for begin in waiting:
            ranges += work(begin)
            tell(min(begin + step, size), size)
        return ranges
    with ThreadPoolExecutor(threads) as pool:
        under_way: set[Future[list[Solving]]] = set()
        try:
            while True:
                for begin in islice(waiting, 2 * threads - len(under_way)):
                    under_way.add(pool.submit(work, begin))
                if not under_way:
                    break
                ready, under_way = wait(under_way, return_when=FIRST_COMPLETED)
                for one in ready:
                    ranges += one.result()
                    done += step
                tell(min(done, size), size)
        finally:
            for one in under_way:
                one.cancel()
    return sorted(ranges, key=lambda part: part.begin)


def _range(kernels: Kernels, slice: int, begin: int, end: int, notes: Words, shelf: Shelf) -> list[Solving]:
    """The places from `begin` to `end`, in as many blocks as there are edges for."""
    room, initial = ROOM * (end - begin), kernels.game.initial()
    found = []
    while begin < end:
        part = kernels.solving(
            slice=slice,
            begin=begin,
            place=begin,
            end=end,
            notes=notes,
            room=room,
            edges=kernels.words((room + 1) // 2),
            first=kernels.words(end - begin + 1),
        )
        status = kernels.call["expand"](initial, part, shelf)
        if status == FULL and part.place == begin:
            room *= 2
            continue
        if status not in (DONE, FULL):
            raise _trouble(kernels.game, slice, part.place, status, shelf)
        part.first[part.place - begin] = part.used
        # What a range does not use is given back.
        part.edges = part.edges[: (part.used + 1) // 2].copy()
        part.first = part.first[: part.place - begin + 1].copy()
        found.append(part)
        begin = part.place
    return found


def _turned(kernels: Kernels, slice: int, size: int, ranges: list[Solving]) -> tuple[Words, Words, int]:
    """For every place the edges that lead to it, and the most plies that any note tells of."""
    last = max((part.last for part in ranges), default=0)
    many = np.zeros(size + 1, dtype=np.int64)
    for part in ranges:
        targets = np.asarray(part.edges, dtype=np.int64).view(np.uint32)[: part.used] >> 1
        many += np.bincount(targets, minlength=size + 1)
    ends = np.cumsum(many)
    total = int(ends[-1])
    into: Words = ends if kernels.compiled else [int(end) for end in ends]
    parents = kernels.words((total + 1) // 2)
    initial = kernels.game.initial()
    while ranges:
        part = ranges.pop()
        part.into, part.parents = into, parents
        kernels.call["turn_round"](initial, part)
    return into, parents, last


def statistics(codes: Words, size: int) -> Statistics:
    """What is in a slice, counted."""
    flat = np.asarray(codes, dtype=np.int64).view(np.uint16)[:size]
    counts = np.bincount(flat, minlength=4)
    longest = len(counts) - 1 - 2 >> 1 if len(counts) > 4 or counts[2:].any() else 0
    return Statistics(
        positions=int(counts[1:].sum()),
        won=int(counts[2::2].sum()),
        drawn=int(counts[1]),
        lost=int(counts[3::2].sum()),
        longest=longest,
    )


def verify_slice(kernels: Kernels, slice: int, codes: Words, shelf: Shelf, *, threads: int = 1) -> int | None:
    """The first place whose code does not follow from its successors by the rules alone; None where all do."""
    size = int(kernels.game.slice_size(slice))
    initial = kernels.game.initial()

    def work(begin: int) -> int | None:
        part = kernels.solving(slice=slice, place=begin, end=min(begin + RANGE, size), codes=codes, size=size)
        return None if kernels.call["verify"](initial, part, shelf) == DONE else int(part.place)

    begins: Iterable[int] = range(0, size, RANGE)
    if threads == 1 or not kernels.compiled:
        return next((wrong for wrong in map(work, begins) if wrong is not None), None)
    with ThreadPoolExecutor(threads) as pool:
        return min((wrong for wrong in pool.map(work, begins) if wrong is not None), default=None)


def _trouble(game: Game, slice: int, place: int, status: int, shelf: Shelf) -> Exception:
    """Why a slice could not be listed, in words."""
    name, ending = type(game).__name__, game.name_slice(slice)
    state = game.slice_state(slice, place)
    where = f"{ending}, place {place:,}: {state!r}"
    if status == RAISED:
        return RulesError(
            f"{name}: an action leads from a slice to one that is higher; `slice` may never rise ({where})"
        )
    if status == MISSING:
        below = [game.result(state, action) for action in game.actions(state)]
        slices = [int(game.slice(child)) for child in below if not game.is_terminal(child)]
        unsolved = [other for other in slices if start_of(shelf, other) < 0 and other != slice]
        if unsolved:
            return MissingSliceError(
                f"{name}: {ending} leads to {game.name_slice(unsolved[0])}, which is not solved yet ({where})",
                unsolved[0],
            )
        return RulesError(f"{name}: an action leads from {ending} to a state without a place ({where})")
    if status == TOO_LONG:
        return UnsuitableError(f"{name}: a win in {ending} takes more plies than a database holds")
    assert status == TROUBLE
    return UnsuitableError(
        f"{name}: a database holds wins, draws and losses, and states with actions; here is something else ({where})"
    )
