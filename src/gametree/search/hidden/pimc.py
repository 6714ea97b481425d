"""`pimc`: perfect-information Monte Carlo. Worlds are sampled, each is searched with all cards on the table, and the
action that is best on average is played (Ginsberg, "GIB: imperfect information in a computationally challenging game",
2001).

It plays cards well and cannot bluff: in each world it takes for granted that everybody sees everything, so that it
neither hides what it knows nor pays for finding out ("strategy fusion"; Frank & Basin 1998).
"""

import functools
from collections.abc import Callable, Sequence
from typing import Any, Final

from gametree.arguments import whole
from gametree.errors import UnsuitableError
from gametree.game import Game, offers, with_open_cards
from gametree.kernel.random import Generator, seeded, unit
from gametree.result import Analysis, Limit, Move, Value, many
from gametree.search.analyze import Engine, analyze
from gametree.search.choice import ENGINE, fitting
from gametree.search.core.sound import sound
from gametree.search.core.stopwatch import StopWatch
from gametree.search.core.task import Needs, OnProgress, Task, admitted, merged
from gametree.search.hidden.ismcts import about, over
from gametree.search.hidden.worlds import Sampler, Worlds
from gametree.search.mcts.lines import usual_judgement
from gametree.view import View, view_of

DEFAULT: Final = Limit(seconds=1)
NEEDS: Final = Needs("pimc", hidden=True)
WORLDS: Final = 30


@sound
def pimc(
    game: Game,
    state: Any = None,
    limit: Limit | None = None,
    *,
    depth: int | None = None,
    worlds: int = WORLDS,
    seed: int = 0,
    moves: bool = False,
    history: Sequence[Any] = (),
    on_progress: OnProgress | None = None,
    evaluation: Any = None,
    compile: str = "auto",
) -> Analysis:
    """Perfect-information Monte Carlo: alpha-beta (with dice expectiminimax) in worlds that fit what the player sees.

    At most so many `worlds` are sampled; the limit is shared by them, a depth is for each. `state` is a state, with the
    states before it as `history`, or a `View`.

    >>> from gametree.games import PhantomTicTacToe
    >>> pimc(PhantomTicTacToe(), depth=2, compile="never").method
    'pimc'
    """
    game = admitted(NEEDS, game, evaluation, compile)
    whole("worlds", worlds, "how many worlds are sampled at most, at least 1")
    limit = merged(DEFAULT if limit is None and depth is None else limit, depth)
    if not isinstance(state, View):
        done = over(NEEDS.method, game, state, limit)
        if done is not None:
            return done
    view = view_of(game, state, history)
    if not view.actions:
        raise UnsuitableError("pimc answers for a player who is to move; here chance decides. Use ismcts")
    watch = StopWatch(limit).begin()
    sampled = Sampler(game, compile).sample(view, worlds, seed, watch)
    return _Averaging(game, view, sampled, limit, worlds, seed, compile, moves, on_progress, watch).found()


