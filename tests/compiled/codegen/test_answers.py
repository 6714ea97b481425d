"""What a kernel asks about the game as such is answered before types are inferred: the rest is not compiled."""

from typing import Any

import pytest

from compiled.refusals import Nim
from gametree.compiled import native

pytestmark = pytest.mark.needs_compiler


class Passing(Nim):
    """A game in which passing is known."""

    def null(self, s: Any) -> Any:
        return s


def passes(game: Any, state: Any, number: int) -> int:
    """In a game without `null` the first branch has no types, in a game without `tactical` the second has none."""
    if game.offered.null:
        state = game.null(state)
        number += 1
    if not game.offered.tactical:
        return number
    return "none" + number  # type: ignore[operator,no-any-return]


def test_branches_that_do_not_apply_are_left_out() -> None:
    game: Any
    for game, expected in ((Nim(), 4), (Passing(), 5)):
        assert native.native(passes, game)(game.initial(), 4) == expected
