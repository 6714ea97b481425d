"""Every shipped game names its players, tells its board, and says what an action touches."""

import json
import random
from typing import Any

import pytest

from gametree import Board, Game, Tree, games
from gametree.games.ludo.track import spots, ways

VARIANTS: list[tuple[str, dict[str, Any]]] = [
    *((name, {}) for name in games.names()),
    ("tic-tac-toe", {"width": 5, "height": 2, "k": 2}),
    ("mnk", {"players": 4}),
    ("othello", {"size": 6}),
    ("hex", {"size": 4, "swap": True}),
    ("go", {"size": 5}),
    ("chinese-checkers", {"size": 2, "players": 6}),
    ("ludo", {"players": 2, "tokens": 2, "quarter": 6}),
    ("ludo", {"players": 3}),
]
LUDO = (
    "A 5 yard yard yard / B yard yard yard yard / C yard yard yard yard / D 21 yard yard yard / A to move a 3"
)
TURNED = {"othello"}
"""Here pieces change that are not touched."""
BESIDES = {"die", "die 1", "die 2", "first", "second", "turn"}
"""Counters change with whose turn it is."""


def choices(game: Game, state: Any) -> list[Any]:
    if game.player(state) < 0:
        return [outcome for outcome, _ in game.chance(state)]
    return list(game.actions(state))


@pytest.mark.parametrize(("name", "params"), VARIANTS, ids=str)
def test_a_board_is_whole_and_actions_touch_what_they_change(name: str, params: dict[str, Any]) -> None:
    game, rng = games.load(name, **params), random.Random(7)
    state = game.initial()
    for _ in range(80):
        board = game.board(state)
        assert isinstance(board, Board) and hash(board) == hash(game.board(state))
        assert len(set(board.ids)) == len(board.ids) and board.status
        assert json.loads(json.dumps(board.to_json()))["kind"] == board.kind
        if game.is_terminal(state):
            assert board.mover is None
            break
        assert board.mover == game.player(state)
        for action in choices(game, state):
            touched = game.touches(state, action)
            assert set(touched) <= set(board.ids)
            after = game.board(game.result(state, action))
            assert after is not None and after.ids == board.ids
            if name not in TURNED:
                assert set(after.changed(board)) <= {*touched, *BESIDES}
        state = game.result(state, rng.choice(choices(game, state)))


@pytest.mark.parametrize(("name", "params"), VARIANTS, ids=str)
def test_every_player_has_a_name_of_its_own(name: str, params: dict[str, Any]) -> None:
    game = games.load(name, **params)
    assert len(set(game.player_names)) == len(game.player_names) == game.players


def test_the_players_of_a_tree_are_max_and_min_where_its_leaves_are_numbers() -> None:
    assert Tree([[1, 2], 3]).player_names == ("MAX", "MIN")
    assert Tree([(1, 2, 3), (4, 5, 6)], movers=(0, 1, 2)).player_names == ()
    assert Tree([1, 2]).board(0) is None


def touched(game: Game, position: str, move: str) -> tuple[str, ...]:
    state = game.parse_state(position)
    return tuple(game.touches(state, game.parse_action(state, move)))


@pytest.mark.parametrize(
    ("name", "position", "move", "cells"),
    [
        ("chess", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "O-O", "e1 g1 h1 f1"),
        ("chess", "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "O-O-O", "e8 c8 a8 d8"),
        ("chess", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "exd6", "e5 d6 d5"),
        ("chess", "4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a8=Q", "a7 a8"),
        ("checkers", "B:W7,15,K23:BK2", "2x11x18x27", "2 11 18 27 7 15 23"),
        ("checkers", "B:W32:B1", "1-5", "1 5"),
        ("othello", "f5", "f6", "f6"),
        ("connect-four", "4453", "4", "24"),
        ("go", "E5 E6 A1 D5 A2 F5 A3", "E4", "E4 E5"),
        ("go", "E5", "pass", ""),
        ("backgammon", "31", "8/5 6/5", "8 5 6 5"),
        ("pig", "10 20 5", "hold", "turn first"),
        ("pig", "10 20 5", "roll", "turn"),
        ("nim", "14", "3", "heap"),
        ("ludo", LUDO, "5-8", "4 7 D yard"),
    ],
)  # fmt: skip
def test_actions_touch_cells_in_the_order_in_which_people_point(
    name: str, position: str, move: str, cells: str
) -> None:
    expected = cells.replace("D yard", "D_yard").split()
    assert touched(games.load(name), position, move) == tuple(cell.replace("_", " ") for cell in expected)


def test_a_swap_in_hex_touches_the_stone_and_its_mirror_image() -> None:
    assert touched(games.load("hex", size=5, swap=True), "b4", "swap") == ("b4", "d2")
    assert touched(games.load("hex", swap=True), "k10", "swap") == ("k10", "j11")


def test_boards_have_their_geometry() -> None:
    chess, hexes, star = (games.load(name) for name in ("chess", "hex", "chinese-checkers"))
    near = {name: game.board(game.initial()) for name, game in (("c", chess), ("h", hexes), ("s", star))}
    assert near["c"] is not None and set(near["c"].neighbours("a1")) == {"a2", "b1"}
    assert near["h"] is not None and len(near["h"].neighbours("b2")) == 6
    assert (
        near["s"] is not None
        and len(near["s"].neighbours("i5")) == 6
        and len(near["s"].neighbours("a1")) == 2
    )


def test_men_and_kings_stand_on_the_dark_squares() -> None:
    board = games.load("checkers").board(games.load("checkers").parse_state("W:WK7,20:B4,K23"))
    assert board is not None and {(cell.x + cell.y) % 2 for cell in board.cells} == {1}
    found = {cell.id: (cell.piece.shape, cell.piece.color) for cell in board.cells if cell.piece}
    assert found == {
        "7": ("crown", "white"),
        "20": ("disc", "white"),
        "4": ("disc", "black"),
        "23": ("crown", "black"),
    }
    assert (board.cell("1").x, board.cell("1").y) == (1, 0) and (board.cell("5").x, board.cell("5").y) == (
        0,
        1,
    )


@pytest.mark.parametrize("quarter", [2, 6, 13, 14])
def test_the_track_of_ludo_is_closed_and_nothing_lies_upon_anything_else(quarter: int) -> None:
    seats = (0, 1, 2, 3)
    found = spots(quarter, seats)
    places = {spot.id: (spot.x, spot.y) for spot in found}
    assert len({(round(x, 3), round(y, 3)) for x, y in places.values()}) == len(found) == 4 * quarter + 28
    assert min(min(place) for place in places.values()) >= -0.5
    track = [places[str(square)] for square in range(4 * quarter)]
    steps = [abs(ax - bx) + abs(ay - by) for (ax, ay), (bx, by) in zip(track, [*track[1:], track[0]])]
    assert max(steps) <= max(2, 1.3 * min(steps))  # short tracks are drawn with gaps, all alike
    assert {end for way in ways(quarter, seats) for end in way} == set(places)
