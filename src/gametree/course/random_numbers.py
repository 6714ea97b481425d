"""Random numbers for exercises: the same seed draws the same exercise on every machine and in every version of Python.

The words are those of `kernel/random.py`. Bounds are kept by drawing again, not by a product: a seed that a teacher
has handed out has to go on making the same tree.
"""

from collections.abc import Sequence
from typing import TypeVar

from gametree.kernel.keys import MASK
from gametree.kernel.random import Generator, next_word, seeded

T = TypeVar("T")


class Draws:
    """Draws one number after the other.

    >>> draws = Draws(7)
    >>> [draws.between(1, 6) for _ in range(5)]
    [2, 2, 3, 6, 6]
    """

    def __init__(self, seed: int):
        self._generator = Generator(random=seeded(seed))

    def word(self) -> int:
        """The next 64 bits."""
        return next_word(self._generator)

    def below(self, bound: int) -> int:
        """A whole number from 0 to bound − 1, each as likely as the others."""
        whole = (MASK + 1) // bound * bound
        word = self.word()
        while word >= whole:
            word = self.word()
        return word % bound

    def between(self, low: int, high: int) -> int:
        """A whole number from low to high, both included."""
        return low + self.below(high - low + 1)

    def choice(self, options: Sequence[T]) -> T:
        """One of several."""
        return options[self.below(len(options))]

    def sample(self, low: int, high: int, count: int) -> list[int]:
        """Different whole numbers from low to high, in random order."""
        chosen: dict[int, None] = {}
        while len(chosen) < count:
            chosen[self.between(low, high)] = None
        return list(chosen)
