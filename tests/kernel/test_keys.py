"""Keys of states: the same everywhere, and different for different states."""

import os
import random
import subprocess
import sys
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest

from gametree import Game, Tree, put
from gametree.compiled import native
from gametree.games import ConnectFour, Nim, TicTacToe
from gametree.kernel.keys import FIRST, MASK, mix, state_key
from gametree.kernel.primitives import Ints, store

COMPILES = not native.unavailable()
POSITIONS = 10_000_000 if COMPILES else 20_000
WALK = 40
"""How many states of one random walk are keyed."""


# --- states to key ----------------------------------------------------------------------------------


class Pair(NamedTuple):
    small: int
    real: float


class Mixed(NamedTuple):
    """Every kind of number that a state can have, and tuples within tuples."""

    big: np.uint64
    byte: np.int8
    flag: bool
    pair: Pair
    cells: tuple[int, int, int]


class Samples(Game):
    """A game of no moves: its states are there to be keyed."""

    def __init__(self, first: Any):
        self._first = first

    def initial(self) -> Any:
        return self._first

    def player(self, state: Any) -> int:
        return 0

    def actions(self, state: Any) -> range:
        return range(1)

    def result(self, state: Any, action: int) -> Any:
        return state

    def is_terminal(self, state: Any) -> bool:
        return False

    def utility(self, state: Any, player: int) -> float:
        return 0


class Boards(NamedTuple):
    """Twelve sparse boards of 64 squares, as chess programs keep them: one a kind of piece and colour."""

    a: np.uint64
    b: np.uint64
    c: np.uint64
    d: np.uint64
    e: np.uint64
    f: np.uint64
    g: np.uint64
    h: np.uint64
    i: np.uint64
    j: np.uint64
    k: np.uint64
    l: np.uint64  # noqa: E741


HOME = (0xFF00, 0x42, 0x24, 0x81, 0x08, 0x10)
"""Pawns, knights, bishops, rooks, queen and king on their first squares; the other side's lie 56 or 40 higher."""


class Scramble(Game):
    """Pieces jump to any square and take what stands there: chess positions without the rules of chess."""

    def initial(self) -> Boards:
        white = [np.uint64(board) for board in HOME]
        black = [np.uint64(board << (40 if board == 0xFF00 else 56)) for board in HOME]
        return Boards(*white, *black)

    def player(self, state: Boards) -> int:
        return 0

    def actions(self, state: Boards) -> range:
        return range(12 * 64)

    def result(self, state: Boards, action: int) -> Boards:
        """The first piece of kind action // 64 goes to square action % 64; a kind that has died out comes back."""
        kind = action // 64
        target = np.uint64(1) << np.uint64(action % 64)
        first = state[kind] & (~state[kind] + np.uint64(1)) if state[kind] else np.uint64(0)
        for other in range(12):
            state = put(state, other, state[other] & ~target)  # type: ignore[assignment]
        return put(state, kind, (state[kind] & ~first) | target)  # type: ignore[return-value]

    def is_terminal(self, state: Boards) -> bool:
        return False

    def utility(self, state: Boards, player: int) -> float:
        return 0


# --- kernels ----------------------------------------------------------------------------------------


def keyed(game: Any, state: Any, out: Ints) -> int:
    """Writes the key of a state to `out`."""
    out[0] = state_key(state)
    return 0


def _next(seed: int) -> int:
    """Xorshift on 32 bits (Marsaglia 2003), in ints that never overflow."""
    seed ^= seed << 13 & 0xFFFFFFFF
    seed ^= seed >> 17
    return seed ^ (seed << 5 & 0xFFFFFFFF)


def walk(
    game: Any,
    state: Any,
    first: int,
    walks: int,
    keys: Ints,
    wanted: int,
    words: Ints,
) -> int:
    """Keys the states of random walks number `first` and on: eight steps unseen, then WALK states each.

    The state with index `wanted` is written down too.
    """
    at = 0
    for number in range(first, first + walks):
        seed = number + 1
        for _ in range(4):
            seed = _next(seed)
        here = state
        step = 0
        while step < 8 + WALK:
            seed = _next(seed)
            follows = game.result(here, (seed >> 8) % 768)
            if follows != here:
                here = follows
                if step >= 8:
                    keys[at] = state_key(here)
                    if at == wanted:
                        store(here, words, 0)
                    at += 1
                step += 1
    return at


def play(game: Any, state: Any, count: int, keys: Ints, words: Ints) -> int:
    """Keys the first `count` states of random games and writes down the states themselves."""
    seed = 1
    at = 0
    here = state
    while at < count:
        if game.is_terminal(here):
            here = state
        choices = 0
        for _action in game.actions(here):
            choices += 1
        seed = _next(seed)
        chosen = (seed >> 8) % choices
        follows = here
        i = 0
        for action in game.actions(here):
            if i == chosen:
                follows = game.result(here, action)
            i += 1
        here = follows
        keys[at] = state_key(here)
        store(here, words, 2 * at)
        at += 1
    return at


