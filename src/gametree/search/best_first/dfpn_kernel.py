"""The kernel of df-pn: depth-first search of an AND/OR tree by thresholds on proof and disproof numbers.

What it does, and what about positions that recur, is in `dfpn.py`.
"""

from typing import Any

from gametree.kernel.clock import BY_PLIES, BY_STACK, Clock, poll
from gametree.kernel.memory import Memory
from gametree.kernel.primitives import Ints, action_words, identity, keep, recurrence, take
from gametree.search.best_first.numbers import (
    INFINITE,
    LARGEST,
    disproof_number,
    find,
    place_of,
    proof_number,
    remember,
    size_of,
)
from gametree.search.core import repetition
from gametree.search.core.bound_table import tag_of
from gametree.search.core.repetition import Path

STOPPED = -1
LARGE = INFINITE - 1
"""The greatest number of a state that is neither proven nor disproven."""
SHELF_WORDS = 1 << 20

SHELF_PROOF, SHELF_DISPROOF, SHELF_SIZE, SHELF_TAINT, ACTION = range(5)
"""What lies on the shelf for a child, from where it begins."""


class Proving(Memory):
    """What a search for a proof works with."""

    entries: Ints
    """The table, see `numbers.py`."""
    buckets: int
    salt: int
    """Part of every key: see `Past`."""
    shelf: Ints
    player: int
    """Whose goal it is, and the payoff that is enough."""
    bar: float
    reversed: bool
    """Whether it is the other player who has to prove something."""
    least: float
    """The least payoff that was enough, and the greatest that was not, of the ends that were seen."""
    greatest: float
    disproof: int
    """The rest of an answer: the disproof number, the size of the proof, the place of the action that decided."""
    size: int
    place: int
    root_proof: int = 1
    """The numbers of the root so far, and the place of the action that looks best."""
    root_disproof: int = 1
    root_place: int


