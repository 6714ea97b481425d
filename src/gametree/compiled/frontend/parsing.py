"""Syntax trees, made by one thread at a time.

`ast.parse` of Python 3.11 counts its depth in one number for all threads. It makes objects, so that the collector of
garbage may run within it and let another thread go on; where that one parses too, the number is not what it was, and
SystemError is raised.
"""

import ast
import threading

_lock = threading.RLock()


def parse(text: str) -> ast.Module:
    """`ast.parse`, for any number of threads."""
    with _lock:
        return ast.parse(text)
