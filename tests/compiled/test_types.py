"""What states, actions, parameters and arrays may be made of, compiled as well as interpreted."""

import random
from collections import namedtuple
from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
import pytest

import gametree as gt
from compiled.postponed import Postponed
from gametree.compiled import native
from gametree.compiled.types.layout import Codec, LayoutError, Row, Scalar, shape_of

needs_compiler = pytest.mark.needs_compiler


def both(game: gt.Game, state: Any = None, **options: Any) -> gt.Analysis:
    """The analysis, which has to be the same compiled and interpreted, down to the types of the actions."""
    interpreted = gt.minimax(game, state, compile="never", **options)
    compiled = gt.minimax(game, state, compile="always", **options)
    assert compiled.parameters["compiled"] and not interpreted.parameters["compiled"]
    assert (compiled.value, compiled.line, compiled.nodes) == (
        interpreted.value,
        interpreted.line,
        interpreted.nodes,
    )
    assert [type(action) for action in compiled.line] == [type(action) for action in interpreted.line]
    return compiled


class Nim(gt.Game):
    """Take one to three of seven; whoever takes the last one wins."""

    def initial(self) -> Any:
        return (7, 0)

    def player(self, s: Any) -> Any:
        return s[1]

    def actions(self, s: Any) -> Iterable[Any]:
        return range(1, min(3, s[0]) + 1)

    def result(self, s: Any, a: Any) -> Any:
        return (s[0] - a, 1 - s[1])

    def is_terminal(self, s: Any) -> Any:
        return s[0] == 0

    def utility(self, s: Any, p: int) -> Any:
        return -1 if p == s[1] else 1


# --- states -----------------------------------------------------------------------------------------


class IntState(Nim):
    """Twice the counters, and one more when player 1 moves."""

    def initial(self) -> Any:
        return 14

    def player(self, s: Any) -> Any:
        return s & 1

    def actions(self, s: Any) -> Any:
        return range(1, min(3, s >> 1) + 1)

    def result(self, s: Any, a: Any) -> Any:
        return (s - 2 * a) ^ 1

    def is_terminal(self, s: Any) -> Any:
        return s < 2

    def utility(self, s: Any, p: int) -> Any:
        return -1 if p == s & 1 else 1


class Clock(NamedTuple):
    ticks: int
    running: bool


class Heap(NamedTuple):
    left: int
    clock: Clock


class Nested(NamedTuple):
    heap: Heap
    mover: int


class NestedState(Nim):
    def initial(self) -> Any:
        return Nested(Heap(6, Clock(0, True)), 0)

    def player(self, s: Any) -> Any:
        return s.mover

    def actions(self, s: Any) -> Any:
        return range(1, min(3, s.heap.left) + 1)

    def result(self, s: Any, a: Any) -> Any:
        heap = Heap(s.heap.left - a, Clock(s.heap.clock.ticks + 1, not s.heap.clock.running))
        return Nested(heap, 1 - s.mover)

    def is_terminal(self, s: Any) -> Any:
        return s.heap.left == 0

    def utility(self, s: Any, p: int) -> Any:
        worth = s.heap.clock.ticks if s.heap.clock.running else -s.heap.clock.ticks
        return worth if p == 0 else -worth


class Bits(NamedTuple):
    stones: np.uint64
    mover: int


class UpperBits(Nim):
    """Bits 60 to 63: take any; the sum of the numbers of player 0's bits counts."""

    def initial(self) -> Any:
        return Bits(np.uint64(0b1111 << 60), 0)

    def player(self, s: Any) -> Any:
        return s.mover

    def actions(self, s: Any) -> Any:
        for i in range(60, 64):
            if s.stones & np.uint64(1) << np.uint64(i):
                yield i

    def result(self, s: Any, a: Any) -> Any:
        return Bits(s.stones & ~(np.uint64(1) << np.uint64(a)), 1 - s.mover)

    def is_terminal(self, s: Any) -> Any:
        return s.stones >> np.uint64(63) == 0 or s.stones < np.uint64(1 << 62)

    def utility(self, s: Any, p: int) -> Any:
        worth = np.int64(s.stones >> np.uint64(60)) - 5
        return worth if p == 0 else -worth


