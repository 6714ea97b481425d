"""Players that think: every search by its name, levels, and chance."""

import random
from collections.abc import Mapping
from typing import Any, Final

from gametree.arena.asking import Question
from gametree.arena.bot import Bot
from gametree.arena.thinking import Thinker, Wanted
from gametree.game import CHANCE, Game
from gametree.result import Limit
from gametree.search.mcts.options import usual_parts
from gametree.search.mcts.search import MonteCarlo
from gametree.search.methods import function_of, keywords
from gametree.view import View

USUAL: Final = Limit(seconds=1)
"""What a search may do where neither it nor the match says."""


class Random:
    """Plays at random, by the seed of the game."""

    def __init__(self, game: Game):
        self.game = game
        self._random = random.Random(0)

    def begin(self, seed: int) -> None:
        self._random = random.Random(seed)

    def answer(self, question: Question) -> Any:
        """Any legal action."""
        state = question.state
        return self._random.choice(
            list(state.actions if isinstance(state, View) else self.game.actions(state))
        )


class Levelled:
    """A bot at a level."""

    def __init__(self, game: Game, level: int, seconds: float):
        self._bot = Bot(game, level, seconds=seconds)

    def begin(self, seed: int) -> None:
        self._bot.seed = seed

    def answer(self, question: Question) -> Any:
        """The bot's move."""
        return self._bot.move(question.state, question.history)


class Fitting:
    """The search that fits the game, which remembers from move to move."""

    def __init__(self, game: Game, limit: Limit | None, settings: Mapping[str, Any]):
        self._limit = limit
        wanted = Wanted(game, **{"hash_mb": 16, **settings})
        self._wanted = wanted
        depth = limit is not None and limit.depth is not None
        self._thinker: Thinker = wanted.make(wanted.choice(to_a_depth=depth))
        self._thinker.prepare()

    def begin(self, seed: int) -> None:
        self._thinker.clear()
        if hasattr(self._thinker, "seed"):
            self._thinker.seed = self._wanted.seed + seed

    def answer(self, question: Question) -> Any:
        """The best action that it finds."""
        limit = question.allowed(self._limit, USUAL)
        return chosen(self._thinker.analyze(question.state, limit, history=question.history), question)


class Searching:
    """One search by its name, which begins anew for every move."""

    def __init__(self, game: Game, method: str, limit: Limit | None, settings: Mapping[str, Any]):
        self.game = game
        self._limit = limit
        self._settings = dict(settings)
        self._own_seed = int(self._settings.pop("seed", 0))
        self._seed = self._own_seed
        self._function = function_of(method)
        self._takes = keywords(method)
        self._tree: MonteCarlo | None = None
        if method == "mcts":
            memory = self._settings.pop("memory_mb", 64)
            given = {**usual_parts(game), **self._settings}
            self._tree = MonteCarlo(game, memory_mb=memory, seed=self._seed, **given)
            self._tree.prepare()
        elif not (limit is not None and limit.seconds is None):
            # Turning rules into machine code is not to cost thinking time.
            self._search(_first_turn(game), Limit(nodes=1, depth=1), ())

    def begin(self, seed: int) -> None:
        self._seed = self._own_seed + seed
        if self._tree is not None:
            self._tree.clear()
            self._tree.seed = self._seed

    def answer(self, question: Question) -> Any:
        """The best action that it finds."""
        limit = question.allowed(self._limit, USUAL)
        return chosen(self._search(question.state, limit, question.history), question)

    def _search(self, state: Any, limit: Limit, history: Any) -> Any:
        if self._tree is not None:
            return self._tree.analyze(state, limit, history=history)
        given = {"limit": limit, "history": history, "seed": self._seed, **self._settings}
        return self._function(
            self.game, state, **{name: given[name] for name in given if name in self._takes}
        )


def _first_turn(game: Game) -> Any:
    """A state in which somebody is to move for the first time."""
    state = game.initial()
    while not game.is_terminal(state) and game.player(state) == CHANCE:
        state = game.result(state, next(iter(game.chance(state)))[0])
    return state


def chosen(analysis: Any, question: Question) -> Any:
    """The action of an analysis: drawn where it is a mixed strategy, any where the search had no time to find one."""
    state = question.state
    actions = list(state.actions if isinstance(state, View) else question.game.actions(state))
    draws = random.Random(repr(state))
    if analysis.strategy is not None:
        return draws.choices(actions, [odds for _, odds in analysis.strategy])[0]
    return actions[0] if analysis.action is None else analysis.action
