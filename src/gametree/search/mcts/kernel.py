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

from gametree.kernel.primitives import (
    BY_RULES,
    NEXT,
    NODES,
    RUNNING,
    STOP,
    Floats,
    Ints,
    action_words,
    bits,
    has_repetition,
    poll,
    take,
    unbits,
)
from gametree.kernel.random import add_number, add_word, exchange
from gametree.search.core import repetition
from gametree.search.core.repetition import Path
from gametree.search.mcts import amaf
from gametree.search.mcts.bounds import close_bounds, tighten
from gametree.search.mcts.expansion import expand
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
from gametree.search.mcts.words import (
    AMAF,
    APART,
    BUSY_PLIES,
    BUSY_VISITS,
    BY_PROOF,
    DECLARED,
    DEEPEST,
    DEPTH,
    EXPAND_AFTER,
    FULL,
    MOST_APART,
    NO_ACTIONS,
    PLAYERS,
    PLIES,
    PURSE,
    PURSES,
    ROOT,
    SEEN,
    SEEN_GREATEST,
    SEEN_LEAST,
    SOLVER,
    SPREAD,
    SWEEP_FROM,
    THREADS,
    TRANSPOSITIONS,
    TUNED,
    WIDTH,
    WRONG,
)


def search(
    game: Any,
    state: Any,
    shelf: int,
    most: int,
    room: int,
    ply: int,
    nobody: int,
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
    roots: Floats,
    gains: Floats,
    ledger: Ints,
    path: Path,
) -> int:
    """Simulates until told to stop, or, with room > 0, makes room: at most so many nodes are left; 1 when that is done.

    `shelf` is where the ledger has place for the actions of a state, `most` how many there may be. `ply` is 0 and
    `nobody` −1: arguments, because a literal would become part of the type of what they are passed to.
    """
    if room > 0:
        if shared[SWEEP_FROM] == 0:
            begin_sweep(least_visits(visits, about, shared, room, shelf, ledger), parent, shared)
        done = sweep(
            action_words(game),
            visits,
            sums,
            about,
            parent,
            actions,
            low,
            high,
            prior,
            squares,
            heard,
            echoes,
            shared,
            ledger,
        )
        return 1 if done else 0
    ledger[BUSY_PLIES] = 0
    here = state
    while True:
        stays = False
        if is_settled(shared[ROOT], low, high, ledger):
            ledger[STOP] = BY_PROOF
        if ledger[NODES] != ledger[NEXT]:
            stays = _may_stay(game, low, high, ledger, path)
        elif poll(ledger):
            _hand_in(visits, sums, ledger)
            return 0
        if ledger[STOP] != RUNNING:
            _hand_in(visits, sums, ledger)
            return 0
        if stays:
            depth = ledger[BUSY_PLIES] - 1
            mover = _mover_at(depth, about, path)
        else:
            depth = ply
            mover = nobody
            here = state
            path.places[0] = shared[ROOT]
        here = simulate(
            game,
            here,
            depth,
            mover,
            nobody,
            shelf,
            most,
            visits,
            sums,
            about,
            parent,
            actions,
            low,
            high,
            prior,
            squares,
            heard,
            echoes,
            table,
            shared,
            roots,
            gains,
            ledger,
            path,
        )


