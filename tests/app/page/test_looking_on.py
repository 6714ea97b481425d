"""Analysis in the page: it agrees with the library, keeps to the position that is shown, and says what is proven."""

import json

import pytest

import gametree as gt
from app.page.visitor import Visitor, cell
from gametree import games

QUIET = """return document.querySelector('.lines li')
    && document.querySelector('.progress').textContent !== 'searching …'"""


@pytest.mark.parametrize("moves", ["b2,a1", "a1,b1,a2", "b2,a3,c3,a1,a2"])
def test_it_says_of_every_move_what_the_library_says(visitor: Visitor, moves: str) -> None:
    game = games.TicTacToe()
    state = game.initial()
    for word in moves.split(","):
        state = game.result(state, game.parse_action(state, word))
    found = gt.analyze(game, state, gt.Limit(seconds=20), moves=True, compile="never")
    visitor.play("tic-tac-toe", f"moves={moves}&mode=analyse")
    visitor.until("return document.querySelector('.why').textContent.includes('proven')")
    shown = visitor.see("""const cells = [...document.querySelectorAll('.cell')];
    return Object.fromEntries(cells.map((one) => [one.dataset.cell, one.ariaLabel]))""")
    for move in found.moves:
        name = game.name_action(state, move.action)
        word = (
            "draw (proven)" if move.value.outcome is None else f"{move.value.outcome} in {move.value.plies}"
        )
        assert f"worth {word}" in shown[name], (name, shown[name], word)


def test_wins_and_draws_are_said_in_words(visitor: Visitor) -> None:
    visitor.play("nim", "s.counters=5&mode=analyse")
    assert visitor.shows(".headline", "win in 3")
    visitor.play("tic-tac-toe", "mode=analyse")
    assert visitor.shows(".headline", "draw (proven)")
    assert (
        visitor.see("return document.querySelector('.gauge').ariaLabel") == "Winning chances: X 50 %, O 50 %"
    )
    assert visitor.shows(".why", "because this is a game of two players, no chance")


def test_a_line_is_previewed_and_followed(visitor: Visitor) -> None:
    visitor.play("connect-four", "s.width=4&s.height=4&mode=analyse")
    visitor.until(QUIET)
    visitor.until("return document.querySelectorAll('.lines li:first-child .move').length > 2")
    visitor.hover(".lines li:first-child .move:nth-of-type(2)")
    visitor.shows(".status", "Preview")
    visitor.see("document.querySelectorAll('.lines li:first-child .move')[1].click()")
    visitor.reaches(2)
    assert "Preview" not in visitor.text(".status")
    assert visitor.see("return document.querySelectorAll('.moves .move').length") == 2


def test_what_was_asked_of_another_position_is_dropped(visitor: Visitor) -> None:
    visitor.play("othello", "mode=analyse")
    visitor.until(QUIET)
    visitor.see("""window.asked = [];
    const old = WebSocket.prototype.send;
    WebSocket.prototype.send = function (text) { window.asked.push(text); old.call(this, text); };""")
    visitor.click(cell("d3"))
    visitor.reaches(1)
    visitor.until(QUIET)
    legal = {"c3", "c5", "e3"}
    assert (
        set(
            visitor.see(
                "return [...document.querySelectorAll('.lines li .move:first-of-type')].map((one) => one.textContent)"
            )
        )
        <= legal
    )
    asked = [json.loads(text) for text in visitor.see("return window.asked")]
    assert [one["moves"] for one in asked if one["do"] == "analyze"] == [["d3"]]


def test_a_hidden_tab_stops(visitor: Visitor) -> None:
    visitor.play("othello", "mode=analyse")
    visitor.until(QUIET)
    visitor.see("""window.asked = [];
    const old = WebSocket.prototype.send;
    WebSocket.prototype.send = function (text) { window.asked.push(JSON.parse(text).do); old.call(this, text); };
    Object.defineProperty(document, "hidden", { value: true, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"))""")
    assert visitor.see("return window.asked") == ["cancel"]
    visitor.see("""Object.defineProperty(document, "hidden", { value: false, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"))""")
    visitor.until("return window.asked.includes('analyze')")


