"""What the library has to say while it works: one line on stderr, through the logger `gametree`."""

import contextlib
import logging
import threading
from collections.abc import Iterator

_log = logging.getLogger("gametree")
PATIENCE = 1.0
"""Seconds after which something slow says that it is under way."""


@contextlib.contextmanager
def slow(line: str) -> Iterator[None]:
    """Says `line` where the block takes longer than a second."""
    timer = threading.Timer(PATIENCE, _log.warning, (line,))
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


_said: set[str] = set()


def once(line: str) -> None:
    """Says `line`, but never twice."""
    if line not in _said:
        _said.add(line)
        _log.warning(line)
