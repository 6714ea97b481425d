"""Memory for the tree: how many nodes fit into what the user allows, and the arrays themselves."""

import functools
import math
from typing import Any

from gametree.errors import InputError
from gametree.search.core.memory import Sparse, block
from gametree.search.mcts import words
from gametree.search.mcts.expansion import BUCKET
from gametree.search.mcts.options import Options
from gametree.search.mcts.policies import listed_roots
from gametree.search.mcts.tree import ROOT_HERE

MEMORY_MB = 256.0
INTERPRETED_WORD = 120
"""About how many bytes a word takes as an entry of a dict."""


class Nodes:
    """The arrays of `tree.py`; those that the options do not need are of one item."""

    def __init__(
        self, memory_mb: float, options: Options, width: int, action_words: int, chance: bool, compiled: bool
    ):
        priors = options.uses_priors or chance
        sizes = {
            "visits": 1,
            "sums": width,
            "about": 1,
            "parent": 1,
            "actions": action_words,
            "low": width * options.solver,
            "high": width * options.solver,
            "prior": int(priors),
            "squares": width * (options.tree_policy == "ucb1-tuned"),
            "heard": int(options.amaf is not None),
            "echoes": int(options.amaf is not None),
        }
        self.width = width
        self.compiled = compiled
        self.has_bounds = options.solver
        word = 8 if compiled else INTERPRETED_WORD
        free = int(memory_mb * (1 << 20)) // word - words.SHARED_SIZE
        self.slots = 0
        if options.transpositions:  # an eighth of the memory is the table
            self.slots = 1 << max(0, (free // (8 * 2 * BUCKET)).bit_length() - 1)
            free -= self.slots * 2 * BUCKET
        self.capacity = max(0, free // sum(sizes.values()))
        self.bytes = word * (
            self.capacity * sum(sizes.values()) + self.slots * 2 * BUCKET + words.SHARED_SIZE
        )
        self._make(sizes)

    def _make(self, sizes: dict[str, int]) -> None:
        floats = ("sums", "low", "high", "prior", "squares", "echoes")
        made: dict[str, Any] = {}
        for name, size in {**sizes, "table": 0, "shared": 0}.items():
            length = max(1, size * self.capacity)
            if name == "table":
                length = max(1, self.slots * 2 * BUCKET)
            elif name == "shared":
                length = words.SHARED_SIZE
            made[name] = self._array(length, name in floats)
        self.arrays = made
        self.shared = made["shared"]
        self.arguments = tuple(made.values())
        """As the kernel takes them."""

    def _array(self, length: int, floats: bool) -> Any:
        if not self.compiled:
            return Sparse()
        array = block(length)
        return array.view("float64") if floats else array

    def plant(self, least: float, greatest: float) -> None:
        """A tree of one node, of which nothing is known."""
        arrays = self.arrays
        for name in ("visits", "about"):
            arrays[name][0] = 0
        arrays["parent"][0] = ROOT_HERE
        for i in range(self.width):
            arrays["sums"][i] = 0.0
            if self.has_bounds:
                arrays["low"][i] = least
                arrays["high"][i] = greatest
        if self.compiled and self.slots:
            arrays["table"][:] = 0
        elif not self.compiled:
            arrays["table"].clear()
        for place in range(words.SHARED_SIZE):
            self.shared[place] = 0
        self.shared[words.USED] = 1

    def require_room(self, count: int) -> None:
        """Refuses a memory in which not even the root and its children fit."""
        if self.capacity < count + 1:
            raise InputError(
                f"memory_mb is too small for {count} actions: it takes at least"
                f" {math.ceil(1e3 * (count + 2) * self.bytes / max(1, self.capacity) / (1 << 20)) / 1e3:g}"
            )


@functools.cache
def roots(compiled: bool) -> Any:
    """The roots that the tree policies look up."""
    if not compiled:
        return listed_roots()
    import numpy as np

    return np.array(listed_roots())


def spare(compiled: bool, length: int) -> Any:
    """Room for a few numbers of one thread, and so much more that no other thread's are near."""
    if not compiled:
        return [0.0] * length
    import numpy as np

    return np.zeros(length + 16, dtype=np.float64)
