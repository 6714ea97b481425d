"""Boards as data: how they are written, read and passed on."""

import json
from dataclasses import FrozenInstanceError

import pytest

from gametree import Board, Cell, Piece
from gametree.board.data import CROSSES_AND_NOUGHTS, discs

SMALL = Board.grid(["X.O", ".X."], CROSSES_AND_NOUGHTS, columns="abc", rows="21", mover=1, status="O to move")


def test_a_grid_is_written_by_its_lines() -> None:
    assert SMALL.kind == "grid" and SMALL.size == (3, 2)
    assert SMALL.ids == ("a2", "b2", "c2", "a1", "b1", "c1")
    assert SMALL.cell("c2") == Cell("c2", 2, 0, Piece("O", 1, "nought"))
    assert SMALL.cell("b2").piece is None and SMALL.cell("b2").count == 0


def test_a_grid_without_labels_counts_its_cells() -> None:
    assert Board.grid(["ab", "c."]).ids == ("0", "1", "2", "3")
    assert Board.grid(["ab"], columns="12").ids == ("0", "1")


def test_only_checkered_boards_have_dark_squares() -> None:
    shades = [cell.shade for cell in Board.grid(["..", ".."], checkered=True).cells]
    assert shades == ["light", "dark", "dark", "light"]
    assert {cell.shade for cell in SMALL.cells} == {""}


def test_neighbours_are_one_apart_or_joined_by_edges() -> None:
    assert set(SMALL.neighbours("b2")) == {"a2", "c2", "b1"}
    honey = Board.hexagons(["...", "...", "..."], columns="abc", rows="123")
    assert set(honey.neighbours("b2")) == {"b1", "c1", "a2", "c2", "a3", "b3"}
    ring = Board("graph", (Cell("a"), Cell("b", 5), Cell("c", 9)), edges=(("a", "b"), ("c", "a")))
    assert ring.neighbours("a") == ("b", "c") and ring.neighbours("b") == ("a",)


def test_a_board_is_turned_round() -> None:
    turned = SMALL.turned()
    assert turned.columns == ("c", "b", "a") and turned.rows == ("1", "2")
    assert (turned.cell("a2").x, turned.cell("a2").y) == (2, 1)
    assert turned.turned() == SMALL


def test_what_a_move_has_changed_is_told() -> None:
    after = Board.grid(["XXO", ".X."], CROSSES_AND_NOUGHTS, columns="abc", rows="21")
    assert after.changed(SMALL) == ("b2",) and SMALL.changed(SMALL) == ()
    assert after.marked(["b2"]).last == ("b2",)


def test_a_board_is_frozen_and_can_be_hashed_and_compared() -> None:
    again = Board.grid(
        ["X.O", ".X."], CROSSES_AND_NOUGHTS, columns="abc", rows="21", mover=1, status="O to move"
    )
    assert again == SMALL and len({again, SMALL}) == 1
    with pytest.raises(FrozenInstanceError):
        SMALL.kind = "hex"  # type: ignore[misc]


def test_a_board_is_plain_json() -> None:
    data = SMALL.to_json()
    assert json.loads(json.dumps(data)) == data
    assert data["rows"] == ["2", "1"] and data["mover"] == 1 and data["status"] == "O to move"
    assert "beside" not in data and "last" not in data and len(data["cells"]) == 6
    pits = Board(
        "pits",
        (Cell("p1", count=4, owner=0, name="first"),),
        (Cell("die", piece=Piece("6")),),
        edges=(("p1", "p1"),),
        bottom=0,
    ).to_json()
    assert pits["cells"] == [{"id": "p1", "x": 0.0, "y": 0.0, "name": "first", "count": 4, "owner": 0}]
    assert (
        pits["beside"][0]["piece"] == {"symbol": "6"}
        and pits["bottom"] == 0
        and pits["edges"] == [["p1", "p1"]]
    )


def test_there_is_no_cell_that_is_not_there() -> None:
    with pytest.raises(KeyError):
        SMALL.cell("z9")


def test_discs_have_two_colours() -> None:
    assert [piece.color for piece in discs("red", "yellow").values()] == ["red", "yellow"]
