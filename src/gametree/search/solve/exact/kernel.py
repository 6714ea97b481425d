"""The kernel of the exact solver: alpha-beta on whole-number margins, from the mover's side, with hints.

What makes it quick is what the game knows (`prospects`, `sensible`, `forced`, `urgency`, `value_key`); what is done
with that is the same for every game:

- An action and all that is `forced` after it are one step.
- A child whose prospects already decide is not searched. One that is good enough ends the node: before anything is
  searched, all children have been asked.
- The table holds a lower and an upper bound of a state. It, too, is asked for all children before one is searched:
  enhanced transposition cut-offs (Schaeffer & Plaat 1996).
- Several threads search the same window and share the table. A thread puts off a child that another is at work on:
  ABDADA (Weill 1996) in the simple form in which only the keys of what is under way are shared. From time to time
  it looks whether one of the states that led it here has been settled by another, and goes back there at once.
- The driver searches with windows of width nothing (is the margin greater than x?) and halves the range: almost
  every node is then a yes or a no, and the table carries what was learnt from one question to the next.
"""

from typing import Any

from gametree.kernel.clock import BY_RULES, BY_STACK, RUNNING, Clock, poll
from gametree.kernel.memory import Memory
from gametree.kernel.primitives import (
    Ints,
    action_words,
    fetch,
    forced,
    keep,
    keep_state,
    likeness,
    prospects,
    state_words,
    take,
    take_state,
)
from gametree.search.core.repetition import Path
from gametree.search.solve.exact.table import (
    ACTION_SHIFT,
    BUCKET_WORDS,
    BYTE,
    DESKS,
    grow,
    home,
    lower,
    probe,
    remember,
    upper,
)

BY_ROOM = BY_RULES + 1
"""Why a thread stops whose table should be larger: only when all have stopped can it be made so."""
SHARED_PLIES = 12
"""So far from the root threads look what the others do; below that it is not worth the while."""
TRAIL_WORDS = 3
SHELF_WORDS = 1 << 17
PLIES = 4096
"""How deep the path is written down; deeper is possible."""

# What lies on the shelf for each child that has to be searched; behind the action comes the child itself.
RANK, PLACE, LOW, HIGH, KEY, ACTION = range(6)
NEVER = -(1 << 60)
"""Less than every margin and every rank."""
FROM_TABLE = 1 << 58
WAITING = -(1 << 50)
"""What ranks lower was put off, because another thread is at work on it."""
UNSETTLED = 1 << 30
"""No ply: nothing that this thread is at work on has been found out by another."""


class Solving(Memory):
    """What a thread of the solver works with."""

    table: Ints
    shelf: Ints
    """The children of the nodes on the path; so many words."""
    capacity: int
    buckets: int
    """How large the table is now, may become, and is at the beginning of a task."""
    most_buckets: int
    first_buckets: int
    stored: int
    """How many entries were written."""
    generation: int
    threads: int = 1
    shared: int
    """So far from the root threads look what the others do."""
    trail: Ints
    """For each of these plies the state under way: its key, α, β."""
    settled: int = UNSETTLED
    """The ply of a state on the path that another thread has settled, and what it found."""
    verdict: int
    states: Ints
    """For many tasks at once: the states, and their margins."""
    margins: Ints


