"""Expectiminimax: the value of a game with dice or cards between two players who both play perfectly.

Michie, Game-Playing and Game-Learning Automata (1966); Russell & Norvig, Artificial Intelligence: A Modern Approach,
section 5.5: minimax, with chance nodes that are worth the mean of what follows. Star1 and Star2: Ballard, The *-Minimax
Search Procedure for Trees Containing Chance Nodes (1983). Where no payoff is below L or above U, the outcomes that were
not looked at yet can add no more than U and no less than L each. Star1 hands α and β through a chance node with that;
Star2 first looks at one action behind each outcome, which bounds it from one side.
"""

import math
from typing import Any, Literal, Unpack

from gametree.game import CHANCE, Game
from gametree.kernel.clock import BY_PLIES, Clock, horizon, poll
from gametree.kernel.memory import Memory
from gametree.kernel.primitives import NOTHING, Floats, Ints, identity
from gametree.result import Analysis
from gametree.search.chance.table import first_action, is_proven, noted, tag_of
from gametree.search.core.bound_table import find, lower_bound, remember, upper_bound
from gametree.search.core.plays import CLOSE
from gametree.search.core.repetition import Path
from gametree.search.core.sound import sound
from gametree.search.core.task import Keywords, Needs, OnProgress, Task, spelled_out

INFINITY = math.inf
STOPPED = math.nan

NONE, ALPHABETA, STAR1, STAR2 = range(4)
NO_TROUBLE, ODDS, UTILITY_OUTSIDE, ESTIMATE_OUTSIDE = range(4)
OPEN, EXACT, AT_LEAST, AT_MOST = range(4)
"""What is known of a chance node."""


class ChanceMemory(Memory):
    """What expectiminimax works with."""

    entries: Ints
    """The table; without one, `buckets` is 0."""
    buckets: int
    pruning: int
    deepest: int
    """The most plies."""
    low: float
    """The least and the greatest payoff."""
    high: float
    shelf: Floats
    """Bounds of outcomes, two each; room for so many numbers."""
    room: int
    trouble: int = NO_TROUBLE
    """What is wrong with the rules, and at which ply."""
    where: int
    whole: bool
    """Whether the last probe looked at all there is."""


def refuse(trouble: int, plies: int, place: int, memory: ChanceMemory, path: Path) -> float:
    """Leaves the search because the rules are not what they say, with the way to where that is."""
    memory.trouble = trouble
    memory.where = plies
    path.places[plies] = place
    return NOTHING


def outcomes(game: Any, state: Any) -> int:
    """How many outcomes a chance node has, up to the last one that can happen; −1 where they do not sum to 1."""
    count = 0
    i = 0
    total = 0.0
    for _, probability in game.chance(state):
        p = 1.0 * probability
        i += 1
        if not p >= 0.0:
            return -1
        if p > 0.0:
            count = i
        total += p
    return count if abs(total - 1.0) <= CLOSE else -1


def foremost(game: Any, state: Any) -> int:
    """The place of the action that the game's own `order` puts first."""
    best = -INFINITY
    place = 0
    i = 0
    for action in game.actions(state):
        rank = game.order(state, action)
        if rank > best:
            best = rank
            place = i
        i += 1
    return place


