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

from gametree.kernel.primitives import (
    BY_RULES,
    BY_STACK,
    LEDGER_SIZE,
    NEXT,
    NODES,
    RUNNING,
    STOP,
    Ints,
    action_words,
    fetch,
    forced,
    keep,
    keep_state,
    likeness,
    poll,
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

BUCKETS, MOST_BUCKETS, FIRST_BUCKETS, STORED, GENERATION, CAPACITY, SHARED, THREADS, SETTLED, VERDICT = range(
    LEDGER_SIZE, LEDGER_SIZE + 10
)
BY_ROOM = BY_RULES + 1
"""Why a thread stops whose table should be larger: only when all have stopped can it be made so."""
SHARED_PLIES = 12
"""So far from the root threads look what the others do; below that it is not worth the while."""
TRAIL = LEDGER_SIZE + 10
TRAIL_WORDS = 3
"""For each of these plies the state under way: its key, α, β."""
SHELF = TRAIL + TRAIL_WORDS * SHARED_PLIES
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
    table: Ints,
    ledger: Ints,
    path: Path,
) -> int:
    """The margin of a state to its mover, known to lie from `low` to `high`; it counts only while nobody says stop.

    With α < β on entry, the result v proves: α < v < β, the margin is v; v ≤ α, it is at most v; v ≥ β, it is at
    least v. `top` is where the shelf is free.
    """
    if ledger[NODES] == ledger[NEXT] and (poll(ledger) or _overtaken(plies, table, ledger)):
        return 0
    ledger[NODES] += 1
    before = ledger[NODES]

    # Step 1. What is known about this state?
    generation = ledger[GENERATION]
    first = home(ledger[BUCKETS], key)
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
        if at + width > ledger[CAPACITY]:
            ledger[STOP] = BY_STACK
            return 0
        same = likeness(game, child)
        fetch(table, home(ledger[BUCKETS], same))
        ledger[at + PLACE] = i
        ledger[at + LOW] = at_least
        ledger[at + HIGH] = at_most
        ledger[at + KEY] = same
        keep(game, action, ledger, at + ACTION)
        keep_state(game, child, ledger, at + its)
        n += 1
    if i < 0:
        raise ValueError("`sensible` gives no action in a state whose margin `prospects` leaves open")
    end = top + n * width

    # Step 3. What does the table say of them?
    for at in range(top, end, width):
        same = ledger[at + KEY]
        known = probe(table, home(ledger[BUCKETS], same), same, generation)
        if known != 0:
            at_least = lower(known)
            at_most = upper(known)
            if game.player(take_state(game, ledger, at + its)) != mover:
                kept = at_least
                at_least = -at_most
                at_most = -kept
            at_least = max(at_least, ledger[at + LOW])
            at_most = min(at_most, ledger[at + HIGH])
            if at_least > best:
                best = at_least
                chosen = ledger[at + PLACE]
                if best >= beta:
                    return best
            ledger[at + LOW] = at_least
            ledger[at + HIGH] = at_most
    alpha = max(alpha, best)

    # Step 4. Search the rest, the most promising first.
    if n > 1:
        for at in range(top, end, width):
            if ledger[at + PLACE] == hint:
                ledger[at + RANK] = FROM_TABLE
            elif game.offered.urgency or game.offered.order:
                wish = game.urgency(state, take(game, ledger, at + ACTION))
                ledger[at + RANK] = int(max(-1e9, min(1e9, wish)) * 1024.0)
            else:
                ledger[at + RANK] = 0
    if plies < ledger[SHARED]:
        trail = TRAIL + plies * TRAIL_WORDS
        ledger[trail] = key
        ledger[trail + 1] = alpha
        ledger[trail + 2] = beta
    desk = 0
    left = n
    while left > 0:
        at = top
        for other in range(top + width, end, width):
            if ledger[other + RANK] > ledger[at + RANK]:
                at = other
        same = ledger[at + KEY]
        if plies < ledger[SHARED]:
            # What another thread is at work on can wait: later on the table knows it.
            desk = ledger[MOST_BUCKETS] * BUCKET_WORDS + (same & DESKS - 1)
            if left < n and table[desk] == same and ledger[at + RANK] > WAITING:
                ledger[at + RANK] -= FROM_TABLE
                continue
        left -= 1
        ledger[at + RANK] = NEVER
        at_most = ledger[at + HIGH]
        if at_most <= alpha:
            worst = max(worst, at_most)
            continue
        child = take_state(game, ledger, at + its)
        at_least = ledger[at + LOW]
        if plies < ledger[SHARED]:
            table[desk] = same
        if plies < PLIES:
            path.places[plies] = ledger[at + PLACE]
        if game.player(child) != mover:
            v = -value(
                game, child, same, -at_most, -at_least, -beta, -alpha, plies + 1, end, table, ledger, path
            )
        else:
            v = value(game, child, same, at_least, at_most, alpha, beta, plies + 1, end, table, ledger, path)
        if plies < ledger[SHARED] and table[desk] == same:
            table[desk] = 0
        if ledger[STOP] != RUNNING:
            return 0
        if ledger[SETTLED] <= plies:
            if ledger[SETTLED] < plies:
                return 0
            ledger[SETTLED] = UNSETTLED
            return ledger[VERDICT]
        if v > alpha:
            best = v
            chosen = ledger[at + PLACE]
            alpha = v
            if v >= beta:
                break
        else:
            worst = max(worst, v)

    # Step 5. Remember what this proves.
    low = max(low, best)
    if best < beta:
        high = min(high, max(best, worst))
    _keep(key, low, high, chosen, ledger[NODES] - before, table, ledger)
    return low if best >= beta else high


