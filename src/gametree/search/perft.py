"""Perft: how many lines of a length there are, the fingerprint of the rules."""

from typing import Any

from gametree.errors import InputError, RulesError, UnsuitableError
from gametree.game import Game, check_state
from gametree.kernel.clock import Clock, poll
from gametree.result import Limit
from gametree.search.core.repetition import Path
from gametree.search.core.runner import Run
from gametree.search.core.sound import sound
from gametree.search.core.stopwatch import execute
from gametree.search.core.task import capabilities, require_mode


def count(game: Any, state: Any, depth: int, clock: Clock, path: Path) -> int:
    """The number of lines of `depth` ≥ 1 plies from `state`; −1 when told to stop."""
    leaves = 0
    i = 0
    for action in game.actions(state):
        if clock.nodes == clock.next and poll(clock):
            return -1
        clock.nodes += 1
        if depth == 1:
            leaves += 1
        else:
            path.places[depth] = i
            below = count(game, game.result(state, action), depth - 1, clock, path)
            if below < 0:
                return below
            leaves += below
        i += 1
    return leaves


@sound
def perft(game: Game, depth: int, state: Any = None, *, compile: str = "auto") -> int:
    """The number of action sequences of length `depth`. It follows `actions` and ignores `is_terminal`.

    >>> from gametree.games import TicTacToe
    >>> [perft(TicTacToe(), depth) for depth in range(4)]
    [1, 9, 72, 504]
    """
    if capabilities(game, "perft").chance:
        raise UnsuitableError(f"{type(game).__name__} has chance nodes; perft follows actions only.")
    require_mode(compile)
    asked = Limit(depth=depth).depth
    if asked is None:
        raise InputError("perft needs a depth")
    state = check_state(game, state)
    if asked == 0:
        return 1
    run = Run(count, game, Limit(), compile)
    run.start, run.approach = asked, (state, [])
    leaves: int = execute(run, lambda: run.call(state, asked, run.clock, run.path))
    if leaves < 0:
        raise RulesError(f"perft of {type(game).__name__} to depth {depth} needs too deep a stack")
    return leaves
