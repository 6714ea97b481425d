"""`against`: search against opponents who err, with what is guaranteed beside what can be expected.

Minimax takes opponents to be perfect, paranoid search to be hostile. Against those who err there is more to gain; how
much, and what is risked for it, is what this search tells. It looks ahead to a depth where `best_response` needs all
positions; to the end of the game the two agree.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, Unpack

from gametree.game import CHANCE, Game
from gametree.result import Analysis, Limit, Value
from gametree.search.core.answer import Walk
from gametree.search.core.runner import Run
from gametree.search.core.sound import sound
from gametree.search.core.task import Keywords, Needs, OnProgress, Task, spelled_out
from gametree.search.core.variant import Variant
from gametree.search.many import noisy_kernel
from gametree.search.many.models import Noisy, understood
from gametree.search.many.paranoid import Opposed, paranoid
from gametree.search.many.root import Score, VectorRoot
from gametree.search.many.task import ManyTask, ask, at_once
from gametree.search.many.vectors import KNOWN
from gametree.search.solve.best_response import Opponent, Policy

NEEDS = Needs("against", repetition="shared")
Model = str | Noisy | Policy


@dataclass(frozen=True, kw_only=True, repr=False)
class Expected(Analysis):
    """What is to be expected against opponents who err, beside what is guaranteed against everybody."""

    model: str
    """What the opponents were taken to do."""
    guarantee: Value | None
    """What the player can make sure of whatever the others do, to the same depth: the value of paranoid search, which
    between two players is that of minimax. None where there was no time."""
    at_worst: Value | None
    """What is left of that after the best action against the model: its price, if the others turn out to be perfect."""

    @property
    def gain(self) -> float | None:
        """What the opponents' errors are worth: value less guarantee."""
        if self.value is None or self.guarantee is None:
            return None
        return float(self.value) - float(self.guarantee)

    def to_dict(self) -> dict[str, Any]:
        """The result as plain data, by the schema `gametree.analysis/1` and what is known besides."""
        sure = {name: None if v is None else v.to_dict() for name, v in self._promises()}
        return {**super().to_dict(), "model": self.model, **sure, "gain": self.gain}

    def _promises(self) -> list[tuple[str, Value | None]]:
        return [("guarantee", self.guarantee), ("at_worst", self.at_worst)]

    def _rows(self) -> list[tuple[str, str]]:
        gain = "" if self.gain is None else f"; the model gives away {self.gain:.6g}"
        return [
            ("against", self.model),
            *super()._rows(),
            ("sure", f"{'not known' if self.guarantee is None else self.guarantee} against everybody{gain}"),
            (
                "at worst",
                f"{'not known' if self.at_worst is None else self.at_worst} after the best action here",
            ),
        ]


class ErringRoot(VectorRoot):
    """A root whose scores are the expected payoffs of all sides."""

    kernel: Any = staticmethod(noisy_kernel.value)
    keeps: type[noisy_kernel.Erring] = noisy_kernel.Erring
    rows = 2

    def __init__(self, task: ManyTask, model: Noisy):
        self.model = model
        super().__init__(task)

    def settings(self, run: Run) -> dict[str, Any]:
        model = self.model
        return {
            **super().settings(run),
            "error": 1.0 if model.error is None else float(model.error),
            "temperature": model.temperature or 0.0,
            "glances": model.by == "evaluation",
        }

    def searched(self, state: Any, depth: int, plies: int, mover: int, bounds: Score | None) -> Score | None:
        run = self.run
        code = run.call(state, depth, 0, run.memory, run.clock, run.path)
        return self._read() if code == KNOWN else None

    def takes(self, mover: int, score: Score, best: Score) -> bool:
        side = self.sides.of[mover]
        return noisy_kernel.exceeds(score[side], best[side])

    def chooses(self) -> bool:
        return self.mover != CHANCE and self.sides.of[self.mover] == self.ours

    def mean(self, walk: Walk[Score]) -> Score | None:
        """The kernel itself draws lots for opponents who err."""
        if self.mover == CHANCE:
            return super().mean(walk)
        if not self.count():
            return None
        self.run.start, self.run.stride = walk.depth, -1
        return self.sound(self.searched(self.state, walk.depth, 0, CHANCE, None))

    def line(self, walk: Walk[Score], known: Sequence[Any] = ()) -> list[Any]:
        """The best action; what follows is in the stars."""
        return [] if walk.best is None else [self.actions[walk.best]]


