"""What best-first searches refuse, and that they say why and what to do instead."""

from typing import Any

import pytest

import gametree as gt
from fixtures.graphs import Forbid2, Loss2, Win2, cycles
from gametree import Game, InputError, Limit, RulesError, Tree, UnsuitableError
from gametree.app.cli import main
from gametree.games import ConnectFour, Nim
from search.test_refusals import UNSUITABLE, ThirdPlayer

ALL = (gt.mtdf, gt.sss, gt.dual, gt.pns, gt.dfpn)
SEARCHES = pytest.mark.parametrize("search", ALL, ids=lambda search: search.__name__)
PROOFS = pytest.mark.parametrize("search", [gt.pns, gt.dfpn], ids=["pns", "dfpn"])
LISTS = pytest.mark.parametrize("search", [gt.sss, gt.dual], ids=["sss", "dual"])
MEMORY = pytest.mark.parametrize("search", [gt.mtdf, gt.sss, gt.dual, gt.dfpn], ids=lambda s: s.__name__)


# --- games --------------------------------------------------------------------------------------------


@SEARCHES
@pytest.mark.parametrize(("game", "words"), UNSUITABLE, ids=[words[1] for _, words in UNSUITABLE])
def test_a_game_that_does_not_fit_is_refused_by_name(search: Any, game: Game, words: list[str]) -> None:
    with pytest.raises(UnsuitableError) as refusal:
        search(game)
    for word in (*words, search.__name__):
        assert word in str(refusal.value)


@LISTS
def test_the_list_form_refuses_the_same_games(search: Any) -> None:
    for game, words in UNSUITABLE:
        with pytest.raises(UnsuitableError, match=words[0]):
            search(game, form="list")


@SEARCHES
@pytest.mark.parametrize("thing", [None, "connect-four", ConnectFour], ids=repr)
def test_what_is_no_game_is_refused(search: Any, thing: Any) -> None:
    with pytest.raises(InputError, match=rf"{search.__name__} takes a game"):
        search(thing)


@SEARCHES
def test_a_player_who_was_not_declared_is_refused(search: Any) -> None:
    with pytest.raises(RulesError, match=r"ThirdPlayer.player returned 2"):
        search(ThirdPlayer())


@SEARCHES
def test_what_is_no_state_of_the_game_is_refused(search: Any) -> None:
    with pytest.raises(InputError, match="a state of Nim is a State"):
        search(Nim(), "14 second")


@MEMORY
@pytest.mark.parametrize("kind", [Forbid2, Loss2, Win2])
def test_where_a_state_has_no_value_of_its_own_a_search_that_remembers_states_refuses(
    search: Any, kind: Any
) -> None:
    with pytest.raises(UnsuitableError, match=rf"{kind.__name__}.*depends on the path.*alphabeta"):
        search(cycles(1, 1, kind=kind))


@SEARCHES
def test_a_leaf_without_a_value_is_told_with_its_name(search: Any) -> None:
    options = {"at_least": 1} if search in (gt.pns, gt.dfpn) else {}
    with pytest.raises(ValueError, match="leaf 'x' has no value"):
        search(Tree([["x", 1], [2, 3]]), compile="never", **options)


# --- arguments ----------------------------------------------------------------------------------------


@SEARCHES
@pytest.mark.parametrize("limit", [3, "3"], ids=repr)
def test_a_limit_is_written_as_one(search: Any, limit: Any) -> None:
    with pytest.raises(InputError, match=r"limit=.*Limit\(seconds="):
        search(Nim(), limit=limit)


@SEARCHES
@pytest.mark.parametrize("depth", [-1, 2.5, True], ids=repr)
def test_a_depth_is_a_whole_number_from_zero_on(search: Any, depth: Any) -> None:
    with pytest.raises(InputError, match="depth must be a whole number of at least 0"):
        search(ConnectFour(), depth=depth)


@SEARCHES
@pytest.mark.parametrize("way", ["maybe", None], ids=repr)
def test_compiling_is_auto_always_or_never(search: Any, way: Any) -> None:
    with pytest.raises(InputError, match=r'compile=.*"auto", "always" or "never"'):
        search(Nim(counters=3), compile=way)


@MEMORY
@pytest.mark.parametrize("size", [0, -1, float("nan"), float("inf"), "64", True], ids=repr)
def test_a_table_has_a_size(search: Any, size: Any) -> None:
    with pytest.raises(InputError, match=r"hash_mb=.*megabytes, more than 0"):
        search(Nim(counters=3), hash_mb=size)


@pytest.mark.parametrize("search", [gt.mtdf, gt.sss, gt.dual], ids=lambda search: search.__name__)
@pytest.mark.parametrize("depth", [0, 2])
def test_a_depth_needs_an_evaluation(search: Any, depth: int) -> None:
    forms: list[dict[str, Any]] = [{}] if search is gt.mtdf else [{}, {"form": "list"}]
    for form in forms:
        with pytest.raises(UnsuitableError, match=rf"has no `evaluate`.*depth {depth}"):
            search(Nim(counters=21), depth=depth, compile="never", **form)


