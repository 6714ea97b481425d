"""What the levels of a bot are: nodes to look at, how blurred, in usual steps of the estimate, and what is weighed.

How much a blur or a thousand nodes more are worth differs from game to game: in chess one slip loses, in Connect Four
most moves lead to the same end. So the levels of the games that come with the library are found by matches
(`benchmarks/levels.py`), each to score about three quarters against the one below. Other games get what fits most.
"""

from typing import Final, NamedTuple

from gametree.game import Game


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


def levels_of(game: Game | None) -> Levels:
    """The levels of a game; those of a game that we ship count for what is derived from it too."""
    for kind in type(game).__mro__:
        if kind.__module__.startswith("gametree.games.") and kind.__name__ in MEASURED:
            return MEASURED[kind.__name__]
    return GENERAL
