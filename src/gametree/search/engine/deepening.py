"""Depth after depth, each by the light of the one before.

The window of a depth is narrow where the value of the depth before is known (aspiration), and widened where that was
wrong.
"""

import contextlib
import math
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from gametree.errors import TooDeepError
from gametree.kernel import primitives
from gametree.kernel.primitives import WON
from gametree.result import Analysis
from gametree.search.core.root import WHOLE
from gametree.search.core.runner import STOPPED_BY
from gametree.search.engine import profiles
from gametree.search.engine.quiescence import usual_step
from gametree.search.engine.root import EngineRoot, Look

UNPRUNED_NODES = 300
"""A tree of so few nodes is searched without leaving anything out."""
NARROW = 0.3
"""Usual steps from the value of the depth before to the first window's ends."""


@dataclass(frozen=True)
class Wish:
    """What the user wants to know."""

    lines: int = 1
    moves: bool = False
    on_progress: Callable[[Analysis], None] | None = None
    names: bool = True


def deepen(root: EngineRoot, deepest: int, wish: Wish) -> Analysis:
    """Depth after depth, until the limit, the end of the game, or a proof."""
    start = time.perf_counter()
    root.named = wish.names
    order = list(root.only or range(len(root.actions)))
    lines = min(wish.lines, len(order))
    done: list[Look] = []
    scores: list[float] = []
    pruning = False
    for depth in range(1, deepest + 1):
        pruning = pruning or root.run.nodes > UNPRUNED_NODES
        # Where no line gets as far as the depth, the end of the game is in sight: leave nothing out any more.
        ended = bool(done) and root.memory.deepest + 4 < depth
        features = root.features & ~profiles.PRUNING if ended or not pruning else root.features
        root.memory.deepest = 0
        try:
            looks = _looks(root, depth, features, order, lines, wish.moves, scores)
        except TooDeepError:
            if not done or root.run.in_place:
                raise
            break  # there is no room for longer lines: what is known stands
        if looks[-1].stopped != primitives.RUNNING:
            return _cut_short(root, looks, done, start)
        done = looks
        scores.append(looks[0].score)
        if root.features & profiles.SELECTIVE:  # what was hard to refute may be better next time
            order.sort(key=lambda i: -looks[0].effort.get(i, 0))
        _to_front(order, [look.best for look in looks if look.best is not None])
        if _decided(looks) and lines == 1 and not wish.moves:
            _verify(root, done, order)
        if root.limit.seconds is not None:  # said while there is time: later it would make the answer late
            for look in done:
                root.played(look)
        if wish.on_progress is not None:
            wish.on_progress(root.report(done, time.perf_counter() - start))
        if _finished(root, done) or root.run.stopped != primitives.RUNNING:
            break
    stopped = root.run.stopped if root.run.stopped in STOPPED_BY else primitives.RUNNING
    return root.report(done, time.perf_counter() - start, stopped=stopped)


def assist(root: EngineRoot, deepest: int, start: int) -> None:
    """Deepens like the thread whose result counts, for what it leaves in the table. Nobody asks for the result."""
    order = list(root.only or range(len(root.actions)))
    scores: list[float] = []
    with contextlib.suppress(Exception):  # the first thread meets the same trouble and reports it
        for depth in range(start, deepest + 1):
            look = _within_windows(root, depth, root.features, order, scores)
            if look.stopped != primitives.RUNNING:
                return
            scores.append(look.score)
            if look.best is not None:
                _to_front(order, [look.best])


def _looks(
    root: EngineRoot,
    depth: int,
    features: int,
    order: Sequence[int],
    lines: int,
    each: bool,
    scores: Sequence[float],
) -> list[Look]:
    """A walk for each line, every one without the actions of the lines before."""
    if each:
        return [root.look(depth, features, order, each=True)]
    looks: list[Look] = []
    for _ in range(lines):
        taken = {look.best for look in looks}
        rest = [i for i in order if i not in taken]
        guess = scores if not looks else ()
        look = _within_windows(root, depth, features, rest, guess)
        looks.append(look)
        if look.stopped != primitives.RUNNING:
            break
    return sorted(looks, key=lambda look: _worth(root, look), reverse=True) if len(looks) == lines else looks


