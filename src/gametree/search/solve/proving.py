"""Proving the value of a position by searching the tree, where its positions are too many to be listed.

Three searches, each for what it is good at:

- `Engine` without selectivity, deeper and deeper. The nearest win is found first, however large the tree is.
- The exact solver of `solve/exact/`, where the game counts by how much it is won and says what it knows about that.
- The same solver asked only who wins, for any other game: to the end at once, with a table that remembers.
"""

import contextlib
import dataclasses
import functools
import math
import threading
from collections.abc import Callable, Iterator
from typing import Any, Final

from gametree.errors import TooDeepError
from gametree.game import Game, offers, with_class
from gametree.kernel import primitives
from gametree.result import Analysis, Bound, Limit, Value
from gametree.search.analyze import Engine
from gametree.search.engine.profiles import GENERAL, TABLE
from gametree.search.solve.exact import answers
from gametree.search.solve.exact.scores import Exact, Score, unsuited
from gametree.search.solve.listing import path_decides
from gametree.search.solve.solution import Progress
from gametree.search.solve.task import WHO_WINS, SolveTask

DEEPENING: Final = "iterative deepening alphabeta to the end"
REPORT: Final = 0.5
"""Seconds between two reports of a search that has nothing new to say."""


class Prover:
    """The searches behind `solve`, each made when it is first needed; they keep their tables."""

    def __init__(self, game: Game, *, compile: str, hash_mb: float, threads: int):
        self.game = game
        self.hinted: bool = answers.hinted(game)
        """Whether the game counts by how much it is won, or bounds that."""
        self.speed: float = 0.0
        """Nodes a second, the most that was measured."""
        self._compile = compile
        self._hash_mb = hash_mb
        self._threads = threads

    @functools.cached_property
    def _engine(self) -> Engine:
        # Values found with a table are not proven where the path decides.
        return Engine(
            self.game,
            compile=self._compile,
            hash_mb=self._hash_mb,
            threads=self._threads,
            selective=False,
            profile=GENERAL & ~TABLE if path_decides(self.game) else GENERAL,
        )

    @functools.cached_property
    def _exact(self) -> Exact:
        return self._solver(self.game)

    @functools.cached_property
    def _signs(self) -> Exact | None:
        """The exact solver for who wins; None where it cannot take the game."""
        if self.game.total != 0 or offers(self.game, "clock") or self.game.repetition is not None:
            return None
        signs = only_who_wins(self.game)
        return None if unsuited(signs) else self._solver(signs)

    def _solver(self, game: Game) -> Exact:
        return Exact(game, compile=self._compile, hash_mb=self._hash_mb, lasting=True)

    def clear(self) -> None:
        """Forgets what the searches have found."""
        for name in ("_engine", "_exact", "_signs"):
            vars(self).pop(name, None)

    def stop(self) -> None:
        """Ends the search under way; any thread may call it."""
        for name in ("_engine", "_exact", "_signs"):
            search = vars(self).get(name)
            if search is not None:
                search.stop()

    def prepare(self, task: SolveTask) -> None:
        """Compiles what will be needed first, with the clock stopped."""
        with task.watch.paused():
            (self._exact if self.hinted else self._engine).prepare(task.state)

    # --- deeper and deeper ----------------------------------------------------------------------------

    def deepen(self, task: SolveTask, limit: Limit, longest: int | None = None) -> Analysis:
        """Searches within a limit; `longest` is how many plies plays take, for an estimate of what is left."""
        trend = Trend(longest)
        watch, report = task.watch, task.report

        def heard(found: Analysis) -> None:
            if report is not None:
                report(
                    Progress(
                        stage="searching",
                        nodes=watch.nodes + found.nodes,
                        depth=found.depth,
                        seconds=watch.seconds,
                        seconds_left=trend.left(found),
                    )
                )
            if watch.cancelled or (not task.strong and task.answered_by(found)):
                self._engine.stop()

        found = self._engine.analyze(
            task.state, limit, moves=task.moves, history=task.history, on_progress=heard
        )
        self._count(task, found.nodes, found.seconds)
        return dataclasses.replace(found, method=DEEPENING)

    def _count(self, task: SolveTask, nodes: int, seconds: float) -> None:
        task.watch.add(nodes)
        if seconds > 0.01:
            self.speed = max(self.speed, nodes / seconds)

    # --- by how much ----------------------------------------------------------------------------------

    def margin(self, task: SolveTask, limit: Limit) -> tuple[Analysis | None, dict[str, Any]]:
        """The exact margin, and what a `Solution` says of it."""
        found = self._ask(self._exact, task, limit, moves=task.moves)
        if not found.exact:
            return None, {"bounds": (found.low, found.high)}
        margins = tuple(margin for _, margin in found.moves)
        return answers.analysis(task, found), {"margin": found.value, "margins": margins}

    # --- who wins -------------------------------------------------------------------------------------

    def who_wins(self, task: SolveTask, limit: Limit) -> Analysis | None:
        """Who wins, proven; None where it was stopped or the solver cannot take the game.

        Its value is exact where nobody wins. A win by less than `payoffs` promises is only known to be one: the value
        is then a bound.
        """
        if self._signs is None:
            return None
        try:
            found = self._ask(self._signs, task, limit, moves=False)
        except TooDeepError:  # it goes in circles after all
            return None
        if not found.exact:
            return None
        if found.value == 0:
            return answers.proven(task, found, Value(0), (), WHO_WINS)
        bound: Bound = "lower" if found.value > 0 else "upper"
        value = Value(0)
        if abs(found.value) == WHOLLY:
            assert self.game.payoffs is not None
            value = Value.win(self.game.payoffs[1]) if found.value > 0 else Value.loss(self.game.payoffs[0])
            bound = "exact"
        known = answers.proven(task, found, value, (), WHO_WINS)
        return dataclasses.replace(known, exact=False, bound=bound)

    def _ask(self, solver: Exact, task: SolveTask, limit: Limit, *, moves: bool) -> Score:
        watch, report = task.watch, task.report
        bounds = primitives.prospects(solver.game, task.state)
        with watch.paused():
            solver.prepare(task.state)

        def tell() -> None:
            low, high = bounds
            if report is not None:
                nodes = watch.nodes + solver.nodes
                report(Progress(stage="searching", nodes=nodes, low=low, high=high, seconds=watch.seconds))
            if watch.cancelled:
                solver.stop()

        def heard(low: int, high: int, nodes: int, seconds: float) -> None:
            nonlocal bounds
            bounds = low, high
            tell()

        with _every(REPORT, tell):
            found = solver.score(
                task.state, limit=limit, moves=moves, on_progress=heard, threads=self._threads
            )
        self._count(task, found.nodes, found.seconds)
        if found.stopped_by != "end":
            watch.stopped_by = found.stopped_by
        return found


