"""Whole strategies: a move for everything that can arise, and nothing ends worse than promised."""

import json
import random
from collections.abc import Callable
from typing import Any

import pytest

import gametree as gt
import oracle
from fixtures.graphs import Draw2, Nodes, cycles, forest
from gametree import InputError, Tree, UnsuitableError, Value
from gametree.games import ConnectFour, Nim, TicTacToe
from gametree.search.solve.solver import CannotFinishError
from gametree.search.solve.strategy import Strategy, strategy
from gametree.search.solve.strategy_json import SCHEMA
from search.endless import Toggle
from search.test_solve import OnceOnly

TIC_TAC_TOE = TicTacToe()


def worst(plan: Strategy) -> float:
    """What the player gets at worst, by plain minimax on the game in which there is no other choice."""
    value = oracle.minimax(plan.pruned(), plan.state).value
    return value if plan.player == 0 else -value


@pytest.mark.parametrize("player", [0, 1])
def test_strategies_of_random_trees_guarantee_the_value(player: int) -> None:
    game = forest(91, 400, levels=4)
    for root in range(400):
        plan = strategy(game, root, player=player)
        value = oracle.minimax(game, root).value
        assert worst(plan) == plan.value.payoff == (value if player == 0 else -value)
        checked = plan.verify()
        assert checked.ok and checked.value == plan.value == checked.claimed, root


def test_strategies_hold_in_games_that_go_in_circles() -> None:
    game = cycles(92, 150, size=8)
    for first in range(0, 150 * 8, 8):
        if game.is_terminal(first):
            continue
        scores = oracle.fixpoint(game, list(range(first, first + 8)), 0.0)
        for player in (0, 1):
            plan = strategy(game, first, player=player)
            checked = plan.verify()
            assert checked.ok and checked.value is not None
            assert oracle.score_of(checked.value, player) == scores[first], (first, player)
            again = Strategy.from_json(plan.to_json(), game, first)
            assert again.moves == plan.moves and again.verify() == checked


def brute_force(game: Nodes, plan: Strategy, state: int, depth: int) -> float:
    """The worst for the player within a number of plies, by trying everything; unfinished plays are worth 0."""
    if game.is_terminal(state):
        return game.utility(state, plan.player)
    if depth == 0:
        return 0.0
    actions = [plan(state)] if game.player(state) == plan.player else list(game.actions(state))
    return min(brute_force(game, plan, game.result(state, action), depth - 1) for action in actions)


def test_the_proof_check_sees_what_trying_everything_sees() -> None:
    """Strategies at random, most of them bad: the check says what they are really worth."""
    rng = random.Random(93)
    game = cycles(93, 200, size=6, branching=2)
    rights = 0
    for first in range(0, 200 * 6, 6):
        if game.is_terminal(first):
            continue
        player = rng.randrange(2)
        moves = {
            s: rng.choice(list(game.actions(s)))
            for s in range(first, first + 6)
            if not game.is_terminal(s) and game.player(s) == player
        }
        claim = Value(rng.choice([-4.0, -0.25, 0.0, 0.5]))
        plan = Strategy(game, first, player, claim, moves)
        checked = plan.verify()
        truth = brute_force(game, plan, first, 12)
        assert checked.value is not None and float(checked.value) == truth, first
        assert checked.ok == (checked.value >= claim)
        assert checked.ok or checked.trouble
        rights += checked.ok
    assert 20 < rights < 180


@pytest.mark.parametrize(("player", "moves", "plays"), [(0, 81, 73), (1, 426, 569)])
def test_the_strategies_of_tic_tac_toe_never_lose(player: int, moves: int, plays: int) -> None:
    plan = strategy(TIC_TAC_TOE, player=player)
    checked = plan.verify()
    assert (len(plan), checked.plays, checked.value, checked.ok) == (moves, plays, Value(0), True)
    assert plan.value == 0 and worst(plan) == 0
    # Every play of the pruned game is one of the checked ones.
    assert count_plays(plan.pruned(), plan.state) == plays


def count_plays(game: gt.Game, state: Any) -> int:
    if game.is_terminal(state):
        return 1
    return sum(count_plays(game, game.result(state, action)) for action in game.actions(state))


def test_a_win_comes_in_time_and_a_loss_as_late_as_it_can() -> None:
    won = strategy(Nim(counters=11))
    assert won.value == Value.win(1, 5) and won.verify().value == Value.win(1, 5)
    lost = strategy(Nim(counters=12))
    assert lost.value == Value.loss(-1, 6) and lost.verify().value == Value.loss(-1, 6)
    assert strategy(Nim(counters=12), player=1).value == Value.win(1, 6)


def test_a_strategy_is_asked_for_a_move() -> None:
    plan = strategy(TIC_TAC_TOE)
    start = TIC_TAC_TOE.initial()
    assert plan(start) == plan.move(start) == 0 and start in plan and next(iter(plan)) == start
    bad = TIC_TAC_TOE.parse_state(".../.X./..O")
    assert bad not in plan
    for state, words in (
        (bad, "does not arise"),
        (TIC_TAC_TOE.result(start, 0), "O moves; this is the strategy of X"),
        (TIC_TAC_TOE.parse_state("XXX/OO./..."), "the game is over"),
    ):
        with pytest.raises(InputError, match=words):
            plan(state)
    with pytest.raises(TypeError):
        plan.moves[bad] = 3  # type: ignore[index]