def _overtaken(plies: int, table: Ints, ledger: Ints) -> bool:
    """Whether another thread has found out about one of the states that led here; SETTLED tells how far to go back."""
    for ply in range(min(plies, ledger[SHARED])):
        trail = TRAIL + ply * TRAIL_WORDS
        key = ledger[trail]
        known = probe(table, home(ledger[BUCKETS], key), key, ledger[GENERATION])
        if known != 0 and (lower(known) >= ledger[trail + 2] or upper(known) <= ledger[trail + 1]):
            ledger[SETTLED] = ply
            ledger[VERDICT] = lower(known) if lower(known) >= ledger[trail + 2] else upper(known)
            return True
    return False


def _keep(key: int, low: int, high: int, action: int, nodes: int, table: Ints, ledger: Ints) -> None:
    """Puts bounds into the table, and makes that larger in time."""
    if ledger[STORED] * ledger[THREADS] >= 2 * ledger[BUCKETS] and ledger[BUCKETS] < ledger[MOST_BUCKETS]:
        if ledger[THREADS] == 1:
            _make_room(table, ledger, 0, 1)
        elif ledger[STOP] == RUNNING:
            ledger[STOP] = BY_ROOM
    ledger[STORED] += 1
    remember(table, home(ledger[BUCKETS], key), key, low, high, action, nodes, ledger[GENERATION])


def _make_room(table: Ints, ledger: Ints, part: int, parts: int) -> None:
    """Gives the table twice its size, as far as one of so many parts goes."""
    buckets = ledger[BUCKETS]
    grow(table, buckets, buckets * part // parts, buckets * (part + 1) // parts, ledger[GENERATION])
    ledger[BUCKETS] = 2 * buckets


def search(
    game: Any,
    state: Any,
    alpha: int,
    beta: int,
    plies: int,
    top: int,
    count: int,
    states: Ints,
    margins: Ints,
    table: Ints,
    ledger: Ints,
    path: Path,
) -> int:
    """With count = 0: what `value` says of the state. Else the margins of as many `states`, and how many were found.

    Each of these is searched with a table that knows nothing of the others. With count < 0 a part
    of the table is made larger: α says which one, β of how many.

    `plies` and `top` are arguments, because a literal would become part of the type of `value`.
    """
    if count < 0:
        _make_room(table, ledger, alpha, beta)
        return 0
    ledger[SETTLED] = UNSETTLED
    if count == 0:
        low, high = prospects(game, state)
        key = likeness(game, state)
        return value(game, state, key, low, high, alpha, beta, plies, top, table, ledger, path)
    for i in range(count):
        state = take_state(game, states, i * state_words(game))
        if i > 0:
            ledger[GENERATION] += 1
        ledger[BUCKETS] = ledger[FIRST_BUCKETS]
        ledger[STORED] = 0
        low, high = prospects(game, state)
        least = low
        most = high
        key = likeness(game, state)
        while low < high:
            guess = middle(low, high)
            v = value(game, state, key, least, most, guess, guess + 1, plies, top, table, ledger, path)
            if ledger[STOP] != RUNNING:
                return i
            if v > guess:
                low = v
            else:
                high = v
        margins[i] = low
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
