"""The kernel of the particle filter: the rules are played again, and what differs from what the player saw is dropped.

A particle is a state that is reached by a random play in which the player saw exactly what he has seen so far. From one
observation on his record to the next, each particle is moved on at random: chance by its probabilities, the others with
all actions alike, the player himself by what he did. Only what agrees with the record is drawn from, and a particle
counts by the share of what it was drawn from (importance sampling; Gordon, Salmond & Smith 1993 for the filter).

Of the game that is really being played the kernel knows the keys of the observations, nothing else.
"""

from typing import Any

from gametree.kernel.clock import BY_PLIES, RUNNING, Clock, poll
from gametree.kernel.memory import Memory
from gametree.kernel.primitives import (
    Ints,
    action_words,
    keep_state,
    signed_key,
    state_words,
    take,
    take_state,
)
from gametree.kernel.random import unit
from gametree.search.core.repetition import Path
from gametree.search.hidden.ismcts_memory import LONGEST, Pool
from gametree.search.mcts.expansion import outcomes
from gametree.search.mcts.memory import Choosing
from gametree.search.mcts.playout import decided_by_chance, shelve


class Record(Memory):
    """What a player has seen, as keys of his observations."""

    keys: Ints
    length: int
    player: int
    mover: int
    """Who moves at its end: the player, or CHANCE."""
    step: int
    """Up to which entry the particles have come; −1 before the game."""


def replay(
    game: Any,
    state: Any,
    here: Pool,
    there: Pool,
    record: Record,
    thread: Choosing,
    clock: Clock,
    path: Path,
) -> int:
    """Moves particles from `here` on to the next entry of the record, until there is no room for more of them.

    A node is one attempt; `state` is where the game begins.
    """
    words = state_words(game)
    while there.count < there.room:
        if (clock.nodes == clock.next and poll(clock)) or clock.stop != RUNNING:
            return there.count
        clock.nodes += 1
        start = state
        if record.step >= 0:
            start = take_state(game, here.states, _drawn(here, thread) * words)
        _advance(game, start, there, record, thread, clock)
    return there.count


def _drawn(here: Pool, thread: Choosing) -> int:
    draw = unit(thread)
    low = 0
    high = here.count - 1
    while low < high:
        middle = (low + high) >> 1
        if here.shares[middle] > draw:
            high = middle
        else:
            low = middle + 1
    return low


def _advance(game: Any, state: Any, there: Pool, record: Record, thread: Choosing, clock: Clock) -> None:
    """One particle: to where the next entry is seen, or at the end of the record to where the player is to move."""
    words = action_words(game)
    weight = 1.0
    at = max(record.step, 0)
    if record.step < 0 and signed_key(game.observe(state, record.player)) != record.keys[0]:
        return
    goal = min(record.step + 1, record.length - 1)
    for _ in range(LONGEST):
        last = at == record.length - 1
        if at == goal and (not last or (not game.is_terminal(state) and game.player(state) == record.mover)):
            keep_state(game, state, there.states, there.count * state_words(game))
            there.shares[there.count] = weight
            there.count += 1
            return
        if game.is_terminal(state) or clock.stop != RUNNING:
            return

        # Which successors agree with the record: the player saw nothing new, or the next thing that he did see.
        thrown = decided_by_chance(game, state)
        share = 1.0
        if thrown:
            count = outcomes(game, state, thread, clock)
        else:
            count = shelve(game, state, thread, clock)
            if count > 0 and game.player(state) != record.player:
                share = 1.0 / count
        total = 0.0
        chosen = -1
        further = False
        for place in range(count):
            after = game.result(state, take(game, thread.shelf, place * words))
            seen = signed_key(game.observe(after, record.player))
            new = not last and seen == record.keys[at + 1]
            if new or seen == record.keys[at]:
                odds = share
                if thrown:
                    odds = thread.odds[place]
                total += odds
                if unit(thread) * total < odds:
                    chosen = place
                    further = new
        if chosen < 0:
            return
        weight *= total
        state = game.result(state, take(game, thread.shelf, chosen * words))
        if further:
            at += 1
    clock.stop = BY_PLIES
