"""`analyze`: think for as long as you may, and always have an answer.

Iterative deepening: depth 1, 2, 3 … until the limit, each by the kernel of `engine.py`. Wins and losses are ordered by
their distance (a payoff at an end of `payoffs` is one), so that a proven win is preferred to every estimate, and the
nearest to all others. The root looks first at the best action of the depth before.
"""

import contextlib
import dataclasses
import functools
import math
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from gametree.compiled import primitives
from gametree.errors import InputError
from gametree.game import Game, check_state, offers, with_evaluation
from gametree.result import Analysis, Limit
from gametree.search import engine
from gametree.search.alphabeta import alphabeta
from gametree.search.minimax import minimax
from gametree.search.root import Distances, Method, Root, Walk, leaf, merged
from gametree.search.run import MAX_PLIES, Run, prepare, require_mode
from gametree.search.suits import rehearse, require_game, require_two_player
from gametree.search.table import BUCKET_BYTES, buckets_for

DEFAULT = Limit(seconds=1)
NAME = "iterative deepening alphabeta"
SHELF_WORDS = 1 << 18
INTERPRETED_MEGABYTES = 0.25
"""A table of Python ints is eight times the size, and a slow search fills little of it."""


def _method(table: Any) -> Method:
    """The engine with a table of its own."""

    def search(run: Run, state: Any, depth: int, plies: int, alpha: float, beta: float) -> float:
        return run.call(state, depth, plies, alpha, beta, engine.SHELF, table)  # type: ignore[no-any-return]

    return Method(NAME, engine.value, search, prunes=True, scale=Distances(), settles=True)


def _roots(
    game: Game, state: Any, limit: Limit, compile: str, hash_mb: float, selective: bool, threads: int
) -> list[Root]:
    """A root for each thread, all with one table, and each with a ledger of its own for history and shelf."""
    samples = rehearse(game, state)
    compiled = compile != "never" and prepare(engine.value, game, samples, compile == "always") is not None
    buckets = buckets_for(hash_mb if compiled else min(hash_mb, INTERPRETED_MEGABYTES))
    words = buckets * BUCKET_BYTES // 8
    if compiled:
        import numpy as np

        table: Any = np.zeros(words, dtype=np.int64)
    else:
        table = [0] * words
    method = _method(table)
    end = engine.SHELF + SHELF_WORDS
    settings = (buckets, 1, end, int(selective))
    # Interpreted threads would only wait for each other.
    roots = [
        Root(method, game, state, limit, compile, samples, tail=settings, room=end)
        for _ in range(threads if compiled else 1)
    ]
    for root in roots:
        root.run.ledger[primitives.ENDLESS] = 0  # every depth ends at its horizon
    return roots


@contextlib.contextmanager
def _assisted(roots: Sequence[Root], deepest: int) -> Iterator[None]:
    """Lets other threads search along: what they find is in the table before the first thread needs it."""
    under_way = [
        root.run.begin(functools.partial(_assist, root, deepest, 1 + i % 2)) for i, root in enumerate(roots)
    ]
    try:
        yield
    finally:
        for root in roots:
            root.run.stop(primitives.BY_DRIVER)
        for done in under_way:
            done.wait(1.0)


def _assist(root: Root, deepest: int, start: int) -> None:
    """Deepens like the first thread, some a depth ahead of it. Nobody asks for the result."""
    first = None
    with contextlib.suppress(Exception):  # the first thread meets the same trouble and reports it
        for depth in range(start, deepest + 1):
            walk = root.walk(depth, first=first)
            if walk.stopped != primitives.RUNNING:
                return
            first = walk.best


def analyze(
    game: Game,
    state: Any = None,
    limit: Limit | None = None,
    *,
    depth: int | None = None,
    method: str = "auto",
    moves: bool = False,
    on_progress: Callable[[Analysis], None] | None = None,
    evaluation: str | Callable[[Any, int], float] | None = None,
    history: Sequence[Any] = (),
    seed: int = 0,
    compile: str = "auto",
    threads: int = 1,
    hash_mb: float = 64,
    selective: bool = True,
) -> Analysis:
    """The best action and what it is worth, as far as the limit (one second where none is given) lets it see.

    `method` is "auto", "minimax" or "alphabeta"; `on_progress` is called with the result of every finished depth;
    `hash_mb` is the size of the transposition table, which `threads` share (one thread gives the same answer every
    time, several need not); `selective=False` leaves quiescence out, so that the value is
    that of minimax to the depth.

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
            depth=depth,
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
    require_mode(compile)
    limit = merged(DEFAULT if limit is None and depth is None else limit, depth)
    require_two_player(game, "analyze")
    game = with_evaluation(game, evaluation)
    state = check_state(game, state)
    if not offers(game, "evaluate"):
        game = with_evaluation(game, _even(game))
    if not isinstance(threads, int) or threads < 1:
        raise InputError(f"threads={threads!r}: a whole number of at least 1")
    if not (isinstance(hash_mb, (int, float)) and 0 < hash_mb < math.inf):
        raise InputError(f"hash_mb={hash_mb!r}: the size of the table in megabytes, more than 0")
    done = leaf(NAME, game, state, limit)
    if done is not None:
        return done
    deepest = MAX_PLIES if limit.depth is None else min(limit.depth, MAX_PLIES)
    root, *others = _roots(game, state, limit, compile, hash_mb, selective, threads)

    def search() -> Analysis:
        with _assisted(others, deepest):
            found = _deepen(root, deepest, moves, on_progress)
        helped = sum(other.run.nodes for other in others)
        return dataclasses.replace(found, nodes=found.nodes + helped) if helped else found

    return root.run.execute(search, repeatable=on_progress is None and not others)


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
        if result.exact and all(move.exact for move in result.moves):
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
