"""The root of the engine: a walk over its actions to one depth, the line behind the best, and what that proves.

The first action of a walk gets the whole window, the others have to show first that they are better.
"""

import functools
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from gametree.errors import InputError
from gametree.game import names_of, offers
from gametree.kernel import primitives
from gametree.kernel.primitives import WIN, WON
from gametree.result import Analysis, Move, Value
from gametree.search.core import repetition
from gametree.search.core.answer import WHOLE, Verdict, Walk, Window
from gametree.search.core.repetition import Past
from gametree.search.core.root import Payoffs
from gametree.search.core.stopwatch import StopWatch
from gametree.search.core.task import Task
from gametree.search.engine import kernel, profiles
from gametree.search.engine import memory as book
from gametree.search.engine.memory import EngineMemory


@dataclass(frozen=True, kw_only=True)
class EngineTask(Task):
    """A task for the engine."""

    lines: int = 1
    """How many of the best lines are wanted."""
    actions: Sequence[Any] | None = None
    """The only ones to be looked at; None for all."""
    names: bool = True
    """Whether the result tells the names of actions, too."""


@dataclass
class Look(Walk[float]):
    """A walk over the root's actions to one depth, with the line of the best."""

    steps: list[int] = field(default_factory=list)
    """The line behind the best action, in the words of a line (`memory.STEP_SHIFT`)."""
    pruned: bool = False
    """Whether anything may have been left out."""
    failed: bool = False
    """Stopped while an action was about to replace the best: how much better it is was not known yet."""
    circular: set[int] = field(default_factory=set)
    """Actions whose score rests on the root itself recurring."""
    played: tuple[tuple[Any, ...], tuple[str, ...]] | None = None
    """The best line as actions and names, once somebody asked for it."""
    effort: dict[int, int] = field(default_factory=dict)
    """The nodes that each action took."""
    rest: list["Look"] = field(default_factory=list)
    """The walks without the actions of the lines before, one a line."""
    certain: bool = False
    """The distance of a win or loss was verified by a search that left nothing out."""


class Distances(Payoffs):
    """Wins and losses by distance, beyond every estimate; other payoffs as they are."""

    def final(self, state: Any, plies: int) -> float:
        return primitives.outcome(self.game, state, plies)

    def recurred(self, mover: int, plies: int) -> float:
        return repetition.score(mover, plies, self.run.path)

    def payoff(self, score: float) -> float:
        if abs(score) < WON or self.game.payoffs is None:
            return score
        return self.game.payoffs[score > 0]

    def value(self, score: float) -> Value:
        if abs(score) < WON or self.game.payoffs is None:
            return super().value(score)
        assert self.game.total is not None
        payoff, won = self.payoff(score), (score > 0) == (self.player == 0)
        mine = payoff if self.player == 0 else self.game.total - payoff
        return Value(mine, "win" if won else "loss", int(WIN - abs(score)))


