"""What the commands print for people. Values come from elsewhere; here they get their place on the line."""

import dataclasses
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from gametree.app.bench import Measured
from gametree.app.counting import Count
from gametree.app.notation import player_names, says_whose_turn
from gametree.app.screen import console, width, wrapped
from gametree.app.terminal import move_rows
from gametree.compiled.cache import Entry
from gametree.game import CHANCE, Game
from gametree.games import Description
from gametree.result import Analysis


def description_data(description: Description) -> dict[str, Any]:
    """A game for JSON."""
    return dataclasses.asdict(description)


def show_games(descriptions: Sequence[Description]) -> None:
    """The games, each with its parameters and one line about it."""
    columns = width()
    for one in descriptions:
        if one.error is not None:
            print(wrapped(str(one), columns, hanging=4))
            continue
        print(wrapped(" ".join((one.name, *one.parameters)), columns, hanging=4))
        print(wrapped(f"    {one.summary}", columns, hanging=4))


def show_position(game: Game, state: Any) -> None:
    """The board and whose turn it is."""
    board = game.show(state)
    print(board)
    if not game.is_terminal(state) and not says_whose_turn(board):
        player = game.player(state)
        if player == CHANCE:
            print("chance decides\n")
            return
        names = player_names(game) if game.players == 2 else ()
        name = names[player] if 0 <= player < len(names) else f"player {player}"
        print(f"{name} to move")
    print()


@contextmanager
def progress(quiet: bool) -> Iterator[Callable[[Analysis], None] | None]:
    """A line that changes while a search goes on, for a person at a terminal; None where nobody watches."""
    if quiet or not sys.stderr.isatty():
        yield None
        return
    with console(stderr=True).status("thinking", spinner="line") as status:

        def on_progress(analysis: Analysis) -> None:
            status.update(f"depth {analysis.depth}: {analysis.name} {analysis.value}")

        yield on_progress


def show_analysis(game: Game, analysis: Analysis) -> None:
    """What was found; the moves best first where they were asked for."""
    columns = width()
    print(wrapped(str(dataclasses.replace(analysis, moves=())), columns, hanging=12))
    if analysis.moves:
        print()
        for row in move_rows(game, analysis):
            print(f"  {row}")


def show_count(count: Count) -> None:
    """One ply of perft."""
    print(f"{count.depth:>3} {count.lines:>18,}  {rate(count.lines, count.seconds)}", flush=True)


def show_shares(shares: Mapping[str, int]) -> None:
    """The count below each move, and their sum."""
    size = max([*map(len, shares), len("total")])
    for name, lines in shares.items():
        print(f"{name:<{size}} {lines:>18,}")
    print(f"{'total':<{size}} {sum(shares.values()):>18,}")


def show_measured(one: Measured) -> None:
    """One position of the bench."""
    how = "" if one.compiled else " interpreted"
    print(f"{one.nodes:>12,}  {rate(one.nodes, one.seconds):>14}{how}  {one.entry}", flush=True)


def show_cache(directory: Path, entries: Sequence[Entry]) -> None:
    """Where machine code is kept, and what is there."""
    for entry in entries:
        day = time.strftime("%Y-%m-%d %H:%M", time.localtime(entry.created))
        print(f"{day}  {_bytes(entry.size):>8}  {entry.game} {entry.kernel}".rstrip())
    total = _bytes(sum(entry.size for entry in entries))
    noun = "entry" if len(entries) == 1 else "entries"
    print(f"{len(entries)} {noun}, {total}, in {directory}")


def cache_data(directory: Path, entries: Sequence[Entry]) -> dict[str, Any]:
    """The cache for JSON."""
    return {
        "directory": str(directory),
        "entries": [{**dataclasses.asdict(entry), "path": str(entry.path)} for entry in entries],
    }


def rate(count: int, seconds: float) -> str:
    """How many a second.

    >>> rate(3_000_000, 2.0)
    '1.5 M nodes/s'
    """
    if seconds < 1e-6:
        return "-"
    speed = count / seconds
    for unit in ("", " k", " M"):
        if speed < 1000:
            return f"{speed:.3g}{unit} nodes/s"
        speed /= 1000
    return f"{speed:.3g} G nodes/s"


def _bytes(size: float) -> str:
    for unit in ("B", "kB", "MB"):
        if size < 1000:
            return f"{size:.3g} {unit}"
        size /= 1000
    return f"{size:.3g} GB"
