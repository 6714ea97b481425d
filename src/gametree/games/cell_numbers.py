"""A number for every cell of a board, such as that of the shot or try that fell there, in words of a state."""

from typing import Final

from gametree.kernel.put import put

# Cell i has the bits from 8 · (i mod 7) of word i / 7, so that 7 cells share a word and the sign bit is left alone.
BITS: Final = 8
PER_WORD: Final = 7
MOST: Final = (1 << BITS) - 1

Words = tuple[int, ...]


def no_numbers(cells: int) -> Words:
    """The words of a board in which every cell has the number 0.

    >>> no_numbers(9)
    (0, 0)
    """
    return (0,) * -(-cells // PER_WORD)


def number_at(words: Words, cell: int) -> int:
    """The number of a cell."""
    return words[cell // PER_WORD] >> BITS * (cell % PER_WORD) & MOST


def numbered(words: Words, cell: int, number: int) -> Words:
    """The words with a number for a cell that had 0.

    >>> number_at(numbered(no_numbers(9), 8, 200), 8)
    200
    """
    word = cell // PER_WORD
    return put(words, word, words[word] | number << BITS * (cell % PER_WORD))
