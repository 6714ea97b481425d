"""What a node takes from the table, and what it leaves there."""

from typing import Any, NamedTuple

from gametree.kernel.clock import Clock
from gametree.kernel.primitives import bits, has_clock, plies_left
from gametree.search.core import repetition
from gametree.search.core.repetition import Path
from gametree.search.engine.entries import (
    ABOUT,
    ACTION_MASK,
    ACTION_SHIFT,
    BOUND_SHIFT,
    DEPTH_MASK,
    EXACT,
    FULL,
    LOWER,
    NO_BOUND,
    PROVEN,
    REACH_MASK,
    REACH_SHIFT,
    UPPER,
    probe,
    remember,
    stored_value,
)
from gametree.search.engine.memory import EngineMemory
from gametree.search.engine.node import Node
from gametree.search.engine.profiles import PRUNING, SELECTIVE, TABLE

UNFIT = -1
"""A score that is true on this path alone, or until the clock runs out."""


class Known(NamedTuple):
    """What the table knows of a node."""

    slot: int
    """Where; −1 for nowhere."""
    about: int
    hint: int
    """The place of the action that was best; −1 for none."""
    depth: int
    bound: int
    """What the score proves, to the mover."""
    score: float


class Above(NamedTuple):
    """What the nodes above have to find again when a node is done."""

    reach: int
    taint: int
    estimated: bool


def recall(node: Node, memory: EngineMemory) -> Known:
    """Looks a node up. At the root the driver may know better which action to begin with."""
    slot = probe(memory.table, memory.buckets, node.key) if memory.features & TABLE else -1
    about = 0
    hint = -1
    depth = -1
    bound = NO_BOUND
    score = 0.0
    if slot >= 0:
        about = memory.table[slot + ABOUT]
        hint = (about >> ACTION_SHIFT & ACTION_MASK) - 1
        depth = about & DEPTH_MASK
        bound = about >> BOUND_SHIFT & 3
        score = node.sign * stored_value(memory.table, slot, node.plies)
        if node.mover == 1 and bound != EXACT and bound != NO_BOUND:
            bound = LOWER if bound == UPPER else UPPER
    if node.plies == 0 and memory.first > 0:
        hint = memory.first - 1
    return Known(slot, about, hint, depth, bound, score)


def settles(game: Any, state: Any, node: Node, known: Known, memory: EngineMemory) -> bool:
    """Whether what is known proves all that this node was asked for.

    It was searched deep enough (a search that is not selective takes no other depth than its own), with nothing left
    out that must not be, no clock runs out on the way, and the score or bound answers the window. On the principal
    variation a selective search looks for itself: there the line is wanted, too.
    """
    if known.slot < 0 or node.excluded >= 0 or node.plies == 0:
        return False
    selective = memory.features & SELECTIVE != 0
    return (
        (not node.principal or (not selective and known.bound == EXACT))
        and (not has_clock(game) or (known.about >> REACH_SHIFT & REACH_MASK) < plies_left(game, state))
        and (known.depth == node.depth or (selective and known.depth > node.depth))
        and (known.about & FULL != 0 or memory.features & PRUNING != 0)
        and (
            known.bound == EXACT
            or (known.bound == LOWER and known.score >= node.ceiling)
            or (known.bound == UPPER and known.score <= node.floor)
        )
    )


def take_over(game: Any, node: Node, known: Known, memory: EngineMemory, clock: Clock) -> None:
    """Tells the nodes above what a score from the table rests on."""
    if known.about & PROVEN == 0:
        clock.estimated = True
    if has_clock(game):
        memory.reach = max(memory.reach, node.plies + (known.about >> REACH_SHIFT & REACH_MASK))


def begin(node: Node, memory: EngineMemory, clock: Clock, path: Path) -> Above:
    """From here on only what lies below this node counts."""
    above = Above(memory.reach, path.taint, clock.estimated)
    memory.reach = node.plies + 1
    path.taint = repetition.CLEAN
    clock.estimated = False
    return above


def end(
    game: Any, state: Any, node: Node, above: Above, memory: EngineMemory, clock: Clock, path: Path
) -> int:
    """Tells the nodes above what the score rests on; what it proves, in bits of the table, or UNFIT."""
    proof = 0
    if memory.features & PRUNING == 0:
        proof |= FULL
    if not clock.estimated:
        proof |= PROVEN
        clock.estimated = above.estimated
    tainted = path.taint < node.plies
    path.taint = min(above.taint, path.taint) if tainted else above.taint
    if has_clock(game):
        reached = memory.reach - node.plies
        memory.reach = max(above.reach, memory.reach)
        if reached >= plies_left(game, state) or reached > REACH_MASK:
            return UNFIT
        proof |= reached << REACH_SHIFT
    return UNFIT if tainted else proof


def leave(
    node: Node, known: Known, best: float, chosen: int, proof: int, judged: float, memory: EngineMemory
) -> None:
    """Remembers a score and the action that attains it; of a score that is UNFIT the action only, where that is new."""
    action = (chosen + 1 & ACTION_MASK) << ACTION_SHIFT
    table, buckets, age = memory.table, memory.buckets, memory.age
    if proof != UNFIT:
        bound = EXACT
        if best <= node.floor:
            bound = UPPER if node.mover == 0 else LOWER
        elif best >= node.ceiling:
            bound = LOWER if node.mover == 0 else UPPER
        score = node.sign * best
        remember(
            table, buckets, node.key, score, node.plies, node.depth, bound, action | proof, age, bits(judged)
        )
    elif known.slot < 0:
        full = FULL if memory.features & PRUNING == 0 else 0
        remember(table, buckets, node.key, 0.0, node.plies, 1, NO_BOUND, action | full, age, bits(judged))
