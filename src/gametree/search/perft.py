"""Perft: how many lines of a length there are, the fingerprint of the rules."""

import pathlib
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final

from gametree.documents.spreading import PerftDocument
from gametree.errors import GametreeError, InputError, RulesError, UnsuitableError
from gametree.game import Game, check_state
from gametree.jobs.spread import Bench, Task, spread
from gametree.jobs.store import Store
from gametree.kernel.clock import Clock, poll
from gametree.result import Limit
from gametree.search.core.identity import digest, fingerprint
from gametree.search.core.repetition import Path
from gametree.search.core.runner import Run
from gametree.search.core.sound import sound
from gametree.search.core.stopwatch import execute
from gametree.search.core.task import capabilities, require_mode


def count(game: Any, state: Any, depth: int, clock: Clock, path: Path) -> int:
    """The number of lines of `depth` ≥ 1 plies from `state`; −1 when told to stop."""
    leaves = 0
    i = 0
    for action in game.actions(state):
        if clock.nodes == clock.next and poll(clock):
            return -1
        clock.nodes += 1
        if depth == 1:
            leaves += 1
        else:
            path.places[depth] = i
            below = count(game, game.result(state, action), depth - 1, clock, path)
            if below < 0:
                return below
            leaves += below
        i += 1
    return leaves


def perft(
    game: Game,
    depth: int,
    state: Any = None,
    *,
    compile: str = "auto",
    jobs: int = 1,
    executor: Any = None,
    results: str | pathlib.Path | None = None,
) -> int:
    """The number of action sequences of length `depth`. It follows `actions` and ignores `is_terminal`.

    `jobs` processes share the work, or an `executor` as in `concurrent.futures`, a `Cluster` among them. `results` is
    a file: a count that was stopped goes on there.

    >>> from gametree.games import TicTacToe
    >>> [perft(TicTacToe(), depth) for depth in range(4)]
    [1, 9, 72, 504]
    """
    if jobs == 1 and executor is None and results is None:
        return _counted(game, depth, state, compile=compile)
    return sum(shares(game, depth, state, compile=compile, jobs=jobs, executor=executor, results=results))


@sound
def _counted(game: Game, depth: int, state: Any = None, *, compile: str = "auto") -> int:
    state, asked = _asked(game, depth, state, compile)
    if asked == 0:
        return 1
    run = Run(count, game, Limit(), compile)
    run.start, run.approach = asked, (state, [])
    leaves: int = execute(run, lambda: run.call(state, asked, run.clock, run.path))
    if leaves < 0:
        raise RulesError(f"perft of {type(game).__name__} to depth {depth} needs too deep a stack")
    return leaves


def _asked(game: Game, depth: int, state: Any, compile: str) -> tuple[Any, int]:
    """The state and the depth, or a refusal."""
    if capabilities(game, "perft").chance:
        raise UnsuitableError(f"{type(game).__name__} has chance nodes; perft follows actions only.")
    require_mode(compile)
    asked = Limit(depth=depth).depth
    if asked is None:
        raise InputError("perft needs a depth")
    return check_state(game, state), asked


# --- spread out -------------------------------------------------------------------------------------

PARTS: Final = 300
"""Into so many parts a count is divided, if there are as many; the number of workers does not matter."""


@dataclass(frozen=True)
class _Counting:
    """Counts below a state: what every process has to know."""

    game: Game
    state: Any
    depth: int
    compile: str

    def open(self) -> Bench:
        return self.count

    def count(self, payload: list[int]) -> dict[str, int]:
        """The lines that begin with these actions, each told by its place among all."""
        state = self.state
        for place in payload:
            action = next(islice(self.game.actions(state), place, None))
            state = self.game.result(state, action)
        return {"lines": _counted(self.game, self.depth - len(payload), state, compile=self.compile)}


def shares(
    game: Game,
    depth: int,
    state: Any = None,
    *,
    compile: str = "auto",
    jobs: int = 1,
    executor: Any = None,
    results: str | pathlib.Path | None = None,
) -> list[int]:
    """The counts below each action, in the order of `actions`; for `depth` 0 the one line without actions.

    >>> from gametree.games import Nim
    >>> shares(Nim(counters=4), 3)
    [3, 1, 0]
    """
    state, asked = _asked(game, depth, state, compile)
    if asked == 0:
        return [1]
    found = [0] * sum(1 for _ in game.actions(state))
    store = None if results is None else Store(pathlib.Path(results), {**_header(game, state, asked)})
    try:
        setting = _Counting(game, state, asked, compile)
        for done in spread(setting, _parts(game, state, asked), jobs=jobs, executor=executor, store=store):
            if done.result is None:
                raise GametreeError(done.trouble)
            found[done.task.payload[0]] += int(done.result["lines"])
    except BaseException:
        if store is not None:
            store.close()
        raise
    if store is not None:
        store.close(done=True)
    return found


def _parts(game: Game, state: Any, depth: int) -> list[Task]:
    """The lines to begin with, longer and longer until there are enough of them."""
    level: list[tuple[list[int], Any]] = [([], state)]
    while len(level[0][0] if level else ()) < depth and len(level) < PARTS and level:
        level = [
            ([*path, place], game.result(at, action))
            for path, at in level
            for place, action in enumerate(game.actions(at))
        ]
    return [Task(f"the lines that begin with actions {path}", path) for path, _ in level]


def _header(game: Game, state: Any, depth: int) -> PerftDocument:
    return {
        "schema": "gametree.perft/1",
        "game": repr(game),
        "rules": fingerprint(game),
        "state": digest(state),
        "depth": depth,
    }
