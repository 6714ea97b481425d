"""Strategies as pictures: the tree of a strategy, and its map of boards within boards."""

import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from gametree.errors import InputError
from gametree.explain.strategy_map import policy_map
from gametree.explain.strategy_tree import drawing, policy_outline, policy_title
from gametree.games import ConnectFour, Nim, TicTacToe
from gametree.search.solve.strategy import Strategy, strategy

GAME = TicTacToe()


@pytest.fixture(scope="module", params=[0, 1], ids=["X", "O"])
def plan(request: pytest.FixtureRequest) -> Strategy:
    return strategy(GAME, player=request.param)


def test_the_tree_has_one_move_of_the_player_and_every_reply(plan: Strategy) -> None:
    root = policy_outline(plan, merge_symmetric=False, most=5_000)
    assert len(root.leaves) == plan.verify().plays
    for node in root.walk():
        if node.children:
            every = len(list(GAME.actions(node.state)))
            assert len(node.children) == (1 if node.player == plan.player else every)
    merged = policy_outline(plan, most=5_000)
    assert merged.size < root.size
    sign = 1 if plan.player == 0 else -1
    assert min(sign * leaf.payoff for leaf in merged.leaves if isinstance(leaf.payoff, float)) == 0


def test_the_tree_is_drawn_with_its_boards(plan: Strategy) -> None:
    picture = drawing(plan, most=2_000, title="mine")
    assert picture.count("gt-cross") > 100
    ElementTree.fromstring(picture)


def test_the_map_has_a_board_for_every_position_of_the_player(plan: Strategy) -> None:
    picture = policy_map(plan)
    root = ElementTree.fromstring(picture)
    space = "{http://www.w3.org/2000/svg}"
    boards = root.findall(f".//{space}rect[@class='board']")
    moves = root.findall(".//*[@class='move']")
    # Positions that are reached in several ways are on the map once for each way.
    ways = sum(1 for _ in walk(plan, plan.state))
    assert len(moves) == ways and len(boards) == ways + (plan.player == 1)
    assert len(re.findall("<g ", picture)) == len(boards)


def walk(plan: Strategy, state: Any) -> Iterator[Any]:
    """The positions where the player moves, once for each way to them."""
    if GAME.is_terminal(state):
        return
    if GAME.player(state) == plan.player:
        yield state
        yield from walk(plan, GAME.result(state, plan(state)))
    else:
        for action in GAME.actions(state):
            yield from walk(plan, GAME.result(state, action))


def test_what_is_no_map_is_refused() -> None:
    with pytest.raises(InputError, match=r"every move fills one square.*Nim is none"):
        policy_map(strategy(Nim(counters=4)))
    with pytest.raises(InputError, match="theme='pink'"):
        policy_map(strategy(GAME), theme="pink")  # type: ignore[arg-type]


def test_stones_that_fall_make_a_map_too() -> None:
    game = ConnectFour(4, 4)
    plan = strategy(game, game.parse_state("22334114"), player=0)
    assert policy_map(plan, theme="dark").count('class="board"') >= len(plan)


def test_a_map_of_too_many_boards_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gametree.explain.strategy_map._MOST_BOARDS", 20)
    with pytest.raises(InputError, match="more than 20 boards"):
        policy_map(strategy(GAME))


def test_titles_say_whose_strategy_it_is_and_what_it_guarantees() -> None:
    assert policy_title(strategy(GAME), "X") == "TicTacToe: the whole strategy of X, which guarantees a draw"
    assert policy_title(strategy(Nim(counters=4))).endswith(
        "of the first player, which guarantees a loss in 2"
    )


def test_the_map_in_the_documents_is_the_one_that_is_drawn() -> None:
    kept = Path(__file__).parents[2] / "docs" / "images" / "tic-tac-toe-map.svg"
    plan = strategy(GAME)
    assert kept.read_text(encoding="utf-8") == policy_map(plan, title=policy_title(plan, "X"))
