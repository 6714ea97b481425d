"""The kernel of `analyze`: principal-variation search with a transposition table and ordered actions.

Principal-variation search (Marsland & Campbell 1982; NegaScout, Reinefeld 1983): the first action gets the whole
window, the others only have to show that they are no better; the table finds states again. Without selectivity no
action is left out and no depth is reduced: the value is that of minimax to the same depth. With it, an action without
an equal is followed further, and hopeless ones less far (null move: Donninger 1993; reductions of late actions;
futility). What is left out is never taken for proven: neither a loss, which takes that every action loses, nor a value
to the end of the game.

A kernel calls nobody but itself again (see `compiled/codegen/recursion.py`): so every step that searches is in `value`,
and what a step has to know or decide lies with its fellows.
"""

from typing import Any

from gametree.kernel.clock import BY_STACK, Clock, horizon, poll
from gametree.kernel.primitives import (
    WON,
    above,
    action_code,
    action_number,
    passed,
    recurrence,
    take,
    unbits,
)
from gametree.search.core import repetition
from gametree.search.core.repetition import Path
from gametree.search.engine.actions import (
    ACTION,
    DEEPEST_GLANCE,
    ESTIMATE,
    OMITTED,
    Turn,
    draw,
    less_deep,
    mark,
    may_be_singular,
    note_cut,
    rank_all,
    shelf_width,
    shelve,
    unmark,
)
from gametree.search.engine.memory import LINE_PLIES, PASSED, PATH_PLIES, STEP_SHIFT, EngineMemory
from gametree.search.engine.node import (
    FORBIDDEN,
    INFINITY,
    STOPPED,
    UNDECIDED,
    Node,
    View,
    a_ply_less,
    at_once,
    begin,
    below,
    end,
    end_line,
    ending,
    enter,
    is_open,
    is_ordinary,
    leave,
    meet,
    recall,
    settles,
    take_over,
    turned,
    view,
    within,
)
from gametree.search.engine.profiles import FUTILITY, NULL, PVS, REDUCTION, TABLE
from gametree.search.engine.quiescence import at_horizon


