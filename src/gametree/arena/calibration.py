"""What the levels of a bot are: nodes to look at, how blurred, in usual steps of the estimate, and what is weighed.

How much a blur or a thousand nodes more are worth differs from game to game: in chess one slip loses, in Connect Four
most moves lead to the same end. So the levels of the games that come with the library are found by matches
(`benchmarks/levels.py`), each to score about three quarters against the one below. Other games get what fits most,
or what `gametree calibrate` has measured for them: a file beside the game, or one that is named.
"""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from gametree.arguments import is_finite, is_whole
from gametree.compiled import notices
from gametree.documents.playing import LevelsDocument
from gametree.errors import InputError
from gametree.game import Game
from gametree.reading import mismatch, parse, text_of
from gametree.search.core.identity import Identity


class Level(NamedTuple):
    """What a level may look at, how blurred it sees, and how many of the best moves it confuses."""

    nodes: int
    blur: float
    lines: int | None = None
    """None for every move, whose values cost depth: in chess four plies, where five lines cost little more than one."""


Levels = tuple[Level, ...]
"""The levels 1 to 9."""

GENERAL: Final[Levels] = (
    Level(15, 8.0),
    Level(50, 4.5),
    Level(150, 3.0),
    Level(400, 2.0),
    Level(1_000, 1.5),
    Level(2_500, 1.1),
    Level(6_000, 0.8),
    Level(15_000, 0.6),
    Level(50_000, 0.4),
)

MEASURED: Final[dict[str, Levels]] = {
    "Checkers": (
        Level(180, 2.75),
        Level(370, 2.1),
        Level(760, 1.6),
        Level(1_600, 1.25),
        Level(4_500, 0.85),
        Level(16_000, 0.5),
        Level(50_000, 0.25),
        Level(90_000, 0.09),
        Level(130_000, 0.0),
    ),
    "Chess": (
        Level(320, 0.295),
        Level(620, 0.19),
        Level(1_620, 0.138),
        Level(2_250, 0.122, 5),
        Level(4_300, 0.083, 3),
        Level(4_700, 0.0),
        Level(11_000, 0.0),
        Level(25_500, 0.0),
        Level(60_000, 0.0),
    ),
    "ConnectFour": (
        Level(10, 12.0),
        Level(39, 4.7),
        Level(74, 3.6),
        Level(270, 2.4),
        Level(1_300, 1.48),
        Level(5_500, 0.87),
        Level(24_000, 0.54),
        Level(97_000, 0.32),
        Level(300_000, 0.16),
    ),
    "Othello": (
        Level(500, 1.9),
        Level(1_850, 1.21),
        Level(5_200, 0.875),
        Level(12_800, 0.655),
        Level(28_000, 0.5),
        Level(52_000, 0.38),
        Level(86_000, 0.295),
        Level(165_000, 0.15),
        Level(220_000, 0.055, 3),
    ),
}


def levels_of(game: Game | None, named: "str | Path | Sequence[Level] | None" = None) -> Levels:
    """The levels of a game: those `named` (a file, or nine of them), those measured for it, or those of most games.

    The levels of a game that we ship count for what is derived from it, too.
    """
    if isinstance(named, (str, Path)) and game is not None:
        return _read(Path(named), game)
    if named is not None:
        return checked(named)  # type: ignore[arg-type]
    beside = None if game is None else file_of(game)
    if game is not None and beside is not None and beside.exists():
        try:
            return _read(beside, game)
        except InputError as error:
            notices.once(f"{error}; its levels are those of most games")
    for kind in type(game).__mro__:
        if kind.__module__.startswith("gametree.games.") and kind.__name__ in MEASURED:
            return MEASURED[kind.__name__]
    return GENERAL


# --- files ------------------------------------------------------------------------------------------

SCHEMA: Final = "gametree.levels/1"
_LARGEST: Final = 1 << 20
_MOST_NODES: Final = 1 << 40


def file_of(game: Game) -> Path | None:
    """Where the levels of a game of the user's own are kept: `mygame.levels.json` beside `mygame.py`."""
    module = sys.modules.get(type(game).__module__)
    place = getattr(module, "__file__", None)
    if not place or type(game).__module__.startswith("gametree."):
        return None
    return Path(place).with_name(f"{Path(place).stem}.{type(game).__name__}.levels.json")


def checked(levels: Sequence[Any]) -> Levels:
    """Nine levels, refused where they are none."""
    found = tuple(Level(*one) for one in levels)
    if len(found) != len(GENERAL):
        raise InputError(f"levels: {len(found)} were given; they are levels 1 to {len(GENERAL)}")
    for number, one in enumerate(found, 1):
        if not is_whole(one.nodes) or not 1 <= one.nodes <= _MOST_NODES:
            raise InputError(f"levels: level {number} looks at {one.nodes!r} nodes: at least 1")
        if not is_finite(one.blur) or one.blur < 0:
            raise InputError(f"levels: level {number} has the blur {one.blur!r}: a number of at least 0")
        if one.lines is not None and (not is_whole(one.lines) or one.lines < 1):
            raise InputError(
                f"levels: level {number} weighs {one.lines!r} lines: at least 1, or None for all"
            )
    return found


def document(
    game: Game, levels: Levels, seconds: float, told: Sequence[dict[str, Any]] = ()
) -> dict[str, Any]:
    """What is written to a file; `told` is what was measured of each level."""
    identity = Identity.of(game)
    return {
        "schema": SCHEMA,
        "game": identity.game,
        "fingerprint": identity.fingerprint,
        "seconds": seconds,
        "levels": [
            {"nodes": one.nodes, "blur": one.blur, "lines": one.lines, **more}
            for one, more in zip(levels, told or [{}] * len(levels))
        ],
    }


def _read(file: Path, game: Game) -> Levels:
    """The levels in a file, refused where they were measured for other rules."""
    data = parse(text_of(file, _LARGEST, "file of levels"), file.name)
    if wrong := mismatch(data, LevelsDocument, file.name):
        raise InputError(f"{wrong}: `gametree calibrate` writes such files")
    if data["fingerprint"] != Identity.of(game).fingerprint:
        other = f" ({data['game']})" if data["game"] != repr(game) else ", whose code has changed"
        raise InputError(
            f"{file.name} has the levels of other rules{other}: measure them again with `gametree calibrate`"
        )
    return checked([(one["nodes"], one["blur"], one["lines"]) for one in data["levels"]])
