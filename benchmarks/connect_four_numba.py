"""How fast is alpha-beta when it is written by hand, in Numba, for Connect Four and nothing else?

The yardstick for what it costs gametree to be generic. It visits exactly the nodes of the textbook's
alpha-beta with the window (-inf, +inf), fixed move order, no table, and 0 at the horizon; it polls nothing
and keeps no line. It comes in two forms that visit the same nodes in the same order:

- "inlined": the parent looks at whether a child ends the game or lies on the horizon, so that only inner
  nodes cost a call. The fastest form we found.
- "calls": every node is a call, the way the textbook writes it.

Run it alone:  python benchmarks/connect_four_numba.py --depth 13
"""

import argparse
import time
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numba import njit

from smallest import parse

SMALLEST = "--depth 6"
# One column takes 7 bits: 6 cells from the bottom up and a spare one, so that no line wraps into the next.
COLUMN = 0b0111111
BOTTOM = sum(1 << 7 * column for column in range(7))
FULL = BOTTOM * COLUMN

CENTRE_FIRST = tuple(sorted(range(7), key=lambda column: abs(2 * column - 6)))
LEFT_TO_RIGHT = tuple(range(7))

FORMS = ("inlined", "calls")
BELOW_ALL, ABOVE_ALL = -2, 2  # values are -1, 0 and 1: these are the infinities


class Run(NamedTuple):
    """One timed search."""

    nodes: int
    seconds: float
    value: float
    whole: float = 0.0
    """Seconds of the whole call, where the contestant does more than search and keeps the clock itself."""


class Position(NamedTuple):
    """The stones of the player to move, and all stones."""

    mine: int
    mask: int


def position(moves: Sequence[int]) -> Position:
    """The position after these columns (from 0) were played from the empty board."""
    mine = mask = 0
    for column in moves:
        if not 0 <= column < 7:
            raise ValueError(f"column {column + 1} is not on the board")
        stone = (mask + (1 << 7 * column)) & (COLUMN << 7 * column)
        if not stone:
            raise ValueError(f"column {column + 1} is full")
        mine, mask = mask ^ mine, mask | stone
        if _aligned.py_func(mask ^ mine):
            raise ValueError("these moves end the game")
    return Position(mine, mask)


def _aligned_anywhere(stones: int) -> bool:
    # Without branches: at most nodes nobody has won, so leaving early rarely pays.
    columns = stones & (stones >> 1)
    rows = stones & (stones >> 7)
    falling = stones & (stones >> 6)
    rising = stones & (stones >> 8)
    straight = (columns & (columns >> 2)) | (rows & (rows >> 14))
    slanted = (falling & (falling >> 12)) | (rising & (rising >> 16))
    return straight | slanted != 0


_aligned = njit(inline="always")(_aligned_anywhere)


def _build_inlined(cells: tuple[int, ...]) -> Any:
    def value(mine: int, mask: int, alpha: int, beta: int, depth: int, nodes: Any) -> int:
        # The caller has made sure that the game is not over here and that depth is at least 1.
        free = (mask + BOTTOM) & FULL
        best = BELOW_ALL
        seen = 0  # counted in a register, stored once
        for column in cells:
            stone = free & column
            if stone != 0:
                seen += 1
                if _aligned(mine | stone):
                    child = 1
                elif depth == 1 or mask | stone == FULL:
                    child = 0
                else:
                    child = -recurse(mask ^ mine, mask | stone, -beta, -alpha, depth - 1, nodes)
                if child > best:
                    best = child
                    if child > alpha:
                        alpha = child
                    if alpha >= beta:
                        break
        nodes[0] += seen
        return best

    recurse = njit(nogil=True)(value)

    def root(mine: int, mask: int, depth: int, nodes: Any) -> int:
        nodes[0] += 1
        if _aligned(mask ^ mine):
            return -1
        if depth == 0 or mask == FULL:
            return 0
        return recurse(mine, mask, BELOW_ALL, ABOVE_ALL, depth, nodes)  # type: ignore[no-any-return]

    return njit(nogil=True)(root)


def _build_calls(cells: tuple[int, ...]) -> Any:
    def value(mine: int, mask: int, alpha: int, beta: int, depth: int, nodes: Any) -> int:
        nodes[0] += 1
        if _aligned(mask ^ mine):
            return -1
        free = (mask + BOTTOM) & FULL
        if depth == 0 or free == 0:
            return 0
        best = BELOW_ALL
        for column in cells:
            stone = free & column
            if stone != 0:
                child = -recurse(mask ^ mine, mask | stone, -beta, -alpha, depth - 1, nodes)
                if child > best:
                    best = child
                    if child > alpha:
                        alpha = child
                    if alpha >= beta:
                        break
        return best

    recurse = njit(nogil=True)(value)

    def root(mine: int, mask: int, depth: int, nodes: Any) -> int:
        return recurse(mine, mask, BELOW_ALL, ABOVE_ALL, depth, nodes)  # type: ignore[no-any-return]

    return njit(nogil=True)(root)


def build(columns: Sequence[int] = CENTRE_FIRST, form: str = "inlined") -> Callable[[Position, int], Run]:
    """A search that tries the columns in this order; compiled here, so that no run pays for it."""
    cells = tuple(COLUMN << 7 * column for column in columns)
    native = {"inlined": _build_inlined, "calls": _build_calls}[form](cells)

    def search(start: Position, depth: int) -> Run:
        nodes = np.zeros(1, np.int64)
        began = time.perf_counter()
        value = native(start.mine, start.mask, depth, nodes)
        seconds = time.perf_counter() - began
        return Run(int(nodes[0]), seconds, float(value))

    search(Position(0, 0), 1)
    return search


def main() -> None:
    parser = argparse.ArgumentParser(description="Alpha-beta written by hand in Numba for Connect Four.")
    parser.add_argument("--depth", type=int, default=13, help="plies to search (default: 13)")
    parser.add_argument("--moves", default="", help="columns played before, 1 to 7, for example 4453")
    options = parse(parser, SMALLEST)
    start = position([int(column) - 1 for column in options.moves])
    for form in FORMS:
        run = build(CENTRE_FIRST, form)(start, options.depth)
        print(
            f"{form:<8} {run.nodes:>13,} nodes  {run.seconds:8.3f} s"
            f"  {run.nodes / run.seconds / 1e6:6.1f} M nodes/s  value {run.value:+.0f}"
        )


if __name__ == "__main__":
    main()
