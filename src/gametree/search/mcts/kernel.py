"""The kernel: simulation after simulation, each of them selection, expansion, simulation proper and back-up.

A simulation goes down the tree by the tree policy, or by the dice at a chance node. Where it comes to a leaf that has
been visited before, all children of that are made, and one of them is the next leaf. From the leaf the default policy
plays on, and what everybody gets is added to every node on the way (Browne et al. 2012 survey the family).

The states along the way are not stored: `result` gives them again, and that takes less than it would to fetch them.

Threads share the tree. On its way down a simulation adds a visit to every node, which until it comes back counts as
the worst payoff to who moved there: a virtual loss, so that the next thread goes elsewhere (Chaslot, Winands & van den
Herik 2008). Sums are added to without a lock (Enzenberger & Müller 2009). Who expands a node says so; others take it
for a leaf meanwhile. What two threads write to in turns has to be sent from core to core each time. So a thread keeps
apart what busy nodes are to get, and makes a few simulations below the last busy node on its way before it begins at
the root again: after thousands of visits a few more do not change what is chosen there.
"""

from typing import Any

from gametree.kernel.clock import BY_RULES, RUNNING, Clock, poll
from gametree.kernel.primitives import action_words, take
from gametree.kernel.random import add_number, add_word, exchange
from gametree.search.core import repetition
from gametree.search.core.repetition import Path
from gametree.search.mcts import amaf
from gametree.search.mcts.bounds import close_bounds, tighten
from gametree.search.mcts.expansion import expand
from gametree.search.mcts.memory import (
    BY_PROOF,
    DEEPEST,
    MOST_PLAYERS,
    NO_ACTIONS,
    Growth,
    Settings,
    Thread,
    Tree,
)
from gametree.search.mcts.playout import decided_by_chance, pay, pay_repetition, playout, roll
from gametree.search.mcts.policies import choose
from gametree.search.mcts.recurring import begin_way, comes_back
from gametree.search.mcts.tree import (
    BARRED,
    BUSY,
    BY_CHANCE,
    FIRST,
    KIND_SHIFT,
    KNOWN,
    PLAYER,
    REPEATED,
    TERMINAL,
    UNSEEN,
    begin_sweep,
    first_of,
    is_settled,
    kind_of,
    least_visits,
    sweep,
    worst,
)

NOBODY = -1
PURSES = 64
"""For so many nodes a thread keeps apart what they are to get."""
MOST_APART = 32
BUSY_VISITS = 1 << 11
"""From so many visits on one more or less makes no difference: a thread adds to such a node only now and then."""


def search(
    game: Any,
    state: Any,
    room: int,
    tree: Tree,
    settings: Settings,
    thread: Thread,
    clock: Clock,
    path: Path,
) -> int:
    """Simulates until told to stop. With room > 0 it makes room: at most so many nodes are left; 1 when done."""
    if room > 0:
        if tree.growth.sweep_from == 0:
            begin_sweep(least_visits(room, tree, thread), tree)
        return 1 if sweep(action_words(game), tree, settings, clock) else 0
    thread.busy_plies = 0
    here = state
    while True:
        stays = False
        if is_settled(tree.growth.root, tree, settings):
            clock.stop = BY_PROOF
        if clock.nodes != clock.next:
            stays = _may_stay(game, tree, settings, thread, path)
        elif poll(clock):
            _hand_in(tree, settings, thread)
            return 0
        if clock.stop != RUNNING:
            _hand_in(tree, settings, thread)
            return 0
        depth = 0
        mover = NOBODY
        if stays:
            depth = thread.busy_plies - 1
            mover = _mover_at(depth, tree, path)
        else:
            here = state
            path.places[0] = tree.growth.root
        here = simulate(game, here, depth, mover, tree, settings, thread, clock, path)