class Temperature(NamedTuple):
    degrees: float
    left: int
    hot: bool


class FloatState(Nim):
    """Heat or cool by half; ints and a bool go where floats are declared, a comparison where a bool is."""

    def initial(self) -> Any:
        return Temperature(1, 4, False)

    def player(self, s: Any) -> Any:
        return s.left % 2

    def actions(self, s: Any) -> Any:
        return (0, 1)

    def result(self, s: Any, a: Any) -> Any:
        degrees = s.degrees * 1.5 if a else s.degrees / 2
        return Temperature(degrees, s.left - 1, degrees > 1)

    def is_terminal(self, s: Any) -> Any:
        return s.left == 0

    def utility(self, s: Any, p: int) -> Any:
        worth = s.degrees + 10 * s.hot
        return worth if p == 0 else -worth


class Casts(NamedTuple):
    left: int
    mover: np.int8
    passed: bool
    weight: float


class CastState(Nim):
    """What `result` returns is cast to what is declared: True to int, an int to float, an int to np.int8."""

    def initial(self) -> Any:
        return Casts(5, np.int8(0), False, 0.0)

    def player(self, s: Any) -> Any:
        return s.mover

    def actions(self, s: Any) -> Any:
        return range(1, min(2, s.left) + 1)

    def result(self, s: Any, a: Any) -> Any:
        return Casts(s.left - a, 1 - s.mover, a == 1, a)

    def is_terminal(self, s: Any) -> Any:
        return s.left == 0

    def utility(self, s: Any, p: int) -> Any:
        worth = s.weight + (3 if s.passed else 0)
        return -worth if p == s.mover else worth


class Cells(NamedTuple):
    cells: tuple[int, ...]
    mover: int


class TupleField(Nim):
    """Colour a cell of four; pairs of neighbours count."""

    def initial(self) -> Any:
        return Cells((0,) * 4, 0)

    def player(self, s: Any) -> Any:
        return s.mover

    def actions(self, s: Any) -> Any:
        return [i for i, cell in enumerate(s.cells) if cell == 0]

    def result(self, s: Any, a: Any) -> Any:
        return Cells(gt.put(s.cells, a, s.mover + 1), 1 - s.mover)

    def is_terminal(self, s: Any) -> Any:
        return 0 not in s.cells

    def utility(self, s: Any, p: int) -> Any:
        worth = sum(1 for i in range(3) if s.cells[i] == s.cells[i + 1] == 1) * 2 - s.cells[0]
        return worth if p == 0 else -worth


Loose = namedtuple("Loose", "left mover")


class LooseState(Nim):
    """A named tuple without annotations."""

    def initial(self) -> Any:
        return Loose(7, 0)

    def result(self, s: Any, a: Any) -> Any:
        return Loose(s.left - a, 1 - s.mover)


def local_game() -> gt.Game:
    """A game and its state, defined inside a function."""
    step = 2

    class Here(NamedTuple):
        left: int
        mover: int

    class Local(Nim):
        def initial(self) -> Any:
            return Here(6, 0)

        def actions(self, s: Any) -> Any:
            return range(1, min(step, s.left) + 1)

        def result(self, s: Any, a: Any) -> Any:
            return Here(s.left - a, 1 - s.mover)

    return Local()


STATES = [
    Nim(),
    IntState(),
    NestedState(),
    UpperBits(),
    FloatState(),
    CastState(),
    TupleField(),
    LooseState(),
    Postponed(),
    local_game(),
]


@needs_compiler
@pytest.mark.parametrize("game", STATES, ids=lambda game: type(game).__name__)
def test_a_kind_of_state_plays_compiled_as_interpreted(game: gt.Game) -> None:
    assert both(game).exact