def _within_windows(
    root: EngineRoot, depth: int, features: int, order: Sequence[int], scores: Sequence[float]
) -> Look:
    """A walk with narrow windows first. An action that is above a window is better, whatever comes after."""
    better: Look | None = None
    for window in _windows(root, depth, scores):
        if root.fits_at_once(depth, features, order):
            look = root.look_at_once(depth, features, order[0] if scores else -1, window)
        else:
            look = root.look(depth, features, order, window)
        if look.stopped != primitives.RUNNING:
            if better is not None and not _improves(root, look):
                better.stopped, better.failed = look.stopped, True
                return better
            return look
        if window[0] < look.score < window[1]:
            return look
        if _improves(root, look):
            assert look.best is not None
            better = look
            order = [look.best, *(i for i in order if i != look.best)]
    return look


def _worth(root: EngineRoot, look: Look) -> float:
    if look.best is None:
        return -math.inf
    return look.score if root.player == 0 else -look.score


def _windows(root: EngineRoot, depth: int, scores: Sequence[float]) -> Iterator[tuple[float, float]]:
    """Windows around the last value, wider and wider; the last is the whole."""
    if root.features & profiles.ASPIRATION and depth >= 4 and len(scores) >= 3 and abs(scores[-1]) < WON:
        usual = usual_step(root.memory)
        spread = max(abs(scores[-1] - score) for score in scores[-4:-1])
        width = NARROW * (2 * spread if usual == math.inf else max(usual, 2 * spread))
        if 0 < width < WON:
            for times in (1, 4):
                yield scores[-1] - width * times, scores[-1] + width * times
    yield WHOLE


def _to_front(order: list[int], best: Sequence[int]) -> None:
    for i in reversed(best):
        order.insert(0, order.pop(order.index(i)))


def _decided(looks: Sequence[Look]) -> bool:
    """Whether every line asked for ends in a proven win or loss."""
    return all(look.best is not None and abs(look.score) >= WON for look in looks)


def _finished(root: EngineRoot, looks: Sequence[Look]) -> bool:
    """Whether more depth can change nothing."""
    if looks[0].each:
        scores = looks[0].scores
        return all(i not in looks[0].guessed or abs(scores[i]) >= WON for i in scores)
    return _decided(looks) or all(not look.estimated for look in looks)


def _verify(root: EngineRoot, looks: list[Look], order: Sequence[int]) -> None:
    """A win was found while lines were left out: is there none nearer?

    Asked at the cost of the search so far, at most.
    """
    look = looks[0]
    if root.proven(look) or not root.past.settled:
        return
    plies = int(primitives.WIN - abs(look.score))
    closer = None
    if plies > 1:
        with root.run.at_most(root.run.nodes + 10_000):
            closer = root.look(plies - 1, root.features & ~profiles.PRUNING, order)
        if closer.stopped != primitives.RUNNING:
            return
    if closer is not None and closer.best is not None and abs(closer.score) >= WON:
        looks[0] = closer
    looks[0].certain = True


def _cut_short(root: EngineRoot, looks: Sequence[Look], done: Sequence[Look], start: float) -> Analysis:
    """Stopped within a depth: the finished one counts, unless a better action was already proven in this one."""
    seconds = time.perf_counter() - start
    look = looks[0]
    if not done:
        if look.best is None:
            first = root.only[0] if root.only else 0
            return root.analysis(look, [root.actions[first]], root.run.nodes, seconds)
        return root.report([look], seconds)
    if look.stopped == primitives.RUNNING:  # the first lines of several are known at this depth
        known = [other for other in looks if other.stopped == primitives.RUNNING]
        new = {other.best for other in known}
        kept = [*known, *(other for other in done if other.best not in new)][: len(done)]
        return root.report(kept, seconds, stopped=looks[-1].stopped)
    if _improves(root, look) and look.best != done[0].best:
        return root.report([look], seconds)
    return root.report(done, seconds, stopped=look.stopped)


def _improves(root: EngineRoot, look: Look) -> bool:
    """Whether the best of an unfinished walk is above the floor of its window, and so better than what came before."""
    if look.best is None:
        return False
    return look.score > look.window[0] if root.player == 0 else look.score < look.window[1]
