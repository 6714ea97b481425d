"""What an exact margin says as a value and as an `Analysis`, and about how long it takes to find one."""

import math
import random
from typing import Any, Final

from gametree.game import Game, offers
from gametree.kernel import primitives
from gametree.result import Analysis, Move, Value
from gametree.search.core.task import Task
from gametree.search.solve.exact.scores import Score, unsuited

METHOD: Final = "exact scores with hints"
PLAYS: Final = 20
LONGEST: Final = 300


def hinted(game: Game) -> bool:
    """Whether a game tells the exact solver something: by how much it is won, or bounds on that."""
    return (offers(game, "margin") or offers(game, "prospects")) and not unsuited(game)


def worth(game: Game, state: Any, margin: int, player: int) -> Value:
    """What a state is worth to a player who ends the game with a margin: a win, a loss, or the margin itself.

    >>> from gametree.games import ConnectFour
    >>> game = ConnectFour()
    >>> str(worth(game, game.initial(), 1, 0))
    'win in 41'
    """
    total = game.total or 0
    if game.payoffs is not None:
        low, high = game.payoffs if player == 0 else (total - game.payoffs[1], total - game.payoffs[0])
        counted = offers(game, "margin")
        plies = game.distance(state, margin if game.player(state) == player else -margin)
        if margin > 0 if counted else margin == high:
            return Value.win(high, plies)
        if margin < 0 if counted else margin == low:
            return Value.loss(low, plies)
    return Value(margin)


def analysis(task: Task, found: Score, method: str = METHOD, **more: Any) -> Analysis:
    """What a proven score says of a state; of its actions only where that was asked for."""
    game, state, player = task.game, task.state, found.player
    moves = tuple(
        Move(action, worth(game, state, margin, player), "exact", game.name_action(state, action), True)
        for action, margin in (found.moves if task.moves else ())
    )
    return proven(task, found, worth(game, state, found.value, player), moves, method, **more)


def proven(
    task: Task, found: Score, value: Value, moves: tuple[Move, ...], method: str, **more: Any
) -> Analysis:
    """The result of a search that has proven a value."""
    assert task.game.total is not None
    mine, theirs = value.payoff, task.game.total - value.payoff
    return task.analysis(
        method=method,
        player=found.player,
        value=value,
        values=(mine, theirs) if found.player == 0 else (theirs, mine),
        line=found.line,
        moves=moves,
        depth=None,
        nodes=found.nodes,
        seconds=found.seconds,
        exact=True,
        stopped_by="end",
        **more,
    )


def tree_log10(game: Game, state: Any, seed: int = 0) -> float:
    """The decimal logarithm of about how many nodes the tree has that the hints leave, by random plays (Knuth 1975)."""
    rng = random.Random(seed)
    total = 0.0
    for _ in range(PLAYS):
        here, lines, nodes = game.forced(state), 1.0, 1.0
        for _ in range(LONGEST):
            low, high = primitives.prospects(game, here)
            if low >= high:
                break
            actions = list(game.sensible(here))
            lines *= len(actions)
            nodes += lines
            here = game.forced(game.result(here, rng.choice(actions)))
        total += nodes
    return math.log10(total / PLAYS)
