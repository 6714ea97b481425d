"""`gametree serve`: play, analyse and explore any game in the browser."""

import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from gametree.app.serve.library import Library
from gametree.errors import InputError

_NEEDED = ("starlette", "uvicorn", "websockets")


def serve(
    games: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="GAME",
            help="Games to begin with, and games of your own: mygame.py, mygame.py:Nim.",
            show_default=False,
        ),
    ] = None,
    port: Annotated[
        int, typer.Option(metavar="N", help="Where it is served; 0 is any free port.", min=0, max=65535)
    ] = 8642,
    host: Annotated[
        str,
        typer.Option(metavar="NAME", help="Who can reach it: another one than this machine, say 0.0.0.0."),
    ] = "127.0.0.1",
    password: Annotated[
        str | None,
        typer.Option(
            metavar="TEXT",
            envvar="GAMETREE_PASSWORD",
            help="What others have to know to come in.",
            show_default=False,
        ),
    ] = None,
    workers: Annotated[
        int | None,
        typer.Option(metavar="N", help="How many processes search; one a processor if not said.", min=2),
    ] = None,
    classroom: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Keeps a class in this SQLite file: names, answers, marks."),
    ] = None,
    exercises: Annotated[
        list[Path] | None,
        typer.Option(metavar="PATH", help="With --classroom: exercises for the class, a .json or a folder."),
    ] = None,
    programs: Annotated[
        list[str] | None,
        typer.Option(
            "--program",
            metavar="TASK",
            help="With --classroom: a program that the class writes, alphabeta:tic-tac-toe or minimax:trees.",
        ),
    ] = None,
    open_browser: Annotated[bool, typer.Option("--open/--no-open", help="Open a browser.")] = True,
) -> None:
    """Shows any game in the browser: to play it, to analyse it, to explore its tree.

    Only this machine can reach the page, with the address that is printed. A file of yours is read again when it has
    changed.

    \b
    Examples:
      gametree serve
      gametree serve mygame.py
      gametree serve --host 0.0.0.0 --password SECRET --classroom class.sqlite
    """
    missing = [name for name in _NEEDED if find_spec(name) is None]
    if missing:
        raise InputError(f"serve needs {', '.join(missing)}: pip install 'gametree[web]'")
    from gametree.app.web.server import Setup
    from gametree.app.web.server import serve as run
    from gametree.jobs.addresses import is_loopback

    if not is_loopback(host) and not password:
        raise InputError(
            f"--host {host}: others could play and search on this machine; add --password, which they have to know"
            " (what is sent can be read on the way: use it in a network that you trust)"
        )
    if exercises and classroom is None:
        raise InputError(
            "--exercises are for a class: add --classroom class.sqlite, where its answers are kept"
        )
    if programs and classroom is None:
        raise InputError(
            "--program is for a class: add --classroom class.sqlite, where what is handed in is kept"
        )
    library = Library(games or ())
    library.require()

    def say(line: str) -> None:
        print(line, file=sys.stderr, flush=True)

    run(
        Setup(
            targets=tuple(games or ()),
            host=host,
            port=port,
            password=password or None,
            workers=workers,
            open_browser=open_browser,
            classroom=classroom,
            exercises=tuple(exercises or ()),
            programs=tuple(_task(library, text) for text in programs or ()),
        ),
        say,
    )


def _task(library: Library, text: str) -> tuple[str, str]:
    """Which function is asked for on which game; refused where it cannot be graded."""
    # Slow to import, and few have a class.
    from gametree.course.programs.judging import FUNCTIONS, assign

    function, _, game = text.partition(":")
    if function not in FUNCTIONS or not game:
        raise InputError(
            f"--program {text}: it is FUNCTION:GAME, with {' or '.join(FUNCTIONS)} as the function"
        )
    if game != "trees":
        assign(library.game(game), function, count=1)
    return function, game
