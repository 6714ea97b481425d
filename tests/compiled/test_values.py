# mypy: ignore-errors
"""Texts, None, enums, frozen dataclasses, frozensets and tuples that grow mean the same compiled as in Python."""

import enum
import logging
import random
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

import gametree as gt
from gametree.compiled import notices
from gametree.compiled.types.layout import Codec, LayoutError, merged, shape_of
from gametree.compiled.types.universe import universe_of
from gametree.kernel import atoms, keys


class Colour(enum.Enum):
    RED = "red"
    BLUE = 2


@dataclass(frozen=True)
class Spot:
    row: int
    owner: str | None


LETTERS = st.text(st.characters(min_codepoint=32, max_codepoint=255), max_size=12)
VALUES = st.tuples(
    LETTERS,
    st.none() | st.integers(-5, 5),
    st.none() | LETTERS,
    st.sampled_from(Colour),
    st.frozensets(st.tuples(st.integers(0, 3), st.sampled_from("hv"))),
    st.lists(st.integers(-3, 3), max_size=5).map(tuple),
    st.builds(Spot, st.integers(0, 9), st.none() | st.just("X")),
)


@given(st.lists(VALUES, min_size=1, max_size=4))
def test_what_is_packed_is_unpacked(values: list[Any]) -> None:
    shape = shape_of(values[0])
    for value in values:
        shape = merged(shape, shape_of(value))

    class Fixed(gt.Game):
        def initial(self) -> Any:
            return values[0]

        player = actions = result = is_terminal = utility = lambda self, *given: 0

    game = Fixed()
    object.__setattr__(game, "_universe", None)
    from gametree.compiled.types import universe

    codec = Codec(universe._sized(shape, 3))
    for value in values:
        assert codec.unpack(codec.pack(value)) == value


@given(LETTERS, LETTERS)
def test_texts_have_numbers_of_their_own(one: str, other: str) -> None:
    assert (atoms.number_of(one) == atoms.number_of(other)) == (one == other)
    assert (keys.state_key(one) == keys.state_key(other)) == (one == other)


@given(st.frozensets(st.integers() | LETTERS))
def test_the_key_of_a_set_does_not_depend_on_its_order(members: frozenset[Any]) -> None:
    again = frozenset(sorted(members, key=repr, reverse=True))
    assert keys.state_key(members) == keys.state_key(again)


@pytest.mark.parametrize("value", [{1: 2}, [1], {1}, object(), "●"])
def test_what_has_no_form_is_named_with_what_to_write(value: Any) -> None:
    with pytest.raises(LayoutError, match=r"^state\[1\] is .*; \w+"):
        shape_of((0, value))


def test_a_dataclass_that_computes_its_fields_is_refused_by_name() -> None:
    @dataclass(frozen=True)
    class Odd:
        x: int

        def __post_init__(self) -> None:
            pass

    with pytest.raises(LayoutError, match="the state is a Odd, which has a __post_init__; compute"):
        shape_of(Odd(1))


# --- operations -------------------------------------------------------------------------------------


class Question(NamedTuple):
    one: str
    other: str
    i: int
    j: int
    done: bool


class Texts(gt.Game):
    """Every operation on texts, as one number."""

    def initial(self):
        return Question("abcabcab.xyz", "abc", 0, 1, False)

    def player(self, s):
        return 0

    def actions(self, s):
        return [0]

    def result(self, s, a):
        return s._replace(done=True)

    def is_terminal(self, s):
        return s.done

    def numbers(self, s):
        one, other, i, j = s.one, s.other, s.i, s.j
        yield len(one) + 100 * len(other)
        yield one.count(other)
        yield one.find(other) + 3 * one.find(other, 2) + 7 * one.rfind(other)
        yield len(one.replace(other, "--")) + 31 * len(one.replace(other, "", 1))
        yield one.startswith(other) + 2 * one.endswith(other) + 4 * (other in one)
        yield (
            (one < other) + 2 * (one <= other) + 4 * (one == other) + 8 * (one != other) + 16 * (one > other)
        )
        yield len(one[i:j]) + 17 * len(one[i:]) + 129 * len(one[:j]) + 1000 * len(one[::-2])
        yield ord(one[i]) if 0 <= i < len(one) else -1
        yield ord(one[-1]) + 300 * ord(one[0]) if one else -1
        yield sum(ord(c) * k for k, c in enumerate(one[i:j] + other))
        yield sum(ord(c) * k for k, c in enumerate((one + other)[::-1]))
        yield sum(ord(c) * k for k, c in enumerate("-".join([one, other, one[:1]])))
        yield sum(ord(c) * k for k, c in enumerate(f"{i}:{one}{j}"))
        yield sum(ord(c) * k for k, c in enumerate(one.upper() + other.swapcase() + one.lower()))
        yield sum(len(part) * k for k, part in enumerate(one.split(".")))
        yield one.isupper() + 2 * one.islower() + 4 * one.isdigit() + 8 * one.isalpha()
        yield len(set(one)) + 50 * len({c for c in one if c in other})
        yield int(str(i * 100 + j)) + (5 if one else 0) + (0 if not other else 7)

    def utility(self, s, p):
        total = 0
        for k, number in enumerate(self.numbers(s)):
            total += (k + 1) * number % 10_007
        return total if p == 0 else -total


