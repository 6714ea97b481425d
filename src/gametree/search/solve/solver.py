"""`solve`: what a position is worth, proven. `Solver`: the same, with a memory.

First all positions that can follow are listed, where they are few, and valued backwards from the ends (`listing.py`).
Where they are many the tree is searched (`proving.py`). Games with chance are listed too, and valued by value iteration
(`chance_solving.py`). What cannot be finished is refused, with an estimate of what it would take.
"""

import contextlib
import dataclasses
import math
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from gametree.arguments import number, whole
from gametree.errors import InputError, UnsuitableError
from gametree.game import Game, check_state
from gametree.result import Analysis, Limit
from gametree.search.core.rehearsal import rehearse
from gametree.search.core.sound import sound
from gametree.search.core.stopwatch import WRAPPING_UP, StopWatch
from gametree.search.core.task import Needs, Task, admitted, at_once, capabilities, merged
from gametree.search.hidden.solving import solve_hidden
from gametree.search.solve.chance_solving import Expecting
from gametree.search.solve.estimate import YEAR, Estimate, estimate
from gametree.search.solve.exact import answers
from gametree.search.solve.listing import METHOD, Listing, path_decides
from gametree.search.solve.proving import DEEPENING, Prover
from gametree.search.solve.retrograde import Solved
from gametree.search.solve.solution import UNLISTED, Progress, Solution, outcome_of
from gametree.search.solve.task import ESTIMATING, SolveTask

FEW_STATES: Final = 5_000
"""So many positions are listed before anything else is tried."""
MOST_STATES: Final = 1_000_000
"""No more are listed unless asked for: about half a kilobyte each."""
TRIAL: Final = 1.0
"""Seconds of search after which it is asked whether it can ever be finished."""
USUAL_SPEED: Final = 1e5
"""Nodes a second, where there was no time to measure them."""
HOPELESS: Final = math.log10(1_000 * YEAR)
METHODS: Final = ("auto", "graph", "search")
HIDING: Final = Needs("solve", hidden=True)
NOTHING_HIDDEN: Final = Needs("this", repetition="any")
NEEDS: Final = Needs("solve", zero_sum=True, chance=False, distances=True)
WITH_CHANCE: Final = Needs("solve", zero_sum=True, repetition="none", distances=True)


class CannotFinishError(UnsuitableError):
    """Solving would not come to an end; `estimate` says what it would take."""

    def __init__(self, message: str, found: Estimate | None = None):
        self.estimate = found
        super().__init__(message)


