"""Trees in letters for the terminal."""

import random
from itertools import pairwise

import pytest

from explain.gallery import AIMA, DEEP, gamble, position, three_players
from explain.hostile import NAMES
from explain.test_svg import random_trace
from gametree.explain.pictures.ascii import spelled, text_tree
from gametree.explain.pictures.lettering import columns
from gametree.explain.traces.conventions import Conventions
from gametree.explain.traces.trace import trace
from gametree.games.tree.game import Tree

AIMA_DOWN = """\
MAX                  A [3] α=3 β=∞
        ┌────────────────┼──────────────┐
        ┃                │              │
MIN  B (3) α=−∞ β=3  C (≤2) α=3 β=∞  D (2) α=3 β=5
     ┌───┼──┐         ┌──┼──┐        ┌──┼──┐
     ┃   │  │         │  ╪  ╪        │  │  │
     3  12  8         2  x  y       14  5  2
C: shallow α-cut
┃ best line   ╪ cut
"""
AIMA_ASIDE = """\
A [3] alpha=3 beta=inf
+-* B (3) alpha=-inf beta=3
|   +-* 3
|   +-- 12
|   `-- 8
+-- C (<=2) alpha=3 beta=inf  shallow alpha-cut
|   +-- 2
|   +-# x
|   `-# y
`-- D (2) alpha=3 beta=5
    +-- 14
    +-- 5
    `-- 2
* best line   # cut
"""


def test_a_tree_that_fits_is_drawn_downwards() -> None:
    assert text_tree(trace(AIMA)).startswith(AIMA_DOWN + "cut at ≥")


def test_a_tree_that_does_not_fit_has_one_node_a_line() -> None:
    text = text_tree(trace(AIMA), columns=40, unicode=False)
    assert text.startswith(AIMA_ASIDE + "cut at >=") and text.isascii()
    assert max(map(columns, text.splitlines())) <= 55


def test_triangles_and_intervals_and_the_current_node_are_shown() -> None:
    told = trace(AIMA, conventions=Conventions(shapes="triangles", bounds="intervals"))
    step = next(at for at, event in enumerate(told.events, 1) if event.kind == "raise")
    first = text_tree(told, step=step).splitlines()[0]
    assert first.split() == ["MAX", "A", "►△≥3", "[3,", "∞]"]
    assert "┊ not looked at yet" in text_tree(told, step=step)


def test_players_chance_moves_and_deep_cuts_are_written() -> None:
    assert "[(4, 3, 2)]" in text_tree(trace(three_players(), "maxn"))
    gamble_text = text_tree(trace(gamble(), "expectiminimax"))
    assert "risky" in gamble_text and "<−4>" in gamble_text and "1/3" in gamble_text
    assert "D: deep α-cut" in text_tree(trace(DEEP))


def test_lines_join_figures_on_random_trees() -> None:
    """Every line that comes down ends at a figure, in whatever column rounding has put it."""
    rng = random.Random(6)
    for _ in range(150):
        told = random_trace(rng)
        rows = text_tree(told, style="down", moves=False).splitlines()
        end = next(at for at, row in enumerate(rows) if "┃ best" in row or " · " in row or ":" in row)
        body = rows[:end]
        for above, below in pairwise(body):
            for at, sign in enumerate(above):
                if sign in "│┃╪┊":
                    # Between the brackets of a node whose value is not known there is a blank.
                    assert below[at : at + 1].strip() or below[at - 1 : at + 2] in ("[ ]", "( )", "< >"), (
                        below
                    )


def test_nothing_but_ascii_where_asked() -> None:
    rng = random.Random(7)
    for _ in range(40):
        told = random_trace(rng)
        for style in ("down", "side"):
            assert text_tree(told, unicode=False, style=style).isascii()


@pytest.mark.parametrize("style", ["down", "side"])
def test_hostile_names_are_text(style: str) -> None:
    tree = Tree({f"{name} {at}": [name if name.strip() else "x", at] for at, name in enumerate(NAMES)})
    for unicode in (True, False):
        text = text_tree(tree, style=style, unicode=unicode)  # type: ignore[arg-type]
        assert not any(ord(sign) < 32 or 127 <= ord(sign) < 160 for sign in text.replace("\n", ""))
        assert "\u202e" not in text and text.encode()
        assert (
            "<script>alert(1)</script" in text.replace("…", "").replace("...", "")
            or "<script>alert(1)</scrip" in text
        )


def test_wide_letters_take_two_columns() -> None:
    rows = text_tree(Tree({"象棋": 1, "b": 2})).splitlines()
    moves = next(row for row in rows if "象棋" in row)
    assert columns(moves) == len(moves) + 2


def test_a_chain_and_a_leaf_are_drawn() -> None:
    assert text_tree(5).splitlines()[0] == "5"
    assert text_tree([[[7]]]).splitlines()[0].split() == ["MAX", "A", "[", "]"]


def test_spelling_leaves_ascii_alone() -> None:
    assert spelled("[3] <= -1") == "[3] <= -1"


def test_estimates_are_marked() -> None:
    told = trace(position("tic-tac-toe", "XX./.../.OO", 1), "minimax")
    assert text_tree(told).splitlines()[4].split() == ["1", "≈1", "≈2", "≈2", "≈2"]
    text = text_tree(told, unicode=False)
    assert "~2" in text and text.endswith("~ estimated")
