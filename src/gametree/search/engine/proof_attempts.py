"""The exact solver at the engine's side: in games that give hints it may prove at once what the engine would estimate.

The engine thinks for a moment first, so that there is an answer. If the tree that the hints leave is small enough for
the time there is, the solver then tries to prove the value; what is left of the time is the engine's again.
"""

import math
from typing import Final

from gametree.game import Game
from gametree.result import Analysis, Limit
from gametree.search.core.task import Task
from gametree.search.solve.exact import answers
from gametree.search.solve.exact.scores import Exact

FIRST: Final = 0.08
"""The share of the time that the engine has before."""
SHARE: Final = 0.7
"""The share of the time that a proof may take."""
LEAST: Final = 0.02
"""So few seconds are the engine's alone."""
SAVED: Final = 1 / 3
"""The share of the tree's digits that cuts and the table leave: measured in Connect Four."""
SPEED: Final = {True: 1e6, False: 3e3}
"""Nodes a second, compiled or not, at the least."""
SMALLER: Final = 2.0
"""After an attempt that failed, the tree has to have so many digits less."""


class ProofAttempts:
    """Proves values of one game for its engine, and remembers how large a tree was too large."""

    def __init__(self, game: Game, *, compile: str, hash_mb: float, threads: int):
        self._game = game
        self._compile = compile
        self._solver = Exact(game, hash_mb=hash_mb, compile=compile, lasting=True)
        self._threads = threads
        self._compiled = compile != "never"
        self._failed = math.inf
        """The size of the smallest tree that was too large for so much time."""
        self._seconds = 0.0
        self.nodes: int = 0
        """How many the last attempt has visited."""

    def prepare(self, state: object) -> None:
        """Compiles the solver."""
        self._solver.prepare(state)

    def stop(self, after: float) -> None:
        """Ends an attempt under way, now or after so many seconds; any thread may call it."""
        self._solver.stop(after)

    def promising(self, task: Task, seconds: float) -> bool:
        """Whether a proof may be found within so many seconds."""
        if seconds < LEAST:
            return False
        size = answers.tree_log10(task.game, task.state)
        if seconds <= self._seconds and size > self._failed - SMALLER:
            return False
        speed = SPEED[self._compiled]
        return size * SAVED <= math.log10(seconds * speed)

    def attempt(self, task: Task, seconds: float, known: int | None = None) -> Analysis | None:
        """The proven value, with that of every action where it was asked for; None where the time was too short.

        `known` is the margin, where a book has it.
        """
        limit = Limit(seconds=seconds)
        found = self._solver.score(
            task.state, limit=limit, moves=task.moves, known=known, threads=self._threads
        )
        self.nodes = found.nodes
        if found.stopped_by == "seconds":
            self.failed(task, seconds)
        if not found.exact or not found.line or (task.moves and not found.moves):
            return None
        return answers.analysis(task, found)

    def failed(self, task: Task, seconds: float) -> None:
        """So many seconds were too few: the like is not tried again."""
        self._failed, self._seconds = answers.tree_log10(task.game, task.state), seconds
