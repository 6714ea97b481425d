"""How fast are Othello endings solved exactly?

    python benchmarks/othello_endings.py --data endings.obf
    python benchmarks/othello_endings.py --data endings.obf --first 1 --hash-mb 256

A line of the file is a position (64 squares, who moves) and the moves with their scores, the best first, as in the FFO
endgame test suite. One thread, an empty table before each position. The exit code is 1 where a score is wrong. Scores
of such files give squares that stay empty to the winner; where a game of perfect players fills the board there is no
difference.
"""

import argparse
import re
import sys
from pathlib import Path

from gametree import Limit
from gametree.games import Othello
from gametree.search.solve.exact.scores import Exact
from smallest import parse

SMALLEST = "--data {here}/examples/endings.obf --hash-mb 8"


def main() -> int:
    parser = argparse.ArgumentParser(description="Othello endings, solved exactly")
    parser.add_argument("--data", type=Path, required=True, help="file of positions with scores")
    parser.add_argument("--first", type=int, help="only so many positions")
    parser.add_argument("--hash-mb", type=float, default=512, help="size of the table")
    parser.add_argument("--threads", type=int, default=1)
    given = parse(parser, SMALLEST)
    game = Othello()
    # Compiled before the clock runs.
    Exact(game, hash_mb=1, compile="always").score(limit=Limit(nodes=1))
    wrong = 0
    total = 0.0
    for line in given.data.read_text(encoding="utf-8").splitlines()[: given.first]:
        state = game.parse_state(line)
        best = re.search(r";\s*([A-Ha-h][1-8]):([+-]\d+)", line)
        if best is None:
            raise SystemExit(f"no score in the line {line!r}")
        solver = Exact(game, hash_mb=given.hash_mb, compile="always")
        found = solver.score(state, threads=given.threads)
        right = found.value == int(best[2])
        wrong += not right
        total += found.seconds
        empty = 64 - int((state.mine | state.theirs).bit_count())
        print(
            f"{empty} empty: {found.value:+d} by {game.name_action(state, found.action)}, {found.seconds:.1f} s,"
            f" {found.nodes:,} nodes, {found.nodes / found.seconds / 1e6:.1f} M nodes/s"
            f"{'' if right else f', but it is {best[2]} by {best[1].lower()}'}",
            flush=True,
        )
    print(f"{total:.1f} s in all, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
