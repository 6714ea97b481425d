"""`gametree tournament`: many players, rated."""

from typing import Annotated, Literal

import typer

from gametree.app.load import load
from gametree.app.meetings import Playing, play, write_files
from gametree.app.options import Json, Settings, Spreading, Target, json_only


def tournament(
    game: Target,
    players: Annotated[
        list[str],
        typer.Argument(
            metavar="PLAYER",
            help="Players by name: level:6, mcts:simulations=800, mybot.py:Greedy, uci:stockfish, gtp:gnugo, random.",
        ),
    ],
    playing: Playing,
    spreading: Spreading,
    rounds: Annotated[
        int,
        typer.Option(
            metavar="N",
            help="How often they meet; a meeting is a pair of games, or one for every way to sit.",
        ),
    ] = 10,
    kind: Annotated[
        Literal["round-robin", "gauntlet", "swiss"],
        typer.Option(metavar="NAME", help="round-robin, gauntlet (the first against all others), or swiss."),
    ] = "round-robin",
    settings: Settings = None,
    as_json: Json = False,
) -> None:
    """Lets many players meet, and rates them, with intervals and a cross table.

    Results are kept in a .jsonl file. Stopped in whatever way, the same command goes on.

    \b
    Examples:
      gametree tournament othello level:3 level:5 mybot.py:Greedy gtp:grhino
      gametree tournament ludo random level:1 level:2 --rounds 5 --out ludo.html
    """
    from gametree.arena.tournament import tournament as meet

    rules = load(game, settings or ())
    given = playing.keywords(rules)
    with json_only(as_json) as emit, spreading.executor(quiet=as_json) as executor:
        found = play(
            lambda on_progress: meet(
                rules, *players, rounds=rounds, kind=kind, on_progress=on_progress, executor=executor, **given
            ),
            as_json,
        )
        if as_json:
            emit(found.to_dict())
        else:
            print(found)
        write_files(found, rules, found.entered, playing)
