"""What a walk over the root says: a value, what that proves, the line behind it, and the result made of these.

The line is not kept while searching. It is found again afterwards: at each node the first action is taken that attains
the score of the root. What that takes is not counted as searched.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, NamedTuple, TypeVar

from gametree.game import CHANCE, Game
from gametree.kernel.clock import RUNNING
from gametree.result import Analysis, Bound, Limit, Move, StoppedBy, Value
from gametree.search.core.repetition import Past
from gametree.search.core.runner import Run
from gametree.search.core.stopwatch import STOPPED_BY
from gametree.search.core.task import Task

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
    score: S | None = None
    """The score of the root: that of the best action, or a mean, or a bound; None where there is none yet."""
    bound: Bound | None = None
    """What the score proves, where the window does not tell."""
    estimated: bool = False
    guessed: set[int] = field(default_factory=set)
    """Actions whose score has an estimate in it."""
    stopped: int = RUNNING
    """Why not every action was looked at, as far as that was needed; RUNNING where it was."""
    line: list[Any] | None = None
    """The best line, once it was found again."""


class Verdict(NamedTuple):
    """What the root is worth as far as a walk tells."""

    value: Value | None = None
    values: tuple[float, ...] = ()
    bound: Bound = "exact"
    proven: bool = False
    at_end: bool = False
    """Whether no further depth would say more."""


class Answers(ABC, Generic[S]):
    """A root as far as it says what was found."""

    task: Task
    game: Game
    state: Any
    limit: Limit
    past: Past | None
    """What counts of the states before, where the game has a rule on positions that recur."""
    run: Run
    mover: int
    """Who moves."""
    player: int
    """Whose value is wanted."""
    shown: int
    """Who is said to move."""
    actions: list[Any]
    parameters: dict[str, Any]
    """What the search says of itself in its result."""

    proves = True
    """Whether a score without an estimate in it is the value of the game."""
    exhaustive = False
    """Whether one of a node's children attains its score to the last digit."""

    # --- what tells one search from another -----------------------------------------------------------

    @abstractmethod
    def score(self, state: Any, depth: int, plies: int, mover: int, bounds: Any) -> S | None:
        """The score of a node to which `mover` has moved; None where the run was told to stop."""

    @abstractmethod
    def recurs(self, state: Any, plies: int) -> bool:
        """Whether the rule on repeated positions applies to a state on the path."""

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

    def holds(self, walk: Walk[S], i: int, told: Verdict) -> bool:
        """Whether the value of the action at place `i` is proven; `told` is what the walk says of the root."""
        return i not in walk.guessed or self.value(walk.scores[i]).outcome is not None

    # --- the line -------------------------------------------------------------------------------------

    def line(self, walk: Walk[S], known: Sequence[Any] = ()) -> list[Any]:
        """The best line of a walk, up to where chance moves; its beginning may be `known`."""
        if walk.best is None:
            return []
        line = list(known) or [self.actions[walk.best]]
        if walk.stopped == RUNNING and self.is_inside(walk):
            with self.run.apart(), self.run.in_time():
                self._continue(line, walk)
        return line

    def _continue(self, line: list[Any], walk: Walk[S]) -> None:
        game = self.game
        self.run.path.full_depth = walk.depth
        state, plies = self.state, 0
        for action in line:
            state = game.result(state, action)
            plies += 1
            if plies < len(line):
                self._ends(state, plies)
        while plies < walk.depth and not self._ends(state, plies):
            action = self._attaining(state, walk.depth - plies, plies, walk)
            if action is None:
                break
            line.append(action)
            state = game.result(state, action)
            plies += 1

    def _ends(self, state: Any, plies: int) -> bool:
        """Whether a line ends here: the game is over, a position has recurred, or chance decides."""
        over = bool(self.game.is_terminal(state)) or (self.past is not None and self.recurs(state, plies))
        return over or self.game.player(state) == CHANCE

    def _attaining(self, state: Any, depth: int, plies: int, walk: Walk[S]) -> Any:
        """The first action that attains the score of the root; where that is proven, one without an estimate."""
        game, clock, mover = self.game, self.run.clock, self.game.player(state)
        children = [(action, game.result(state, action)) for action in game.actions(state)]
        if self.past is not None:
            children = [
                pair for pair in children if not self.past.forbids(game, pair[1], self.run.path, plies + 1)
            ]
        target = walk.score
        assert target is not None
        bounds = self.attaining(target, mover)
        found = None
        for action, child in children:
            if self.exhaustive and found is None and action == children[-1][0]:
                return action  # one of them has to
            self.run.approach = (state, [action])
            clock.estimated = False
            score = self.score(child, depth - 1, plies + 1, mover, bounds)
            if score is None:
                return None
            if self.attains(score, target, mover):
                found = action if found is None else found
                if not self.exhaustive or walk.estimated or not clock.estimated:
                    return action
        return found

    # --- the result -----------------------------------------------------------------------------------

    def analysis(
        self,
        walk: Walk[S],
        *,
        told: Verdict | None = None,
        line: Sequence[Any] | None = None,
        names: tuple[str, ...] | None = None,
        stopped: int | None = None,
        **more: Any,
    ) -> Analysis:
        """The result of a walk; `stopped` says why there was no further one, `more` what is known besides."""
        stopped = walk.stopped or (self.run.clock.stop if stopped is None else stopped)
        if line is None:
            line = walk.line = self.line(walk) if walk.line is None else walk.line
        told = self.verdict(walk) if told is None else told
        by: StoppedBy = STOPPED_BY.get(stopped) or ("end" if told.at_end else "depth")
        return self.task.analysis(
            player=self.shown,
            value=told.value,
            values=told.values,
            bound=told.bound,
            line=line,
            names=names,
            moves=self.moves(walk, told) if walk.each else (),
            depth=walk.depth if walk.estimated or self.limit.depth is not None else None,
            nodes=self.run.clock.nodes,
            seconds=self.run.watch.seconds,
            exact=told.proven,
            stopped_by=by,
            parameters={**self.parameters, "compiled": self.run.compiled},
            **more,
        )

    def verdict(self, walk: Walk[S]) -> Verdict:
        """What a walk says of the root's value, and whether it proves it."""
        if walk.score is None:
            return Verdict(bound=walk.bound or "exact", at_end=not walk.estimated)
        complete = walk.stopped == RUNNING
        bound = found = walk.bound or self.proven_by(walk.score, walk.window)
        if not complete and walk.bound is None:
            bound = "lower" if self.maximizes else "upper"
            if found == "upper":  # what was seen is below the window, what was not seen may be anything
                return Verdict(bound=bound, at_end=not walk.estimated)
        values, value = self.values(walk), self.value(walk.score)
        sure = not walk.estimated and bound == "exact" and self.proves
        proven = complete and (sure or value.outcome is not None)
        return Verdict(value, values, bound, proven, proven or not walk.estimated)

    def moves(self, walk: Walk[S], told: Verdict) -> tuple[Move, ...]:
        """Every action with its value."""
        return tuple(
            Move(
                action,
                self.value(walk.scores[i]),
                self.proven_by(walk.scores[i], walk.window),
                self.game.name_action(self.state, action),
                self.holds(walk, i, told),
            )
            for i, action in enumerate(self.actions)
            if i in walk.scores
        )


