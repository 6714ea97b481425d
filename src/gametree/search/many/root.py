"""What the searches of many players share: the walk over the root, deepening, the line of play, the `Analysis`.

A score is a tuple of payoffs: of all sides, or of the side that asks alone. A method's kernel scores the children of
the root; the walk over the root itself happens here, in Python. The line is not kept while searching; it is found again
afterwards, by asking along it which action has the known score.
"""

import time
from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import Any

from gametree.errors import RulesError
from gametree.game import CHANCE, names_of, offers
from gametree.kernel import primitives
from gametree.kernel.primitives import chance_outcomes
from gametree.result import Analysis, Bound, Move, StoppedBy, Value
from gametree.search.core import repetition
from gametree.search.core.plays import rehearse, root_actions
from gametree.search.core.repetition import Past
from gametree.search.core.root import dead_end, need_evaluation
from gametree.search.core.runner import MAX_PLIES, STOPPED_BY, Run, too_deep
from gametree.search.core.task import Task, asked_for
from gametree.search.many import sides
from gametree.search.many.sides import Sides

Score = tuple[float, ...]
WORSE: Score = ()
"""The score of an action that was left early: it is no better than the best so far."""


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


@dataclass
class Walk:
    """What a walk over the root to one depth found."""

    depth: int
    scores: dict[int, Score] = field(default_factory=dict)
    """By index of the action; those that were left early are not there."""
    best: int | None = None
    average: Score | None = None
    """Where chance moves at the root: the expected score."""
    estimated: bool = False
    guessed: set[int] = field(default_factory=set)
    stopped: int = primitives.RUNNING
    line: list[Any] | None = None
    """The best line, once it was found again."""

    @property
    def score(self) -> Score | None:
        """The score of the root as far as it is known."""
        if self.average is not None:
            return self.average
        return None if self.best is None else self.scores[self.best]

    @property
    def complete(self) -> bool:
        """Whether every action was looked at, as far as that was needed."""
        return self.stopped not in STOPPED_BY


