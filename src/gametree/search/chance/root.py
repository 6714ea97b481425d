"""The root of expectiminimax: depth after depth over its actions or outcomes, and what the rules have to keep to."""

import dataclasses
import math
from collections.abc import Sequence
from typing import Any, Final

from gametree.arguments import number
from gametree.errors import InputError, RulesError, TooDeepError
from gametree.game import CHANCE, Game, names_of, player_name, with_chance
from gametree.kernel.clock import RUNNING
from gametree.result import Analysis, Value
from gametree.search.chance import expectiminimax as kernel
from gametree.search.chance.distribution import spread
from gametree.search.chance.expectiminimax import ChanceMemory
from gametree.search.core.answer import WHOLE, Walk, Window
from gametree.search.core.bound_table import LAYOUT
from gametree.search.core.memory import Sparse, block, buckets_for
from gametree.search.core.plays import choices_at, odds_problem
from gametree.search.core.root import Payoffs
from gametree.search.core.runner import MAX_PLIES, Run
from gametree.search.core.task import Task, at_once

PRUNINGS: Final = {
    "none": kernel.NONE,
    "alphabeta": kernel.ALPHABETA,
    "star1": kernel.STAR1,
    "star2": kernel.STAR2,
}
SHELF_ITEMS: Final = 1 << 20
"""Room for the bounds of so many outcomes on one path; beyond it Star2 does what Star1 does."""
STEEP: Final = 10
"""By so much a depth has to exceed the one before for those between to be searched without a limit."""
TIE: Final = 1e-12
"""Values that differ by less than this share of the greatest payoff are the same: sums of probabilities are rounded."""


class Outside(Exception):
    """An estimate lies outside `payoffs`; what bounds were good for is void."""


