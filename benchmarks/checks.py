"""What do the checks of users' rules cost? The same rules with and without them, side by side in one run.

    python benchmarks/checks.py                  all games, nine rounds
    python benchmarks/checks.py --rounds 3       fewer rounds

Games as people write them: Connect Four on a tuple of cells, Kalah, a jump on a grid with a table of neighbours in an
array, and a race with much arithmetic. Alpha-beta to a depth, without a limit of time. With checks ints beyond 64 bits,
indices out of range, endless recursion and endless loops are noticed; without them (`compiled_checks = False`) they are
not. A figure is nodes a second of processor time; the two take turns, and the ratio is the median over the rounds.
"""

import argparse
import statistics
import time
from typing import Any, NamedTuple

import numpy as np

import gametree as gt
from smallest import parse

ROUNDS = 9


class Four(NamedTuple):
    """A position of Connect Four."""

    cells: tuple[int, ...]
    mover: int
    won: int


class ConnectFour(gt.Game):
    """Five columns of four cells, three in a row: every line is looked at by loops over the tuple."""

    payoffs = (-1, 1)
    depth = 10

    def initial(self) -> Any:
        return Four((0,) * 20, 0, 0)

    def player(self, s: Any) -> Any:
        return s.mover

    def actions(self, s: Any) -> Any:
        return [c for c in range(5) if s.cells[15 + c] == 0]

    def result(self, s: Any, a: Any) -> Any:
        row = 0
        while s.cells[row * 5 + a] != 0:
            row += 1
        at = row * 5 + a
        cells = s.cells[:at] + (s.mover + 1,) + s.cells[at + 1 :]  # noqa: RUF005
        return Four(cells, 1 - s.mover, self.wins(cells, row, a, s.mover + 1))

    def wins(self, cells: Any, row: Any, column: Any, piece: Any) -> Any:
        for dr, dc in ((0, 1), (1, 0), (1, 1), (1, -1)):
            run = 1
            for sign in (-1, 1):
                r, c = row + sign * dr, column + sign * dc
                while 0 <= r < 4 and 0 <= c < 5 and cells[r * 5 + c] == piece:
                    run += 1
                    r, c = r + sign * dr, c + sign * dc
            if run >= 4:
                return piece
        return 0

    def is_terminal(self, s: Any) -> Any:
        return s.won != 0 or all(cell != 0 for cell in s.cells[15:])

    def utility(self, s: Any, p: Any) -> Any:
        return 0 if s.won == 0 else 1 if s.won == p + 1 else -1

    def evaluate(self, s: Any, p: Any) -> Any:
        return 0.0


class Kalah(gt.Game):
    """Six pits a side and three seeds in each."""

    payoffs = (-36, 36)
    depth = 8

    def initial(self) -> Any:
        return ((3,) * 6 + (0,) + (3,) * 6 + (0,), 0)

    def player(self, s: Any) -> Any:
        return s[1]

    def actions(self, s: Any) -> Any:
        pits, mover = s
        return [i for i in range(7 * mover, 7 * mover + 6) if pits[i] > 0]

    def result(self, s: Any, a: Any) -> Any:
        pits = list(s[0])
        mover = s[1]
        seeds, pits[a] = pits[a], 0
        at = a
        while seeds > 0:
            at = (at + 1) % 14
            if at == (13 if mover == 0 else 6):
                continue
            pits[at] += 1
            seeds -= 1
        if at // 7 == mover and at % 7 < 6 and pits[at] == 1 and pits[12 - at] > 0:
            pits[6 + 7 * mover] += pits[12 - at] + 1
            pits[at] = pits[12 - at] = 0
        return (tuple(pits), mover if at == 6 + 7 * mover else 1 - mover)

    def is_terminal(self, s: Any) -> Any:
        return sum(s[0][:6]) == 0 or sum(s[0][7:13]) == 0

    def utility(self, s: Any, p: Any) -> Any:
        mine = sum(s[0][:7]) - sum(s[0][7:])
        return mine if p == 0 else -mine

    def evaluate(self, s: Any, p: Any) -> Any:
        return (s[0][6] - s[0][13]) * (1 - 2 * p)


