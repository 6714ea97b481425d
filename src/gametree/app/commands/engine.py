"""`gametree engine`: analyses, moves and boards for other programs."""

from typing import Annotated

import typer

from gametree.app.serve.library import Library
from gametree.app.serve.stdio import serve
from gametree.errors import InputError


def engine(
    games: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="GAME",
            help="Games of your own that may be named: mygame.py, mygame.py:Nim.",
            show_default=False,
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a line, in and out.")] = False,
    workers: Annotated[
        int | None,
        typer.Option(metavar="N", help="How many processes search; one a processor if not said.", min=2),
    ] = None,
) -> None:
    """Answers requests of other programs: analyses, moves and boards of any game, a JSON object a line.

    docs/protocol.md describes the messages. A message names games that are shipped and those on the command line, never
    a file.

    \b
    Examples:
      gametree engine --json --workers 2 mygame.py
      echo '{"id":1,"do":"move","game":"nim"}' | gametree engine --json
    """
    if not as_json:
        raise InputError(
            "engine speaks JSON lines: add --json (gametree uci and gametree gtp speak other protocols)"
        )
    Library(games or ()).require()
    serve(games or (), workers)
