"""A node of the engine: what is known of a state before its actions are looked at, and what is kept of it afterwards.

Scores and windows are to the mover, but for those in the table, where an entry has four words, two entries a bucket:

    word 1   value       the bits of a float, to player 0; wins and losses counted from this state
    word 2   estimate    the bits of what `evaluate` says of the state, or NOT_JUDGED
    word 3   about       bit 0–15  depth    16–17  bound    18  proven    19  in use    20–39  action    40–47  age
                         48  full    49–62  reach

`action` is the place of the best action in the order of `actions`, plus one; `full` says that nothing was pruned;
`reach` is how many plies below the state were looked at, in games with a clock. A search without selectivity uses
values of its own depth only, so that it finds what it finds without the table.
"""

from typing import Any, NamedTuple

from gametree.kernel.clock import BY_STACK, Clock
from gametree.kernel.primitives import (
    WIN,
    WON,
    Ints,
    above,
    bits,
    estimate,
    fetch,
    identity,
    outcome,
    plies_left,
    threatened,
    unbits,
)
from gametree.search.core import repetition
from gametree.search.core.repetition import Path
from gametree.search.core.table import Layout, functions, write_more
from gametree.search.databases.shelf import score
from gametree.search.engine.memory import FRAME_PLIES, LINE_PLIES, PATH_PLIES, EngineMemory
from gametree.search.engine.profiles import PRUNING, PVS, SELECTIVE, TABLE

INFINITY = float("inf")
STOPPED = float("nan")
UNDECIDED = INFINITY
"""No score: a search has to find it."""
FORBIDDEN = -INFINITY
"""No score: the rules do not let a player go there."""
UNFIT = -1
"""A score that is true on this path alone, or until the clock runs out."""
GREATEST = WON - 1.0
FEW = 64
"""So many steps have to be seen before any is called usual."""

VALUE, ESTIMATE, ABOUT = 1, 2, 3

EXACT, LOWER, UPPER, NO_BOUND = 0, 1, 2, 3
"""What an entry proves; NO_BOUND: it knows an action only."""
DEPTH_MASK = (1 << 16) - 1
BOUND_SHIFT = 16
PROVEN = 1 << 18
IN_USE = 1 << 19
ACTION_SHIFT = 20
ACTION_MASK = (1 << 20) - 1
AGE_SHIFT = 40
AGE_MASK = 255
FULL = 1 << 48
FARTHEST = float(1 << 20)
"""No win is so many plies away."""
REACH_SHIFT = 49
REACH_MASK = (1 << 13) - 1
LAYOUT = Layout(4, 2, worth_mask=DEPTH_MASK, age_shift=AGE_SHIFT, age_mask=AGE_MASK)
_home, _holds, _probe, _worth_of, _place_for = functions(LAYOUT)


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
    if principal:
        end_line(plies, memory)
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
    if game.repetition is not None:
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


def meet(game: Any, child: Any, node: Node, memory: EngineMemory, clock: Clock, path: Path) -> float:
    """The score of a child that needs no search, as `at_once` has it; the table is told that it may be asked."""
    expect(game, child, memory)
    if node.principal:
        end_line(node.plies + 1, memory)
    return at_once(game, child, node.mover, node.plies + 1, clock, path)


def ending(game: Any, state: Any, plies: int, memory: EngineMemory) -> float:
    """The score to player 0 of a state that is in an open endgame database; nan where it is in none.

    A win has to come before a clock runs out, so it looks as far ahead as it is away.
    """
    v = score(game, state, plies, memory.endings)
    if game.offered.clock and abs(v) > WON:
        memory.reach = max(memory.reach, int(WIN - abs(v)))
    return v


def end_line(plies: int, memory: EngineMemory) -> None:
    """The best line from a ply on is empty so far."""
    if plies < LINE_PLIES:
        memory.lines[plies * LINE_PLIES] = 0


def expect(game: Any, state: Any, memory: EngineMemory) -> None:
    """Sends for the bucket of a state that is about to be looked up, so that it is there in time.

    A key that takes a walk over the symmetries costs more than waiting.
    """
    if not game.offered.symmetries and memory.features & TABLE:
        fetch(memory.table, _home(identity(game, state) ^ memory.salt, memory.buckets))


# --- what the table knows ---------------------------------------------------------------------------------


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


def probe(memory: Ints, buckets: int, key: int) -> int:
    """Where the entry of a key lies; −1 where there is none."""
    slot = _probe(memory, _home(key, buckets), key, 0)
    if slot < 0:
        return -1
    return slot if _is_sane(unbits(memory[slot + VALUE]), unbits(memory[slot + ESTIMATE])) else -1


def _is_sane(value: float, estimate: float) -> bool:
    """Whether numbers are such as a search stores: no chance hit, however unlikely, may do harm."""
    size = abs(value)
    return (size < WON or WIN - FARTHEST < size <= WIN) and not abs(estimate) > WON