def value(
    game: Any,
    state: Any,
    key: int,
    low: int,
    high: int,
    alpha: int,
    beta: int,
    plies: int,
    top: int,
    memory: Solving,
    clock: Clock,
    path: Path,
) -> int:
    """The margin of a state to its mover, known to lie from `low` to `high`; it counts only while nobody says stop.

    With α < β on entry, the result v proves: α < v < β, the margin is v; v ≤ α, it is at most v; v ≥ β, it is at
    least v. `top` is where the shelf is free.
    """
    if clock.nodes == clock.next and (poll(clock) or _overtaken(plies, memory)):
        return 0
    clock.nodes += 1
    before = clock.nodes
    table, shelf, buckets = memory.table, memory.shelf, memory.buckets

    # Step 1. What is known about this state?
    generation = memory.generation
    first = home(buckets, key)
    known = probe(table, first, key, generation)
    hint = -1
    if known != 0:
        low = max(low, lower(known))
        high = min(high, upper(known))
        hint = (known >> ACTION_SHIFT & BYTE) - 1
    if low >= beta:
        return low
    if high <= alpha:
        return high
    alpha = max(alpha, low)
    beta = min(beta, high)

    # Step 2. What do the children promise? Those that leave a question open go on the shelf.
    mover = game.player(state)
    its = ACTION + action_words(game)
    width = its + state_words(game)
    best = NEVER
    worst = NEVER
    chosen = -1
    n = 0
    i = -1
    if plies < PLIES:
        path.places[plies] = -1
    for action in game.sensible(state):
        i += 1
        child = forced(game, game.result(state, action))
        at_least, at_most = prospects(game, child)
        if game.player(child) != mover:
            kept = at_least
            at_least = -at_most
            at_most = -kept
        if at_least > best:
            best = at_least
            chosen = i
            if best >= beta:
                return best
        if at_most <= alpha or at_most <= best:
            worst = max(worst, at_most)
            continue
        at = top + n * width
        if at + width > memory.capacity:
            clock.stop = BY_STACK
            return 0
        same = likeness(game, child)
        fetch(table, home(buckets, same))
        shelf[at + PLACE] = i
        shelf[at + LOW] = at_least
        shelf[at + HIGH] = at_most
        shelf[at + KEY] = same
        keep(game, action, shelf, at + ACTION)
        keep_state(game, child, shelf, at + its)
        n += 1
    if i < 0:
        raise ValueError("`sensible` gives no action in a state whose margin `prospects` leaves open")
    end = top + n * width

    # Step 3. What does the table say of them?
    for at in range(top, end, width):
        same = shelf[at + KEY]
        known = probe(table, home(buckets, same), same, generation)
        if known != 0:
            at_least = lower(known)
            at_most = upper(known)
            if game.player(take_state(game, shelf, at + its)) != mover:
                kept = at_least
                at_least = -at_most
                at_most = -kept
            at_least = max(at_least, shelf[at + LOW])
            at_most = min(at_most, shelf[at + HIGH])
            if at_least > best:
                best = at_least
                chosen = shelf[at + PLACE]
                if best >= beta:
                    return best
            shelf[at + LOW] = at_least
            shelf[at + HIGH] = at_most
    alpha = max(alpha, best)

    # Step 4. Search the rest, the most promising first.
    if n > 1:
        for at in range(top, end, width):
            if shelf[at + PLACE] == hint:
                shelf[at + RANK] = FROM_TABLE
            elif game.offered.urgency or game.offered.order:
                wish = game.urgency(state, take(game, shelf, at + ACTION))
                shelf[at + RANK] = int(max(-1e9, min(1e9, wish)) * 1024.0)
            else:
                shelf[at + RANK] = 0
    if plies < memory.shared:
        trail = plies * TRAIL_WORDS
        memory.trail[trail] = key
        memory.trail[trail + 1] = alpha
        memory.trail[trail + 2] = beta
    desk = 0
    left = n
    while left > 0:
        at = top
        for other in range(top + width, end, width):
            if shelf[other + RANK] > shelf[at + RANK]:
                at = other
        same = shelf[at + KEY]
        if plies < memory.shared:
            # What another thread is at work on can wait: later on the table knows it.
            desk = memory.most_buckets * BUCKET_WORDS + (same & DESKS - 1)
            if left < n and table[desk] == same and shelf[at + RANK] > WAITING:
                shelf[at + RANK] -= FROM_TABLE
                continue
        left -= 1
        shelf[at + RANK] = NEVER
        at_most = shelf[at + HIGH]
        if at_most <= alpha:
            worst = max(worst, at_most)
            continue
        child = take_state(game, shelf, at + its)
        at_least = shelf[at + LOW]
        if plies < memory.shared:
            table[desk] = same
        if plies < PLIES:
            path.places[plies] = shelf[at + PLACE]
        if game.player(child) != mover:
            v = -value(
                game, child, same, -at_most, -at_least, -beta, -alpha, plies + 1, end, memory, clock, path
            )
        else:
            v = value(game, child, same, at_least, at_most, alpha, beta, plies + 1, end, memory, clock, path)
        if plies < memory.shared and table[desk] == same:
            table[desk] = 0
        if clock.stop != RUNNING:
            return 0
        if memory.settled <= plies:
            if memory.settled < plies:
                return 0
            memory.settled = UNSETTLED
            return memory.verdict
        if v > alpha:
            best = v
            chosen = shelf[at + PLACE]
            alpha = v
            if v >= beta:
                break
        else:
            worst = max(worst, v)

    # Step 5. Remember what this proves.
    low = max(low, best)
    if best < beta:
        high = min(high, max(best, worst))
    _keep(key, low, high, chosen, clock.nodes - before, memory, clock)
    return low if best >= beta else high