@contextlib.contextmanager
def _every(seconds: float, tell: Callable[[], None]) -> Iterator[None]:
    """Within this block `tell` is called again and again, on a thread of its own."""
    over = threading.Event()

    def work() -> None:
        while not over.wait(seconds):
            tell()

    thread = threading.Thread(target=work, daemon=True, name="gametree progress")
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


# --- the game of who wins -------------------------------------------------------------------------------


WHOLLY: Final = 2
"""A win at the end of `payoffs`; one by less counts 1."""


def _sign(self: Any, state: Any, player: int) -> int:
    payoff = self.utility(state, 0)
    wins = 0
    if payoff >= self.wholly_won:
        wins = 2
    elif payoff <= self.wholly_lost:
        wins = -2
    elif payoff > 0:
        wins = 1
    elif payoff < 0:
        wins = -1
    return wins if player == 0 else -wins


def _within_signs(self: Any, state: Any) -> tuple[int, int]:
    if self.is_terminal(state):
        margin = self.margin(state, self.player(state))
        return margin, margin
    return -2, 2


def only_who_wins(game: Game) -> Game:
    """The same game, in which a win counts 2, or 1 where it is by less; for games whose utilities sum to 0."""
    low, high = game.payoffs or (-math.inf, math.inf)
    return with_class(game, _signed(type(game)), wholly_lost=float(low), wholly_won=float(high))


@functools.lru_cache(maxsize=128)
def _signed(cls: type[Game]) -> type[Game]:
    """A class with signs for margins; the same one for the same class, so that it is compiled once."""
    members = {"margin": _sign, "prospects": _within_signs, "__module__": cls.__module__}
    kind: Any = type(cls)
    return kind(cls.__name__, (cls,), members)  # type: ignore[no-any-return]


class Trend:
    """By how much each depth costs more than the one before, and what that makes of the depths to come."""

    def __init__(self, longest: int | None):
        self._longest = longest
        self._before: list[float] = []

    def left(self, found: Analysis) -> float | None:
        """Seconds until the longest plays are searched, at the growth of the last few depths."""
        self._before.append(found.seconds)
        if self._longest is None or found.depth is None or len(self._before) < 4 or found.exact:
            return None
        costs = [after - before for before, after in zip(self._before[-4:], self._before[-3:])]
        if min(costs) <= 0 or found.depth >= self._longest:
            return None
        growth = max(1.0, (costs[-1] / costs[0]) ** 0.5)
        plies = self._longest - found.depth
        # The sum of growth, growth² … up to the last ply; in logarithms, as it may be beyond all floats.
        steps = plies if growth < 1.01 else growth / (growth - 1)
        powers = 0.0 if growth < 1.01 else plies * math.log10(growth)
        return float(10 ** min(math.log10(costs[-1] * steps) + powers, 300.0))
