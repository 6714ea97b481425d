"""df-pn: proof-number search that goes depth first, with a table of fixed size instead of a tree in memory.

Nagai, Df-pn Algorithm for Searching AND/OR Trees and Its Applications (2002). A node is searched until its proof
number or its disproof number reaches a threshold, which is set so that this happens when the most-proving node lies
elsewhere. Thresholds are a quarter larger than that takes (the 1 + ε trick: Pawlewicz & Lew, Improving Depth-First
PN-Search, 2007), so that the search does not jump to and fro between two branches of about the same size.

**Positions that recur.** Whoever wants to prove something is not helped by going in circles, so a position that is
on the path already counts as a failure. A proof never rests on that and holds on every path. A disproof may: then
it is true on this path only and is not put into the table (the graph-history-interaction problem: Palay 1983;
Kishimoto & Müller 2004). Where a recurrence is a draw and a draw is enough, it is the other player's win that is
proven or disproven. With a depth the plies that are left are part of every key, and nothing recurs.
"""

import math
from dataclasses import replace
from typing import Any, Unpack

from gametree.arguments import megabytes
from gametree.game import Game
from gametree.result import Limit
from gametree.search.best_first import dfpn_kernel as kernel
from gametree.search.best_first.goal import Ends, Goal, Proof, conclude, goal_of
from gametree.search.best_first.numbers import INFINITE, LAYOUT
from gametree.search.core import repetition
from gametree.search.core.memory import Sparse, block, buckets_for
from gametree.search.core.rehearsal import rehearse
from gametree.search.core.repetition import Past
from gametree.search.core.runner import MAX_PLIES, Run, too_deep
from gametree.search.core.sound import sound
from gametree.search.core.stopwatch import STOPPED_BY, execute
from gametree.search.core.task import Keywords, Needs, Task, spelled_out


class Search:
    """A run of df-pn from one state, and what it leaves behind."""

    def __init__(self, task: Task, goal: Goal, hash_mb: float):
        self.task = task
        game, state, limit = task.game, task.state, task.limit
        self.game: Game = game
        self.state: Any = state
        self.goal = goal
        self.limit: Limit = limit
        self.buckets: int = buckets_for(hash_mb, LAYOUT.bucket_bytes)
        self.plies: int = MAX_PLIES if limit.depth is None else min(limit.depth, MAX_PLIES)
        even = float(game.total or 0) / 2
        # In circles nobody proves anything: where a draw is enough, the other player has to prove more than a draw.
        self.reversed: bool = game.repetition is not None and limit.depth is None and goal.reached_by(even)
        self.past: Past | None = None
        if game.repetition is not None:
            self.past = Past(game, state, task.history, MAX_PLIES)
        self.run: Run = Run(
            kernel.prove,
            game,
            limit,
            task.compile,
            rehearse(game, state),
            past=self.past,
        )
        self.game = self.run.rules
        self.actions: list[Any] = list(game.actions(state))

    def proof(self, hash_mb: float) -> Proof:
        """Searches until the root is proven or disproven, or it is time to stop."""
        run, game = self.run, self.game
        ends = Ends()
        self.memory: kernel.Proving = kernel.Proving.allocate(
            run.compiled,
            entries=block(self.buckets * LAYOUT.bucket_words) if run.compiled else Sparse(),
            buckets=self.buckets,
            salt=0 if self.past is None else self.past.salt,
            shelf=block(kernel.SHELF_WORDS) if run.compiled else Sparse(),
            player=self.goal.player,
            bar=self.goal.bar,
            reversed=self.reversed,
            least=ends.least,
            greatest=ends.greatest,
        )
        run.path.full_depth = self.plies
        run.clock.nodes += 1
        answer = self._ask(self.state, self.plies, [])
        numbers = [self.memory.root_proof, self.memory.root_disproof]
        if self.reversed:
            numbers.reverse()
        proven = None if answer is None else answer != self.reversed
        size = self.memory.size
        by_depth = answer is False and bool(run.clock.estimated)
        if by_depth:
            proven = None
        stopped_by = STOPPED_BY.get(run.stopped, "depth" if by_depth else "end")
        ends = Ends(self.memory.least, self.memory.greatest)
        nodes, seconds = run.nodes, run.watch.seconds
        return conclude(
            replace(self.task, game=game),
            self.goal,
            proven=proven,
            numbers=(_shown(numbers[0]), _shown(numbers[1])),
            size=None if proven is None else size,
            ends=ends,
            line=[] if by_depth else self._line(answer),
            nodes=nodes,
            seconds=seconds,
            stopped_by=stopped_by,
            parameters={"hash_mb": hash_mb, "compiled": run.compiled},
        )

    def _ask(self, state: Any, depth: int, line: list[Any]) -> bool | None:
        """Whether the one who wants a proof has one; None where the run was told to stop."""
        run = self.run
        run.start, run.stride, run.approach = depth, -1, (self.state, line)
        found = run.call(state, depth, INFINITE, INFINITE, 0, self.memory, run.clock, run.path)
        if found != kernel.STOPPED:
            return bool(found == 0)
        if run.stopped in STOPPED_BY:
            return None
        raise too_deep(self.game)

    def _line(self, answer: bool | None) -> list[Any]:
        """A line of the proof or disproof; where there is none, the action that looked best. It is not counted."""
        game, actions = self.game, self.actions
        place = self.memory.root_place if answer is None else self.memory.place
        line = [actions[place if 0 <= place < len(actions) else 0]]
        if answer is None:
            return line
        with self.run.apart(), self.run.in_time():
            state, plies = game.result(self.state, line[0]), 1
            while plies < self.plies and not self._ends(state, plies):
                found = self._next(state, plies, answer, line)
                if found is None:
                    break
                line.append(found)
                state, plies = game.result(state, found), plies + 1
        return line

    def _ends(self, state: Any, plies: int) -> bool:
        """Whether the game is over; puts the state on the path."""
        if self.game.is_terminal(state):
            return True
        return (
            self.past is not None
            and repetition.recurs(self.game, state, plies, self.run.path) != repetition.NOWHERE
        )

    def _next(self, state: Any, plies: int, answer: bool, line: list[Any]) -> Any:
        """An action of the solution: the one that decides, or where all do the first."""
        if self._ask(state, self.plies - plies, line) is not answer:
            return None
        place = self.memory.place
        actions = list(self.game.actions(state))
        if place < 0:
            return actions[0]
        # A state that is symmetric to this one may have left its own place.
        for action in [actions[place], *actions] if place < len(actions) else actions:
            child = self.game.result(state, action)
            if self._decides(child, plies + 1, answer, [*line, action]):
                return action
        return None

    def _decides(self, child: Any, plies: int, answer: bool, line: list[Any]) -> bool:
        """Whether a child is as good for the one who moves to it as its parent."""
        game = self.game
        if game.is_terminal(child):
            reached = self.goal.reached_by(float(game.utility(child, self.goal.player)))
            return (reached != self.reversed) == answer
        if self._ends(child, plies):
            return not answer
        return plies < self.plies and self._ask(child, self.plies - plies, line) is answer