class PayoffAnswers(Answers[float]):
    """The same where a score is a payoff to the first of two players, near or far."""

    exhaustive = True

    def is_inside(self, walk: Walk[float]) -> bool:
        low, high = walk.window
        return walk.score is not None and low < walk.score < high

    def attaining(self, target: float, mover: int) -> Window:
        if mover == 0:
            return math.nextafter(target, -math.inf), target
        return target, math.nextafter(target, math.inf)

    def attains(self, score: float, target: float, mover: int) -> bool:
        return score >= target if mover == 0 else score <= target

    def proven_by(self, score: float, window: Window) -> Bound:
        low, high = window
        bound: Bound = "exact"
        if score <= low and low > -math.inf:
            bound = "upper"
        elif score >= high and high < math.inf:
            bound = "lower"
        return _FLIPPED[bound] if self.player == 1 else bound

    def payoff(self, score: float) -> float:
        """What player 0 gets."""
        return score

    def values(self, walk: Walk[float]) -> tuple[float, ...]:
        assert walk.score is not None and self.game.total is not None
        payoff = float(self.payoff(walk.score))
        return payoff, float(self.game.total - payoff)

    def value(self, score: float) -> Value:
        return self.value_to(self.player, score)

    def value_to(self, player: int, score: float) -> Value:
        """What a score is worth to a player."""
        assert self.game.total is not None
        payoff = self.payoff(score)
        return Value(payoff if player == 0 else self.game.total - payoff)
