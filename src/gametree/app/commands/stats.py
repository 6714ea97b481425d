"""`gametree stats`: how wide and how long a game is."""

from typing import Annotated

import typer

from gametree.app.options import Json, Seed, Situation, json_only
from gametree.search.statistics import stats as measure


def stats(
    at: Situation,
    plays: Annotated[int, typer.Option(metavar="N", help="How many random games.")] = 1000,
    seed: Seed = 0,
    as_json: Json = False,
) -> None:
    """Measures how wide and how long a game is: the b and m of the lectures.

    \b
    Examples:
      gametree stats connect-four
      gametree stats tic-tac-toe --plays 200 --json
    """
    with json_only(as_json) as emit:
        game, state, _ = at.stand()
        found = measure(game, state, plays=plays, seed=seed)
        if as_json:
            emit(found.to_dict())
        else:
            print(found)
