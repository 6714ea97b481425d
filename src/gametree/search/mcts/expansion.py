"""Expansion: all children of a node at once, with their priors where these are asked for.

Priors are, by what the game offers: `prior`, given by the rules; e^(opinion / warmth) of the result by `evaluate`; the
same for every action. They sum to 1. With progressive widening the children stand in their order, the likeliest first.

Where transpositions are taken for one, a node whose state has been expanded before gets the children of that.
"""

import math
from typing import Any

from gametree.kernel.primitives import (
    BY_RULES,
    STOP,
    Choice,
    Floats,
    Ints,
    action_words,
    bits,
    has_clock,
    keep,
    plies_left,
    position,
    take,
    unbits,
)
from gametree.kernel.random import exchange
from gametree.search.mcts.bounds import open_bounds
from gametree.search.mcts.playout import opinion, shelve, weight_of
from gametree.search.mcts.tree import BY_CHANCE, FIRST, FIRST_BITS, PLAYER, room_for
from gametree.search.mcts.words import (
    AMAF,
    BY_ROOM,
    CAPACITY,
    FULL,
    MANY_ACTIONS,
    NO_ACTIONS,
    PRIORS,
    RECYCLES,
    SLOTS,
    SOLVER,
    SPREAD,
    THREADS,
    TRANSPOSITIONS,
    TUNED,
    WARMTH,
    WIDE,
    WIDTH,
    WRONG,
)

BUCKET = 4
"""So many places of the table are looked at."""


def expand(
    game: Any,
    state: Any,
    node: int,
    kind: int,
    shelf: int,
    most: int,
    visits: Ints,
    sums: Floats,
    about: Ints,
    parent: Ints,
    actions: Ints,
    low: Floats,
    high: Floats,
    prior: Floats,
    squares: Floats,
    heard: Ints,
    echoes: Floats,
    table: Ints,
    shared: Ints,
    ledger: Ints,
) -> None:
    """Makes the children of a node, whose first child is BUSY; 0 again where that is not possible."""
    # Step 1. Has another node the same state?
    key = 0
    if ledger[TRANSPOSITIONS] != 0:
        key = position(game, state)
        if has_clock(game):
            key = key + 0x9E3779B97F4A7C1 * plies_left(game, state)
        found = _look_up(key, table, ledger)
        if found != 0:
            exchange(about, node, about[node], about[node] & ~FIRST | found)
            return

    # Step 2. Which children are there, and is there room for them?
    words = action_words(game)
    if kind == BY_CHANCE:
        count = outcomes(game, state, shelf, most, ledger)
    else:
        count = shelve(game, state, shelf, most, ledger)
    begin = 0
    if count > 0:
        begin = room_for(count, ledger[CAPACITY], ledger[THREADS], shared)
    if begin == 0:
        if count > 0:
            if ledger[RECYCLES] != 0:
                ledger[STOP] = BY_ROOM
            else:
                shared[FULL] = 1
        exchange(about, node, about[node], about[node] & ~FIRST)
        return

    # Step 3. Make them.
    width = ledger[WIDTH]
    for place in range(count):
        child = begin + place
        visits[child] = 0
        about[child] = 0
        parent[child] = place << FIRST_BITS | node
        for i in range(words):
            actions[child * words + i] = ledger[shelf + place * words + i]
        for i in range(child * width, child * width + width):
            sums[i] = 0.0
            if ledger[TUNED] != 0:
                squares[i] = 0.0
        if ledger[SOLVER] != 0:
            open_bounds(child, low, high, ledger)
        if ledger[AMAF] != 0:
            heard[child] = 0
            echoes[child] = 0.0
    if kind == BY_CHANCE:
        for place in range(count):
            prior[begin + place] = unbits(ledger[shelf + most * words + place])
    elif ledger[PRIORS] != 0:
        believe(game, state, kind - PLAYER, begin, count, actions, prior, ledger)
        if ledger[WIDE] != 0:
            _sort(begin, count, words, parent, actions, prior)

    # Step 4. Show them to everybody.
    children = count << FIRST_BITS | begin
    if ledger[TRANSPOSITIONS] != 0:
        _note(key, children, table, ledger)
    exchange(about, node, about[node], about[node] & ~FIRST | children)


