"""What a search refuses, and that it says why and what to do instead."""

from typing import Any

import pytest

from fixtures.kuhn_poker import KuhnPoker
from fixtures.prisoners_dilemma import PrisonersDilemma
from gametree import (
    Chance,
    CompileError,
    Game,
    InputError,
    Limit,
    RulesError,
    Tree,
    UnsuitableError,
    Value,
    alphabeta,
    analyze,
    minimax,
    mtdf,
)
from gametree.compiled import native
from gametree.games import ConnectFour, Nim
from search.agreement import WAYS

SEARCHES = pytest.mark.parametrize(
    "search", [minimax, alphabeta, analyze], ids=["minimax", "alphabeta", "analyze"]
)


class NeitherWins(Nim):
    """Nim in which the last counter pays one and its absence costs nothing."""

    payoffs = (0, 1)

    def utility(self, state: Any, player: int) -> float:
        return 1 if player != state.mover else 0


class Repeats(Nim):
    """Nim that calls a repeated position a loss and does not say what a loss is worth."""

    payoffs = None

    repetition = ("loss", 2)


class ThirdPlayer(Nim):
    """Nim in which a third player moves, without having been declared."""

    def player(self, state: Any) -> int:
        return 2


class Surprise(Nim):
    """Nim with a dice nobody has heard of."""

    def player(self, state: Any) -> int:
        return -1


# --- games that do not fit --------------------------------------------------------------------------

HIDDEN: list[tuple[Game, list[str]]] = [
    (KuhnPoker(), ["KuhnPoker", "hides information", "observe", "imperfect information", "ismcts"]),
    (PrisonersDilemma(), ["PrisonersDilemma", "hides information", "observe"]),
]
REPEATS = (Repeats(), ["Repeats", "a repeated position is a loss", "payoffs"])
UNSUITABLE: list[tuple[Game, list[str]]] = [*HIDDEN, REPEATS]


@pytest.mark.parametrize(
    ("search", "game", "words"),
    [(search, *one) for search in (minimax, alphabeta) for one in UNSUITABLE] + [(analyze, *REPEATS)],
)
def test_a_game_that_does_not_fit_is_refused_by_name(search: Any, game: Game, words: list[str]) -> None:
    with pytest.raises(UnsuitableError) as refusal:
        search(game)
    for word in (*words, search.__name__):
        assert word in str(refusal.value)


FOR_MAXN: list[tuple[Game, list[str]]] = [
    (Tree([[(1, 2, 3)], [(3, 2, 1)]], movers=(0, 1, 2)), ["Tree", "3 players", "maxn"]),
    (Tree([(1, 1), (0, 5)]), ["Tree", "do not sum to a constant", "total = None", "maxn"]),
]


@pytest.mark.parametrize("search", [minimax, alphabeta, mtdf], ids=["minimax", "alphabeta", "mtdf"])
@pytest.mark.parametrize(("game", "words"), FOR_MAXN, ids=[words[1] for _, words in FOR_MAXN])
def test_games_for_max_n_are_refused_by_searches_for_two(search: Any, game: Game, words: list[str]) -> None:
    with pytest.raises(UnsuitableError) as refusal:
        search(game)
    for word in (*words, search.__name__):
        assert word in str(refusal.value)


@pytest.mark.parametrize("search", [minimax, alphabeta, mtdf], ids=["minimax", "alphabeta", "mtdf"])
def test_chance_is_refused_by_searches_without_it(search: Any) -> None:
    with pytest.raises(
        UnsuitableError, match=r"has chance nodes; .* needs none\. Use expectiminimax or maxn\.$"
    ) as refusal:
        search(Tree(Chance([(0.5, [1, 2]), (0.5, 3)])))
    assert search.__name__ in str(refusal.value)


@SEARCHES
def test_utilities_that_do_not_add_up_are_refused_with_what_to_declare(search: Any) -> None:
    with pytest.raises(RulesError) as refusal:
        search(NeitherWins(counters=3))
    for word in ("NeitherWins", "sum to 1, not to 0", "`total = 1`", "`total = None`", "maxn"):
        assert word in str(refusal.value)


def test_the_way_to_the_end_that_does_not_add_up_is_told() -> None:
    with pytest.raises(RulesError) as refusal:
        alphabeta(NeitherWins(counters=3, take=1))
    assert refusal.value.path == ("1", "1", "1")
    assert "(after 1, 1, 1)" in str(refusal.value)


@SEARCHES
def test_a_player_who_was_not_declared_is_refused(search: Any) -> None:
    with pytest.raises(RulesError, match=r"ThirdPlayer.player returned 2.*players are 0 to 1"):
        search(ThirdPlayer())


