"""Widgets from the side of the kernel: what they show, what they answer, what they refuse."""

from typing import Any

import pytest

import gametree as gt
from explain.page_trees import LECTURE
from gametree.errors import InputError
from gametree.explain.traces.trace import trace
from gametree.games.tree.game import Tree
from gametree.notebook.script import script

pytest.importorskip("anywidget", reason="this test needs the extra `notebook`")

from gametree import notebook


@pytest.mark.parametrize("tree", [LECTURE, "[[3,12,8],[2,x,y],[14,5,2]]", Tree(LECTURE), trace(LECTURE)])
def test_a_search_is_shown_however_the_tree_is_given(tree: Any) -> None:
    shown = notebook.steps(tree)
    told = trace(LECTURE)
    assert shown.trace.events == told.events
    assert len(shown.document["data"]["steps"]) == len(told.events) + 1
    shown.step = 7
    assert shown.step == 7
    shown.step = 10_000
    assert shown.step == len(told.events)


def test_conventions_values_and_method_are_those_of_the_trace() -> None:
    shown = notebook.steps("[[x, 12], [2, 4]]", "alphabeta", values={"x": 3}, cut=">", fail="hard")
    assert shown.trace.conventions.cut == ">"
    assert shown.trace.value == 3
    assert notebook.steps([[(1, 2), (3, 4)]]).trace.method == "maxn"


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: notebook.steps([[3, "x"], [2, 1]]), "x"),
        (lambda: notebook.steps([3, 4], shape="round"), "no convention 'shape'"),
        (lambda: notebook.steps([3, 4], cut="?"), "cut='?'"),
        (lambda: notebook.steps(trace([3, 4]), "minimax"), "a trace is a search already"),
        (lambda: notebook.board("no-such-game"), "no-such-game"),
        (lambda: notebook.board("tic-tac-toe", moves=["z9"]), "z9"),
    ],
)
def test_what_cannot_be_shown_is_refused_in_words(make: Any, words: str) -> None:
    with pytest.raises(InputError, match=words.replace("?", r"\?")):
        make()


def test_a_board_answers_in_the_messages_of_the_engine() -> None:
    said: list[dict[str, Any]] = []
    shown = notebook.board(gt.games.TicTacToe(), moves=["b2"])
    shown._worker._send = said.append
    place = {"game": shown.game, "moves": list(shown.moves)}
    shown._asked(None, {"id": 1, "do": "position", **place}, [])
    assert said[-1]["position"]["mover"] == 1
    shown._asked(None, {"id": 2, "do": "analyze", **place, "limit": {"depth": 2}, "values": True}, [])
    assert said[-1]["done"]
    assert len(said[-1]["analysis"]["moves"]) == 8
    shown._asked(None, {"id": 3, "do": "position", "game": "chess"}, [])
    assert "this widget shows" in said[-1]["error"]["message"]
    told = len(said)
    shown._asked(None, {"id": 4, "do": "trace", "tree": "[1,2]"}, [])
    shown._asked(None, "nonsense", [])
    assert len(said) == told


def test_the_script_of_a_widget_needs_no_other_file() -> None:
    for name in ("steps_widget.js", "board_widget.js"):
        text = script(name)
        assert "\nimport " not in text
        assert text.count("\nexport ") == 1
        assert text.count("export default { render };") == 1
