"""What the searches of two-player games share: the walk over the root, the line of play, the `Analysis`.

A method's kernel values the children of the root; the walk over the root itself happens here, in Python. The line is
not kept while searching; it is found again afterwards, by asking along it which action attains the known value.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from gametree.errors import RulesError, UnsuitableError
from gametree.game import Game, names_of, offers
from gametree.kernel import primitives
from gametree.kernel.primitives import WIN, WON
from gametree.result import Analysis, Bound, Limit, Move, StoppedBy, Value
from gametree.search.core import repetition
from gametree.search.core.plays import root_actions
from gametree.search.core.repetition import Past, Path
from gametree.search.core.runner import STOPPED_BY, Run, too_deep
from gametree.search.core.task import asked_for

WHOLE = (-math.inf, math.inf)
_FLIPPED: dict[Bound, Bound] = {"exact": "exact", "lower": "upper", "upper": "lower"}


class Payoffs:
    """The textbook's scale: a score is a payoff to player 0, near or far."""

    def final(self, game: Game, state: Any, plies: int) -> float:
        """The score of a terminal state `plies` below the root."""
        return float(game.utility(state, 0))

    def repeated(self, mover: int, plies: int, path: Path) -> float:
        """The score of a position that `mover` has brought about once more."""
        return repetition.payoff(mover, path)

    def value(self, game: Game, score: float, player: int) -> Value:
        """What a score is worth to a player."""
        assert game.total is not None
        return Value(score if player == 0 else game.total - score)


class Distances(Payoffs):
    """Wins and losses by distance, beyond every estimate; other payoffs as they are."""

    def final(self, game: Game, state: Any, plies: int) -> float:
        return primitives.outcome(game, state, plies)

    def repeated(self, mover: int, plies: int, path: Path) -> float:
        return repetition.score(mover, plies, path)

    def value(self, game: Game, score: float, player: int) -> Value:
        if abs(score) < WON or game.payoffs is None:
            return super().value(game, score, player)
        assert game.payoffs is not None
        payoff = super().value(game, game.payoffs[1] if score > 0 else game.payoffs[0], player).payoff
        plies = int(WIN - abs(score))
        return Value.win(payoff, plies) if (score > 0) == (player == 0) else Value.loss(payoff, plies)


@dataclass(frozen=True)
class Method:
    """What tells one search from another."""

    name: str
    kernel: Any
    search: Callable[[Run, Any, int, int, float, float], float]
    """The score of a state: run, state, depth, plies below the root, alpha, beta."""
    prunes: bool
    scale: Payoffs
    clips: bool = False
    """Fail-hard: scores are clipped to the window."""
    settles: bool = False
    """Whether the kernel takes depth 0 itself, to look past the horizon."""


@dataclass
class Walk:
    """What a walk over the root to one depth found: scores to player 0 by index of the action."""

    depth: int
    window: tuple[float, float]
    each: bool
    """Whether every action was searched with the whole window."""
    scores: dict[int, float]
    best: int | None = None
    estimated: bool = False
    stopped: int = primitives.RUNNING
    guessed: set[int] = field(default_factory=set)
    """Actions whose score has an estimate in it."""

    @property
    def score(self) -> float:
        """The score of the best action."""
        assert self.best is not None
        return self.scores[self.best]


