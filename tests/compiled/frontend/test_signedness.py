"""A literal beside a uint64 counts as one, as it does in NumPy; compiled and interpreted agree to the bit."""

import numpy as np
import pytest

from compiled.frontend.signedness_game import Literals, Words
from gametree import CompileError, minimax
from gametree.checking.agreement import differences


@pytest.mark.needs_compiler
def test_every_operator_with_a_literal_gives_what_it_gives_interpreted() -> None:
    game = Literals()
    states = [
        game.initial(),
        *(game.result(game.initial(), action) for action in game.actions(game.initial())),
    ]
    assert differences(game, states) == ([], "")


class Shrinking(Literals):
    """`int(…)` of a uint64 is a Python int interpreted, and unsigned compiled: a difference may wrap."""

    def utility(self, s: Words, p: int) -> float:
        worth = int(s.high >> np.uint64(62)) - 5
        return worth if p == 0 else -worth


@pytest.mark.needs_compiler
def test_a_difference_that_would_wrap_is_refused_with_a_way_out() -> None:
    with pytest.raises(CompileError, match=r"stays unsigned and may wrap at `-`; write np.int64"):
        minimax(Shrinking(), compile="always")
    assert minimax(Shrinking(), compile="auto").values[0] == minimax(Shrinking(), compile="never").values[0]
