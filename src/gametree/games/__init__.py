"""The games that come with gametree, and those that plug-ins bring.

A plug-in offers a game by an entry point in the group `gametree.games`: a `Game` class, or a function that
makes one. It is imported only when its game is asked for.
"""

import difflib
import importlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from gametree.errors import InputError
from gametree.game import Game
from gametree.games.parameters import bind, named, written

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

    from gametree.games.backgammon.rules import Backgammon
    from gametree.games.battleship.rules import Battleship
    from gametree.games.checkers.rules import Checkers
    from gametree.games.chess.rules import Chess
    from gametree.games.chinese_checkers.rules import ChineseCheckers
    from gametree.games.connect_four import ConnectFour
    from gametree.games.dark_hex import DarkHex
    from gametree.games.go.rules import Go
    from gametree.games.goofspiel import Goofspiel
    from gametree.games.grid_soccer import GridSoccer
    from gametree.games.hex import Hex
    from gametree.games.kuhn import Kuhn
    from gametree.games.leduc import Leduc
    from gametree.games.liars_dice import LiarsDice
    from gametree.games.ludo.rules import Ludo
    from gametree.games.matrix.blotto import ColonelBlotto
    from gametree.games.matrix.classics import MatchingPennies, PrisonersDilemma, RockPaperScissors
    from gametree.games.matrix.repeated import IteratedPrisonersDilemma
    from gametree.games.mnk import MNK
    from gametree.games.nim import Nim
    from gametree.games.othello import Othello
    from gametree.games.phantom_tic_tac_toe import PhantomTicTacToe
    from gametree.games.pig import Pig
    from gametree.games.tic_tac_toe import TicTacToe

__all__ = [
    "MNK",
    "Backgammon",
    "Battleship",
    "Checkers",
    "Chess",
    "ChineseCheckers",
    "ColonelBlotto",
    "ConnectFour",
    "DarkHex",
    "Description",
    "Go",
    "Goofspiel",
    "GridSoccer",
    "Hex",
    "IteratedPrisonersDilemma",
    "Kuhn",
    "Leduc",
    "LiarsDice",
    "Ludo",
    "MatchingPennies",
    "Nim",
    "Othello",
    "PhantomTicTacToe",
    "Pig",
    "PrisonersDilemma",
    "RockPaperScissors",
    "TicTacToe",
    "describe",
    "load",
    "names",
]

GROUP: Final = "gametree.games"
_BUILT_IN: Final = {
    "backgammon": ("gametree.games.backgammon.rules", "Backgammon"),
    "battleship": ("gametree.games.battleship.rules", "Battleship"),
    "checkers": ("gametree.games.checkers.rules", "Checkers"),
    "chess": ("gametree.games.chess.rules", "Chess"),
    "chinese-checkers": ("gametree.games.chinese_checkers.rules", "ChineseCheckers"),
    "colonel-blotto": ("gametree.games.matrix.blotto", "ColonelBlotto"),
    "connect-four": ("gametree.games.connect_four", "ConnectFour"),
    "dark-hex": ("gametree.games.dark_hex", "DarkHex"),
    "go": ("gametree.games.go.rules", "Go"),
    "goofspiel": ("gametree.games.goofspiel", "Goofspiel"),
    "grid-soccer": ("gametree.games.grid_soccer", "GridSoccer"),
    "hex": ("gametree.games.hex", "Hex"),
    "iterated-prisoners-dilemma": ("gametree.games.matrix.repeated", "IteratedPrisonersDilemma"),
    "kuhn-poker": ("gametree.games.kuhn", "Kuhn"),
    "leduc-poker": ("gametree.games.leduc", "Leduc"),
    "liars-dice": ("gametree.games.liars_dice", "LiarsDice"),
    "ludo": ("gametree.games.ludo.rules", "Ludo"),
    "matching-pennies": ("gametree.games.matrix.classics", "MatchingPennies"),
    "mnk": ("gametree.games.mnk", "MNK"),
    "nim": ("gametree.games.nim", "Nim"),
    "othello": ("gametree.games.othello", "Othello"),
    "phantom-tic-tac-toe": ("gametree.games.phantom_tic_tac_toe", "PhantomTicTacToe"),
    "pig": ("gametree.games.pig", "Pig"),
    "prisoners-dilemma": ("gametree.games.matrix.classics", "PrisonersDilemma"),
    "rock-paper-scissors": ("gametree.games.matrix.classics", "RockPaperScissors"),
    "tic-tac-toe": ("gametree.games.tic_tac_toe", "TicTacToe"),
}


