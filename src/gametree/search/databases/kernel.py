"""One slice solved: every position listed with what follows it, then backwards from the ends (Ströhlein 1970).

Three kernels, in the order of their calls:

    expand      states by number; of each, what the slices below and the ends of the game say, and the edges within
                the slice. Threads take ranges of places.
    turn_round  the edges the other way round: for every place those that lead to it.
    propagate   distance after distance. What is decided in n plies tells those who lead there.

No moves are ever taken back: the game has no rules for that.

While a slice is solved, a place has a note of 31 bits, two notes a word:

    bit 0–13    plies     bits 14–15  kind     bit 16  known     bits 17–30  open: how many actions do not lose yet
"""

from typing import Any, Final

from gametree.kernel.memory import Memory
from gametree.kernel.primitives import Ints
from gametree.search.databases.codes import (
    DRAW,
    MOST_PLIES,
    NONE,
    UNKNOWN,
    is_loss,
    is_win,
    lost_in,
    plies_of,
    read,
    won_in,
    write,
)
from gametree.search.databases.shelf import Shelf, lookup

DONE, FULL, RAISED, MISSING, TOO_LONG, TROUBLE, WRONG = range(7)
"""What a kernel says: all is well; no room for edges; an action raised the slice; a state of a lower slice is in no
database; a win takes too many plies; the rules say what no search understands; a code does not follow."""

NOTE_PLIES: Final = (1 << 14) - 1
KIND_SHIFT: Final = 14
NOBODY, MOVER, OTHER, EMPTY = range(4)
"""Kinds: who wins as far as is known; no state has the place."""
KNOWN: Final = 1 << 16
OPEN_SHIFT: Final = 17
ONE_OPEN: Final = 1 << OPEN_SHIFT
MOST_OPEN: Final = (1 << 13) - 2


class Solving(Memory):
    """A slice under way, or what one thread has of it."""

    slice: int
    size: int
    lowest: float
    """What a loss and a win pay."""
    highest: float
    notes: Ints
    codes: Ints
    """The outcome, four a word."""
    begin: int
    """Of a range of places: where it begins, how far `expand` has come, and where it has to end."""
    place: int
    end: int
    edges: Ints
    """Of the range: for each edge the place it leads to, times two, plus one where the same player moves again. Two a
    word."""
    used: int
    room: int
    first: Ints
    """Of the range: where the edges of each place begin."""
    into: Ints
    """For each place of the slice, and one more: where the edges that lead to it begin."""
    parents: Ints
    """Those edges: for each the place it comes from, times two, plus one where the same player moves again. Two a
    word."""
    last: int
    """No note tells of more plies."""


def half(words: Ints, index: int) -> int:
    """One of the two numbers in a word."""
    return words[index >> 1] >> ((index & 1) << 5) & 0x7FFFFFFF


def put_half(words: Ints, index: int, number: int) -> None:
    """Puts a number in a half of a word."""
    shift = (index & 1) << 5
    words[index >> 1] = words[index >> 1] & ~(0x7FFFFFFF << shift) | number << shift


def expand(game: Any, state: Any, solving: Solving, shelf: Shelf) -> int:
    """Notes and edges from `place` to `end`. After FULL it goes on where it stopped; what is in `edges` has to be taken
    away before."""
    while solving.place < solving.end:
        solving.first[solving.place - solving.begin] = solving.used
        here = game.slice_state(solving.slice, solving.place)
        if here is None:
            put_half(solving.notes, solving.place, EMPTY << KIND_SHIFT | KNOWN)
        else:
            status = expanded(game, here, solving, shelf)
            if status != DONE:
                return status
        solving.place += 1
    return DONE


def ended(game: Any, state: Any, mover: int, solving: Solving) -> int:
    """The code of an end of the game for a player; UNKNOWN where it is neither won, drawn nor lost."""
    payoff = 1.0 * game.utility(state, mover)
    if payoff >= solving.highest:
        return won_in(0)
    if payoff <= solving.lowest:
        return lost_in(0)
    return DRAW if 2.0 * payoff == solving.lowest + solving.highest else UNKNOWN


def expanded(game: Any, here: Any, solving: Solving, shelf: Shelf) -> int:
    """The note and the edges of one state."""
    place = solving.place
    if game.is_terminal(here):
        code = ended(game, here, game.player(here), solving)
        if code == UNKNOWN:
            return TROUBLE
        note = ONE_OPEN
        if is_win(code):
            note = MOVER << KIND_SHIFT
        elif is_loss(code):
            note = OTHER << KIND_SHIFT
        put_half(solving.notes, place, note)
        return DONE
    mover = game.player(here)
    used, shortest, longest, undecided = solving.used, MOST_PLIES + 1, 0, 0
    for action in game.actions(here):
        child = game.result(here, action)
        if game.is_terminal(child):
            code = ended(game, child, mover, solving)
            mine = True
        else:
            mine = game.player(child) == mover
            slice = game.slice(child)
            if slice == solving.slice:
                target = game.slice_place(child)
                if target < 0:
                    return MISSING
                if used >= solving.room:
                    return FULL
                put_half(solving.edges, used, 2 * target + (1 if mine else 0))
                used += 1
                undecided += 1
                continue
            if slice > solving.slice:
                return RAISED
            code = lookup(game, child, shelf)
            if code == UNKNOWN:
                return MISSING
        if code == UNKNOWN:
            return TROUBLE
        if code == DRAW:
            undecided += 1
        elif is_win(code) == mine:
            shortest = min(shortest, plies_of(code) + 1)
        else:
            longest = max(longest, plies_of(code) + 1)
    if undecided == 0 and shortest > MOST_PLIES and longest == 0:
        return TROUBLE
    if undecided > MOST_OPEN:
        return TROUBLE
    if max(longest, shortest if shortest <= MOST_PLIES else 0) >= MOST_PLIES:
        return TOO_LONG
    solving.used = used
    if shortest <= MOST_PLIES:
        put_half(solving.notes, place, shortest | MOVER << KIND_SHIFT | undecided << OPEN_SHIFT)
        solving.last = max(solving.last, shortest)
    else:
        put_half(solving.notes, place, longest | OTHER << KIND_SHIFT | undecided << OPEN_SHIFT)
        solving.last = max(solving.last, longest)
    return DONE


