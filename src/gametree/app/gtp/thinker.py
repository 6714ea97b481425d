"""Which search answers `genmove`, and how long it may think."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from gametree.game import Game, offers
from gametree.result import Limit

Think = Callable[[Game, Any, Sequence[Any], Limit], Any]
"""From a game, a state, the states before it and a limit to an action, or None where it has no opinion."""

MOVES_TO_COME: Final = 20
"""At least so many moves the time left has to do for."""
MARGIN: Final = 0.05
"""Seconds that a move loses on its way to the other program."""
SHORTEST: Final = 0.01


def think(game: Game, state: Any, history: Sequence[Any], limit: Limit, threads: int = 1) -> Any:
    """The action that the search which fits the game chooses: Monte-Carlo trees where it has no evaluation."""
    import gametree
    from gametree.search.mcts.options import usual_parts

    if not offers(game, "evaluate"):
        parts = usual_parts(game)
        return gametree.mcts(game, state, limit, history=history, threads=threads, **parts).action
    engine = gametree.Engine(game, threads=threads)
    return engine.analyze(state, limit, history=history).action


@dataclass(frozen=True)
class Clock:
    """The time that was set: for the whole game, and for so many moves after it is used up (Canadian overtime)."""

    main: float
    overtime: float
    stones: int

    @property
    def endless(self) -> bool:
        """Whether there is no limit: the protocol says so by overtime without stones."""
        return self.overtime > 0 and self.stones == 0


def budget(clock: Clock | None, left: tuple[float, int] | None, usual: float, open_points: int) -> float:
    """Seconds for one move: a share of what is left, or what is usual where nothing was set.

    `left` is what `time_left` has told: seconds, and for how many moves, 0 in main time.

    >>> budget(Clock(300, 0, 0), None, 5.0, 80)
    7.45
    >>> budget(Clock(0, 30, 10), (12.0, 4), 5.0, 80)
    2.95
    """
    if clock is None or clock.endless:
        return usual
    seconds, stones = left or ((clock.main, 0) if clock.main > 0 else (clock.overtime, clock.stones))
    moves = stones if stones > 0 else max(MOVES_TO_COME, open_points // 2)
    share = seconds / max(1, moves)
    if stones == 0 and clock.stones > 0:
        # What is not spent in main time is lost, but overtime comes after it.
        share = max(share, min(seconds, clock.overtime / clock.stones))
    return round(max(SHORTEST, share - MARGIN), 3)
