"""`gametree match`: who is stronger, and how sure is that?"""

from typing import TYPE_CHECKING, Annotated

import typer

from gametree.app.load import load
from gametree.app.meetings import Playing, play, write_files
from gametree.app.options import Json, Settings, Spreading, Target, json_only
from gametree.errors import InputError

if TYPE_CHECKING:
    from gametree.arena.sprt import Sprt


def match(
    game: Target,
    first: Annotated[
        str,
        typer.Argument(
            metavar="FIRST",
            help="A player by name: level:6, mcts:simulations=800, analyze:seconds=0.1, mybot.py:Greedy,"
            " uci:stockfish,UCI_Elo=1800, gtp:gnugo, random.",
        ),
    ],
    second: Annotated[str, typer.Argument(metavar="SECOND", help="Another one.")],
    playing: Playing,
    spreading: Spreading,
    games: Annotated[
        int | None, typer.Option(metavar="N", help="How many games, 100; with --sprt at the most 100,000.")
    ] = None,
    sprt: Annotated[
        str | None,
        typer.Option(
            metavar="E0,E1", help="Stop as soon as it is clear which of two differences in Elo holds."
        ),
    ] = None,
    settings: Settings = None,
    as_json: Json = False,
) -> None:
    """Lets two players meet, from the same openings in all seats, and says who is stronger and how sure that is.

    Results are kept in a .jsonl file. Stopped in whatever way, the same command goes on.

    \b
    Examples:
      gametree match connect-four level:6 mcts:simulations=2000 --jobs 2
      gametree match chess level:8 uci:stockfish --tc 5+0.05 --sprt 0,20
      gametree match mygame.py mybot.py:A mybot.py:B --games 20 --out match.html
    """
    from gametree.arena.match import match as meet

    rules = load(game, settings or ())
    test = None if sprt is None else _test(sprt)
    given = playing.keywords(rules)
    with json_only(as_json) as emit, spreading.executor(quiet=as_json) as executor:
        found = play(
            lambda on_progress: meet(
                rules,
                first,
                second,
                games=games or (100_000 if test else 100),
                sprt=test,
                on_progress=on_progress,
                executor=executor,
                **given,
            ),
            as_json,
        )
        if as_json:
            emit(found.to_dict())
        else:
            print(found)
        write_files(found, rules, found.names, playing)


def _test(text: str) -> "Sprt":
    """The two differences, and where they are given the chances of error: "0,20" or "0,20,0.05,0.05"."""
    from gametree.arena.sprt import Sprt

    try:
        numbers = [float(word) for word in text.split(",")]
    except ValueError:
        numbers = []
    if not 2 <= len(numbers) <= 4:
        raise InputError(f"--sprt {text}: write two differences in Elo, 0,20")
    return Sprt(*numbers)
