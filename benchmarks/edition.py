"""Which code played? A match that is taken up again has to be between the same players.

The edition is a digest of the syntax trees of modules, so that comments, docstrings and layout do not count.
"""

import ast
import hashlib
from functools import cache
from pathlib import Path

import gametree

SOURCE = Path(gametree.__file__).parent


@cache
def edition(*rooms: str) -> str:
    """Eight letters that change when the code of some rooms does: "search" or "arena/bot.py".

    >>> edition("search") == edition("search"), edition("search") == edition("games")
    (True, False)
    """
    digest = hashlib.sha256()
    for room in rooms:
        path = SOURCE / room
        for file in sorted(path.rglob("*.py")) if path.is_dir() else [path]:
            digest.update(file.name.encode())
            digest.update(ast.dump(_bare(ast.parse(file.read_text(encoding="utf-8")))).encode())
    return digest.hexdigest()[:8]


def _bare(tree: ast.Module) -> ast.Module:
    """The tree without docstrings."""
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if isinstance(body, list):
            node.body = [line for line in body if not _is_text(line)]  # type: ignore[attr-defined]
    return tree


def _is_text(line: ast.stmt) -> bool:
    return (
        isinstance(line, ast.Expr)
        and isinstance(line.value, ast.Constant)
        and isinstance(line.value.value, str)
    )
