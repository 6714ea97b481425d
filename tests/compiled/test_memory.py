"""Blocks of memory with named fields: interpreted and compiled kernels do the same to them."""

import os
import subprocess
import sys
from typing import Any

import pytest

from compiled.asserting import span
from gametree.compiled import fingerprint, native
from gametree.games import Nim
from gametree.kernel.memory import LINE, Kind, Memory, layout_of, words_of
from gametree.kernel.primitives import Floats, Ints
from gametree.kernel.random import add_word

compiles = pytest.mark.skipif(bool(native.unavailable()), reason="nothing is compiled here")


class Settings(Memory, frozen=True):
    factor: int = 3
    half: float = 0.5
    doubled: bool = False


class Totals(Memory):
    count: int
    mean: float
    odd: bool
    seen: Ints
    weights: Floats
    settings: Settings


class More(Totals):
    last: int


def tally(game: Any, state: Any, steps: int, totals: Totals) -> float:
    """Does something with every kind of field."""
    settings = totals.settings
    for step in range(steps):
        totals.count += settings.factor
        totals.odd = not totals.odd
        totals.seen[step] += totals.count
        add_word(totals.seen, step, 1)
        totals.weights[step] = totals.weights[step] * settings.half + step
        totals.mean += totals.weights[step] / steps
    if settings.doubled:
        totals.count *= 2
    return totals.mean


def descend(game: Any, state: Any, plies: int, totals: More) -> int:
    """Calls itself with a block."""
    totals.last = plies
    totals.seen[plies] = totals.count
    totals.count += 1
    return totals.count if plies == 0 else descend(game, state, plies - 1, totals)


def write_to_settings(game: Any, state: Any, settings: Settings) -> int:
    settings.factor = 4  # type: ignore[misc]
    return settings.factor


def swap(game: Any, state: Any, totals: Totals) -> int:
    totals.seen = totals.seen
    return 0


def block(compiled: bool, cls: type[Totals] = Totals, **given: Any) -> Totals:
    seen: Any = [0, 1, 2, 3]
    weights: Any = [0.5, 1.5, 2.5, 3.5]
    if compiled:
        import numpy as np

        seen, weights = np.array(seen, np.int64), np.array(weights, np.float64)
    settings = Settings.allocate(compiled, doubled=True)
    return cls.allocate(compiled, seen=seen, weights=weights, settings=settings, **given)


def contents(totals: Totals) -> list[Any]:
    return [totals.count, totals.mean, totals.odd, list(totals.seen), list(totals.weights)]


@compiles
def test_a_compiled_kernel_does_to_a_block_what_an_interpreted_one_does() -> None:
    game = Nim()
    plain, words = block(False, count=5), block(True, count=5)
    compiled = native.native(tally, game)
    for steps in (1, 4, 3):
        assert compiled(game.initial(), steps, words) == tally(game, game.initial(), steps, plain)
        assert contents(words) == contents(plain)
    assert type(words.count) is int and type(words.mean) is float and type(words.odd) is bool


@compiles
def test_a_kernel_that_calls_itself_passes_a_block_on() -> None:
    game = Nim()
    words, plain = block(True, More), block(False, More)
    assert isinstance(words, More) and isinstance(plain, More)
    assert native.native(descend, game)(game.initial(), 3, words) == descend(game, game.initial(), 3, plain)
    assert contents(words) == contents(plain) and words.last == plain.last == 0


@compiles
def test_a_kernel_sees_the_array_that_a_field_was_given_last() -> None:
    import numpy as np

    game, totals = Nim(), block(True)
    compiled = native.native(tally, game)
    compiled(game.initial(), 1, totals)
    before, totals.seen = totals.seen, np.zeros(1, np.int64)  # type: ignore[assignment]
    compiled(game.initial(), 1, totals)
    assert list(before) == [4, 1, 2, 3] and list(totals.seen) == [10]


@compiles
@pytest.mark.parametrize("kernel", [write_to_settings, swap])
def test_what_stays_while_a_kernel_runs_is_not_written_to(kernel: Any) -> None:
    with pytest.raises(native.CannotCompile, match="assigns to an attribute"):
        native.native(kernel, Nim())


@compiles
def test_a_block_for_an_interpreted_kernel_is_refused_by_a_compiled_one() -> None:
    game = Nim()
    with pytest.raises(AssertionError, match="interpreted"):
        native.native(tally, game)(game.initial(), 1, block(False))


@compiles
def test_bounds_are_checked_where_numba_is_told_to() -> None:
    program = (
        "from compiled.test_memory import *\n"
        "totals = block(True)\n"
        "run = native.native(tally, Nim())\n"
        "run(Nim().initial(), 4, totals)\n"
        "try:\n    run(Nim().initial(), 5, totals)\n"
        "except native.Failed:\n    print('refused')\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "NUMBA_BOUNDSCHECK": "1", "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "refused\n"


def test_arrays_and_blocks_take_two_words_and_numbers_one() -> None:
    places = {field.name: (field.kind, field.place) for field in More.fields}
    assert places == {
        "count": (Kind.INT, 0),
        "mean": (Kind.FLOAT, 1),
        "odd": (Kind.BOOL, 2),
        "seen": (Kind.INTS, 3),
        "weights": (Kind.FLOATS, 5),
        "settings": (Kind.BLOCK, 7),
        "last": (Kind.INT, 9),
    }
    assert words_of(More.fields) == 10


def test_blocks_of_two_threads_share_no_line_of_memory() -> None:
    blocks = [Settings.allocate(True) for _ in range(3)]
    assert all(b.address % LINE == 0 for b in blocks) and len({b.address for b in blocks}) == 3


def test_a_field_that_is_not_there_is_refused() -> None:
    with pytest.raises(AssertionError, match="Settings has no field fctor"):
        Settings(fctor=2)  # type: ignore[call-arg]


def test_machine_code_is_made_anew_where_the_layout_has_changed() -> None:
    class Other(Memory):
        mean: float
        count: int

    def one(game: Any, state: Any, totals: Totals) -> int:
        return totals.count

    def other(game: Any, state: Any, totals: Other) -> int:
        return totals.count

    other.__code__ = one.__code__
    kernels: tuple[Any, Any] = (one, other)
    digests = {fingerprint.Reach(Nim, (kernel,)).digest for kernel in kernels}
    assert len(digests) == 2
    assert layout_of(Settings)[0] == "frozen" and layout_of(Totals)[0] == "block"


def test_what_a_kernel_takes_for_granted_is_asserted_where_things_are_checked() -> None:
    game = Nim()
    assert span(game, game.initial(), 1, 3) == 2
    with pytest.raises(AssertionError):
        span(game, game.initial(), 3, 3)


@compiles
def test_machine_code_asserts_it_only_where_bounds_are_checked() -> None:
    game = Nim()
    compiled = native.native(span, game)
    assert compiled(game.initial(), 1, 3) == 2
    if os.environ.get("NUMBA_BOUNDSCHECK", "0") in ("", "0"):
        assert compiled(game.initial(), 3, 3) == 0
    else:
        with pytest.raises(native.Failed):
            compiled(game.initial(), 3, 3)
