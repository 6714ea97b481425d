"""Playing an equilibrium: a game that is small enough is solved once, and then every position is looked up."""

import dataclasses
from collections.abc import Sequence
from typing import Any, Final

from gametree.errors import UnsuitableError
from gametree.game import CHANCE, Game
from gametree.result import Analysis, Limit, Value
from gametree.search.core.sound import sound
from gametree.search.core.stopwatch import StopWatch
from gametree.search.core.task import Needs, OnProgress, Task, admitted, merged
from gametree.search.hidden.equilibrium import EquilibriumProfile
from gametree.search.hidden.ismcts import ismcts, over
from gametree.search.hidden.solving import equilibrium
from gametree.search.hidden.worlds import Sampler
from gametree.view import View, view_of

NEEDS: Final = Needs("equilibrium", hidden=True, zero_sum=True, repetition="none", estimates=False)
SOLVING: Final = 0.6
"""The share of a limit within which the game is to be solved."""
TOO_LARGE: Final = "there was not enough time to solve the game"
KEPT: Final = 8
"""So many solved games are remembered."""


_solved: dict[tuple[Game, str], EquilibriumProfile] = {}


def equilibrium_of(
    game: Game, compile: str = "auto", seconds: float | None = None
) -> EquilibriumProfile | None:
    """An equilibrium of a game, found once; None where so many seconds are not enough for it."""
    known = _solved.get((game, compile))
    if known is None:
        found = equilibrium(game, StopWatch(Limit(seconds=seconds)).begin(aside=True), compile)
        if found is None or found.stopped_by == "seconds":
            return None
        while len(_solved) >= KEPT:
            _solved.pop(next(iter(_solved)), None)
        known = _solved[game, compile] = found
    return known


@sound
def play_equilibrium(
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
    """What an equilibrium does at a position: how likely each action is, and what the position is worth to its player.

    The game is solved to the end, once. Where a limit leaves no time for that, `ismcts` answers in the rest of it.

    >>> from gametree.games import Kuhn
    >>> kuhn = Kuhn()
    >>> play_equilibrium(kuhn, kuhn.parse_state("J K bet")).strategy
    (('fold', 0.0), ('call', 1.0))
    """
    game = admitted(NEEDS, game, evaluation, compile)
    limit = merged(limit, depth)
    if not isinstance(state, View):
        done = over(NEEDS.method, game, state, limit)
        if done is not None:
            return done
    view = view_of(game, state, history)
    if not view.actions and not (view.complete and len(view.record) == 1):
        raise UnsuitableError("an equilibrium is asked for a player who is to move; here chance decides")
    watch = StopWatch(limit).begin()
    solved = equilibrium_of(game, compile, None if limit.seconds is None else SOLVING * limit.seconds)
    if solved is None:
        left = watch.left() or Limit(nodes=1)
        found = ismcts(game, state, Limit(seconds=left.seconds, nodes=left.nodes), seed=seed, moves=moves,
                       history=history, on_progress=on_progress, compile=compile)  # fmt: skip
        return dataclasses.replace(found, notes=(*found.notes, TOO_LARGE))
    world = game.initial()
    strategy: tuple[tuple[str, float], ...] | None = None
    best: list[Any] = []
    worth: Any = solved.values[0]
    if view.actions:
        odds = solved.profile.at(view.player, view.observation)
        world = Sampler(game, compile).sample(view, 1, seed).states[0]
        strategy = tuple((game.name_action(world, one), float(odds.get(one, 0))) for one in view.actions)
        best = [max(view.actions, key=lambda one: float(odds.get(one, 0)))]
        worth = next(
            value
            for one, value in solved.set_values()
            if one.player == view.player and one.observation == view.observation
        )
    values: tuple[float, ...] = ()
    if worth is not None:
        both = (float(worth), float(game.total or 0) - float(worth))
        values = both if view.player == 0 else both[::-1]
    notes = [solved.promise]
    if view.actions and worth is None:
        notes.append("the others never let it come to this, so that its worth is not told")
    return Task.at(NEEDS.method, game, world, limit).analysis(
        player=view.player if view.actions else CHANCE,
        value=None if worth is None else Value(float(worth)),
        values=values,
        line=best,
        depth=None,
        nodes=solved.form.nodes,
        seconds=watch.seconds,
        exact=solved.exact,
        stopped_by="end",
        strategy=strategy,
        notes=tuple(notes),
        parameters={"by": solved.method},
    )
