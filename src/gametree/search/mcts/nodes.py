"""Memory for the tree: how many nodes fit into what the user allows, and the arrays themselves."""

import functools
import math
from typing import Any

from gametree.errors import InputError
from gametree.kernel.memory import LINE
from gametree.search.core.memory import Sparse, block
from gametree.search.mcts.expansion import LAYOUT
from gametree.search.mcts.memory import Growth, Tree
from gametree.search.mcts.options import Options
from gametree.search.mcts.policies import listed_roots
from gametree.search.mcts.tree import ROOT_HERE

MEMORY_MB = 256.0
GROWTH = LINE // 8
"""So many words are for what is written to as the tree grows."""
INTERPRETED_WORD = 120
"""About how many bytes a word takes as an entry of a dict."""


class Nodes:
    """The tree, and how large it may become; arrays that the options do not need are of one item."""

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
        self.has_bounds: bool = options.solver
        word = 8 if compiled else INTERPRETED_WORD
        free = int(memory_mb * (1 << 20)) // word - GROWTH
        self.slots: int = 0
        if options.transpositions:  # an eighth of the memory is the table
            self.slots = 1 << max(0, (free // (8 * LAYOUT.bucket_words)).bit_length() - 1)
            free -= self.slots * LAYOUT.bucket_words
        self.capacity: int = max(0, free // sum(sizes.values()))
        self.bytes: int = word * (
            self.capacity * sum(sizes.values()) + self.slots * LAYOUT.bucket_words + GROWTH
        )
        self._make(sizes)

    def _make(self, sizes: dict[str, int]) -> None:
        floats = ("sums", "low", "high", "prior", "squares", "echoes")
        made = {
            name: self._array(max(1, size * self.capacity), name in floats) for name, size in sizes.items()
        }
        self.growth: Growth = Growth.allocate(self.compiled)
        self.tree: Tree = Tree.allocate(
            self.compiled,
            **made,
            table=self._array(max(1, self.slots * LAYOUT.bucket_words), floats=False),
            slots=self.slots,
            capacity=self.capacity,
            growth=self.growth,
        )

    def _array(self, length: int, floats: bool) -> Any:
        if not self.compiled:
            return Sparse()
        array = block(length)
        return array.view("float64") if floats else array

    def plant(self, least: float, greatest: float) -> None:
        """A tree of one node, of which nothing is known."""
        tree = self.tree
        tree.visits[0] = tree.about[0] = 0
        tree.parent[0] = ROOT_HERE
        for i in range(self.width):
            tree.sums[i] = 0.0
            if self.has_bounds:
                tree.low[i] = least
                tree.high[i] = greatest
        table: Any = tree.table
        if self.compiled and self.slots:
            table[:] = 0
        elif not self.compiled:
            table.clear()
        for field in Growth.fields:
            setattr(self.growth, field.name, field.default)
        self.growth.used = 1

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