def test_a_strategy_plays_in_the_arena() -> None:
    from gametree.arena.playing import play

    game = TIC_TAC_TOE
    record = play(game, (strategy(game), strategy(game, player=1)))
    assert record.points == 0.5 and record.plies == 9


def test_what_has_no_strategy_here_is_refused() -> None:
    refused: list[tuple[Callable[[], Strategy], type[Exception], str]] = [
        (lambda: strategy(TIC_TAC_TOE, player=2), InputError, "player=2"),
        (lambda: strategy(TIC_TAC_TOE, TIC_TAC_TOE.parse_state("XXX/OO./...")), InputError, "over here"),
        (lambda: strategy(TIC_TAC_TOE, most_states=100), CannotFinishError, "more than 100 positions"),
        (lambda: strategy(TIC_TAC_TOE, player=1, most_moves=50), InputError, "more than 50 moves"),
        (lambda: strategy(gt.games.load("chess")), UnsuitableError, "depends on those before it"),
        (lambda: strategy(OnceOnly()), UnsuitableError, "a repeated position is a loss"),
        (lambda: strategy(TIC_TAC_TOE, limit=gt.Limit(nodes=9)), CannotFinishError, "stopped by nodes"),
    ]
    for call, error, words in refused:
        with pytest.raises(error, match=words):
            call()


# --- JSON -----------------------------------------------------------------------------------------------


def test_a_strategy_is_written_and_read() -> None:
    for game, state in (
        (TIC_TAC_TOE, None),
        (Nim(counters=9), None),
        (ConnectFour(4, 4), ConnectFour(4, 4).parse_state("22334114")),
        (Tree([[3, 12, 8], [2, 4, 6], [14, 5, 2]]), None),
    ):
        plan = strategy(game, state)
        for text in (plan.to_json(), plan.to_json(indent=2)):
            again = Strategy.from_json(text, game)
            assert (again.moves, again.value, again.player) == (plan.moves, plan.value, plan.player)
            assert again.state == plan.state and again.endless == plan.endless
        assert json.loads(plan.to_json())["schema"] == SCHEMA


class Mumble(Nim):
    """Nim whose moves all have the same name."""

    def name_action(self, state: Any, action: int) -> str:
        return "take some"


def test_moves_that_share_a_name_are_written_by_their_place() -> None:
    plan = strategy(Mumble(counters=6))
    assert [move["play"] for move in plan.to_dict()["moves"]] == [1, 2, 1, "take some"]
    assert Strategy.from_json(plan.to_json(), Mumble(counters=6)).moves == plan.moves


def edited(change: Any) -> str:
    data = strategy(TIC_TAC_TOE).to_dict()
    change(data)
    return json.dumps(data)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda d: d.update(schema="gametree.strategy/9"), "the text is no strategy"),
        (lambda d: d.pop("moves"), "lacks moves"),
        (lambda d: d.update(game="TicTacToe(width=4, height=3, k=3)"), "not for TicTacToe"),
        (lambda d: d.update(player=True), "player True"),
        (lambda d: d.update(endless="often"), "endless is 'often'"),
        (lambda d: d.update(endless=10**400), "endless is 10000"),
        (lambda d: d["value"].update(payoff=10**400), "it has to have payoff"),
        (lambda d: d["value"].update(payoff=[]), "it has to have payoff"),
        (lambda d: d.update(key=5), "are texts"),
        (lambda d: d.update(key="0" * 16), "begins at another position"),
        (lambda d: d.update(key="0" * 16, position="__import__('os')"), "cannot read where it does"),
        (lambda d: d.update(value=3), "the value of the strategy is 3"),
        (lambda d: d["value"].update(outcome="glory"), "it has to have payoff"),
        (lambda d: d["value"].update(plies=3), "plies is the distance"),
        (lambda d: d["value"].update(payoff=True), "it has to have payoff"),
        (lambda d: d.update(moves={}), "are a list"),
        (lambda d: d["moves"].append("b2"), "it has to have after and play"),
        (lambda d: d["moves"][0].update(play="z9"), "'z9', which is not a legal move"),
        (lambda d: d["moves"][0].update(play=[1]), "which is not a legal move"),
        (lambda d: d["moves"][0].update(play=-1), "which is not a legal move"),
        (lambda d: d["moves"][1].update(after=["a3", "a3"]), "which is not a legal move"),
        (lambda d: d["moves"][1].update(after=["a3"]), "one of the other player's"),
        (lambda d: d["moves"].append({"after": [], "play": "b2"}), "contradicts"),
        (
            lambda d: d["moves"].append({"after": ["a3", "b3", "a2", "b2", "a1"], "play": "c1"}),
            "after the end of the game",
        ),
    ],
)
def test_an_edited_strategy_is_refused_with_the_reason(change: Any, words: str) -> None:
    with pytest.raises(InputError, match=words):
        Strategy.from_json(edited(change), TIC_TAC_TOE)


