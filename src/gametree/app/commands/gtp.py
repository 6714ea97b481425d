"""`gametree gtp`: Go, Hex and Othello for other programs."""

from typing import Annotated, Any

import typer

from gametree.app.gtp.session import Options, serve
from gametree.app.gtp.under_way import UnderWay
from gametree.app.load import guess, setting
from gametree.app.options import Nodes, Settings, Threads
from gametree.errors import InputError


def gtp(
    game: Annotated[str, typer.Argument(metavar="GAME", help="go, hex or othello.")] = "go",
    settings: Settings = None,
    seconds: Annotated[
        float,
        typer.Option(metavar="S", help="Stop after so many seconds, where the other side sets no time."),
    ] = 5,
    nodes: Nodes = None,
    threads: Threads = 1,
) -> None:
    """Plays Go, Hex or Othello over the Go Text Protocol, for boards and other programs.

    With --nodes it goes by simulations or nodes instead of time, and gives the same answer every time.

    \b
    Example:
      gametree gtp --seconds 2
      printf 'genmove black\\nquit\\n' | gametree gtp hex --set size=7 --nodes 1000
    """
    given = dict(map(setting, settings or ()))
    for name, value in given.items():
        if name not in ("size", "komi"):
            raise InputError(f"--set {name}={value}: over this protocol it is size or komi")
    parameters: dict[str, Any] = {name: guess(value) for name, value in given.items()}
    serve(UnderWay(game, **parameters), Options(seconds, nodes, threads))
