"""The programs and libraries that gametree is measured beside: where they are, or that they are not here."""

import importlib
import os
import shutil
from typing import Any


class NotHereError(Exception):
    """A peer that cannot run on this machine, and why."""


def located(name: str) -> str | None:
    """Where a program is; Debian keeps games out of the PATH."""
    return shutil.which(name, path=os.pathsep.join((os.environ.get("PATH", ""), "/usr/games")))


def stockfish() -> str:
    found = located("stockfish")
    if found is None:
        raise NotHereError("there is no stockfish on this machine")
    return found


def imported(name: str) -> Any:
    """A module of a peer."""
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise NotHereError(f"`import {name}` fails: {error}") from error
