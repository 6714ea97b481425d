"""Refusals in the words of the command line.

The library names a keyword as one writes it in Python: `threads=0`, `compile="never"`, `Limit(depth=8)`,
`evaluation=…`, `values=(0, 20)`. Here the same keyword is spelled as the option of the command that was given:
`--threads 0`, `--compile never`, `--depth 8`, `--evaluation NAME`, `--values 0..20`. What the command has no option for
is a parameter of the game, as one writes it after `--set`: `misere=true`. A keyword that stands alone, `most_states`,
is known by its underscore.
"""

import ast
import re
import shlex
from collections.abc import Iterable, Sequence
from typing import Any, Final

from gametree.errors import GametreeError

_VALUE: Final = r"""("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|…|\(-?\d+, -?\d+\)|[-+]?[\w.]*\w)"""
_KEYWORD: Final = re.compile(rf"""(?<![\w.'"-])([a-z][a-z_]*)={_VALUE}""")
_ALONE: Final = re.compile(r"""(?<![\w.'"`-])([a-z]+_[a-z_]*[a-z])(?![\w('"`=])""")
_LIMIT: Final = re.compile(r"\b(?:limit=)?Limit\(([^()]*)\)")
_OPTION: Final = re.compile(r"--[a-z-]+ $")


class Refused(GametreeError):
    """A refusal that is spelled for the command line already."""


def spelled(message: str, options: Sequence[Any], settings: Iterable[str] | None = None) -> str:
    """The message with every keyword as the option that sets it.

    `options` are the parameters of a command as Click knows them; `settings` are what `--set` was given.
    """
    by_name = {option.name: option for option in options if option.opts[0].startswith("--")}
    of_game = {text.partition("=")[0].strip().replace("-", "_") for text in settings or ()}

    def one(found: re.Match[str]) -> str:
        name, value = found[1], found[2]
        if _OPTION.search(message[: found.start()]):
            return found[0]
        option = None if name in of_game else by_name.get(name)
        return f"{name}={_plain(value)}" if option is None else _as_option(option, value)

    def alone(found: re.Match[str]) -> str:
        option = by_name.get(found[1])
        return found[0] if option is None else str(option.opts[0])

    message = _LIMIT.sub(lambda found: found[1].replace(", ", " "), message)
    return _ALONE.sub(alone, _KEYWORD.sub(one, message))


def _as_option(option: Any, value: str) -> str:
    if getattr(option, "is_flag", False):
        if value == "True":
            return str(option.opts[0])
        return str(option.secondary_opts[0]) if option.secondary_opts else f"no {option.opts[0]}"
    if value == "…":
        return f"{option.opts[0]} {option.metavar or '…'}"
    return f"{option.opts[0]} {_plain(value)}"


def _plain(value: str) -> str:
    """A value as one types it after an option: no quotes where a shell needs none."""
    if value[0] in "\"'":
        return shlex.quote(str(ast.literal_eval(value)))
    if value[0] == "(":
        return value[1:-1].replace(", ", "..")
    return value.lower() if value in ("True", "False") else value
