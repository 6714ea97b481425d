"""`gametree perft`: counts ply by ply with their speed, and the share of each move."""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any

import typer

from gametree.app.options import Compiling, Json, Situation, json_only
from gametree.app.printing import rate
from gametree.errors import InputError
from gametree.game import Game
from gametree.result import Limit
from gametree.search.perft import perft as count_lines


def perft(
    at: Situation,
    depth: Annotated[int, typer.Argument(metavar="DEPTH", help="How many plies.")],
    divide: Annotated[bool, typer.Option("--divide", help="The count below each move.")] = False,
    compile: Compiling = "auto",
    as_json: Json = False,
) -> None:
    """Counts the lines of play of every length up to DEPTH: the fingerprint of the rules.

    \b
    Examples:
      gametree perft connect-four 8
      gametree perft tic-tac-toe 4 --divide
    """
    with json_only(as_json) as emit:
        game, state, _ = at.stand()
        if divide:
            parts = shares(game, depth, state, compile)
            if as_json:
                emit({"depth": depth, "total": sum(parts.values()), "moves": parts})
            else:
                _show_shares(parts)
            return
        found = []
        for count in counts(game, depth, state, compile):
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


def counts(game: Game, depth: int, state: Any, compile: str) -> Iterator[Count]:
    """The counts of depth 1 to `depth`."""
    Limit(depth=depth)
    # Compiling is not counting.
    count_lines(game, min(depth, 1), state, compile=compile)
    for plies in range(min(depth, 1), depth + 1):
        start = time.perf_counter()
        lines = count_lines(game, plies, state, compile=compile)
        yield Count(plies, lines, time.perf_counter() - start)


def shares(game: Game, depth: int, state: Any, compile: str) -> dict[str, int]:
    """The count below each move at the root, by its name.

    >>> from gametree.games import Nim
    >>> shares(Nim(counters=4), 3, Nim(counters=4).initial(), "never")
    {'1': 3, '2': 1, '3': 0}
    """
    if depth < 1:
        raise InputError(f"--divide needs a depth of at least 1, not {depth}")
    return {
        game.name_action(state, action): count_lines(
            game, depth - 1, game.result(state, action), compile=compile
        )
        for action in game.actions(state)
    }
