"""A hundred mates in two to four: what looking at everything has found, the engine finds too."""

import random
from pathlib import Path

import pytest

import gametree as gt
from games import mates
from gametree.games.chess.board import State
from gametree.games.chess.pgn import Problem, read_epd

CHESS = mates.CHESS
TASKS = [read_epd(line) for line in Path(__file__).with_name("mates.epd").read_text("utf-8").splitlines()]
NODES = 5_000_000
SHARE = 9


def length(task: Problem) -> int:
    return int(task.operations["dm"][0])


def solve(task: Problem) -> None:
    """The engine that leaves nothing out mates as soon as can be."""
    found = gt.analyze(CHESS, task.state, depth=2 * length(task) - 1, selective=False, compile="always")
    assert str(found.value) == f"win in {2 * length(task) - 1}"
    assert found.action in task.best


def win(task: Problem) -> None:
    """As it is, it looks deeper at what promises more, and ends with the first mate that it can prove."""
    found = gt.analyze(CHESS, task.state, gt.Limit(nodes=NODES), compile="always")
    assert found.value is not None
    assert found.value.outcome == "win"
    assert found.value.plies is not None
    assert found.value.plies >= 2 * length(task) - 1


def test_there_are_a_hundred_of_them_and_no_position_comes_twice() -> None:
    assert len(TASKS) == len({task.state for task in TASKS}) == 100
    assert {moves: sum(length(task) == moves for task in TASKS) for moves in (2, 3, 4)} == mates.QUOTAS


@pytest.mark.needs_compiler
@pytest.mark.parametrize("task", TASKS[2::SHARE], ids=lambda task: task.name)
def test_mates_are_found(task: Problem) -> None:
    solve(task)
    win(task)


@pytest.mark.slow
@pytest.mark.needs_compiler
@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.name)
def test_all_mates_are_found(task: Problem) -> None:
    solve(task)
    win(task)


@pytest.mark.slow
@pytest.mark.needs_compiler
@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.name)
def test_they_are_mates_in_so_many_and_no_fewer(task: Problem) -> None:
    assert mates.length(task.state) == length(task)
    assert mates.solutions(task.state, length(task)) == sorted(task.operations["bm"])


def test_mates_in_two_are_mates_by_the_rules_alone() -> None:
    """The slow and obvious way, on a few: a move that leaves no answer without a mate."""
    short = [task for task in TASKS if length(task) == 2]
    for task in random.Random(1).sample(short, 3):
        keys = [a for a in CHESS.actions(task.state) if _is_lost(CHESS.result(task.state, a), 1)]
        assert {CHESS.name_action(task.state, key) for key in keys} == set(task.operations["bm"]), task.name


def _is_mate(state: State) -> bool:
    return CHESS.is_terminal(state) and CHESS.utility(state, CHESS.player(state)) == -1


def _is_lost(state: State, moves: int) -> bool:
    """Whether the player to move is mated, now or whatever happens within so many moves of the other."""
    if moves == 0 or CHESS.is_terminal(state):
        return _is_mate(state)
    replies = (CHESS.result(state, action) for action in CHESS.actions(state))
    return all(
        not CHESS.is_terminal(reply)
        and any(_is_lost(CHESS.result(reply, action), moves - 1) for action in CHESS.actions(reply))
        for reply in replies
    )
