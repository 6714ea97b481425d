"""Listing the positions of a game with chance by compiled rules, where they are many: as `chance_graph.py`, faster.

A position is known by a key of 64 bits, so what follows is proven up to a chance of 2⁻⁶⁴ for each pair of positions
that two share a key. Whatever is wrong with the rules is left to the plain graph, which says it in words.
"""

import math
from array import array
from collections.abc import Sequence
from typing import Any, Final

from gametree.game import CHANCE, Game, offers
from gametree.kernel.primitives import (
    LEDGER_SIZE,
    Floats,
    Ints,
    bits,
    keep_state,
    likeness,
    state_words,
    take_state,
    unbits,
)
from gametree.search.chance.expectiminimax import outcomes
from gametree.search.core.memory import block
from gametree.search.core.runner import prepare
from gametree.search.core.stopwatch import StopWatch
from gametree.search.solve.chance_graph import MOST_THROWS, ChanceGraph

POSITIONS, EXPANDED, ACTIONS, EDGES, MASK, MOST, MOST_ACTIONS, MOST_EDGES, MOST_STACK, GREATEST = range(
    LEDGER_SIZE, LEDGER_SIZE + 10
)
DONE, FULL, TROUBLE = range(3)
CHUNK: Final = 50_000
"""So many positions are expanded between two looks at the clock."""
STACK: Final = 1 << 14
"""Room for so many throws that are still to be followed."""
ACTIONS_EACH, EDGES_EACH = 4, 12
"""Room for so many actions and edges a position, before more is made."""


def number(game: Any, state: Any, states: Ints, keys: Ints, slots: Ints, ledger: Ints) -> int:
    """The number of a position, a new one where it has not been seen; −1 where there are too many."""
    key = likeness(game, state)
    slot = key & ledger[MASK]
    while slots[slot] != 0:
        if keys[slots[slot] - 1] == key:
            return slots[slot] - 1
        slot = slot + 1 & ledger[MASK]
    node = ledger[POSITIONS]
    if node >= ledger[MOST]:
        return -1
    keep_state(game, state, states, node * state_words(game))
    keys[node] = key
    slots[slot] = node + 1
    ledger[POSITIONS] = node + 1
    return node


def expand(
    game: Any,
    state: Any,
    upto: int,
    half: float,
    states: Ints,
    keys: Ints,
    slots: Ints,
    first: Ints,
    begins: Ints,
    child: Ints,
    constant: Floats,
    weight: Floats,
    stack: Ints,
    odds: Floats,
    ledger: Ints,
) -> int:
    """Expands positions up to a number; `state` is one more to begin with. DONE, FULL, or TROUBLE with the rules."""
    if number(game, state, states, keys, slots, ledger) < 0:
        return FULL
    width = state_words(game)
    greatest = unbits(ledger[GREATEST])
    while ledger[EXPANDED] < min(ledger[POSITIONS], upto):
        here = take_state(game, states, ledger[EXPANDED] * width)
        mover = game.player(here)
        actions = ledger[ACTIONS]
        edges = ledger[EDGES]
        for action in game.actions(here):
            if actions >= ledger[MOST_ACTIONS]:
                return FULL
            start = edges
            certain = 0.0
            keep_state(game, game.result(here, action), stack, 0)
            odds[0] = 1.0
            top = 1
            throws = 0
            while top > 0:
                top -= 1
                s = take_state(game, stack, top * width)
                p = odds[top]
                if game.is_terminal(s):
                    payoff = game.utility(s, 0) - half
                    if not abs(payoff) < math.inf:
                        return TROUBLE
                    certain += p * payoff if mover == 0 else -p * payoff
                    greatest = max(greatest, abs(payoff))
                    continue
                who = game.player(s)
                if who == CHANCE:
                    throws += 1
                    n = outcomes(game, s)
                    if n < 0 or top + n > ledger[MOST_STACK] or throws > MOST_THROWS * MOST_THROWS:
                        return TROUBLE
                    for outcome, probability in game.chance(s):
                        if probability > 0:
                            keep_state(game, game.result(s, outcome), stack, top * width)
                            odds[top] = p * probability
                            top += 1
                    continue
                node = number(game, s, states, keys, slots, ledger)
                if node < 0 or edges >= ledger[MOST_EDGES]:
                    return FULL
                if who != mover:
                    p = -p
                at = start
                while at < edges and child[at] != node:
                    at += 1
                if at == edges:
                    child[at] = node
                    weight[at] = p
                    edges += 1
                else:
                    weight[at] += p
            constant[actions] = certain
            actions += 1
            begins[actions] = edges
        if actions == ledger[ACTIONS] or mover > 1:
            return TROUBLE
        ledger[ACTIONS] = actions
        ledger[EDGES] = edges
        ledger[GREATEST] = bits(greatest)
        ledger[EXPANDED] += 1
        first[ledger[EXPANDED]] = actions
    return DONE


