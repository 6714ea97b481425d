"""Listing the positions of a game with chance by compiled rules, where they are many: as `chance_graph.py`, faster.

A position is known by a key of 64 bits, so what follows is proven up to a chance of 2⁻⁶⁴ for each pair of positions
that two share a key. Whatever is wrong with the rules is left to the plain graph, which says it in words.
"""

import math
from array import array
from collections.abc import Sequence
from typing import Any, Final

from gametree.game import CHANCE, Game, offers
from gametree.kernel.memory import Memory
from gametree.kernel.primitives import Floats, Ints, keep_state, likeness, state_words, take_state
from gametree.search.chance.expectiminimax import outcomes
from gametree.search.core.memory import block
from gametree.search.core.runner import prepare
from gametree.search.core.stopwatch import StopWatch
from gametree.search.solve.chance_graph import MOST_THROWS, ChanceGraph

DONE, FULL, TROUBLE = range(3)
CHUNK: Final = 50_000
"""So many positions are expanded between two looks at the clock, fewer where that takes longer than QUICK seconds."""
QUICK: Final = 0.02
STACK: Final = 1 << 14
"""Room for so many throws that are still to be followed."""
ACTIONS_EACH, EDGES_EACH = 4, 12
"""Room for so many actions and edges a position, before more is made."""


class PositionList(Memory):
    """The list, as far as it has come."""

    positions: int
    """How many are known, and how many of them are expanded; how many actions and edges these have."""
    expanded: int
    actions: int
    edges: int
    most: int
    """For how many positions, actions, edges and throws there is room."""
    most_actions: int
    most_edges: int
    most_stack: int = STACK
    half: float
    """What a player gets of a draw; payoffs are counted from there."""
    greatest: float
    """The greatest of them."""
    states: Ints
    keys: Ints
    slots: Ints
    """By keys: the number of a position, plus 1; as many as `mask` + 1."""
    mask: int
    first: Ints
    """Where the actions of a position begin."""
    begins: Ints
    """Of each action: where its edges begin, and what it leads to without another position."""
    constant: Floats
    child: Ints
    """Of each edge: where it leads, and how likely that is; less than 0 where the mover changes."""
    weight: Floats
    stack: Ints
    """Throws that are still to be followed, and how likely they are."""
    odds: Floats


def number(game: Any, state: Any, listing: PositionList) -> int:
    """The number of a position, a new one where it has not been seen; −1 where there are too many."""
    keys, slots, mask = listing.keys, listing.slots, listing.mask
    key = likeness(game, state)
    slot = key & mask
    while slots[slot] != 0:
        if keys[slots[slot] - 1] == key:
            return slots[slot] - 1
        slot = slot + 1 & mask
    node = listing.positions
    if node >= listing.most:
        return -1
    keep_state(game, state, listing.states, node * state_words(game))
    keys[node] = key
    slots[slot] = node + 1
    listing.positions = node + 1
    return node


def expand(game: Any, state: Any, upto: int, listing: PositionList) -> int:
    """Expands positions up to a number; `state` is one more to begin with. DONE, FULL, or TROUBLE with the rules."""
    if number(game, state, listing) < 0:
        return FULL
    child, weight, stack, odds = listing.child, listing.weight, listing.stack, listing.odds
    width = state_words(game)
    greatest = listing.greatest
    while listing.expanded < min(listing.positions, upto):
        here = take_state(game, listing.states, listing.expanded * width)
        mover = game.player(here)
        actions = listing.actions
        edges = listing.edges
        for action in game.actions(here):
            if actions >= listing.most_actions:
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
                    payoff = game.utility(s, 0) - listing.half
                    if not abs(payoff) < math.inf:
                        return TROUBLE
                    certain += p * payoff if mover == 0 else -p * payoff
                    greatest = max(greatest, abs(payoff))
                    continue
                who = game.player(s)
                if who == CHANCE:
                    throws += 1
                    n = outcomes(game, s)
                    if n < 0 or top + n > listing.most_stack or throws > MOST_THROWS * MOST_THROWS:
                        return TROUBLE
                    for outcome, probability in game.chance(s):
                        if probability > 0:
                            keep_state(game, game.result(s, outcome), stack, top * width)
                            odds[top] = p * probability
                            top += 1
                    continue
                node = number(game, s, listing)
                if node < 0 or edges >= listing.most_edges:
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
            listing.constant[actions] = certain
            actions += 1
            listing.begins[actions] = edges
        if actions == listing.actions or mover > 1:
            return TROUBLE
        listing.actions = actions
        listing.edges = edges
        listing.greatest = greatest
        listing.expanded += 1
        listing.first[listing.expanded] = actions
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
        words = len(native.native.codec.pack(starts[0])) // 8
        actions, edges = ACTIONS_EACH * most, EDGES_EACH * most
        self._listing = PositionList.allocate(
            True,
            mask=slots - 1,
            most=most + 1,
            most_actions=actions,
            most_edges=edges,
            half=float(game.total or 0) / 2,
            states=block(words * (most + 1)),
            keys=block(most + 1),
            slots=block(slots),
            first=block(most + 2),
            begins=block(actions + 1),
            constant=block(actions + 1).view(np.float64),
            child=block(edges + 1),
            weight=block(edges + 1).view(np.float64),
            stack=np.zeros(words * STACK, dtype=np.int64),
            odds=np.zeros(STACK),
        )

    def explore(self, watch: StopWatch) -> bool | None:
        """Expands until all are; False where there are too many or it was stopped, None where it does not know why."""
        begun = self.starts
        chunk, last = 1, watch.seconds
        while True:
            if not watch.look_up():
                return False
            took, last = watch.seconds - last, watch.seconds
            chunk = min(CHUNK, 2 * chunk) if took < QUICK else max(1, chunk // 2)
            done = self._listing.expanded
            left = chunk if watch.limit.nodes is None else min(chunk, watch.limit.nodes - watch.nodes)
            if left < 1:
                watch.stopped_by = "nodes"
                return False
            status = DONE
            for state in begun:
                status = status or self._native(state, done + left, self._listing)
            watch.add(self._listing.expanded - done)
            if status == TROUBLE:
                return None
            if status == FULL and not self._make_room():
                return False
            if status == DONE and self._listing.expanded == self._listing.positions:
                return True

    def _make_room(self) -> bool:
        """More room for actions and edges, where they lack it; False where it is positions that are too many."""
        listing: Any = self._listing
        if listing.positions > self.most:
            return False
        for room, arrays in (("most_actions", ("begins", "constant")), ("most_edges", ("child", "weight"))):
            most = 4 * getattr(listing, room)
            setattr(listing, room, most)
            for name in arrays:
                old = getattr(listing, name)
                larger = block(most + 1).view(old.dtype)
                larger[: len(old)] = old
                setattr(listing, name, larger)
        return True

    @property
    def found(self) -> tuple[int, int]:
        """How many positions are known, and how many of them are expanded."""
        return self._listing.positions, self._listing.expanded

    def graph(self) -> "Listed":
        """The graph, once all is explored."""
        listing: Any = self._listing
        size = listing.positions
        graph = Listed(self.game, self.starts[0], listing.keys[:size].tolist())
        graph.first = array("q", listing.first[: size + 1].tobytes())
        graph.begins = array("q", listing.begins[: listing.actions + 1].tobytes())
        graph.constant = array("d", listing.constant[: listing.actions].tobytes())
        graph.child = array("q", listing.child[: listing.edges].tobytes())
        graph.weight = array("d", listing.weight[: listing.edges].tobytes())
        graph.greatest = listing.greatest
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
