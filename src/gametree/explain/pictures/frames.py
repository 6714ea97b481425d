"""Many positions as one small piece of data for a page: what is drawn in several of them is kept once."""

from typing import Any

from gametree.board.data import Board
from gametree.explain.pictures.boards import drawn
from gametree.explain.pictures.scene import BOARD_LOOKS, Group
from gametree.explain.pictures.svg import Theme, group_written, style


class Frames:
    """Collects positions. A frame is a list of things drawn, by number, each frame as its difference from another.

    >>> from gametree.games import TicTacToe
    >>> game = TicTacToe()
    >>> frames = Frames()
    >>> first = frames.add(game.board(game.initial()))
    >>> second = frames.add(game.board(game.result(game.initial(), 4)), first)
    >>> len(second[2]) < 5
    True
    """

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._roles: set[str] = set()
        self._seen: list[int] = []
        self.width: float = 0.0
        self.height: float = 0.0
        self.size: int = 0
        """How many numbers all frames have, about as many as the data is long."""

    def add(self, board: Board | None, before: Any = None, text: str = "") -> tuple[int, int, list[int]]:
        """A position: how many things stay at the beginning and the end of the frame before, and those between."""
        picture = drawn(board, text)
        self.width, self.height = max(self.width, picture.width), max(self.height, picture.height)
        self._roles |= {item.role for item in picture.items}
        found = []
        for item in picture.items:
            written = group_written(Group("node", "", (item,)))
            found.append(self._numbers.setdefault(written, len(self._numbers)))
        old = self._seen if before is not None else []
        head = 0
        while head < min(len(old), len(found)) and old[head] == found[head]:
            head += 1
        tail = 0
        while tail < min(len(old), len(found)) - head and old[-1 - tail] == found[-1 - tail]:
            tail += 1
        self._seen = found
        self.size += 2 + len(found) - head - tail
        return head, tail, found[head : len(found) - tail]

    @property
    def things(self) -> list[str]:
        """Everything that is drawn anywhere, in the letters of SVG."""
        return list(self._numbers)

    def style(self, theme: Theme = "auto") -> str:
        """How it looks."""
        return style(theme, frozenset(self._roles & BOARD_LOOKS.keys()))
