"""What several commands print for people: positions, analyses, and how far a search is."""

import dataclasses
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

from gametree.app.notation import player_names, says_whose_turn
from gametree.app.screen import console, width, wrapped
from gametree.app.terminal import move_rows
from gametree.arena import standby
from gametree.game import CHANCE, Game
from gametree.result import Analysis
from gametree.search.solve.solution import Progress
from gametree.view import hides, shown_to, view_of


def show_position(game: Game, state: Any, history: Sequence[Any] = ()) -> None:
    """The board and whose turn it is; where information is hidden, what the player to move sees."""
    hidden = hides(game) and not game.is_terminal(state) and game.player(state) != CHANCE
    board = shown_to(game, view_of(game, state, history)) if hidden else game.show(state)
    print(board)
    if not game.is_terminal(state) and not says_whose_turn(board):
        player = game.player(state)
        print("chance decides" if player == CHANCE else f"{player_names(game)[player]} to move")
    print()


@contextmanager
def progress(quiet: bool) -> Iterator[Callable[[Analysis], None] | None]:
    """A line that changes while a search goes on, for a person at a terminal; None where nobody watches."""
    if quiet or not sys.stderr.isatty():
        yield None
        return
    with console(stderr=True).status("thinking", spinner="line") as status:

        def on_progress(analysis: Analysis) -> None:
            far = f"{analysis.nodes:,} nodes" if analysis.depth is None else f"depth {analysis.depth}"
            status.update(f"{far}: {analysis.name} {analysis.value}")

        yield on_progress


@contextmanager
def solving(quiet: bool) -> Iterator[Callable[[Progress], None] | None]:
    """The same while solving goes on."""
    if quiet or not sys.stderr.isatty():
        yield None
        return
    with console(stderr=True).status("solving", spinner="line") as status:
        yield lambda progress: status.update(str(progress))


@contextmanager
def counting(done: str) -> Iterator[Callable[[int, int], None] | None]:
    """The same while so many things of so many are done, with the time that is left at this rate."""
    if not sys.stderr.isatty():
        yield None
        return
    begun, first = time.monotonic(), 0
    with console(stderr=True).status(done, spinner="line") as status:

        def on_done(count: int, of: int) -> None:
            nonlocal first
            first = first or count
            took = time.monotonic() - begun
            left = took / (count - first) * (of - count) if count > first else 0.0
            status.update(f"{count:,} of {of:,} {done}" + (f", {left / 60:.0f} minutes left" if left else ""))

        yield on_done


def keep_machine_code(quiet: bool) -> None:
    """Waits until machine code that is being made is kept on disk for the next run; Ctrl-C leaves."""
    if not standby.making():
        return
    sys.stdout.flush()
    with suppress(KeyboardInterrupt):
        if quiet or not sys.stderr.isatty():
            standby.finish()
        else:
            with console(stderr=True).status(
                "making machine code for the next time; Ctrl-C leaves", spinner="line"
            ):
                standby.finish()


def show_analysis(game: Game, analysis: Analysis) -> None:
    """What was found; the moves best first where they were asked for."""
    columns = width()
    print(wrapped(str(dataclasses.replace(analysis, moves=())), columns, hanging=12))
    if analysis.moves:
        print()
        for row in move_rows(game, analysis):
            print(f"  {row}")


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
