"""How many shots does the Battleship bot need to sink the classical fleet on random boards?

    python benchmarks/battleship.py [--boards 10000] [--seed 0] [--shoot bot|random|hunt]

Boards are drawn uniformly among all ways to lay 5, 4, 3, 3 and 2 on 10 by 10. The bot shoots where a ship most likely
lies by `gametree.games.battleship.posterior`, as `Battleship.appraise` says. `random` shoots anywhere, `hunt` beside
open hits and else on every second cell, as people do.
"""

import argparse
import contextlib
import os
import random
import statistics
import sys
import time

for library in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(library, "1")

import numpy as np  # noqa: E402

from gametree.games.battleship.posterior import HIT, MISS, SUNK, UNKNOWN, Places, posterior  # noqa: E402
from smallest import parse  # noqa: E402

SMALLEST = "--boards 1"
FLEET = (5, 4, 3, 3, 2)
SIDE = 10
PLACES = Places(SIDE, SIDE, FLEET)
_known: dict[tuple[int, ...], int] = {}
"""Where to shoot, in positions in which no ship is sunk: these come again from board to board."""


def board(rng: random.Random) -> list[set[int]]:
    """A fleet, each as likely as any other."""
    while True:
        fleet = [rng.choice(masks) for masks in PLACES.masks]
        if np.sum(fleet, 0).max() == 1:
            return [set(map(int, mask.nonzero()[0])) for mask in fleet]


def by_posterior(seen: list[int], order: list[int], rng: random.Random) -> int:
    key = tuple(seen)
    if key in _known:
        return _known[key]
    found = posterior(PLACES, key, tuple(order))
    assert found is not None
    best = max((cell for cell in range(SIDE * SIDE) if not seen[cell]), key=found.occupied.__getitem__)
    if max(seen) <= HIT and len(_known) < 1_000_000:
        _known[key] = best
    return best


def anywhere(seen: list[int], order: list[int], rng: random.Random) -> int:
    return rng.choice([cell for cell in range(SIDE * SIDE) if seen[cell] == UNKNOWN])


def hunting(seen: list[int], order: list[int], rng: random.Random) -> int:
    """Beside a hit that sank nothing, best in line with another; else on every second cell."""
    lines, beside = [], []
    for cell in range(SIDE * SIDE):
        if seen[cell] != HIT:
            continue
        row, column = divmod(cell, SIDE)
        for down, right in ((0, 1), (1, 0), (0, -1), (-1, 0)):
            to = (row + down, column + right)
            back = (row - down, column - right)
            if 0 <= to[0] < SIDE and 0 <= to[1] < SIDE and seen[to[0] * SIDE + to[1]] == UNKNOWN:
                beside.append(to[0] * SIDE + to[1])
                if 0 <= back[0] < SIDE and 0 <= back[1] < SIDE and seen[back[0] * SIDE + back[1]] == HIT:
                    lines.append(beside[-1])
    open_cells = [cell for cell in range(SIDE * SIDE) if seen[cell] == UNKNOWN]
    even = [cell for cell in open_cells if sum(divmod(cell, SIDE)) % 2 == 0]
    return rng.choice(lines or beside or even or open_cells)


SHOOTERS = {"bot": by_posterior, "random": anywhere, "hunt": hunting}


def shots_needed(fleet: list[set[int]], shoot: str, rng: random.Random) -> int:
    seen, order = [UNKNOWN] * (SIDE * SIDE), [0] * (SIDE * SIDE)
    left = [set(cells) for cells in fleet]
    shots = 0
    while any(left):
        cell = SHOOTERS[shoot](seen, order, rng)
        shots += 1
        seen[cell], order[cell] = MISS, shots
        for ship, cells in enumerate(left):
            if cell in cells:
                cells.remove(cell)
                seen[cell] = HIT if cells else SUNK + ship
    return shots


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--boards", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--shoot", choices=SHOOTERS, default="bot")
    asked = parse(parser, SMALLEST)
    rng = random.Random(asked.seed)
    began = time.process_time()
    needed: list[int] = []
    with contextlib.suppress(KeyboardInterrupt):  # what was played until then counts
        for _ in range(asked.boards):
            needed.append(shots_needed(board(rng), asked.shoot, rng))
            if len(needed) % 500 == 0:
                print(
                    f"{len(needed):,} boards, mean {statistics.mean(needed):.2f}", file=sys.stderr, flush=True
                )
    if not needed:
        sys.exit("no board was played to the end")
    error = 1.96 * statistics.pstdev(needed) / len(needed) ** 0.5
    print(
        f"{asked.shoot}: {statistics.mean(needed):.2f} ± {error:.2f} shots on average over {len(needed):,} boards,"
        f" median {statistics.median(needed):g}, {min(needed)} to {max(needed)};"
        f" {1e3 * (time.process_time() - began) / sum(needed):.2f} ms a shot"
    )


if __name__ == "__main__":
    main()