@pytest.mark.parametrize("text", ["", "[", "null", "[]", '"x"', "[" * 100_000, '{"schema": 1e999}', "\x00"])
def test_what_is_no_strategy_at_all_is_refused(text: str) -> None:
    with pytest.raises(InputError, match=r"the strategy is not JSON|the text is no strategy"):
        Strategy.from_json(text, TIC_TAC_TOE)


def spoilt(data: Any, rng: random.Random) -> Any:
    """Plain data with something in it replaced, taken away or doubled."""
    junk: list[Any] = [None, True, 0, -1, 1.5, 1e308, 10**400, "", "a1", "inf", [], {}, [[]], {"a": 1}]
    if isinstance(data, dict) and data and rng.random() < 0.8:
        key = rng.choice(list(data))
        data[key] = spoilt(data[key], rng)
    elif isinstance(data, list) and data and rng.random() < 0.8:
        at = rng.randrange(len(data))
        data[at : at + 1] = rng.choice([[], [data[at]] * 2, [spoilt(data[at], rng)]])
    else:
        return rng.choice(junk)
    return data


def test_a_spoilt_strategy_is_refused_or_judged_and_nothing_else_happens() -> None:
    rng = random.Random(95)
    whole = strategy(TIC_TAC_TOE, TIC_TAC_TOE.parse_state("X.O/.X./..O")).to_json()
    outcomes = {"refused": 0, "right": 0, "wrong": 0}
    for _ in range(500):
        data = json.loads(whole)
        data["moves" if rng.random() < 0.7 else rng.choice(list(data))] = spoilt(data["moves"], rng)
        try:
            checked = Strategy.from_json(json.dumps(data), TIC_TAC_TOE).verify()
            outcomes["right" if checked.ok else "wrong"] += 1
        except InputError:
            outcomes["refused"] += 1
    assert min(outcomes.values()) > 10, outcomes


def test_a_strategy_with_a_worse_move_is_read_and_found_out() -> None:
    data = strategy(TIC_TAC_TOE).to_dict()
    replies = {tuple(move["after"]): move for move in data["moves"]}
    replies["a3", "b2", "b3", "c3"]["play"] = "c2"  # and a1 wins for O
    bad = Strategy.from_json(json.dumps(data), TIC_TAC_TOE)
    checked = bad.verify()
    assert not checked.ok
    # What follows the other move was never part of it.
    assert "no move for a position that can arise" in str(checked)
    missing = dict(bad.moves)
    missing.pop(TIC_TAC_TOE.initial())
    empty = Strategy(TIC_TAC_TOE, bad.state, 0, bad.value, missing).verify()
    assert not empty and empty.value is None and empty.line == ()


def test_a_loss_that_is_sold_as_a_draw_is_found_out() -> None:
    plan = strategy(Nim(counters=4))
    assert plan.value.outcome == "loss"
    checked = Strategy(plan.game, plan.state, 0, Value(0), plan.moves).verify()
    assert not checked.ok and "a play ends with loss in 2, and the strategy claims 0" in str(checked)
    assert len(checked.line) == 2
    modest = Strategy(plan.game, plan.state, 1, Value(0), strategy(plan.game, player=1).moves).verify()
    assert modest.ok and "it claims no more than 0" in str(modest)


def test_a_circle_that_is_sold_as_a_win_is_found_out() -> None:
    plan = strategy(Toggle())
    assert plan.value == 0 and plan.verify().plays is None
    checked = Strategy(plan.game, 0, 0, Value.win(1), plan.moves).verify()
    assert not checked.ok and "play need not end" in checked.trouble


def test_illegal_moves_are_found_out() -> None:
    checked = Strategy(TIC_TAC_TOE, TIC_TAC_TOE.initial(), 0, Value(0), {TIC_TAC_TOE.initial(): 99}).verify()
    assert "plays 99, which is not legal" in str(checked)


def test_a_rule_on_repeated_positions_does_not_spoil_a_strategy() -> None:
    game = cycles(94, 30, size=8, kind=Draw2)
    for first in range(0, 30 * 8, 8):
        if not game.is_terminal(first):
            plan = strategy(game, first)
            assert plan.verify().ok


def test_a_strategy_is_printed_for_people() -> None:
    plan = strategy(Nim(counters=6))
    assert str(plan) == (
        "Nim, strategy of the first player\n"
        "  guarantees win in 3\n"
        "  moves      4, one for every position that can arise\n"
        "             at first: 2\n"
        "             after 2 1: 3\n"
        "             after 2 2: 2\n"
        "             after 2 3: 1"
    )
    assert "<table>" in plan._repr_html_() and repr(plan) == str(plan)
    assert "… and 69 more" in str(strategy(TIC_TAC_TOE))
    assert list(plan.steps())[1] == (("2", "1"), "3")