def turn_round(game: Any, state: Any, solving: Solving) -> int:
    """Files the edges of a range under the places that they lead to.

    Before the first range `into` says where the edges of each place end, after the last one where they begin.
    """
    for place in range(solving.begin, solving.place):
        for edge in range(solving.first[place - solving.begin], solving.first[place - solving.begin + 1]):
            target = half(solving.edges, edge)
            solving.into[target >> 1] -= 1
            put_half(solving.parents, solving.into[target >> 1], 2 * place + (target & 1))
    return DONE


def propagate(game: Any, state: Any, plies: int, solving: Solving) -> int:
    """Decides all places that are won or lost in so many plies, and tells those who lead there; how many they are."""
    decided = 0
    for place in range(solving.size):
        note = half(solving.notes, place)
        if note & (NOTE_PLIES | KNOWN) != plies:
            continue
        kind = note >> KIND_SHIFT & 3
        if kind == NOBODY or (kind == OTHER and note >= ONE_OPEN):
            continue
        decided += 1
        put_half(solving.notes, place, note | KNOWN)
        write(solving.codes, 0, place, won_in(plies) if kind == MOVER else lost_in(plies))
        for at in range(solving.into[place], solving.into[place + 1]):
            edge = half(solving.parents, at)
            tell(solving, edge >> 1, (kind == MOVER) == (edge & 1 == 1), plies + 1)
    return decided


def tell(solving: Solving, parent: int, good: bool, plies: int) -> None:
    """Tells a place that one of its actions wins or loses in so many plies."""
    note = half(solving.notes, parent)
    if note & KNOWN:
        return
    kind = note >> KIND_SHIFT & 3
    if good:
        if kind == MOVER and note & NOTE_PLIES <= plies:
            return
        note = note & -ONE_OPEN | plies | MOVER << KIND_SHIFT
    else:
        note -= ONE_OPEN
        if kind != MOVER:
            note = note & -ONE_OPEN | max(note & NOTE_PLIES, plies) | OTHER << KIND_SHIFT
    put_half(solving.notes, parent, note)
    solving.last = max(solving.last, plies)


def settle(game: Any, state: Any, solving: Solving) -> int:
    """What nobody can win is a draw; how many places that are."""
    drawn = 0
    for place in range(solving.size):
        if not half(solving.notes, place) & KNOWN:
            write(solving.codes, 0, place, DRAW)
            drawn += 1
    return drawn


def verify(game: Any, state: Any, solving: Solving, shelf: Shelf) -> int:
    """Compares places from `place` to `end` with what their actions say, by the rules alone; DONE or what is wrong.

    A place is right where its code follows from the codes of its successors. If all are, so is every distance: the
    shortest win that was told wrongly would have a successor that was told wrongly, too.
    """
    while solving.place < solving.end:
        here = game.slice_state(solving.slice, solving.place)
        # What a file says of places that no state has means nothing.
        if here is not None and read(solving.codes, 0, solving.place) != followed(game, here, solving, shelf):
            return WRONG
        solving.place += 1
    return DONE


def followed(game: Any, here: Any, solving: Solving, shelf: Shelf) -> int:
    """The code of a state that follows from those of its successors; UNKNOWN where one has none."""
    mover = game.player(here)
    if game.is_terminal(here):
        return ended(game, here, mover, solving)
    best = UNKNOWN
    for action in game.actions(here):
        child = game.result(here, action)
        mine = True
        if game.is_terminal(child):
            code = ended(game, child, mover, solving)
        else:
            mine = game.player(child) == mover
            if game.slice(child) == solving.slice:
                target = game.slice_place(child)
                code = read(solving.codes, 0, target) if target >= 0 else UNKNOWN
            else:
                code = lookup(game, child, shelf)
        if code <= NONE:
            return UNKNOWN
        if code == DRAW:
            reached = DRAW
        elif is_win(code) == mine:
            reached = won_in(plies_of(code) + 1)
        else:
            reached = lost_in(plies_of(code) + 1)
        if best == UNKNOWN or better(reached, best):
            best = reached
    return best


def better(one: int, other: int) -> bool:
    """Whether one code is more welcome than another: a win soon, a draw, a loss late."""
    if is_win(one):
        return not is_win(other) or one < other
    if is_win(other):
        return False
    if is_loss(one):
        return is_loss(other) and one > other
    return is_loss(other)
