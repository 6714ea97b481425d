"""What the engine says of a walk over its root: wins and losses by distance, the lines, what is proven."""

import functools
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from gametree.game import names_of
from gametree.kernel import primitives
from gametree.kernel.clock import RUNNING
from gametree.kernel.primitives import WIN, WON
from gametree.result import Analysis, Move, Value
from gametree.search.core.answer import PayoffAnswers, Verdict, Walk
from gametree.search.core.task import Task
from gametree.search.engine import memory as book
from gametree.search.engine import profiles
from gametree.search.engine.memory import EngineMemory
from gametree.search.engine.node import ABOUT, AGE_MASK, AGE_SHIFT, IN_USE, LAYOUT


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


class EngineAnswers(PayoffAnswers):
    """A root of the engine as far as it says what was found."""

    task: EngineTask
    features: int
    only: list[int]
    """The places of the actions to be searched."""
    children: list[Any]
    """The states that the root's actions lead to."""

    # --- scores ---------------------------------------------------------------------------------------

    def payoff(self, score: float) -> float:
        if abs(score) < WON or self.game.payoffs is None:
            return score
        return self.game.payoffs[score > 0]

    def value(self, score: float) -> Value:
        assert self.game.total is not None
        payoff = self.payoff(score)
        mine = payoff if self.player == 0 else self.game.total - payoff
        if abs(score) < WON or self.game.payoffs is None:
            return Value(mine)
        won = (score > 0) == (self.player == 0)
        return Value(mine, "win" if won else "loss", int(WIN - abs(score)))

    # --- lines ----------------------------------------------------------------------------------------

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
        names = [game.name_action(self.state, line[0])] if self.task.names else []
        with self.run.in_time():
            state = self.children[look.best]
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
                line = line[: len(names)]
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

    # --- the result -----------------------------------------------------------------------------------

    def analysis(self, walk: Any, **more: Any) -> Analysis:
        """The result of the walks of one depth, the best line's first."""
        if walk.best is None:  # stopped before anything was known
            return super().analysis(walk, line=[self.actions[self.only[0]]], **more)
        line, names = self.played(walk)
        told = self.verdict(walk)
        looks = (look for look in (walk, *walk.rest) if look.best is not None)
        return super().analysis(
            walk,
            told=told,
            line=line,
            names=names,
            lines=tuple(self._as_move(look, walk, told.proven) for look in looks),
            selective_depth=max(walk.depth, self.run.memory.deepest),
            table_fill=self.fill(),
            **more,
        )

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

    def holds(self, walk: Any, i: int, told: Verdict) -> bool:
        certain = i not in walk.guessed or self.value(walk.scores[i]).outcome is not None
        return certain and self._sound(walk, i, walk, told.proven)

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
        if i not in look.guessed or self._near(look.scores[i], look):
            return True
        if not look.each or i == look.best:
            return look.certain
        # A win as near as the nearest cannot be nearer; of other actions nothing was verified.
        won = (look.scores[i] > 0) == (self.player == 0)
        return look.certain and won and look.scores[i] == look.score

    def _as_move(self, look: Look, best: Look, exact: bool) -> Move:
        line, names = self.played(look)
        assert look.best is not None and look.score is not None
        value = self.value(look.score)
        complete = look.stopped == RUNNING
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
        memory: EngineMemory = self.run.memory
        table: Any = memory.table
        about = table[ABOUT : 1000 * LAYOUT.words : LAYOUT.words]
        wanted = IN_USE | memory.age << AGE_SHIFT
        mask = IN_USE | AGE_MASK << AGE_SHIFT
        if isinstance(about, list):
            used: int = sum(word & mask == wanted for word in about)
            return used / len(about)
        share: float = ((about & mask) == wanted).mean()
        return float(share)
