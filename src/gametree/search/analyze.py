"""`analyze`: think for as long as you may, and always have an answer.

Alpha-beta by iterative deepening: depth 1, 2, 3 … until the limit. Wins and losses are ordered by their distance
(a payoff at an end of `payoffs` is one), so that a proven win is preferred to every estimate, and the nearest to all
others. The root looks first at the best action of the depth before.
"""

import math
import time
from collections.abc import Callable, Sequence
from typing import Any

from gametree.compiled import primitives
from gametree.compiled.primitives import NEXT, NODES, Ints, horizon, outcome, poll
from gametree.errors import InputError
from gametree.game import Game, check_state, offers, with_evaluation
from gametree.result import Analysis, Limit
from gametree.search.alphabeta import alphabeta
from gametree.search.minimax import minimax
from gametree.search.root import Distances, Method, Root, Walk, leaf, merged
from gametree.search.run import MAX_PLIES, Run
from gametree.search.suits import rehearse, require_game, require_two_player

INFINITY = math.inf
STOPPED = math.nan
DEFAULT = Limit(seconds=1)


def value(
    game: Any, state: Any, depth: int, plies: int, alpha: float, beta: float, ledger: Ints, path: Ints
) -> float:
    """The score to player 0 of a state that is not terminal and lies `plies` below the root; nan when told to stop.

    It proves what alpha-beta's does (see `alphabeta.value`), in scores: WIN − n for a win n plies from the root.
    """
    i = 0
    if game.player(state) == 0:
        best = -INFINITY
        for action in game.actions(state):
            if ledger[NODES] == ledger[NEXT] and poll(ledger):
                return STOPPED
            ledger[NODES] += 1
            child = game.result(state, action)
            if game.is_terminal(child):
                v = outcome(game, child, plies + 1)
            elif depth == 1:
                v = horizon(game, child, ledger)
            else:
                path[depth] = i
                v = value(game, child, depth - 1, plies + 1, alpha, beta, ledger, path)
            if v != v:
                return STOPPED
            i += 1
            if v > best:
                best = v
                if v >= beta:
                    return best
                if v > alpha:
                    alpha = v
    else:
        best = INFINITY
        for action in game.actions(state):
            if ledger[NODES] == ledger[NEXT] and poll(ledger):
                return STOPPED
            ledger[NODES] += 1
            child = game.result(state, action)
            if game.is_terminal(child):
                v = outcome(game, child, plies + 1)
            elif depth == 1:
                v = horizon(game, child, ledger)
            else:
                path[depth] = i
                v = value(game, child, depth - 1, plies + 1, alpha, beta, ledger, path)
            if v != v:
                return STOPPED
            i += 1
            if v < best:
                best = v
                if v <= alpha:
                    return best
                if v < beta:
                    beta = v
    if i == 0:
        raise ValueError("a state that is not terminal has no actions")
    return best


def _search(run: Run, state: Any, depth: int, plies: int, alpha: float, beta: float) -> float:
    return run.call(state, depth, plies, alpha, beta)  # type: ignore[no-any-return]


_METHOD = Method("iterative deepening alphabeta", value, _search, prunes=True, scale=Distances())


def analyze(
    game: Game,
    state: Any = None,
    limit: Limit | None = None,
    *,
    method: str = "auto",
    moves: bool = False,
    on_progress: Callable[[Analysis], None] | None = None,
    evaluation: str | Callable[[Any, int], float] | None = None,
    history: Sequence[Any] = (),
    seed: int = 0,
    compile: str = "auto",
) -> Analysis:
    """The best action and what it is worth, as far as the limit (one second where none is given) lets it see.

    `method` is "auto", "minimax" or "alphabeta"; `on_progress` is called with the result of every finished depth.

    >>> from gametree.games import Nim
    >>> result = analyze(Nim(counters=5), limit=Limit(depth=20))
    >>> result.action, str(result.value), result.exact
    (1, 'win in 3', True)
    """
    textbook = {"minimax": minimax, "alphabeta": alphabeta}
    if method in textbook:
        return textbook[method](
            game,
            state,
            limit=limit,
            evaluation=evaluation,
            history=history,
            seed=seed,
            compile=compile,
            moves=moves,
        )
    if method != "auto":
        raise InputError(f'method={method!r}: it is "auto", {", ".join(map(repr, textbook))}')
    require_game(game, "analyze")
    limit = merged(DEFAULT if limit is None else limit, None)
    require_two_player(game, "analyze")
    game = with_evaluation(game, evaluation)
    state = check_state(game, state)
    if not offers(game, "evaluate"):
        game = with_evaluation(game, _even(game))
    done = leaf(_METHOD.name, game, state, limit)
    if done is not None:
        return done
    deepest = MAX_PLIES if limit.depth is None else min(limit.depth, MAX_PLIES)
    root = Root(_METHOD, game, state, limit, compile, rehearse(game, state))
    root.run.ledger[primitives.ENDLESS] = 0  # every depth ends at its horizon
    return root.run.execute(
        lambda: _deepen(root, deepest, moves, on_progress), repeatable=on_progress is None
    )


def _even(game: Game) -> Callable[[Any, int], float]:
    """The evaluation of those who have none: nobody is ahead."""
    half = float(game.total or 0) / 2
    return lambda state, player: half


def _deepen(
    root: Root, deepest: int, moves: bool, on_progress: Callable[[Analysis], None] | None
) -> Analysis:
    start = time.perf_counter()
    last: tuple[Walk, list[Any]] | None = None
    for depth in range(1, deepest + 1):
        walk = root.walk(depth, each=moves, first=None if last is None else last[0].best)
        if walk.stopped != primitives.RUNNING:
            return _cut_short(root, walk, last, start)
        last = walk, root.line(walk)
        result = root.analysis(*last, root.run.nodes, time.perf_counter() - start)
        if on_progress is not None:
            on_progress(result)
        if result.exact:
            break
    return result


def _cut_short(root: Root, walk: Walk, last: tuple[Walk, list[Any]] | None, start: float) -> Analysis:
    """Stopped within a depth: the finished one counts, unless a better action was already proven in this one."""
    seconds = time.perf_counter() - start
    if last is None:
        best = 0 if walk.best is None else walk.best
        return root.analysis(walk, [root.actions[best]], root.run.nodes, seconds)
    done, line = last
    if walk.best is not None and walk.best != done.best:
        return root.analysis(walk, [root.actions[walk.best]], root.run.nodes, seconds)
    return root.analysis(done, line, root.run.nodes, seconds, stopped=walk.stopped)
