"""What minimax and alpha-beta share: the walk over the root, the line of play, the `Analysis`.

The value of the root is found by the method's kernel on each child. The line is not kept while searching; it is
found again afterwards, by asking along the best line which action attains the known value.
"""

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from gametree.compiled import primitives
from gametree.errors import InputError, RulesError, UnsuitableError
from gametree.game import Game, check_state, offers, with_evaluation
from gametree.result import Analysis, Bound, Limit, Move, StoppedBy, Value
from gametree.search.run import MAX_PLIES, STOPPED_BY, Run, too_deep
from gametree.search.suits import rehearse, require_two_player, root_actions


@dataclass(frozen=True)
class Textbook:
    """What tells one textbook search from another."""

    name: str
    kernel: Any
    search: Callable[[Run, Any, int, float, float], float]
    """The value of a state to player 0, searched to a depth within a window."""
    prunes: bool


def think(
    method: Textbook,
    game: Game,
    state: Any,
    *,
    depth: int | None,
    limit: Limit | None,
    evaluation: Any,
    history: Sequence[Any],
    seed: int,
    compile: str,
    moves: bool,
    window: tuple[float, float] = (-math.inf, math.inf),
    parameters: dict[str, Any] | None = None,
) -> Analysis:
    """Searches `state` with a textbook method."""
    if not isinstance(game, Game):
        made = " Write Nim() rather than Nim." if isinstance(game, type) and issubclass(game, Game) else ""
        raise InputError(f"{method.name} takes a game, not {game!r}.{made}")
    limit = _merged(limit, depth)
    require_two_player(game, method.name)
    game = with_evaluation(game, evaluation)
    state = check_state(game, state)
    samples = rehearse(game, state)
    return _Thought(method, game, state, limit, compile, moves, window, parameters or {}).analysis(samples)


def _merged(limit: Limit | None, depth: int | None) -> Limit:
    if limit is not None and not isinstance(limit, Limit):
        raise InputError(f"limit={limit!r}: write limit=Limit(seconds={limit!r}) or depth={limit!r}")
    given = limit or Limit()
    asked = Limit(depth=depth).depth
    depths = [d for d in (asked, given.depth) if d is not None]
    return Limit(seconds=given.seconds, nodes=given.nodes, depth=min(depths, default=None))


