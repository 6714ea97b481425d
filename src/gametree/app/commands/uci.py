"""`gametree uci`: chess for other programs."""

from typing import Annotated

import typer

from gametree.app.options import Threads
from gametree.app.uci.options import from_command_line
from gametree.app.uci.session import serve


def uci(
    evaluation: Annotated[
        str,
        typer.Option(
            metavar="NAME", help="How positions are judged: network, default (features), or lolli (material)."
        ),
    ] = "network",
    hash_mb: Annotated[
        int, typer.Option("--hash", metavar="MB", help="The size of the transposition table.")
    ] = 64,
    threads: Threads = 1,
) -> None:
    """Plays chess as a UCI engine, for chess programs and servers.

    \b
    Example:
      gametree uci --hash 256 --threads 2
      printf 'uci\\nquit\\n' | gametree uci
    """
    serve(from_command_line(evaluation, hash_mb, threads))
