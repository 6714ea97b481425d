"""What a selective search leaves out, and what it looks at less deep.

All of it is measured in usual steps: by how much the estimate changes from one ply to the next, on average, in the
search under way. A step is infinite while nobody knows, and then nothing is left out for its sake.

`improving` says that the mover stands better by the estimate than when he was last to move. Where he does not, a late
action is less likely to be the one.
"""

from typing import Any, NamedTuple

from gametree.kernel.clock import Clock
from gametree.kernel.primitives import (
    WON,
    estimate,
    has_evaluation,
    has_order,
    has_tactical,
    passed,
    threatened,
    threatens,
    unbits,
)
from gametree.search.engine import threads
from gametree.search.engine.entries import ESTIMATE, EXACT, LOWER, UPPER
from gametree.search.engine.memory import FRAME_PLIES, MOST_REDUCED, PASSED, EngineMemory
from gametree.search.engine.node import INFINITY, STOPPED, UNDECIDED, Node, turned
from gametree.search.engine.ordering import ORDERED, PLACE, RANK, Row, bring_up, shelf_width, spared
from gametree.search.engine.profiles import FORESIGHT, FUTILITY, LMP, LMR, NULL, SELECTIVE, SINGULAR, TOGETHER
from gametree.search.engine.quiescence import at_horizon, note_step, usual_step, within
from gametree.search.engine.recall import Known

DEEPEST_GLANCE = 7
"""Plies from the horizon up to which an estimate may settle a state, or leave out an action."""
DEEPEST_LOSING = 3
"""The same for an action that the game's `order` puts below zero."""

DEEPEST_AT_ROOT = 12
"""The depth up to which late actions at the root are looked at less deep: who thinks longer can look at all of them,
and a sacrifice is late at first sight."""


def is_beyond(judged: float, ceiling: float, depth: int, improving: bool, usual: float) -> bool:
    """Whether a state is so much better than it has to be that no answer will change that (reverse futility)."""
    plies = depth - 1 if improving else depth
    return depth <= DEEPEST_GLANCE and usual > 0.0 and judged - 0.9 * usual * plies >= ceiling


def is_far_below(judged: float, floor: float, depth: int, usual: float) -> bool:
    """Whether so much is missing that only tactical actions could help (razoring)."""
    return depth <= 2 and judged + 3.0 * usual * depth <= floor


def depth_after_pass(depth: int, surplus: float, usual: float) -> int:
    """How deep to look after a pass: the less so the deeper the search, and the more there is to spare."""
    more = min(2, int(surplus / (2.0 * usual))) if usual > 0.0 else 0
    return depth - 4 - depth // 4 - more


