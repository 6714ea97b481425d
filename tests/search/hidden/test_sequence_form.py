"""The sequence form, listed from the rules."""

from typing import Any

import pytest

from gametree import Game, Limit, RulesError, UnsuitableError, sequence_form
from gametree.games.kuhn import Kuhn
from gametree.search.core.stopwatch import StopWatch
from gametree.search.hidden.sequence_form import SequenceForm


def listed(game: Game, **options: Any) -> SequenceForm:
    form = sequence_form(game, **options)
    assert form is not None
    return form


def test_parents_come_before_what_follows_them() -> None:
    for sets in listed(Kuhn(3)).sets:
        assert all(one.parent < one.first for one in sets)
        ends = [one.first + len(one.actions) for one in sets]
        assert [one.first for one in sets] == [1, *ends[:-1]]


def test_chance_plays_along_once_in_all() -> None:
    kuhn = Kuhn()
    form = listed(kuhn, exact=True)

    assert len(form.rows) == 30
    assert sum(form.weights) == 5  # each of the five ways to bet, once a deal


class Choose(Game):
    """Player 0 chooses a number twice, and sees what `sight` says."""

    total = None

    def __init__(self, sight: str = "all"):
        self.sight: str = sight

    def initial(self) -> tuple[int, ...]:
        return ()

    def player(self, state: tuple[int, ...]) -> int:
        return 0

    def actions(self, state: tuple[int, ...]) -> range:
        return range(2 + (self.sight == "actions" and state == (1,)))

    def result(self, state: tuple[int, ...], action: int) -> tuple[int, ...]:
        return state if self.sight == "endless" else (*state, action)

    def is_terminal(self, state: tuple[int, ...]) -> bool:
        return len(state) == 2

    def utility(self, state: tuple[int, ...], player: int) -> Any:
        return None if self.sight == "payoff" else sum(state)

    def observe(self, state: tuple[int, ...], player: int) -> Any:
        seen: dict[str, Any] = {"all": state, "nothing": None, "list": list(state)}
        return seen.get(self.sight, len(state))


@pytest.mark.parametrize(
    ("sight", "words"),
    [
        (
            "length",
            r"same, 1, after 0 and after 1, although player 0 did or saw other things before: player 0 forgets",
        ),
        ("actions", "where other actions are legal"),
        ("nothing", "is a `return` missing"),
        ("list", "cannot be hashed"),
        ("payoff", "utility returned None"),
    ],
)
def test_rules_that_cannot_be_right_are_refused(sight: str, words: str) -> None:
    with pytest.raises(RulesError, match=words):
        listed(Choose(sight))


def test_rules_with_perfect_recall_are_not() -> None:
    assert str(listed(Choose())) == "3 information sets, 7 and 1 sequences, 4 payoffs, 7 nodes"


def test_a_game_without_an_end_is_refused() -> None:
    class Endless(Choose):
        def observe(self, state: Any, player: int) -> Any:
            return state

    with pytest.raises((UnsuitableError, RulesError), match=r"a game that ends|forgets"):
        listed(Endless("endless"))

    class Steps(Choose):
        def result(self, state: Any, action: int) -> Any:
            return (*state, action)

        def actions(self, state: Any) -> Any:
            return range(1)

        def is_terminal(self, state: Any) -> bool:
            return False

    with pytest.raises(UnsuitableError, match="a game that ends"):
        listed(Steps())


def test_a_game_with_too_many_nodes_is_refused() -> None:
    with pytest.raises(UnsuitableError, match="more than 50 nodes"):
        sequence_form(Kuhn(), most_nodes=50)


def test_it_stops_when_told() -> None:
    watch = StopWatch(Limit()).begin()
    watch.stop()
    assert sequence_form(Kuhn(3), watch=watch) is None
