"""Expansion: all children of a node at once, with their priors where these are asked for.

Priors are, by what the game offers: `prior`, given by the rules; e^(opinion / warmth) of the result by `evaluate`; the
same for every action. They sum to 1. With progressive widening the children stand in their order, the likeliest first.

Where transpositions are taken for one, a node whose state has been expanded before gets the children of that.
"""

import math
from typing import Any

from gametree.kernel.clock import BY_RULES, Clock
from gametree.kernel.primitives import Choice, action_words, keep, plies_left, position, take
from gametree.kernel.random import exchange
from gametree.search.core.plays import MAX_ACTIONS
from gametree.search.core.table import Layout, functions, write
from gametree.search.mcts.bounds import open_bounds
from gametree.search.mcts.memory import (
    BY_ROOM,
    MANY_ACTIONS,
    NO_ACTIONS,
    Choosing,
    Settings,
    Thread,
    Tree,
)
from gametree.search.mcts.playout import opinion, shelve, weight_of
from gametree.search.mcts.tree import BY_CHANCE, FIRST, FIRST_BITS, PLAYER, room_for

LAYOUT = Layout(2, 4)
"""An entry of the table of transpositions is where the children of a state begin, and how many they are."""
_home, _holds, _probe, _worth_of, _place_for = functions(LAYOUT)


def expand(
    game: Any,
    state: Any,
    node: int,
    kind: int,
    tree: Tree,
    settings: Settings,
    thread: Thread,
    clock: Clock,
) -> None:
    """Makes the children of a node, whose first child is BUSY; 0 again where that is not possible."""
    # Step 1. Has another node the same state?
    key = 0
    if settings.transpositions:
        key = position(game, state)
        if game.offered.clock:
            key = key + 0x9E3779B97F4A7C1 * plies_left(game, state)
        found = _look_up(key, tree)
        if found != 0:
            exchange(tree.about, node, tree.about[node], tree.about[node] & ~FIRST | found)
            return

    # Step 2. Which children are there, and is there room for them?
    words = action_words(game)
    if kind == BY_CHANCE:
        count = outcomes(game, state, thread, clock)
    else:
        count = shelve(game, state, thread, clock)
    begin = 0
    if count > 0:
        begin = room_for(count, settings.threads, tree)
    if begin == 0:
        if count > 0:
            if settings.recycles:
                clock.stop = BY_ROOM
            else:
                tree.growth.full = True
        exchange(tree.about, node, tree.about[node], tree.about[node] & ~FIRST)
        return

    # Step 3. Make them.
    width = settings.width
    for place in range(count):
        child = begin + place
        tree.visits[child] = 0
        tree.about[child] = 0
        tree.parent[child] = place << FIRST_BITS | node
        for i in range(words):
            tree.actions[child * words + i] = thread.shelf[place * words + i]
        for i in range(child * width, child * width + width):
            tree.sums[i] = 0.0
            if settings.tuned:
                tree.squares[i] = 0.0
        if settings.solver:
            open_bounds(child, tree, settings)
        if settings.amaf:
            tree.heard[child] = 0
            tree.echoes[child] = 0.0
    if kind == BY_CHANCE:
        for place in range(count):
            tree.prior[begin + place] = thread.odds[place]
    elif settings.priors:
        believe(game, state, kind - PLAYER, begin, count, tree, settings, thread)
        if settings.wide != 0.0:
            _sort(begin, count, words, tree)

    # Step 4. Show them to everybody.
    children = count << FIRST_BITS | begin
    if settings.transpositions:
        _note(key, children, tree)
    exchange(tree.about, node, tree.about[node], tree.about[node] & ~FIRST | children)


def _outcomes(game: Any, state: Any, thread: Choosing, clock: Clock) -> int:
    words = action_words(game)
    count = 0
    for outcome, probability in game.chance(state):
        if count >= MAX_ACTIONS:
            thread.wrong = MANY_ACTIONS
            clock.stop = BY_RULES
            return 0
        keep(game, outcome, thread.shelf, count * words)
        thread.odds[count] = probability
        count += 1
    if count == 0:
        thread.wrong = NO_ACTIONS
        clock.stop = BY_RULES
    return count


