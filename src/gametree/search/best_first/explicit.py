"""Trees in memory, node by node: what `pns` and the list forms of SSS* and DUAL* search.

A node stands for a path and not only for a state, so that rules on positions that recur are kept to the letter.
"""

import math
from collections import Counter
from dataclasses import replace
from typing import Any

from gametree.errors import InputError, RulesError
from gametree.game import Game
from gametree.kernel.primitives import estimate, recurrence
from gametree.result import Limit
from gametree.search.core.plays import dead_end, root_actions
from gametree.search.core.stopwatch import StopWatch
from gametree.search.core.task import Task, need_evaluation


class Node:
    """A state and the way to it."""

    __slots__ = ("action", "parent", "plies", "state")

    def __init__(self, state: Any, parent: Any = None, action: Any = None):
        self.state: Any = state
        self.parent: Any = parent
        self.action: Any = action
        self.plies: int = 0 if parent is None else parent.plies + 1


class Ground:
    """The rules below a root: where lines end, what that is worth, and when to stop looking."""

    game: Game
    limit: Limit

    def __init__(self, task: Task, most: int | None = None):
        """`most`: how many nodes there may be, besides what the limit says."""
        self.method: str = task.method
        self.limit = limit = task.limit
        kept = limit.nodes if most is None else most if limit.nodes is None else min(most, limit.nodes)
        self.watch: StopWatch = StopWatch(replace(limit, nodes=kept)).begin()
        self.game = game = self.watch.rules(task.game)
        self.task: Task = replace(task, game=game)
        """The same, whose rules are asked in time."""
        known = task.history if game.repetition is not None else ()
        self._before = Counter(recurrence(game, state) for state in known)

    def is_over(self, node: Node) -> bool:
        """Whether the game ends at a node, by its rules or because a position recurs."""
        return bool(self.game.is_terminal(node.state)) or self._recurs(node)

    def payoff(self, node: Node, player: int) -> float:
        """What a player gets at a node where the game is over."""
        game = self.game
        if not game.is_terminal(node.state):
            return self._of_recurrence(node, player)
        payoff = float(game.utility(node.state, player))
        if math.isnan(payoff):
            raise RulesError(f"{type(game).__name__}.utility returned nan at {node.state!r}")
        return payoff

    def is_horizon(self, node: Node) -> bool:
        """Whether a node is as deep as the search may go."""
        return self.limit.depth is not None and node.plies >= self.limit.depth

    def judged(self, node: Node) -> float:
        """What `evaluate` says of a node at the horizon, to player 0."""
        need_evaluation(self.game, self.method, self.limit.depth)
        worth = estimate(self.game, node.state)
        if math.isnan(worth):
            raise RulesError(f"{type(self.game).__name__}.evaluate returned nan at {node.state!r}")
        return worth

    def children(self, node: Node) -> list[tuple[Any, Any]]:
        """The actions at a node that are allowed, each with the state that follows."""
        game = self.game
        follow = [(action, game.result(node.state, action)) for action in root_actions(game, node.state)]
        if game.repetition is not None and game.repetition[0] == "forbid":
            follow = [
                (action, state)
                for action, state in follow
                if game.is_terminal(state) or not self._recurs(Node(state, node, action))
            ]
            if not follow:
                raise dead_end(game)
        return follow

    def _recurs(self, node: Node) -> bool:
        """Whether the rule on repeated positions applies; the root has been reached, so it does not there."""
        if self.game.repetition is None or node.parent is None:
            return False
        what, times = self.game.repetition
        key = recurrence(self.game, node.state)
        often = 0
        above = node.parent
        while above is not None:
            often += recurrence(self.game, above.state) == key
            above = above.parent
        if (
            what == "draw"
        ):  # who can win need not go in circles, and who cannot is not helped by a second round
            return often > 0 or self._before[key] >= times - 1
        return often + self._before[key] >= times - 1

    def _of_recurrence(self, node: Node, player: int) -> float:
        assert self.game.repetition is not None
        total = float(self.game.total or 0)
        what = self.game.repetition[0]
        if what == "draw":
            return total / 2
        assert self.game.payoffs is not None
        mover = 0 if self.game.player(node.parent.state) == 0 else 1
        worth = self.game.payoffs[0 if (what == "loss") == (mover == 0) else 1]
        return float(worth if player == 0 else total - worth)


def refuse_compiling(compile: str, method: str, instead: str) -> None:
    """Refuses to compile what keeps its tree in Python objects."""
    if compile == "always":
        raise InputError(
            f'compile="always": {method} keeps its tree in Python objects and runs interpreted; {instead}'
        )
