"""`gametree tune`: better weights of a game's features, or numbers of a player, found by playing."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from gametree.app.meetings import command_line, duration
from gametree.app.options import Files, Json, Seed, Settings, Spreading, Target, json_only
from gametree.app.output import require_endings, write
from gametree.app.screen import console, width, wrapped
from gametree.arena.tuning import Tuning
from gametree.arena.tuning import tune as find


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
        Path | None,
        typer.Option(
            metavar="FILE", help="Where results are kept, to go on from; named by the experiment if not said."
        ),
    ] = None,
    out: Annotated[
        Files,
        typer.Option(metavar="FILE", help="Write .json (for players) or .svg (a plot); may be repeated."),
    ] = None,
    seed: Seed = 0,
    settings: Settings = None,
    as_json: Json = False,
) -> None:
    """Finds better weights for a game's features, or better numbers for a player, by playing games.

    Two players who differ in the numbers alone meet, and the numbers are moved to where games are won (SPSA). At the
    end what was found meets what it began with. Results are kept in a .jsonl file. Stopped in whatever way, the same
    command goes on.

    \b
    Examples:
      gametree tune mygame.py --parameters weights --games 20000 --out w.json
      gametree tune othello --parameters mcts:exploration=0.2..1.4..4 --jobs 2
      gametree tune othello --by mcts:nodes=200 --parameters epsilon=0..0.1..1
    """
    from gametree.app.load import load

    files = out or []
    require_endings(files, (".json", ".svg"))
    with json_only(as_json) as emit, spreading.executor(quiet=as_json) as executor:
        rules = load(game, settings or ())
        latest: list[Tuning] = []
        try:
            with _progress(as_json) as show:
                found = find(
                    rules,
                    parameters,
                    player=player,
                    games=games,
                    match_games=match_games,
                    batch=batch,
                    seed=seed,
                    openings=openings,
                    results=results or Path(),
                    executor=executor,
                    on_progress=lambda so_far: show(latest, so_far),
                )
        except KeyboardInterrupt:
            for so_far in latest:
                print(
                    f"{so_far}\n\nstopped after {so_far.games:,} games, kept in {so_far.results}",
                    file=sys.stderr,
                )
            print(f"to go on: {command_line()}", file=sys.stderr)
            raise
        for file in files:
            write(file, found.to_json() if file.suffix.lower() == ".json" else found.svg())
        if as_json:
            emit(found.to_dict())
        else:
            print(wrapped(str(found), width(), hanging=18))
            print(f"results: {found.results}", file=sys.stderr)


@contextmanager
def _progress(quiet: bool) -> Iterator[Callable[[list[Tuning], Tuning], None]]:
    """Keeps the latest, and shows it in a line that changes while games are played, for a person at a terminal."""

    def keep(latest: list[Tuning], so_far: Tuning) -> None:
        latest[:] = [so_far]

    if quiet or not sys.stderr.isatty():
        yield keep
        return
    begun: list[tuple[float, int]] = []
    with console(stderr=True).status("playing", spinner="line") as status:

        def show(latest: list[Tuning], so_far: Tuning) -> None:
            keep(latest, so_far)
            now = time.monotonic()
            if not begun:
                begun.append((now, so_far.games))
            took, played = now - begun[0][0], so_far.games - begun[0][1]
            rate = played / took if played else 0.0
            left = f", {duration((so_far.planned - so_far.games) / rate)} left" if rate else ""
            moves = " ".join(
                f"{name} {value:.4g}" for name, value in zip(so_far.names[:4], so_far.path[-1][1])
            )
            status.update(f"{so_far.games:,} of {so_far.planned:,} games{left}: {moves}")

        yield show
