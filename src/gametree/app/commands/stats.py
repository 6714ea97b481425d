"""`gametree stats`: how wide and how long a game is, and what that makes of minimax."""

from typing import Annotated

import typer

from gametree.app.options import Json, Seed, Situation, json_only
from gametree.arena.bot import Bot
from gametree.errors import InputError
from gametree.game import Game
from gametree.games.tree.game import Tree
from gametree.search.statistics import stats as measure

PLAYS = 1000
PLAYED = 10
"""So many plays of a level, which thinks before every move."""


def stats(
    at: Situation,
    plays: Annotated[
        int | None, typer.Option(metavar="N", help=f"How many games: {PLAYS} at random, {PLAYED} of a level.")
    ] = None,
    level: Annotated[
        int | None, typer.Option(metavar="1-10", help="Both sides play as this level does, not at random.")
    ] = None,
    seed: Seed = 0,
    as_json: Json = False,
) -> None:
    """Measures how wide and how long a game is, the b and m of the lectures, and says what that makes of minimax.

    GAME may be a tree, too, written as for `explain`.

    \b
    Examples:
      gametree stats connect-four
      gametree stats chess --level 3
      gametree stats "[[3,12,8],[2,4,6],[14,5,2]]"
    """
    with json_only(as_json) as emit:
        if at.game.lstrip().startswith(("[", "(", "{")):
            if at.settings or at.position or at.played:
                raise InputError("--set, --position and --moves-played are for games, not for a tree")
            game: Game = Tree.parse(at.game)
            state = game.initial()
        else:
            game, state, _ = at.stand()
        if level is None:
            found = measure(game, state, plays=PLAYS if plays is None else plays, seed=seed)
        else:
            move = Bot(game, level, seed).move
            found = measure(
                game,
                state,
                plays=PLAYED if plays is None else plays,
                seed=seed,
                policy=move,
                by=f"level {level}, after 4 random plies",
            )
        if as_json:
            emit(found.to_dict())
        else:
            print(found)
