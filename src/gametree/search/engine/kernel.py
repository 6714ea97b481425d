"""The kernel of `analyze`: principal-variation search with a transposition table and ordered actions.

Principal-variation search (Marsland & Campbell 1982; NegaScout, Reinefeld 1983): the first action gets the whole
window, the others only have to show that they are no better; the table finds states again. Without selectivity no
action is left out and no depth is reduced: the value is that of minimax to the same depth. With it, promising lines
are followed further (an action without an equal) and hopeless ones less far (null move:
Donninger 1993; reductions of late actions; futility). What is left out is never taken for proven: neither a loss, which
takes that every action loses, nor a value to the end of the game.
"""

import math
from typing import Any

from gametree.kernel.primitives import (
    BY_RULES,
    BY_STACK,
    ESTIMATED,
    NEXT,
    NODES,
    STOP,
    WON,
    Ints,
    above,
    action_code,
    action_number,
    action_words,
    bits,
    estimate,
    has_clock,
    has_evaluation,
    has_null,
    has_order,
    has_repetition,
    has_tactical,
    identity,
    keep,
    outcome,
    passed,
    plies_left,
    poll,
    recurrence,
    take,
    threatened,
    threatens,
    unbits,
)
from gametree.search.core import repetition
from gametree.search.core.repetition import Path
from gametree.search.core.table import (
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
from gametree.search.engine import threads
from gametree.search.engine.memory import (
    AGE,
    BUCKETS,
    CAPACITY,
    CHOSEN,
    DEEPEST,
    FEATURES,
    FIRST,
    GIVEN,
    JUDGED,
    KILLER_PLIES,
    LINE_PLIES,
    LINES,
    MOST_REDUCED,
    NOT_JUDGED,
    PATH_PLIES,
    REACH,
    REACHED,
    REDUCTIONS,
    RISEN,
    RISING,
    ROOT_DEPTH,
    SALT,
    STEP_SHIFT,
)
from gametree.search.engine.ordering import (
    ACTION,
    ESTIMATE,
    FROM_TABLE,
    ORDERED,
    PLACE,
    RANK,
    bring_up,
    note_cut,
    rank_all,
    spared,
)
from gametree.search.engine.profiles import (
    FORESIGHT,
    FUTILITY,
    LMP,
    LMR,
    NULL,
    PRUNING,
    PVS,
    REDUCTION,
    SELECTIVE,
    SINGULAR,
    TABLE,
    TOGETHER,
)
from gametree.search.engine.quiescence import at_horizon, expect, note_step, usual_step, within
from gametree.search.engine.selectivity import (
    DEEPEST_AT_ROOT,
    DEEPEST_GLANCE,
    DEEPEST_LOSING,
    depth_after_pass,
    is_beyond,
    is_far_below,
    is_hopeless,
    is_late,
)

INFINITY = math.inf
STOPPED = math.nan
NO_PASSING = 1
"""Bit of `flags`: the player before has passed. The bits above it: the place of an action to leave out, plus one."""


def value(
    game: Any,
    state: Any,
    depth: int,
    plies: int,
    alpha: float,
    beta: float,
    top: int,
    before: int,
    flags: int,
    table: Ints,
    ledger: Ints,
    path: Path,
) -> float:
    """The score to player 0 of a state that is not terminal and lies `plies` below the root; nan when told to stop.

    With α < β on entry, the result v proves: α < v < β, the score is v; v ≤ α, it is at most v; v ≥ β, it is at least
    v. `top` is where the shelf is free, `before` the code of the action that led here plus one.
    """
    if plies < PATH_PLIES:
        path.places[plies] = -1
    opinion = ledger[GIVEN]
    ledger[GIVEN] = NOT_JUDGED
    if depth <= 0:
        return at_horizon(game, state, plies, alpha, beta, top, table, ledger)  # type: ignore[no-any-return]
    if depth == 1 and not has_tactical(game):
        return _frontier(game, state, plies, alpha, beta, top, table, ledger, path)

    on = ledger[FEATURES]
    selective = on & SELECTIVE != 0
    principal = on & PVS != 0 and beta > above(alpha)
    left_out = (flags >> 1) - 1
    mover = 0 if game.player(state) == 0 else 1
    sign = 1.0 if mover == 0 else -1.0
    floor = alpha if mover == 0 else -beta
    ceiling = beta if mover == 0 else -alpha
    if plies > ledger[DEEPEST]:
        ledger[DEEPEST] = plies
    if principal and plies < LINE_PLIES:
        ledger[LINES + plies * LINE_PLIES] = 0

    # Step 1. Has this state been searched deep enough before, and does no clock run out on the way?
    key = identity(game, state) ^ ledger[SALT]
    hint = -1
    known_depth = -1
    known_bound = NO_BOUND
    known = 0.0
    slot = -1
    left = plies_left(game, state)
    if on & TABLE:
        slot = probe(table, ledger[BUCKETS], key)
    if slot >= 0:
        about = table[slot + 2]
        hint = (about >> ACTION_SHIFT & ACTION_MASK) - 1
        known_depth = about & DEPTH_MASK
        known_bound = about >> BOUND_SHIFT & 3
        known = sign * stored_value(table, slot, plies)
        if mover == 1 and known_bound != EXACT and known_bound != NO_BOUND:
            known_bound = LOWER if known_bound == UPPER else UPPER
        if (
            (not principal or (not selective and known_bound == EXACT))
            and left_out < 0
            and plies > 0
            and (not has_clock(game) or (about >> REACH_SHIFT & REACH_MASK) < left)
            and (known_depth == depth or (selective and known_depth > depth))
            and (about & FULL or on & PRUNING)
            and (
                known_bound == EXACT
                or (known_bound == LOWER and known >= ceiling)
                or (known_bound == UPPER and known <= floor)
            )
        ):
            if about & PROVEN == 0:
                ledger[ESTIMATED] = 1
            if has_clock(game):
                ledger[REACH] = max(ledger[REACH], plies + (about >> REACH_SHIFT & REACH_MASK))
            return sign * known

    if plies == 0 and ledger[FIRST] > 0:
        hint = ledger[FIRST] - 1

    # Step 2. Is the state so good, or so bad, that a look at its actions is not worth while?
    usual = INFINITY
    judged = 0.0
    improving = False
    urgent = selective and threatened(game, state)
    if selective and has_evaluation(game):
        judged = sign * unbits(table[slot + 3] if slot >= 0 else opinion)
        if judged != judged:
            judged = sign * within(estimate(game, state))
            if judged != judged:
                return STOPPED
        opinion = bits(judged * sign)
        if plies < KILLER_PLIES:
            ledger[JUDGED + plies] = opinion
            if plies > 0 and ledger[JUDGED + plies - 1] != NOT_JUDGED:
                note_step(abs(judged * sign - unbits(ledger[JUDGED + plies - 1])), ledger)
        usual = usual_step(ledger)
        if 2 <= plies < KILLER_PLIES and ledger[JUDGED + plies - 2] != NOT_JUDGED and not urgent:
            improving = judged > sign * unbits(ledger[JUDGED + plies - 2])
        # What a search found, be it less deep, tells more than a glance.
        too_low = known_bound in (LOWER, EXACT) and judged < known < WON
        too_high = known_bound in (UPPER, EXACT) and judged > known > -WON
        if too_low or too_high:
            judged = known
        if not principal and not urgent and left_out < 0 and floor > -WON and ceiling < WON:
            if on & FUTILITY and is_beyond(judged, ceiling, depth, improving, usual):
                ledger[ESTIMATED] = 1
                return sign * judged
            if on & FUTILITY and is_far_below(judged, floor, depth, usual):
                estimated = ledger[ESTIMATED]
                v = at_horizon(game, state, plies, alpha, beta, top, table, ledger)
                if v != v or sign * v <= floor:
                    return v  # type: ignore[no-any-return]
                ledger[ESTIMATED] = estimated
            if has_null(game) and on & NULL and depth >= 3 and flags & NO_PASSING == 0 and judged >= ceiling:
                after = passed(game, state)
                if game.player(after) != game.player(state) and not game.is_terminal(after):
                    if ledger[NODES] == ledger[NEXT] and poll(ledger):
                        return STOPPED
                    ledger[NODES] += 1
                    if plies < PATH_PLIES:
                        path.places[plies] = -2
                    if has_repetition(game):
                        if plies + 1 >= PATH_PLIES:
                            ledger[STOP] = BY_STACK
                            return STOPPED
                        path.keys[plies + 1] = recurrence(game, after)
                    # β is what a pass has to reach: search whether it does.
                    a = alpha if mover == 1 else _below(beta)
                    b = beta if mover == 0 else above(alpha)
                    estimated = ledger[ESTIMATED]
                    v = sign * value(
                        game,
                        after,
                        depth_after_pass(depth, judged - ceiling, usual),
                        plies + 1,
                        a,
                        b,
                        top,
                        0,
                        NO_PASSING,
                        table,
                        ledger,
                        path,
                    )
                    if v != v:
                        return STOPPED
                    ledger[ESTIMATED] = estimated
                    if v >= ceiling:
                        ledger[ESTIMATED] = 1
                        return sign * (ceiling if v > WON else v)
    elif plies < KILLER_PLIES:
        ledger[JUDGED + plies] = NOT_JUDGED

    # Step 3. Without an action from the table the order is a guess: come back with one at the next depth.
    if on & REDUCTION and hint < 0 and depth >= 4 and left_out < 0:
        depth -= 1

    # Step 4. Put the actions on the shelf, the one from the table first.
    width = action_words(game) + ACTION
    n = 0
    first = 0
    for action in game.actions(state):
        at = top + n * width
        if at + width > ledger[CAPACITY]:
            ledger[STOP] = BY_STACK
            return STOPPED
        keep(game, action, ledger, at + ACTION)
        ledger[at + PLACE] = n
        ledger[at + RANK] = 0
        ledger[at + ESTIMATE] = NOT_JUDGED
        if n == hint:
            ledger[at + RANK] = FROM_TABLE
            first = 1
        n += 1
    if n == 0:
        raise ValueError("a state that is not terminal has no actions")
    if first == 1:
        bring_up(ledger, top, 0, n, width)

    # Step 5. Is the action from the table the only good one? Then it is worth another ply.
    reach = ledger[REACH]
    ledger[REACH] = plies + 1
    taint = path.taint
    path.taint = repetition.CLEAN
    estimated = ledger[ESTIMATED]
    ledger[ESTIMATED] = 0
    further = 0
    if (
        on & SINGULAR
        and first == 1
        and plies < 2 * ledger[ROOT_DEPTH]
        and n > 1
        and left_out < 0
        and depth >= 6
        and known_depth >= depth - 3
        and known_bound in (LOWER, EXACT)
        and abs(known) < WON
        and usual < INFINITY
    ):
        bar = known - usual * 0.1 * depth
        a = _below(bar) if mover == 0 else -bar
        b = bar if mover == 0 else -_below(bar)
        v = sign * value(
            game,
            state,
            (depth - 1) // 2,
            plies,
            a,
            b,
            top + n * width,
            before,
            flags | (hint + 1) << 1,
            table,
            ledger,
            path,
        )
        if v != v:
            return STOPPED
        if v < bar:
            further = 1
        # How deep to look is all that this told.
        ledger[ESTIMATED] = 0
        path.taint = repetition.CLEAN

    # Step 6. Search them in order of rank, from the mover's side: sign turns scores to player 0 around.
    low = floor
    best = -INFINITY
    chosen = -1
    tried = 0
    late = False
    for k in range(n):
        if k == first:
            rank_all(
                game, state, mover, depth, plies, before, top + k * width, top + n * width, width, ledger
            )
        # Once actions are late, all that follow are left out but for threats: their order does not matter any more.
        dispensable = tried > 0 and not principal and not urgent and best > -WON
        if dispensable and on & LMP and depth <= DEEPEST_GLANCE:
            late = late or is_late(tried, depth, improving)
        at = bring_up(ledger, top, k, n, width) if k >= first and not late else top + k * width
        marked = on & TOGETHER != 0 and tried > 0 and depth >= threads.SHALLOWEST
        if marked:
            at = threads.undisturbed(game, key, top, k, n, width, table, ledger)
        i = ledger[at + PLACE]
        if i == left_out:
            continue
        if ledger[NODES] == ledger[NEXT] and poll(ledger):
            return STOPPED
        action = take(game, ledger, at + ACTION)
        shallow = plies > 0 or depth <= DEEPEST_AT_ROOT
        reducible = on & LMR != 0 and tried >= 2 and depth >= 3 and n > 3 and shallow and not urgent
        # Whether an action threatens is asked only where it matters: it costs as much as making it.
        matters = selective and (dispensable or reducible)
        alarming = matters and threatens(game, state, action)
        # A late action is first searched less deep: only where it surprises is it worth the whole depth.
        less = 0
        if reducible and not alarming:
            less = ledger[
                REDUCTIONS + min(depth, MOST_REDUCED - 1) * MOST_REDUCED + min(tried, MOST_REDUCED - 1)
            ]
            if principal:
                less -= 1
            elif not improving:
                less += 1
            less = max(0, less - spared(game, ledger[at + RANK]))
        # At a small depth it will hardly be better; nor will one that loses something, or a calm one where much is
        # missing. With foresight the depth is what such an action would get.
        if dispensable and not alarming:
            soon = max(1, depth - less) if on & FORESIGHT else depth
            omit = late
            if on & FUTILITY and has_tactical(game) and k >= first and ledger[at + RANK] < ORDERED:
                losing = has_order(game) and depth <= DEEPEST_LOSING and ledger[at + RANK] < -ORDERED
                omit = omit or losing or (soon <= DEEPEST_GLANCE and is_hopeless(judged, floor, soon, usual))
            if omit:
                ledger[ESTIMATED] = 1
                continue
        ledger[NODES] += 1
        child = game.result(state, action)
        expect(game, child, table, ledger)
        if principal and plies + 1 < LINE_PLIES:
            ledger[LINES + (plies + 1) * LINE_PLIES] = 0
        again = repetition.NOWHERE
        if game.is_terminal(child):
            v = sign * outcome(game, child, plies + 1)
        else:
            if has_repetition(game):
                if plies + 1 >= PATH_PLIES:
                    ledger[STOP] = BY_STACK
                    return STOPPED
                again = repetition.recurs(game, child, plies + 1, path)
            if again != repetition.NOWHERE:
                repetition.note(again, path)
                if path.rule == repetition.FORBID:
                    continue
                v = sign * repetition.score(mover, plies + 1, path)
            else:
                if plies < PATH_PLIES:
                    path.places[plies] = i
                code = action_code(action) + 1
                rest = depth - 1 + further if k == 0 else depth - 1
                free = top + n * width
                if marked:
                    threads.begin(game, key, at, table, ledger)
                v = INFINITY
                if less > 0:
                    ledger[GIVEN] = ledger[at + ESTIMATE]
                    high = above(low)
                    a = low if mover == 0 else -high
                    b = high if mover == 0 else -low
                    v = sign * value(
                        game,
                        child,
                        max(rest - less, 1),
                        plies + 1,
                        a,
                        b,
                        free,
                        code,
                        0,
                        table,
                        ledger,
                        path,
                    )
                    if v != v:
                        return STOPPED
                if v > low:
                    ledger[GIVEN] = ledger[at + ESTIMATE]
                    high = ceiling if tried == 0 or on & PVS == 0 else above(low)
                    a = low if mover == 0 else -high
                    b = high if mover == 0 else -low
                    v = sign * value(game, child, rest, plies + 1, a, b, free, code, 0, table, ledger, path)
                    if v > low and v < ceiling and high < ceiling:
                        if plies == 0:
                            ledger[RISING] = i + 1
                            ledger[RISEN] = bits(sign * v)
                        a = low if mover == 0 else -ceiling
                        b = ceiling if mover == 0 else -low
                        v = sign * value(
                            game, child, rest, plies + 1, a, b, free, code, 0, table, ledger, path
                        )
                if marked:
                    threads.end(game, key, at, table, ledger)
        if v != v:
            return STOPPED
        tried += 1
        if v > best:
            best = v
            chosen = i
            if v > low:
                low = v
                if principal:
                    _extend_line(i, action, plies, ledger)
            if plies == 0 and left_out < 0:
                ledger[CHOSEN] = i + 1
                ledger[REACHED] = bits(sign * v)
            if v >= ceiling:
                note_cut(game, state, mover, plies, depth, before, top, at, width, ledger)
                break
        if plies == 0:
            ledger[RISING] = 0
    if tried == 0:
        if left_out >= 0:
            best = floor
        else:
            return _dead_end(ledger)

    # Step 7. Remember, unless it is true on this path alone.
    bound = EXACT
    if best <= floor:
        bound = UPPER if mover == 0 else LOWER
    elif best >= ceiling:
        bound = LOWER if mover == 0 else UPPER
    extra = (chosen + 1 & ACTION_MASK) << ACTION_SHIFT
    if on & PRUNING == 0:
        extra |= FULL
    if ledger[ESTIMATED] == 0:
        extra |= PROVEN
        ledger[ESTIMATED] = estimated
    tainted = path.taint < plies
    path.taint = min(taint, path.taint) if tainted else taint
    fits = True
    if has_clock(game):
        reached = ledger[REACH] - plies
        ledger[REACH] = max(reach, ledger[REACH])
        fits = reached < left and reached <= REACH_MASK
        extra |= (reached & REACH_MASK) << REACH_SHIFT
    if on & TABLE and left_out < 0:
        if not tainted and fits:
            remember(
                table, ledger[BUCKETS], key, sign * best, plies, depth, bound, extra, ledger[AGE], opinion
            )
        elif slot < 0:
            remember(
                table, ledger[BUCKETS], key, 0.0, plies, 1, NO_BOUND, extra & ~PROVEN, ledger[AGE], opinion
            )
    return sign * best


def _frontier(
    game: Any,
    state: Any,
    plies: int,
    alpha: float,
    beta: float,
    top: int,
    table: Ints,
    ledger: Ints,
    path: Path,
) -> float:
    """The score of a state one ply above the horizon: nothing below it is worth remembering or ordering."""
    mover = 0 if game.player(state) == 0 else 1
    sign = 1.0 if mover == 0 else -1.0
    ceiling = beta if mover == 0 else -alpha
    principal = ledger[FEATURES] & PVS != 0 and plies < LINE_PLIES and beta > above(alpha)
    if principal:
        ledger[LINES + plies * LINE_PLIES] = 0
    best = -INFINITY
    low = alpha if mover == 0 else -beta
    i = 0
    for action in game.actions(state):
        if ledger[NODES] == ledger[NEXT] and poll(ledger):
            return STOPPED
        ledger[NODES] += 1
        child = game.result(state, action)
        again = repetition.NOWHERE
        if game.is_terminal(child):
            v = sign * outcome(game, child, plies + 1)
        else:
            if has_repetition(game):
                again = repetition.recurs(game, child, plies + 1, path)
            if again != repetition.NOWHERE:
                repetition.note(again, path)
                if path.rule == repetition.FORBID:
                    i += 1
                    continue
                v = sign * repetition.score(mover, plies + 1, path)
            else:
                a = low if mover == 0 else -ceiling
                b = ceiling if mover == 0 else -low
                v = sign * at_horizon(game, child, plies + 1, a, b, top, table, ledger)
        if v != v:
            return STOPPED
        if v > best:
            best = v
            if v > low:
                low = v
                if principal:
                    ledger[LINES + plies * LINE_PLIES] = 1
                    ledger[LINES + plies * LINE_PLIES + 1] = _step(i, action)
            if v >= ceiling:
                i += 1
                break
        i += 1
    if has_clock(game):
        ledger[REACH] = max(ledger[REACH], plies + 1)
    if i == 0:
        raise ValueError("a state that is not terminal has no actions")
    if best == -INFINITY:
        return _dead_end(ledger)
    return sign * best


def _dead_end(ledger: Ints) -> float:
    """Stops at a state from which every action leads to a position that must not recur."""
    ledger[STOP] = BY_RULES
    return STOPPED


def _extend_line(i: int, action: Any, plies: int, ledger: Ints) -> None:
    """The best line from here is an action, the i-th, and the best line behind it."""
    if plies + 1 >= LINE_PLIES:
        return
    here = LINES + plies * LINE_PLIES
    behind = here + LINE_PLIES
    length = min(ledger[behind], LINE_PLIES - 2)
    ledger[here] = length + 1
    ledger[here + 1] = _step(i, action)
    for step in range(length):
        ledger[here + 2 + step] = ledger[behind + 1 + step]


def _step(i: int, action: Any) -> int:
    """The i-th action as it is kept in a line: its place, and itself where it is a number."""
    return action_number(action) + 1 << STEP_SHIFT | i


def _below(number: float) -> float:
    """The next smaller float."""
    return -above(-number)