class EngineRoot(Distances):
    """A state that the engine searches from."""

    features: int
    table: Any

    task: EngineTask
    kernel: Any = staticmethod(kernel.value)
    settles = True
    deepens = True
    tells_last = True

    def __init__(
        self,
        task: EngineTask,
        past: Past | None,
        samples: Sequence[Any],
        prepared: Any,
        watch: StopWatch,
        *,
        features: int,
        table: Any,
        furnish: Callable[[Any], EngineMemory],
    ):
        self.features, self.table, self._furnish = features, table, furnish
        super().__init__(task, past, samples, prepared, watch)
        self.only: list[int] = list(
            range(len(self.actions)) if task.actions is None else self._places(task.actions)
        )
        """The places of the actions to be searched."""
        self.ranked: list[int] = list(self.only)
        """The same in the order in which the next depth looks at them."""
        self.best_scores: list[float] = []
        """The score of every depth so far."""

    def furnish(self, ledger: Any) -> EngineMemory:
        return self._furnish(ledger)

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

    @property
    def memory(self) -> EngineMemory:
        """What the kernel keeps in the run under way."""
        return self.run.memory  # type: ignore[no-any-return]

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
            child = self.children[i]
            run.approach = (self.state, [self.actions[i]])
            memory.lines[book.LINE_PLIES] = 0
            run.path.taint = repetition.CLEAN
            narrow = scout and k > 0
            before = run.nodes
            score = self._signed(child, depth - 1, sign, low, primitives.above(low) if narrow else high)
            if narrow and score is not None and low < score < high:
                better = score
                score = self._signed(child, depth - 1, sign, low, high)
                if score is None:  # that it is better is known, and that it has to be played
                    look.best, look.score, look.failed = i, sign * better, True
                    look.scores[i], look.steps = sign * better, []
            if score is None:
                break
            look.scores[i] = sign * score
            look.effort[i] = run.nodes - before
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

    def _begun(self, depth: int, features: int, window: Window, each: bool) -> Look:
        """A walk about to begin."""
        self.memory.features = features
        self.memory.root_depth = depth
        self.run.path.taint = repetition.CLEAN
        self.run.clock.estimated = False
        return Look(depth, window, each, pruned=bool(features & profiles.PRUNING))

    def _end(self, look: Look) -> None:
        """A walk is over. What was found before it was stopped is no proof, whatever the clock says half-way."""
        look.stopped = self.run.stopped
        cut_short = look.stopped != primitives.RUNNING and look.best is not None
        look.estimated = look.estimated or cut_short or bool(self.run.clock.estimated)

    def fits_at_once(self, depth: int, features: int, order: Sequence[int]) -> bool:
        """Whether the kernel can walk over the root by itself: over all actions, past the horizon, forbidding none."""
        return (
            bool(features & profiles.ROOT and features & profiles.PVS)
            and len(order) == len(self.actions) > 1
            and (depth > 1 or offers(self.game, "tactical"))
            and not (self.past is not None and self.past.forbidding)
        )

    @functools.cached_property
    def children(self) -> list[Any]:
        """The states that the root's actions lead to."""
        return [self.game.result(self.state, action) for action in self.actions]

    def is_over(self, state: Any) -> bool:
        """As it is for every root; asked again at every depth, of the same children."""
        if state not in self._ended:
            self._ended[state] = super().is_over(state)
        return self._ended[state]

    @functools.cached_property
    def _ended(self) -> dict[Any, bool]:
        return {}

    def found_before(self, state: Any, plies: int) -> int:
        """As it is for every root; above a child there is always the same."""
        if plies != 1:
            return super().found_before(state, plies)
        keys = self.run.path.keys
        if state not in self._recurring:
            found = super().found_before(state, 1)
            self._recurring[state] = found, keys[1]
        found, keys[1] = self._recurring[state]
        return found

    @functools.cached_property
    def _recurring(self) -> dict[Any, tuple[int, int]]:
        return {}

    def _signed(self, child: Any, depth: int, sign: float, low: float, high: float) -> float | None:
        """The score of a child to the player at the root."""
        a, b = (low, high) if sign > 0 else (-high, -low)
        score = self.score(child, depth, 1, self.player, (a, b))
        return None if score is None else sign * score

    def _line(self, plies: int) -> list[int]:
        """The best line from a node so many plies below the root on, in the words of a line."""
        lines: Any = self.memory.lines
        at = plies * book.LINE_PLIES + 1
        return [int(lines[step]) for step in range(at, at + int(lines[at - 1]))]

    def played(self, look: Look) -> tuple[tuple[Any, ...], tuple[str, ...]]:
        """The best line of a walk, as actions and names: as it was kept, and what is missing of it found again."""
        if look.played is None:
            look.played = self._played(look)
        return look.played

    def _played(self, look: Look) -> tuple[tuple[Any, ...], tuple[str, ...]]:
        if look.best is None:
            return (), ()
        game = self.game
        line = [self.actions[look.best]]
        selective = bool(self.features & profiles.SELECTIVE)
        if selective and not self.task.names and self._numbered:
            numbers = [(word >> book.STEP_SHIFT) - 1 for word in look.steps]
            if min(numbers, default=0) >= 0:
                return (*line, *numbers), ()
        state = self.children[look.best]
        names = [game.name_action(self.state, line[0])] if self.task.names else []
        for word in look.steps:
            step = self._step(state, word)
            if step is None:
                break
            action, name, state = step
            line.append(action)
            names.append(name)
        whole = len(line) >= look.depth or game.is_terminal(state)
        if not (whole or selective or look.failed):
            line = self.line(look, line)
            names = list(names_of(game, self.state, line))
        return tuple(line), tuple(names) if self.task.names else ()

    @functools.cached_property
    def _numbered(self) -> bool:
        """Whether actions are plain numbers: then a line tells them, and nobody has to look for their places."""
        return all(primitives.action_number(action) >= 0 for action in self.actions)

    def _step(self, state: Any, word: int) -> tuple[Any, str, Any] | None:
        """The action that a word of a line stands for, its name, and where it leads; None where there is none.

        The lines of one depth and the next have most of their steps in common.
        """
        if (state, word) not in self._steps:
            game = self.game
            action = (word >> book.STEP_SHIFT) - 1
            if action < 0 or not self._numbered:
                place = word & book.STEP_MASK
                actions = () if game.is_terminal(state) else tuple(game.actions(state))
                if place >= len(actions):
                    return None
                action = actions[place]
            name = game.name_action(state, action) if self.task.names else ""
            self._steps[state, word] = action, name, game.result(state, action)
        return self._steps[state, word]

    @functools.cached_property
    def _steps(self) -> dict[tuple[Any, int], tuple[Any, str, Any]]:
        return {}

    def searched(self, state: Any, depth: int, plies: int, mover: int, bounds: Window) -> float:
        run, memory = self.run, self.memory
        run.start, run.stride = plies, 1
        memory.before[plies] = memory.top[plies] = 0
        return run.call(state, depth, plies, *bounds, memory, run.clock, run.path)  # type: ignore[no-any-return]

    def analysis(self, walk: Any, **more: Any) -> Analysis:
        """The result of the walks of one depth, the best line's first."""
        if walk.best is None:  # stopped before anything was known
            return super().analysis(walk, line=[self.actions[self.only[0]]], **more)
        line, names = self.played(walk)
        exact = self.is_exact(walk)
        looks = (look for look in (walk, *walk.rest) if look.best is not None)
        return super().analysis(
            walk,
            line=line,
            names=names,
            lines=tuple(self._as_move(look, walk, exact) for look in looks),
            selective_depth=max(walk.depth, self.memory.deepest),
            table_fill=self.fill(),
            **more,
        )

    def is_exact(self, look: Look) -> bool:
        """Whether the value of a walk is proven."""
        return self.verdict(look).proven

    def verdict(self, walk: Any) -> Verdict:
        told = super().verdict(walk)
        if not told.proven or self.is_proof(walk):
            return told
        bound = told.bound
        if bound == "exact" and abs(walk.score) >= WON:
            # A win found while lines were left out may be nearer: the value is a bound.
            bound = "lower" if (walk.score > 0) == (self.player == 0) else "upper"
        return told._replace(bound=bound, proven=False, at_end=False)

    def is_proof(self, walk: Any) -> bool:
        """Whether a value that looks proven is: by no table with entries of other paths, at no wrong distance."""
        if self.rests_on_paths:
            return False
        return not walk.estimated or walk.certain or self._near(walk.score, walk)

    def _near(self, score: float, look: Look) -> bool:
        """Whether nothing nearer than a win or loss at this distance can have been left out."""
        return not look.pruned and primitives.WIN - abs(score) <= look.depth

    @property
    def rests_on_paths(self) -> bool:
        """Whether the table may have values that hold on the paths of others alone."""
        return self.past is not None and not self.past.settled and bool(self.features & profiles.TABLE)

    def holds(self, walk: Any, i: int) -> bool:
        return super().holds(walk, i) and self._sound(walk, i, walk, self.is_exact(walk))

    def _sound(self, look: Look, i: int, best: Look, exact: bool) -> bool:
        """Whether the score of an action that looks proven is.

        Where it takes several recurrences to end the game, going back to the root once does not: such an action is
        worth what the root is worth, so that its score is right only where it is that of the root, and proven.
        """
        often = self.past is not None and self.past.often
        if often and i in look.circular and not (exact and look.scores[i] == best.score):
            return False
        if self.rests_on_paths:
            return False
        return i not in look.guessed or look.certain or self._near(look.scores[i], look)

    def _as_move(self, look: Look, best: Look, exact: bool) -> Move:
        line, names = self.played(look)
        assert look.best is not None and look.score is not None
        value = self.value(look.score)
        complete = look.stopped == primitives.RUNNING
        proven = complete and (not look.estimated or (value.outcome is not None and self.is_proof(look)))
        return Move(
            line[0],
            value,
            "lower" if look.failed or not complete else self.proven_by(look.score, look.window),
            names[0] if names else "",
            proven and self._sound(look, look.best, best, exact),
            line,
            names,
        )

    def fill(self) -> float | None:
        """Which share of the table this search has filled, by a sample of its front."""
        if not self.features & profiles.TABLE:
            return None
        from gametree.search.engine.node import ABOUT, AGE_MASK, AGE_SHIFT, IN_USE, LAYOUT

        about = self.table[ABOUT : 1000 * LAYOUT.words : LAYOUT.words]
        wanted = IN_USE | self.memory.age << AGE_SHIFT
        mask = IN_USE | AGE_MASK << AGE_SHIFT
        if isinstance(about, list):
            used: int = sum(word & mask == wanted for word in about)
            return used / len(about)
        share: float = ((about & mask) == wanted).mean()
        return float(share)
