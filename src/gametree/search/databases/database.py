"""`Database`: the endings of a game that have been solved, by slice, in a directory or in memory."""

import functools
import hashlib
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

import numpy as np

from gametree.errors import InputError, UnsuitableError
from gametree.game import Game, offers
from gametree.kernel.keys import state_key
from gametree.result import Value
from gametree.search.books.digest import rules_digest
from gametree.search.databases import codes as coded
from gametree.search.databases.answers import SUFFIX
from gametree.search.databases.files import EndingFile, Heading, write
from gametree.search.databases.shelf import Shelf, empty, home
from gametree.search.databases.solving import (
    Kernels,
    MissingSliceError,
    OnProgress,
    Statistics,
    outcomes,
    solve_slice,
    verify_slice,
)

DEFAULT_MB: Final = 1024.0


class Database:
    """Solved endings of one game: `probe` says what a position is worth.

    >>> from gametree.games import Chess
    >>> database = Database(Chess())
    >>> len(database)
    0
    """

    def __init__(self, game: Game, directory: "str | Path | None" = None, *, memory_mb: float = DEFAULT_MB):
        """The endings that are kept in a directory; without one those that are built and kept in memory.

        `memory_mb`: how much may be unpacked at once.
        """
        need_numbers(game)
        self.game = game
        self.directory: Path | None = None if directory is None else Path(directory)
        self.memory_mb = memory_mb
        self._files: dict[int, EndingFile] = {}
        self._open: dict[int, Any] = {}
        self._shelves: dict[tuple[bool, frozenset[int]], Shelf] = {}
        if self.directory is not None:
            self._look_round()

    def _look_round(self) -> None:
        """The files of the directory that are of this game; one that is of other rules is refused."""
        assert self.directory is not None
        for path in sorted(self.directory.glob(f"*{SUFFIX}")):
            file = EndingFile(path)
            if file.heading.game != type(self.game).__name__ or file.heading.rules != _rules(self.game):
                raise InputError(
                    f"{path.name} is of {file.heading.text}, whose rules are not those of {self.game!r} here:"
                    f" digest {file.heading.rules[:12]} in the file, {_rules(self.game)[:12]} here"
                )
            if file.heading.numbers != numbers_digest(self.game, file.heading.slice):
                raise InputError(
                    f"{path.name} numbers its positions in another way than {self.game!r} does here; build it again"
                )
            self._files[file.heading.slice] = file

    def fits(self, game: Game) -> bool:
        """Whether a game has the rules that these are made by."""
        return type(game).__name__ == type(self.game).__name__ and _rules(game) == _rules(self.game)

    def __len__(self) -> int:
        return len(set(self._files) | set(self._open))

    def __iter__(self) -> Iterator[int]:
        return iter(sorted(set(self._files) | set(self._open)))

    def __contains__(self, slice: int) -> bool:
        return slice in self._files or slice in self._open

    def __repr__(self) -> str:
        where = "in memory" if self.directory is None else f"in {self.directory}"
        return f"<Database of {self.game!r}: {len(self)} endings {where}>"

    # --- asking ---------------------------------------------------------------------------------------

    def probe(self, state: Any) -> Value | None:
        """What a position is worth to the player who moves, with the distance of a win or a loss; None where no
        database has it."""
        low, high = outcomes(self.game)
        if self.game.is_terminal(state):
            payoff = float(self.game.utility(state, self.game.player(state)))
            return (
                Value.win(high, 0)
                if payoff >= high
                else Value.loss(low, 0)
                if payoff <= low
                else Value(payoff)
            )
        code = self.code(state)
        if code <= coded.NONE:
            return None
        if code == coded.DRAW:
            return Value((low + high) / 2)
        plies = coded.plies_of(code)
        return Value.win(high, plies) if coded.is_win(code) else Value.loss(low, plies)

    def code(self, state: Any) -> int:
        """The code of a position (`codes.py`); UNKNOWN where no database has it."""
        slice = self.game.slice(state)
        if slice < 0 or slice not in self:
            return coded.UNKNOWN
        place = self.game.slice_place(state)
        if place < 0:
            return coded.UNKNOWN
        kept = self._open.get(slice)
        return self._files[slice].code(place) if kept is None else coded.read(kept, 0, place)

    def line(self, state: Any, most: int = 1000) -> list[Any]:
        """Best play from a position as far as the databases know: wins soon, loses late."""
        line: list[Any] = []
        game = self.game
        while not game.is_terminal(state) and len(line) < most:
            choices = [(action, game.result(state, action)) for action in game.actions(state)]
            worth = [(action, child, self._to_mover(state, child)) for action, child in choices]
            if any(value is None for _, _, value in worth):
                break
            action, state, value = max(worth, key=lambda choice: choice[2])
            line.append(action)
            if value.plies is None:
                break
        return line

    def moves(self, state: Any) -> list[tuple[Any, Value | None]]:
        """Every action, with what it is worth to the player who moves."""
        game = self.game
        return [(action, self._to_mover(state, game.result(state, action))) for action in game.actions(state)]

    def _to_mover(self, state: Any, child: Any) -> Any:
        game, mover = self.game, self.game.player(state)
        low, high = outcomes(game)
        if game.is_terminal(child):
            payoff = float(game.utility(child, mover))
            if payoff >= high:
                return Value.win(high, 1)
            return Value.loss(low, 1) if payoff <= low else Value(payoff)
        value = self.probe(child)
        if value is None or value.plies is None:
            return value
        won = (value.outcome == "win") == (game.player(child) == mover)
        return Value.win(high, value.plies + 1) if won else Value.loss(low, value.plies + 1)

    # --- building -------------------------------------------------------------------------------------

    def build(
        self,
        slices: Iterable[int],
        *,
        threads: int = 1,
        compile: str = "auto",
        on_progress: OnProgress | None = None,
    ) -> "Iterator[tuple[int, Statistics, bool]]":
        """Solves slices, the lowest first, and what lies below them and is missing; tells each when it is there.

        What is in the directory already is not solved again: a build that was ended goes on where it was.
        """
        kernels: Kernels | None = None
        for slice in sorted(set(slices)):
            if slice in self:
                yield slice, self.statistics(slice), False
                continue
            for below in needed(self.game, slice):
                if below not in self:
                    yield from self.build([below], threads=threads, compile=compile, on_progress=on_progress)
            kernels = kernels or Kernels(self.game, compile)
            try:
                found, statistics = solve_slice(
                    kernels,
                    slice,
                    self.shelf(slice, kernels.compiled),
                    threads=threads,
                    on_progress=on_progress,
                )
            except MissingSliceError as error:
                if error.slice in self or not 0 <= error.slice < slice:
                    raise
                yield from self.build(
                    [error.slice, slice], threads=threads, compile=compile, on_progress=on_progress
                )
                continue
            self._keep(slice, found, statistics)
            yield slice, statistics, True

    def _keep(self, slice: int, found: Any, statistics: Statistics) -> None:
        if self.directory is None:
            self._open[slice] = found
            return
        game = self.game
        heading = Heading(
            game=type(game).__name__,
            text=repr(game),
            rules=_rules(game),
            numbers=numbers_digest(game, slice),
            ending=game.name_slice(slice),
            slice=slice,
            places=int(game.slice_size(slice)),
            positions=statistics.positions,
            won=statistics.won,
            drawn=statistics.drawn,
            lost=statistics.lost,
            longest=statistics.longest,
        )
        path = self.directory / f"{file_name(heading.ending)}{SUFFIX}"
        self.directory.mkdir(parents=True, exist_ok=True)
        write(path, heading, found)
        self._files[slice] = EndingFile(path)

    def statistics(self, slice: int) -> Statistics:
        """What is in a slice."""
        if slice in self._files:
            about = self._files[slice].heading
            return Statistics(about.positions, about.won, about.drawn, about.lost, about.longest)
        from gametree.search.databases.solving import statistics

        return statistics(self._open[slice], int(self.game.slice_size(slice)))

    def heading(self, slice: int) -> Heading | None:
        """What the file of a slice says of itself; None where it is in memory."""
        file = self._files.get(slice)
        return None if file is None else file.heading

    def verify(
        self, slices: Iterable[int] | None = None, *, threads: int = 1, compile: str = "auto"
    ) -> Iterator[tuple[int, int | None]]:
        """Computes every entry anew from its successors by the rules alone: each slice with the first place that is
        wrong, or None."""
        kernels = Kernels(self.game, compile)
        for slice in sorted(self if slices is None else slices):
            if slice not in self:
                raise InputError(f"there is no database for {self.game.name_slice(slice)}: build it first")
            shelf = self.shelf(slice, kernels.compiled)
            yield (
                slice,
                verify_slice(kernels, slice, self._words(slice, kernels.compiled), shelf, threads=threads),
            )

    # --- memory ---------------------------------------------------------------------------------------

    def _words(self, slice: int, compiled: bool) -> Any:
        kept = self._open.get(slice)
        words = self._files[slice].codes() if kept is None else kept
        if compiled:
            return np.asarray(words, dtype=np.int64)
        return [int(word) for word in words]

    def shelf(self, below: int, compiled: bool) -> Shelf:
        """The slices below one, unpacked for kernels; the lowest first, as far as the memory goes."""
        room = int(self.memory_mb * (1 << 20))
        chosen = []
        for slice in self:
            if slice >= below:
                break
            room -= 2 * int(self.game.slice_size(slice)) + 8
            if room < 0:
                break
            chosen.append(slice)
        key = compiled, frozenset(chosen)
        if key not in self._shelves:
            self._shelves = {key: self._shelf(chosen, compiled)}
        return self._shelves[key]

    def _shelf(self, chosen: list[int], compiled: bool) -> Shelf:
        if not chosen:
            return empty(compiled)
        slots = 4
        while slots < 2 * len(chosen) + 2:
            slots *= 2
        table = [0] * (2 * slots)
        parts: list[Any] = []
        start = 0
        for slice in chosen:
            slot = home(slots - 1, slice)
            while table[2 * slot]:
                slot = slot + 1 & slots - 1
            table[2 * slot], table[2 * slot + 1] = slice + 1, start
            parts.append(self._words(slice, compiled))
            start += len(parts[-1])
        if compiled:
            words: Any = np.concatenate(parts) if parts else np.zeros(1, dtype=np.int64)
            drawn = sum(outcomes(self.game)) / 2
            return Shelf.allocate(
                True, slots=np.array(table, dtype=np.int64), mask=slots - 1, codes=words, drawn=drawn
            )
        flat = [word for part in parts for word in part]
        return Shelf(slots=table, mask=slots - 1, codes=flat, drawn=sum(outcomes(self.game)) / 2)