def _no_outcomes(game: Any, state: Any, thread: Choosing, clock: Clock) -> int:
    return 0


outcomes: Choice = Choice("chance", _outcomes, _no_outcomes)
"""Lays the outcomes of a chance node on the shelf, and their probabilities beside them."""


# --- priors -------------------------------------------------------------------------------------------


def _given(
    game: Any, state: Any, mover: int, begin: int, count: int, tree: Tree, settings: Settings, thread: Thread
) -> None:
    words = action_words(game)
    for child in range(begin, begin + count):
        tree.prior[child] = weight_of(game, state, take(game, tree.actions, child * words))


def _guessed(
    game: Any, state: Any, mover: int, begin: int, count: int, tree: Tree, settings: Settings, thread: Thread
) -> None:
    words = action_words(game)
    best = -math.inf
    for child in range(begin, begin + count):
        after = game.result(state, take(game, tree.actions, child * words))
        worth = (
            game.utility(after, mover) if game.is_terminal(after) else opinion(game, after, mover, settings)
        )
        tree.prior[child] = worth
        best = max(best, worth)
    warmth = settings.prior_temperature * thread.spread
    for child in range(begin, begin + count):
        tree.prior[child] = math.exp((tree.prior[child] - best) / warmth)


def _the_same(
    game: Any, state: Any, mover: int, begin: int, count: int, tree: Tree, settings: Settings, thread: Thread
) -> None:
    for child in range(begin, begin + count):
        tree.prior[child] = 1.0


weigh_by_evaluation: Choice = Choice("evaluate", _guessed, _the_same)


def _without_prior(
    game: Any, state: Any, mover: int, begin: int, count: int, tree: Tree, settings: Settings, thread: Thread
) -> None:
    weigh_by_evaluation(game, state, mover, begin, count, tree, settings, thread)


weigh: Choice = Choice("prior", _given, _without_prior)
"""Gives every child a weight of at least 0."""


def believe(
    game: Any, state: Any, mover: int, begin: int, count: int, tree: Tree, settings: Settings, thread: Thread
) -> None:
    """Gives the children their priors."""
    weigh(game, state, mover, begin, count, tree, settings, thread)
    total = 0.0
    for child in range(begin, begin + count):
        total += tree.prior[child]
    for child in range(begin, begin + count):
        tree.prior[child] = tree.prior[child] / total if total > 0.0 else 1.0 / count


def _sort(begin: int, count: int, words: int, tree: Tree) -> None:
    """The likeliest first; equal ones keep the order of `actions`."""
    for last in range(begin + 1, begin + count):
        at = last
        while at > begin and tree.prior[at] > tree.prior[at - 1]:
            tree.prior[at], tree.prior[at - 1] = tree.prior[at - 1], tree.prior[at]
            tree.parent[at], tree.parent[at - 1] = tree.parent[at - 1], tree.parent[at]
            for i in range(words):
                here, there = at * words + i, (at - 1) * words + i
                tree.actions[here], tree.actions[there] = tree.actions[there], tree.actions[here]
            at -= 1


# --- transpositions -----------------------------------------------------------------------------------


def _look_up(key: int, tree: Tree) -> int:
    """The children of a state that was expanded before: the first of them, and how many; 0 where there are none."""
    slot = _probe(tree.table, _home(key, tree.slots), key, 0)
    return tree.table[slot + 1] if slot >= 0 else 0


def _note(key: int, children: int, tree: Tree) -> None:
    """Keeps the children of a state, as long as there is room."""
    slot = _place_for(tree.table, _home(key, tree.slots), key, 0, 0)
    if tree.table[slot + 1] == 0:
        write(tree.table, slot, key, children)
