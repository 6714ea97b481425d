"""`gametree endgame`: endgame databases, built, verified, shown and asked."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, Final, Literal

import typer

from gametree.app import printing
from gametree.app.options import Compiling, Json, Played, Position, Settings, Situation, Target, json_only
from gametree.app.screen import console
from gametree.errors import InputError
from gametree.game import Game, names_of
from gametree.result import Value
from gametree.search.databases.answers import default_directory
from gametree.search.databases.database import DEFAULT_MB, Database, need_numbers
from gametree.search.databases.solving import Progress, Statistics

WRONG: Final = 1
"""The exit code of `verify` where an entry does not follow from its successors."""


def endgame(
    task: Annotated[
        Literal["build", "verify", "probe", "info"],
        typer.Argument(metavar="TASK", help="build, verify, probe or info."),
    ],
    game: Target,
    endings: Annotated[
        list[str] | None, typer.Argument(metavar="ENDING", help="Which ones, as the game calls them: KQK.")
    ] = None,
    *,
    settings: Settings = None,
    most: Annotated[
        int | None, typer.Option(metavar="N", help="All endings up to this size, say a number of pieces.")
    ] = None,
    databases: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Where they are kept; else where searches look.")
    ] = None,
    position: Position = None,
    played: Played = None,
    threads: Annotated[int, typer.Option(metavar="N", help="How many threads solve together.")] = 1,
    memory_mb: Annotated[
        float, typer.Option("--memory", metavar="MB", help="How much may be unpacked for probes.")
    ] = DEFAULT_MB,
    compile: Compiling = "auto",
    as_json: Json = False,
) -> None:
    """Solves endings by retrograde analysis, verifies them, shows what is there, or asks about a position.

    An ending is solved with all that it leads to, the smallest first, one file each; what is there already is not
    solved again, so a build that was ended goes on. `verify` computes every entry anew from its successors. Searches
    look into the folder `databases` of the directory that GAMETREE_DATA_DIR names, or of the user's directory for data.

    \b
    Examples:
      gametree endgame build chess KQK KRK
      gametree endgame build chess --most 4 --threads 2 --databases endings
      gametree endgame verify chess KQK
      gametree endgame probe chess --position "8/8/8/4k3/8/8/8/KQ6 w - - 0 1"
      gametree endgame info chess
    """
    with json_only(as_json) as emit:
        rules, state, _ = Situation(game, settings, position, played).stand()
        need_numbers(rules)
        folder = default_directory(rules) if databases is None else databases
        if task != "build" and not folder.is_dir():
            raise InputError(
                f"there are no databases for {rules!r} in {folder}; `gametree endgame build` makes them"
            )
        known = Database(rules, folder, memory_mb=memory_mb)
        if task == "probe":
            found = _probed(known, rules, state)
            emit(found) if as_json else _print_probe(rules, state, found)
            return
        chosen = _chosen(rules, known, task, endings or [], most)
        rows, code = [], 0
        if task == "build":
            for row in _build(known, rules, chosen, threads, compile):
                rows.append(row)
                if not as_json:
                    _print_row(row)
        elif task == "verify":
            for slice, wrong in known.verify(chosen, threads=threads, compile=compile):
                code = code if wrong is None else WRONG
                rows.append({"ending": rules.name_slice(slice), "wrong": wrong})
                if not as_json:
                    name = rules.name_slice(slice)
                    print(
                        f"{name:<10}"
                        + ("every entry follows" if wrong is None else f"place {wrong:,} is wrong")
                    )
        else:
            rows = [_row(rules, slice, known.statistics(slice), False, known) for slice in chosen]
            if not as_json:
                for row in rows:
                    _print_row(row)
        if as_json:
            emit({"game": repr(rules), "folder": str(folder), "endings": rows})
    if code:
        raise typer.Exit(code)


def _chosen(rules: Game, known: Database, task: str, endings: list[str], most: int | None) -> list[int]:
    chosen = [rules.parse_slice(text) for text in endings]
    if most is not None:
        if most < 1:
            raise InputError(f"--most {most}: a whole number of at least 1")
        sized = [int(slice) for slice in rules.slices(most)]
        chosen += sized if task == "build" else [slice for slice in sized if slice in known]
    if not chosen:
        if task == "build":
            raise InputError(
                "endgame build: say which endings, for example KQK, or --most N for all up to a size"
            )
        return list(known)
    for slice in chosen:
        if task != "build" and slice not in known:
            raise InputError(
                f"there is no database for {rules.name_slice(slice)}; `gametree endgame build` makes it"
            )
    return sorted(set(chosen))


def _build(
    known: Database, rules: Game, chosen: list[int], threads: int, compile: str
) -> Iterator[dict[str, Any]]:
    with _watching(rules) as on_progress:
        for slice, statistics, new in known.build(
            chosen, threads=threads, compile=compile, on_progress=on_progress
        ):
            yield _row(rules, slice, statistics, new, known)


@contextmanager
def _watching(rules: Game) -> Iterator[Any]:
    """A line that changes while an ending is solved, with the time that is left for its listing."""
    if not sys.stderr.isatty():
        yield None
        return
    begun = time.monotonic()
    with console(stderr=True).status("solving", spinner="line") as status:

        def on_progress(progress: Progress) -> None:
            share = progress.done / max(1, progress.total)
            left = progress.seconds * (1 - share) / share if share and progress.step == "listing" else 0.0
            status.update(
                f"{rules.name_slice(progress.slice)}: {progress.step}, {100 * share:.0f} %"
                + (f", {left:.0f} s left" if left >= 1 else "")
                + f" ({time.monotonic() - begun:.0f} s so far)"
            )

        yield on_progress


def _row(rules: Game, slice: int, statistics: Statistics, new: bool, known: Database) -> dict[str, Any]:
    heading = known.heading(slice)
    return {
        "ending": rules.name_slice(slice),
        "positions": statistics.positions,
        "won": statistics.won,
        "drawn": statistics.drawn,
        "lost": statistics.lost,
        "longest": statistics.longest,
        "new": new,
        "places": None if heading is None else heading.places,
    }


def _print_row(row: dict[str, Any]) -> None:
    print(
        f"{row['ending']:<10}{row['positions']:>13,} positions: {row['won']:,} won, {row['drawn']:,} drawn,"
        f" {row['lost']:,} lost to the player who moves; longest {row['longest']} plies",
        flush=True,
    )


def said(value: Value) -> str:
    """A value in words: "win in 5", "draw"."""
    return "draw" if value.outcome is None else str(value)


def _probed(known: Database, rules: Game, state: Any) -> dict[str, Any]:
    value = known.probe(state)
    moves = [] if rules.is_terminal(state) else known.moves(state)
    ranked = sorted(
        ((action, worth) for action, worth in moves if worth is not None),
        key=lambda pair: pair[1],
        reverse=True,
    )
    return {
        "value": None if value is None else said(value),
        "plies": None if value is None else value.plies,
        "moves": [
            {"action": rules.name_action(state, action), "value": said(worth), "plies": worth.plies}
            for action, worth in ranked
        ],
        "line": list(names_of(rules, state, known.line(state))) if value is not None else [],
    }


def _print_probe(rules: Game, state: Any, found: dict[str, Any]) -> None:
    printing.show_position(rules, state)
    if found["value"] is None:
        print("this position is in no database")
        return
    print(found["value"])
    for move in found["moves"]:
        print(f"  {move['action']:<8}{move['value']}")
    if found["line"]:
        print("line " + " ".join(found["line"]))
