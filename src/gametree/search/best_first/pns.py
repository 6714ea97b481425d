"""Proof-number search: to prove something, go where the fewest open questions are left.

Allis, van der Meulen & van den Herik, Proof-Number Search (Artificial Intelligence 66, 1994). The tree is an AND/OR
tree: at OR nodes the player who wants the goal moves, at AND nodes the other. Every node has a proof number, how
many leaves have to turn out well at least to prove it, and a disproof number. The most-proving node is where both
the proof and the disproof of the root go on; it is expanded, the numbers above it are set right, and so forth.
"""

import math
from typing import Any, Unpack

from gametree.arguments import whole
from gametree.game import Game
from gametree.search.best_first.explicit import Ground, Node, refuse_compiling
from gametree.search.best_first.goal import Ends, Goal, Proof, conclude, goal_of
from gametree.search.core.rehearsal import rehearse
from gametree.search.core.sound import sound
from gametree.search.core.task import Keywords, Needs, Task, spelled_out

INFINITY = math.inf


class Numbered(Node):
    """A node with its proof number and its disproof number."""

    __slots__ = ("disproof", "is_horizon", "is_or", "kids", "proof")

    def __init__(self, state: Any, parent: "Numbered | None" = None, action: Any = None):
        super().__init__(state, parent, action)
        self.proof: float = 1.0
        self.disproof: float = 1.0
        self.kids: list[Numbered] = []
        self.is_or: bool = False
        self.is_horizon: bool = False
        """Whether nobody knows what comes behind it."""


class Search:
    """A tree that grows at its most-proving node until the root is proven or disproven."""

    def __init__(self, ground: Ground, goal: Goal, state: Any):
        self.ground = ground
        self.goal = goal
        self.ends: Ends = Ends()
        self.root: Numbered = Numbered(state)

    def run(self) -> None:
        root, watch = self.root, self.ground.watch
        if not watch.count():
            return
        with watch.in_time():
            self._evaluate(root)
            current = root
            while root.proof != 0 and root.disproof != 0:
                node = most_proving(current)
                if not self._expand(node):
                    return
                current = _update(node)

    def _evaluate(self, node: Numbered) -> None:
        """What a new node is: proven, disproven, or open."""
        ground, goal = self.ground, self.goal
        if ground.is_over(node):
            payoff = ground.payoff(node, goal.player)
            reached = goal.reached_by(payoff)
            self.ends.see(payoff, reached)
            node.proof, node.disproof = (0, INFINITY) if reached else (INFINITY, 0)
        elif ground.is_horizon(node):
            node.is_horizon = True
            node.proof, node.disproof = INFINITY, 0
        else:
            mover = 0 if ground.game.player(node.state) == 0 else 1
            node.is_or = mover == goal.player

    def _expand(self, node: Numbered) -> bool:
        """Gives a node its children; False where it is time to stop."""
        kids = []
        for action, state in self.ground.children(node):
            if not self.ground.watch.count():
                return False
            kids.append(Numbered(state, node, action))
            self._evaluate(kids[-1])
        node.kids = kids
        return True

    def solution(self) -> tuple[int, bool]:
        """The size of the tree that proves or disproves the root, and whether it has an end that nobody knows."""
        size, unknown = 0, False
        stack = [self.root]
        while stack:
            node = stack.pop()
            size += 1
            unknown = unknown or node.is_horizon
            stack += _answers(node)
        return size, unknown

    def line(self) -> list[Any]:
        """A line of the proof, or the line to the most-proving node."""
        line = []
        node = self.root
        while node.kids:
            node = _answers(node)[0] if 0 in (node.proof, node.disproof) else _better(node)
            line.append(node.action)
        return line


def most_proving(node: Numbered) -> Numbered:
    """The leaf below a node on which both its proof and its disproof depend."""
    while node.kids:
        node = _better(node)
    return node


def _better(node: Numbered) -> Numbered:
    """The first child with the number that its parent has from it."""
    if node.is_or:
        return next(kid for kid in node.kids if kid.proof == node.proof)
    return next(kid for kid in node.kids if kid.disproof == node.disproof)


def _update(node: Numbered) -> Numbered:
    """Sets the numbers right from a node upwards; the last node that changed, below which the search goes on."""
    while True:
        proofs = [kid.proof for kid in node.kids]
        disproofs = [kid.disproof for kid in node.kids]
        now = (min(proofs), sum(disproofs)) if node.is_or else (sum(proofs), min(disproofs))
        if now == (node.proof, node.disproof):
            return node
        node.proof, node.disproof = now
        if node.parent is None:
            return node
        node = node.parent


def _answers(node: Numbered) -> list[Numbered]:
    """The children that belong to a proof or disproof of a node: one where one is enough, or else all."""
    if not node.kids:
        return []
    if node.is_or == (node.proof == 0):
        return [next(kid for kid in node.kids if (kid.proof if node.is_or else kid.disproof) == 0)]
    return node.kids


NEEDS = Needs("pns", zero_sum=True, chance=False, estimates=False)


@spelled_out
@sound
def pns(
    game: Game,
    state: Any = None,
    *,
    goal: str | None = None,
    at_least: float | None = None,
    memory_nodes: int = 1_000_000,
    **keywords: Unpack[Keywords],
) -> Proof:
    """Proves or disproves that the player to move gets what `goal` asks for, by a tree kept in memory.

    `goal` is "win" (the default) or "draw", a draw at least; `at_least` asks for a payoff. With `depth` the goal
    has to be reached within so many plies; what lies deeper is not known. `memory_nodes` is how many nodes may be
    kept; `dfpn` has a table of fixed size instead.

    >>> from gametree.games import Nim
    >>> pns(Nim(counters=5)).proven, pns(Nim(counters=8)).proven
    (True, False)
    """
    task = Task.of(NEEDS, game, state, **keywords)
    refuse_compiling(task.compile, "pns", "dfpn compiles")
    whole("memory_nodes", memory_nodes)
    aim = goal_of(task, goal, at_least)
    rehearse(task.game, task.state)
    ground = Ground(task, memory_nodes)
    under_way = Search(ground, aim, task.state)
    under_way.run()
    seconds = ground.watch.seconds
    root = under_way.root
    proven, size, by_depth = None, None, False
    if 0 in (root.proof, root.disproof):
        size, by_depth = under_way.solution()
        proven = None if by_depth else root.proof == 0
    return conclude(
        ground.task,
        aim,
        proven=proven,
        numbers=(root.proof, root.disproof),
        size=None if proven is None else size,
        ends=under_way.ends,
        line=[] if by_depth else under_way.line(),
        nodes=ground.watch.nodes,
        seconds=seconds,
        stopped_by=ground.watch.stopped_by or ("depth" if by_depth else "end"),
        parameters={"memory_nodes": memory_nodes, "compiled": False},
    )
