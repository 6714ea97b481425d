# mypy: ignore-errors
"""Rules and a kernel with `assert` in them, in a file that pytest leaves as it is."""

from typing import Any

from compiled.refusals import Nim


class Asserted(Nim):
    def actions(self, s):
        assert s[0] != 3, "never three"  # raises
        return range(1, min(3, s[0]) + 1)


class AssertedInGenerator(Nim):
    def actions(self, s):
        for i in range(1, min(3, s[0]) + 1):
            assert s[0] != 3, "never three"  # raises
            yield i


def span(game: Any, state: Any, low: int, high: int) -> int:
    """A kernel that takes something for granted."""
    assert low < high
    return high - low


span.__module__ = "gametree.search.span"  # as kernels have it