def simulate(
    game: Any,
    state: Any,
    depth: int,
    mover: int,
    nobody: int,
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
    roots: Floats,
    gains: Floats,
    ledger: Ints,
    path: Path,
) -> Any:
    """One simulation from a node on the path, whose state is given and who moved to it; from the root `nobody` did.

    It counts where it comes to its end. What it returns is the state where the busy nodes on its way end.
    """
    words = action_words(game)
    together = ledger[THREADS] > 1
    before = ledger[STOP]
    if ledger[AMAF] != 0:
        amaf.forget_references(ledger[PLAYERS], ledger)
    if has_repetition(game):
        begin_way(ledger, path)
    ledger[BUSY_PLIES] = depth
    node = path.places[depth]
    busy = state
    news = ledger[TRANSPOSITIONS] != 0
    while True:
        path.places[depth] = node
        ledger[DEPTH] = depth
        ledger[PLIES] = depth
        if together:
            if ledger[BUSY_PLIES] == depth and (depth == 0 or visits[node] >= BUSY_VISITS):
                ledger[BUSY_PLIES] = depth + 1
                busy = state
            else:
                add_word(visits, node, 1)
        kind = kind_of(about[node])

        # Step 1. A node that is looked at for the first time: is the game over there?
        if kind == UNSEEN:
            if game.is_terminal(state):
                kind = TERMINAL
            elif decided_by_chance(game, state):
                kind = BY_CHANCE
            else:
                kind = PLAYER + game.player(state)
            if (
                has_repetition(game)
                and depth > 0
                and kind != TERMINAL
                and comes_back(game, state, depth, ledger, path)
            ):
                if path.rule == repetition.FORBID:
                    # Nobody may go here: back to the parent, which has one child less.
                    _mark(node, BARRED, about)
                    _leave(depth, visits, ledger, path)
                    return busy
                kind = REPEATED
            _mark(node, kind << KIND_SHIFT, about)
            if ledger[SOLVER] != 0 and kind in (TERMINAL, REPEATED):
                news = True
                if kind == TERMINAL:
                    pay(game, state, gains, ledger)
                else:
                    pay_repetition(mover, gains, ledger, path)
                close_bounds(node, low, high, gains, ledger)
        elif has_repetition(game) and depth > 0:
            comes_back(game, state, depth, ledger, path)

        # Step 2. Where nothing is left to find out, what is known counts.
        if kind == TERMINAL:
            pay(game, state, gains, ledger)
            break
        if kind == REPEATED:
            pay_repetition(mover, gains, ledger, path)
            break
        if depth > 0 and is_settled(node, low, high, ledger):
            news = True
            for i in range(ledger[WIDTH]):
                gains[i] = low[node * ledger[WIDTH] + i]
            break

        # Step 3. A leaf becomes an inner node when it is visited again, as long as there is room.
        begin = first_of(about[node])
        if begin == 0:
            if (depth == 0 or visits[node] >= ledger[EXPAND_AFTER] + (1 if together else 0)) and (
                shared[FULL] == 0 and depth < DEEPEST and _take_on(node, about, together)
            ):
                expand(
                    game,
                    state,
                    node,
                    kind,
                    shelf,
                    most,
                    visits,
                    sums,
                    about,
                    parent,
                    actions,
                    low,
                    high,
                    prior,
                    squares,
                    heard,
                    echoes,
                    table,
                    shared,
                    ledger,
                )
                begin = first_of(about[node])
            if begin == 0:
                if ledger[WRONG] == 0:
                    playout(game, state, depth, shelf, most, gains, ledger, path)
                break

        # Step 4. On to a child.
        if kind == BY_CHANCE:
            mover = nobody
            place = roll(game, state, shelf, ledger)
            child = begin + place
        else:
            mover = kind - PLAYER
            child = choose(
                words,
                node,
                mover,
                visits,
                sums,
                about,
                parent,
                actions,
                low,
                high,
                prior,
                squares,
                heard,
                echoes,
                roots,
                ledger,
            )
        if child < begin:
            # What has just been settled leaves nothing to choose; else no action is allowed.
            if ledger[SOLVER] != 0:
                tighten(node, about, low, high, prior, ledger)
            if is_settled(node, low, high, ledger):
                news = True
                for i in range(ledger[WIDTH]):
                    gains[i] = low[node * ledger[WIDTH] + i]
                break
            ledger[WRONG] = NO_ACTIONS
            ledger[STOP] = BY_RULES
            break
        action = take(game, actions, child * words)
        if ledger[AMAF] != 0 and mover >= 0:
            amaf.stamp(game, action, mover, depth, ledger)
        state = game.result(state, action)
        node = child
        depth += 1

    # Step 5. Add what everybody got to every node on the way, unless the simulation was cut short.
    if ledger[STOP] != before and ledger[STOP] != RUNNING and _cut_short(ledger):
        _leave(depth, visits, ledger, path)
        return busy
    if ledger[DECLARED] == 0:
        _notice(gains, shared, ledger)
    if ledger[AMAF] != 0:
        amaf.echo(game, depth, about, actions, heard, echoes, gains, ledger, path)
    _back_up(depth, news, visits, sums, about, low, high, prior, squares, gains, ledger, path)
    ledger[NODES] += 1
    return busy


def _may_stay(game: Any, low: Floats, high: Floats, ledger: Ints, path: Path) -> bool:
    """Whether the next simulation may begin where the busy nodes on the way of the last one end."""
    if has_repetition(game) or ledger[AMAF] != 0:
        return False  # both follow a simulation from the root on
    busy = ledger[BUSY_PLIES]
    return busy > 1 and not is_settled(path.places[busy - 1], low, high, ledger)


def _mark(node: int, marks: int, about: Ints) -> None:
    """Adds to what is said about a node, and to nothing that another thread says meanwhile."""
    seen = about[node]
    while seen & marks != marks and not exchange(about, node, seen, seen | marks):
        seen = about[node]