class Root:
    """A state to search from, and a run of a method's kernel."""

    def __init__(
        self,
        method: Method,
        game: Game,
        state: Any,
        limit: Limit,
        compile: str,
        samples: Sequence[Any],
        past: Past,
        room: int = 0,
        furnish: Callable[[Any], Any] | None = None,
        prepared: Any = ...,
    ):
        """`room` and `furnish` are the kernel's own share of the ledger."""
        self.method = method
        self.game = game
        self.state = state
        self.limit = limit
        self.past = past

        self.run = Run(method.kernel, game, limit, compile, samples, room, furnish, prepared, past)
        self.player = game.player(state)
        self.actions = root_actions(game, state)
        if past.may_forbid(game):
            self.actions = [
                action
                for action in self.actions
                if not past.forbids(game, game.result(state, action), self.run.path)
            ]
        if not self.actions:
            raise dead_end(game)

    def walk(self, depth: int, window: tuple[float, float] = WHOLE, each: bool = False) -> Walk:
        """Values the root's children in the order of `actions`."""
        run, game = self.run, self.game
        maximizing = self.player == 0
        walk = Walk(depth, window, each, {})
        run.ledger[primitives.ESTIMATED] = 0
        run.path.full_depth = depth
        alpha, beta = window
        for i, action in enumerate(self.actions if run.count() else ()):
            run.approach = (self.state, [action])
            child = game.result(self.state, action)
            score = self._score(child, depth - 1, 1, alpha, beta, self.player)
            if score is None:
                break
            walk.scores[i] = score
            if run.ledger[primitives.ESTIMATED]:
                walk.estimated = True
                walk.guessed.add(i)
                run.ledger[primitives.ESTIMATED] = 0
            if walk.best is None or self._better(score, walk.score):
                walk.best = i
            if self.method.prunes and not each:
                if maximizing:
                    alpha = max(alpha, score)
                else:
                    beta = min(beta, score)
                if alpha >= beta:
                    break
        walk.estimated = walk.estimated or bool(run.ledger[primitives.ESTIMATED])
        walk.stopped = run.stopped
        return walk

    def _better(self, score: float, best: float) -> bool:
        """Whether the player at the root prefers a score to the best so far."""
        return score > best if self.player == 0 else score < best

    def _score(
        self, state: Any, depth: int, plies: int, alpha: float, beta: float, mover: int
    ) -> float | None:
        """The score of a node to which `mover` has moved; None where the run was told to stop."""
        run, game = self.run, self.game
        if not run.count():
            return None
        run.start = depth
        run.stride = -1
        if self._is_over(state):
            score = self.method.scale.final(game, state, plies)
        elif self._recurs(state, plies):
            score = self.method.scale.repeated(mover, plies, run.path)
        elif depth == 0 and not self.method.settles:
            score = primitives.horizon(game, state, run.ledger)
        else:
            score = self.method.search(run, state, depth, plies, alpha, beta)
        known = self._known(score)
        return min(max(known, alpha), beta) if known is not None and self.method.clips else known

    def _known(self, score: float) -> float | None:
        """A score as the kernel gave it; None where the run was told to stop. Whatever else stopped it is raised."""
        run, game = self.run, self.game
        if score == score:
            return score
        if run.stopped in STOPPED_BY:
            return None
        if run.stopped == primitives.BY_RULES:
            raise dead_end(game)
        if run.stopped in (primitives.BY_STACK, primitives.BY_PLIES):
            raise too_deep(game)
        if run.ledger[primitives.ESTIMATED]:
            need_evaluation(game, self.method.name, self.limit.depth)
        raise RulesError(f"{type(game).__name__}.evaluate or .utility returned nan")

    def line(self, walk: Walk, known: Sequence[Any] = ()) -> list[Any]:
        """The best line of a walk: at each node the first action that attains the score of the root.

        What it takes to find the line is not counted as searched. Its beginning may be `known`.
        """
        if walk.best is None:
            return []
        game = self.game
        line = list(known) or [self.actions[walk.best]]
        low, high = walk.window
        if walk.stopped != primitives.RUNNING or not low < walk.score < high:
            return line
        with self.run.apart():
            self.run.path.full_depth = walk.depth
            state, plies = self.state, 0
            for action in line:
                state = game.result(state, action)
                plies += 1
                if plies < len(line):
                    self._ends(state, plies)
            while plies < walk.depth and not self._ends(state, plies):
                action = self._attaining(state, walk.depth - plies, plies, walk.score, not walk.estimated)
                if action is None:
                    break
                line.append(action)
                state = game.result(state, action)
                plies += 1
        return line

    def _is_over(self, state: Any) -> bool:
        return bool(self.game.is_terminal(state))

    def _ends(self, state: Any, plies: int) -> bool:
        """Whether a line ends here: the game is over, or a position has recurred."""
        return bool(self.game.is_terminal(state)) or self._recurs(state, plies)

    def _recurs(self, state: Any, plies: int) -> bool:
        """Whether the rule on repeated positions applies to a state on the path."""
        if not self.past.has_rule:
            return False
        found = self._found(state, plies)
        if found == repetition.NOWHERE:
            return False
        repetition.note(found, self.run.path)
        return True

    def _found(self, state: Any, plies: int) -> int:
        """Where on the path a state was before."""
        return repetition.recurs(self.game, state, plies, self.run.path)

    def _attaining(self, state: Any, depth: int, plies: int, target: float, proven: bool) -> Any:
        """The first action that attains a score; where it is proven, one that does so without an estimate."""
        maximizing = self.game.player(state) == 0
        actions = list(self.game.actions(state))
        if maximizing:
            window = (math.nextafter(target, -math.inf), target)
        else:
            window = (target, math.nextafter(target, math.inf))
        children = [(action, self.game.result(state, action)) for action in actions]
        ledger = self.run.ledger
        children = [
            (a, child)
            for a, child in children
            if not self.past.forbids(self.game, child, self.run.path, plies + 1)
        ]
        found = None
        for action, child in children:
            last = action == children[-1][0]
            if last and found is None:
                return action  # one of them has to
            self.run.approach = (state, [action])
            ledger[primitives.ESTIMATED] = 0
            score = self._score(child, depth - 1, plies + 1, *window, self.game.player(state))
            if score is None:
                return None
            if score >= target if maximizing else score <= target:
                found = action if found is None else found
                if not (proven and ledger[primitives.ESTIMATED]):
                    return action
        return found

    def analysis(
        self,
        walk: Walk,
        line: Sequence[Any],
        nodes: int,
        seconds: float,
        stopped: int = primitives.RUNNING,
        names: tuple[str, ...] | None = None,
        **parameters: Any,
    ) -> Analysis:
        """The result of a walk; `stopped` says why there was no further one."""
        complete = walk.stopped not in STOPPED_BY
        known = walk.best is not None
        value = self._value(walk.score) if known else None
        bound = self._bound(walk.score, walk.window) if known else "exact"
        if known and not complete:
            if bound == "upper":  # what was seen is below the window, what was not seen may be anything
                value = None
            bound = "lower"
        proven = complete and not walk.estimated and bound == "exact"
        proven = proven or (complete and value is not None and value.outcome is not None)
        by: StoppedBy = STOPPED_BY.get(walk.stopped or stopped) or (
            "depth" if walk.estimated and not proven else "end"
        )
        return Analysis(
            game=type(self.game).__name__,
            players=self.game.player_names,
            method=self.method.name,
            player=self.player,
            action=line[0] if line else None,
            value=value,
            values=()
            if value is None
            else _to_all(self.game, self.method.scale.value(self.game, walk.score, 0).payoff),
            bound=bound,
            line=tuple(line),
            names=names_of(self.game, self.state, line) if names is None else names,
            moves=self._moves(walk),
            depth=walk.depth if walk.estimated or self.limit.depth is not None else None,
            nodes=nodes,
            seconds=seconds,
            exact=proven,
            stopped_by=by,
            parameters={**asked_for(self.limit), **parameters, "compiled": self.run.compiled},
        )

    def _value(self, score: float) -> Value:
        return self.method.scale.value(self.game, score, self.player)

    def _bound(self, score: float, window: tuple[float, float]) -> Bound:
        """What a score proves of the value to the player at the root."""
        low, high = window
        bound: Bound = "exact"
        if score <= low and low > -math.inf:
            bound = "upper"
        elif score >= high and high < math.inf:
            bound = "lower"
        return _FLIPPED[bound] if self.player == 1 else bound

    def _moves(self, walk: Walk) -> tuple[Move, ...]:
        if not walk.each:
            return ()
        return tuple(
            Move(
                action,
                self._value(walk.scores[i]),
                self._bound(walk.scores[i], walk.window),
                self.game.name_action(self.state, action),
                i not in walk.guessed or self._value(walk.scores[i]).outcome is not None,
            )
            for i, action in enumerate(self.actions)
            if i in walk.scores
        )


