"""The transposition table: what was found about a state, for when it comes up again on another path.

One block of 64-bit words. The bucket of a key has a few entries, and an entry two or four words:

    first word   key ^ the other words   a torn or foreign entry does not give back its key and is no entry
    …            what a search keeps
    last word    about                   0 where there is no entry; a tag, an age, what the entry is worth

A search says in a `Layout` where in `about` these lie, and what else it keeps. What is looked for is a key, and the tag
where there is one: an entry counts for the same tag only. Where a bucket is full, the entry goes that is worth least.
Threads write without a lock: whoever reads a word of one entry and a word of another finds that the key is wrong.
"""

from collections.abc import Callable
from typing import Final, NamedTuple

from gametree.kernel.primitives import Ints

OLD: Final = 1 << 20
"""By so much less an entry of another age is worth."""


class Layout(NamedTuple):
    """How an entry is laid out; masks are 0 where there is no such thing."""

    words: int
    entries: int
    worth_shift: int = 0
    worth_mask: int = 0
    """Where `about` says what an entry is worth keeping for: depth, nodes."""
    tag_mask: int = 0
    """What else has to be the same, in the lowest bits."""
    age_shift: int = 0
    age_mask: int = 0
    forgets: int = 0
    """Not 0 if entries of another age do not count. A search that finds an entry compares its age, which is never 0."""

    @property
    def bucket_words(self) -> int:
        """How many words a bucket has."""
        return self.words * self.entries

    @property
    def bucket_bytes(self) -> int:
        """And how many bytes."""
        return 8 * self.words * self.entries


class Functions(NamedTuple):
    """What a search does with a table of its layout."""

    home: Callable[[int, int], int]
    """home(key, buckets): where the bucket of a key begins; the number of buckets is a power of two."""
    holds: Callable[[Ints, int, int, int], bool]
    """holds(table, slot, key, tag): whether the entry at a slot is that of a key and a tag."""
    probe: Callable[[Ints, int, int, int], int]
    """probe(table, first, key, tag): where in the bucket that begins at `first` an entry lies; −1 where there is none.
    """
    worth_of: Callable[[int, int], int]
    """worth_of(about, age): what an entry is worth; less where it is of another age, least where there is none."""
    place_for: Callable[[Ints, int, int, int, int], int]
    """place_for(table, first, key, tag, age): where to write: in the place of the entry of the same key and tag, or
    else of the one that is worth least."""


def functions(layout: Layout) -> Functions:
    """Probe and replace for a layout, of which machine code knows every number."""
    words, entries, worth_shift, worth_mask, tag_mask, age_shift, age_mask, forgets = layout
    size, last = words * entries, words - 1

    def home(key: int, buckets: int) -> int:
        return (key & (buckets - 1)) * size

    def holds(table: Ints, slot: int, key: int, tag: int) -> bool:
        about = table[slot + last]
        check = table[slot] ^ about
        if words == 4:
            check ^= table[slot + 1] ^ table[slot + 2]
        if forgets != 0:
            return check == key  # what is no entry has the age 0
        # The key is the only question to which the answer is mostly no.
        return check == key and about & tag_mask == tag and about != 0

    def probe(table: Ints, first: int, key: int, tag: int) -> int:
        for slot in range(first, first + size, words):
            if holds(table, slot, key, tag):
                return slot
        return -1

    def worth_of(about: int, age: int) -> int:
        same_age = (about >> age_shift & age_mask) == age
        if forgets != 0:
            return about >> worth_shift & worth_mask if same_age else -1
        worth = about >> worth_shift & worth_mask if about != 0 else -1
        return worth if same_age else worth - OLD

    def place_for(table: Ints, first: int, key: int, tag: int, age: int) -> int:
        chosen = first
        least = OLD * OLD
        for slot in range(first, first + size, words):
            if holds(table, slot, key, tag):
                return slot
            worth = worth_of(table[slot + last], age)
            if worth < least:
                least = worth
                chosen = slot
        return chosen

    return Functions(home, holds, probe, worth_of, place_for)


def write(table: Ints, slot: int, key: int, about: int) -> None:
    """Writes an entry of two words."""
    table[slot] = key ^ about
    table[slot + 1] = about


def write_more(table: Ints, slot: int, key: int, one: int, other: int, about: int) -> None:
    """Writes an entry of four words."""
    table[slot] = key ^ one ^ other ^ about
    table[slot + 1] = one
    table[slot + 2] = other
    table[slot + 3] = about