class ChanceRoot(Payoffs):
    """A state from which expectiminimax searches. At a chance node the actions are its outcomes."""

    kernel: Any = staticmethod(kernel.value)
    exhaustive = False
    _entries: Any = None
    _shelf: Any = None

    def __init__(self, task: Task, pruning: int, bounds: Window, why: str, buckets: int, spreads: bool):
        """`bounds`: between which all payoffs and estimates lie, as far as that is known; `why` it is not.

        `buckets`: how large the table is, 0 where there is none.
        `spreads`: whether the payoffs that can come of best play are wanted.
        """
        self.buckets = buckets
        self.spreads: bool = spreads
        self.pruning: int = pruning
        self.known_bounds: Window = bounds
        self.why: str = why
        self._scores: dict[int, float] = {}
        """What the depth before made of the actions."""
        self._nodes = (0, 0)
        """The nodes before the last depth, and after it."""
        limit = task.limit
        self.limited: bool = limit.seconds is not None or limit.nodes is not None
        self.deepens: bool = task.capabilities.evaluates and (
            self.limited or (pruning != kernel.NONE and limit.depth is not None)
        )
        super().__init__(task)
        self.prunes: bool = pruning != kernel.NONE

    def furnish(self, run: Run) -> ChanceMemory:
        if self.deepens:  # every depth ends at its horizon
            run.clock.endless = False
        low, high = self.known_bounds
        return ChanceMemory.allocate(
            run.compiled,
            entries=self._entries,
            buckets=self.buckets,
            pruning=self.pruning,
            deepest=MAX_PLIES,
            low=low,
            high=high,
            shelf=self._shelf,
            room=SHELF_ITEMS,
        )

    def _begin(self) -> None:
        """Begins anew with what is known of all payoffs and estimates; nodes go on being counted."""
        self._scores, self._nodes = {}, (0, self.run.nodes)
        self._entries, self._shelf = Sparse(), {}
        if self.run.compiled:
            import numpy as np

            self._entries = block(max(8, self.buckets * LAYOUT.bucket_bytes // 8))
            self._shelf = np.empty(SHELF_ITEMS)
        self.run.memory = self.furnish(self.run)

    # --- one score ------------------------------------------------------------------------------------

    def searched(self, state: Any, depth: int, plies: int, mover: int, bounds: Window) -> float:
        run = self.run
        run.start, run.stride = plies, 1
        score = run.call(state, depth, plies, *bounds, 0, 0, run.memory, run.clock, run.path)
        trouble = run.memory.trouble
        if trouble == kernel.ESTIMATE_OUTSIDE:
            raise Outside
        if trouble != kernel.NO_TROUBLE:
            raise self._problem(state, plies, trouble)
        return float(score)

    def _problem(self, state: Any, plies: int, trouble: int) -> RulesError:
        """Walks to the place where the kernel found something wrong with the rules, and says what."""
        run, game = self.run, self.game
        names = list(names_of(game, *run.approach))
        last = run.memory.where + (trouble == kernel.UTILITY_OUTSIDE)
        for place in range(plies, last):
            action = choices_at(game, state)[int(run.path.places[place])]
            names.append(game.name_action(state, action))
            state = game.result(state, action)
        return odds_problem(game, state, names) if trouble == kernel.ODDS else self._beyond(state, names)

    def _beyond(self, state: Any, names: Sequence[str]) -> RulesError:
        name, payoffs = type(self.game).__name__, self.game.payoffs
        said = f"returned {self.game.utility(state, 0):g} for {player_name(self.game.player_names, 0)}"
        return RulesError(
            f"{name}.utility {said}, which is outside of `payoffs` = {payoffs!r}. Star pruning relies on what is"
            " declared: correct it, or leave it out",
            names,
        )

    def score(self, state: Any, depth: int, plies: int, mover: int, bounds: Window) -> float | None:
        score = super().score(state, depth, plies, mover, bounds)
        low, high = self.known_bounds
        if score is not None and not low <= score <= high:
            if self.game.is_terminal(state):
                raise self._beyond(state, names_of(self.game, *self.run.approach))
            if depth == 0:
                raise Outside
        return score

    def same(self, score: float, other: float) -> bool:
        """Whether two scores differ by rounding only."""
        return score == other or abs(score - other) <= self._rounding(score, other)

    def _rounding(self, score: float, other: float) -> float:
        size = max(abs(score), abs(other), *map(abs, self.game.payoffs or (0.0,)))
        return TIE * size if size < math.inf else 0.0

    def attaining(self, target: float, mover: int) -> Window:
        return WHOLE

    def attains(self, score: float, target: float, mover: int) -> bool:
        return self.same(score, target)

    def value(self, score: float) -> Value:
        """Where chance decides, the value is that to player 0."""
        return self.value_to(max(self.player, 0), score)

    def choice(self, state: Any, depth: int, plies: int) -> list[Any]:
        """The first of the best actions; none where the run was told to stop."""
        game, player = self.game, self.game.player(state)
        best: list[tuple[Any, float]] = []
        for action in choices_at(game, state):
            self.run.approach = (state, [action])
            score = self.score(game.result(state, action), depth - 1, plies + 1, player, WHOLE)
            if score is None:
                return []
            if not best or (not self.same(score, best[0][1]) and (score > best[0][1]) == (player == 0)):
                best = [(action, score)]
        return [action for action, _ in best]

    # --- one depth ------------------------------------------------------------------------------------

    def walk(self, depth: int, window: Window = WHOLE, each: bool = False) -> Walk[float]:
        walk = super().walk(depth, window, each)
        if walk.stopped == RUNNING:
            self._scores = walk.scores
        return walk

    def order(self) -> list[int]:
        """The best of the depth before first."""
        sign = 1 if self.player == 0 else -1
        return sorted(range(len(self.actions)), key=lambda i: -sign * self._scores.get(i, 0.0))

    def bounds(self, walk: Walk[float], i: int) -> Window:
        """The window in which an action can show that it is better than the best, or as good and before it."""
        if walk.each or walk.best is None or not self.prunes:
            return WHOLE
        edge = walk.score
        assert edge is not None
        if i < walk.best:
            away = 2 * self._rounding(edge, edge)
            edge = edge - away if self.player == 0 else edge + away
            edge = math.nextafter(edge, -math.inf if self.player == 0 else math.inf)
        return (edge, math.inf) if self.player == 0 else (-math.inf, edge)

    def is_settled(self, walk: Walk[float]) -> bool:
        return False

    def prefers(self, walk: Walk[float], i: int, score: float) -> bool:
        """Of equal actions the first in `actions` is best."""
        assert walk.best is not None and walk.score is not None
        if self.same(score, walk.score):
            return i < walk.best
        return super().prefers(walk, i, score)

    def chooses(self) -> bool:
        return self.mover != CHANCE

    def mean(self, walk: Walk[float]) -> float | None:
        self.run.approach = (self.state, [])
        if not walk.each:
            return self.score(self.state, walk.depth, 0, CHANCE, WHOLE)
        return self._each(walk) if self.count() else None

    def _each(self, walk: Walk[float]) -> float | None:
        """The score of every outcome of the root; their mean."""
        run, game = self.run, self.game
        if kernel.outcomes(game, self.state) < 0:
            raise odds_problem(game, self.state, ())
        mean = 0.0
        for i, (outcome, probability) in enumerate(game.chance(self.state)):
            if not probability > 0:
                continue
            run.approach = (self.state, [outcome])
            score = self.score(game.result(self.state, outcome), walk.depth, 1, CHANCE, WHOLE)
            if score is None:
                return None
            walk.scores[i] = score
            self.note_estimate(walk, i)
            mean += float(probability) * score
        return mean

    def following(self, walk: Walk[float]) -> int | None:
        if not walk.estimated:
            return None
        depth = walk.depth
        before, nodes = self._nodes
        spent, self._nodes = nodes - before, (nodes, self.run.nodes)
        # Without a hurry a depth is worth its nodes where the table tells the next one what was best, and only
        # where they are few beside those of the next.
        growing = depth == 1 or self.run.nodes - nodes >= STEEP * spent
        steep = self.limited or (self.buckets > 0 and growing)
        return depth + 1 if steep else max(self.deepest, depth + 1)

    # --- the answer -----------------------------------------------------------------------------------

    def found(self, window: Window = WHOLE) -> Analysis:
        self._begin()
        try:
            return self._told(self.deepen(window))
        except Outside:
            name, payoffs = type(self.game).__name__, self.game.payoffs
            self.why = (
                f"{name}.evaluate gives estimates outside of `payoffs` = {payoffs!r}, so Star pruning is off"
            )
            self.pruning, self.known_bounds = kernel.ALPHABETA, WHOLE
            self._begin()
            return self._told(self.deepen(window))

    def _told(self, walk: Walk[float]) -> Analysis:
        if not self.spreads or walk.score is None or walk.stopped != RUNNING:
            return self.analysis(walk)
        walk.line, stopped = self.line(walk), self.run.stopped
        return self.analysis(walk, distribution=spread(self, walk), stopped=stopped)

    def analysis(self, walk: Walk[float], **more: Any) -> Analysis:
        self.parameters["pruning"] = _NAMES[self.pruning]
        return super().analysis(walk, notes=(self.why,) if self.why else (), **more)


def think(task: Task, pruning: str, hash_mb: float, distribution: bool) -> Analysis:
    """Searches a state with expectiminimax."""
    if pruning not in PRUNINGS:
        raise InputError(f"pruning={pruning!r}: it is {', '.join(map(repr, reversed(PRUNINGS)))}")
    number("hash_mb", hash_mb, "the size of the table in megabytes; 0 for none", least=0)
    buckets = buckets_for(hash_mb, LAYOUT.bucket_bytes) if hash_mb else 0
    task = dataclasses.replace(task, game=with_chance(task.game))
    done = at_once(task, pruning=pruning, hash_mb=hash_mb)
    if done is not None:
        assert done.value is not None
        certain = ((done.value.payoff, 1.0),) if distribution else None
        return dataclasses.replace(done, distribution=certain)
    given = (*_bounds(task.game, PRUNINGS[pruning]), buckets, distribution)
    try:
        return ChanceRoot.search(task, *given, hash_mb=hash_mb)
    except TooDeepError:
        name = type(task.game).__name__
        needs = "" if task.capabilities.evaluates else f"; {name} then needs `evaluate`"
        raise TooDeepError(
            f"{name} has no end in sight: the game is too deep or goes in circles. Give a depth (depth=2{needs}), or"
            " use solve, which takes circles as they come"
        ) from None


_NAMES: Final = {way: name for name, way in PRUNINGS.items()}


def _bounds(game: Game, way: int) -> tuple[int, tuple[float, float], str]:
    """How to prune, between which bounds, and why not as was asked."""
    if way < kernel.STAR1:
        return way, WHOLE, ""
    if game.payoffs is None or not all(map(math.isfinite, game.payoffs)):
        says = "declares no `payoffs`" if game.payoffs is None else "has no bound on its `payoffs`"
        return kernel.ALPHABETA, WHOLE, f"{type(game).__name__} {says}, so Star pruning is off"
    low, high = map(float, game.payoffs)
    return way, (low, high), ""