def _outcomes(game: Any, state: Any, shelf: int, most: int, ledger: Ints) -> int:
    words = action_words(game)
    count = 0
    for outcome, probability in game.chance(state):
        if count >= most:
            ledger[WRONG] = MANY_ACTIONS
            ledger[STOP] = BY_RULES
            return 0
        keep(game, outcome, ledger, shelf + count * words)
        ledger[shelf + most * words + count] = bits(probability)
        count += 1
    if count == 0:
        ledger[WRONG] = NO_ACTIONS
        ledger[STOP] = BY_RULES
    return count


def _no_outcomes(game: Any, state: Any, shelf: int, most: int, ledger: Ints) -> int:
    return 0


outcomes = Choice("chance", _outcomes, _no_outcomes)
"""Lays the outcomes of a chance node down from `shelf` on, and their probabilities behind."""


# --- priors -------------------------------------------------------------------------------------------


def _given(
    game: Any, state: Any, mover: int, begin: int, count: int, actions: Ints, prior: Floats, ledger: Ints
) -> None:
    words = action_words(game)
    for child in range(begin, begin + count):
        prior[child] = weight_of(game, state, take(game, actions, child * words))


def _guessed(
    game: Any, state: Any, mover: int, begin: int, count: int, actions: Ints, prior: Floats, ledger: Ints
) -> None:
    words = action_words(game)
    best = -math.inf
    for child in range(begin, begin + count):
        after = game.result(state, take(game, actions, child * words))
        worth = game.utility(after, mover) if game.is_terminal(after) else opinion(game, after, mover, ledger)
        prior[child] = worth
        best = max(best, worth)
    warmth = unbits(ledger[WARMTH]) * unbits(ledger[SPREAD])
    for child in range(begin, begin + count):
        prior[child] = math.exp((prior[child] - best) / warmth)


def _the_same(
    game: Any, state: Any, mover: int, begin: int, count: int, actions: Ints, prior: Floats, ledger: Ints
) -> None:
    for child in range(begin, begin + count):
        prior[child] = 1.0


weigh_by_evaluation = Choice("evaluate", _guessed, _the_same)


def _without_prior(
    game: Any, state: Any, mover: int, begin: int, count: int, actions: Ints, prior: Floats, ledger: Ints
) -> None:
    weigh_by_evaluation(game, state, mover, begin, count, actions, prior, ledger)


weigh = Choice("prior", _given, _without_prior)
"""Gives every child a weight of at least 0."""


def believe(
    game: Any, state: Any, mover: int, begin: int, count: int, actions: Ints, prior: Floats, ledger: Ints
) -> None:
    """Gives the children their priors."""
    weigh(game, state, mover, begin, count, actions, prior, ledger)
    total = 0.0
    for child in range(begin, begin + count):
        total += prior[child]
    for child in range(begin, begin + count):
        prior[child] = prior[child] / total if total > 0.0 else 1.0 / count


def _sort(begin: int, count: int, words: int, parent: Ints, actions: Ints, prior: Floats) -> None:
    """The likeliest first; equal ones keep the order of `actions`."""
    for last in range(begin + 1, begin + count):
        at = last
        while at > begin and prior[at] > prior[at - 1]:
            prior[at], prior[at - 1] = prior[at - 1], prior[at]
            parent[at], parent[at - 1] = parent[at - 1], parent[at]
            for i in range(words):
                here, there = at * words + i, (at - 1) * words + i
                actions[here], actions[there] = actions[there], actions[here]
            at -= 1


# --- transpositions -----------------------------------------------------------------------------------


def _look_up(key: int, table: Ints, ledger: Ints) -> int:
    """The children of a state that was expanded before: the first of them, and how many; 0 where there are none."""
    home = (key & ledger[SLOTS] - 1) * 2 * BUCKET
    for at in range(home, home + 2 * BUCKET, 2):
        if table[at + 1] != 0 and table[at] ^ table[at + 1] == key:
            return table[at + 1]
    return 0


def _note(key: int, children: int, table: Ints, ledger: Ints) -> None:
    home = (key & ledger[SLOTS] - 1) * 2 * BUCKET
    for at in range(home, home + 2 * BUCKET, 2):
        if table[at + 1] == 0:
            table[at] = key ^ children
            table[at + 1] = children
            return