class Lister:
    """Compiled rules at work on a list of positions; what was stopped is taken up where it was."""

    game: Game
    starts: Sequence[Any]
    most: int

    def __init__(self, game: Game, native: Any, starts: Sequence[Any], most: int):
        import numpy as np

        self.game, self.starts, self.most = game, starts, most
        self._native = native
        slots = 1 << (2 * most).bit_length()
        self._ledger = np.zeros(LEDGER_SIZE + 10, dtype=np.int64)
        self._ledger[MASK] = slots - 1
        self._ledger[MOST] = most + 1
        self._ledger[MOST_STACK] = STACK
        self._ledger[[MOST_ACTIONS, MOST_EDGES]] = ACTIONS_EACH * most, EDGES_EACH * most
        words = len(native.native.codec.pack(starts[0])) // 8
        self._fixed = (block(words * (most + 1)), block(most + 1), block(slots))
        self._first = block(most + 2)
        self._actions = [block(ACTIONS_EACH * most + 1), block(ACTIONS_EACH * most + 1).view(np.float64)]
        self._edges = [block(EDGES_EACH * most), block(EDGES_EACH * most).view(np.float64)]
        self._stack = (np.zeros(words * STACK, dtype=np.int64), np.zeros(STACK))

    def explore(self, watch: StopWatch) -> bool | None:
        """Expands until all are; False where there are too many or it was stopped, None where it does not know why."""
        half = float(self.game.total or 0) / 2
        begun = self.starts
        while True:
            if not watch.look_up():
                return False
            done = int(self._ledger[EXPANDED])
            left = CHUNK if watch.limit.nodes is None else min(CHUNK, watch.limit.nodes - watch.nodes)
            if left < 1:
                watch.stopped_by = "nodes"
                return False
            begins, constant = self._actions
            child, weight = self._edges
            status = DONE
            for state in begun:
                arrays = (*self._fixed, self._first, begins, child, constant, weight, *self._stack)
                status = status or self._native(state, done + left, half, *arrays, self._ledger)
            watch.add(int(self._ledger[EXPANDED]) - done)
            if status == TROUBLE:
                return None
            if status == FULL and not self._make_room():
                return False
            if status == DONE and self._ledger[EXPANDED] == self._ledger[POSITIONS]:
                return True

    def _make_room(self) -> bool:
        """More room for actions and edges, where they lack it; False where it is positions that are too many."""
        import numpy as np

        if self._ledger[POSITIONS] > self.most:
            return False
        for place, pair in ((MOST_ACTIONS, self._actions), (MOST_EDGES, self._edges)):
            old = int(self._ledger[place])
            self._ledger[place] = 4 * old
            for i, kind in enumerate((np.int64, np.float64)):
                larger = block(4 * old + 1).view(kind)
                larger[: len(pair[i])] = pair[i]
                pair[i] = larger
        return True

    @property
    def found(self) -> tuple[int, int]:
        """How many positions are known, and how many of them are expanded."""
        return int(self._ledger[POSITIONS]), int(self._ledger[EXPANDED])

    def graph(self) -> "Listed":
        """The graph, once all is explored."""
        ledger = self._ledger
        actions, edges = int(ledger[ACTIONS]), int(ledger[EDGES])
        size = int(ledger[POSITIONS])
        graph = Listed(self.game, self.starts[0], self._fixed[1][:size].tolist())
        graph.first = array("q", self._first[: size + 1].tobytes())
        graph.begins = array("q", self._actions[0][: actions + 1].tobytes())
        graph.constant = array("d", self._actions[1][:actions].tobytes())
        graph.child = array("q", self._edges[0][:edges].tobytes())
        graph.weight = array("d", self._edges[1][:edges].tobytes())
        graph.greatest = unbits(int(ledger[GREATEST]))
        return graph


class Listed(ChanceGraph):
    """A complete graph whose positions are known by their keys; of the states only the first is kept."""

    def __init__(self, game: Game, start: Any, keys: Sequence[int]):
        super().__init__(game)
        self.states: list[Any] = [start]
        self._size = len(keys)
        self._merges = False
        self._identity = lambda state: likeness(game, state)
        self._number = {key: node for node, key in enumerate(keys)}

    def __len__(self) -> int:
        return self._size

    @property
    def complete(self) -> bool:
        return True


def lister(game: Game, starts: Sequence[Any], most: int, compile: str) -> Lister | None:
    """What lists positions by compiled rules; None where that is not possible."""
    if compile == "never" or offers(game, "clock") or not starts:
        return None
    native = prepare(expand, game, starts, False)
    try:
        return None if native is None else Lister(game, native, starts, most)
    except OSError:  # there is not so much memory
        return None