class Solver:
    """Solves positions of one game and keeps what it has found: what was stopped is taken up where it was.

    `most_states` is how many positions may be listed; `endless` is what play that never ends is worth to player 0,
    where the rules do not say.

    >>> from gametree.games import TicTacToe
    >>> solver = Solver(TicTacToe())
    >>> solver.solve(limit=Limit(nodes=100)).solved
    False
    >>> solver.solve().outcome
    'draw'
    """

    def __init__(
        self,
        game: Game,
        *,
        endless: float | None = None,
        most_states: int = MOST_STATES,
        compile: str = "auto",
        hash_mb: float = 64,
        threads: int = 1,
    ):
        told = capabilities(game, "solve")
        chance = told.chance and not told.hidden
        needs = HIDING if told.hidden else WITH_CHANCE if chance else NEEDS
        self.game: Game = admitted(needs, game, None, compile)
        self._hidden = told.hidden
        self._compile = compile
        whole("most_states", most_states)
        self.most_states = most_states
        declared = _declared(game, endless)
        self._expecting = Expecting(game, compile, declared) if chance else None
        self._listing = Listing(game, declared)
        self._prover = Prover(game, compile=compile, hash_mb=hash_mb, threads=threads)
        self._busy = threading.Lock()
        self._watch: StopWatch | None = None

    def stop(self) -> None:
        """Ends the solving under way, which returns how far it has come; any thread may call it."""
        watch = self._watch
        if watch is not None:
            watch.stop()
            self._prover.stop()

    def clear(self) -> None:
        """Forgets everything that was found."""
        with self._hold():
            self._listing.clear()
            self._prover.clear()
            if self._expecting is not None:
                self._expecting.clear()

    @contextlib.contextmanager
    def _hold(self) -> Iterator[None]:
        if not self._busy.acquire(blocking=False):
            raise InputError("the solver is at work: wait for it, or call stop() first")
        try:
            yield
        finally:
            self._watch = None
            self._busy.release()

    @sound
    def solve(
        self,
        state: Any = None,
        limit: Limit | None = None,
        *,
        strong: bool = True,
        moves: bool = False,
        method: str = "auto",
        history: Sequence[Any] = (),
        exploitability: float | None = None,
        on_progress: Callable[[Progress], None] | None = None,
    ) -> Solution:
        """What a position is worth, proven, or how far the proof came within the limit.

        `strong=False` asks only who wins, `moves=True` for the value of every action too. `method` is "auto", "graph"
        (list all positions) or "search". `history` are the states before, oldest first, for rules on repeated
        positions. `on_progress` is called with a `Progress` now and then and may call `stop`.

        A game that hides something has an equilibrium: `method` is "auto", "linear-programme" or "cfr", and
        `exploitability` says how little there may be to gain by leaving it where it is iterated on.
        """
        if exploitability is not None:
            number(
                "exploitability", exploitability, "the mean of what players could gain, at least 0", least=0
            )
            if not self._hidden:
                raise InputError(
                    f"exploitability={exploitability!r}: {type(self.game).__name__} hides nothing, its value is proven"
                )
        if method not in METHODS and not self._hidden:
            raise InputError(f"method={method!r}: it is {', '.join(map(repr, METHODS))}")
        state = check_state(self.game, state)
        within = merged(limit, None)
        done = at_once(Task(method=METHOD, game=self.game, state=state, limit=Limit()))
        if done is not None:
            return Solution(
                analysis=done,
                strong=strong,
                solved=True,
                outcome=outcome_of(done.value, self.game),
                positions=1,
                proof=1,
                circular=False,
            )
        rehearse(self.game, state)
        task = SolveTask(
            game=self.game,
            state=state,
            limit=within,
            strong=strong,
            moves=moves,
            history=tuple(history),
            compile=self._compile,
            report=on_progress,
            watch=StopWatch(within, ESTIMATING + WRAPPING_UP).begin(),
        )
        with self._hold():
            self._watch = task.watch
            return self._hiding(task, method, exploitability) if self._hidden else self._answer(task, method)

    def _hiding(self, task: SolveTask, method: str, exploitability: float | None) -> Solution:
        """An equilibrium of a game that hides something."""
        found = solve_hidden(task, method, exploitability)
        if found is None:  # how large a tree is for alpha-beta says nothing here
            return dataclasses.replace(task.unsolved(None, UNLISTED), estimate=None)
        return found

    @sound
    def values(
        self,
        state: Any = None,
        limit: Limit | None = None,
        *,
        on_progress: Callable[[Progress], None] | None = None,
    ) -> Solved:
        """Every position that can follow a state with its value; refused where they are too many."""
        state = check_state(self.game, state)
        self.require_certainty()
        why = self._listing.why_not()
        if why:
            raise UnsuitableError(why)
        rehearse(self.game, state)
        with self._hold():
            watch = self._watch = StopWatch(merged(limit, None)).begin()
            graph = self._listing.complete(state, self.most_states, watch, on_progress)
            if graph is None:
                raise self._not_listed(watch)
            if path_decides(self.game) and graph.circular():
                self._listing.require_answer()
            return self._listing.values(graph)

    def require_certainty(self) -> None:
        """Refuses games with chance, where nothing is certain but a mean, and those that hide something."""
        NOTHING_HIDDEN.require(self.game)
        if self._expecting is not None:
            raise UnsuitableError(
                f"{type(self.game).__name__} has chance nodes: what to play where, and what that is worth, is in"
                " solve(game).policy"
            )

    @property
    def endless(self) -> float:
        """What play that never ends is taken to be worth to player 0."""
        return self._listing.endless

    def _not_listed(self, watch: StopWatch) -> CannotFinishError:
        if watch.stopped_by is not None:
            return CannotFinishError(
                f"stopped by {watch.stopped_by} before all positions of {type(self.game).__name__} were listed"
            )
        return CannotFinishError(self._listing.too_many(self.most_states))

    # --- which way ------------------------------------------------------------------------------------

    def _answer(self, task: SolveTask, method: str) -> Solution:
        if self._expecting is not None:
            expected = self._expecting.answer(task, method, self.most_states)
            if expected is None:
                raise CannotFinishError(self._expecting.too_many(self.most_states))
            return expected
        listable = not self._listing.why_not()
        if method == "graph":
            if not listable:
                raise UnsuitableError(f"{self._listing.why_not()}. Use the method search")
            found = self._listing.answer(task, self.most_states)
            if found is not None:
                return found
            if task.watch.stopped_by is not None:
                return task.unsolved(None, METHOD)
            self._listing.require_answer()
            raise self._not_listed(task.watch)
        if self._prover.hinted:
            return self._by_margin(task)
        if method == "auto" and listable:
            found = self._listing.answer(task, min(FEW_STATES, self.most_states))
            if found is not None:
                return found
            if task.watch.stopped_by is not None:
                return task.unsolved(None, METHOD)
        return self._by_search(task, method == "auto" and listable)

    def _by_margin(self, task: SolveTask) -> Solution:
        """A short attempt first; then whether it can ever end is asked, unless a limit says when to stop."""
        watch, more = task.watch, dict[str, Any]()
        self._prover.prepare(task)
        for trial in (True, False):
            limit = watch.left(**({"seconds": TRIAL} if trial and task.unlimited else {}))
            if limit is None:
                break
            found, more = self._prover.margin(task, limit)
            if found is not None:
                return task.solution(found, **more)
            if not task.unlimited or watch.cancelled:
                break
            watch.stopped_by = None
            self._require_hope(task)
        return task.unsolved(None, answers.METHOD, self._prover.speed, **more)

    def _by_search(self, task: SolveTask, listable: bool) -> Solution:
        """A short search for a near win; all positions, where play goes in circles; who wins at all; then patience."""
        watch = task.watch
        self._prover.prepare(task)
        found = self._deepen(task, self._share(task, 0.25))
        if task.answered_by(found) or watch.cancelled or task.limit.depth is not None:
            return self._result(task, found)
        circles = listable and self._listing.goes_in_circles
        if circles:
            by_graph = self._listing.answer(task, self.most_states)
            if by_graph is not None or watch.stopped_by is not None:
                return by_graph or self._result(task, found)
        longest = self._require_hope(task).longest if task.unlimited else None
        if not circles and not task.moves:
            known = self._who_wins(task)
            if task.answered_by(known):
                return self._result(task, known)
            found = known or found
        rest = self._deepen(task, watch.left(), longest)
        return self._result(task, rest if (rest is not None and rest.exact) or found is None else found)

    def _who_wins(self, task: SolveTask) -> Analysis | None:
        limit = self._share(task, 0.5, trial=False)
        found = None if limit is None else self._prover.who_wins(task, limit)
        task.watch.stopped_by = None  # only a share of the limit was used up
        return found

    def _share(self, task: SolveTask, share: float, trial: bool = True) -> Limit | None:
        """A part of what is left of the limit; where there is none, a short time."""
        left = task.watch.left()
        if left is None or left.depth is not None:
            return left
        if task.unlimited:
            return Limit(seconds=TRIAL) if trial else Limit()
        return Limit(
            seconds=None if left.seconds is None else left.seconds * share,
            nodes=None if left.nodes is None else max(1, int(left.nodes * share)),
        )

    def _deepen(self, task: SolveTask, limit: Limit | None, longest: int | None = None) -> Analysis | None:
        return None if limit is None else self._prover.deepen(task, limit, longest)

    def _result(self, task: SolveTask, found: Analysis | None) -> Solution:
        if found is not None and task.answered_by(found):
            return task.solution(found)
        return task.unsolved(found, DEEPENING, self._prover.speed)

    def _require_hope(self, task: SolveTask) -> Estimate:
        guess = estimate(self.game, task.state, self._prover.speed or USUAL_SPEED)
        if guess.seconds_log10 <= HOPELESS and not guess.endless:
            return guess
        listed = ""
        if self._listing.goes_in_circles:
            listed = f" It goes in circles and has more than {self.most_states:,} positions (most_states)."
        raise CannotFinishError(
            f"{type(self.game).__name__} cannot be solved from here: {guess.sentence()}.{listed} Give a limit (60"
            " seconds, say) to see how far it gets, or a position nearer to the end of the game",
            guess,
        )