@SEARCHES
def test_chance_without_outcomes_is_refused(search: Any) -> None:
    with pytest.raises(RulesError, match=r"Surprise.player returned -1 \(CHANCE\).*`chance`"):
        search(Surprise())


@SEARCHES
def test_a_class_is_no_game(search: Any) -> None:
    with pytest.raises(InputError, match=rf"{search.__name__} takes a game, not its class.*ConnectFour\(\)"):
        search(ConnectFour)


@SEARCHES
@pytest.mark.parametrize("thing", [None, "connect-four", 3, object], ids=repr)
def test_what_is_no_game_at_all_is_refused(search: Any, thing: Any) -> None:
    with pytest.raises(InputError, match=rf"{search.__name__} takes a game"):
        search(thing)


@SEARCHES
def test_a_state_that_cannot_be_hashed_is_refused(search: Any) -> None:
    with pytest.raises(RulesError, match=r"Tree cannot be hashed \(list.*tuple"):
        search(Tree([1, 2]), [0])


@SEARCHES
@pytest.mark.parametrize("state", ["14 second", 3, Limit(depth=3)], ids=str)
def test_what_is_no_state_of_the_game_is_refused(search: Any, state: Any) -> None:
    with pytest.raises(InputError, match="a state of Nim is a State"):
        search(Nim(), state)


# --- limits that are none ---------------------------------------------------------------------------


@SEARCHES
@pytest.mark.parametrize("limit", [3, 0.5, "3", {"depth": 3}], ids=repr)
def test_a_limit_is_written_as_one(search: Any, limit: Any) -> None:
    with pytest.raises(InputError, match=r"limit=.*Limit\(seconds="):
        search(Nim(), limit=limit)


@pytest.mark.parametrize("search", [minimax, alphabeta])
@pytest.mark.parametrize("depth", [-1, "3", 2.5, True], ids=repr)
def test_a_depth_is_a_whole_number_from_zero_on(search: Any, depth: Any) -> None:
    with pytest.raises(InputError, match="depth must be a whole number of at least 0"):
        search(ConnectFour(), depth=depth)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"depth": -1}, "depth must be a whole number of at least 0"),
        ({"nodes": 0}, "nodes must be a whole number of at least 1"),
        ({"nodes": 1.5}, "nodes must be a whole number"),
        ({"seconds": -0.1}, "seconds must be a number of at least 0"),
        ({"seconds": float("nan")}, "seconds must be a number"),
        ({"seconds": "1"}, "seconds must be a number"),
    ],
    ids=str,
)
def test_a_limit_that_cannot_be_kept_is_refused(options: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError, match=words):
        Limit(**options)


# --- evaluations ------------------------------------------------------------------------------------


@pytest.mark.parametrize("search", [minimax, alphabeta])
@pytest.mark.parametrize("depth", [0, 1, 2, 5])
@pytest.mark.parametrize("way", WAYS)
def test_a_depth_needs_an_evaluation(search: Any, depth: int, way: str) -> None:
    with pytest.raises(UnsuitableError) as refusal:
        search(Nim(counters=21), depth=depth, compile=way)
    for word in ("Nim", "has no `evaluate`", f"depth {depth}", "evaluation="):
        assert word in str(refusal.value)


@pytest.mark.parametrize("way", WAYS)
def test_a_depth_that_the_game_never_reaches_needs_none(way: str) -> None:
    assert minimax(Nim(counters=3), depth=3, compile=way).value == 1


@SEARCHES
def test_an_evaluation_that_the_game_does_not_have_is_refused_with_those_it_has(search: Any) -> None:
    with pytest.raises(InputError, match=r"ConnectFour has no evaluation 'best'.*default.*evaluate_best"):
        search(ConnectFour(), limit=Limit(depth=2), evaluation="best")


@pytest.mark.parametrize("search", [minimax, alphabeta])
@pytest.mark.parametrize("way", WAYS)
def test_an_evaluation_of_nan_is_refused(search: Any, way: str) -> None:
    with pytest.raises(RulesError, match=r"ConnectFour.*nan"):
        search(ConnectFour(), depth=2, evaluation=lambda state, player: float("nan"), compile=way)


# --- compiling --------------------------------------------------------------------------------------


@SEARCHES
@pytest.mark.parametrize("way", ["maybe", "", None, True], ids=repr)
def test_compiling_is_auto_always_or_never(search: Any, way: Any) -> None:
    with pytest.raises(InputError, match=r'compile=.*"auto", "always" or "never"'):
        search(Nim(counters=3), compile=way)


def test_where_nothing_compiles_always_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(native, "unavailable", lambda: "there is no compiler")
    with pytest.raises(CompileError, match="there is no compiler"):
        alphabeta(Nim(counters=3), compile="always")
    found = alphabeta(Nim(counters=3), compile="auto")
    assert (found.value, found.parameters["compiled"]) == (Value(1), False)