def prove(
    game: Any,
    state: Any,
    depth: int,
    most_proof: int,
    most_disproof: int,
    top: int,
    memory: Proving,
    clock: Clock,
    path: Path,
) -> int:
    """The proof number of a state that is not terminal; STOPPED when told to stop.

    It is searched until it is proven (0) or disproven (INFINITE), or one of its numbers has reached its threshold.
    The disproof number, the size of the proof, the place of the action that decided, and the highest ply on which a
    disproof rests are left in `memory`. `top` is where the shelf is free.
    """
    # Step 1. What is known may be enough.
    table = memory.entries
    shelf = memory.shelf
    buckets = memory.buckets
    key = identity(game, state) ^ memory.salt
    tag = tag_of(game, state, depth, clock)
    slot = find(table, buckets, key, tag)
    if slot >= 0:
        proof = proof_number(table, slot)
        disproof = disproof_number(table, slot)
        if proof == 0 or disproof == 0 or proof >= most_proof or disproof >= most_disproof:
            memory.disproof = disproof
            memory.size = size_of(table, slot)
            memory.place = place_of(table, slot)
            path.taint = repetition.CLEAN
            return proof

    # Step 2. Put the children on the shelf, with what is known of them.
    begun = clock.nodes
    plies = path.full_depth - depth
    mover = 0 if game.player(state) == 0 else 1
    is_or = (mover == memory.player) == (not memory.reversed)
    # At OR nodes the least proof number counts and disproof numbers add up, at AND nodes it is the other way round.
    mine = SHELF_PROOF if is_or else SHELF_DISPROOF
    others = SHELF_DISPROOF if is_or else SHELF_PROOF
    most_mine = most_proof if is_or else most_disproof
    most_others = most_disproof if is_or else most_proof
    width = action_words(game) + ACTION
    n = 0
    for action in game.actions(state):
        if clock.nodes == clock.next and poll(clock):
            return STOPPED
        clock.nodes += 1
        at = top + n * width
        if at + width > SHELF_WORDS:
            clock.stop = BY_STACK
            return STOPPED
        child = game.result(state, action)
        size = 1
        taint = repetition.CLEAN
        proof = 1
        disproof = 1
        if game.is_terminal(child):
            reached = _is_reached(float(game.utility(child, memory.player)), memory)
            proof = 0 if reached else INFINITE
            disproof = INFINITE if reached else 0
        else:
            again = repetition.NOWHERE
            if game.repetition is not None:
                # With a depth only the states before the root can recur: there is no path to compare with.
                again = repetition.recurs(game, child, plies + 1 if clock.endless else 0, path)
            if again != repetition.NOWHERE:
                reached = _is_reached(path.even, memory)
                proof = 0 if reached else INFINITE
                disproof = INFINITE if reached else 0
                taint = again
            elif depth == 1:
                if clock.endless:
                    clock.stop = BY_PLIES
                    return STOPPED
                clock.estimated = True
                proof = INFINITE
                disproof = 0
            else:
                slot = find(
                    table,
                    buckets,
                    identity(game, child) ^ memory.salt,
                    tag_of(game, child, depth - 1, clock),
                )
                proof = proof_number(table, slot)
                disproof = disproof_number(table, slot)
                size = size_of(table, slot)
        shelf[at + SHELF_PROOF] = proof
        shelf[at + SHELF_DISPROOF] = disproof
        shelf[at + SHELF_SIZE] = size
        shelf[at + SHELF_TAINT] = taint
        keep(game, action, shelf, at + ACTION)
        n += 1
        if shelf[at + mine] == 0:
            break
    if n == 0:
        raise ValueError("a state that is not terminal has no actions")

    # Step 3. Search the most promising child, until the thresholds are reached.
    end = top + n * width
    while True:
        best = top
        least = INFINITE + 1
        second = INFINITE
        total = 0
        for at in range(top, end, width):
            number = shelf[at + mine]
            if number < least:
                second = min(least, INFINITE)
                least = number
                best = at
            elif number < second:
                second = number
            total += shelf[at + others]
        if least == 0:
            total = INFINITE
        elif total > LARGE:
            total = LARGE
        if plies == 0:
            memory.root_proof = least if is_or else total
            memory.root_disproof = total if is_or else least
            memory.root_place = (best - top) // width
        if least == 0 or total == 0 or least >= most_mine or total >= most_others:
            break
        if clock.nodes == clock.next and poll(clock):
            return STOPPED
        clock.nodes += 1
        child = game.result(state, take(game, shelf, best + ACTION))
        if game.repetition is not None:
            path.keys[plies + 1] = recurrence(game, child)
        path.places[depth] = (best - top) // width
        limit_mine = min(most_mine, second + second // 4 + 1)
        limit_others = INFINITE
        if most_others < INFINITE:
            limit_others = most_others - total + shelf[best + others]
        proof = prove(
            game,
            child,
            depth - 1,
            limit_mine if is_or else limit_others,
            limit_others if is_or else limit_mine,
            end,
            memory,
            clock,
            path,
        )
        if proof == STOPPED:
            return STOPPED
        shelf[best + SHELF_PROOF] = proof
        shelf[best + SHELF_DISPROOF] = memory.disproof
        shelf[best + SHELF_SIZE] = memory.size
        shelf[best + SHELF_TAINT] = path.taint

    # Step 4. Remember, unless it is a disproof that is true on this path alone.
    size = 0
    taint = repetition.CLEAN
    place = -1
    if least == 0:
        place = (best - top) // width
        size = 1 + shelf[best + SHELF_SIZE]
        taint = shelf[best + SHELF_TAINT]
    elif total == 0:
        size = 1
        for at in range(top, end, width):
            size = min(size + shelf[at + SHELF_SIZE], LARGEST)
            taint = min(taint, shelf[at + SHELF_TAINT])
    proof = least if is_or else total
    disproof = total if is_or else least
    tainted = disproof == 0 and taint < plies
    if not tainted:
        remember(table, buckets, key, tag, proof, disproof, place, size, clock.nodes - begun)
    path.taint = taint if tainted else repetition.CLEAN
    memory.disproof = disproof
    memory.size = size
    memory.place = place
    return proof


def _is_reached(payoff: float, memory: Proving) -> bool:
    """Whether an end of the game is what is to be proven; takes note of its payoff."""
    enough = payoff >= memory.bar
    if enough and payoff < memory.least:
        memory.least = payoff
    if not enough and payoff > memory.greatest:
        memory.greatest = payoff
    return enough == (not memory.reversed)