@dataclass(frozen=True)
class Description:
    """What a game is and what it takes; `error` says why a plug-in cannot be used."""

    name: str
    summary: str
    parameters: tuple[str, ...] = ()
    """Each as one writes it in a call: "width=7"."""
    error: str | None = None

    def __str__(self) -> str:
        if self.error is not None:
            return f"{self.name}: cannot be loaded ({self.error})"
        return f"{self.name}({', '.join(self.parameters)}): {self.summary}"


def load(name: str, **params: Any) -> Game:
    """A game by its name.

    >>> load("connect-four", width=5, height=4)
    ConnectFour(width=5, height=4)
    """
    known = _find(name)
    factory = _factory(known)
    game = factory(**bind(_name(known), factory, params))
    if not isinstance(game, Game):
        raise InputError(
            f"the plug-in {_name(known)!r} makes {type(game).__name__}, which is no gametree.Game"
        )
    return game


def names() -> tuple[str, ...]:
    """The names that `load` knows, those of plug-ins included.

    >>> "nim" in names()
    True
    """
    return tuple(sorted({*_BUILT_IN, *_plug_ins()}))


def describe(name: str) -> Description:
    """What a game is, in one line, with the parameters it takes.

    >>> print(describe("connect-four"))
    connect-four(width=7, height=6): Drop stones into columns in turn; the first with four in a row wins.
    """
    known = _find(name)
    try:
        factory = _factory(known)
        takes = tuple(map(written, named(factory)))
    except Exception as error:  # whatever a plug-in does wrong must not hide the others
        return Description(_name(known), "", error=str(error.__cause__ or error) or type(error).__name__)
    text = (factory.__doc__ or "").strip()
    return Description(_name(known), text.split("\n\n")[0].replace("\n", " ").strip(), takes)


def _find(name: str) -> "str | EntryPoint":
    """The built-in name, or the entry point of a plug-in."""
    wanted = "-".join(str(name).strip().lower().replace("_", "-").split())
    if wanted in _BUILT_IN:
        return wanted
    plug_ins = _plug_ins()
    for spelling in (str(name), wanted):
        if spelling in plug_ins:
            return plug_ins[spelling]
    close = difflib.get_close_matches(wanted, names(), n=3)
    hint = f"did you mean {' or '.join(close)}?" if close else f"there are: {', '.join(names())}"
    raise InputError(f"there is no game {name!r}; {hint}")


def _plug_ins() -> "dict[str, EntryPoint]":
    # Imported late: it is slow, and most programs never ask.
    from importlib.metadata import entry_points

    return {point.name: point for point in entry_points(group=GROUP) if point.name not in _BUILT_IN}


def _name(known: "str | EntryPoint") -> str:
    return known if isinstance(known, str) else known.name


def _factory(known: "str | EntryPoint") -> Callable[..., Any]:
    if isinstance(known, str):
        module, cls = _BUILT_IN[known]
        return getattr(importlib.import_module(module), cls)  # type: ignore[no-any-return]
    try:
        factory = known.load()
    except Exception as error:
        raise InputError(
            f"the plug-in {known.name!r} ({known.value}) cannot be loaded: {type(error).__name__}: {error}"
        ) from error
    if not callable(factory):
        raise InputError(f"the plug-in {known.name!r} ({known.value}) is no Game class and no function")
    return factory  # type: ignore[no-any-return]


def __getattr__(name: str) -> Any:
    for module, cls in _BUILT_IN.values():
        if cls == name:
            return getattr(importlib.import_module(module), cls)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