def value(
    game: Any,
    state: Any,
    depth: int,
    plies: int,
    alpha: float,
    beta: float,
    probing: int,
    at: int,
    memory: ChanceMemory,
    clock: Clock,
    path: Path,
) -> float:
    """What a state that is not terminal is worth to player 0, `depth` ≥ 1 actions of players deep; nan when stopped.

    With α < β on entry, the result v proves: α < v < β, the value is v; v ≤ α, it is at most v; v ≥ β, it is at
    least v. With `probing`, one action only is looked at: v > α proves that MAX has at least v, v < β that MIN has at
    most v. The shelf is free from `at` on.
    """
    if plies >= memory.deepest:
        clock.stop = BY_PLIES
        return STOPPED
    mover = game.player(state)

    # Step 1. What is known may be enough.
    table, buckets, shelf = memory.entries, memory.buckets, memory.shelf
    estimated = clock.estimated
    key = 0
    tag = 0
    first = -1
    lower = -INFINITY
    upper = INFINITY
    memory.whole = False
    if buckets > 0:
        key = identity(game, state)
        tag = tag_of(game, state, depth, clock)
        slot = find(table, buckets, key, tag)
        lower = lower_bound(table, slot)
        upper = upper_bound(table, slot)
        clock.estimated = not is_proven(table, slot)
        if lower >= beta or lower >= upper or upper <= alpha:
            clock.estimated = clock.estimated or estimated
            memory.whole = lower >= upper
            return upper if upper <= alpha else lower
        alpha = max(alpha, lower)
        beta = min(beta, upper)
        if mover != CHANCE:
            first = first_action(table, buckets, key, tag, slot)
    low, high = memory.low, memory.high

    if mover == CHANCE:
        n = outcomes(game, state)
        if n < 0:
            return refuse(ODDS, plies, 0, memory, path)
        cutting = memory.pruning >= STAR1 and (alpha > low or beta < high)
        probed = cutting and memory.pruning == STAR2 and at + 2 * n <= memory.room
        known = OPEN
        found = 0.0
        # What all outcomes that are not settled add, at the least and at the most.
        least = low
        most = high

        # Step 2. Star2: one action behind each outcome, as long as that can decide.
        # Step 3. The mean. Star1: each outcome within a window that tells whether the mean can still be in ours.
        total = 0.0
        step = 2 if probed else 3
        while step <= 3 and known == OPEN:
            i = 0
            for outcome, probability in game.chance(state):
                p = 1.0 * probability
                bottom = low
                top = high
                if p > 0.0:
                    a = -INFINITY
                    b = INFINITY
                    if step == 2:
                        a = (alpha - (most - p * high)) / p
                        b = (beta - (least - p * low)) / p
                    else:
                        if probed:
                            bottom = shelf[at + 2 * i]
                            top = shelf[at + 2 * i + 1]
                        if cutting:
                            least = least - p * bottom if i < n - 1 else 0.0
                            most = most - p * top if i < n - 1 else 0.0
                            a = (alpha - total - most) / p
                            b = (beta - total - least) / p
                    v = bottom
                    if bottom < top:
                        child = game.result(state, outcome)
                        over = game.is_terminal(child)
                        who = CHANCE if over else game.player(child)
                        if step == 3 or over or (who == 0 and beta < high) or (who > 0 and alpha > low):
                            if clock.nodes == clock.next and poll(clock):
                                return STOPPED
                            clock.nodes += 1
                            c = max(a, bottom)
                            d = min(b, top)
                            if not c < d:  # by rounding
                                c = -INFINITY
                                d = INFINITY
                            if over:
                                v = game.utility(child, 0)
                                if v < low or v > high:
                                    return refuse(UTILITY_OUTSIDE, plies, i, memory, path)
                                memory.whole = True
                            else:
                                path.places[plies] = i
                                deeper = at + 2 * n if probed else at
                                probe = 1 if step == 2 else 0
                                v = value(
                                    game, child, depth, plies + 1, c, d, probe, deeper, memory, clock, path
                                )
                            if v != v:
                                return STOPPED
                            if step == 2:
                                if over or (v > c and (who == 0 or memory.whole)):
                                    bottom = max(v, low)
                                if over or (v < d and (who > 0 or memory.whole)):
                                    top = min(v, high)
                    if step == 2:
                        least += p * (bottom - low)
                        most += p * (top - high)
                    elif v <= a:
                        known = AT_MOST
                        found = min(total + p * v + most, alpha)
                    elif v >= b:
                        known = AT_LEAST
                        found = max(total + p * v + least, beta)
                    else:
                        total += p * v
                if step == 2:
                    shelf[at + 2 * i] = bottom
                    shelf[at + 2 * i + 1] = top
                    if least >= beta:
                        known = AT_LEAST
                        found = least
                    elif most <= alpha:
                        known = AT_MOST
                        found = most
                i += 1
                if known != OPEN or i == n:
                    break
            step += 1
        if known == OPEN:
            known = EXACT
            found = total
        if known != AT_MOST:
            lower = max(lower, found)
        if known != AT_LEAST:
            upper = min(upper, found)
    else:
        # Step 4. Alpha-beta, seen from the mover: sign turns values to player 0 around.
        sign = 1.0 if mover == 0 else -1.0
        floor = alpha if mover == 0 else -beta
        ceiling = beta if mover == 0 else -alpha
        rising = floor
        best = -INFINITY
        if first < 0:
            first = foremost(game, state) if game.offered.order else 0
        # Turn 0 looks at the first action, turn 1 at the others.
        turn = 0 if first > 0 or probing != 0 else 1
        done = -1
        place = -1
        others = False
        while turn < 2:
            count = 0
            for action in game.actions(state):
                if turn == 0 and done >= 0:
                    others = True
                    break
                if (count == first) if turn == 0 else (count != done):
                    if clock.nodes == clock.next and poll(clock):
                        return STOPPED
                    clock.nodes += 1
                    child = game.result(state, action)
                    if game.is_terminal(child):
                        v = game.utility(child, 0)
                        if v < low or v > high:
                            return refuse(UTILITY_OUTSIDE, plies, count, memory, path)
                    elif depth == 1:
                        v = horizon(game, child, clock)
                        if v < low or v > high:
                            return refuse(ESTIMATE_OUTSIDE, plies, count, memory, path)
                    else:
                        path.places[plies] = count
                        a = rising if mover == 0 else -ceiling
                        b = ceiling if mover == 0 else -rising
                        v = value(game, child, depth - 1, plies + 1, a, b, 0, at, memory, clock, path)
                    if v != v:
                        return STOPPED
                    v = sign * v
                    if place < 0 or v > best:
                        best = v
                        place = count
                        if v >= ceiling:
                            break
                        if v > rising and memory.pruning != NONE:
                            rising = v
                    if turn == 0:
                        done = count
                elif turn == 0:
                    others = True
                count += 1
            turn += 1
            if place >= 0 and (best >= ceiling or probing != 0):
                turn = 2
        if place < 0:
            raise ValueError("a state that is not terminal has no actions")
        found = sign * best
        first = place
        at_least = best > floor
        at_most = best < ceiling and (probing == 0 or not others)
        memory.whole = not others
        if at_least if mover == 0 else at_most:
            lower = max(lower, found)
        if at_most if mover == 0 else at_least:
            upper = min(upper, found)

    # Step 5. Remember what this proves.
    if buckets > 0:
        extra = noted(first, not clock.estimated)
        remember(table, buckets, key, tag, lower, upper, depth, extra)
        clock.estimated = clock.estimated or estimated
    return found