def zeros(count: int) -> Any:
    """What a kernel writes to: an array, or a list where it runs interpreted."""
    return np.zeros(count, dtype=np.int64) if COMPILES else [0] * count


def runner(kernel: Any, game: Game) -> Callable[..., int]:
    """A kernel for a game, compiled where that is possible."""
    state = game.initial()
    if COMPILES:
        bound = native.native(kernel, game)
        return lambda *arguments: int(bound(state, *arguments))
    return lambda *arguments: int(kernel(game, state, *arguments))


def compiled_key(game: Game, state: Any) -> int:
    out = np.zeros(1, dtype=np.int64)
    native.native(keyed, game)(state, out)
    return int(out[0]) & MASK


# --- the same everywhere ----------------------------------------------------------------------------


def random_mixed(rng: random.Random) -> Mixed:
    return Mixed(
        np.uint64(rng.getrandbits(64)),
        np.int8(rng.randrange(-128, 128)),
        rng.random() < 0.5,
        Pair(
            rng.choice([0, -1, 1 << 62, -(1 << 63), rng.getrandbits(40)]),
            rng.choice([0.0, -0.0, 1.5, -1e300]),
        ),
        (rng.randrange(3), rng.randrange(3), rng.randrange(3)),
    )


@pytest.mark.needs_compiler
def test_interpreted_and_compiled_keys_are_equal_for_every_kind_of_number() -> None:
    rng = random.Random(1)
    game = Samples(random_mixed(rng))
    for _ in range(500):
        state = random_mixed(rng)
        assert compiled_key(game, state) == state_key(state)


@pytest.mark.needs_compiler
@pytest.mark.parametrize(
    "state", [7, -7, 2.5, True, (1, 2), ((1, 2), 3), (1, (2, 3)), ((1,), (2, (3, 4.0)))], ids=str
)
def test_interpreted_and_compiled_keys_are_equal_for_every_shape(state: Any) -> None:
    assert compiled_key(Samples(state), state) == state_key(state)


@pytest.mark.needs_compiler
@pytest.mark.parametrize(
    "game", [ConnectFour(), TicTacToe(), Nim(), Tree([[1, 2], 3])], ids=lambda game: type(game).__name__
)
def test_interpreted_and_compiled_keys_are_equal_along_games(game: Game) -> None:
    rng = random.Random(2)
    for _ in range(10):
        state = game.initial()
        while not game.is_terminal(state):
            assert compiled_key(game, state) == state_key(state)
            state = game.result(state, rng.choice(list(game.actions(state))))
        assert compiled_key(game, state) == state_key(state)


@pytest.mark.needs_compiler
def test_interpreted_and_compiled_keys_are_equal_where_a_float_is_written_as_an_int() -> None:
    assert compiled_key(Samples(Pair(1, 2.0)), Pair(1, 2)) == state_key(Pair(1, 2))


STATES = [
    0,
    (1, 2, 3),
    (1 << 61, -1, 2.5, True),
    ("some text", (None, b"bytes")),
    frozenset({"a", "b", "c", "d"}),
    (("x", frozenset({1, 2, 3})), 1 << 200),
]


@pytest.mark.parametrize("salt", ["0", "1", "4711", "random"])
def test_every_process_gives_the_same_keys(salt: str) -> None:
    program = f"from gametree.kernel.keys import state_key\nprint([state_key(state) for state in {STATES!r}])"
    answer = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "PYTHONHASHSEED": salt},
        capture_output=True,
        text=True,
        check=True,
    )
    assert answer.stdout.strip() == str([state_key(state) for state in STATES])


def test_equal_states_have_equal_keys_however_they_are_written() -> None:
    for one, other in [
        (1, True),
        (1, np.int64(1)),
        ((1, 2.0), Pair(1, 2.0)),
        (0.0, -0.0),
        (1.5, np.float32(1.5)),
        (np.uint64(1 << 63), 1 << 63),
        (False, np.bool_(False)),
    ]:
        assert one == other
        assert state_key(one) == state_key(other), (one, other)


# --- different for different states -----------------------------------------------------------------


def test_order_nesting_and_length_count() -> None:
    states: list[Any] = [
        *((a, b, c) for a in range(5) for b in range(5) for c in range(5)),
        *((a, b) for a in range(5) for b in range(5)),
        *((a, (b, c)) for a in range(5) for b in range(5) for c in range(5)),
        *(((a, b), c) for a in range(5) for b in range(5) for c in range(5)),
        *((a,) for a in range(5)),
        *range(5),
        (),
        ((),),
        ((), ()),
        *((0,) * n for n in range(4, 60)),
    ]
    assert len(states) == len(set(states))
    assert len({state_key(state) for state in states}) == len(states)


