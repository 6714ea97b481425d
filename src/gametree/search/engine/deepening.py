"""Depth after depth, each by the light of the one before.

The window of a depth is narrow where the value of the depth before is known (aspiration), and widened where that was
wrong.
"""

import contextlib
import math
from collections.abc import Iterator, Sequence
from typing import Any

from gametree.kernel import primitives
from gametree.kernel.primitives import WON
from gametree.search.core.answer import WHOLE, Window
from gametree.search.engine import profiles
from gametree.search.engine.node import usual_step
from gametree.search.engine.root import EngineRoot, Look

UNPRUNED_NODES = 300
"""A tree of so few nodes is searched without leaving anything out."""
NARROW = 0.3
"""Usual steps from the value of the depth before to the first window's ends."""


class Deepening(EngineRoot):
    """A state that the engine searches depth after depth, until the limit, the end of the game, or a proof."""

    _pruning = False

    @property
    def lines(self) -> int:
        """How many lines are told."""
        return min(self.task.lines, len(self.ranked))

    def walk(self, depth: int, window: Window = WHOLE, each: bool = False) -> Look:
        self._pruning = self._pruning or self.run.nodes > UNPRUNED_NODES
        # Where no line gets as far as the depth, the end of the game is in sight: leave nothing out any more.
        ended = bool(self.best_scores) and self.memory.deepest + 4 < depth
        features = self.features & ~profiles.PRUNING if ended or not self._pruning else self.features
        self.memory.deepest = 0
        first, *first.rest = _looks(self, depth, features, each)
        return first

    def is_cut(self, walk: Any) -> bool:
        return bool([walk, *walk.rest][-1].stopped != primitives.RUNNING)

    def learn(self, walk: Any) -> Any:
        looks = [walk, *walk.rest]
        self.best_scores.append(walk.score)
        if self.features & profiles.SELECTIVE:  # what was hard to refute may be better next time
            self.ranked.sort(key=lambda i: -walk.effort.get(i, 0))
        _to_front(self.ranked, [look.best for look in looks if look.best is not None])
        if _decided(looks) and self.lines == 1 and not self.task.moves:
            walk = _verified(self, walk)
        if self.limit.seconds is not None:  # said while there is time: later it would make the answer late
            for look in (walk, *walk.rest):
                self.played(look)
        return walk

    def is_finished(self, walk: Any) -> bool:
        if walk.each:
            return all(i not in walk.guessed or abs(score) >= WON for i, score in walk.scores.items())
        looks = [walk, *walk.rest]
        return _decided(looks) or all(not look.estimated for look in looks)

    def cut_short(self, walk: Any, done: Any) -> Any:
        """Stopped within a depth: the finished one counts, unless a better action was already proven in this one."""
        if done is None:
            walk.rest = []
            return walk
        if walk.stopped == primitives.RUNNING:  # the first lines of several are known at this depth
            known = [look for look in (walk, *walk.rest) if look.stopped == primitives.RUNNING]
            new = {look.best for look in known}
            before = [done, *done.rest]
            first, *first.rest = [*known, *(look for look in before if look.best not in new)][: len(before)]
            return first
        if _improves(self, walk) and walk.best != done.best:
            walk.rest = []
            return walk
        return done


def assist(root: EngineRoot, start: int) -> None:
    """Deepens like the thread whose result counts, for what it leaves in the table. Nobody asks for the result."""
    order = list(root.only)
    scores: list[float] = []
    with contextlib.suppress(Exception):  # the first thread meets the same trouble and reports it
        for depth in range(start, root.deepest + 1):
            look = _within_windows(root, depth, root.features, order, scores)
            if look.stopped != primitives.RUNNING:
                return
            assert look.score is not None and look.best is not None
            scores.append(look.score)
            _to_front(order, [look.best])


def _looks(root: Deepening, depth: int, features: int, each: bool) -> list[Look]:
    """A walk for each line, every one without the actions of the lines before."""
    if each:
        return [root.look(depth, features, root.ranked, each=True)]
    looks: list[Look] = []
    for _ in range(root.lines):
        taken = {look.best for look in looks}
        rest = [i for i in root.ranked if i not in taken]
        look = _within_windows(root, depth, features, rest, () if looks else root.best_scores)
        looks.append(look)
        if look.stopped != primitives.RUNNING:
            break
    whole = len(looks) == root.lines
    return sorted(looks, key=lambda look: _worth(root, look), reverse=True) if whole else looks


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
        assert look.score is not None
        if window[0] < look.score < window[1]:
            return look
        if _improves(root, look):
            assert look.best is not None
            better = look
            order = [look.best, *(i for i in order if i != look.best)]
    return look


def _worth(root: EngineRoot, look: Look) -> float:
    if look.score is None:
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
    return all(look.score is not None and abs(look.score) >= WON for look in looks)


def _verified(root: Deepening, look: Look) -> Look:
    """A win was found while lines were left out: is there none nearer?

    Asked at the cost of the search so far, at most.
    """
    if root.is_proof(look) or (root.past is not None and not root.past.settled):
        return look
    assert look.score is not None
    plies = int(primitives.WIN - abs(look.score))
    if plies > 1:
        with root.run.at_most(root.run.nodes + 10_000):
            closer = root.look(plies - 1, root.features & ~profiles.PRUNING, root.ranked)
        if closer.stopped != primitives.RUNNING:
            return look
        if closer.score is not None and abs(closer.score) >= WON:
            look = closer
    look.certain = True
    return look


def _improves(root: EngineRoot, look: Look) -> bool:
    """Whether the best of an unfinished walk is above the floor of its window, and so better than what came before."""
    if look.score is None:
        return False
    return look.score > look.window[0] if root.player == 0 else look.score < look.window[1]