Pruning = Literal["star2", "star1", "alphabeta", "none"]


NEEDS = Needs("expectiminimax", zero_sum=True, repetition="none")


@spelled_out
@sound
def expectiminimax(
    game: Game,
    state: Any = None,
    *,
    moves: bool = False,
    pruning: Pruning = "star2",
    hash_mb: float = 64,
    distribution: bool = False,
    on_progress: OnProgress | None = None,
    **keywords: Unpack[Keywords],
) -> Analysis:
    """The best action and its expected payoff, where dice or cards decide between the players' actions.

    `depth` counts the actions of players, not the throws of dice; at the depth `evaluate` stands for the value, without
    a depth every line is followed to its end. With a limit on seconds or nodes it searches depth after depth and
    answers from the last one it finished. `pruning` is "star2", "star1", "alphabeta" (between chance nodes only) or
    "none"; `hash_mb=0` does without a table. None of that changes the value. `distribution=True` gives the payoffs
    that can come of best play, each with its probability. At a chance node the value is that to player 0, there is no
    action, and `moves=True` values its outcomes. The line ends where chance decides.

    >>> from gametree import Chance, Tree
    >>> tree = Tree([Chance([(0.5, 6), (0.5, [0, 8])]), 2])
    >>> result = expectiminimax(tree, distribution=True)
    >>> result.action, result.value == 3, result.distribution
    (0, True, ((0.0, 0.5), (6.0, 0.5)))
    """
    from gametree.search.chance.root import think

    task = Task.of(NEEDS, game, state, moves=moves, on_progress=on_progress, **keywords)
    return think(task, pruning, hash_mb, distribution)
