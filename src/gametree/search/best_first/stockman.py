"""SSS* and DUAL* as Stockman wrote SSS* down: a list of open states, of which the best is taken.

Stockman, A Minimax Algorithm Better than Alpha-Beta? (1979); ties go to the leftmost state, as in Roizen & Pearl, A
Minimax Algorithm Better than Alpha-Beta? Yes and No (1983), who prove that no leaf is then looked at that alpha-beta
leaves out. DUAL* (Marsland, Reinefeld & Schaeffer, Low Overhead Alternatives to SSS*, 1987) is SSS* with the players
exchanged.

A state is a node with a status and a merit h, an upper bound on what the strategies that it stands for can bring. LIVE:
to be looked at. SOLVED: done. Each step takes the state with the greatest h and applies one of these rules:

    SOLVED, the root                    h is the value
    SOLVED, its parent is MAX           the parent is SOLVED with h; all other states below it are dropped
    SOLVED, its parent is MIN           the next sibling is LIVE with h; after the last one the parent is SOLVED with h
    LIVE, a leaf worth v                SOLVED with min(h, v)
    LIVE, MAX                           all children are LIVE with h
    LIVE, MIN                           the first child is LIVE with h

Stockman's rules name the type of the node where these name that of its parent, which is the same where the players
take turns, and right also where they do not.
"""

import heapq
import math
from typing import Any

from gametree.errors import InputError
from gametree.result import Analysis, Bound, Value
from gametree.search.best_first.explicit import Ground, Node, refuse_compiling
from gametree.search.core.rehearsal import rehearse
from gametree.search.core.task import Needs, Task, at_once

LIVE, SOLVED = 0, 1


def is_list(form: Any) -> bool:
    """Whether the list of open states was asked for; what is no form at all is refused."""
    if form not in ("memory", "list"):
        raise InputError(f'form={form!r}: it is "memory" (alpha-beta with a table) or "list" (Stockman\'s)')
    return bool(form == "list")


class State(Node):
    """A node of the list: where it stands from the left, its siblings, and what became of it."""

    __slots__ = ("best", "is_max", "kids", "merit", "pruned", "where")

    def __init__(self, state: Any, parent: "State | None" = None, action: Any = None, index: int = 0):
        super().__init__(state, parent, action)
        self.where: tuple[int, ...] = () if parent is None else (*parent.where, index)
        self.is_max: bool = False
        self.kids: list[State] = []
        self.best: State | None = None
        """The child that brings the merit of a node that is solved."""
        self.merit: float = math.inf
        self.pruned: bool = False
        """Whether the states below are of no interest any more."""


class Open:
    """The list: the state with the greatest merit first, and of equals the leftmost."""

    def __init__(self) -> None:
        self._heap: list[tuple[float, tuple[int, ...], int, State]] = []

    def push(self, merit: float, status: int, node: State) -> None:
        heapq.heappush(self._heap, (-merit, node.where, status, node))

    def pop(self) -> tuple[float, int, State]:
        """The best state; those that were dropped are passed over."""
        while True:
            merit, _, status, node = heapq.heappop(self._heap)
            if not _is_dropped(node):
                return -merit, status, node


def _is_dropped(node: State) -> bool:
    above = node.parent
    while above is not None:
        if above.pruned:
            return True
        above = above.parent
    return False


class Search:
    """SSS* (sign 1) or DUAL* (sign −1): payoffs to the player whose strategies are compared."""

    def __init__(self, ground: Ground, sign: float, state: Any):
        self.ground = ground
        self.sign = sign
        self.root: State = State(state)
        self.mover: int = 0 if ground.game.player(state) == 0 else 1
        self.estimated: bool = False
        self.merit: float = math.inf

    def run(self) -> bool:
        """Whether the root was solved; `merit` is its value then, and an upper bound otherwise."""
        states = Open()
        states.push(math.inf, LIVE, self.root)
        while True:
            self.merit, status, node = states.pop()
            if status == SOLVED:
                if node is self.root:
                    return True
                self._go_on(states, node)
            elif not self.ground.watch.count():
                return False
            else:
                self._look_at(states, node)

    def _go_on(self, states: Open, node: State) -> None:
        """A node is solved: what of its parent?"""
        parent, merit = node.parent, self.merit
        node.merit = merit
        if parent.is_max:
            parent.best = node
            parent.pruned = True
            states.push(merit, SOLVED, parent)
            return
        if parent.best is None or merit < parent.best.merit:
            parent.best = node
        following = node.where[-1] + 1
        if following < len(parent.kids):
            states.push(merit, LIVE, parent.kids[following])
        else:
            states.push(merit, SOLVED, parent)

    def _look_at(self, states: Open, node: State) -> None:
        """A node is reached for the first time."""
        ground, merit = self.ground, self.merit
        if ground.is_over(node):
            states.push(min(merit, self.sign * ground.payoff(node, 0)), SOLVED, node)
        elif ground.is_horizon(node):
            self.estimated = True
            states.push(min(merit, self.sign * ground.judged(node)), SOLVED, node)
        else:
            node.is_max = (ground.game.player(node.state) == 0) == (self.sign > 0)
            follow = ground.children(node)
            node.kids = [State(state, node, action, i) for i, (action, state) in enumerate(follow)]
            for kid in node.kids if node.is_max else node.kids[:1]:
                states.push(merit, LIVE, kid)

    def line(self) -> list[Any]:
        """The principal variation: what was best at each node, from the root on."""
        line = []
        node = self.root.best
        while node is not None:
            line.append(node.action)
            node = node.best
        return line


def needs(name: str) -> Needs:
    """What the list of open states needs: it follows every path to the letter."""
    return Needs(name, zero_sum=True, chance=False)


def search(task: Task, sign: float) -> Analysis:
    """The value of a state by the list of open states."""
    refuse_compiling(task.compile, f'{task.method} with form="list"', 'form="memory" compiles')
    done = at_once(task, form="list")
    if done is not None:
        return done
    rehearse(task.game, task.state)
    under_way = Search(Ground(task), sign, task.state)
    ground, solved = under_way.ground, False
    with ground.watch.in_time():
        solved = under_way.run()
    return _analysis(ground.task, under_way, solved)


def _analysis(task: Task, under_way: Search, solved: bool) -> Analysis:
    ground = under_way.ground
    game = ground.game
    player = under_way.mover
    payoff = under_way.sign * under_way.merit
    total = float(game.total or 0)
    known = math.isfinite(payoff)
    bound: Bound = "exact"
    if known and not solved:
        bound = "upper" if (under_way.sign > 0) == (player == 0) else "lower"
    line = under_way.line() if solved else []
    return task.analysis(
        player=player,
        value=Value(payoff if player == 0 else total - payoff) if known else None,
        values=(payoff, total - payoff) if known else (),
        bound=bound,
        line=line,
        depth=task.limit.depth,
        nodes=ground.watch.nodes,
        seconds=ground.watch.seconds,
        exact=solved and not under_way.estimated,
        stopped_by=ground.watch.stopped_by or ("depth" if under_way.estimated else "end"),
        parameters={"form": "list", "compiled": False},
    )