def simulate(
    game: Any,
    state: Any,
    depth: int,
    mover: int,
    tree: Tree,
    settings: Settings,
    thread: Thread,
    clock: Clock,
    path: Path,
) -> Any:
    """One simulation from a node on the path, whose state is given and who moved to it; from the root NOBODY did.

    It counts where it comes to its end. What it returns is the state where the busy nodes on its way end.
    """
    words = action_words(game)
    together = settings.threads > 1
    before = clock.stop
    if settings.amaf:
        amaf.forget_references(settings.players, thread)
    if game.repetition is not None:
        begin_way(thread, clock, path)
    thread.busy_plies = depth
    node = path.places[depth]
    busy = state
    news = settings.transpositions
    while True:
        path.places[depth] = node
        thread.depth = depth
        thread.plies = depth
        if together:
            if thread.busy_plies == depth and (depth == 0 or tree.visits[node] >= BUSY_VISITS):
                thread.busy_plies = depth + 1
                busy = state
            else:
                add_word(tree.visits, node, 1)
        kind = kind_of(tree.about[node])

        # Step 1. A node that is looked at for the first time: is the game over there?
        if kind == UNSEEN:
            if game.is_terminal(state):
                kind = TERMINAL
            elif decided_by_chance(game, state):
                kind = BY_CHANCE
            else:
                kind = PLAYER + game.player(state)
            if (
                game.repetition is not None
                and depth > 0
                and kind != TERMINAL
                and comes_back(game, state, depth, thread, clock, path)
            ):
                if path.rule == repetition.FORBID:
                    # Nobody may go here: back to the parent, which has one child less.
                    _mark(node, BARRED, tree)
                    _leave(depth, tree, settings, thread, path)
                    return busy
                kind = REPEATED
            _mark(node, kind << KIND_SHIFT, tree)
            if settings.solver and kind in (TERMINAL, REPEATED):
                news = True
                if kind == TERMINAL:
                    pay(game, state, settings, thread, clock)
                else:
                    pay_repetition(mover, settings, thread, path)
                close_bounds(node, tree, settings, thread)
        elif game.repetition is not None and depth > 0:
            comes_back(game, state, depth, thread, clock, path)

        # Step 2. Where nothing is left to find out, what is known counts.
        if kind == TERMINAL:
            pay(game, state, settings, thread, clock)
            break
        if kind == REPEATED:
            pay_repetition(mover, settings, thread, path)
            break
        if depth > 0 and is_settled(node, tree, settings):
            news = True
            for i in range(settings.width):
                thread.gains[i] = tree.low[node * settings.width + i]
            break

        # Step 3. A leaf becomes an inner node when it is visited again, as long as there is room.
        begin = first_of(tree.about[node])
        if begin == 0:
            if (depth == 0 or tree.visits[node] >= settings.expand_after + (1 if together else 0)) and (
                not tree.growth.full and depth < DEEPEST and _take_on(node, tree, together)
            ):
                expand(game, state, node, kind, tree, settings, thread, clock)
                begin = first_of(tree.about[node])
            if begin == 0:
                if thread.wrong == 0:
                    playout(game, state, depth, settings, thread, clock, path)
                break

        # Step 4. On to a child.
        if kind == BY_CHANCE:
            mover = NOBODY
            place = roll(game, state, thread)
            child = begin + place
        else:
            mover = kind - PLAYER
            child = choose(words, node, mover, tree, settings, thread)
        if child < begin:
            # What has just been settled leaves nothing to choose; else no action is allowed.
            if settings.solver:
                tighten(node, tree, settings)
            if is_settled(node, tree, settings):
                news = True
                for i in range(settings.width):
                    thread.gains[i] = tree.low[node * settings.width + i]
                break
            thread.wrong = NO_ACTIONS
            clock.stop = BY_RULES
            break
        action = take(game, tree.actions, child * words)
        if settings.amaf and mover >= 0:
            amaf.stamp(action, mover, depth, thread, clock)
        state = game.result(state, action)
        node = child
        depth += 1

    # Step 5. Add what everybody got to every node on the way, unless the simulation was cut short.
    if clock.stop != before and clock.stop != RUNNING and _cut_short(clock):
        _leave(depth, tree, settings, thread, path)
        return busy
    if not settings.declared:
        _notice(tree.growth, settings, thread)
    if settings.amaf:
        amaf.echo(game, depth, tree, settings, thread, clock, path)
    _back_up(depth, news, tree, settings, thread, path)
    clock.nodes += 1
    return busy


def _may_stay(game: Any, tree: Tree, settings: Settings, thread: Thread, path: Path) -> bool:
    """Whether the next simulation may begin where the busy nodes on the way of the last one end."""
    if game.repetition is not None or settings.amaf:
        return False  # both follow a simulation from the root on
    busy = thread.busy_plies
    return busy > 1 and not is_settled(path.places[busy - 1], tree, settings)