class _Thought:
    """One search by a textbook method."""

    def __init__(
        self,
        method: Textbook,
        game: Game,
        state: Any,
        limit: Limit,
        compile: str,
        moves: bool,
        window: tuple[float, float],
        parameters: dict[str, Any],
    ):
        self.method = method
        self.game = game
        self.state = state
        self.limit = limit
        self.compile = compile
        self.each = moves
        self.window = window
        self.parameters = parameters
        self.depth = MAX_PLIES if limit.depth is None else min(limit.depth, MAX_PLIES)
        self.values: list[float] = []
        self.best: int | None = None
        self.seconds = 0.0

    def analysis(self, samples: Sequence[Any]) -> Analysis:
        """The whole search, from refusals to result."""
        game, state = self.game, self.state
        if game.is_terminal(state):
            return self._leaf(float(game.utility(state, 0)), exact=True)
        if self.depth == 0:
            self._need_evaluation()
            return self._leaf(primitives.estimate(game, state), exact=False)
        self.actions = root_actions(game, state)
        self.maximizing = self.game.player(state) == 0
        self.run = Run(self.method.kernel, game, self.limit, self.compile, samples)
        line = self.run.execute(self._search)
        return self._result(line)

    def _search(self) -> list[Any]:
        start = time.perf_counter()
        try:
            self._walk_root()
        finally:
            self.seconds = time.perf_counter() - start
        self.nodes = self.run.nodes
        self.estimated = bool(self.run.ledger[primitives.ESTIMATED])
        self.stopped = self.run.stopped
        if self.best is None:
            return []
        return self._line()

    def _walk_root(self) -> None:
        run, game = self.run, self.game
        run.count()
        alpha, beta = self.window
        for i, action in enumerate(self.actions):
            child = game.result(self.state, action)
            value = self._value(child, self.depth - 1, alpha, beta)
            if value is None:
                return
            self.values.append(value)
            if self.best is None or (value > self._best() if self.maximizing else value < self._best()):
                self.best = i
            if self.method.prunes and not self.each:
                if self.maximizing:
                    alpha = max(alpha, value)
                else:
                    beta = min(beta, value)
                if alpha >= beta:
                    return

    def _best(self) -> float:
        assert self.best is not None
        return self.values[self.best]

    def _value(self, state: Any, depth: int, alpha: float, beta: float) -> float | None:
        """What a child is worth to player 0; None where the run was told to stop."""
        run, game = self.run, self.game
        if not run.count():
            return None
        run.start_depth = depth
        if game.is_terminal(state):
            value = float(game.utility(state, 0))
        elif depth == 0:
            run.ledger[primitives.ESTIMATED] = 1
            value = primitives.estimate(game, state)
        else:
            value = self.method.search(run, state, depth, alpha, beta)
        if value == value:
            return value
        if run.stopped in STOPPED_BY:
            return None
        if run.stopped == primitives.BY_STACK or self.limit.depth is None:
            raise too_deep(self.game)
        self._need_evaluation()
        run.explain_failure(state)
        raise RulesError(f"{type(self.game).__name__}.evaluate or .utility returned nan")

    def _need_evaluation(self) -> None:
        if not offers(self.game, "evaluate"):
            name = type(self.game).__name__
            raise UnsuitableError(
                f"{name} has no `evaluate`, so {self.method.name} cannot stop at depth {self.limit.depth}."
                f" Define `evaluate(self, state, player)`, pass evaluation=…, or search without a depth."
            )

    def _line(self) -> list[Any]:
        """The best line: at each node the first action that attains the value of the root."""
        assert self.best is not None
        line = [self.actions[self.best]]
        target = self._best()
        game = self.game
        low, high = self.window
        if self.stopped != primitives.RUNNING or not low < target < high:
            return line
        self.run.new_ledger(None)
        state = game.result(self.state, line[0])
        depth = self.depth - 1
        while depth > 0 and not game.is_terminal(state):
            action = self._attaining(state, depth, target)
            if action is None:
                break
            line.append(action)
            state = game.result(state, action)
            depth -= 1
        return line

    def _attaining(self, state: Any, depth: int, target: float) -> Any:
        maximizing = self.game.player(state) == 0
        actions = list(self.game.actions(state))
        for action in actions[:-1]:
            child = self.game.result(state, action)
            if maximizing:
                window = (math.nextafter(target, -math.inf), target)
            else:
                window = (target, math.nextafter(target, math.inf))
            value = self._value(child, depth - 1, *window)
            if value is None:
                return None
            if value >= target if maximizing else value <= target:
                return action
        return actions[-1]

    def _result(self, line: list[Any]) -> Analysis:
        low, high = self.window
        stopped = STOPPED_BY.get(self.stopped)
        by: StoppedBy = stopped or ("depth" if self.estimated else "end")
        complete = stopped is None
        known = self.best is not None
        best = self._best() if known else math.nan
        bound: Bound = "exact"
        if known and complete and best <= low and low > -math.inf:
            bound = "upper"
        elif known and complete and best >= high and high < math.inf:
            bound = "lower"
        if known and not complete:
            bound = "lower" if self.maximizing else "upper"
        return Analysis(
            game=type(self.game).__name__,
            method=self.method.name,
            player=self.game.player(self.state),
            action=line[0] if line else None,
            value=self._to_mover(best) if known else None,
            values=(best, float(self.game.total - best)) if known and self.game.total is not None else (),
            bound=bound if self.maximizing else _FLIPPED[bound],
            line=tuple(line),
            names=self._names(line),
            moves=self._moves(),
            depth=self.limit.depth if self.estimated or not complete else None,
            nodes=self.nodes,
            seconds=self.seconds,
            exact=complete and not self.estimated and bound == "exact",
            stopped_by=by,
            parameters=self._parameters(),
        )

    def _moves(self) -> tuple[Move, ...]:
        if not self.each:
            return ()
        names = [self.game.name_action(self.state, action) for action in self.actions]
        found = []
        for action, name, value in zip(self.actions, names, self.values):
            low, high = self.window
            bound: Bound = "exact"
            if value <= low and low > -math.inf:
                bound = "upper"
            elif value >= high and high < math.inf:
                bound = "lower"
            found.append(Move(action, self._to_mover(value), bound if self.maximizing else _FLIPPED[bound], name))
        return tuple(found)

    def _to_mover(self, value: float) -> Value:
        assert self.game.total is not None
        return Value(value if self.maximizing else self.game.total - value)

    def _names(self, line: list[Any]) -> tuple[str, ...]:
        names, state = [], self.state
        for action in line:
            names.append(self.game.name_action(state, action))
            state = self.game.result(state, action)
        return tuple(names)

    def _parameters(self) -> dict[str, Any]:
        given = {"depth": self.limit.depth, "nodes": self.limit.nodes, "seconds": self.limit.seconds}
        asked = {name: value for name, value in given.items() if value is not None}
        return {**asked, **self.parameters, "compiled": self.run.compiled if hasattr(self, "run") else False}

    def _leaf(self, value: float, exact: bool) -> Analysis:
        if math.isnan(value):
            raise RulesError(f"{type(self.game).__name__}: the value of {self.state!r} is nan")
        total = self.game.total
        assert total is not None
        self.maximizing = self.game.player(self.state) == 0 if not exact else self._leaf_player() == 0
        return Analysis(
            game=type(self.game).__name__,
            method=self.method.name,
            player=0 if self.maximizing else 1,
            action=None,
            value=self._to_mover(value),
            values=(value, float(total - value)),
            line=(),
            names=(),
            depth=None if exact else 0,
            nodes=1,
            seconds=0.0,
            exact=exact,
            stopped_by="end" if exact else "depth",
            parameters=self._parameters(),
        )

    def _leaf_player(self) -> int:
        """Who would move at a terminal state; rules need not say, and then it is player 0."""
        try:
            player = self.game.player(self.state)
        except Exception:  # `player` is not promised at terminal states
            return 0
        return player if player in (0, 1) else 0


_FLIPPED: dict[Bound, Bound] = {"exact": "exact", "lower": "upper", "upper": "lower"}
