"""The other engine that the lab learns from, and how a script says that it cannot do what it was told."""

import shutil
import sys
from typing import NoReturn


class NotHereError(Exception):
    """An engine that is not on this machine."""


def stockfish() -> str:
    """Debian installs it outside the PATH."""
    found = shutil.which("stockfish") or shutil.which("stockfish", path="/usr/games")
    if found is None:
        raise NotHereError("there is no stockfish on this machine")
    return found


def refuse(why: object) -> NoReturn:
    """Ends the program with the reason, in one line."""
    print(f"error: {why}", file=sys.stderr)
    sys.exit(2)
