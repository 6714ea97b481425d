"""A game made at random for databases: a token on a graph with circles, in slices that no move raises."""

import random
from typing import NamedTuple

import numpy as np

import gametree as gt


class Place(NamedTuple):
    """Where the token is, and who moves."""

    slice: int
    node: int
    mover: int


class Token(gt.Game[Place, int]):
    """A token walks over a random graph; some nodes end the game, some are no positions at all.

    Players do not always take turns: at some nodes the same player moves again.
    """

    payoffs = (-1, 1)

    def __init__(self, seed: int = 0, slices: int = 3, nodes: int = 9, degree: int = 3):
        rng = random.Random(seed)
        self.nodes = nodes
        self.count = slices
        self.degree = degree
        # Of each place: how it ends (0 it does not, 1 the mover wins, 2 it is drawn, 3 the mover loses), −1 for none.
        kinds = [rng.choice((0, 0, 0, 0, 0, 0, 1, 2, 3, -1)) for _ in range(slices * nodes * 2)]
        targets = []
        for slice in range(slices):
            for place in range(nodes * 2):
                at = slice * nodes * 2 + place
                for _ in range(degree):
                    below = rng.randrange(slice + 1) if rng.random() < 0.4 else slice
                    here = [below * nodes * 2 + n for n in range(nodes * 2)]
                    targets.append(rng.choice([n for n in here if kinds[n] >= 0] or [at]))
        self.kinds = np.array(kinds, dtype=np.int64)
        self.targets = np.array(targets, dtype=np.int64)

    def initial(self) -> Place:
        return Place(self.count - 1, 0, 0)

    def _at(self, s: Place) -> int:
        return (s.slice * self.nodes + s.node) * 2 + s.mover

    def player(self, s: Place) -> int:
        return s.mover

    def actions(self, s: Place) -> range:
        return range(self.degree)

    def result(self, s: Place, a: int) -> Place:
        to = int(self.targets[self._at(s) * self.degree + a])
        return Place(to // (self.nodes * 2), to // 2 % self.nodes, to % 2)

    def is_terminal(self, s: Place) -> bool:
        return bool(self.kinds[self._at(s)] > 0)

    def utility(self, s: Place, p: int) -> int:
        won = 2 - int(self.kinds[self._at(s)])
        return won if p == s.mover else -won

    def slice(self, s: Place) -> int:
        return s.slice

    def slice_size(self, slice: int) -> int:
        return self.nodes * 2

    def slice_place(self, s: Place) -> int:
        return s.node * 2 + s.mover

    def slice_state(self, slice: int, place: int) -> Place | None:
        if self.kinds[slice * self.nodes * 2 + place] < 0:
            return None
        return Place(slice, place // 2, place % 2)

    def slices(self, most: int) -> range:
        return range(min(most, self.count))
