"""Rules that build lists leave nothing behind in memory, however a search leaves them."""

import os
import subprocess
import sys

import pytest

PROGRAM = """
import gametree as gt
from numba.core.runtime import rtsys

class Lists(gt.Game):
    def initial(self): return (7, 0)
    def player(self, s): return s[1]
    def actions(self, s):
        moves = [a for a in (3, 1, 2) if a <= s[0]]
        moves.sort()
        for a in moves:
            yield a
    def result(self, s, a):
        parts = list(s)
        parts[0] -= a
        parts[1] = 1 - parts[1]
        return tuple(parts)
    def is_terminal(self, s): return s[0] == 0
    def utility(self, s, p): return -1 if p == s[1] else 1

game = Lists()
gt.alphabeta(game, compile="always")
before = rtsys.get_allocation_stats()
for _ in range(20):
    gt.alphabeta(game, compile="always")
after = rtsys.get_allocation_stats()
print(after.alloc - before.alloc, after.free - before.free)
"""


@pytest.mark.needs_compiler
def test_what_is_allocated_is_freed_when_alpha_beta_leaves_a_generator_early() -> None:
    run = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        env={**os.environ, "NUMBA_NRT_STATS": "1"},
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    allocated, freed = map(int, run.stdout.split())
    assert allocated == freed > 0
