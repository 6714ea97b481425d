"""Widgets for notebooks: a search to step through, and a board to play and analyse on. Needs the extra `notebook`."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from gametree.errors import InputError
from gametree.explain.traces.methods import Method

if TYPE_CHECKING:
    from gametree.game import Game
    from gametree.notebook.widgets import Board, Steps

__all__ = ["board", "steps"]


def steps(
    tree: Any,
    method: "Method | None" = None,
    *,
    values: Mapping[str, float] | None = None,
    height: int = 560,
    **conventions: str,
) -> "Steps":
    """A search on a tree, to be stepped through with buttons and keys.

    Takes nested lists, a `Tree`, a text such as "[[3, 12], [2, x]]", an `Outline` or a `Trace`. Without a method it is
    the search that fits the tree. Conventions are given by name: `steps(tree, cut=">", fail="hard")`. `steps(…).step`
    is the step that is shown; it can be set, too.
    """
    _require()
    from gametree.notebook.widgets import stepped

    return stepped(tree, method, values, height, conventions)


def board(
    game: "Game | str",
    *,
    moves: Sequence[str] = (),
    position: str | None = None,
    seconds: float = 0.5,
) -> "Board":
    """A board on which moves are made by clicks, with the value of every move and the best lines beside it.

    `position` is a text that the game reads, such as a FEN; `moves` are made from there. `seconds` is how long each
    position is analysed; with 0 nothing is. `board(…).moves` are the moves so far; they can be set, too.
    """
    _require()
    from gametree.notebook.widgets import played

    return played(game, moves, position, seconds)


def _require() -> None:
    from importlib.util import find_spec

    if find_spec("anywidget") is None:
        raise InputError("widgets need the extra `notebook`: pip install 'gametree[notebook]'")
