"""Whole games by mouse, by finger and by keyboard, on boards of different kinds."""

from collections.abc import Callable, Sequence

import pytest

from app.page import robot
from app.page.visitor import Visitor, cell

PEOPLE = "seats=p,p,p,p"
Way = Callable[[Visitor, str], None]


def by_mouse(visitor: Visitor, id: str) -> None:
    visitor.click(cell(id))


def by_finger(visitor: Visitor, id: str) -> None:
    visitor.tap(cell(id))


def by_keys(visitor: Visitor, id: str) -> None:
    """From where the focus is, with Tab and the arrows alone, then Enter."""
    visitor.until("return window.wanted = document.querySelector(arguments[0])", cell(id))
    robot.by_keys(visitor, 0, 0)


WAYS = [by_mouse, by_finger, by_keys]
SLOWLY = [by_mouse, *(pytest.param(way, marks=pytest.mark.slow) for way in WAYS[1:])]
"""The default suite has every way on squares and hexagons, and the mouse everywhere."""


def played(visitor: Visitor, way: Way, moves: Sequence[Sequence[str]]) -> None:
    """Points at the cells of each move, and waits for the position after it."""
    for number, ids in enumerate(moves, 1):
        for id in ids:
            way(visitor, id)
        visitor.reaches(number)


@pytest.mark.parametrize("way", WAYS)
def test_squares_tic_tac_toe(visitor: Visitor, way: Way) -> None:
    visitor.play("tic-tac-toe", PEOPLE)
    played(visitor, way, [["b2"], ["a1"], ["a2"], ["c2"], ["b3"], ["b1"], ["c1"], ["a3"], ["c3"]])
    visitor.shows(".status", "A draw")
    assert "moves=b2,a1,a2,c2,b3,b1,c1,a3,c3" in visitor.address


@pytest.mark.parametrize("way", SLOWLY)
def test_pieces_that_move_the_shortest_mate_of_chess(visitor: Visitor, way: Way) -> None:
    visitor.play("chess", PEOPLE)
    played(visitor, way, [["f2", "f3"], ["e7", "e5"], ["g2", "g4"], ["d8", "h4"]])
    visitor.shows(".status", "Black wins")


@pytest.mark.parametrize("way", WAYS)
def test_hexagons(visitor: Visitor, way: Way) -> None:
    visitor.play("hex", "s.size=4&" + PEOPLE, width=800, height=700)
    played(visitor, way, [["b1"], ["a2"], ["b2"], ["a3"], ["b3"], ["a4"], ["b4"]])
    visitor.shows(".status", "X wins")


@pytest.mark.parametrize("way", SLOWLY)
def test_points_a_turn_of_backgammon_with_dice_in_the_open(visitor: Visitor, way: Way) -> None:
    visitor.play("backgammon", "moves=3-1&" + PEOPLE)
    assert visitor.see("return document.querySelectorAll('.tile .pip').length") == 4
    for id in ("8", "5", "6", "5"):
        way(visitor, id)
    visitor.until("return Number(document.querySelector('.stage').dataset.ply) > 1")
    assert "moves=3-1,8%2F5%206%2F5" in visitor.address


@pytest.mark.parametrize("way", SLOWLY)
def test_four_seats_at_one_board(visitor: Visitor, way: Way) -> None:
    visitor.play("mnk", "s.players=4&s.width=4&s.height=4&" + PEOPLE)
    assert visitor.see("return document.querySelectorAll('.seat').length") == 4
    played(visitor, way, [["a1"], ["a4"], ["b4"], ["c4"], ["b1"], ["d4"], ["a3"], ["b3"], ["c1"]])
    visitor.shows(".status", "X wins")


@pytest.mark.parametrize("way", SLOWLY)
def test_a_file_of_ones_own(visitor: Visitor, way: Way) -> None:
    visitor.play("hexapawn:Hexapawn", PEOPLE)
    while not visitor.is_over:
        ply = visitor.ply
        first = visitor.see("return document.querySelector('.cell.start').dataset.cell")
        way(visitor, first)
        if visitor.ply == ply:
            visitor.until("return document.querySelector('[aria-selected=\"true\"]')")
            way(visitor, visitor.see(_A_TARGET))
        visitor.reaches(ply + 1)
    assert "wins" in visitor.status


_A_TARGET = "return document.querySelector('.cell.start:not([aria-selected=\"true\"])').dataset.cell"


@pytest.mark.slow
def test_a_whole_game_of_ludo_for_four_by_chance(visitor: Visitor) -> None:
    """Three engines and a person who clicks; the dice roll for everybody."""
    visitor.play("ludo", "s.tokens=1&s.quarter=5&seats=p,1,1,1")
    visitor.until(_CLICKS_ALONG, within=120)
    assert "win" in visitor.status