@needs_compiler
def test_a_state_in_the_middle_of_the_game_can_be_searched() -> None:
    assert both(NestedState(), Nested(Heap(3, Clock(5, False)), 1)).nodes < both(NestedState()).nodes
    assert both(UpperBits(), Bits(np.uint64(0b1101 << 60), 1)).exact


# --- shapes -----------------------------------------------------------------------------------------


def test_annotations_decide_the_machine_type() -> None:
    assert shape_of(Temperature(1, 4, False)) == Row(
        (Scalar("float64"), Scalar("int64"), Scalar("bool")), Temperature
    )
    assert shape_of(Postponed().initial()) == shape_of(Postponed().initial())
    first = shape_of(Postponed().initial())
    assert isinstance(first, Row)
    assert first.items == (
        Scalar("uint64", numpy=True),
        Scalar("int64"),
        Scalar("bool"),
        Row((Scalar("int64"),) * 3),
    )


@pytest.mark.parametrize(
    "state",
    [
        0,
        -(1 << 63),
        (1, (2, (3.5, True))),
        Nested(Heap(6, Clock(0, True)), 1),
        Bits(np.uint64((1 << 64) - 1), 0),
        (np.int8(-128), np.float32(0.5), np.bool_(True)),
        (),
    ],
)
def test_states_come_back_as_they_went(state: Any) -> None:
    codec = Codec(shape_of(state))
    packed = codec.pack(state)
    assert len(packed) == 8 * codec.size
    back = codec.unpack(packed)
    assert back == state and type(back) is type(state)
    if isinstance(state, tuple):
        assert [type(part) for part in back] == [type(part) for part in state]


@pytest.mark.parametrize(
    ("first", "other", "words"),
    [
        ((7, 0), (7, "x"), "state[1] is str 'x', but declared int"),
        ((7, 0), (7, None), "state[1] is None, but declared int"),
        ((7, 0), (7, 1.5), "state[1] is float 1.5, but declared int"),
        ((7, 0), (1 << 63, 0), "state[0] is 9223372036854775808, which does not fit 64 bits"),
        (Bits(np.uint64(0), 0), Bits(-1, 0), "state.stones is -1, which does not fit 64 bits"),  # type: ignore[arg-type]
        ((np.int8(0), 0), (200, 0), "state[0] is 200, which does not fit 8 bits"),
        ((True, 0), (2, 0), "state[0] is 2, but declared bool"),
        (((1, 2), 0), ((1, 2, 3), 0), "state[0] has 3 parts, not 2"),
        (((1, 2), 0), (3, 0), "state[0] is int 3, not a tuple of 2"),
        (7, (7, 0), "the state is tuple (7, 0), but declared int"),
    ],
)
def test_a_state_of_another_shape_is_refused_with_the_part_that_differs(
    first: Any, other: Any, words: str
) -> None:
    with pytest.raises(LayoutError) as error:
        Codec(shape_of(first)).pack(other)
    assert words in str(error.value)


# --- actions ----------------------------------------------------------------------------------------


class Take(NamedTuple):
    much: int
    twice: bool


class TupleActions(Nim):
    def actions(self, s: Any) -> Any:
        for i in range(1, min(3, s[0]) + 1):
            yield (i, 0)
        if s[0] > 4:
            yield (1, 3)

    def result(self, s: Any, a: Any) -> Any:
        one, other = a
        return (s[0] - one - other, 1 - s[1])


class NamedActions(Nim):
    def actions(self, s: Any) -> Any:
        for i in range(1, min(3, s[0]) + 1):
            yield Take(i, False)
            if 2 * i <= s[0]:
                yield Take(much=i, twice=True)

    def result(self, s: Any, a: Any) -> Any:
        return (s[0] - a.much * (2 if a.twice else 1), 1 - s[1])


