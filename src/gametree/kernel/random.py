"""What a kernel that draws at random, alone or beside other threads, may call.

Random numbers are SplitMix64 (Steele, Lea & Flood 2014): one field of a block is the generator's state, and the same
seed draws the same numbers on every machine, interpreted and compiled. Each function has a body for interpreted runs;
`compiled/codegen/random.py` gives the same name a compiled one.
"""

from gametree.kernel.keys import FIRST, MASK, mix, signed
from gametree.kernel.marking import primitive
from gametree.kernel.memory import Memory
from gametree.kernel.primitives import Floats, Ints

HALF_STEP = 2.0**-53


def seeded(seed: int) -> int:
    """The state with which a generator begins."""
    return signed(mix(seed & MASK))


class Generator(Memory):
    """A block with a random generator in it."""

    random: int
    """Its state."""


def next_word(generator: Generator) -> int:
    """The next 64 bits, for interpreted code."""
    state = generator.random + FIRST & MASK
    generator.random = signed(state)
    return mix(state)


@primitive
def below(generator: Generator, bound: int) -> int:
    """A whole number from 0 to bound − 1; one is likelier than another by less than bound / 2⁶⁴.

    >>> dice = Generator(random=seeded(7))
    >>> [below(dice, 6) for _ in range(5)]
    [3, 1, 5, 5, 3]
    """
    return next_word(generator) * bound >> 64


@primitive
def unit(generator: Generator) -> float:
    """A number between 0 and 1, never one of them."""
    return ((next_word(generator) >> 12) * 2 + 1) * HALF_STEP


# --- memory that threads share ----------------------------------------------------------------------


@primitive
def add_word(words: Ints, at: int, more: int) -> int:
    """Adds to a word that other threads add to as well; what it was before."""
    before = words[at]
    words[at] = before + more
    return before


@primitive
def add_to(block: Memory, name: str, more: int) -> int:
    """Adds to a field that other threads add to as well; what it was before. The name is a literal."""
    before: int = getattr(block, name)
    setattr(block, name, before + more)
    return before


@primitive
def add_number(numbers: Floats, at: int, more: float) -> None:
    """Adds to a number that other threads add to as well."""
    numbers[at] += more


@primitive
def exchange(words: Ints, at: int, old: int, new: int) -> bool:
    """Puts a new word in the place of an old one; False where another thread was there before.

    What was written before is seen by whoever sees the new word.
    """
    if words[at] != old:
        return False
    words[at] = new
    return True
