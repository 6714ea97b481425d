"""The root of a search: the walk over its actions, depth after depth, and the answer.

A search's kernel scores the children of the root; the walk over the root itself happens here, in Python. What a score
is only subclasses know: a payoff to player 0 (`Payoffs`), with wins and losses by distance or as a mean, or the
payoffs of all sides.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from gametree.errors import RulesError, TooDeepError
from gametree.game import Game
from gametree.kernel import primitives
from gametree.result import Analysis, Bound, Limit, Move, StoppedBy, Value
from gametree.search.core import repetition
from gametree.search.core.line import continue_line
from gametree.search.core.plays import dead_end, rehearse, root_actions
from gametree.search.core.repetition import Past
from gametree.search.core.runner import MAX_PLIES, Run, too_deep
from gametree.search.core.stopwatch import STOPPED_BY, StopWatch, execute
from gametree.search.core.task import Task, need_evaluation

WHOLE = (-math.inf, math.inf)
_FLIPPED: dict[Bound, Bound] = {"exact": "exact", "lower": "upper", "upper": "lower"}
S = TypeVar("S")
Window = tuple[float, float]


@dataclass
class Walk(Generic[S]):
    """What a walk over the root to one depth found: scores by index of the action."""

    depth: int
    window: Window = WHOLE
    each: bool = False
    """Whether every action was searched with the whole window."""
    scores: dict[int, S] = field(default_factory=dict)
    """Those of actions that were left early, as no better than the best, may be missing."""
    best: int | None = None
    whole: S | None = None
    """The score of the root where it is not that of the best action: a mean, or a bound."""
    bound: Bound | None = None
    """What the score proves, where the window does not tell."""
    estimated: bool = False
    guessed: set[int] = field(default_factory=set)
    """Actions whose score has an estimate in it."""
    stopped: int = primitives.RUNNING
    line: list[Any] | None = None
    """The best line, once it was found again."""

    @property
    def known(self) -> bool:
        """Whether the root has a score."""
        return self.whole is not None or self.best is not None

    @property
    def score(self) -> S:
        """The score of the root."""
        if self.whole is not None:
            return self.whole
        assert self.best is not None
        return self.scores[self.best]

    @property
    def complete(self) -> bool:
        """Whether every action was looked at, as far as that was needed."""
        return self.stopped not in STOPPED_BY


class Root(ABC, Generic[S]):
    """A state to search from, and a run of a search's kernel."""

    task: Task
    game: Game
    state: Any
    limit: Limit
    past: Past
    mover: int
    player: int
    shown: int

    kernel: Any
    room = 0
    """How many words of the ledger the kernel keeps for itself."""
    settles = False
    """Whether the kernel takes depth 0 itself, to look past the horizon."""
    proves = True
    """Whether a score without an estimate in it is the value of the game."""
    exhaustive = False
    """Whether one of a node's children attains its score to the last digit."""
    deepens = False
    """Whether depth follows on depth: to have an answer in time, and because each tells the next where to begin."""
    tells_line = False
    """Whether the line is found after each depth: later there may be no time left."""
    tells_last = False
    """Whether the depth after which nothing can change is told as progress, too."""

    def __init__(
        self,
        task: Task,
        past: Past | None = None,
        samples: Sequence[Any] | None = None,
        prepared: Any = ...,
        watch: StopWatch | None = None,
    ):
        """`past`, `samples` and `prepared` are for whoever has them from the search before, `watch` for its threads."""
        game, state = task.game, task.state
        self.task, self.game, self.state, self.limit = task, game, state, task.limit
        self.past = past = Past(game, state, task.history, MAX_PLIES) if past is None else past
        self.parameters: dict[str, Any] = {}

        samples = rehearse(game, state) if samples is None else samples
        self.mover = self.player = self.shown = game.player(state)
        """Who moves, whose value is wanted, and who is said to move."""
        self.actions: list[Any] = root_actions(game, state)
        self.run: Run = Run(
            self.kernel,
            game,
            task.limit,
            task.compile,
            samples,
            self.room,
            self.furnish,
            prepared,
            past,
            watch,
        )
        if past.has_rule and past.may_forbid(game):
            self.actions = [
                action
                for action in self.actions
                if not past.forbids(game, game.result(state, action), self.run.path)
            ]
            if not self.actions:
                raise dead_end(game)

    # --- what tells one search from another -----------------------------------------------------------

    def furnish(self, ledger: Any) -> Any:
        """Writes what the kernel needs into a new ledger; gives what it keeps elsewhere."""

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

    @abstractmethod
    def value(self, score: S) -> Value:
        """What a score is worth to the player whose value is wanted."""

    @abstractmethod
    def values(self, walk: Walk[S]) -> tuple[float, ...]:
        """What the root is worth to every player; empty where the walk does not say."""

    @abstractmethod
    def attaining(self, target: S, mover: int) -> Any:
        """The bounds within which an action shows that it attains a score."""

    def attains(self, score: S, target: S, mover: int) -> bool:
        """Whether a mover's action attains a score."""
        return score == target

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

    @property
    def maximizes(self) -> bool:
        """Whether the root belongs to the player whose value is wanted."""
        return True

    def proven_by(self, score: S, window: Window) -> Bound:
        """What a score proves of the value."""
        return "exact"

    def is_inside(self, walk: Walk[S]) -> bool:
        """Whether the score of the root is within the window, so that an action attains it."""
        return True

    def is_proof(self, walk: Walk[S]) -> bool:
        """Whether a value that looks proven is."""
        return True

    def holds(self, walk: Walk[S], i: int) -> bool:
        """Whether the value of the action at place `i` is proven."""
        return i not in walk.guessed or self.value(walk.scores[i]).outcome is not None

    def unproven(self, walk: Walk[S], bound: Bound) -> Bound:
        """What a value that only looked proven is."""
        return bound

    # --- walking --------------------------------------------------------------------------------------

    def walk(self, depth: int, window: Window = WHOLE, each: bool = False) -> Walk[S]:
        """Scores the root's children, each as far as it matters."""
        run = self.run
        walk: Walk[S] = Walk(depth, window, each)
        run.ledger[primitives.ESTIMATED] = 0
        run.path.full_depth = depth
        if not self.chooses():
            walk.whole = self.mean(walk)
        elif run.count():
            self._choose(walk)
        walk.estimated = walk.estimated or bool(run.ledger[primitives.ESTIMATED])
        walk.stopped = run.stopped
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
                walk.best = i
            if not walk.each and self.is_settled(walk):
                return

    def note_estimate(self, walk: Walk[S], i: int) -> None:
        """Whether the score of the action at place `i` has an estimate in it."""
        if self.run.ledger[primitives.ESTIMATED]:
            walk.estimated = True
            walk.guessed.add(i)
            self.run.ledger[primitives.ESTIMATED] = 0

    def score(self, state: Any, depth: int, plies: int, mover: int, bounds: Any) -> S | None:
        """The score of a node to which `mover` has moved; None where the run was told to stop."""
        run = self.run
        if not run.count():
            return None
        run.start, run.stride = depth, -1
        if self.is_over(state):
            return self.sound(self.final(state, plies))
        if self.recurs(state, plies):
            return self.sound(self.recurred(mover, plies))
        if depth == 0 and not self.settles:
            return self.sound(self.judged(state))
        return self.sound(self.searched(state, depth, plies, mover, bounds))

    def sound(self, score: S | None) -> S | None:
        """A score as the kernel gave it; None where the run was told to stop. Whatever else stopped it is raised."""
        if score is not None and score == score:
            return score
        if self.run.stopped in STOPPED_BY:
            return None
        raise self.trouble()

    def trouble(self) -> Exception:
        """Why there is no score, though nobody told the run to stop."""
        game, reason = self.game, self.run.stopped
        if reason == primitives.BY_RULES:
            return dead_end(game)
        if reason in (primitives.BY_STACK, primitives.BY_PLIES):
            return too_deep(game)
        if self.run.ledger[primitives.ESTIMATED]:
            need_evaluation(game, self.task.method, self.limit.depth)
        return RulesError(f"{type(game).__name__}.evaluate or .utility returned nan")

    def is_over(self, state: Any) -> bool:
        """Whether a state is terminal."""
        return bool(self.game.is_terminal(state))

    def recurs(self, state: Any, plies: int) -> bool:
        """Whether the rule on repeated positions applies to a state on the path."""
        if not self.past.has_rule:
            return False
        found = self.found_before(state, plies)
        if found == repetition.NOWHERE:
            return False
        repetition.note(found, self.run.path)
        return True

    def found_before(self, state: Any, plies: int) -> int:
        """Where on the path a state was before."""
        return repetition.recurs(self.game, state, plies, self.run.path)

    def line(self, walk: Walk[S], known: Sequence[Any] = ()) -> list[Any]:
        """The best line of a walk; its beginning may be `known`."""
        if walk.best is None:
            return []
        line = list(known) or [self.actions[walk.best]]
        if walk.stopped == primitives.RUNNING and self.is_inside(walk):
            continue_line(self, walk, line)
        return line

    # --- depth after depth ----------------------------------------------------------------------------

    def answer(self, window: Window = WHOLE, /, **parameters: Any) -> Analysis:
        """Searches, and says what was found; `parameters` are the search's own."""
        self.parameters = parameters
        # A second attempt would tell its progress twice.
        return execute(self.run, lambda: self.found(window), repeatable=self.task.on_progress is None)

    def found(self, window: Window) -> Analysis:
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
                walk = self.walk(depth, window, self.task.moves)
            except TooDeepError:
                if done is None or self.run.in_place:
                    raise
                break  # there is no room for longer lines: what is known stands
            if self.is_cut(walk):
                return self.cut_short(walk, done)
            done = self.learn(walk)
            finished = self.is_finished(done)
            if self.deepens and self.task.on_progress is not None and (self.tells_last or not finished):
                self.task.on_progress(self.analysis(done))
            if finished:
                break
            depth = self.following(depth, deepest)
        assert done is not None
        return done

    def is_cut(self, walk: Walk[S]) -> bool:
        """Whether a walk was stopped before its end."""
        return not walk.complete

    def cut_short(self, walk: Walk[S], done: Walk[S] | None) -> Walk[S]:
        """What counts where a walk was stopped: the one before it, where there is one."""
        return done or walk

    def learn(self, walk: Walk[S]) -> Walk[S]:
        """A walk to one depth is finished, and counts; the next begins by its light."""
        if self.tells_line and self.deepens:
            walk.line = self.line(walk)
        return walk

    def is_finished(self, walk: Walk[S]) -> bool:
        """Whether more depth can change nothing."""
        return not walk.estimated

    def following(self, depth: int, deepest: int) -> int:
        """The depth after this one."""
        return depth + 1

    # --- the answer -----------------------------------------------------------------------------------

    def analysis(
        self,
        walk: Walk[S],
        *,
        line: Sequence[Any] | None = None,
        names: tuple[str, ...] | None = None,
        stopped: int | None = None,
        **more: Any,
    ) -> Analysis:
        """The result of a walk; `stopped` says why there was no further one, `more` what is known besides."""
        seconds = self.run.watch.seconds
        stopped = walk.stopped or (self.run.stopped if stopped is None else stopped)
        if line is None:
            line = walk.line = self.line(walk) if walk.line is None else walk.line
        value, bound, looks_proven = self.verdict(walk)
        exact = looks_proven and self.is_proof(walk)
        if looks_proven and not exact:
            bound = self.unproven(walk, bound)
        by: StoppedBy = STOPPED_BY.get(stopped) or (
            "end" if exact or not (walk.estimated or looks_proven) else "depth"
        )
        return self.task.analysis(
            player=self.shown,
            value=value,
            values=() if value is None else self.values(walk),
            bound=bound,
            line=line,
            names=names,
            moves=self.moves(walk),
            depth=walk.depth if walk.estimated or self.limit.depth is not None else None,
            nodes=self.run.nodes,
            seconds=seconds,
            exact=exact,
            stopped_by=by,
            parameters={**self.parameters, "compiled": self.run.compiled},
            **more,
        )

    def verdict(self, walk: Walk[S]) -> tuple[Value | None, Bound, bool]:
        """What the root is worth as far as a walk tells, what that is a bound of, and whether it looks proven."""
        if not walk.known:
            return None, walk.bound or "exact", False
        value: Value | None = self.value(walk.score)
        bound = walk.bound or self.proven_by(walk.score, walk.window)
        if not walk.complete and walk.bound is None:
            if bound == "upper":  # what was seen is below the window, what was not seen may be anything
                value = None
            bound = "lower" if self.maximizes else "upper"
        proven = walk.complete and not walk.estimated and bound == "exact" and self.proves
        won = walk.complete and value is not None and value.outcome is not None
        return value, bound, proven or won

    def moves(self, walk: Walk[S]) -> tuple[Move, ...]:
        """Every action with its value, where that was asked for."""
        if not walk.each:
            return ()
        return tuple(
            Move(
                action,
                self.value(walk.scores[i]),
                self.proven_by(walk.scores[i], walk.window),
                self.game.name_action(self.state, action),
                self.holds(walk, i),
            )
            for i, action in enumerate(self.actions)
            if i in walk.scores
        )