_CLICKS_ALONG = """
if (document.querySelector(".status").dataset.over === "true") return true;
const one = document.querySelector(".actions .act, .chooser:not([hidden]) .act, .cell.start");
if (one && !one.disabled) one.click();
return false;
"""


def test_a_promotion_is_chosen(visitor: Visitor) -> None:
    visitor.play("chess", "position=7k/P7/8/8/8/8/8/K7%20w%20-%20-%200%201&" + PEOPLE)
    visitor.click(cell("a7"))
    visitor.click(cell("a8"))
    visitor.until("return document.querySelector('.chooser .act')")
    names = visitor.see(
        "return [...document.querySelectorAll('.chooser .act')].map((one) => one.dataset.action)"
    )
    assert sorted(names) == ["a8=B", "a8=N", "a8=Q+", "a8=R+"]
    visitor.click('.chooser [data-action="a8=R+"]')
    visitor.reaches(1)
    assert "black" not in visitor.see("return document.querySelector('.cell[data-cell=a8]').ariaLabel")


def test_undo_hint_resign_and_flip(visitor: Visitor) -> None:
    visitor.play("tic-tac-toe", "seats=p,1")
    visitor.click(cell("b2"))
    visitor.reaches(2)
    visitor.click(".tools .button", 0)
    visitor.until("return document.querySelector('.stage').dataset.ply === '0'")
    visitor.click(".tools .button", 1)
    visitor.shows(".status", "Hint:")
    above = """const top = (id) => document.querySelector(`[data-cell=${id}]`).getBoundingClientRect().top;
    return top("a3") < top("a1")"""
    assert visitor.see(above)
    visitor.press("f")
    assert not visitor.see(above)
    visitor.click(".tools .button", 2)
    visitor.shows(".status", "X resigns")


def test_dice_wait_for_who_wants_to_roll_them(visitor: Visitor) -> None:
    visitor.play("pig", PEOPLE)
    visitor.click("[data-action=roll]")
    visitor.reaches(2)
    visitor.see("document.querySelector('.check input').click()")
    while "rolls" not in visitor.status:  # one is rolled: the turn is over
        visitor.click("[data-action=roll]")
        visitor.until("return !document.querySelector('.actions [data-action=roll]')")
        if "Roll the dice" in visitor.text(".actions"):
            break
    ply = visitor.ply
    visitor.click(".actions .primary")
    visitor.reaches(ply + 1)
    assert visitor.see("return document.querySelector('.moves .move[aria-current]').textContent") in set(
        "123456"
    )


def test_rules_may_say_what_is_to_be_done(visitor: Visitor) -> None:
    visitor.play("battleship", "s.width=4&s.height=4&s.fleet=3%202&seats=p,1")
    visitor.shows(".status", "The first player to place a ship of 3")
    visitor.click(cell("first a1"))
    visitor.click(cell("first a3"))
    visitor.shows(".status", "The first player to place a ship of 2")


def test_engines_play_each_other(visitor: Visitor) -> None:
    visitor.play("tic-tac-toe", "seats=3,4")
    visitor.until("return document.querySelector('.status').dataset.over === 'true'", within=60)


def test_searches_by_name_play_each_other(visitor: Visitor) -> None:
    visitor.play("tic-tac-toe", "seats=alphabeta:depth=9,mcts:simulations=500")
    visitor.until("return document.querySelector('.status').dataset.over === 'true'", within=60)
    assert (
        "O wins" not in visitor.status and "seats=alphabeta:depth=9,mcts:simulations=500" in visitor.address
    )
    chosen = "return [...document.querySelectorAll('.seat select')].map((one) => one.value)"
    assert visitor.see(chosen) == ["alphabeta:depth=9", "mcts:simulations=500"]
    visitor.play("pig", "moves=roll,4&seats=p,alphabeta")
    visitor.click("[data-action=hold]")
    visitor.shows(".stage .trouble", "alphabeta needs none")


def test_a_clock_that_runs_out_ends_the_game(visitor: Visitor) -> None:
    visitor.play("tic-tac-toe", "clock=1%2B0&seats=p,p")
    visitor.shows(".status", "X ran out of time")


def test_what_a_screen_reader_hears(visitor: Visitor) -> None:
    visitor.play("tic-tac-toe", PEOPLE)
    labels = visitor.see("""const rows = [...document.querySelectorAll('[role=grid] [role=row]')];
    return rows.map((row) => [...row.children].map((one) => one.ariaLabel))""")
    assert labels[0] == ["a3, empty", "b3, empty", "c3, empty"]
    visitor.click(cell("b2"))
    visitor.shows("#announcer", "b2. O to move.")
    assert visitor.see("return document.querySelector('[data-cell=b2]').ariaLabel") == "b2, X, last move"