def _overtaken(plies: int, memory: Solving) -> bool:
    """Whether another thread has settled one of the states that led here; `settled` tells how far to go back."""
    trail = memory.trail
    for ply in range(min(plies, memory.shared)):
        at = ply * TRAIL_WORDS
        key = trail[at]
        known = probe(memory.table, home(memory.buckets, key), key, memory.generation)
        if known != 0 and (lower(known) >= trail[at + 2] or upper(known) <= trail[at + 1]):
            memory.settled = ply
            memory.verdict = lower(known) if lower(known) >= trail[at + 2] else upper(known)
            return True
    return False


def _keep(key: int, low: int, high: int, action: int, nodes: int, memory: Solving, clock: Clock) -> None:
    """Puts bounds into the table, and makes that larger in time."""
    if memory.stored * memory.threads >= 2 * memory.buckets and memory.buckets < memory.most_buckets:
        if memory.threads == 1:
            _make_room(memory, 0, 1)
        elif clock.stop == RUNNING:
            clock.stop = BY_ROOM
    memory.stored += 1
    first = home(memory.buckets, key)
    remember(memory.table, first, key, low, high, action, nodes, memory.generation)


def _make_room(memory: Solving, part: int, parts: int) -> None:
    """Gives the table twice its size, as far as one of so many parts goes."""
    buckets = memory.buckets
    grow(memory.table, buckets, buckets * part // parts, buckets * (part + 1) // parts, memory.generation)
    memory.buckets = 2 * buckets


def search(
    game: Any,
    state: Any,
    alpha: int,
    beta: int,
    plies: int,
    top: int,
    count: int,
    memory: Solving,
    clock: Clock,
    path: Path,
) -> int:
    """With count = 0: what `value` says of the state. Else the margins of as many states, and how many were found.

    Each of these is searched with a table that knows nothing of the others. With count < 0 a part
    of the table is made larger: α says which one, β of how many.

    `plies` and `top` are arguments, because a literal would become part of the type of `value`.
    """
    if count < 0:
        _make_room(memory, alpha, beta)
        return 0
    memory.settled = UNSETTLED
    if count == 0:
        low, high = prospects(game, state)
        key = likeness(game, state)
        return value(game, state, key, low, high, alpha, beta, plies, top, memory, clock, path)
    for i in range(count):
        state = take_state(game, memory.states, i * state_words(game))
        if i > 0:
            memory.generation += 1
        memory.buckets = memory.first_buckets
        memory.stored = 0
        low, high = prospects(game, state)
        least = low
        most = high
        key = likeness(game, state)
        while low < high:
            guess = middle(low, high)
            v = value(game, state, key, least, most, guess, guess + 1, plies, top, memory, clock, path)
            if clock.stop != RUNNING:
                return i
            if v > guess:
                low = v
            else:
                high = v
        memory.margins[i] = low
    return count


def middle(low: int, high: int) -> int:
    """The margin to ask about next, low ≤ it < high: half of the range, but small margins first.

    Whether a game is won at all is the cheapest question, and its answer makes the others cheaper.
    """
    guess = (low + high) // 2
    if guess <= 0 and low // 2 < guess:
        guess = -(-low // 2)
    elif guess >= 0 and high // 2 > guess:
        guess = high // 2
    return min(guess, high - 1)