def stored_value(memory: Ints, slot: int, plies: int) -> float:
    """The value of an entry for a state `plies` below the root."""
    v = unbits(memory[slot + VALUE])
    if v > WON:
        return v - plies
    return v + plies if v < -WON else v


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
        and (not game.offered.clock or (known.about >> REACH_SHIFT & REACH_MASK) < plies_left(game, state))
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
    if game.offered.clock:
        memory.reach = max(memory.reach, node.plies + (known.about >> REACH_SHIFT & REACH_MASK))


class Above(NamedTuple):
    """What the nodes above have to find again when a node is done."""

    reach: int
    taint: int
    estimated: bool


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
    if game.offered.clock:
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
    if proof != UNFIT:
        bound = proves(best, node.floor, node.ceiling, node.mover)
        about = node.depth | bound << BOUND_SHIFT | action | proof
        remember(node.key, node.sign * best, node.plies, about, bits(judged), memory)
    elif known.slot < 0:
        full = FULL if memory.features & PRUNING == 0 else 0
        about = 1 | NO_BOUND << BOUND_SHIFT | action | full
        remember(node.key, 0.0, node.plies, about, bits(judged), memory)


def proves(score: float, floor: float, ceiling: float, mover: int) -> int:
    """What a score that was found within a window proves, to player 0."""
    if score <= floor:
        return UPPER if mover == 0 else LOWER
    if score >= ceiling:
        return LOWER if mover == 0 else UPPER
    return EXACT


def remember(key: int, score: float, plies: int, about: int, judged: int, memory: EngineMemory) -> None:
    """Keeps a score to player 0; the entry of the same key goes, or else the older and shallower of the two.

    `about` holds depth, bound, action and what is proven; `judged` is the estimate. What was found at the horizon does
    not replace what was found above it in the same search.
    """
    table, age = memory.table, memory.age
    v = score
    if score > WON:
        v = score + plies
    elif score < -WON:
        v = score - plies
    slot = _place_for(table, _home(key, memory.buckets), key, 0, age)
    if (
        about & DEPTH_MASK == 0
        and _worth_of(table[slot + ABOUT], age) > 0
        and not _holds(table, slot, key, 0)
    ):
        return
    write_more(table, slot, key, bits(v), judged, about | IN_USE | age << AGE_SHIFT)


# --- what it looks like -----------------------------------------------------------------------------------


class View(NamedTuple):
    """What a node looks like without a search."""

    score: float
    """The estimate to the mover, or what the table knows better; nan where the game gives none."""
    judged: float
    """The estimate to player 0; nan where nobody asked for it."""
    usual: float
    """The usual step of the estimate."""
    improving: bool
    urgent: bool
    """Whether the mover is threatened."""


def view(game: Any, state: Any, node: Node, known: Known, given: float, memory: EngineMemory) -> View:
    """Judges a state; its estimate may be in the table, or `given` by the ordering of actions one ply above."""
    plies = node.plies
    selective = memory.features & SELECTIVE != 0
    urgent = selective and threatened(game, state)
    if not selective or not game.offered.evaluate:
        if plies < FRAME_PLIES:
            memory.judged[plies] = STOPPED
        return View(0.0, given, INFINITY, False, urgent)
    judged = unbits(memory.table[known.slot + ESTIMATE]) if known.slot >= 0 else given
    if judged != judged:
        judged = within(estimate(game, state))
    score = node.sign * judged
    improving = False
    if plies < FRAME_PLIES:
        memory.judged[plies] = judged
        if plies > 0 and memory.judged[plies - 1] == memory.judged[plies - 1]:
            note_step(abs(judged - memory.judged[plies - 1]), memory)
        if plies >= 2 and not urgent:
            improving = score > node.sign * memory.judged[plies - 2]
    # What a search found, be it less deep, tells more than a glance.
    too_low = known.bound in (LOWER, EXACT) and score < known.score < WON
    too_high = known.bound in (UPPER, EXACT) and score > known.score > -WON
    if too_low or too_high:
        score = known.score
    return View(score, judged, usual_step(memory), improving, urgent)


def is_ordinary(node: Node, seen: View) -> bool:
    """Whether a bound will do, nobody is threatened, and nobody has won: then a state may be settled by its looks."""
    calm = not node.principal and not seen.urgent and node.excluded < 0
    return calm and node.floor > -WON and node.ceiling < WON


def within(estimate: float) -> float:
    """An estimate is never a win, however great it is."""
    if estimate > GREATEST:
        return GREATEST
    return -GREATEST if estimate < -GREATEST else estimate


def usual_step(memory: EngineMemory) -> float:
    """By how much an estimate changes from one ply to the next, on average; infinite while nobody knows."""
    return memory.swing / memory.swings if memory.swings >= FEW else INFINITY


def note_step(step: float, memory: EngineMemory) -> None:
    """Counts one more change of the estimate."""
    memory.swing += step
    memory.swings += 1
    if memory.swings >= 1 << 16:
        memory.swing /= 2.0
        memory.swings //= 2