class Payoffs(Root[float]):
    """A root of two players; a score is a payoff to player 0, near or far."""

    prunes = True
    exhaustive = True

    def final(self, state: Any, plies: int) -> float:
        return float(self.game.utility(state, 0))

    def recurred(self, mover: int, plies: int) -> float:
        return repetition.payoff(mover, self.run.path)

    def judged(self, state: Any) -> float:
        return primitives.horizon(self.game, state, self.run.ledger)

    def bounds(self, walk: Walk[float], i: int) -> Window:
        """Alpha and beta at the root, as far as the walk has come."""
        low, high = walk.window
        if walk.best is None or walk.each or not self.prunes:
            return low, high
        return (max(low, walk.score), high) if self.mover == 0 else (low, min(high, walk.score))

    def is_settled(self, walk: Walk[float]) -> bool:
        low, high = self.bounds(walk, 0)
        return low >= high

    def prefers(self, walk: Walk[float], i: int, score: float) -> bool:
        return score > walk.score if self.mover == 0 else score < walk.score

    def is_inside(self, walk: Walk[float]) -> bool:
        low, high = walk.window
        return low < walk.score < high

    def attaining(self, target: float, mover: int) -> Window:
        if mover == 0:
            return math.nextafter(target, -math.inf), target
        return target, math.nextafter(target, math.inf)

    def attains(self, score: float, target: float, mover: int) -> bool:
        return score >= target if mover == 0 else score <= target

    def value(self, score: float) -> Value:
        return self.value_to(self.player, score)

    def value_to(self, player: int, score: float) -> Value:
        """What a score is worth to a player."""
        assert self.game.total is not None
        return Value(score if player == 0 else self.game.total - score)

    def values(self, walk: Walk[float]) -> tuple[float, ...]:
        payoff = self.value_to(0, walk.score).payoff
        assert self.game.total is not None
        return payoff, float(self.game.total - payoff)

    def proven_by(self, score: float, window: Window) -> Bound:
        low, high = window
        bound: Bound = "exact"
        if score <= low and low > -math.inf:
            bound = "upper"
        elif score >= high and high < math.inf:
            bound = "lower"
        return _FLIPPED[bound] if self.player == 1 else bound