class Grid(gt.Game):
    """Two pieces walk over a grid and burn what they leave; neighbours come from an array."""

    payoffs = (-1, 1)
    depth = 9

    def __init__(self) -> None:
        size = 5
        near = np.full((size * size, 4), -1)
        for cell in range(size * size):
            row, column = divmod(cell, size)
            for i, (dr, dc) in enumerate(((0, 1), (1, 0), (0, -1), (-1, 0))):
                if 0 <= row + dr < size and 0 <= column + dc < size:
                    near[cell, i] = (row + dr) * size + column + dc
        self.near = near

    def initial(self) -> Any:
        return (0, 24, 0, 1 | 1 << 24)

    def player(self, s: Any) -> Any:
        return s[2]

    def actions(self, s: Any) -> Any:
        here = s[s[2]]
        for i in range(4):
            cell = int(self.near[here, i])
            if cell >= 0 and not s[3] >> cell & 1:
                yield cell

    def result(self, s: Any, a: Any) -> Any:
        burnt = s[3] | 1 << a
        return (a, s[1], 1, burnt) if s[2] == 0 else (s[0], a, 0, burnt)

    def is_terminal(self, s: Any) -> Any:
        here = s[s[2]]
        for i in range(4):
            cell = int(self.near[here, i])
            if cell >= 0 and not s[3] >> cell & 1:
                return False
        return True

    def utility(self, s: Any, p: Any) -> Any:
        return -1 if p == s[2] else 1

    def evaluate(self, s: Any, p: Any) -> Any:
        return 0.0


class Sums(gt.Game):
    """Numbers are added, multiplied and divided, and hardly anything else is done."""

    payoffs = (-1, 1)
    depth = 9

    def initial(self) -> Any:
        return (12, 7, 0)

    def player(self, s: Any) -> Any:
        return s[2] % 2

    def actions(self, s: Any) -> Any:
        return range(1, 5)

    def result(self, s: Any, a: Any) -> Any:
        x = (s[0] * 31 + s[1] * a + s[2]) % 9973
        y = (s[1] * 17 - s[0] * a + x * x) % 9967
        return (x, y, s[2] + 1)

    def is_terminal(self, s: Any) -> Any:
        return s[2] >= 30

    def utility(self, s: Any, p: Any) -> Any:
        return (1 if s[0] > s[1] else -1) * (1 - 2 * p)

    def evaluate(self, s: Any, p: Any) -> Any:
        return (s[0] - s[1]) / 10_000 * (1 - 2 * p)


GAMES: tuple[type[Any], ...] = (ConnectFour, Kalah, Grid, Sums)


def rate(game: gt.Game, depth: int) -> float:
    """Nodes a second of processor time, by the faster of two searches."""
    best = 0.0
    for _ in range(2):
        begun = time.process_time()
        found = gt.alphabeta(game, depth=depth, compile="always")
        best = max(best, found.nodes / max(time.process_time() - begun, 1e-9))
    return best


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=ROUNDS, help=f"({ROUNDS})")
    parser.add_argument("--depth", type=int, help="(what takes some tenths of a second)")
    given = parse(parser, "--rounds 1 --depth 3")
    print(f"{'nodes a second':<14} {'unchecked':>12} {'checked':>12} {'checked/unchecked':>18}")
    for cls in GAMES:
        fast = type(cls.__name__, (cls,), {"compiled_checks": False, "__module__": cls.__module__})
        pair = (fast(), cls())
        depth = given.depth or cls.depth + 2
        for game in pair:
            rate(game, 2)  # compiles
        rates: tuple[list[float], list[float]] = ([], [])
        for turn in range(given.rounds):
            for which in (0, 1) if turn % 2 == 0 else (1, 0):
                rates[which].append(rate(pair[which], depth))
        ratios = sorted(checked / unchecked for unchecked, checked in zip(*rates))
        print(
            f"{cls.__name__:<14} {statistics.median(rates[0]):>12,.0f} {statistics.median(rates[1]):>12,.0f}"
            f" {statistics.median(ratios):>10.3f} ({ratios[0]:.3f} to {ratios[-1]:.3f})",
            flush=True,
        )


if __name__ == "__main__":
    main()