def _shown(number: int) -> float:
    return math.inf if number >= INFINITE else float(number)


NEEDS = Needs("dfpn", zero_sum=True, chance=False, estimates=False, repetition="states")


@spelled_out
@sound
def dfpn(
    game: Game,
    state: Any = None,
    *,
    goal: str | None = None,
    at_least: float | None = None,
    hash_mb: float = 64,
    **keywords: Unpack[Keywords],
) -> Proof:
    """Proves or disproves that the player to move gets what `goal` asks for, with a table of `hash_mb`.

    `goal` is "win" (the default) or "draw", a draw at least; `at_least` asks for a payoff. With `depth` the goal
    has to be reached within so many plies; what lies deeper is not known.

    >>> from gametree.games import TicTacToe
    >>> game = TicTacToe()
    >>> dfpn(game, goal="win").proven, dfpn(game, goal="draw").proven
    (False, True)
    """
    task = Task.of(NEEDS, game, state, **keywords)
    megabytes(hash_mb)
    aim = goal_of(task, goal, at_least)
    if task.game.is_terminal(task.state) or task.limit.depth == 0:
        return _at_once(task, aim, hash_mb)
    search = Search(task, aim, hash_mb)
    return execute(search.run, lambda: search.proof(hash_mb))


def _at_once(task: Task, goal: Goal, hash_mb: float) -> Proof:
    """The answer where nothing is to be searched."""
    ends = Ends()
    proven = None
    if task.game.is_terminal(task.state):
        payoff = float(task.game.utility(task.state, goal.player))
        proven = goal.reached_by(payoff)
        ends.see(payoff, proven)
    numbers = {True: (0.0, _shown(INFINITE)), False: (_shown(INFINITE), 0.0), None: (1.0, 1.0)}[proven]
    return conclude(
        task,
        goal,
        proven=proven,
        numbers=numbers,
        size=None if proven is None else 1,
        ends=ends,
        line=(),
        nodes=1,
        seconds=0.0,
        stopped_by="depth" if proven is None else "end",
        parameters={"hash_mb": hash_mb},
    )
