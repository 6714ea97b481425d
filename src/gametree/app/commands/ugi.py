"""`gametree ugi`: any game for other programs, by the Universal Game Interface."""

import sys
from contextlib import redirect_stdout

from gametree.app.load import load
from gametree.app.options import Hash, Settings, Target, Threads
from gametree.app.ugi import Session


def ugi(game: Target, settings: Settings = None, hash_mb: Hash = 64, threads: Threads = 1) -> None:
    """Plays any game of two players who see everything as a UGI engine: UCI for all games.

    \b
    Examples:
      gametree ugi othello
      printf 'position startpos moves 4\\ngo depth 8\\n' | gametree ugi connect-four
    """
    out = sys.stdout
    rules = load(game, settings or ())
    # What rules print is no part of the protocol.
    with redirect_stdout(sys.stderr):
        Session(rules, lambda line: print(line, file=out, flush=True), hash_mb=hash_mb, threads=threads).run(
            sys.stdin
        )
