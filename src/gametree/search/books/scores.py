"""A book of exact scores: all positions up to so many plies, each with its proven margin to the player who moves."""

import functools
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gametree.errors import InputError
from gametree.game import Game, offers
from gametree.search.books.digest import rules_digest
from gametree.search.books.keys import key_of
from gametree.search.core.plays import root_actions
from gametree.search.solve.exact.scores import Score

if TYPE_CHECKING:
    import numpy as np


@dataclass(frozen=True)
class Heading:
    """What a book says of itself."""

    game: str
    """The name of the class of the game."""
    text: str
    """The game as `repr` writes it, for people."""
    rules: str
    """The digest of the rules."""
    plies: int
    """All positions with at most so many plies behind them are in it."""
    positions: int
    made: str
    """The command that made it."""


@dataclass(frozen=True, eq=False)
class Book:
    """A book for one game: `probe` says what a position is worth, `score` also what to play.

    Only positions are in it that are not the end of the game; symmetric ones are there once.
    """

    heading: Heading
    keys: "np.ndarray[Any, np.dtype[np.uint64]]"
    """Ascending."""
    margins: "np.ndarray[Any, np.dtype[np.int16]]"
    """The margin to the player who moves, for every key."""

    @classmethod
    def read(cls, path: "str | Path") -> "Book":
        """The book in a file; a file that is none, is of another version, or was damaged is refused."""
        from gametree.search.books.files import read

        return read(Path(path))

    @classmethod
    def build(cls, game: Game, plies: int, store: "str | Path", **settings: Any) -> "Book":
        """The book of all positions up to so many plies; what is solved is kept in `store`, where a build goes on.

        >>> import tempfile
        >>> from gametree.games import ConnectFour
        >>> game = ConnectFour(3, 4)
        >>> book = Book.build(game, 2, Path(tempfile.mkdtemp()) / "solved.txt", compile="never")
        >>> len(book), book.probe(game, game.initial())
        (8, 0)
        """
        from gametree.search.books.building import build

        return build(game, plies, Path(store), **settings)

    def write(self, path: "str | Path") -> None:
        """Writes the book down; the same book gives the same bytes."""
        from gametree.search.books.files import write

        write(self, Path(path))

    def __len__(self) -> int:
        return len(self.keys)

    def fits(self, game: Game) -> bool:
        """Whether it was made by the rules of this game."""
        return type(game).__name__ == self.heading.game and _digest(game) == self.heading.rules

    def require(self, game: Game) -> None:
        """Refuses a game with other rules."""
        if not self.fits(game):
            raise InputError(
                f"this book is of {self.heading.text}, and its rules are not those of {type(game).__name__} here:"
                f" digest {self.heading.rules} in the book, {_digest(game)} here"
            )

    def probe(self, game: Game, state: Any) -> int | None:
        """The margin of a position to the player who moves; None where it is not in the book."""
        if game.is_terminal(state):
            return game.margin(state, game.player(state)) if offers(game, "margin") else None
        import numpy as np

        key = np.uint64(key_of(game, state))
        at = int(np.searchsorted(self.keys, key))
        return int(self.margins[at]) if at < len(self.keys) and self.keys[at] == key else None

    def score(self, game: Game, state: Any) -> Score | None:
        """The margin of a position and of each of its actions, with best play as far as the book goes; or None.

        Both are only known together: the book has to hold all positions that follow.
        """
        moves = self._moves(game, state)
        if moves is None:
            return None
        margin = max(worth for _, worth in moves)
        line = self.line(game, state)
        return Score(
            low=margin,
            high=margin,
            player=game.player(state),
            action=line[0],
            line=line,
            moves=tuple(moves),
            nodes=1,
            seconds=0.0,
            stopped_by="end",
        )

    def line(self, game: Game, state: Any) -> tuple[Any, ...]:
        """Best play from a position, as far as the book goes."""
        line: list[Any] = []
        while not game.is_terminal(state):
            moves = self._moves(game, state)
            if moves is None:
                break
            line.append(max(moves, key=lambda pair: pair[1])[0])
            state = game.result(state, line[-1])
        return tuple(line)

    def _moves(self, game: Game, state: Any) -> list[tuple[Any, int]] | None:
        mover, found = game.player(state), []
        for action in root_actions(game, state):
            child = game.result(state, action)
            margin = self.probe(game, child)
            if margin is None:
                return None
            found.append((action, margin if game.player(child) == mover else -margin))
        return found


@functools.lru_cache(maxsize=64)
def _digest(game: Game) -> str:
    return rules_digest(game)
