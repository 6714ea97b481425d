"""What every search of many players does before it begins: checks, limits, the answer where nothing is to search."""

import math
from typing import Any

from gametree.errors import RulesError
from gametree.game import CHANCE, Game
from gametree.kernel.primitives import estimate_for
from gametree.result import Analysis, Value
from gametree.search.core.plays import rehearse
from gametree.search.core.root import need_evaluation
from gametree.search.core.task import Task, asked_for
from gametree.search.many.root import ManyTask
from gametree.search.many.sides import BY_TEAMS, Sides, chosen_player, refusal, sides_of


def ask(task: Task, player: int | None = None) -> ManyTask:
    """What is to be searched. `player` is whose value is wanted; where not given, whose turn it is.

    Where it is chance's turn, the value is that of player 0.
    """
    sides = sides_of(task.game)
    mover = _mover(task.game, task.state)
    chosen = max(mover, 0) if player is None else chosen_player(task.game, player)
    rehearse(task.game, task.state)
    shown = mover if player is None else chosen
    return ManyTask(**vars(task), sides=sides, player=chosen, shown=shown)


def at_once(task: ManyTask, everybody: bool, **parameters: Any) -> Analysis | None:
    """The result where nothing is to be searched: a terminal state, or depth 0.

    `everybody`: whether the method values a state for every player, or for the one who asks alone.
    """
    game, state, limit, sides = task.game, task.state, task.limit, task.sides
    exact = bool(game.is_terminal(state))
    if not exact and limit.depth != 0:
        return None
    if exact:
        values = tuple(float(game.utility(state, player)) for player in range(game.players))
        if sides.teams and sides.to_players(tuple(values[members[0]] for members in sides.members)) != values:
            refused = refusal(game, sides, BY_TEAMS)
            assert refused is not None
            raise refused
    else:
        need_evaluation(game, task.method, 0)
        values = tuple(estimate_for(game, state, sides.members[side][0]) for side in sides.of)
    if any(map(math.isnan, values)):
        raise RulesError(f"{type(game).__name__}: the value of {state!r} is nan")
    return Analysis(
        game=type(game).__name__,
        players=game.player_names,
        method=task.method,
        player=task.shown,
        action=None,
        value=Value(values[task.player]),
        values=values if everybody or exact else alone(game, sides, task.player, values[task.player]),
        line=(),
        names=(),
        depth=None if exact else 0,
        nodes=1,
        seconds=0.0,
        exact=exact,
        stopped_by="end" if exact else "depth",
        parameters={**asked_for(limit), **parameters},
    )


def alone(game: Game, sides: Sides, player: int, payoff: float) -> tuple[float, ...]:
    """What every player gets where one gets `payoff`; empty where that does not say it.

    It does where there are two sides whose payoffs have a constant sum.
    """
    if game.total is None or len(sides.members) != 2:
        return ()
    ours, theirs = sides.of[player], 1 - sides.of[player]
    other = (game.total - len(sides.members[ours]) * payoff) / len(sides.members[theirs])
    return tuple(float(payoff) if side == ours else float(other) for side in sides.of)


def _mover(game: Game, state: Any) -> int:
    """Who moves; CHANCE where chance does, player 0 where nobody."""
    if game.is_terminal(state):
        try:
            player = game.player(state)
        except Exception:  # `player` is promised only where the game goes on
            return 0
        return player if player in range(game.players) else 0
    player = game.player(state)
    return player if player == CHANCE or player in range(game.players) else 0