def test_what_python_hashes_alike_has_keys_of_its_own() -> None:
    assert hash(1 << 61) == hash(1)
    assert state_key(1 << 61) != state_key(1)
    assert hash(-1) == hash(-2)
    assert state_key(-1) != state_key(-2)


def test_a_single_word_has_a_key_of_its_own() -> None:
    words = [*range(100_000), *(1 << i for i in range(17, 64)), *(MASK ^ 1 << i for i in range(64))]
    assert len({state_key(word) for word in words}) == len(words)


def words_of(keys: Any) -> Any:
    """Keys as unsigned words, from an array of signed ones or from a list."""
    return keys.view(np.uint64) if COMPILES else np.array(keys, dtype=np.uint64)


def test_ten_million_positions_of_connect_four_share_no_keys() -> None:
    keys, words = zeros(POSITIONS), zeros(2 * POSITIONS)
    assert runner(play, ConnectFour())(POSITIONS, keys, words) == POSITIONS
    states = np.asarray(words, dtype=np.int64).reshape(-1, 2)
    unsigned = words_of(keys)
    for at in range(0, POSITIONS, POSITIONS // 50):
        assert state_key(tuple(states[at].tolist())) == int(unsigned[at])
    order = np.argsort(unsigned)
    same_key = unsigned[order[1:]] == unsigned[order[:-1]]
    states = states[order]
    same_state = (states[1:] == states[:-1]).all(axis=1)
    assert (same_key == same_state).all()
    assert (~same_key).sum() > POSITIONS // 2


@pytest.fixture(scope="module")
def walked() -> Any:
    """The keys of states along random walks of sparse boards."""
    keys = zeros(POSITIONS)
    assert runner(walk, Scramble())(0, POSITIONS // WALK, keys, -1, zeros(12)) == POSITIONS
    return words_of(keys)


def test_ten_million_positions_of_sparse_boards_share_no_keys(walked: Any) -> None:
    again, keys, words = runner(walk, Scramble()), zeros(WALK), zeros(12)

    def state_at(index: int) -> tuple[int, ...]:
        """The state again."""
        number, step = divmod(index, WALK)
        again(number, 1, keys, step, words)
        return tuple(int(word) & MASK for word in words)

    for at in range(0, POSITIONS, POSITIONS // 50):
        assert state_key(state_at(at)) == int(walked[at])
    order = np.argsort(walked)
    twice = np.flatnonzero(walked[order[1:]] == walked[order[:-1]])
    # Whoever jumps away and back has been there before. Nothing else may have the same key.
    assert len(twice) < POSITIONS // 100
    for at in twice.tolist():
        assert state_at(order[at]) == state_at(order[at + 1])


@pytest.mark.parametrize("end", ["low", "high"])
def test_both_ends_of_a_key_are_spread_evenly(walked: Any, end: str) -> None:
    width = 20 if COMPILES else 10
    keys = np.sort(walked)
    keys = keys[np.flatnonzero(keys[1:] != keys[:-1])]
    ends = keys & np.uint64((1 << width) - 1) if end == "low" else keys >> np.uint64(64 - width)
    counts = np.bincount(ends.astype(np.int64), minlength=1 << width)
    expected = len(keys) / (1 << width)
    chi_square = float(((counts - expected) ** 2).sum() / expected)
    freedom = (1 << width) - 1
    assert abs(chi_square - freedom) < 5 * (2 * freedom) ** 0.5


# --- the mixer --------------------------------------------------------------------------------------


def test_the_mixer_is_that_of_splitmix64() -> None:
    """The first numbers that the published generator gives from seed 0."""
    assert [mix(FIRST * n & MASK) for n in (1, 2, 3)] == [
        0xE220A8397B1DCDAF,
        0x6E789E6AA1B965F4,
        0x06C45D188009454F,
    ]


def flips(function: Callable[[int], int], samples: int) -> Any:
    """For every bit of a word, how often flipping it flips each bit of the result."""
    rng = random.Random(5)
    counts = np.zeros((64, 64))
    for _ in range(samples):
        word = rng.getrandbits(64)
        plain = function(word)
        changed = [plain ^ function(word ^ 1 << i) for i in range(64)]
        counts += [[one >> i & 1 for i in range(64)] for one in changed]
    return counts / samples


@pytest.mark.parametrize("place", ["mix", "alone", "first", "last"])
def test_every_bit_of_a_word_changes_every_bit_of_the_key_half_of_the_time(place: str) -> None:
    keys: dict[str, Callable[[int], int]] = {
        "mix": mix,
        "alone": state_key,
        "first": lambda word: state_key((word, 3, 4)),
        "last": lambda word: state_key((3, 4, word)),
    }
    shares = flips(keys[place], samples=500)
    # 500 throws of a coin: a standard deviation is 0.022, and there are 4,096 of them.
    assert abs(shares - 0.5).max() < 0.11
    assert abs(shares.mean() - 0.5) < 0.005