@needs_compiler
def test_actions_may_be_ints_tuples_and_named_tuples() -> None:
    assert all(type(action) is int for action in both(Nim()).line)
    assert all(type(action) is tuple for action in both(TupleActions()).line)
    assert all(type(action) is Take for action in both(NamedActions()).line)


# --- what rules may use -----------------------------------------------------------------------------

LARGEST = 3
BONUS = (0, 2, 1, 0, 1, 0, 2, 0)


def bonus(left: int, scale: int = 1) -> int:
    return scale * BONUS[left]


class Furnished(Nim):
    """Parameters, helper methods and functions, constants of module and class, a static method, a property."""

    first = 1

    def __init__(self, counters: int, largest: int = LARGEST, rate: float = 1.0):
        self.counters = counters
        self.largest = largest
        self.rate = rate
        self.table = tuple(range(counters + 1))

    def initial(self) -> Any:
        return (self.counters, 0, 0)

    @staticmethod
    def smaller(one: int, other: int) -> int:
        return one if one < other else other

    @property
    def half(self) -> int:
        return self.counters // 2

    def most(self, s: Any) -> int:
        return self.smaller(self.largest, s[0])

    def actions(self, s: Any) -> Any:
        return range(self.first, self.most(s) + 1)

    def result(self, s: Any, a: Any) -> Any:
        gain = bonus(s[0] - a) + (bonus(0, scale=3) if s[0] - a == self.half else self.table[a])
        return (s[0] - a, 1 - s[1], s[2] + (gain if s[1] == 0 else -gain))

    def utility(self, s: Any, p: int) -> Any:
        worth = s[2] * self.rate
        return worth if p == 0 else -worth


@needs_compiler
def test_rules_may_use_parameters_helpers_constants_static_methods_and_properties() -> None:
    values = {both(Furnished(*given)).value for given in ((7,), (6,), (7, 2), (7, 3, 0.5))}
    assert len(values) > 2


# --- arrays -----------------------------------------------------------------------------------------


class Weighted(Nim):
    """Each count of counters left has a worth, in an array."""

    def __init__(self, weights: Any):
        self.weights = weights

    def evaluate(self, s: Any, p: int) -> Any:
        worth = self.weights[s[0] % len(self.weights)]
        return worth if p == 0 else -worth


class Table(Nim):
    """A matrix of worths by counters left and who moves."""

    def __init__(self, table: Any):
        self.table = table

    def evaluate(self, s: Any, p: int) -> Any:
        worth = self.table[s[0] % self.table.shape[0], s[1]]
        return worth if p == 0 else -worth


@needs_compiler
def test_weights_change_in_place_without_a_new_compilation() -> None:
    game = Weighted(np.array([0.0, 1.0, 2.0, 3.0, 4.0]))
    before = both(game, depth=3)
    count = len(native._natives)
    game.weights[:] = [9.0, -1.0, 5.0, -3.0, 2.0]
    after = both(game, depth=3)
    assert after.value != before.value
    assert len(native._natives) == count


@needs_compiler
def test_arrays_of_other_contents_and_lengths_share_machine_code() -> None:
    both(Weighted(np.array([0.0, 1.0])), depth=3)
    count = len(native._natives)
    values = {both(Weighted(np.arange(n) * 1.5), depth=3).value for n in range(1, 8)}
    assert len(values) > 2
    assert len(native._natives) == count


@needs_compiler
def test_arrays_of_another_type_or_dimension_have_machine_code_of_their_own() -> None:
    both(Weighted(np.array([0.5, 1.0])), depth=3)
    count = len(native._natives)
    both(Weighted(np.array([0, 1, 2])), depth=3)
    assert len(native._natives) == count + 1


@needs_compiler
def test_arrays_may_lie_in_memory_as_they_like() -> None:
    matrix = np.arange(10.0).reshape(5, 2) * [1, -1]
    plain = both(Table(matrix), depth=4)
    count = len(native._natives)
    for layout in (
        np.asfortranarray(matrix),
        np.repeat(matrix, 2, axis=0)[::2],
        matrix[::-1][::-1],
        np.ascontiguousarray(matrix.T).T,
    ):
        assert both(Table(layout), depth=4).value == plain.value
    assert len(native._natives) == count


