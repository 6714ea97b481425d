"""The root of the engine: depth after depth, each by the light of the one before.

The first action of a walk gets the whole window, the others have to show first that they are better. The window of a
depth is narrow where the value of the depth before is known (aspiration), and widened where that was wrong.
"""

import functools
import math
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from gametree.errors import InputError
from gametree.kernel import primitives
from gametree.kernel.clock import BY_CLOCK, RUNNING
from gametree.kernel.primitives import WON
from gametree.search.core import repetition
from gametree.search.core.answer import WHOLE, Window
from gametree.search.core.root import Payoffs
from gametree.search.core.runner import Run
from gametree.search.core.stopwatch import StopWatch
from gametree.search.engine import kernel, profiles
from gametree.search.engine import memory as book
from gametree.search.engine.answer import EngineAnswers, EngineTask, Look
from gametree.search.engine.knowledge import Knowledge
from gametree.search.engine.memory import EngineMemory
from gametree.search.engine.node import usual_step

UNPRUNED_NODES = 300
"""A tree of so few nodes is searched without leaving anything out."""
NARROW = 0.3
"""Usual steps from the value of the depth before to the first window's ends."""
STRIDE = 64
"""How many nodes a compiled search looks at before it asks again whether it has to stop."""


class Child(NamedTuple):
    """A child of the root, and what is known of it before it is searched: at every depth the same."""

    state: Any
    key: int
    """Its key on the path, in games with a rule on positions that recur."""
    before: int
    """Where on the path it was before."""
    score: float | None
    """Its score, where it needs no search."""


