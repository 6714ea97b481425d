"""What a search of many players is asked, and the answer where nothing is to be searched."""

import math
from dataclasses import dataclass
from typing import Any

from gametree.game import Game
from gametree.kernel.primitives import estimate_for
from gametree.result import Analysis
from gametree.search.core.rehearsal import rehearse
from gametree.search.core.task import Task, need_evaluation, who_would_move
from gametree.search.many.sides import BY_TEAMS, Sides, chosen_player, refusal, sides_of


@dataclass(frozen=True, kw_only=True)
class ManyTask(Task):
    """A task for a search of many players: who plays with whom, and whose value is wanted."""

    sides: Sides
    player: int
    """Whose value is wanted."""
    shown: int
    """Who is said to move: the player, or CHANCE where chance does and nobody was named."""

    @property
    def deepens(self) -> bool:
        """Whether depth after depth is searched: there is a limit, no depth, and an evaluation to stop at."""
        timed = self.limit.seconds is not None or self.limit.nodes is not None
        return self.limit.depth is None and timed and self.capabilities.evaluates

    @property
    def estimates(self) -> bool:
        """Whether estimates may take part in the value."""
        return self.deepens or self.limit.depth is not None


def ask(task: Task, player: int | None = None) -> ManyTask:
    """What is to be searched. `player` is whose value is wanted; where not given, whose turn it is.

    Where it is chance's turn, the value is that of player 0.
    """
    sides = sides_of(task.game)
    mover = who_would_move(task.game, task.state, bool(task.game.is_terminal(task.state)))
    chosen = max(mover, 0) if player is None else chosen_player(task.game, player)
    rehearse(task.game, task.state)
    shown = mover if player is None else chosen
    return ManyTask(**vars(task), sides=sides, player=chosen, shown=shown)


def at_once(task: ManyTask, everybody: bool, **parameters: Any) -> Analysis | None:
    """The result where nothing is to be searched: a terminal state, or depth 0.

    `everybody`: whether the method values a state for every player, or for the one who asks alone.
    """
    game, state, sides = task.game, task.state, task.sides
    over = bool(game.is_terminal(state))
    if not over and task.limit.depth != 0:
        return None
    if over:
        values = tuple(float(game.utility(state, player)) for player in range(game.players))
        if sides.teams and sides.to_players(tuple(values[members[0]] for members in sides.members)) != values:
            refused = refusal(game, sides, BY_TEAMS)
            assert refused is not None
            raise refused
    else:
        need_evaluation(game, task.method, 0)
        values = tuple(estimate_for(game, state, sides.members[side][0]) for side in sides.of)
    payoff = values[task.player]
    if not (everybody or over or any(map(math.isnan, values))):
        values = alone(game, sides, task.player, payoff)
    return task.leaf(payoff, values, task.shown, over, **parameters)


def alone(game: Game, sides: Sides, player: int, payoff: float) -> tuple[float, ...]:
    """What every player gets where one gets `payoff`; empty where that does not say it.

    It does where there are two sides whose payoffs have a constant sum.
    """
    if game.total is None or len(sides.members) != 2:
        return ()
    ours, theirs = sides.of[player], 1 - sides.of[player]
    other = (game.total - len(sides.members[ours]) * payoff) / len(sides.members[theirs])
    return tuple(float(payoff) if side == ours else float(other) for side in sides.of)