def value(
    game: Any,
    state: Any,
    depth: int,
    plies: int,
    alpha: float,
    beta: float,
    memory: EngineMemory,
    clock: Clock,
    path: Path,
) -> float:
    """The score to player 0 of a state that is not terminal and lies `plies` below the root; nan when told to stop.

    With α < β on entry, the result v proves: α < v < β, the score is v; v ≤ α, it is at most v; v ≥ β, it is at least
    v. The score is that of minimax to the depth; of a selective search, what that search takes for it.
    """
    assert alpha < beta
    if plies < PATH_PLIES:
        path.places[plies] = -1
    given, memory.given = memory.given, STOPPED

    # Step 0. Is it in an endgame database?
    if game.offered.slice_place and memory.endings.mask != 0 and plies > 0:
        v = ending(game, state, plies, memory)
        if v == v:
            if is_open(alpha, beta, memory):
                end_line(plies, memory)
            return v

    # Step 1. At the horizon the estimate counts; one ply above it nothing is worth remembering or ordering.
    if depth <= 0:
        return at_horizon(game, state, plies, alpha, beta, memory, clock)
    if depth == 1 and not game.offered.tactical:
        return frontier(game, state, plies, alpha, beta, memory, clock, path)
    node = enter(game, state, depth, plies, alpha, beta, memory)
    sign, mover, ceiling = node.sign, node.mover, node.ceiling

    # Step 2. Has the state been searched deep enough before?
    known = recall(node, memory)
    if settles(game, state, node, known, memory):
        take_over(game, node, known, memory, clock)
        return sign * known.score

    # Step 3. What does it look like?
    seen = view(game, state, node, known, given, memory)
    if seen.score != seen.score:
        return STOPPED
    if is_ordinary(node, seen):
        # Step 4. Is it so good, or so bad, that a look at its actions is not worth while?
        v = glance(game, state, node, seen, memory, clock)
        if v != UNDECIDED:
            return sign * v
        # Step 5. Is it so good that the mover could pass? The ceiling is what a pass has to reach.
        if game.offered.null and may_pass(game, state, node, seen, memory):
            after = passed(game, state)
            if not pass_on(game, after, node, memory, clock, path):
                return STOPPED
            estimated = clock.estimated
            rest = depth_after_pass(depth, seen.score - ceiling, seen.usual)
            a, b = turned(mover, below(ceiling), ceiling)
            v = sign * value(game, after, rest, plies + 1, a, b, memory, clock, path)
            if v != v:
                return STOPPED
            clock.estimated = estimated or v >= ceiling
            if v >= ceiling:
                return sign * (ceiling if v > WON else v)

    # Step 6. Without an action from the table the order is a guess: come back with one at the next depth.
    if memory.features & REDUCTION and known.hint < 0 and depth >= 4 and node.excluded < 0:
        node = a_ply_less(node)

    # Step 7. Put the actions on the shelf, the one from the table first.
    higher = begin(node, memory, clock, path)
    row = shelve(game, state, node, known.hint, memory, clock)
    if row.n == 0:
        return STOPPED
    free = row.top + row.n * shelf_width(game)

    # Step 8. Is the action from the table without an equal? Then it is worth another ply.
    further = 0
    if may_be_singular(node, row, known, seen, memory):
        bar = known.score - seen.usual * 0.1 * node.depth
        a, b = turned(mover, below(bar), bar)
        memory.excluded[plies], memory.top[plies] = known.hint + 1, free
        v = sign * value(game, state, (node.depth - 1) // 2, plies, a, b, memory, clock, path)
        memory.excluded[plies], memory.top[plies] = 0, row.top
        if v != v:
            return STOPPED
        further = 1 if v < bar else 0
        clock.estimated = False  # how deep to look is all that this told
        path.taint = repetition.CLEAN

    # Step 9. Search the actions in order of rank, from the mover's side.
    low = node.floor
    best = -INFINITY
    chosen = -1
    tried = 0
    for k in range(row.n):
        if k == row.first:
            rank_all(game, state, node, row, memory)
        turn = draw(game, k, node, seen, row, tried, best, memory)
        if turn.place == node.excluded:
            continue
        if clock.nodes == clock.next and poll(clock):
            return STOPPED
        action = take(game, memory.shelf, turn.at + ACTION)
        less = less_deep(game, state, action, node, seen, row, turn, memory)
        if less == OMITTED:
            clock.estimated = True
            continue
        clock.nodes += 1
        child = game.result(state, action)
        v = meet(game, child, node, memory, clock, path)
        if v == FORBIDDEN:
            continue
        if v == UNDECIDED:
            # First less deep, then whether it is better at all, then by how much: who surprises is asked again.
            go_down(game, action, node, turn, free, memory, path)
            rest = node.depth - 1 + further if k == 0 else node.depth - 1
            high = ceiling if tried == 0 or memory.features & PVS == 0 else above(low)
            if less > 0:
                memory.given = unbits(memory.shelf[turn.at + ESTIMATE])
                a, b = turned(mover, low, above(low))
                v = sign * value(game, child, max(rest - less, 1), plies + 1, a, b, memory, clock, path)
            if v > low:
                memory.given = unbits(memory.shelf[turn.at + ESTIMATE])
                a, b = turned(mover, low, high)
                v = sign * value(game, child, rest, plies + 1, a, b, memory, clock, path)
                if v > low and v < ceiling and high < ceiling:
                    note_rise(v, node, turn, memory)
                    a, b = turned(mover, low, ceiling)
                    v = sign * value(game, child, rest, plies + 1, a, b, memory, clock, path)
            if turn.marked:
                unmark(game, node.key, turn.at, memory)
        if v != v:
            return STOPPED
        tried += 1
        if v > best:
            best, chosen = v, turn.place
            low = max(low, v)
            note_best(action, v, node, turn, memory)
            if v >= ceiling:
                note_cut(game, state, node, row.top, turn.at, memory)
                break
        if plies == 0:
            memory.rising = 0
    if tried == 0:
        if node.excluded < 0:
            return repetition.dead_end(clock)
        best = node.floor

    # Step 10. Remember, unless it is true on this path alone.
    proof = end(game, state, node, higher, memory, clock, path)
    if memory.features & TABLE and node.excluded < 0:
        leave(node, known, best, chosen, proof, seen.judged, memory)
    return sign * best


def frontier(
    game: Any,
    state: Any,
    plies: int,
    alpha: float,
    beta: float,
    memory: EngineMemory,
    clock: Clock,
    path: Path,
) -> float:
    """The score of a state one ply above the horizon; it proves what `value` proves."""
    mover = 0 if game.player(state) == 0 else 1
    sign = 1.0 if mover == 0 else -1.0
    low, ceiling = turned(mover, alpha, beta)
    principal = is_open(alpha, beta, memory)
    if principal:
        end_line(plies, memory)
        end_line(plies + 1, memory)
    best = -INFINITY
    i = 0
    for action in game.actions(state):
        if clock.nodes == clock.next and poll(clock):
            return STOPPED
        clock.nodes += 1
        child = game.result(state, action)
        v = at_once(game, child, mover, plies + 1, clock, path)
        if v == UNDECIDED and game.offered.slice_place and memory.endings.mask != 0:
            told = ending(game, child, plies + 1, memory)
            v = sign * told if told == told else UNDECIDED
        if v == UNDECIDED:
            v = sign * within(horizon(game, child, clock))
        if v != v:
            return STOPPED
        if v > best:
            best = v
            if v > low:
                low = v
                if principal:
                    extend_line(i, action, plies, memory)
        i += 1
        if v >= ceiling:
            break
    if game.offered.clock:
        memory.reach = max(memory.reach, plies + 1)
    if i == 0:
        raise ValueError("a state that is not terminal has no actions")
    if best == -INFINITY:
        return repetition.dead_end(clock)
    return sign * best


def is_beyond(judged: float, ceiling: float, depth: int, improving: bool, usual: float) -> bool:
    """Whether a state is so much better than it has to be that no answer will change that (reverse futility)."""
    plies = depth - 1 if improving else depth
    return depth <= DEEPEST_GLANCE and usual > 0.0 and judged - 0.9 * usual * plies >= ceiling


def is_far_below(judged: float, floor: float, depth: int, usual: float) -> bool:
    """Whether so much is missing that only tactical actions could help (razoring)."""
    return depth <= 2 and judged + 3.0 * usual * depth <= floor


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


def depth_after_pass(depth: int, surplus: float, usual: float) -> int:
    """How deep to look after a pass: the less so the deeper the search, and the more there is to spare."""
    more = min(2, int(surplus / (2.0 * usual))) if usual > 0.0 else 0
    return depth - 4 - depth // 4 - more


def may_pass(game: Any, state: Any, node: Node, seen: View, memory: EngineMemory) -> bool:
    """Whether it is worth while to look what a pass leads to: not after a pass, and where it gives up the turn."""
    if memory.features & NULL == 0 or node.depth < 3 or seen.score < node.ceiling:
        return False
    if memory.before[node.plies] == PASSED:
        return False
    after = passed(game, state)
    return game.player(after) != game.player(state) and not game.is_terminal(after)


def pass_on(game: Any, after: Any, node: Node, memory: EngineMemory, clock: Clock, path: Path) -> bool:
    """Makes a pass, after which the state is searched; False when told to stop."""
    plies = node.plies
    if clock.nodes == clock.next and poll(clock):
        return False
    clock.nodes += 1
    if plies < PATH_PLIES:
        path.places[plies] = -2
    if game.repetition is not None:
        if plies + 1 >= PATH_PLIES:
            clock.stop = BY_STACK
            return False
        path.keys[plies + 1] = recurrence(game, after)
    memory.before[plies + 1] = PASSED
    memory.top[plies + 1] = memory.top[plies]
    return True


def go_down(
    game: Any, action: Any, node: Node, turn: Turn, free: int, memory: EngineMemory, path: Path
) -> None:
    """Leaves word of the action whose state is searched next."""
    if node.plies < PATH_PLIES:
        path.places[node.plies] = turn.place
    memory.before[node.plies + 1] = action_code(action) + 1
    memory.top[node.plies + 1] = free
    if turn.marked:
        mark(game, node.key, turn.at, memory)


def note_rise(score: float, node: Node, turn: Turn, memory: EngineMemory) -> None:
    """At the root: an action is better than the best, and by how much is about to be asked."""
    if node.plies == 0:
        memory.rising = turn.place + 1
        memory.risen = node.sign * score


def note_best(action: Any, score: float, node: Node, turn: Turn, memory: EngineMemory) -> None:
    """An action is the best so far."""
    if node.principal and score > node.floor:
        extend_line(turn.place, action, node.plies, memory)
    if node.plies == 0 and node.excluded < 0:
        memory.chosen = turn.place + 1
        memory.reached = node.sign * score


def extend_line(place: int, action: Any, plies: int, memory: EngineMemory) -> None:
    """The best line from here is an action and the best line behind it."""
    if plies + 1 >= LINE_PLIES:
        return
    lines = memory.lines
    here = plies * LINE_PLIES
    behind = here + LINE_PLIES
    length = min(lines[behind], LINE_PLIES - 2)
    lines[here] = length + 1
    lines[here + 1] = action_number(action) + 1 << STEP_SHIFT | place
    for step in range(length):
        lines[here + 2 + step] = lines[behind + 1 + step]
