"""A heat map: how good every action is, drawn on the cells that it touches."""

from dataclasses import replace
from typing import Any

from gametree.board import Board, Cell, board_of
from gametree.board.found import touches_of
from gametree.errors import InputError
from gametree.explain.pictures.boards import drawn, moved
from gametree.explain.pictures.lettering import shown, width
from gametree.explain.pictures.scene import Group, Item, Scene, Text
from gametree.game import Game
from gametree.result import Analysis
from gametree.search.hidden.worlds import Sampler
from gametree.view import View, hides, seen_by, view_of

_MARGIN = 14.0
_CAPTION = 9.0


def heat_map(game: Game, state: Any, analysis: Analysis, history: Any = ()) -> Board:
    """The board as the player to move sees it, each cell as warm as the best action that ends there is good.

    The numbers are percent where all values lie between 0 and 1. `analysis` has to hold the values of the moves.
    """
    if not analysis.moves:
        raise InputError("a heat map needs the values of the moves: analyze(…, moves=True), or --moves")
    world, board = _seen(game, state, history)
    worth: dict[str, float] = {}
    for move in analysis.moves:
        cells = touches_of(game, world, move.action)
        if cells:
            value = float(move.value)
            worth[cells[-1]] = max(value, worth.get(cells[-1], value))
    if board is None or not worth:
        raise InputError(f"{type(game).__name__} has no board on which its moves could be shown")
    low, high = min(worth.values()), max(worth.values())
    chances = low >= 0 and high <= 1
    floor = 0.0 if chances else low

    def warmed(cell: Cell) -> Cell:
        if cell.id not in worth:
            return cell
        heat = (worth[cell.id] - floor) / ((high - floor) or 1.0)
        count = round(100 * worth[cell.id]) if chances and cell.piece is None else cell.count
        return replace(cell, heat=heat, count=count)

    return replace(board, cells=tuple(map(warmed, board.cells)))


def _seen(game: Game, state: Any, history: Any) -> tuple[Any, Board | None]:
    """A state to name cells by, and the board as the player to move sees it."""
    if not hides(game):
        return state, board_of(game, state)
    view: View = view_of(game, state, history)
    masked = seen_by(game, view)
    world = Sampler(game).sample(view, 1).states[0]
    return world, None if masked is None else board_of(game, masked)


def heat_scene(game: Game, state: Any, analysis: Analysis, history: Any = ()) -> Scene:
    """The heat map to be drawn, with the best action below it."""
    made = drawn(heat_map(game, state, analysis, history))
    title = shown(f"{type(game).__name__}: {analysis.name} is best")
    wide = max(made.width, width(title, _CAPTION)) + 2 * _MARGIN
    high = made.height + 3 * _MARGIN
    line = Text(wide / 2, 2 * _MARGIN + made.height, title, _CAPTION, "caption")
    left = (wide - made.width) / 2
    items: tuple[Item, ...] = (*(moved(item, left, _MARGIN) for item in made.items), line)
    return Scene(
        wide, high, (Group("node", "board", items),), title, "the warmer a cell, the better the action"
    )
