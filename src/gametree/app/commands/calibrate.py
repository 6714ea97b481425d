"""`gametree calibrate`: measures the levels of a game of one's own."""

import json
import sys
from pathlib import Path
from typing import Annotated

import typer

from gametree.app.options import Json, Seed, Settings, Target, json_only
from gametree.arena.calibrating import Measured
from gametree.arena.calibrating import calibrate as measure
from gametree.arena.calibration import file_of
from gametree.errors import InputError


def calibrate(
    game: Target,
    settings: Settings = None,
    *,
    seconds: Annotated[float, typer.Option(metavar="S", help="The most that a move may take.")] = 1.0,
    games: Annotated[
        int, typer.Option(metavar="N", help="Games of each attempt, level against the level below.")
    ] = 40,
    jobs: Annotated[int, typer.Option(metavar="N", help="How many processes play.")] = 1,
    seed: Seed = 0,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="Where to; beside the game if left out.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Measures the levels 1 to 9 of a game by matches, so that each is stronger than the one below and in time.

    What it finds is written beside the game, as mygame.MyGame.levels.json, where `Bot` and `gametree play` look for it.
    It counts for these rules alone: when they change, measure again.

    \b
    Examples:
      gametree calibrate mygame.py
      gametree calibrate mygame.py --seconds 0.3 --games 100 --jobs 2
    """
    with json_only(as_json) as emit:
        from gametree.app.load import load

        rules = load(game, settings or ())
        file = out or file_of(rules)
        if file is None:
            raise InputError(
                f"{game} comes with the library, and its levels with it: name a file to write with --out"
            )

        def tell(one: Measured) -> None:
            print(one, file=sys.stderr if as_json else sys.stdout, flush=True)

        found = measure(rules, seconds=seconds, games=games, seed=seed, jobs=jobs, on_level=tell)
        data = found.to_dict()
        try:
            file.write_text(json.dumps(data, indent=2) + "\n", encoding="utf-8")
        except OSError as error:
            raise InputError(f"{file} cannot be written: {error.strerror or error}") from None
        if as_json:
            emit(data)
        else:
            print(f"written to {file}")
