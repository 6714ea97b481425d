"""`gametree tune`: better weights of a game's features, or numbers of a player, found by playing."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from gametree.app.options import Json, Seed, Settings, Spreading, Target, json_only
from gametree.app.screen import console, width, wrapped
from gametree.arena.tuning import Tuning
from gametree.arena.tuning import tune as find
from gametree.errors import InputError


def tune(
    game: Target,
    *,
    parameters: Annotated[
        str,
        typer.Option(metavar="WHAT", help="weights, or a player's numbers: mcts:exploration=0.2..1.4..4."),
    ] = "weights",
    player: Annotated[
        str | None, typer.Option("--by", metavar="PLAYER", help="Who plays, by name: analyze:depth=3.")
    ] = None,
    games: Annotated[int, typer.Option(metavar="N", help="How many games are played.")] = 20_000,
    match_games: Annotated[
        int,
        typer.Option("--match", metavar="N", help="How many more against the start, at the end; 0 for none."),
    ] = 400,
    batch: Annotated[
        int | None, typer.Option(metavar="N", help="So many rounds begin at one point; 16 if not said.")
    ] = None,
    spreading: Spreading,
    openings: Annotated[
        str | None, typer.Option(metavar="FILE", help="Positions to begin from; `start` is the usual one.")
    ] = None,
    results: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Where every round is kept, to go on from.")
    ] = None,
    out: Annotated[
        list[Path] | None,
        typer.Option(metavar="FILE", help="What was found: .json for players, .svg for a plot."),
    ] = None,
    seed: Seed = 0,
    settings: Settings = None,
    as_json: Json = False,
) -> None:
    """Finds better weights for a game's features, or better numbers for a player, by playing games.

    Two players who differ in the numbers alone meet, and the numbers are moved to where games are won (SPSA). At the
    end what was found meets what it began with. With --results the same command goes on wherever it was stopped.

    \b
    Examples:
      gametree tune mygame.py --parameters weights --games 20000 --out w.json
      gametree tune othello --parameters mcts:exploration=0.2..1.4..4 --jobs 2
      gametree tune othello --by mcts:nodes=200 --parameters epsilon=0..0.1..1
    """
    from gametree.app.load import load

    files = _checked(out or [])
    with json_only(as_json) as emit, spreading.executor(quiet=as_json) as executor:
        rules = load(game, settings or ())
        with _progress(as_json) as on_progress:
            found = find(
                rules,
                parameters,
                player=player,
                games=games,
                match_games=match_games,
                batch=batch,
                seed=seed,
                openings=openings,
                results=results,
                executor=executor,
                on_progress=on_progress,
            )
        for file in files:
            if file.suffix.lower() == ".json":
                found.save(file)
            else:
                file.write_text(found.svg(), encoding="utf-8")
        if as_json:
            emit(found.to_dict())
        else:
            print(wrapped(str(found), width(), hanging=18))


def _checked(files: list[Path]) -> list[Path]:
    """The files to be written, or a refusal before anything is played."""
    for file in files:
        if file.suffix.lower() not in (".json", ".svg"):
            raise InputError(f"--out {file.name}: what was found is written as .json, the plot as .svg")
        if not file.parent.is_dir():
            raise InputError(f"--out {file}: there is no folder {file.parent}")
    return files


@contextmanager
def _progress(quiet: bool) -> Iterator[Callable[[Tuning], None] | None]:
    """A line that changes while games are played, for a person at a terminal."""
    if quiet or not sys.stderr.isatty():
        yield None
        return
    begun: list[tuple[float, int]] = []
    with console(stderr=True).status("playing", spinner="line") as status:

        def on_progress(so_far: Tuning) -> None:
            now = time.monotonic()
            begun.append((now, so_far.games)) if not begun else None
            took, played = now - begun[0][0], so_far.games - begun[0][1]
            left = took / played * (so_far.planned - so_far.games) if played else 0.0
            rate = f", {3600 * played / took:,.0f} an hour, {left / 60:.0f} minutes left" if played else ""
            values = " ".join(
                f"{name} {value:.4g}" for name, value in zip(so_far.names[:4], so_far.path[-1][1])
            )
            status.update(f"{so_far.games:,} of {so_far.planned:,} games{rate}: {values}")

        yield on_progress
