"""Solving games with chance: all positions that can follow, each once, and their values by value iteration."""

import dataclasses
import math
from collections.abc import Callable
from typing import Any, Final

from gametree.errors import InputError, UnsuitableError
from gametree.game import CHANCE, Game
from gametree.result import Move, Value
from gametree.search.core.stopwatch import StopWatch
from gametree.search.solve.chance_graph import ChanceGraph
from gametree.search.solve.chance_listing import Lister, lister
from gametree.search.solve.solution import Progress, Solution
from gametree.search.solve.task import SolveTask
from gametree.search.solve.value_iteration import Iteration, Policy

METHOD: Final = "value iteration"
FEW: Final = 20_000
"""So many positions are listed before the rules are compiled for it."""


class Expecting:
    """The graph of a game with chance as far as it is known, kept from one task to the next."""

    def __init__(self, game: Game, compile: str, endless: float | None):
        """`endless`: what play that never ends is worth to player 0; None where nobody says."""
        self.game = game
        self._compile = compile
        self._endless = endless
        self._graph: ChanceGraph | None = None
        self._root: Any = None
        """The position for which the graph was explored last."""
        self._shared = False
        """Whether the graph was explored for another position before."""
        self._lister: Lister | None = None
        """Compiled rules at work on more positions than a few."""
        self._iteration: Iteration | None = None

    def clear(self) -> None:
        """Forgets everything."""
        self._graph = self._root = self._iteration = self._lister = None

    def answer(self, task: SolveTask, method: str, most: int) -> Solution | None:
        """The solution; None where there are more than `most` positions."""
        if method == "search":
            raise InputError(
                f'method="search": {type(self.game).__name__} has chance nodes, so its positions are listed;'
                ' use method="graph" or "auto"'
            )
        watch = task.watch
        graph = self._complete(task, most)
        if graph is None:
            return None if watch.stopped_by is None else task.unsolved(None, METHOD)
        if (
            self._iteration is None
            or self._iteration.graph is not graph
            or len(self._iteration.low) != len(graph)
        ):
            with watch.paused():
                self._iteration = Iteration(graph, self._compile, self._endless)
        iteration = self._iteration
        watch.report = _Teller(iteration, watch, task.report) if task.report else None
        try:
            if not iteration.narrow(lambda: not watch.look_up()):
                return task.unsolved(None, METHOD)
        finally:
            watch.report = None
        policy = Policy(iteration)
        if not iteration.closed:
            raise self._never_ends(task, policy)
        return self._solution(task, policy)

    def _complete(self, task: SolveTask, most: int) -> ChanceGraph | None:
        """The graph with all that can follow the state; None where that are more than `most`, or it was stopped."""
        graph, state, watch = self._graph, task.state, task.watch
        if graph is None or not ((graph.complete and graph.knows(state)) or state == self._root):
            graph = self._graph = ChanceGraph(self.game)
            self._shared, self._lister = False, None
        elif state != self._root:
            self._shared = True
        self._root = state
        if not graph.complete or not len(graph):
            graph.prospect(state, 0, graph.number)
        watch.report = _Explorer(graph, watch, task.report) if task.report else None
        try:
            if self._lister is None and self._explored(graph, min(most, FEW), watch):
                return graph
            if watch.stopped_by is None and most > FEW and self._listed(watch, most):
                return self._graph
            if watch.stopped_by is not None or self._lister is not None:
                return None
            return graph if self._explored(graph, most, watch) else None
        finally:
            watch.report = None

    def _explored(self, graph: ChanceGraph, most: int, watch: StopWatch) -> bool:
        """Whether all is explored; not so where that are too many, or it was stopped."""
        done = False
        with graph.in_time(watch):
            done = graph.explore(most, lambda: not watch.count())
        return done

    def _listed(self, watch: StopWatch, most: int) -> bool:
        """Whether compiled rules have listed all positions; where they cannot, there is no lister afterwards."""
        assert self._graph is not None
        if self._lister is None:
            with watch.paused():
                starts = self._graph.states[: self._graph.begun]
                self._lister = lister(self.game, starts, most, self._compile)
        done = None if self._lister is None else self._lister.explore(watch)
        if done and self._lister is not None:
            self._graph = self._lister.graph()
        if done is not False:
            self._lister = None
        return bool(done)

    def too_many(self, most: int) -> str:
        """The refusal of a game with more positions than may be listed."""
        assert self._graph is not None
        found, done = self._lister.found if self._lister else (len(self._graph), self._graph.expanded)
        return (
            f"{type(self.game).__name__} has more than {most:,} positions from here ({found:,} were found,"
            f" {found - done:,} of them still to be looked at). Raise most_states (each takes about half"
            " a kilobyte), begin nearer to the end of the game, or use expectiminimax to a depth"
        )

    def _never_ends(self, task: SolveTask, policy: Policy) -> UnsuitableError:
        low, high = policy.bounds(task.state, max(task.player, 0))
        return UnsuitableError(
            f"the players of {type(self.game).__name__} can keep the game from ending, so that its value rests on what"
            f" play without an end is worth: it lies between {low:.6g} and {high:.6g}. Let a rule end the game (a"
            " counter in the state), or use expectiminimax to a depth"
        )

    def _solution(self, task: SolveTask, policy: Policy) -> Solution:
        game, state, graph = self.game, task.state, policy._graph
        player = max(task.player, 0)
        worth = policy.worth(state, player)
        low, high = policy.bounds(state, player)
        line = policy.line(state)
        total = game.total or 0.0
        found = task.analysis(
            method=METHOD,
            player=task.player,
            value=Value(worth),
            values=(worth, total - worth) if player == 0 else (total - worth, worth),
            line=line,
            moves=self._moves(task, policy) if task.moves else (),
            depth=None,
            nodes=0,
            seconds=0.0,
            exact=True,
            stopped_by="end",
        )
        solution = task.solution(
            found,
            positions=graph.reachable(state) if self._shared else len(graph),
            circular=graph.in_circles(),
            error=max(0.0, (high - low) / 2),
            policy=policy,
        )
        return dataclasses.replace(solution, outcome=None)

    def _moves(self, task: SolveTask, policy: Policy) -> tuple[Move, ...]:
        game, state = self.game, task.state
        if task.player == CHANCE:
            pairs = [
                (outcome, policy.worth(game.result(state, outcome), 0)) for outcome, _ in game.chance(state)
            ]
        else:
            pairs = policy.actions(state)
        return tuple(
            Move(action, Value(worth), "exact", game.name_action(state, action), True)
            for action, worth in pairs
        )


class _Explorer:
    """Tells how many positions are known."""

    def __init__(self, graph: ChanceGraph, watch: StopWatch, tell: Callable[[Progress], None]):
        self._graph, self._watch, self._tell = graph, watch, tell

    def __call__(self) -> None:
        waiting = len(self._graph) - self._graph.expanded
        self._tell(
            Progress(
                stage="exploring", nodes=self._graph.expanded, waiting=waiting, seconds=self._watch.seconds
            )
        )


class _Teller:
    """Tells how far apart the bounds still are."""

    def __init__(self, iteration: Iteration, watch: StopWatch, tell: Callable[[Progress], None]):
        self._iteration, self._watch, self._tell = iteration, watch, tell

    def __call__(self) -> None:
        gap = self._iteration.widest()
        self._tell(
            Progress(
                stage="iterating",
                nodes=self._iteration.passes,
                low=-gap / 2 if math.isfinite(gap) else None,
                high=gap / 2,
                seconds=self._watch.seconds,
            )
        )