class Modelled(Variant):
    """A game in which opponents are chance: they draw lots as their policy says."""

    def __init__(self, game: Game, policy: Any, ours: Sequence[int]):
        super().__init__(game)
        self.opponent: Any = Opponent(game, policy, -2)
        self.ours: tuple[int, ...] = tuple(ours)
        self.repetition: tuple[str, int] | None = game.repetition

    def player(self, state: Any) -> int:
        mover = self.game.player(state)
        return mover if mover in self.ours else CHANCE

    def chance(self, state: Any) -> Iterable[tuple[Any, float]]:
        if self.game.player(state) == CHANCE:
            return self.game.chance(state)
        lots: Iterable[tuple[Any, float]] = self.opponent.lottery(state)
        return lots

    def team(self, player: int) -> int:
        return self.game.team(player)

    def repetition_key(self, state: Any) -> Any:
        return self.game.repetition_key(state)

    def name_action(self, state: Any, action: Any) -> str:
        return self.game.name_action(state, action)


class Judging(Modelled):
    """The same of a game that judges states."""

    def evaluate(self, state: Any, player: int) -> float:
        return self.game.evaluate(state, player)


class Responding(Opposed):
    """A root at which opponents do what a policy says."""

    def line(self, walk: Walk[Score], known: Sequence[Any] = ()) -> list[Any]:
        """The best actions, and the likeliest of those the policy plays."""
        line = super().line(walk, known)
        if walk.best is None or walk.stopped:
            return line
        game: Any = self.game
        with self.run.apart():
            state = self.state
            for action in line:
                state = game.result(state, action)
            while len(line) < walk.depth and not game.is_terminal(state):
                if game.player(state) == CHANCE:
                    if game.game.player(state) == CHANCE:
                        break
                    action = max(game.chance(state), key=lambda lot: lot[1])[0]
                else:
                    scores = {}
                    for action in game.actions(state):
                        child = game.result(state, action)
                        left = walk.depth - len(line) - 1
                        score = self.score(child, left, len(line) + 1, self.player, None)
                        if score is None:
                            return line
                        scores[action] = score
                    action = max(scores, key=lambda action: scores[action])
                line.append(action)
                state = game.result(state, action)
        return line


@spelled_out
@sound
def against(
    game: Game,
    model: Model,
    state: Any = None,
    *,
    player: int | None = None,
    moves: bool = False,
    on_progress: OnProgress | None = None,
    **keywords: Unpack[Keywords],
) -> Expected:
    """The best action of the player to move (or `player`) against opponents who err, and what it may expect to get.

    `model` is "uniform", `Noisy(error=…)`, `Noisy(temperature=…)`, or a policy: a function of a state (or a mapping,
    or a `Strategy`) that gives an action, {action: probability} or [(action, probability)]. Members of one's own team
    play the best. The result holds the guarantee against everybody beside the expectation; both are searched to the
    same depth, each with the limit. A policy is Python and is searched interpreted; the other models compile.

    >>> from gametree import Tree
    >>> result = against(Tree([[3, 12, 8], [2, 4, 6], [14, 5, 2]]), "uniform", compile="never")
    >>> result.value == 23 / 3, result.guarantee == 3, result.at_worst == 3
    (True, True, True)
    """
    given = Task.of(NEEDS, game, state, moves=moves, on_progress=on_progress, **keywords)
    task = ask(given, player)
    chosen, name = understood(task.game, model)
    asked: dict[str, Any] = {"model": name}
    found = at_once(task, everybody=True, **asked)
    if found is None:
        found = _search(task, chosen, asked)
    guarantee, at_worst = _promises(task, found)
    own = {part.name: getattr(found, part.name) for part in fields(Analysis)}
    own["game"] = type(game).__name__
    return Expected(**own, model=name, guarantee=guarantee, at_worst=at_worst)


def _search(
    task: ManyTask, model: Noisy | Mapping[Any, Any] | Callable[[Any], Any], asked: dict[str, Any]
) -> Analysis:
    if isinstance(model, Noisy):
        return ErringRoot.search(task, model, **asked)
    ours = task.sides.members[task.sides.of[task.player]]
    kind = Judging if task.capabilities.evaluates else Modelled
    return Responding.search(replace(task, game=kind(task.game, model, ours), compile="never"), **asked)


def _promises(task: ManyTask, found: Analysis) -> tuple[Value | None, Value | None]:
    """What the player can make sure of at the root, and after the action that was found."""
    game, limit = task.game, task.limit
    if game.is_terminal(task.state):
        return found.value, found.value

    def sure(state: Any, depth: int | None, before: Sequence[Any]) -> Value | None:
        told = paranoid(
            game,
            state,
            player=task.player,
            limit=Limit(seconds=limit.seconds, nodes=limit.nodes, depth=depth),
            history=before,
            compile=task.compile,
        )
        return told.value if told.bound == "exact" else None

    guarantee = sure(task.state, found.depth, task.history)
    if found.action is None or game.player(task.state) != task.player:
        return guarantee, guarantee
    child = game.result(task.state, found.action)
    left = None if found.depth is None else found.depth - 1
    return guarantee, sure(child, left, [*task.history, task.state])
