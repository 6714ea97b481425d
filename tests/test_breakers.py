"""A hundred slips, every search, both ways to run: words, or the user's own error, or the right answer."""

import json
import math
import subprocess
import sys
import time
import traceback
from pathlib import Path
from typing import Any

import pytest

import breakers
import gametree as gt
from gametree.errors import GametreeError

HOME = Path(gt.__file__).parent
SECONDS = 1.0
LONGEST = 20.0
"""Seconds of processor time for one search: a loop in a rule is stopped in rehearsal, or when the search was over for a
while. To compile takes two or three."""


def _engine(game: gt.Game, mode: str) -> Any:
    return gt.Engine(game, compile=mode).analyze(limit=gt.Limit(seconds=SECONDS, depth=12))


LIMIT = gt.Limit(seconds=SECONDS)
SEARCHES: dict[str, Any] = {
    "alphabeta": lambda game, mode: gt.alphabeta(game, limit=LIMIT, compile=mode),
    "mcts": lambda game, mode: gt.mcts(game, limit=LIMIT, simulations=2000, compile=mode),
    "engine": _engine,
    "solve": lambda game, mode: gt.solve(game, limit=LIMIT, compile=mode),
    "minimax": lambda game, mode: gt.minimax(game, limit=LIMIT, compile=mode),
    "mtdf": lambda game, mode: gt.mtdf(game, limit=LIMIT, compile=mode),
    "pns": lambda game, mode: gt.pns(game, limit=LIMIT, compile=mode),
    "dfpn": lambda game, mode: gt.dfpn(game, limit=LIMIT, compile=mode),
    "expectiminimax": lambda game, mode: gt.expectiminimax(game, limit=LIMIT, compile=mode),
    "maxn": lambda game, mode: gt.maxn(game, limit=LIMIT, compile=mode),
    "paranoid": lambda game, mode: gt.paranoid(game, limit=LIMIT, compile=mode),
    "analyze": lambda game, mode: gt.analyze(game, limit=LIMIT, compile=mode),
    "bot": lambda game, mode: gt.Bot(game, level=2).move(None),
    "cfr": lambda game, mode: gt.cfr(game, limit=LIMIT, compile=mode),
}
FEW = ("alphabeta", "mcts", "engine", "solve")


def truth(game: Any, state: Any = None, depth: int = 0) -> float:
    """What player 0 gets, by the textbook."""
    state = game.initial() if state is None else state
    if game.is_terminal(state):
        return float(game.utility(state, 0))
    if depth > 30:
        raise ValueError("no end")
    mover = game.player(state)
    if mover == gt.CHANCE:
        return math.fsum(
            odds * truth(game, game.result(state, x), depth + 1) for x, odds in game.chance(state)
        )
    values = [truth(game, game.result(state, action), depth + 1) for action in game.actions(state)]
    return max(values) if mover == 0 else min(values)


def trouble(name: str, search: str, mode: str) -> str:
    """What a search does wrong with a game that has a slip; "" where nothing."""
    begun = time.process_time()
    try:
        game = breakers.BREAKERS[name]()
        found = SEARCHES[search](game, mode)
    except GametreeError:
        words = ""
    except BaseException as error:
        frames = traceback.extract_tb(error.__traceback__)
        last = Path(frames[-1].filename)
        told = (
            last == HOME / "game.py" and frames[-1].name == "__setattr__"
        )  # in words, below the user's line
        ours = HOME in last.parents and "games" not in last.parts and not told
        words = f"{type(error).__name__} raised by {last.name}:{frames[-1].lineno}: {error}" if ours else ""
    else:
        words = _judged(name, game, found)
    late = time.process_time() - begun
    return words or (f"took {late:.1f} s" if late > LONGEST else "")


def _judged(name: str, game: Any, found: Any) -> str:
    if name in breakers.REFUSED:
        return f"was not refused: {found!r:.100}"
    if not getattr(found, "exact", False):
        return ""
    try:
        expected = truth(game)
    except Exception as error:
        return f"is exact, where the rules raise {error!r}"
    value = float(found.values[0])
    return "" if value == pytest.approx(expected) else f"says exactly {value}, not {expected}"


def reported(names: Any, searches: Any, modes: Any, seconds: float) -> dict[str, str]:
    """The troubles of some games, looked at in a process of their own."""
    wanted = json.dumps([list(names), list(searches), list(modes)])
    done = subprocess.run(
        [sys.executable, __file__, wanted],
        capture_output=True,
        text=True,
        timeout=seconds,
        check=False,
    )
    assert done.returncode == 0, f"the process ended with {done.returncode}: {done.stderr[-2000:]}"
    return json.loads(done.stdout.splitlines()[-1])  # type: ignore[no-any-return]


def test_there_are_a_hundred() -> None:
    assert len(breakers.BREAKERS) >= 100


def test_some_slips_are_told_interpreted() -> None:
    assert not reported(breakers.SOME, FEW, ["never"], 300)


@pytest.mark.needs_compiler
def test_some_slips_are_told_compiled() -> None:
    names = ["OutsideAnArray", "EndlessHelper", "TooLargeShift"]
    assert not reported(names, ["mcts"], ["auto"], 300)


@pytest.mark.slow
@pytest.mark.parametrize("name", breakers.BREAKERS)
def test_every_slip_is_told_by_every_search_in_both_ways(name: str) -> None:
    assert not reported([name], SEARCHES, ["never", "auto"], 1200)


def main() -> None:
    """Says in one line what goes wrong with the games that are named."""
    names, searches, modes = json.loads(sys.argv[1])
    troubles = {}
    for name in names:
        for search in searches:
            for mode in modes:
                words = trouble(name, search, mode)
                if words:
                    troubles[f"{name} {search} {mode}"] = words
    print(json.dumps(troubles))


if __name__ == "__main__":
    main()