def _mark(node: int, marks: int, tree: Tree) -> None:
    """Adds to what is said about a node, and to nothing that another thread says meanwhile."""
    seen = tree.about[node]
    while seen & marks != marks and not exchange(tree.about, node, seen, seen | marks):
        seen = tree.about[node]


def _take_on(node: int, tree: Tree, together: bool) -> bool:
    """Says that this thread makes the children of a node; False where another does."""
    if together:
        seen = tree.about[node]
        return seen & FIRST == 0 and exchange(tree.about, node, seen, seen | BUSY)
    tree.about[node] = tree.about[node] | BUSY
    return True


def _cut_short(clock: Clock) -> bool:
    """Whether the stop came in the middle of a simulation: a thread that wants room finishes its own first."""
    return clock.stop <= BY_RULES


def _mover_at(ply: int, tree: Tree, path: Path) -> int:
    """Who moved to the node at this ply; negative where chance did, or nobody."""
    return kind_of(tree.about[path.places[ply - 1]]) - PLAYER if ply > 0 else NOBODY


def _leave(depth: int, tree: Tree, settings: Settings, thread: Thread, path: Path) -> None:
    """Takes back what a simulation that does not count has added on its way."""
    if settings.threads > 1:
        for ply in range(thread.busy_plies, depth + 1):
            add_word(tree.visits, path.places[ply], -1)


def _back_up(depth: int, news: bool, tree: Tree, settings: Settings, thread: Thread, path: Path) -> None:
    width = settings.width
    together = settings.threads > 1
    for ply in range(depth, -1, -1):
        node = path.places[ply]
        moved = _mover_at(ply, tree, path)
        purse = -1
        if not together:
            tree.visits[node] += 1
        elif ply < thread.busy_plies:
            purse = _purse(node, tree, settings, thread)
            thread.apart[2 * purse + 1] += 1
        for i in range(width):
            gain = thread.gains[i] - worst(moved, i, settings)
            if not together:
                tree.sums[node * width + i] += gain
            elif purse >= 0:
                thread.apart_sums[purse * MOST_PLAYERS + i] += gain
            else:
                add_number(tree.sums, node * width + i, gain)
            if settings.tuned:
                add_number(tree.squares, node * width + i, gain * gain)
        if news and settings.solver and first_of(tree.about[node]) > 0:
            _mark(node, KNOWN, tree)
            changed = tighten(node, tree, settings)
            news = changed or settings.transpositions


def _purse(node: int, tree: Tree, settings: Settings, thread: Thread) -> int:
    """Where this thread keeps apart what a node is to get; room is made by handing in what lies there."""
    purse = node % PURSES
    if thread.apart[2 * purse] != node + 1 or thread.apart[2 * purse + 1] >= MOST_APART:
        _empty(purse, tree, settings, thread)
        thread.apart[2 * purse] = node + 1
    return purse


def _empty(purse: int, tree: Tree, settings: Settings, thread: Thread) -> None:
    """Adds to a node what this thread has kept apart for it."""
    if thread.apart[2 * purse + 1] > 0:
        node = thread.apart[2 * purse] - 1
        add_word(tree.visits, node, thread.apart[2 * purse + 1])
        thread.apart[2 * purse + 1] = 0
        for i in range(settings.width):
            add_number(tree.sums, node * settings.width + i, thread.apart_sums[purse * MOST_PLAYERS + i])
            thread.apart_sums[purse * MOST_PLAYERS + i] = 0.0


def _hand_in(tree: Tree, settings: Settings, thread: Thread) -> None:
    """Adds to all nodes what this thread has kept apart for them."""
    for purse in range(PURSES):
        _empty(purse, tree, settings, thread)


def _notice(growth: Growth, settings: Settings, thread: Thread) -> None:
    """Where the game does not say what payoffs can be, the least and the greatest that were seen count as such."""
    for i in range(settings.width):
        gain = thread.gains[i]
        if not growth.seen:
            growth.seen_least = gain
            growth.seen_greatest = gain
            growth.seen = True
        growth.seen_least = min(gain, growth.seen_least)
        growth.seen_greatest = max(gain, growth.seen_greatest)
    spread = growth.seen_greatest - growth.seen_least
    thread.spread = spread if spread > 0.0 else 1.0
