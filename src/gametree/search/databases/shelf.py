"""Databases as searches have them: the codes of all slices in one block of memory, found without a call of Python."""

from typing import Any

from gametree.kernel.memory import Memory
from gametree.kernel.primitives import NOTHING, WIN, Ints, plies_left
from gametree.search.databases.codes import DRAW, NONE, UNKNOWN, is_win, plies_of, read


class Shelf(Memory):
    """What is open: a hash table of slices, and their codes."""

    slots: Ints
    """For each slot the slice plus one, or 0, and the word at which its codes begin."""
    mask: int
    """How many slots there are, less one: a power of two less one; 0 where nothing is on the shelf."""
    codes: Ints
    drawn: float = 0.0
    """What a draw pays to player 0."""


def home(shelf_mask: int, slice: int) -> int:
    """The slot at which the search for a slice begins."""
    return (slice ^ slice >> 17 ^ slice >> 31) & shelf_mask


def start_of(shelf: Shelf, slice: int) -> int:
    """At which word the codes of a slice begin; −1 where it is not open."""
    slot = home(shelf.mask, slice)
    while shelf.slots[2 * slot] != 0:
        if shelf.slots[2 * slot] == slice + 1:
            return shelf.slots[2 * slot + 1]
        slot = slot + 1 & shelf.mask
    return -1


def lookup(game: Any, state: Any, shelf: Shelf) -> int:
    """What the open databases say of a state that is not the end of the game: a code, or UNKNOWN."""
    slice = game.slice(state)
    if slice < 0:
        return UNKNOWN
    start = start_of(shelf, slice)
    if start < 0:
        return UNKNOWN
    place = game.slice_place(state)
    return read(shelf.codes, start, place) if place >= 0 else UNKNOWN


def score(game: Any, state: Any, plies: int, shelf: Shelf) -> float:
    """The score to player 0 of a state `plies` below the root, as the databases have it; nan where they do not.

    A win that a clock may end before is none that is proven.
    """
    code = lookup(game, state, shelf)
    if code <= NONE:
        return NOTHING
    if code == DRAW:
        return shelf.drawn
    distance = plies_of(code)
    if game.offered.clock and distance > plies_left(game, state):
        return NOTHING
    win = WIN - (plies + distance)
    return win if is_win(code) == (game.player(state) == 0) else -win


def empty(compiled: bool) -> Shelf:
    """A shelf on which nothing is."""
    if not compiled:
        return Shelf(slots=[0, 0], mask=0, codes=[0])
    import numpy as np

    return Shelf.allocate(True, slots=np.zeros(2, np.int64), mask=0, codes=np.zeros(1, np.int64))