@pytest.mark.parametrize("search", [gt.mtdf, gt.sss, gt.dual], ids=lambda search: search.__name__)
def test_an_evaluation_of_nan_is_refused(search: Any) -> None:
    forms: list[dict[str, Any]] = [{}] if search is gt.mtdf else [{}, {"form": "list"}]
    for form in forms:
        with pytest.raises(RulesError, match=r"ConnectFour.*nan"):
            search(
                ConnectFour(), depth=2, evaluation=lambda state, player: float("nan"), compile="never", **form
            )


@pytest.mark.parametrize("guess", ["3", None, True, float("nan")], ids=repr)
def test_a_guess_is_a_number(guess: Any) -> None:
    if guess is None:
        assert gt.mtdf(Nim(counters=3), guess=guess, compile="never").value == 1
        return
    with pytest.raises(InputError, match=r"guess=.*a payoff to player 0"):
        gt.mtdf(Nim(counters=3), guess=guess)


@LISTS
def test_there_are_two_forms(search: Any) -> None:
    with pytest.raises(InputError, match=r'form=.*"memory".*"list"'):
        search(Nim(counters=3), form="tree")


@LISTS
def test_the_list_form_does_not_compile(search: Any) -> None:
    with pytest.raises(InputError, match=r'compile="always".*runs interpreted.*form="memory"'):
        search(Nim(counters=3), form="list", compile="always")


def test_pns_does_not_compile() -> None:
    with pytest.raises(InputError, match=r'compile="always".*runs interpreted.*dfpn'):
        gt.pns(Nim(counters=3), compile="always")


@pytest.mark.parametrize("nodes", [0, -3, 1.5, True, "many"], ids=repr)
def test_the_memory_of_pns_is_a_number_of_nodes(nodes: Any) -> None:
    with pytest.raises(InputError, match=r"memory_nodes=.*whole number of at least 1"):
        gt.pns(Nim(counters=3), memory_nodes=nodes)


# --- goals --------------------------------------------------------------------------------------------


@PROOFS
def test_a_proof_has_no_use_for_an_evaluation(search: Any) -> None:
    with pytest.raises(InputError, match=r"asks for no estimate.*alphabeta"):
        search(ConnectFour(), evaluation="parity")


@PROOFS
@pytest.mark.parametrize("goal", ["loss", "", 1, True], ids=repr)
def test_a_goal_is_a_win_or_a_draw(search: Any, goal: Any) -> None:
    with pytest.raises(InputError, match=r'goal=.*"win" or "draw".*at_least'):
        search(Nim(counters=3), goal=goal)


@PROOFS
@pytest.mark.parametrize("bar", [float("nan"), float("inf"), "1", True], ids=repr)
def test_a_payoff_to_be_proven_is_a_finite_number(search: Any, bar: Any) -> None:
    with pytest.raises(InputError, match=r"at_least=.*finite number"):
        search(Nim(counters=3), at_least=bar)


@PROOFS
def test_one_thing_is_proven_at_a_time(search: Any) -> None:
    with pytest.raises(InputError, match="proves one thing"):
        search(Nim(counters=3), goal="win", at_least=1)


@PROOFS
def test_who_does_not_say_what_a_win_is_worth_asks_for_a_payoff(search: Any) -> None:
    tree = Tree([[3, 12, 8], [2, 4, 6], [14, 5, 2]])
    with pytest.raises(UnsuitableError, match=r"does not say what a win is worth.*payoffs.*at_least"):
        search(tree)
    assert search(tree, at_least=3, compile="never").proven
    assert not search(tree, at_least=3.5, compile="never").proven


# --- by name ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("search", ALL, ids=lambda search: search.__name__)
def test_analyze_takes_them_by_name(search: Any) -> None:
    found = gt.analyze(Nim(counters=9), method=search.__name__, compile="never")
    known = search(Nim(counters=9), compile="never")
    assert (found.method, found.nodes, found.line) == (search.__name__, known.nodes, known.line)
    short = gt.analyze(Nim(), None, Limit(nodes=5), method=search.__name__, compile="never")
    assert short.nodes == 5


@pytest.mark.parametrize("options", [{"moves": True}, {"lines": 2}, {"actions": [1]}], ids=str)
def test_several_values_are_not_what_they_are_for(options: dict[str, Any]) -> None:
    with pytest.raises(InputError, match=r"method='mtdf' finds the value.*for method="):
        gt.analyze(Nim(counters=9), method="mtdf", **options)


def test_an_unknown_method_is_refused_with_all_there_are() -> None:
    with pytest.raises(
        InputError, match=r"method='sst': it is \"auto\", 'minimax', 'alphabeta', .* 'mtdf', 'sss'"
    ):
        gt.analyze(Nim(), method="sst")


@pytest.mark.parametrize("method", [search.__name__ for search in ALL])
def test_the_command_line_takes_them_too(method: str, capsys: pytest.CaptureFixture[str]) -> None:
    code = main(["analyze", "nim", "--set", "counters=5", "--method", method, "--compile", "never"])
    assert code == 0
    assert f"Nim, {method}" in capsys.readouterr().out