@pytest.mark.needs_compiler
def test_operations_on_texts_are_pythons() -> None:
    game, dice = Texts(), random.Random(5)
    for _ in range(400):
        one = "".join(dice.choice("abcABC.1") for _ in range(dice.randrange(13)))
        other = "".join(dice.choice("abc.") for _ in range(dice.randrange(1, 4)))
        state = Question(one, other, dice.randrange(-3, 14), dice.randrange(-3, 14), False)
        expected = game.utility(state, 0)
        answer = gt.minimax(game, state, compile="always")
        assert answer.parameters["compiled"] and answer.value == expected, state


class Row(NamedTuple):
    row: tuple
    members: frozenset
    goal: object
    step: int


class Rows(gt.Game):
    """Every operation on tuples that grow and on frozensets, as one number."""

    def initial(self):
        return Row((), frozenset(), None, 0)

    def player(self, s):
        return 0

    def actions(self, s):
        return range(6)

    def result(self, s, a):
        row = (*s.row, a) if a % 2 else s.row[1:] + (a, a + 1)  # noqa: RUF005
        members = s.members | {(a, s.step)} if a % 3 else s.members - {(a, s.step - 1), (1, 0)}
        return Row(tuple(sorted(row))[-4:], frozenset(members), None if a == 5 else (a, s.step), s.step + 1)

    def is_terminal(self, s):
        return s.step == 5

    def utility(self, s, p):
        total = len(s.row) + 10 * len(s.members)
        total += sum(x * i for i, x in enumerate(s.row)) + s.row.count(3) * 100
        total += sum(a * b for a, b in s.members)
        if s.row:
            total += s.row[-1] * 7 + s.row[0] + s.row.index(s.row[-1])
        if s.goal is not None:
            total += 1000 * s.goal[0] + (5 if s.goal in s.members else 0)
        if s.members & {(1, 1), (2, 2)} or s.members >= {(4, 0), (4, 1)}:
            total += 50_000
        return total if p == 0 else -total


@pytest.mark.needs_compiler
def test_operations_on_rows_and_sets_are_pythons() -> None:
    interpreted = gt.minimax(Rows(), compile="never")
    compiled = gt.minimax(Rows(), compile="always")
    assert compiled.parameters["compiled"]
    assert (compiled.value, compiled.line, compiled.nodes) == (
        interpreted.value,
        interpreted.line,
        interpreted.nodes,
    )


# --- leaving what was seen ----------------------------------------------------------------------------


class Trail(gt.Game):
    """Only one action in thirty goes on: random plays are short, and a search is not."""

    def initial(self):
        return ((), False)

    def player(self, s):
        return 0

    def actions(self, s):
        return range(30)

    def result(self, s, a):
        return (s[0] + (a,), a != 29)

    def is_terminal(self, s):
        return s[1] or len(s[0]) == 25

    def utility(self, s, p):
        return len(s[0]) if p == 0 else -len(s[0])


@pytest.mark.needs_compiler
def test_what_outgrows_its_room_runs_interpreted_with_the_reason(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(notices, "_said", set())
    caplog.set_level(logging.INFO, logger="gametree")
    answer = gt.minimax(Trail())
    assert answer.value == 25 and answer.exact and not answer.parameters["compiled"]
    (line,) = [message for message in caplog.messages if "runs interpreted" in message]
    assert "is larger than random plays showed" in line


@dataclass(frozen=True)
class Table:
    hands: tuple[frozenset[str], frozenset[str]]
    led: str | None
    mover: int
    won: int


class Cards(gt.Game):
    """Higher card takes: sets of texts in a dataclass, whose keys two processes have to agree on."""

    def initial(self) -> Table:
        return Table((frozenset({"2h", "9h", "5s"}), frozenset({"3h", "8s", "4s"})), None, 0, 0)

    def player(self, s: Table) -> int:
        return s.mover

    def actions(self, s: Table) -> Iterable[str]:
        return sorted(s.hands[s.mover])

    def result(self, s: Table, card: str) -> Table:
        hands = tuple(hand - {card} if i == s.mover else hand for i, hand in enumerate(s.hands))
        if s.led is None:
            return replace(s, hands=hands, led=card, mover=1 - s.mover)
        takes = card[0] > s.led[0] and card[1] == s.led[1]
        gain = (1 if s.mover == 0 else -1) if takes else (-1 if s.mover == 0 else 1)
        return Table(hands, None, s.mover if takes else 1 - s.mover, s.won + gain)  # type: ignore[arg-type]

    def is_terminal(self, s: Table) -> bool:
        return not any(s.hands)

    def utility(self, s: Table, p: int) -> int:
        return s.won if p == 0 else -s.won


@pytest.mark.needs_compiler
@pytest.mark.parametrize("search", [gt.minimax, gt.alphabeta, gt.analyze, gt.solve, gt.mcts])
def test_every_search_takes_such_states(search: Any) -> None:
    interpreted = search(Cards(), compile="never")
    compiled = search(Cards(), compile="always")
    if search is gt.solve:
        assert compiled.value == interpreted.value
    else:
        assert (compiled.value, compiled.action) == (interpreted.value, interpreted.action)


def test_a_shape_is_the_same_whatever_the_order_of_sets() -> None:
    assert universe_of(Cards()) == universe_of(Cards())
    room = universe_of(Rows()).state
    assert "up to" in str(room.items[0])  # type: ignore[union-attr]
