"""The root of a search: the walk over its actions, depth after depth, until there is an answer.

A search's kernel scores the children of the root; the walk over the root itself happens here, in Python. What a score
is only subclasses know: a payoff to player 0 (`Payoffs`), with wins and losses by distance or as a mean, or the
payoffs of all sides. What is made of a walk stands in `answer.py`.
"""

from abc import abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any

from gametree.errors import RulesError, TooDeepError
from gametree.game import Game
from gametree.kernel.clock import BY_CLOCK, BY_PLIES, BY_RULES, BY_STACK, RUNNING, horizon, poll
from gametree.result import Analysis, Limit
from gametree.search.core import repetition
from gametree.search.core.answer import WHOLE, Answers, PayoffAnswers, S, Walk, Window
from gametree.search.core.plays import dead_end, root_actions
from gametree.search.core.rehearsal import rehearse
from gametree.search.core.repetition import Past
from gametree.search.core.runner import MAX_PLIES, Run, too_deep
from gametree.search.core.stopwatch import STOPPED_BY, StopWatch, execute
from gametree.search.core.task import Task, leaf, need_evaluation


class Root(Answers[S]):
    """A state to search from, and a run of a search's kernel."""

    task: Any
    game: Game
    state: Any
    limit: Limit
    parameters: dict[str, Any]
    mover: int
    player: int
    shown: int
    actions: list[Any]
    run: Run
    kernel: Any
    plies = MAX_PLIES
    """How long a path can become."""
    settles = False
    """Whether the kernel takes depth 0 itself, to look past the horizon."""
    deepens = False
    """Whether depth follows on depth: to have an answer in time, and because each tells the next where to begin."""
    tells_line = False
    """Whether the line is found after each depth: later there may be no time left."""
    tells_last = False
    """Whether the depth after which nothing can change is told as progress, too."""
    furnish: Callable[[Run], Any] | None = None
    """Gives what the kernel keeps besides, new for every run."""

    @classmethod
    def search(cls, task: Any, *given: Any, window: Window = WHOLE, **parameters: Any) -> Analysis:
        """The answer to a task. `given` is what else a root needs to begin, `parameters` what the result says of it."""
        root = cls(task, *given)
        root.parameters = parameters
        try:
            # A second attempt would tell its progress twice.
            return execute(root.run, lambda: root.found(window), repeatable=task.on_progress is None)
        finally:
            root.run.furnish = (
                None  # else a table would wait for the garbage collector: the two hold each other
            )

    def __init__(
        self,
        task: Task,
        past: Past | None = None,
        samples: Sequence[Any] | None = None,
        prepared: Any = ...,
        watch: StopWatch | None = None,
    ):
        """`past`, `samples` and `prepared` may come from the search before; `watch` is shared by threads."""
        game, state = task.game, task.state
        self.task, self.game, self.state, self.limit = task, game, state, task.limit
        if past is None and game.repetition is not None:
            past = Past(game, state, task.history, self.plies)
        self.past = past
        self.parameters = {}

        samples = [*rehearse(game, state), state] if samples is None else samples
        self.mover = self.player = self.shown = game.player(state)
        self.actions = root_actions(game, state)
        self.run = Run(
            self.kernel,
            game,
            task.limit,
            task.compile,
            samples,
            self.furnish,
            prepared,
            past,
            watch,
        )
        self.run.approach = (state, [])
        # From here on rules are asked in time. Machine code is for the game itself.
        self.game = self.run.rules
        self.task = replace(task, game=self.game)
        if past is not None and past.forbidding:
            self.actions = [
                action
                for action in self.actions
                if not past.forbids(game, game.result(state, action), self.run.path)
            ]
            if not self.actions:
                raise dead_end(game)

    # --- what tells one search from another -----------------------------------------------------------

    @abstractmethod
    def final(self, state: Any, plies: int) -> S | None:
        """The score of a terminal state `plies` below the root; None where its payoffs are not sound."""

    @abstractmethod
    def recurred(self, mover: int, plies: int) -> S:
        """The score of a position that `mover` has brought about once more."""

    @abstractmethod
    def judged(self, state: Any) -> S | None:
        """The score of a state at the horizon; None where there is none to be had."""

    @abstractmethod
    def searched(self, state: Any, depth: int, plies: int, mover: int, bounds: Any) -> S | None:
        """The score of a state `depth` ≥ 1 plies deep to which `mover` moved, as far as the bounds want to know it.

        None or nan where the kernel stopped.
        """

    @abstractmethod
    def bounds(self, walk: Walk[S], i: int) -> Any:
        """What the next action, at place `i`, has to show; in a form of the search's own."""

    @abstractmethod
    def prefers(self, walk: Walk[S], i: int, score: S) -> bool:
        """Whether the mover takes the action at place `i` rather than the best so far."""

    def order(self) -> Iterable[int]:
        """The places of the root's actions, in the order in which they are looked at."""
        return range(len(self.actions))

    def is_settled(self, walk: Walk[S]) -> bool:
        """Whether the best so far is enough."""
        return False

    def chooses(self) -> bool:
        """Whether the mover at the root takes what is best; else `mean` tells what to expect."""
        return True

    def mean(self, walk: Walk[S]) -> S | None:
        """The expected score of the root where nobody chooses."""
        raise NotImplementedError

    # --- walking --------------------------------------------------------------------------------------

    def walk(self, depth: int, window: Window = WHOLE, each: bool = False) -> Walk[S]:
        """Scores the root's children, each as far as it matters."""
        run = self.run
        walk: Walk[S] = Walk(depth, window, each)
        run.clock.estimated = False
        run.path.full_depth = depth
        with run.in_time():
            if not self.chooses():
                walk.score = self.mean(walk)
            elif self.count():
                self._choose(walk)
        walk.estimated = walk.estimated or run.clock.estimated
        walk.stopped = run.clock.stop
        return walk

    def _choose(self, walk: Walk[S]) -> None:
        for i in self.order():
            self.run.approach = (self.state, [self.actions[i]])
            child = self.game.result(self.state, self.actions[i])
            score = self.score(child, walk.depth - 1, 1, self.mover, self.bounds(walk, i))
            if score is None:
                return
            self.note_estimate(walk, i)
            walk.scores[i] = score
            if walk.best is None or self.prefers(walk, i, score):
                walk.best, walk.score = i, score
            if not walk.each and self.is_settled(walk):
                return

    def note_estimate(self, walk: Walk[S], i: int) -> None:
        """Whether the score of the action at place `i` has an estimate in it."""
        if self.run.clock.estimated:
            walk.estimated = True
            walk.guessed.add(i)
            self.run.clock.estimated = False

    def count(self) -> bool:
        """Counts a node that is visited here and not by the kernel; False where the run was told to stop."""
        clock = self.run.clock
        if clock.nodes == clock.next and poll(clock):
            return False
        clock.nodes += 1
        return True

    def score(self, state: Any, depth: int, plies: int, mover: int, bounds: Any) -> S | None:
        run = self.run
        if not self.count():
            return None
        run.start, run.stride = depth, -1
        if self.is_over(state):
            return self.sound(self.final(state, plies))
        if self.past is not None and self.recurs(state, plies):
            return self.sound(self.recurred(mover, plies))
        if depth == 0 and not self.settles:
            return self.sound(self.judged(state))
        return self.sound(self.searched(state, depth, plies, mover, bounds))

    def sound(self, score: S | None) -> S | None:
        """A score as the kernel gave it; None where the run was told to stop. Whatever else stopped it is raised."""
        if score is not None and score == score:
            return score
        if self.run.clock.stop in STOPPED_BY:
            return None
        raise self.trouble()

    def trouble(self) -> Exception:
        """Why there is no score, though nobody told the run to stop."""
        game, reason = self.game, self.run.clock.stop
        if reason == BY_RULES:
            return dead_end(game)
        if reason in (BY_STACK, BY_PLIES):
            return too_deep(game)
        if self.run.clock.estimated:
            need_evaluation(game, self.task.method, self.limit.depth)
        return RulesError(f"{type(game).__name__}.evaluate or .utility returned nan")

    def is_over(self, state: Any) -> bool:
        """Whether a state is terminal."""
        return bool(self.game.is_terminal(state))

    def recurs(self, state: Any, plies: int) -> bool:
        found = self.found_before(state, plies)
        if found == repetition.NOWHERE:
            return False
        repetition.note(found, self.run.path)
        return True

    def found_before(self, state: Any, plies: int) -> int:
        """Where on the path a state was before."""
        return repetition.recurs(self.game, state, plies, self.run.path)

    # --- depth after depth ----------------------------------------------------------------------------

    def found(self, window: Window = WHOLE) -> Analysis:
        """What the search finds, from its beginning."""
        return self.analysis(self.deepen(window))

    @property
    def deepest(self) -> int:
        """How many plies a walk may go."""
        return MAX_PLIES if self.limit.depth is None else min(self.limit.depth, MAX_PLIES)

    def deepen(self, window: Window) -> Walk[S]:
        """The walk to the depth that was asked for, or to the end; under a limit the last one that was finished."""
        depth, deepest = 1 if self.deepens else self.deepest, self.deepest
        done: Walk[S] | None = None
        while depth <= deepest:
            try:
                walk = self.unfinished(depth)
                with self.run.in_time():
                    walk = self.walk(depth, window, self.task.moves)
            except TooDeepError:
                if done is None or self.run.in_place:
                    raise
                break  # there is no room for longer lines: what is known stands
            if self.is_cut(walk):
                return self.cut_short(walk, done)
            with self.run.in_time():
                walk = self.learn(walk)
            done = walk
            following = self.following(done)
            last = following is None
            if self.deepens and self.task.on_progress is not None and (self.tells_last or not last):
                self.task.on_progress(self.analysis(done))
            if following is None:
                break
            depth = following
        assert done is not None
        return done

    def unfinished(self, depth: int) -> Walk[S]:
        """A walk that was stopped before it came to anything."""
        return Walk(depth, each=self.task.moves, stopped=BY_CLOCK)

    def is_cut(self, walk: Walk[S]) -> bool:
        """Whether a walk was stopped before its end."""
        return walk.stopped != RUNNING

    def cut_short(self, walk: Walk[S], done: Walk[S] | None) -> Walk[S]:
        """What counts where a walk was stopped: the one before it, where there is one."""
        return done or walk

    def learn(self, walk: Walk[S]) -> Walk[S]:
        """A walk to one depth is finished, and counts; the next begins by its light."""
        if self.tells_line and self.deepens:
            walk.line = self.line(walk)
        return walk

    def following(self, walk: Walk[S]) -> int | None:
        """The depth after that of a walk; None where more depth can change nothing."""
        return walk.depth + 1 if walk.estimated else None