@needs_compiler
def test_trees_of_every_form_share_machine_code() -> None:
    rng = random.Random(0)

    def grow(depth: int) -> Any:
        return rng.randint(-9, 9) if depth == 0 else [grow(depth - 1) for _ in range(rng.randint(1, 3))]

    both(gt.Tree([1, 2]))
    count = len(native._natives)
    for _ in range(200):
        both(gt.Tree(grow(rng.randint(1, 4))))
    assert len(native._natives) == count


# --- evaluations ------------------------------------------------------------------------------------


class Judged(Nim):
    def evaluate(self, s: Any, p: int) -> Any:
        return 0

    def evaluate_greedy(self, s: Any, p: int) -> Any:
        return s[0] if p == 0 else -s[0]


def modest(s: Any, p: int) -> float:
    return -s[0] if p == 0 else s[0]  # type: ignore[no-any-return]


@needs_compiler
def test_an_evaluation_may_be_a_name_a_function_or_a_closure() -> None:
    game = Judged()
    assert both(game, depth=2).value == 0
    assert both(game, depth=2, evaluation="greedy").value == 3
    assert both(game, depth=2, evaluation=modest).value == -3
    assert both(Nim(), depth=2, evaluation=lambda s, p: s[0] if p == 0 else -s[0]).value == 3
    for scale in (2, 3):

        def scaled(s: Any, p: int) -> Any:
            return scale * s[0] if p == 0 else -scale * s[0]  # noqa: B023

        assert both(Nim(), depth=2, evaluation=scaled).value == 3 * scale


def test_an_evaluation_that_is_not_there_is_refused() -> None:
    with pytest.raises(gt.InputError, match="Judged has no evaluation 'bold'; it has: default, greedy"):
        gt.alphabeta(Judged(), depth=2, evaluation="bold")


# --- put --------------------------------------------------------------------------------------------


class Three(NamedTuple):
    a: int
    b: int
    mover: int


class Putting(Nim):
    """Player by player, one of two numbers changes; `shift` says how the index is written."""

    def __init__(self, shift: int):
        self.shift = shift

    def initial(self) -> Any:
        return Three(0, 0, 0)

    def player(self, s: Any) -> Any:
        return s.mover

    def actions(self, s: Any) -> Any:
        for i in range(2):
            if s[i] < 2:
                yield i

    def result(self, s: Any, a: Any) -> Any:
        after: Any = gt.put(s, a + self.shift, s[a] + 1)
        return gt.put(after, 2, 1 - after.mover)

    def is_terminal(self, s: Any) -> Any:
        return s.a == 2 or s.a + s.b == 3

    def utility(self, s: Any, p: int) -> Any:
        worth = 2 * s.a - s.b
        return worth if p == 0 else -worth


@needs_compiler
def test_put_works_compiled_with_positive_and_negative_indices() -> None:
    assert both(Putting(0)).value == both(Putting(-3)).value


@pytest.mark.parametrize("mode", ["never", pytest.param("always", marks=needs_compiler)])
@pytest.mark.parametrize("shift", [3, -5])
def test_put_outside_the_tuple_is_an_index_error(shift: int, mode: str) -> None:
    with pytest.raises(IndexError, match=r"put: index .* is outside a tuple of 3"):
        gt.alphabeta(Putting(shift), compile=mode)


def test_put_keeps_named_tuples_and_leaves_the_old_one_alone() -> None:
    old = Three(1, 2, 0)
    assert gt.put(old, 1, 9) == Three(1, 9, 0)
    assert type(gt.put(old, -1, 9)) is Three
    assert old == (1, 2, 0)
    assert gt.put((1,), 0, 2) == (2,)
    assert type(gt.put((1,), 0, 2)) is tuple