@functools.lru_cache(maxsize=64)
def _rules(game: Game) -> str:
    return rules_digest(game)


def need_numbers(game: Game) -> None:
    """Refuses a game whose states have no numbers."""
    missing = [name for name in ("slice_size", "slice_place", "slice_state") if not offers(game, name)]
    if missing:
        raise UnsuitableError(
            f"{type(game).__name__} does not number its states: it does not define {', '.join(missing)}"
            " (docs/databases.md shows how)"
        )
    outcomes(game)


def _sampled(game: Game, slice: int, most: int) -> Iterator[tuple[int, Any]]:
    """Places all over a slice, with their states."""
    size = int(game.slice_size(slice))
    for n in range(min(most, size)):
        place = (n * 0x9E3779B97F4A7C15 >> 20) % size if size > most else n
        yield place, game.slice_state(slice, place)


def needed(game: Game, slice: int) -> list[int]:
    """The slices to which actions lead from one, as far as a sample of its states tells."""
    found = set()
    for _, state in _sampled(game, slice, 200):
        if state is None or game.is_terminal(state):
            continue
        for action in game.actions(state):
            child = game.result(state, action)
            if not game.is_terminal(child):
                found.add(int(game.slice(child)))
    return sorted(below for below in found if 0 <= below < slice)


def numbers_digest(game: Game, slice: int) -> str:
    """A digest of how a slice is numbered."""
    words = hashlib.sha256(b"%d %d" % (slice, game.slice_size(slice)))
    for place, state in _sampled(game, slice, 24):
        words.update(b" %d:%d" % (place, 0 if state is None else state_key(game.key(state))))
    return words.hexdigest()[:32]


def file_name(ending: str) -> str:
    """The name of the file of a slice: letters and digits, what else there is as _."""
    return re.sub(r"[^A-Za-z0-9+-]", "_", ending)