class Payoffs(PayoffAnswers, Root[float]):
    """A root of two players; a score is a payoff to player 0, near or far."""

    prunes = True

    @classmethod
    def search(cls, task: Any, *given: Any, window: Window = WHOLE, **parameters: Any) -> Analysis:
        over = bool(task.game.is_terminal(task.state))
        if over or task.limit.depth == 0:
            return leaf(task, over, **parameters)
        return super().search(task, *given, window=window, **parameters)

    def final(self, state: Any, plies: int) -> float:
        return float(self.game.utility(state, 0))

    def recurred(self, mover: int, plies: int) -> float:
        return repetition.payoff(mover, self.run.path)

    def judged(self, state: Any) -> float:
        return horizon(self.game, state, self.run.clock)

    def bounds(self, walk: Walk[float], i: int) -> Window:
        """Alpha and beta at the root, as far as the walk has come."""
        low, high = walk.window
        if walk.best is None or walk.each or not self.prunes:
            return low, high
        assert walk.score is not None
        return (max(low, walk.score), high) if self.mover == 0 else (low, min(high, walk.score))

    def is_settled(self, walk: Walk[float]) -> bool:
        low, high = self.bounds(walk, 0)
        return low >= high

    def prefers(self, walk: Walk[float], i: int, score: float) -> bool:
        assert walk.score is not None
        return score > walk.score if self.mover == 0 else score < walk.score
