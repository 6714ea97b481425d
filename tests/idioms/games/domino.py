# mypy: ignore-errors
# ruff: noqa
"""Dominoes, open hands: hands are sorted tuples of pairs, the line has two ends or None."""
from dataclasses import dataclass
from typing import Optional, Tuple
import gametree as gt

Tile = Tuple[int, int]

@dataclass(frozen=True)
class Table:
    hands: Tuple[Tuple[Tile, ...], Tuple[Tile, ...]]
    ends: Optional[Tuple[int, int]]
    mover: int
    passes: int

class Dominoes(gt.Game):
    def initial(self):
        return Table((((0, 0), (0, 2), (1, 2), (2, 3)), ((0, 1), (1, 1), (1, 3), (3, 3))), None, 0, 0)
    def player(self, t):
        return t.mover
    def actions(self, t):
        hand = t.hands[t.mover]
        if t.ends is None:
            return [(tile, "left") for tile in hand]
        moves = []
        left, right = t.ends
        for tile in hand:
            if left in tile:
                moves.append((tile, "left"))
            if right in tile and right != left:
                moves.append((tile, "right"))
        return moves or [((-1, -1), "pass")]
    def result(self, t, action):
        tile, side = action
        if side == "pass":
            return Table(t.hands, t.ends, 1 - t.mover, t.passes + 1)
        hand = tuple(x for x in t.hands[t.mover] if x != tile)
        hands = (hand, t.hands[1]) if t.mover == 0 else (t.hands[0], hand)
        a, b = tile
        if t.ends is None:
            ends = (a, b)
        elif side == "left":
            ends = (b if a == t.ends[0] else a, t.ends[1])
        else:
            ends = (t.ends[0], b if a == t.ends[1] else a)
        return Table(hands, ends, 1 - t.mover, 0)
    def is_terminal(self, t):
        return not all(t.hands) or t.passes >= 2
    def utility(self, t, p):
        pips = [sum(a + b for a, b in hand) for hand in t.hands]
        return pips[1 - p] - pips[p]
GAME = Dominoes
DEPTH = None