class _Averaging:
    """One world after the other, and what the actions were worth in them."""

    def __init__(
        self,
        game: Game,
        view: View,
        sampled: Worlds,
        limit: Limit,
        most: int,
        seed: int,
        compile: str,
        moves: bool,
        on_progress: OnProgress | None,
        watch: StopWatch,
    ):
        self.game = game
        self.open = with_open_cards(game)
        self.view = view
        self.sampled = sampled
        self.drawn: list[tuple[Any, float]] = _drawn(sampled, most, seed)
        self.limit = limit
        self.told = {"worlds": most, "seed": seed}
        self.moves = moves
        self.on_progress = on_progress
        self.sums: list[float] = [0.0] * len(view.actions)
        self.weight = 0.0
        self.nodes = 0
        first = sampled.states[0]
        self.method: str = fitting(
            self.open, first, to_a_depth=limit.depth is not None, seconds=limit.seconds
        ).method
        self.search: Callable[..., Analysis]
        if self.method == ENGINE:
            engine = Engine(self.open, compile=compile)
            with watch.paused():  # compiling is not thinking
                engine.prepare()
            self.search = engine.analyze
        else:
            self.search = functools.partial(analyze, self.open, method=self.method, compile=compile)
        self.scale: float | None = None
        """The evaluation that is half-way to a win, where evaluations have to be brought between the payoffs."""
        if game.payoffs is not None and offers(game, "evaluate"):
            self.scale = usual_judgement(self.open, float(game.total or 0) / game.players, watch)
        self.watch = watch

    def found(self) -> Analysis:
        stopped = ""
        for at, (world, weight) in enumerate(self.drawn):
            left = self.watch.left()
            if left is None:
                stopped = "nodes" if self.limit.nodes is not None else "seconds"
                break
            with_this = len(self.drawn) - at
            share = Limit(
                seconds=None if left.seconds is None else left.seconds / with_this,
                nodes=None if left.nodes is None else max(1, left.nodes // with_this),
                depth=left.depth,
            )
            self._add(world, weight, share)
            if self.on_progress is not None:
                self.on_progress(self._report(""))
        return self._report(stopped)

    def _add(self, world: Any, weight: float, limit: Limit) -> None:
        """Searches a world as if everybody saw it."""
        seen = self.search(state=world, limit=limit, moves=True)
        self.nodes += seen.nodes
        self.watch.add(seen.nodes)
        worth = {move.name: self._payoff(move) for move in seen.moves}
        if not worth:
            return
        least = min(worth.values())
        for place, action in enumerate(self.view.actions):
            self.sums[place] += weight * worth.get(self.game.name_action(world, action), least)
        self.weight += weight

    def _payoff(self, move: Move) -> float:
        """What an action is worth in a world as a payoff: an estimate lies between a loss and a win."""
        value = float(move.value)
        if self.scale is None or move.exact or move.value.outcome is not None or self.game.payoffs is None:
            return value
        least, greatest = map(float, self.game.payoffs)
        ahead = value - float(self.game.total or 0) / self.game.players
        return (least + greatest) / 2 + (greatest - least) / 2 * ahead / (abs(ahead) + self.scale)

    def _report(self, stopped: Any) -> Analysis:
        game, view = self.game, self.view
        world = self.sampled.states[0]
        means = [total / self.weight for total in self.sums] if self.weight else []
        best = max(range(len(means)), key=means.__getitem__, default=0)
        worth = means[best] if means else None
        values: tuple[float, ...] = ()
        if worth is not None and game.players == 2 and game.total is not None:
            other = float(game.total) - worth
            values = (worth, other) if view.player == 0 else (other, worth)
        notes = (
            about(self.sampled),
            f"{many(len(self.drawn), 'world was', 'worlds were')} searched as if everybody saw everything",
        )
        found = tuple(
            Move(action, Value(mean), "exact", game.name_action(world, action))
            for action, mean in zip(view.actions, means)
        )
        return Task.at(NEEDS.method, game, world, self.limit).analysis(
            player=view.player,
            value=None if worth is None else Value(worth),
            values=values,
            line=[view.actions[best]],
            moves=found if self.moves else (),
            depth=self.limit.depth,
            nodes=self.nodes,
            seconds=self.watch.seconds,
            exact=False,
            stopped_by=stopped or ("end" if self.limit.depth is None else "depth"),
            notes=notes,
            parameters=self.told,
        )


def _drawn(sampled: Worlds, most: int, seed: int) -> list[tuple[Any, float]]:
    """At most so many worlds with their weights: all of them, or a sample in which none counts more."""
    if len(sampled.states) <= most:
        return list(zip(sampled.states, sampled.weights))
    generator = Generator(random=seeded(seed))
    offset = unit(generator)
    found: list[tuple[Any, float]] = []
    so_far, step = 0.0, 0
    for state, weight in zip(sampled.states, sampled.weights):
        so_far += weight
        hits = 0
        while step + offset < so_far * most and step < most:
            step += 1
            hits += 1
        if hits:
            found.append((state, hits / most))
    return found
