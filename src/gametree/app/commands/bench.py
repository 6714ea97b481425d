"""`gametree bench`: the node-count signature. Fixed positions, fixed depths, one number.

It changes when a search or the rules of a shipped game change, and never with the machine, the clock or
whether the rules were compiled.
"""

import functools
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import resources
from typing import Annotated, Any, Final

import typer

from gametree import games
from gametree.app.options import Compiling, Json, json_only
from gametree.app.printing import rate
from gametree.search.analyze import analyze
from gametree.search.textbook.alphabeta import alphabeta
from gametree.search.textbook.minimax import minimax

_METHODS: Final[dict[str, Any]] = {
    "minimax": minimax,
    "alphabeta": alphabeta,
    # A table that interpreted searches have too.
    "analyze": functools.partial(analyze, hash_mb=0.25),
}


def bench(
    quick: Annotated[
        bool, typer.Option("--quick", help="A smaller signature, for runs without a compiler.")
    ] = False,
    compile: Compiling = "auto",
    as_json: Json = False,
) -> None:
    """Searches fixed positions to fixed depths. The number of nodes is the signature of rules and searches.

    \b
    Example:
      gametree bench
    """
    measured = []
    with json_only(as_json) as emit:
        for one in measure(quick, compile):
            measured.append(one)
            if not as_json:
                how = "" if one.compiled else " interpreted"
                print(f"{one.nodes:>12,}  {rate(one.nodes, one.seconds):>14}{how}  {one.entry}", flush=True)
        total = sum(one.nodes for one in measured)
        if as_json:
            emit({"nodes": total, "quick": quick, "entries": [one.to_dict() for one in measured]})
        else:
            print(f"Bench: {total}{' (quick)' if quick else ''}")


@dataclass(frozen=True)
class Entry:
    """One line of `bench.txt`."""

    game: str
    parameters: str
    position: str
    method: str
    depth: int | None
    quick: bool

    def __str__(self) -> str:
        depth = "to the end" if self.depth is None else f"depth {self.depth}"
        return " ".join(filter(None, (self.game, self.parameters, self.position, self.method, depth)))


@dataclass(frozen=True)
class Measured:
    """What an entry gave: its nodes belong to the signature, its seconds do not."""

    entry: Entry
    nodes: int
    seconds: float
    compiled: bool

    def to_dict(self) -> dict[str, Any]:
        """The measurement as plain data."""
        entry = self.entry
        return {
            "game": entry.game,
            "parameters": entry.parameters,
            "position": entry.position,
            "method": entry.method,
            "depth": entry.depth,
            "nodes": self.nodes,
            "seconds": self.seconds,
            "compiled": self.compiled,
        }


def entries(quick: bool = False) -> list[Entry]:
    """The positions, those of the quick signature alone where asked for.

    >>> len(entries(quick=True)) < len(entries())
    True
    """
    text = resources.files("gametree.app.commands").joinpath("bench.txt").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    found = [_entry(line) for line in lines]
    return [entry for entry in found if entry.quick or not quick]


def _entry(line: str) -> Entry:
    game, parameters, position, method, depth, quick = (field.strip() for field in line.split("|"))
    return Entry(game, parameters, position, method, int(depth) if depth else None, quick == "quick")


def measure(quick: bool = False, compile: str = "auto") -> Iterator[Measured]:
    """Searches every position, one after the other."""
    for entry in entries(quick):
        settings = dict(word.split("=", 1) for word in entry.parameters.split())
        game = games.load(entry.game, **settings)
        state = game.parse_state(entry.position) if entry.position else None
        analysis = _METHODS[entry.method](game, state, depth=entry.depth, compile=compile)
        compiled = bool(analysis.parameters.get("compiled"))
        yield Measured(entry, analysis.nodes, analysis.seconds, compiled)
