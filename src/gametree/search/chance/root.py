"""The root of expectiminimax: depth after depth over its actions or outcomes, and what the rules have to keep to."""

import dataclasses
import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from gametree.errors import InputError, RulesError, TooDeepError
from gametree.game import CHANCE, Game, names_of, offers, with_chance
from gametree.kernel import primitives
from gametree.result import Analysis, Limit, Value
from gametree.search.chance import expectiminimax as kernel
from gametree.search.chance.distribution import spread
from gametree.search.core.bound_table import BUCKET_BYTES
from gametree.search.core.memory import Sparse, block, buckets_for
from gametree.search.core.plays import choices_at, odds_problem, rehearse
from gametree.search.core.repetition import Past
from gametree.search.core.root import WHOLE, Method, Payoffs, Root, Walk, leaf
from gametree.search.core.runner import MAX_PLIES, STOPPED_BY, Run
from gametree.search.core.task import Task

NAME: Final = kernel.NEEDS.method
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


@dataclass
class Mean(Walk):
    """A look at a chance node: scores of its outcomes where asked for, and their mean."""

    mean: float = math.nan

    @property
    def score(self) -> float:
        return self.mean


class Memory:
    """The kernel's shelf and table."""

    def __init__(self, hash_mb: float):
        if isinstance(hash_mb, bool) or not isinstance(hash_mb, (int, float)) or not 0 <= hash_mb < math.inf:
            raise InputError(f"hash_mb={hash_mb!r}: the size of the table in megabytes; 0 for none")
        self.buckets = buckets_for(hash_mb, BUCKET_BYTES) if hash_mb else 0
        self.table: Any = None
        self.shelf: Any = None

    def clear(self, compiled: bool, bounds: tuple[float, float]) -> None:
        """Forgets everything: a search that is tried again is as the first."""
        if compiled:
            import numpy as np

            self.table = block(max(8, self.buckets * BUCKET_BYTES // 8))
            self.shelf = np.empty(SHELF_ITEMS)
        else:
            self.table, self.shelf = Sparse(), {}
        self.shelf[kernel.LOW], self.shelf[kernel.HIGH] = bounds


class Expected(Payoffs):
    """Payoffs as they are; where chance decides, the value is that to player 0."""

    def value(self, game: Game, score: float, player: int) -> Value:
        return super().value(game, score, max(player, 0))


class ChanceRoot(Root):
    """A state from which expectiminimax searches. At a chance node the actions are its outcomes."""

    def __init__(self, game: Game, state: Any, limit: Limit, compile: str, pruning: int, memory: Memory):
        self.memory = memory
        self.pruning = pruning
        self.bounds = WHOLE
        """Between which all payoffs and estimates lie, as far as that is known."""
        self._scores: dict[int, float] = {}
        """What the depth before made of the actions."""
        self.limited = limit.seconds is not None or limit.nodes is not None
        self.deepens = offers(game, "evaluate") and (
            self.limited or (pruning != kernel.NONE and limit.depth is not None)
        )
        """Whether depth follows on depth: to have an answer in time, and because each tells the next where to begin."""
        method = Method(NAME, kernel.value, self.search, prunes=pruning != kernel.NONE, scale=Expected())
        super().__init__(
            method,
            game,
            state,
            limit,
            compile,
            rehearse(game, state),
            Past(game, state, (), MAX_PLIES),
            kernel.LEDGER_ROOM,
            self._furnish,
        )

    def _furnish(self, ledger: Any) -> None:
        ledger[kernel.BUCKETS] = self.memory.buckets
        ledger[kernel.PRUNING] = self.pruning
        ledger[kernel.DEEPEST] = MAX_PLIES
        ledger[kernel.ROOM] = SHELF_ITEMS
        if self.deepens:  # every depth ends at its horizon
            ledger[primitives.ENDLESS] = 0

    def begin(self, pruning: int, bounds: tuple[float, float]) -> None:
        """Begins anew with these bounds on all payoffs and estimates; nodes go on being counted."""
        self.pruning, self.bounds, self._scores = pruning, bounds, {}
        self.run.ledger[kernel.PRUNING] = pruning
        self.run.ledger[kernel.TROUBLE] = kernel.NO_TROUBLE
        self.memory.clear(self.run.compiled, bounds)

    # --- one score ------------------------------------------------------------------------------------

    def search(self, run: Run, state: Any, depth: int, plies: int, alpha: float, beta: float) -> float:
        """The score of a state that is neither terminal nor at the horizon."""
        run.start, run.stride = plies, 1
        memory = self.memory
        score = run.call(state, depth, plies, alpha, beta, 0, kernel.SHELF, memory.shelf, memory.table)
        trouble = int(run.ledger[kernel.TROUBLE])
        if trouble == kernel.ESTIMATE_OUTSIDE:
            raise Outside
        if trouble != kernel.NO_TROUBLE:
            raise self._problem(state, plies, trouble)
        return float(score)

    def _problem(self, state: Any, plies: int, trouble: int) -> RulesError:
        """Walks to the place where the kernel found something wrong with the rules, and says what."""
        run, game = self.run, self.game
        names = list(names_of(game, *run.approach))
        last = int(run.ledger[kernel.WHERE]) + (trouble == kernel.UTILITY_OUTSIDE)
        for place in range(plies, last):
            action = choices_at(game, state)[int(run.path.places[place])]
            names.append(game.name_action(state, action))
            state = game.result(state, action)
        return odds_problem(game, state, names) if trouble == kernel.ODDS else self._beyond(state, names)

    def _beyond(self, state: Any, names: Sequence[str]) -> RulesError:
        name, payoffs = type(self.game).__name__, self.game.payoffs
        return RulesError(
            f"{name}.utility returned {self.game.utility(state, 0):g} for player 0, which is outside of"
            f" `payoffs` = {payoffs!r}. Star pruning relies on what is declared: correct it, or leave it out",
            names,
        )

    def _score(
        self, state: Any, depth: int, plies: int, alpha: float, beta: float, mover: int
    ) -> float | None:
        score = super()._score(state, depth, plies, alpha, beta, mover)
        low, high = self.bounds
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

    def _attaining(self, state: Any, depth: int, plies: int, target: float, proven: bool) -> Any:
        """The first action that attains a score, up to rounding."""
        player = self.game.player(state)
        for action in choices_at(self.game, state):
            self.run.approach = (state, [action])
            score = self._score(self.game.result(state, action), depth - 1, plies + 1, *WHOLE, player)
            if score is None or self.same(score, target):
                return None if score is None else action
        return None

    def choice(self, state: Any, depth: int, plies: int) -> list[Any]:
        """The first of the best actions; none where the run was told to stop."""
        game, player = self.game, self.game.player(state)
        best: list[tuple[Any, float]] = []
        for action in choices_at(game, state):
            self.run.approach = (state, [action])
            score = self._score(game.result(state, action), depth - 1, plies + 1, *WHOLE, player)
            if score is None:
                return []
            if not best or (not self.same(score, best[0][1]) and (score > best[0][1]) == (player == 0)):
                best = [(action, score)]
        return [action for action, _ in best]

    def _ends(self, state: Any, plies: int) -> bool:
        return super()._ends(state, plies) or self.game.player(state) == CHANCE

    # --- one depth ------------------------------------------------------------------------------------

    def walk(self, depth: int, window: tuple[float, float] = WHOLE, each: bool = False) -> Walk:
        """Values the root's children in the order of `actions`; a chance node itself, or each of its outcomes."""
        if self.player != CHANCE:
            return self._over_actions(depth, each)
        run = self.run
        run.ledger[primitives.ESTIMATED] = 0
        run.approach = (self.state, [])
        walk = Mean(depth, window, each, {})
        if each:
            score = self._each(walk) if run.count() else None
        else:
            score = self._score(self.state, depth, 0, *WHOLE, CHANCE)
        if score is not None:
            walk.mean, walk.best = score, 0
        walk.estimated = walk.estimated or bool(run.ledger[primitives.ESTIMATED])
        walk.stopped = run.stopped
        return walk

    def _over_actions(self, depth: int, each: bool) -> Walk:
        """Values the actions, the best of the depth before first. Of equal ones the first in `actions` is best."""
        run, game, sign = self.run, self.game, 1 if self.player == 0 else -1
        walk = Walk(depth, WHOLE, each, {})
        before = self._scores
        order = sorted(range(len(self.actions)), key=lambda i: -sign * before.get(i, 0.0))
        for i in order if run.count() else ():
            run.approach = (self.state, [self.actions[i]])
            window = WHOLE if each or walk.best is None or not self.method.prunes else self._against(walk, i)
            run.ledger[primitives.ESTIMATED] = 0
            score = self._score(game.result(self.state, self.actions[i]), depth - 1, 1, *window, self.player)
            if score is None:
                break
            walk.scores[i] = score
            if run.ledger[primitives.ESTIMATED]:
                walk.estimated = True
                walk.guessed.add(i)
            if walk.best is None or self._preferred(walk, i, score):
                walk.best = i
        walk.stopped = run.stopped
        if walk.stopped == primitives.RUNNING:
            self._scores = walk.scores
        return walk

    def _against(self, walk: Walk, i: int) -> tuple[float, float]:
        """The window in which an action can show that it is better than the best, or as good and before it."""
        edge = walk.score
        if walk.best is not None and i < walk.best:
            away = 2 * self._rounding(edge, edge)
            edge = edge - away if self.player == 0 else edge + away
            edge = math.nextafter(edge, -math.inf if self.player == 0 else math.inf)
        return (edge, math.inf) if self.player == 0 else (-math.inf, edge)

    def _preferred(self, walk: Walk, i: int, score: float) -> bool:
        assert walk.best is not None
        if self.same(score, walk.score):
            return i < walk.best
        return self._better(score, walk.score)

    def _each(self, walk: Walk) -> float | None:
        """The score of every outcome of the root; their mean."""
        run, game = self.run, self.game
        if kernel.outcomes(game, self.state) < 0:
            raise odds_problem(game, self.state, ())
        mean = 0.0
        for i, (outcome, probability) in enumerate(game.chance(self.state)):
            if not probability > 0:
                continue
            run.approach = (self.state, [outcome])
            score = self._score(game.result(self.state, outcome), walk.depth, 1, *WHOLE, CHANCE)
            if score is None:
                return None
            walk.scores[i] = score
            if run.ledger[primitives.ESTIMATED]:
                walk.estimated = True
                walk.guessed.add(i)
                run.ledger[primitives.ESTIMATED] = 0
            mean += float(probability) * score
        return mean

    def line(self, walk: Walk, known: Sequence[Any] = ()) -> list[Any]:
        """The best line up to where chance decides."""
        return [] if self.player == CHANCE else super().line(walk, known)

    # --- depth after depth ----------------------------------------------------------------------------

    def deepen(self, each: bool, tell: Callable[[Walk], None]) -> Walk:
        """The walk to the depth that was asked for; under a limit, the last one that was finished."""
        deepest = MAX_PLIES if self.limit.depth is None else min(self.limit.depth, MAX_PLIES)
        depth = 1 if self.deepens else deepest
        done: Walk | None = None
        before, nodes = 0, self.run.nodes
        while depth <= deepest:
            walk = self.walk(depth, each=each)
            if walk.stopped in STOPPED_BY:
                return done or walk
            done = walk
            if not walk.estimated:
                break
            if self.deepens:
                tell(walk)
            before, nodes, spent = nodes, self.run.nodes, nodes - before
            # Without a hurry a depth is worth its nodes where the table tells the next one what was best, and only
            # where they are few beside those of the next.
            growing = depth == 1 or nodes - before >= STEEP * spent
            steep = self.limited or (self.memory.buckets > 0 and growing)
            depth = depth + 1 if steep else max(deepest, depth + 1)
        assert done is not None
        return done


def think(task: Task, pruning: str, hash_mb: float, distribution: bool) -> Analysis:
    """Searches a state with expectiminimax."""
    if pruning not in PRUNINGS:
        raise InputError(f"pruning={pruning!r}: it is {', '.join(map(repr, reversed(PRUNINGS)))}")
    memory = Memory(hash_mb)
    game, state, limit, on_progress = with_chance(task.game), task.state, task.limit, task.on_progress
    done = leaf(NAME, game, state, limit, pruning=pruning, hash_mb=hash_mb)
    if done is not None:
        return _of_leaf(done, game, state, distribution)
    way, bounds, why = _bounds(game, PRUNINGS[pruning])
    root = ChanceRoot(game, state, limit, task.compile, way, memory)

    def search() -> Analysis:
        start = time.perf_counter()
        root.begin(way, bounds)
        try:
            return found(start, why)
        except Outside:
            root.begin(kernel.ALPHABETA, WHOLE)
            return found(start, _too_wide(game))

    def found(start: float, why: str) -> Analysis:
        def result(walk: Walk) -> Analysis:
            nodes, seconds = root.run.nodes, time.perf_counter() - start
            line = root.line(walk)
            analysis = root.analysis(
                walk,
                line,
                nodes,
                seconds,
                root.run.stopped,
                pruning=_NAMES[root.pruning],
                hash_mb=hash_mb,
            )
            return dataclasses.replace(analysis, notes=(why,) if why else ())

        walk = root.deepen(
            task.moves, lambda walk: None if on_progress is None else on_progress(result(walk))
        )
        analysis = result(walk)
        if not distribution or walk.best is None or walk.stopped in STOPPED_BY:
            return analysis
        spreading = spread(root, walk)
        nodes, seconds = root.run.nodes, time.perf_counter() - start
        return dataclasses.replace(analysis, distribution=spreading, nodes=nodes, seconds=seconds)

    try:
        # A second attempt would tell its progress twice.
        return root.run.execute(search, repeatable=on_progress is None)
    except TooDeepError:
        name = type(game).__name__
        needs = "" if offers(game, "evaluate") else f"; {name} then needs `evaluate`"
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


def _too_wide(game: Game) -> str:
    name = type(game).__name__
    return f"{name}.evaluate gives estimates outside of `payoffs` = {game.payoffs!r}, so Star pruning is off"


def _of_leaf(done: Analysis, game: Game, state: Any, distribution: bool) -> Analysis:
    """The result where nothing is searched, who moves and the distribution put right."""
    if not game.is_terminal(state) and game.player(state) == CHANCE:
        done = dataclasses.replace(done, player=CHANCE)
    assert done.value is not None
    return dataclasses.replace(done, distribution=((done.value.payoff, 1.0),) if distribution else None)
