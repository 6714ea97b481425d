"""Openings from files: PGN, PDN, EPD and FEN, or positions and moves as the game writes them.

In a text file every line is a position that the game reads, or moves from the beginning ("4 4 5"); what follows `#` is
a comment. Of a game in PGN or PDN the first plies are taken.
"""

import hashlib
import random
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

from gametree.arena.openings import Opening
from gametree.errors import InputError
from gametree.game import Game
from gametree.reading import text_of

LARGEST: Final = 1 << 26
PLIES: Final = 16
"""So many plies of a recorded game are an opening, where nothing else is said."""


class OpeningFile:
    """The openings of a file, each once: in their order, or in one by a seed."""

    def __init__(
        self, game: Game, path: str | Path, *, plies: int = PLIES, shuffle: bool = False, seed: int = 0
    ):
        self.path: Path = Path(path)
        self._text = text_of(self.path, LARGEST, "file of openings")
        self._plies = plies
        self._order = seed if shuffle else None
        found: dict[tuple[Any, ...], Opening] = {}
        for opening in _read(game, self.path, self._text, plies):
            found.setdefault((opening.start, *opening.names), opening)
        self._openings = list(found.values())
        if not self._openings:
            raise InputError(f"{self.path} has no openings")
        if shuffle:
            random.Random(f"openings {seed}").shuffle(self._openings)

    def __len__(self) -> int:
        return len(self._openings)

    def __iter__(self) -> Iterator[Opening]:
        return iter(self._openings)

    @property
    def identity(self) -> dict[str, Any]:
        """What makes it this book, as plain data."""
        digest = hashlib.blake2b(self._text.encode(), digest_size=8).hexdigest()
        return {"file": self.path.name, "digest": digest, "plies": self._plies, "order": self._order}


def _read(game: Game, path: Path, text: str, plies: int) -> Iterator[Opening]:
    kind = path.suffix.lower()
    if kind == ".pgn":
        yield from _pgn(game, path, text, plies)
    elif kind == ".pdn":
        yield from _pdn(game, path, text, plies)
    else:
        for number, line in enumerate(text.splitlines(), 1):
            line = line.partition("#")[0].strip()
            if line:
                yield _line(game, line, f"{path}, line {number}", epd=kind == ".epd")


def _pgn(game: Game, path: Path, text: str, plies: int) -> Iterator[Opening]:
    from gametree.games.chess.notation import START, write_fen
    from gametree.games.chess.pgn import read_pgn
    from gametree.games.chess.rules import Chess

    if not isinstance(game, Chess):
        raise InputError(f"{path}: PGN is for chess, not for {type(game).__name__}")
    for record in read_pgn(text):
        fen = write_fen(record.start, game.chess960)
        yield _opening(game, path, record.actions[:plies], None if fen == START else fen)


def _pdn(game: Game, path: Path, text: str, plies: int) -> Iterator[Opening]:
    from gametree.games.checkers.pdn import read_pdn
    from gametree.games.checkers.rules import Checkers

    if not isinstance(game, Checkers):
        raise InputError(f"{path}: PDN is for checkers, not for {type(game).__name__}")
    for record in read_pdn(text):
        start = None if record.start == game.initial() else game.fen(record.start)
        yield _opening(game, path, record.actions[:plies], start)


def _opening(game: Game, path: Path, actions: Iterable[Any], start: str | None) -> Opening:
    state = game.initial() if start is None else game.parse_state(start)
    made: list[Any] = []
    names: list[str] = []
    for action in actions:
        if action not in list(game.actions(state)):
            raise InputError(f"{path}: {game.name_action(state, action)} is no legal move in {game!r}")
        after = game.result(state, action)
        if game.is_terminal(after):  # what is over is no opening
            break
        made.append(action)
        names.append(game.name_action(state, action))
        state = after
    return Opening(tuple(made), tuple(names), 0.0, start)


def _line(game: Game, line: str, where: str, epd: bool) -> Opening:
    """A position, or moves from the beginning."""
    if epd:
        from gametree.games.chess.notation import write_fen
        from gametree.games.chess.pgn import read_epd
        from gametree.games.chess.rules import Chess

        if not isinstance(game, Chess):
            raise InputError(f"{where}: EPD is for chess, not for {type(game).__name__}")
        return Opening((), (), 0.0, write_fen(read_epd(line, game.chess960).state, game.chess960))
    state = _position(game, line)
    if state is not None:
        if game.is_terminal(state):
            raise InputError(f"{where}: the game is over in this position")
        return Opening((), (), 0.0, line)
    actions: list[Any] = []
    names: list[str] = []
    state = game.initial()
    for number, word in enumerate(line.replace(",", " ").split(), 1):
        try:
            action = game.parse_action(state, word)
            legal = action in list(game.actions(state)) and not game.is_terminal(state)
        except (InputError, ValueError, LookupError, TypeError):
            legal = False
        if not legal:
            raise InputError(
                f"{where}: this is no position of {game!r}, and {word!r} is no move {number} of it"
            )
        actions.append(action)
        names.append(game.name_action(state, action))
        state = game.result(state, action)
    if game.is_terminal(state):
        raise InputError(f"{where}: the game is over after these moves")
    return Opening(tuple(actions), tuple(names), 0.0)


def _position(game: Game, line: str) -> Any:
    try:
        return game.parse_state(line)
    except (InputError, NotImplementedError, ValueError, LookupError, TypeError):
        return None