class ManyRoot(ABC):
    """A state to search from, and a run of a method's kernel."""

    kernel: Any
    proves = True
    """Whether a value without an estimate in it is that of the game."""

    def __init__(self, task: ManyTask):
        self.task = task
        self.game = task.game
        self.sides = task.sides
        self.state = task.state
        self.player = task.player
        self.ours = self.sides.of[self.player]
        self.past = past = Past(task.game, task.state, task.history, MAX_PLIES)

        def furnish(ledger: Any) -> None:
            self.sides.furnish(ledger, self.ours)
            if task.deepens:
                ledger[primitives.ENDLESS] = 0  # every depth ends at its horizon
            self.furnish(ledger)

        self.run = Run(
            self.kernel,
            self.game,
            task.limit,
            task.compile,
            rehearse(task.game, task.state),
            self.sides.room,
            furnish,
            past=past,
        )
        self.mover = self.game.player(self.state)
        if self.mover == CHANCE and offers(self.game, "chance"):
            self.actions = []
            return
        if sides.side_of(self.game, self.state, self.run.ledger) < 0:
            raise self._trouble()
        self.actions = [
            action
            for action in root_actions(self.game, self.state)
            if not past.forbids(self.game, self.game.result(self.state, action), self.run.path)
        ]
        if not self.actions:
            raise dead_end(self.game)

    # --- what tells one method from another -----------------------------------------------------------

    def furnish(self, ledger: Any) -> None:  # noqa: B027
        """Writes what the kernel needs besides the sides into a new ledger."""

    @abstractmethod
    def final(self, state: Any) -> Score | None:
        """The score of a terminal state; None where its payoffs are not sound."""

    @abstractmethod
    def drawn(self) -> Score:
        """The score of a position that has recurred."""

    @abstractmethod
    def judged(self, state: Any) -> Score | None:
        """The score of a state at the horizon; None where there is none to be had."""

    @abstractmethod
    def searched(self, state: Any, depth: int, mover: int, best: Score | None) -> Score | None:
        """The score of a state `depth` ≥ 1 plies deep that `mover` moved to, who has `best` already.

        WORSE where it is no better; None where the kernel stopped.
        """

    @abstractmethod
    def takes(self, mover: int, score: Score, best: Score) -> bool:
        """Whether a mover takes a score rather than the best so far."""

    def chooses(self, mover: int) -> bool:
        """Whether a mover takes what is best, and does not draw lots."""
        return True

    def settles(self, mover: int, best: Score) -> bool:
        """Whether a mover who has this need not look any further."""
        return False

    @abstractmethod
    def value_of(self, score: Score) -> float:
        """What a score is worth to the side that asks."""

    @abstractmethod
    def values_of(self, score: Score) -> tuple[float, ...]:
        """What a score is worth to every player; empty where it does not say."""

    # --- walking -------------------------------------------------------------------------------------

    def walk(self, depth: int) -> Walk:
        """Scores the root's children in their order."""
        run, walk = self.run, Walk(depth)
        run.ledger[primitives.ESTIMATED] = 0
        run.path.full_depth = depth
        if not run.count():
            walk.stopped = run.stopped
            return walk
        if self.mover == CHANCE:
            self._average(walk)
        elif self.chooses(self.mover):
            self._choose(walk)
        else:
            run.start, run.stride = depth, -1
            walk.average = self.searched(self.state, depth, CHANCE, None)
            if walk.average is None and run.stopped not in STOPPED_BY:
                raise self._trouble()
        walk.estimated = walk.estimated or bool(run.ledger[primitives.ESTIMATED])
        walk.stopped = run.stopped
        return walk

    def _choose(self, walk: Walk) -> None:
        run = self.run
        for i, action in enumerate(self.actions):
            run.approach = (self.state, [action])
            best = None if self.task.moves or walk.best is None else walk.scores[walk.best]
            child = self.game.result(self.state, action)
            score = self._score(child, walk.depth - 1, 1, self.mover, best)
            if score is None:
                return
            if run.ledger[primitives.ESTIMATED]:
                walk.estimated = True
                walk.guessed.add(i)
                run.ledger[primitives.ESTIMATED] = 0
            if score == WORSE:
                continue
            walk.scores[i] = score
            if walk.best is None or self.takes(self.mover, score, walk.scores[walk.best]):
                walk.best = i
            if not self.task.moves and self.settles(self.mover, walk.scores[walk.best]):
                return

    def _average(self, walk: Walk) -> None:
        sums: list[float] = []
        for outcome, probability in chance_outcomes(self.game, self.state):
            self.run.approach = (self.state, [outcome])
            child = self.game.result(self.state, outcome)
            score = self._score(child, walk.depth - 1, 1, CHANCE, None)
            if score is None:
                return
            sums = sums or [0.0] * len(score)
            sums = [so_far + probability * part for so_far, part in zip(sums, score, strict=True)]
        walk.average = tuple(sums)

    def _score(self, state: Any, depth: int, plies: int, mover: int, best: Score | None) -> Score | None:
        """The score of a node to which `mover` has moved; None where the run was told to stop."""
        run, game = self.run, self.game
        if not run.count():
            return None
        run.start, run.stride = depth, -1
        if game.is_terminal(state):
            score = self.final(state)
        elif self._recurs(state, plies):
            score = self.drawn()
        elif depth == 0:
            score = self.judged(state)
        else:
            score = self.searched(state, depth, mover, best)
        if score is not None or run.stopped in STOPPED_BY:
            return score
        raise self._trouble()

    def _trouble(self) -> Exception:
        """Why there is no score, though nobody told the run to stop."""
        game, reason = self.game, self.run.stopped
        refused = sides.refusal(game, self.sides, reason)
        if refused is not None:
            return refused
        if reason == primitives.BY_RULES:
            return dead_end(game)
        if reason in (primitives.BY_STACK, primitives.BY_PLIES):
            return too_deep(game)
        if self.run.ledger[primitives.ESTIMATED]:
            need_evaluation(game, self.task.method, self.task.limit.depth)
        return RulesError(f"{type(game).__name__}.evaluate or .utility returned nan")

    def _recurs(self, state: Any, plies: int) -> bool:
        if not self.past.has_rule:
            return False
        return repetition.recurs(self.game, state, plies, self.run.path) != repetition.NOWHERE

    # --- the line ------------------------------------------------------------------------------------

    def line(self, walk: Walk) -> list[Any]:
        """The best line of a walk: at each node the first action that has the score of the root.

        It ends where chance moves. What it takes to find the line is not counted as searched.
        """
        if walk.best is None:
            return []
        game, line = self.game, [self.actions[walk.best]]
        target = walk.scores[walk.best]
        if walk.stopped != primitives.RUNNING:
            return line
        with self.run.apart():
            self.run.path.full_depth = walk.depth
            state, plies = game.result(self.state, line[0]), 1
            while plies < walk.depth and not game.is_terminal(state) and not self._recurs(state, plies):
                mover = game.player(state)
                if mover == CHANCE:
                    break
                action = self._attaining(state, walk.depth - plies, plies, mover, target)
                if action is None:
                    break
                line.append(action[0])
                state = game.result(state, action[0])
                plies += 1
        return line

    def _attaining(self, state: Any, depth: int, plies: int, mover: int, target: Score) -> tuple[Any] | None:
        for action in self.game.actions(state):
            child = self.game.result(state, action)
            if self.past.forbids(self.game, child, self.run.path, plies + 1):
                continue
            self.run.approach = (state, [action])
            score = self._score(child, depth - 1, plies + 1, mover, None)
            if score is None:
                return None
            if score == target:
                return (action,)
        return None

    # --- the answer ----------------------------------------------------------------------------------

    def think(self, **parameters: Any) -> Analysis:
        """Searches: to the depth that was asked for, to the end, or depth after depth until the limit."""
        deepest, on_progress = self.task.limit.depth, self.task.on_progress
        most = MAX_PLIES if deepest is None else min(deepest, MAX_PLIES)

        def search() -> Analysis:
            start = time.perf_counter()
            if not self.task.deepens:
                walk = self.walk(most)
                return self._analysis(walk, walk.stopped, time.perf_counter() - start, parameters)
            best: Walk | None = None
            depth = 1
            while True:
                walk = self.walk(depth)
                if walk.complete or best is None:
                    best = walk
                    walk.line = self.line(walk)  # later there may be no time left
                if not walk.complete or not walk.estimated or depth == MAX_PLIES:
                    break
                if on_progress is not None:
                    on_progress(self._analysis(walk, walk.stopped, time.perf_counter() - start, parameters))
                depth += 1
            seconds = time.perf_counter() - start
            return self._analysis(best, walk.stopped, seconds, parameters)

        return self.run.execute(search, repeatable=on_progress is None)

    def _analysis(self, walk: Walk, stopped: int, seconds: float, parameters: dict[str, Any]) -> Analysis:
        score, nodes = walk.score, self.run.nodes
        line = self.line(walk) if walk.line is None else walk.line
        complete = walk.complete and score is not None
        exact = complete and not walk.estimated and self.proves
        partial = score is not None and not complete
        bound: Bound = "lower" if partial and self._maximizes() else "exact"
        if partial and not self._maximizes():
            bound = "upper"
        by: StoppedBy = STOPPED_BY.get(stopped) or ("depth" if walk.estimated else "end")
        task = self.task
        return Analysis(
            game=type(self.game).__name__,
            players=self.game.player_names,
            method=task.method,
            player=task.shown,
            action=line[0] if line else None,
            value=None if score is None else Value(self.value_of(score)),
            values=() if score is None or partial else self.values_of(score),
            bound=bound,
            line=tuple(line),
            names=names_of(self.game, self.state, line),
            moves=self._moves(walk) if task.moves else (),
            depth=walk.depth if walk.estimated or task.limit.depth is not None else None,
            nodes=nodes,
            seconds=seconds,
            exact=exact,
            stopped_by=by,
            parameters={
                **asked_for(task.limit),
                **({"deepening": True} if task.deepens else {}),
                **parameters,
                "compiled": self.run.compiled,
            },
        )

    def _maximizes(self) -> bool:
        """Whether the root belongs to the side that asks."""
        return self.mover != CHANCE and self.sides.of[self.mover] == self.ours

    def _moves(self, walk: Walk) -> tuple[Move, ...]:
        return tuple(
            Move(
                action,
                Value(self.value_of(walk.scores[i])),
                "exact",
                self.game.name_action(self.state, action),
                i not in walk.guessed,
            )
            for i, action in enumerate(self.actions)
            if i in walk.scores
        )