def leaf(method: str, game: Game, state: Any, limit: Limit, **parameters: Any) -> Analysis | None:
    """The result where nothing is to be searched: a terminal state, or depth 0."""
    exact = bool(game.is_terminal(state))
    if not exact and limit.depth != 0:
        return None
    if exact:
        value = float(game.utility(state, 0))
    else:
        need_evaluation(game, method, 0)
        value = primitives.estimate(game, state)
    if math.isnan(value):
        raise RulesError(f"{type(game).__name__}: the value of {state!r} is nan")
    player = _who_would_move(game, state)
    return Analysis(
        game=type(game).__name__,
        players=game.player_names,
        method=method,
        player=player,
        action=None,
        value=Payoffs().value(game, value, player),
        values=_to_all(game, value),
        line=(),
        names=(),
        depth=None if exact else 0,
        nodes=1,
        seconds=0.0,
        exact=exact,
        stopped_by="end" if exact else "depth",
        parameters={**asked_for(limit), **parameters},
    )


def dead_end(game: Game) -> RulesError:
    """The message for rules that leave a player no action."""
    return RulesError(
        f"{type(game).__name__}: a state was reached from which every action leads to a position that must not"
        " recur. Rules that forbid repetition need an action that is always allowed, such as passing"
    )


def need_evaluation(game: Game, method: str, depth: int | None) -> None:
    """Refuses a search to a depth where a game cannot judge what lies there."""
    if not offers(game, "evaluate"):
        name = type(game).__name__
        raise UnsuitableError(
            f"{name} has no `evaluate`, so {method} cannot stop at depth {depth}."
            " Define `evaluate(self, state, player)`, pass evaluation=…, or search without a depth."
        )


def _to_all(game: Game, payoff: float) -> tuple[float, ...]:
    """What every player gets where player 0 gets `payoff`."""
    assert game.total is not None
    return payoff, float(game.total - payoff)


def _who_would_move(game: Game, state: Any) -> int:
    """Rules need not say who moves at a terminal state; then it is player 0."""
    try:
        player = game.player(state)
    except Exception:  # `player` is promised only where the game goes on
        return 0
    return player if player in (0, 1) else 0
