"""A literal beside a uint64 counts as one, as it does in NumPy; compiled and interpreted agree to the bit."""

import pytest

from compiled.signs_game import Literals
from gametree.search.compare import differences


@pytest.mark.needs_compiler
def test_every_operator_with_a_literal_gives_what_it_gives_interpreted() -> None:
    game = Literals()
    states = [
        game.initial(),
        *(game.result(game.initial(), action) for action in game.actions(game.initial())),
    ]
    assert differences(game, states) == ([], "")
