"""The board of a state: as its game tells it, or found where the game tells none.

What changes when somebody moves is the board. Two places are looked at: the text that `show` prints, whose changing
characters are the cells, and the state: tuples of values, bits of numbers, places of pieces. Where none of them fits,
the actions are left to show: a button for each.
"""

from dataclasses import replace
from typing import Any, Final
from weakref import WeakKeyDictionary

from gametree.board.data import Board, Cell
from gametree.board.first_moves import choices, first_moves
from gametree.board.in_state import Layers, Values, in_layers, in_values
from gametree.board.in_text import Text, in_text
from gametree.errors import RulesError
from gametree.game import Game, mover_at, offers

_ACROSS: Final = 8
_MOST_BUTTONS: Final = 1_000
_Layout = Text | Values | Layers | None


def board_of(game: Game, state: Any) -> Board:
    """The board of a state: by `board` where the game defines it, else found; a button for each action if nothing fits.

    >>> from gametree import Game
    >>> class Line(Game):
    ...     def initial(self): return ("..", 0)
    ...     def player(self, s): return s[1]
    ...     def actions(self, s): return [i for i in (0, 1) if s[0][i] == "."]
    ...     def result(self, s, a): return (s[0][:a] + "XO"[s[1]] + s[0][a + 1:], 1 - s[1])
    ...     def is_terminal(self, s): return "." not in s[0]
    ...     def utility(self, s, p): return 0
    ...     def show(self, s): return s[0]
    >>> [cell.piece for cell in board_of(Line(), ("X.", 1)).cells]
    [Piece(symbol='X', owner=0, shape='cross', color=''), None]
    """
    told = game.board(state)
    if told is None:
        layout = _layout(game)
        told = (layout and layout.board(game, state)) or buttons(game, state)
        return replace(told, mover=mover_at(game, state))
    if not isinstance(told, Board):
        raise RulesError(
            f"{type(game).__name__}.board returned {type(told).__name__}: it returns a gametree.Board, or None"
        )
    return told


def touches_of(game: Game, state: Any, action: Any) -> tuple[str, ...]:
    """The cells that an action touches: by `touches` where the game defines it, else those that change."""
    if offers(game, "touches") and game.board(state) is not None:
        return tuple(game.touches(state, action))
    before, after = board_of(game, state), board_of(game, game.result(state, action))
    if "buttons" in (before.kind, after.kind):
        return (game.name_action(state, action),) if before.kind == "buttons" else ()
    return after.changed(before)


def buttons(game: Game, state: Any) -> Board:
    """What can be done at a state, a cell for each action with its name: for games of which nothing else can be drawn.

    >>> from gametree.games import Nim
    >>> buttons(Nim(counters=2), Nim(counters=2).initial()).ids
    ('1', '2')
    """
    names = dict.fromkeys(game.name_action(state, one) for one in choices(game, state, _MOST_BUTTONS))
    cells = (Cell(name, at % _ACROSS, at // _ACROSS) for at, name in enumerate(names))
    return Board("buttons", tuple(cells))


_layouts: "WeakKeyDictionary[Game, _Layout]" = WeakKeyDictionary()


def _layout(game: Game) -> _Layout:
    """Where the cells of a game are; found once a game."""
    if game not in _layouts:
        steps = first_moves(game)
        found = in_text(game, steps) if offers(game, "show") else None
        _layouts[game] = found or in_values(game, steps) or in_layers(game, steps)
    return _layouts[game]
