"""`appraise`: a game that says itself what its actions are good for, by what a player sees, is played by that."""

from collections.abc import Sequence
from typing import Any, Final

from gametree.errors import RulesError, UnsuitableError
from gametree.game import Game, offers
from gametree.result import Analysis, Limit, Move, Value
from gametree.search.core.stopwatch import StopWatch
from gametree.search.core.task import Needs, OnProgress, Task, admitted, merged
from gametree.search.hidden.ismcts import over
from gametree.search.hidden.worlds import Sampler
from gametree.view import View, view_of

NEEDS: Final = Needs("appraise", hidden=True, repetition="any", estimates=False)


def appraise(
    game: Game,
    state: Any = None,
    limit: Limit | None = None,
    *,
    depth: int | None = None,
    seed: int = 0,
    moves: bool = False,
    history: Sequence[Any] = (),
    on_progress: OnProgress | None = None,
    evaluation: Any = None,
    compile: str = "auto",
) -> Analysis:
    """The action that the rules like best, by `appraise`; where they say nothing, all are alike and one is drawn.

    >>> from gametree.games import Battleship
    >>> game = Battleship(width=3, height=1, fleet="2")
    >>> appraise(game, game.parse_state("a1> b1>")).name
    'b1'
    """
    game = admitted(NEEDS, game, evaluation, compile)
    if not offers(game, "appraise"):
        raise UnsuitableError(f"{type(game).__name__} does not define `appraise`; use ismcts")
    limit = merged(limit, depth)
    watch = StopWatch(limit).begin()
    if not isinstance(state, View):
        done = over(NEEDS.method, game, state, limit)
        if done is not None:
            return done
    view = view_of(game, state, history)
    if not view.actions:
        raise UnsuitableError("appraise answers for a player who is to move; here chance decides. Use ismcts")
    world = Sampler(game, compile).sample(view, 1, seed, watch).states[0]
    worth = dict(game.appraise(view.observation, view.player))
    unknown = [action for action in worth if action not in view.actions]
    if unknown:
        raise RulesError(f"{type(game).__name__}.appraise names {unknown[0]!r}, which is no action here")
    names = {action: game.name_action(world, action) for action in view.actions}
    best = max(worth, key=worth.__getitem__, default=None)
    found = tuple(Move(action, Value(float(worth[action])), "exact", names[action]) for action in worth)
    alike = tuple((names[action], 1 / len(view.actions)) for action in view.actions)
    note = (
        "the numbers are what the rules say of each action, not payoffs"
        if worth
        else "the rules say nothing of these actions: one of them is drawn"
    )
    return Task.at(NEEDS.method, game, world, limit).analysis(
        player=view.player,
        value=None if best is None else Value(float(worth[best])),
        values=(),
        line=[view.actions[0] if best is None else best],
        moves=found if moves else (),
        depth=None,
        nodes=max(1, len(worth)),
        seconds=watch.seconds,
        exact=False,
        stopped_by="end",
        strategy=None if worth else alike,
        notes=(note,),
        parameters={"seed": seed},
    )
