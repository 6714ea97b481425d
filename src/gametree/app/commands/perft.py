"""`gametree perft`: counts ply by ply with their speed, and the share of each move."""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from gametree.app.options import Compiling, Json, Situation, Spreading, json_only
from gametree.app.printing import rate
from gametree.errors import InputError
from gametree.game import Game
from gametree.result import Limit
from gametree.search.perft import perft as count_lines
from gametree.search.perft import shares


def perft(
    at: Situation,
    depth: Annotated[int, typer.Argument(metavar="DEPTH", help="How many plies.")],
    spreading: Spreading,
    divide: Annotated[bool, typer.Option("--divide", help="The count below each move.")] = False,
    results: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Where the parts of the last count are kept, to go on from."),
    ] = None,
    compile: Compiling = "auto",
    as_json: Json = False,
) -> None:
    """Counts the lines of play of every length up to DEPTH: the fingerprint of the rules.

    With --jobs or --cluster the work is shared. With --results FILE only the count of DEPTH is made, and the same
    command goes on where it was stopped.

    \b
    Examples:
      gametree perft connect-four 8
      gametree perft tic-tac-toe 4 --divide
      gametree perft othello 9 --jobs 2 --results othello-9.jsonl
    """
    with json_only(as_json) as emit, spreading.executor(quiet=as_json) as executor:
        game, state, _ = at.stand()
        if divide:
            parts = by_name(game, depth, state, compile, executor, results)
            if as_json:
                emit({"depth": depth, "total": sum(parts.values()), "moves": parts})
            else:
                _show_shares(parts)
            return
        found = []
        for count in counts(game, depth, state, compile, executor, results):
            found.append(count.to_dict())
            if not as_json:
                print(f"{count.depth:>3} {count.lines:>18,}  {rate(count.lines, count.seconds)}", flush=True)
        if as_json:
            emit({"counts": found})


def _show_shares(parts: dict[str, int]) -> None:
    size = max([*map(len, parts), len("total")])
    for name, lines in {**parts, "total": sum(parts.values())}.items():
        print(f"{name:<{size}} {lines:>18,}")


@dataclass(frozen=True)
class Count:
    """How many lines of a length there are, and how long it took to count them."""

    depth: int
    lines: int
    seconds: float

    def to_dict(self) -> dict[str, Any]:
        """The count as plain data."""
        return {"depth": self.depth, "lines": self.lines, "seconds": self.seconds}


def counts(
    game: Game, depth: int, state: Any, compile: str, executor: Any = None, results: Path | None = None
) -> Iterator[Count]:
    """The counts of depth 1 to `depth`, or with `results` only the last one."""
    Limit(depth=depth)
    # Compiling is not counting.
    count_lines(game, min(depth, 1), state, compile=compile)
    for plies in range(min(depth, 1), depth + 1) if results is None else [depth]:
        start = time.perf_counter()
        lines = count_lines(game, plies, state, compile=compile, executor=executor, results=results)
        yield Count(plies, lines, time.perf_counter() - start)


def by_name(
    game: Game, depth: int, state: Any, compile: str, executor: Any = None, results: Path | None = None
) -> dict[str, int]:
    """The count below each move at the root, by its name.

    >>> from gametree.games import Nim
    >>> by_name(Nim(counters=4), 3, Nim(counters=4).initial(), "never")
    {'1': 3, '2': 1, '3': 0}
    """
    if depth < 1:
        raise InputError(f"--divide needs a depth of at least 1, not {depth}")
    found = shares(game, depth, state, compile=compile, executor=executor, results=results)
    return {game.name_action(state, action): lines for action, lines in zip(game.actions(state), found)}
