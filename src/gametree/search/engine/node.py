"""A node as its mover sees it: scores and window are to him."""

from typing import Any, NamedTuple

from gametree.kernel.clock import BY_STACK, Clock
from gametree.kernel.primitives import above, has_repetition, identity, outcome
from gametree.search.core import repetition
from gametree.search.core.repetition import Path
from gametree.search.engine.memory import PATH_PLIES, EngineMemory
from gametree.search.engine.profiles import PVS

INFINITY = float("inf")
STOPPED = float("nan")
UNDECIDED = INFINITY
"""No score: a search has to find it."""
FORBIDDEN = -INFINITY
"""No score: the rules do not let a player go there."""


class Node(NamedTuple):
    """What does not change while a node is searched."""

    key: int
    depth: int
    plies: int
    mover: int
    """0, or 1 for anybody else."""
    sign: float
    """Turns scores to player 0 into scores to the mover, and back."""
    floor: float
    ceiling: float
    principal: bool
    """Whether the window is open: the score itself is wanted, not only on which side of the window it lies."""
    excluded: int
    """The place of an action that is left out; −1 for none."""


def enter(
    game: Any, state: Any, depth: int, plies: int, alpha: float, beta: float, memory: EngineMemory
) -> Node:
    """A node that is about to be searched."""
    mover = 0 if game.player(state) == 0 else 1
    sign = 1.0 if mover == 0 else -1.0
    floor, ceiling = turned(mover, alpha, beta)
    principal = is_open(alpha, beta, memory)
    key = identity(game, state) ^ memory.salt
    memory.deepest = max(memory.deepest, plies)
    return Node(key, depth, plies, mover, sign, floor, ceiling, principal, memory.excluded[plies] - 1)


def a_ply_less(node: Node) -> Node:
    """The same node, searched a ply less deep."""
    return Node(
        node.key,
        node.depth - 1,
        node.plies,
        node.mover,
        node.sign,
        node.floor,
        node.ceiling,
        node.principal,
        node.excluded,
    )


def is_open(alpha: float, beta: float, memory: EngineMemory) -> bool:
    """Whether a score may lie within a window; where every window is the whole one, no node is principal."""
    return memory.features & PVS != 0 and beta > above(alpha)


def turned(mover: int, low: float, high: float) -> tuple[float, float]:
    """A window to the mover as one to player 0."""
    return (low, high) if mover == 0 else (-high, -low)


def below(number: float) -> float:
    """The next smaller float."""
    return -above(-number)


def at_once(game: Any, child: Any, mover: int, plies: int, clock: Clock, path: Path) -> float:
    """The score to the mover of a child that is terminal or recurs; else UNDECIDED, FORBIDDEN, or nan for no room."""
    sign = 1.0 if mover == 0 else -1.0
    if game.is_terminal(child):
        return sign * outcome(game, child, plies)
    if has_repetition(game):
        if plies >= PATH_PLIES:
            clock.stop = BY_STACK
            return STOPPED
        again = repetition.recurs(game, child, plies, path)
        if again != repetition.NOWHERE:
            repetition.note(again, path)
            if path.rule == repetition.FORBID:
                return FORBIDDEN
            return sign * repetition.score(mover, plies, path)
    return UNDECIDED
