"""What the levels of a bot are: nodes to look at, and how blurred, in usual steps of the estimate.

How much a blur or a thousand nodes more are worth differs from game to game: in chess one slip loses, in Connect Four
most moves lead to the same end. So the levels of the games that come with the library are found by matches
(`benchmarks/levels.py`), each to score about three quarters against the one below. Other games get what fits most.
"""

from typing import Final

from gametree.game import Game

Levels = tuple[tuple[int, float], ...]
"""Nodes and blur for the levels 1 to 9."""

GENERAL: Final[Levels] = (
    (15, 8.0),
    (50, 4.5),
    (150, 3.0),
    (400, 2.0),
    (1_000, 1.5),
    (2_500, 1.1),
    (6_000, 0.8),
    (15_000, 0.6),
    (50_000, 0.4),
)

MEASURED: Final[dict[str, Levels]] = {
    "Checkers": (
        (180, 2.75),
        (370, 2.1),
        (760, 1.6),
        (1_600, 1.25),
        (4_500, 0.85),
        (16_000, 0.5),
        (50_000, 0.25),
        (90_000, 0.09),
        (130_000, 0.0),
    ),
    "Chess": (
        (60, 4.0),
        (110, 3.1),
        (200, 2.5),
        (330, 2.1),
        (550, 1.75),
        (1_000, 1.45),
        (2_000, 1.2),
        (4_000, 0.95),
        (10_000, 0.7),
    ),
    "ConnectFour": (
        (10, 12.0),
        (39, 4.7),
        (74, 3.6),
        (270, 2.4),
        (1_300, 1.48),
        (5_500, 0.87),
        (24_000, 0.54),
        (97_000, 0.32),
        (300_000, 0.16),
    ),
    "Othello": (
        (27, 5.4),
        (360, 2.1),
        (1_600, 1.26),
        (4_700, 0.91),
        (12_000, 0.67),
        (29_000, 0.5),
        (61_000, 0.37),
        (110_000, 0.25),
        (190_000, 0.15),
    ),
}


def levels_of(game: Game | None) -> Levels:
    """The levels of a game; those of a game that we ship count for what is derived from it too."""
    for kind in type(game).__mro__:
        if kind.__module__.startswith("gametree.games.") and kind.__name__ in MEASURED:
            return MEASURED[kind.__name__]
    return GENERAL