class EngineRoot(EngineAnswers, Payoffs):
    """A state that the engine searches from, depth after depth, until the limit, the end of the game, or a proof."""

    kernel: Any = staticmethod(kernel.value)
    plies = book.PATH_PLIES
    settles = True
    deepens = True
    tells_last = True
    _pruning = False

    def __init__(
        self,
        task: EngineTask,
        knowledge: Knowledge,
        features: int,
        watch: StopWatch,
        samples: Sequence[Any] | None,
        first: "EngineRoot | None" = None,
    ):
        """`first` is the root of the first thread of the search, whose machine code and past the others share."""
        self.knowledge: Knowledge = knowledge
        self.features: int = features
        if first is None:
            super().__init__(task, samples=samples, watch=watch)
        else:
            prepared = first.run.prepared
            super().__init__(task, first.past, samples, prepared, watch)
        every = range(len(self.actions))
        self.only: list[int] = list(every if task.actions is None else self._places(task.actions))
        self.ranked: list[int] = list(self.only)
        """The same in the order in which the next depth looks at them."""
        self.best_scores: list[float] = []
        """The score of every depth so far."""
        self._known: dict[int, Child] = {}
        self._nearest: float | None = None
        """The score of a win or loss of which it was verified that none is nearer."""

    @property
    def memory(self) -> EngineMemory:
        """What the kernel keeps in the run under way."""
        return self.run.memory  # type: ignore[no-any-return]

    def furnish(self, run: Run) -> EngineMemory:
        clock = run.clock
        clock.endless = False  # every depth ends at its horizon
        if run.compiled:  # nodes are dearer than those of the textbook, and a deadline is a deadline
            clock.stride = STRIDE
            clock.next = min(STRIDE, clock.limit)
        salt = 0 if self.past is None else self.past.salt
        below = int(self.game.slice(self.state)) if self.game.offered.slice_place else -1
        return self.knowledge.for_thread(run.compiled, bool(self.features & profiles.WARY), salt, below)

    def _places(self, actions: Iterable[Any]) -> list[int]:
        """Where the actions to be searched stand in the order of `actions`."""
        places = []
        for action in actions:
            if action not in self.actions:
                legal = ", ".join(self.game.name_action(self.state, other) for other in self.actions[:20])
                raise InputError(f"{action!r} is not a legal action here; legal are: {legal}")
            places.append(self.actions.index(action))
        if not places:
            raise InputError("actions=[]: name at least one action, or leave it out to search all of them")
        return sorted(set(places))

    # --- one score ------------------------------------------------------------------------------------

    def final(self, state: Any, plies: int) -> float:
        return primitives.outcome(self.game, state, plies)

    def recurred(self, mover: int, plies: int) -> float:
        return repetition.score(mover, plies, self.run.path)

    def searched(self, state: Any, depth: int, plies: int, mover: int, bounds: Window) -> float:
        run, memory = self.run, self.memory
        run.start, run.stride = plies, 1
        memory.before[plies] = memory.top[plies] = 0
        return run.call(state, depth, plies, *bounds, memory, run.clock, run.path)  # type: ignore[no-any-return]

    @functools.cached_property
    def children(self) -> list[Any]:  # type: ignore[override]
        return [self.game.result(self.state, action) for action in self.actions]

    def _child(self, i: int) -> Child:
        """The child behind the action at place `i`."""
        state, key, before, score = self.children[i], 0, repetition.NOWHERE, None
        if self.game.is_terminal(state):
            score = self.sound(self.final(state, 1))
        elif self.past is not None:
            path = self.run.path
            before, key = repetition.recurs(self.game, state, 1, path), path.keys[1]
            if before != repetition.NOWHERE:
                score = self.sound(self.recurred(self.player, 1))
        return Child(state, key, before, score)

    def _scored(self, i: int, depth: int, low: float, high: float) -> float | None:
        """The score of a child to the player at the root, `depth` plies deep; None where the run was told to stop."""
        if not self.count():
            return None
        child = self._known.get(i)
        with self.run.in_time():
            child = self._known[i] = child or self._child(i)
        if child is None:
            return None
        path, sign = self.run.path, 1.0 if self.player == 0 else -1.0
        if self.past is not None:
            path.keys[1] = child.key
            if child.before != repetition.NOWHERE:
                repetition.note(child.before, path)
        if child.score is not None:
            return sign * child.score
        window = (low, high) if sign > 0 else (-high, -low)
        score = self.sound(self.searched(child.state, depth, 1, self.player, window))
        return None if score is None else sign * score

    # --- one walk over the actions --------------------------------------------------------------------

    def look(
        self,
        depth: int,
        features: int,
        order: Sequence[int],
        window: Window = WHOLE,
        each: bool = False,
    ) -> Look:
        """Values the root's children in the given order."""
        run, memory = self.run, self.memory
        look = self._begun(depth, features, window, each)
        sign = 1.0 if self.player == 0 else -1.0
        low, high = window if self.player == 0 else (-window[1], -window[0])
        scout = bool(features & profiles.PVS) and not each
        behind: dict[int, list[int]] = {}
        for k, i in enumerate(order if self.count() else ()):
            run.approach = (self.state, [self.actions[i]])
            memory.lines[book.LINE_PLIES] = 0
            run.path.taint = repetition.CLEAN
            narrow = scout and k > 0
            before = run.clock.nodes
            score = self._scored(i, depth - 1, low, primitives.above(low) if narrow else high)
            if narrow and score is not None and low < score < high:
                better = score
                score = self._scored(i, depth - 1, low, high)
                if score is None:  # that it is better is known, and that it has to be played
                    look.best, look.score, look.failed = i, sign * better, True
                    look.scores[i], look.steps = sign * better, []
            if score is None:
                break
            look.scores[i] = sign * score
            look.effort[i] = run.clock.nodes - before
            if each:
                behind[i] = self._line(1)
            if run.path.taint <= 0:
                look.circular.add(i)
            if run.clock.estimated:
                look.estimated = True
                look.guessed.add(i)
                run.clock.estimated = False
            if look.score is None or score > sign * look.score:
                look.best, look.score = i, sign * score
                look.steps = self._line(1)
            if not each:
                low = max(low, score)
                if low >= high:
                    break
        self._end(look)
        if each and look.best is not None:
            look.best = min(i for i, score in look.scores.items() if score == look.score)
            look.steps = behind[look.best]
        return look

    def look_at_once(self, depth: int, features: int, first: int, window: Window) -> Look:
        """The same by one call of the kernel, beginning with the `first` action: the root is a node like any other."""
        run, memory = self.run, self.memory
        look = self._begun(depth, features, window, each=False)
        memory.first = first + 1
        memory.chosen = memory.rising = 0
        run.approach = (self.state, [])
        if self.count():
            score = self.sound(self.searched(self.state, depth, 0, self.player, window))
            risen = score is None and memory.rising > 0
            place, reached = (memory.rising, memory.risen) if risen else (memory.chosen, memory.reached)
            if place > 0:
                look.best, look.score, look.failed = place - 1, reached, risen
                look.scores[look.best] = reached
                line = self._line(0)
                if line and line[0] & book.STEP_MASK == look.best:
                    look.steps = line[1:]
                if run.clock.estimated:
                    look.guessed.add(look.best)
        self._end(look)
        return look

    def fits_at_once(self, depth: int, features: int, order: Sequence[int]) -> bool:
        """Whether the kernel can walk over the root by itself: over all actions, past the horizon, forbidding none."""
        return (
            bool(features & profiles.ROOT and features & profiles.PVS)
            and len(order) == len(self.actions) > 1
            and (depth > 1 or type(self.game).offered.tactical)
            and not (self.past is not None and self.past.forbidding)
        )

    def _begun(self, depth: int, features: int, window: Window, each: bool) -> Look:
        """A walk about to begin."""
        self.memory.features = features
        self.memory.root_depth = depth
        self.run.path.taint = repetition.CLEAN
        self.run.clock.estimated = False
        return Look(depth, window, each, pruned=bool(features & profiles.PRUNING))

    def _end(self, look: Look) -> None:
        """A walk is over. What was found before it was stopped is no proof, whatever the clock says half-way."""
        look.stopped = self.run.clock.stop
        cut_short = look.stopped != RUNNING and look.best is not None
        look.estimated = look.estimated or cut_short or bool(self.run.clock.estimated)

    def _line(self, plies: int) -> list[int]:
        """The best line from a node so many plies below the root on, in the words of a line."""
        lines: Any = self.memory.lines
        at = plies * book.LINE_PLIES + 1
        return [int(lines[step]) for step in range(at, at + int(lines[at - 1]))]

    # --- one depth ------------------------------------------------------------------------------------

    def walk(self, depth: int, window: Window = WHOLE, each: bool = False) -> Look:
        self._pruning = self._pruning or self.run.clock.nodes > UNPRUNED_NODES
        # Where no line gets as far as the depth, the end of the game is in sight: leave nothing out any more.
        ended = bool(self.best_scores) and self.memory.deepest + 4 < depth
        features = self.features & ~profiles.PRUNING if ended or not self._pruning else self.features
        self.memory.deepest = 0
        if each:
            return self.look(depth, features, self.ranked, each=True)
        first, *first.rest = self._looks(depth, features)
        return first

    @property
    def lines(self) -> int:
        """How many lines are told."""
        return min(self.task.lines, len(self.ranked))

    def _looks(self, depth: int, features: int) -> list[Look]:
        """A walk for each line, every one without the actions of the lines before."""
        looks: list[Look] = []
        for _ in range(self.lines):
            taken = {look.best for look in looks}
            rest = [i for i in self.ranked if i not in taken]
            looks.append(self.within_windows(depth, features, rest, () if looks else self.best_scores))
            if looks[-1].stopped != RUNNING:
                break
        sign = 1 if self.player == 0 else -1
        if len(looks) == self.lines > 1:
            looks.sort(key=lambda look: -math.inf if look.score is None else sign * look.score, reverse=True)
        return looks

    def within_windows(
        self, depth: int, features: int, order: Sequence[int], scores: Sequence[float]
    ) -> Look:
        """A walk with narrow windows first. An action that is above a window is better, whatever comes after."""
        better: Look | None = None
        for window in self._windows(depth, scores):
            if self.fits_at_once(depth, features, order):
                look = self.look_at_once(depth, features, order[0] if scores else -1, window)
            else:
                look = self.look(depth, features, order, window)
            if look.stopped != RUNNING:
                if better is not None and not self._improves(look):
                    better.stopped, better.failed = look.stopped, True
                    return better
                return look
            assert look.score is not None
            if window[0] < look.score < window[1]:
                return look
            if self._improves(look):
                assert look.best is not None
                better = look
                order = [look.best, *(i for i in order if i != look.best)]
        return look

    def _windows(self, depth: int, scores: Sequence[float]) -> Iterator[Window]:
        """Windows around the last value, wider and wider; the last is the whole."""
        narrows = self.features & profiles.ASPIRATION and depth >= 4
        if narrows and len(scores) >= 3 and abs(scores[-1]) < WON:
            usual = usual_step(self.memory)
            spread = max(abs(scores[-1] - score) for score in scores[-4:-1])
            width = NARROW * (2 * spread if usual == math.inf else max(usual, 2 * spread))
            if 0 < width < WON:
                for times in (1, 4):
                    yield scores[-1] - width * times, scores[-1] + width * times
        yield WHOLE

    def _improves(self, look: Look) -> bool:
        """Whether the best of an unfinished walk is above the floor of its window: better than what came before."""
        if look.score is None:
            return False
        return look.score > look.window[0] if self.player == 0 else look.score < look.window[1]

    # --- from depth to depth --------------------------------------------------------------------------

    def unfinished(self, depth: int) -> Any:
        return Look(depth, each=self.task.moves, stopped=BY_CLOCK)

    def is_cut(self, walk: Any) -> bool:
        return bool([walk, *walk.rest][-1].stopped != RUNNING)

    def learn(self, walk: Any) -> Any:
        looks = [walk, *walk.rest]
        self.best_scores.append(walk.score)
        if self.features & profiles.SELECTIVE:  # what was hard to refute may be better next time
            self.ranked.sort(key=lambda i: -walk.effort.get(i, 0))
        to_front(self.ranked, [look.best for look in looks if look.best is not None])
        if _decided(looks) and self.lines == 1:
            walk = self._verified(walk)
        if self.limit.seconds is not None:  # said while there is time: later it would make the answer late
            for look in (walk, *walk.rest):
                self.played(look)
        return walk

    def _verified(self, look: Look) -> Look:
        """A win was found while lines were left out: is there none nearer?

        Asked at the cost of the search so far, at most.
        """
        if self.is_proof(look) or (self.past is not None and not self.past.settled):
            return look
        assert look.score is not None
        if look.each and look.score == self._nearest:
            look.certain = True
            return look
        plies = int(primitives.WIN - abs(look.score))
        if plies > 1:
            with self.run.at_most(self.run.clock.nodes + 10_000):
                closer = self.look(plies - 1, self.features & ~profiles.PRUNING, self.ranked)
            if closer.stopped != RUNNING:
                return look
            if closer.score is not None and abs(closer.score) >= WON:
                if look.each:
                    assert closer.best is not None
                    look.scores[closer.best] = closer.score
                    closer.scores, closer.each, closer.guessed = look.scores, True, look.guessed
                    closer.depth, closer.pruned, closer.estimated = look.depth, look.pruned, look.estimated
                look = closer
        look.certain, self._nearest = True, look.score
        return look

    def following(self, walk: Any) -> int | None:
        looks = [walk, *walk.rest]
        if walk.each:
            over = all(i not in walk.guessed or abs(score) >= WON for i, score in walk.scores.items())
        else:
            over = _decided(looks) or not any(look.estimated for look in looks)
        return None if over else walk.depth + 1

    def cut_short(self, walk: Any, done: Any) -> Any:
        """Stopped within a depth: the finished one counts, unless a better action was already proven in this one."""
        if done is None:
            walk.rest = []
            return walk
        if walk.stopped == RUNNING:  # the first lines of several are known at this depth
            known = [look for look in (walk, *walk.rest) if look.stopped == RUNNING]
            new = {look.best for look in known}
            before = [done, *done.rest]
            first, *first.rest = [*known, *(look for look in before if look.best not in new)][: len(before)]
            return first
        if self._improves(walk) and walk.best != done.best:
            walk.rest = []
            return walk
        return done


def to_front(order: list[int], best: Sequence[int]) -> None:
    """Puts the best actions before the others."""
    for i in reversed(best):
        order.insert(0, order.pop(order.index(i)))


def _decided(looks: Sequence[Look]) -> bool:
    """Whether every line asked for ends in a proven win or loss."""
    return all(look.score is not None and abs(look.score) >= WON for look in looks)
