"""Solving by listing: all positions that can follow, each once, valued backwards from the ends.

That takes circles as they come, proves the value without trusting any key, and gives the value of every move and a
whole strategy on the way. It needs memory for every position, so it is for games that are small enough.
"""

import dataclasses
import math
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, Final

from gametree.errors import UnsuitableError
from gametree.game import Game, offers
from gametree.result import Move, Value
from gametree.search.core.stopwatch import StopWatch
from gametree.search.solve.graph import Graph, identity
from gametree.search.solve.retrograde import Solved, Worth, retrograde
from gametree.search.solve.solution import Progress, Solution
from gametree.search.solve.task import SolveTask

METHOD: Final = "retrograde analysis"


class Listing:
    """The graph of a game as far as it is known, kept from one task to the next."""

    def __init__(self, game: Game, endless: float | None):
        """`endless`: what play that never ends is worth to player 0; None where nobody says."""
        self.game = game
        self.declared = endless
        self.endless: float = (game.total or 0) / 2 if endless is None else endless
        self._graph: Graph | None = None
        self._root: Any = None
        """The position for which the graph was explored last."""
        self._values: tuple[int, tuple[int, ...], Solved] | None = None

    def why_not(self) -> str:
        """Why the value of a position does not follow from the graph alone; "" where it does."""
        if self.game.repetition is None:
            return ""
        if offers(self.game, "clock") or offers(self.game, "repetition_key"):
            return (
                f"{type(self.game).__name__} has a rule on repeated positions that does not compare whole states, so"
                " what a position is worth depends on those before it"
            )
        return ""

    def clear(self) -> None:
        """Forgets everything."""
        self._graph = self._root = self._values = None

    @property
    def goes_in_circles(self) -> bool:
        """Whether a circle has been seen, in a graph that is not complete."""
        return self._graph is not None and not self._graph.complete and self._graph.circular()

    def complete(
        self, state: Any, most: int, watch: StopWatch, on_progress: Callable[[Progress], None] | None
    ) -> Graph | None:
        """The graph with all that can follow a state; None where that are more than `most`, or it was stopped."""
        graph = self._graph
        root = identity(self.game)(state)
        if graph is None or not (graph.complete or root == self._root):
            graph = Graph(self.game, merge_symmetric=self.game.repetition is None)
            self._graph, self._values = graph, None
        self._root = root
        graph.number(state)
        watch.report = None if on_progress is None else _Reporter(graph, watch, on_progress)
        done = False
        try:
            with graph.in_time(watch):
                done = graph.explore(most, lambda: not watch.count())
            return graph if done else None
        finally:
            watch.report = None

    def values(self, graph: Graph, drawn: tuple[int, ...] = ()) -> Solved:
        """The values of a graph that is complete."""
        kept = self._values
        if kept is None or kept[:2] != (len(graph), drawn) or kept[2].graph is not graph:
            kept = (len(graph), drawn, Solved(graph, retrograde(graph, self.endless, drawn), drawn))
            self._values = kept
        return kept[2]

    def answer(self, task: SolveTask, most: int) -> Solution | None:
        """The solution, where no more than `most` positions follow; None where they do, or where it was stopped."""
        graph = self.complete(task.state, most, task.watch, task.report)
        if graph is None:
            return None
        circular = graph.circular()
        if circular and path_decides(self.game):
            return None
        drawn = self._drawn(graph, task)
        return self._solution(task, self.values(graph, drawn), circular)

    def require_answer(self) -> None:
        """Says why there is none, where the graph is complete and no use."""
        if self._graph is not None and self._graph.complete:
            assert self.game.repetition is not None
            raise UnsuitableError(
                f"{type(self.game).__name__} goes in circles and a repeated position is a {self.game.repetition[0]}:"
                " what a position is worth then depends on those before it. Use the method search"
            )

    def too_many(self, most: int) -> str:
        """The refusal of a game with more positions than may be listed."""
        graph = self._graph
        assert graph is not None
        return (
            f"{type(self.game).__name__} has more than {most:,} positions from here ({len(graph):,} were found,"
            f" {len(graph) - graph.expanded:,} of them still to be looked at). Raise most_states (each takes about"
            " half a kilobyte), or begin nearer to the end of the game"
        )

    def _drawn(self, graph: Graph, task: SolveTask) -> tuple[int, ...]:
        """The positions to which nobody can go any more without a draw."""
        if self.game.repetition is None or self.game.repetition[0] != "draw":
            return ()
        often = Counter(graph.find(state) for state in (*task.history, task.state))
        least = self.game.repetition[1] - 1
        return tuple(sorted(node for node, times in often.items() if node is not None and times >= least))

    def _extremes(self, graph: Graph, circular: bool) -> list[Worth]:
        """The values where play that never ends is worse than every end but a loss, and where it is better.

        Only what is the same in both does not rest on an assumption.
        """
        if not circular or self.declared is not None:
            return []
        ends = [score for score in (*graph.score, self.endless) if abs(score) < math.inf]
        return [retrograde(graph, min(ends) - 1), retrograde(graph, max(ends) + 1)]

    def _solution(self, task: SolveTask, solved: Solved, circular: bool) -> Solution:
        state, player = task.state, task.player
        graph, worth = solved.graph, solved.worth
        root = solved.node(state)
        value = worth.value(root, player)
        extremes = self._extremes(graph, circular)
        sure = all(other.value(root, player) == value for other in extremes)
        line = solved.line(state)
        sides = [player] if value.outcome == "win" else [1 - player] if value.outcome == "loss" else [0, 1]
        found = task.analysis(
            method=METHOD,
            player=player,
            value=value,
            values=tuple(worth.value(root, who).payoff for who in (0, 1)),
            line=line,
            moves=self._moves(task, solved, extremes) if task.moves else (),
            depth=None,
            nodes=0,
            seconds=0.0,
            exact=sure,
            stopped_by="end",
        )
        return task.solution(
            found,
            positions=graph.reachable(root),
            proof=len(set().union(*(solved.proof(root, side) for side in sides))),
            circular=circular,
            assumed=None if sure else self.endless,
        )

    def _moves(self, task: SolveTask, solved: Solved, extremes: Sequence[Worth]) -> tuple[Move, ...]:
        moves = []
        player = task.player
        for action, _, node in solved.choices(task.state):
            drawn = node in solved.drawn
            value = Value((self.game.total or 0) / 2) if drawn else _farther(solved.worth.value(node, player))
            sure = drawn or all(_farther(other.value(node, player)) == value for other in extremes)
            name = self.game.name_action(task.state, action)
            moves.append(Move(action, value, "exact", name, sure))
        return tuple(moves)


class _Reporter:
    """Tells how far exploring has come, and when it will be over once fewer positions wait than before."""

    def __init__(self, graph: Graph, watch: StopWatch, on_progress: Callable[[Progress], None]):
        self._graph = graph
        self._watch = watch
        self._tell = on_progress
        self._waiting = 0

    def __call__(self) -> None:
        waiting = len(self._graph) - self._graph.expanded
        shrinking, self._waiting = waiting < self._waiting, waiting
        seconds = self._watch.seconds
        speed = self._watch.nodes / seconds if seconds > 0 else 0.0
        self._tell(
            Progress(
                stage="exploring",
                nodes=self._graph.expanded,
                waiting=waiting,
                seconds=seconds,
                seconds_left=waiting / speed if shrinking and speed > 0 else None,
            )
        )


def path_decides(game: Game) -> bool:
    """Whether a position that recurs is anything but a draw."""
    return game.repetition is not None and game.repetition[0] != "draw"


def _farther(value: Value) -> Value:
    """A value as seen from one ply before."""
    return value if value.plies is None else dataclasses.replace(value, plies=value.plies + 1)
