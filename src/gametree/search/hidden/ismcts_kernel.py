"""The kernel: a world is drawn, a simulation is played in it, and what it brought is added to information sets.

Information-set Monte-Carlo tree search (Cowling, Powley & Whitehouse 2012). A simulation knows the whole state of the
world that was drawn for it, and plays by its rules. What it learns is kept by what players see: two worlds that look
the same to a player share one entry for each action, so that nobody learns to play by what he cannot know.

- Multiple observers: every player chooses by what he himself sees.
- Single observer: everybody's choices are kept by what the player at the root sees.

Not every action can be played in every world. How often one could have been takes the place of the visits of the node
in UCB (a subset-armed bandit).
"""

import math
from typing import Any

from gametree.kernel.clock import BY_PLIES, BY_RULES, RUNNING, Clock, poll
from gametree.kernel.primitives import (
    action_words,
    bits,
    signed_key,
    state_words,
    take,
    take_state,
    unbits,
)
from gametree.kernel.random import below, unit
from gametree.search.core.repetition import Path
from gametree.search.hidden.ismcts_memory import (
    AVAILABLE,
    BY_FULL_TABLE,
    DEEPEST,
    KEY,
    LONGEST,
    SUM,
    VISITS,
    WORDS,
    Options,
    Pool,
    Table,
    Thread,
)
from gametree.search.mcts.memory import NO_ACTIONS, NO_NUMBER
from gametree.search.mcts.playout import decided_by_chance, roll, shelve


def search(
    game: Any,
    state: Any,
    pool: Pool,
    table: Table,
    before: Table,
    options: Options,
    thread: Thread,
    clock: Clock,
    path: Path,
) -> int:
    """Simulates until told to stop. First what a smaller table held `before` is moved into this one."""
    _move(before, table)
    while True:
        if (clock.nodes == clock.next and poll(clock)) or clock.stop != RUNNING:
            return 0
        if 2 * table.used > table.slots and not table.closed:
            clock.stop = BY_FULL_TABLE
            return 0
        simulate(game, _drawn(game, pool, thread), table, options, thread, clock)
        if clock.stop != RUNNING:
            return 0
        clock.nodes += 1


def _drawn(game: Any, pool: Pool, thread: Thread) -> Any:
    """A world, by its probability."""
    at = 0
    if pool.count > 1:
        draw = unit(thread)
        low = 0
        high = pool.count - 1
        while low < high:
            middle = (low + high) >> 1
            if pool.shares[middle] > draw:
                high = middle
            else:
                low = middle + 1
        at = low
    return take_state(game, pool.states, at * state_words(game))


def simulate(game: Any, state: Any, table: Table, options: Options, thread: Thread, clock: Clock) -> None:
    """One simulation in a world, from there to the end of the game."""
    words = action_words(game)
    depth = 0
    plies = 0
    inside = True
    while not game.is_terminal(state):
        plies += 1
        if plies >= LONGEST:
            clock.stop = BY_PLIES
            return
        if plies & 255 == 0 and clock.stop != RUNNING:
            return

        # Step 1. Chance rolls its dice.
        if decided_by_chance(game, state):
            if roll(game, state, thread) < 0:
                thread.wrong = NO_ACTIONS
                clock.stop = BY_RULES
                return
            state = game.result(state, take(game, thread.shelf, 0))
            continue

        # Step 2. Selection in the tree; the first action without a visit is the leaf. From there on any action.
        count = shelve(game, state, thread, clock)
        if count == 0:
            return
        place = -1
        mover = 0
        if inside:
            mover = game.player(state)
            place = _choose(game, state, mover, count, table, options, thread)
            inside = place >= 0
        if inside:
            entry = thread.entries[place]
            thread.way[2 * depth] = entry
            thread.way[2 * depth + 1] = mover
            depth += 1
            inside = table.cells[entry + VISITS] > 0 and depth < DEEPEST
        else:
            place = below(thread, count)
        state = game.result(state, take(game, thread.shelf, place * words))

    # Step 3. Everybody's entries get what he got.
    for player in range(options.players):
        payoff = float(game.utility(state, player))
        if payoff != payoff:
            thread.wrong = NO_NUMBER
            clock.stop = BY_RULES
            return
        thread.payoffs[player] += payoff
        thread.least = min(thread.least, payoff)
        thread.greatest = max(thread.greatest, payoff)
        for step in range(depth):
            if thread.way[2 * step + 1] == player:
                entry = thread.way[2 * step]
                table.cells[entry + VISITS] += 1
                table.cells[entry + SUM] = bits(unbits(table.cells[entry + SUM]) + payoff)


def _choose(
    game: Any, state: Any, mover: int, count: int, table: Table, options: Options, thread: Thread
) -> int:
    """The place of the action that the tree policy takes; all actions are now in the table. -1 where that is closed."""
    words = action_words(game)
    own = options.multiple or mover == options.player
    key = signed_key(game.observe(state, mover if own else options.player))
    fresh = 0
    for place in range(count):
        if own:
            entry = _entry(signed_key((key, mover, place)), table)
        else:  # other worlds may have other actions
            action = signed_key(take(game, thread.shelf, place * words))
            entry = _entry(signed_key((key, mover, action)), table)
        if entry < 0:
            return -1
        thread.entries[place] = entry
    for place in range(count):
        entry = thread.entries[place]
        table.cells[entry + AVAILABLE] += 1
        if table.cells[entry + VISITS] == 0:
            fresh += 1
    if fresh > 0:
        left = below(thread, fresh)
        for place in range(count):
            if table.cells[thread.entries[place] + VISITS] == 0:
                if left == 0:
                    return place
                left -= 1
    least = options.least
    spread = options.spread
    if spread == 0.0:
        least = thread.least
        spread = max(thread.greatest - thread.least, 1e-300)
    chosen = 0
    best = -1.0
    for place in range(count):
        entry = thread.entries[place]
        visits = float(table.cells[entry + VISITS])
        mean = (unbits(table.cells[entry + SUM]) / visits - least) / spread
        worth = mean + options.exploration * math.sqrt(
            math.log(float(table.cells[entry + AVAILABLE])) / visits
        )
        if worth > best:
            best = worth
            chosen = place
    return chosen


def _entry(key: int, table: Table) -> int:
    """Where the entry of an action is; a new one where it is not known yet, or -1 where the table is closed."""
    mask = table.slots - 1
    slot = key & mask
    while True:
        at = slot * WORDS
        seen = table.cells[at + KEY]
        if seen == key:
            return at
        if seen == 0:
            if table.closed:
                return -1
            table.cells[at + KEY] = key
            table.used += 1
            return at
        slot = (slot + 1) & mask


def _move(before: Table, table: Table) -> None:
    """Everything that is known, into another table."""
    for slot in range(before.slots):
        at = slot * WORDS
        if before.cells[at + KEY] != 0:
            to = _entry(before.cells[at + KEY], table)
            for word in range(1, WORDS):
                table.cells[to + word] = before.cells[at + word]
    before.slots = 0