@sound
def solve(
    game: Game,
    state: Any = None,
    limit: Limit | None = None,
    *,
    strong: bool = True,
    moves: bool = False,
    method: str = "auto",
    endless: float | None = None,
    history: Sequence[Any] = (),
    exploitability: float | None = None,
    on_progress: Callable[[Progress], None] | None = None,
    most_states: int = MOST_STATES,
    compile: str = "auto",
    hash_mb: float = 64,
    threads: int = 1,
) -> Solution:
    """What a position is worth, proven: win, draw or loss, how soon or by how much, and best play.

    `strong=False` asks only who wins; `moves=True` also for the value of every action. Without a limit it goes on until
    it is done, or refuses what would never be. The arguments are those of `Solver` and `Solver.solve`, which this is a
    single use of.

    >>> from gametree.games import Nim
    >>> found = solve(Nim(counters=9))
    >>> found.outcome, str(found.value), found.positions
    ('win', 'win in 5', 18)
    """
    solver = Solver(
        game, endless=endless, most_states=most_states, compile=compile, hash_mb=hash_mb, threads=threads
    )
    return solver.solve(
        state,
        limit,
        strong=strong,
        moves=moves,
        method=method,
        history=history,
        exploitability=exploitability,
        on_progress=on_progress,
    )


def _declared(game: Game, endless: float | None) -> float | None:
    """What play that never ends is worth to player 0, by the rules or by what was given; None where neither says."""
    if endless is not None:
        number("endless", endless, "what play that never ends is worth to player 0, a number")
    if game.repetition is None:
        return None if endless is None else float(endless)
    if endless is not None:
        raise InputError(
            f"endless={endless!r}: {type(game).__name__} says itself what a repeated position is worth"
            f" (repetition = {game.repetition!r})"
        )
    return (game.total or 0) / 2