def _take_on(node: int, about: Ints, together: bool) -> bool:
    """Says that this thread makes the children of a node; False where another does."""
    if together:
        seen = about[node]
        return seen & FIRST == 0 and exchange(about, node, seen, seen | BUSY)
    about[node] = about[node] | BUSY
    return True


def _cut_short(ledger: Ints) -> bool:
    """Whether the stop came in the middle of a simulation: a thread that wants room finishes its own first."""
    return ledger[STOP] <= BY_RULES


def _mover_at(ply: int, about: Ints, path: Path) -> int:
    """Who moved to the node at this ply; negative where chance did, or nobody."""
    return kind_of(about[path.places[ply - 1]]) - PLAYER if ply > 0 else ply - 1


def _leave(depth: int, visits: Ints, ledger: Ints, path: Path) -> None:
    """Takes back what a simulation that does not count has added on its way."""
    if ledger[THREADS] > 1:
        for ply in range(ledger[BUSY_PLIES], depth + 1):
            add_word(visits, path.places[ply], -1)


def _back_up(
    depth: int,
    news: bool,
    visits: Ints,
    sums: Floats,
    about: Ints,
    low: Floats,
    high: Floats,
    prior: Floats,
    squares: Floats,
    gains: Floats,
    ledger: Ints,
    path: Path,
) -> None:
    width = ledger[WIDTH]
    together = ledger[THREADS] > 1
    for ply in range(depth, -1, -1):
        node = path.places[ply]
        moved = _mover_at(ply, about, path)
        purse = -1
        if not together:
            visits[node] += 1
        elif ply < ledger[BUSY_PLIES]:
            purse = _purse(node, visits, sums, ledger)
            ledger[purse + 1] += 1
        for i in range(width):
            gain = gains[i] - worst(moved, i, ledger)
            if not together:
                sums[node * width + i] += gain
            elif purse >= 0:
                ledger[purse + 2 + i] = bits(unbits(ledger[purse + 2 + i]) + gain)
            else:
                add_number(sums, node * width + i, gain)
            if ledger[TUNED] != 0:
                add_number(squares, node * width + i, gain * gain)
        if news and ledger[SOLVER] != 0 and first_of(about[node]) > 0:
            _mark(node, KNOWN, about)
            changed = tighten(node, about, low, high, prior, ledger)
            news = changed or ledger[TRANSPOSITIONS] != 0


def _purse(node: int, visits: Ints, sums: Floats, ledger: Ints) -> int:
    """Where this thread keeps apart what a node is to get; room is made by handing in what lies there."""
    purse = APART + node % PURSES * PURSE
    if ledger[purse] != node + 1 or ledger[purse + 1] >= MOST_APART:
        _empty(purse, visits, sums, ledger)
        ledger[purse] = node + 1
    return purse


def _empty(purse: int, visits: Ints, sums: Floats, ledger: Ints) -> None:
    """Adds to a node what this thread has kept apart for it."""
    if ledger[purse + 1] > 0:
        node = ledger[purse] - 1
        add_word(visits, node, ledger[purse + 1])
        ledger[purse + 1] = 0
        for i in range(ledger[WIDTH]):
            add_number(sums, node * ledger[WIDTH] + i, unbits(ledger[purse + 2 + i]))
            ledger[purse + 2 + i] = bits(0.0)


def _hand_in(visits: Ints, sums: Floats, ledger: Ints) -> None:
    """Adds to all nodes what this thread has kept apart for them."""
    for purse in range(APART, APART + PURSES * PURSE, PURSE):
        _empty(purse, visits, sums, ledger)


def _notice(gains: Floats, shared: Ints, ledger: Ints) -> None:
    """Where the game does not say what payoffs can be, the least and the greatest that were seen count as such."""
    for i in range(ledger[WIDTH]):
        if shared[SEEN] == 0:
            shared[SEEN_LEAST] = bits(gains[i])
            shared[SEEN_GREATEST] = bits(gains[i])
            shared[SEEN] = 1
        if gains[i] < unbits(shared[SEEN_LEAST]):
            shared[SEEN_LEAST] = bits(gains[i])
        if gains[i] > unbits(shared[SEEN_GREATEST]):
            shared[SEEN_GREATEST] = bits(gains[i])
    spread = unbits(shared[SEEN_GREATEST]) - unbits(shared[SEEN_LEAST])
    ledger[SPREAD] = bits(spread if spread > 0.0 else 1.0)
