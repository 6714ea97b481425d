"""A strategy as a map: boards within boards, as in the well-known complete map of tic-tac-toe.

On each board the large sign is the move to make. In every square where the other player may answer lies a smaller
board, with the position after that answer and the move to make there; and so on to the end of the game. It needs a game
in which a move fills one square of a board.
"""

from collections.abc import Iterator
from typing import Any, Final, Literal

from gametree.board import Board, Cell, board_of
from gametree.errors import InputError
from gametree.explain.pictures.scene import THEMES
from gametree.explain.pictures.svg import FONT, escape
from gametree.explain.strategy_tree import policy_title
from gametree.search.solve.strategy import Strategy

_SIZE: Final = 1200.0
_EDGE: Final = 24.0
_HEAD: Final = 64.0
_INSET: Final = 0.06
"""How much of a square is left free on each side of the board in it."""
_MOST_BOARDS: Final = 5_000


def policy_map(
    plan: Strategy, *, title: str = "", theme: Literal["light", "dark"] = "light", size: float = _SIZE
) -> str:
    """The map of a strategy as the text of an SVG file.

    >>> from gametree.games import TicTacToe
    >>> from gametree.search.solve.strategy import strategy
    >>> policy_map(strategy(TicTacToe()))[:5]
    '<svg '
    """
    if theme not in ("light", "dark"):
        raise InputError(f"theme={theme!r}: a map is light or dark")
    return _Map(plan).svg(title or policy_title(plan), THEMES[theme], size)


class _Map:
    def __init__(self, plan: Strategy):
        self.plan = plan
        self.game = plan.game
        self.boards = 0

    def svg(self, heading: str, colours: dict[str, str], size: float) -> str:
        across, down = _size(self._grid(self.plan.state))
        unit = size / across
        wide, high = size + 2 * _EDGE, down * unit + 2 * _EDGE + _HEAD
        body = "".join(self._board(self.plan.state))
        title = escape(heading)
        told = "The coloured sign is the move; in each other square lies what to do when the other player plays there."
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide:g}" height="{high:g}"'
            f' viewBox="0 0 {wide:g} {high:g}" role="img">\n<title>{title}</title>\n<desc>{told}</desc>\n'
            f"<style>{_style(colours)}</style>\n"
            f'<rect width="{wide:g}" height="{high:g}" fill="{colours["paper"]}"/>\n'
            f'<text class="head" x="{_EDGE:g}" y="{_EDGE + 20:g}" font-size="22" font-weight="bold">{title}</text>\n'
            f'<text class="head" x="{_EDGE:g}" y="{_EDGE + 44:g}" font-size="15">{told}</text>\n'
            f'<g transform="translate({_EDGE:g} {_EDGE + _HEAD:g}) scale({unit:g})">{body}</g>\n</svg>\n'
        )

    def _grid(self, state: Any) -> Board:
        board = board_of(self.game, state)
        if board.kind != "grid":
            raise InputError(_only_boards(self.game))
        return board

    def _filled(self, before: Board, after: Board) -> Cell:
        """The square that a move has filled."""
        changed = after.changed(before)
        if after.ids == before.ids and len(changed) == 1 and before.cell(changed[0]).piece is None:
            return after.cell(changed[0])
        raise InputError(_only_boards(self.game))

    def _board(self, state: Any) -> Iterator[str]:
        """A board, one unit a square: the position, the move to make, and in the other squares what follows."""
        self.boards += 1
        if self.boards > _MOST_BOARDS:
            raise InputError(f"the map would have more than {_MOST_BOARDS:,} boards: begin nearer to the end")
        game, board = self.game, self._grid(state)
        across, down = _size(board)
        yield f'<rect class="board" width="{across}" height="{down}"/>'
        for cell in board.cells:
            yield from _stone(cell, "stone")
        if not game.is_terminal(state) and game.player(state) == self.plan.player:
            child = game.result(state, self.plan(state))
            after = self._grid(child)
            yield from _stone(self._filled(board, after), "move")
            state, board = child, after
        if not game.is_terminal(state) and game.player(state) != self.plan.player:
            yield from self._replies(state, board)
        lines = [f"M{x} 0V{down}" for x in range(1, across)] + [f"M0 {y}H{across}" for y in range(1, down)]
        yield f'<path class="cell" d="{"".join(lines)}"/>'

    def _replies(self, state: Any, board: Board) -> Iterator[str]:
        across, down = _size(board)
        scale = (1 - 2 * _INSET) / max(across, down)
        for action in self.game.actions(state):
            child = self.game.result(state, action)
            filled = self._filled(board, self._grid(child))
            if self.game.is_terminal(child):
                yield from _stone(filled, "reply")
                continue
            x = filled.x + (1 - across * scale) / 2
            y = filled.y + (1 - down * scale) / 2
            yield f'<g transform="translate({x:.4g} {y:.4g}) scale({scale:.4g})">'
            yield from self._board(child)
            yield "</g>"


def _only_boards(game: Any) -> str:
    return (
        "a map is drawn for games in which every move fills one square of a board, as in"
        f" tic-tac-toe; {type(game).__name__} is none. Draw the tree instead"
    )


def _size(board: Board) -> tuple[int, int]:
    across, down = board.size
    return round(across), round(down)


def _stone(cell: Cell, role: str) -> Iterator[str]:
    """A cross for the first player, a nought for the other."""
    if cell.piece is None:
        return
    x, y, reach = cell.x + 0.5, cell.y + 0.5, 0.33
    if cell.piece.owner == 0:
        yield (
            f'<path class="{role}" d="M{x - reach:g} {y - reach:g}L{x + reach:g} {y + reach:g}'
            f'M{x - reach:g} {y + reach:g}L{x + reach:g} {y - reach:g}"/>'
        )
    else:
        yield f'<circle class="{role}" cx="{x:g}" cy="{y:g}" r="{reach:g}"/>'


def _style(colours: dict[str, str]) -> str:
    line = "fill:none;stroke-linecap:round"
    return (
        f"\n.head{{font-family:{FONT};fill:{colours['ink']}}}"
        f"\n.board{{fill:{colours['panel']};stroke:{colours['ink']};stroke-width:.02}}"
        f"\n.cell{{{line};stroke:{colours['ink']};stroke-width:.012}}"
        f"\n.stone{{{line};stroke:{colours['muted']};stroke-width:.08}}"
        f"\n.reply{{{line};stroke:{colours['muted']};stroke-width:.08}}"
        f"\n.move{{{line};stroke:{colours['accent']};stroke-width:.14}}\n"
    )