def is_late(tried: int, depth: int, improving: bool) -> bool:
    """Whether so many actions have been tried that none of the others will be better (late move pruning)."""
    enough = 3 + depth * depth
    return tried > (enough if improving else enough // 2)


def is_hopeless(judged: float, floor: float, depth: int, usual: float) -> bool:
    """Whether too much is missing for a calm action to make up for (futility)."""
    return judged + (1.0 + 0.8 * depth) * usual <= floor


# --- a node ---------------------------------------------------------------------------------------------


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
    """Judges a state; its estimate may be in the table, or be `given` by who ordered the actions above."""
    plies = node.plies
    selective = memory.features & SELECTIVE != 0
    urgent = selective and threatened(game, state)
    if not selective or not has_evaluation(game):
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


def glance(game: Any, state: Any, node: Node, seen: View, memory: EngineMemory, clock: Clock) -> float:
    """The score to the mover of a state far outside the window; UNDECIDED where it is not, nan when told to stop.

    A bound and no proof: a score at the ceiling or above rests on the estimate, one at the floor or below on tactical
    actions alone.
    """
    if memory.features & FUTILITY == 0:
        return UNDECIDED
    if is_beyond(seen.score, node.ceiling, node.depth, seen.improving, seen.usual):
        clock.estimated = True
        return seen.score
    if is_far_below(seen.score, node.floor, node.depth, seen.usual):
        estimated = clock.estimated
        a, b = turned(node.mover, node.floor, node.ceiling)
        v: float = node.sign * at_horizon(game, state, node.plies, a, b, memory, clock)
        if v != v or v <= node.floor:
            return v
        clock.estimated = estimated
    return UNDECIDED


def may_pass(game: Any, state: Any, node: Node, seen: View, memory: EngineMemory) -> bool:
    """Whether it is worth while to look what a pass leads to: not after a pass, and where it gives up the turn."""
    if memory.features & NULL == 0 or node.depth < 3 or seen.score < node.ceiling:
        return False
    if memory.before[node.plies] == PASSED:
        return False
    after = passed(game, state)
    return game.player(after) != game.player(state) and not game.is_terminal(after)


def may_be_singular(node: Node, row: Row, known: Known, seen: View, memory: EngineMemory) -> bool:
    """Whether the action from the table is so good, and so well known, that it may be without an equal."""
    return (
        memory.features & SINGULAR != 0
        and row.first == 1
        and row.n > 1
        and node.plies < 2 * memory.root_depth
        and node.excluded < 0
        and node.depth >= 6
        and known.depth >= node.depth - 3
        and known.bound in (LOWER, EXACT)
        and abs(known.score) < WON
        and seen.usual < INFINITY
    )


# --- an action ------------------------------------------------------------------------------------------

OMITTED = -1


class Turn(NamedTuple):
    """An action whose turn it is."""

    at: int
    """Where it lies on the shelf."""
    place: int
    """Where it stands in the order of `actions`."""
    ranked: bool
    """Whether its rank says something: that of the action from the table does not."""
    tried: int
    """How many actions were searched before it."""
    dispensable: bool
    """Whether it may be left out: a better one than a loss is known, and no more than a bound is asked for."""
    late: bool
    marked: bool
    """Whether other threads are told that it is being searched."""


def draw(
    game: Any, k: int, node: Node, seen: View, row: Row, tried: int, best: float, memory: EngineMemory
) -> Turn:
    """The k-th action, in order of rank.

    Once actions are late, all that follow are left out but for threats: their order does not matter any more.
    """
    on = memory.features
    width = shelf_width(game)
    dispensable = tried > 0 and not node.principal and not seen.urgent and best > -WON
    near = dispensable and on & LMP != 0 and node.depth <= DEEPEST_GLANCE
    late = near and is_late(tried, node.depth, seen.improving)
    ranked = k >= row.first
    at = row.top + k * width
    if ranked and not late:
        bring_up(memory.shelf, row.top, k, row.n, width)
    marked = on & TOGETHER != 0 and tried > 0 and node.depth >= threads.SHALLOWEST
    if marked:
        at = threads.undisturbed(game, node.key, row.top, k, row.n, memory)
    return Turn(at, memory.shelf[at + PLACE], ranked, tried, dispensable, late, marked)


def less_deep(
    game: Any, state: Any, action: Any, node: Node, seen: View, row: Row, turn: Turn, memory: EngineMemory
) -> int:
    """By how many plies less deep an action is searched at first; OMITTED where it is left out altogether.

    An action that threatens is neither reduced nor left out. Whether it does is asked only where it matters: it costs
    as much as making it.
    """
    on = memory.features
    depth = node.depth
    shallow = node.plies > 0 or depth <= DEEPEST_AT_ROOT
    reducible = on & LMR != 0 and turn.tried >= 2 and depth >= 3 and row.n > 3 and shallow and not seen.urgent
    if on & SELECTIVE == 0 or not (turn.dispensable or reducible) or threatens(game, state, action):
        return 0
    rank = memory.shelf[turn.at + RANK]
    # A late action is first searched less deep: only where it surprises is it worth the whole depth.
    less = 0
    if reducible:
        less = memory.reductions[
            min(depth, MOST_REDUCED - 1) * MOST_REDUCED + min(turn.tried, MOST_REDUCED - 1)
        ]
        if node.principal:
            less -= 1
        elif not seen.improving:
            less += 1
        less = max(0, less - spared(game, rank))
    # At a small depth it will hardly be better; nor will one that loses something, or a calm one where much is
    # missing. With foresight the depth is what such an action would get.
    if turn.dispensable:
        if turn.late:
            return OMITTED
        if on & FUTILITY and has_tactical(game) and turn.ranked and rank < ORDERED:
            if has_order(game) and depth <= DEEPEST_LOSING and rank < -ORDERED:
                return OMITTED
            soon = max(1, depth - less) if on & FORESIGHT else depth
            if soon <= DEEPEST_GLANCE and is_hopeless(seen.score, node.floor, soon, seen.usual):
                return OMITTED
    return less