def test_any_search_by_name_with_its_own_parameters(visitor: Visitor) -> None:
    visitor.play("tic-tac-toe", "mode=analyse")
    visitor.until(QUIET)
    visitor.see("document.querySelector('.settings').open = true")
    visitor.choose("select[aria-label=Method]", "mcts")
    visitor.choose("select[aria-label=Until]", "nodes")
    visitor.choose("input[aria-label='How much']", "300")
    visitor.until("return document.querySelector(\"select[aria-label='Tree policy']\")")
    visitor.choose("select[aria-label='Tree policy']", "puct")
    visitor.shows(".why", "tree policy puct")
    visitor.shows(".progress", "300 visits")
    visitor.choose("select[aria-label=Method]", "pns")
    visitor.shows(".why", "as you chose")


@pytest.mark.parametrize(
    ("game", "query", "method", "shown", "words"),
    [
        ("pig", "s.goal=8&moves=roll,3", "expectiminimax", ".why", "Expectiminimax"),
        ("mnk", "s.width=3&s.height=3&moves=b2,a1,c3", "maxn", ".vector", "X"),
        ("tic-tac-toe", "moves=b2,a1,a2", "alphabeta", ".headline", "draw (proven)"),
    ],
)
def test_the_searches_of_the_lecture_by_name(
    visitor: Visitor, game: str, query: str, method: str, shown: str, words: str
) -> None:
    visitor.play(game, f"{query}&mode=analyse")
    visitor.until(QUIET)
    visitor.see("document.querySelector('.settings').open = true")
    visitor.choose("select[aria-label=Method]", method)
    visitor.choose("select[aria-label=Until]", "depth")
    visitor.choose("input[aria-label='How much']", "6")
    visitor.shows(".why", "as you chose")
    visitor.shows(shown, words)


def test_the_best_lines_are_arrows_or_marks_on_the_board(visitor: Visitor) -> None:
    visitor.play("chess", "mode=analyse&position=7k/8/8/8/8/8/8/KQ6%20w%20-%20-%200%201")
    visitor.until(QUIET)
    visitor.until("return document.querySelectorAll('.arrows path.filled').length === 3")
    visitor.play("tic-tac-toe", "mode=analyse&moves=b2,a1")
    visitor.until("return document.querySelectorAll('.arrows circle.arrow').length === 3")
    assert visitor.see("return document.querySelectorAll('.lines li').length") == 3


def test_going_deeper_searches_on(visitor: Visitor) -> None:
    visitor.play("othello", "mode=analyse&moves=d3")
    visitor.until(QUIET)
    visitor.see("document.querySelector('.settings').open = true")
    visitor.choose("select[aria-label=Until]", "nodes")
    visitor.choose("input[aria-label='How much']", "300")
    visitor.shows(".progress", "300 nodes")
    visitor.click(".head > .button:not([hidden])")
    visitor.shows(".progress", "1.2 k nodes")


def test_every_player_has_a_value_where_there_are_more_than_two(visitor: Visitor) -> None:
    visitor.play("mnk", "s.width=3&s.height=3&moves=b2,a1&mode=analyse")
    visitor.until("return document.querySelectorAll('.vector:not([hidden]) .chip').length === 3")
    assert visitor.see("return document.querySelectorAll('.gauge .part').length") == 3


def test_values_can_be_losses_or_hidden_and_lines_left_out(visitor: Visitor) -> None:
    visitor.play("tic-tac-toe", "moves=b2,b3&mode=analyse")
    visitor.until("return document.querySelectorAll('.badge').length === 7")
    visitor.see("document.querySelector('.settings').open = true")
    visitor.choose("select[aria-label='Values on moves']", "loss")
    visitor.until(
        "return [...document.querySelectorAll('.badge')].some((one) => one.textContent.includes('%'))"
    )
    visitor.choose("select[aria-label='Values on moves']", "hidden")
    visitor.until("return document.querySelectorAll('.badge').length === 0")
    visitor.choose("select[aria-label=Lines]", "0")
    visitor.until("return document.querySelector('.lines').hidden")
    visitor.see("localStorage.clear()")
