"""The options of the engine: what a program may set, and how they are announced."""

import dataclasses
import re
from dataclasses import dataclass
from typing import Any, Final

from gametree.app.uci.protocol import SetOption, quoted
from gametree.arena.strength import HIGHEST, LOWEST
from gametree.errors import InputError

EVALUATIONS: Final = ("network", "default", "lolli")


@dataclass(frozen=True)
class Options:
    """What is set."""

    hash: int = 64
    threads: int = 1
    multipv: int = 1
    ponder: bool = False
    chess960: bool = False
    limit_strength: bool = False
    elo: int = HIGHEST
    overhead: int = 30
    """Milliseconds that a move loses on its way."""
    evaluation: str = EVALUATIONS[0]


@dataclass(frozen=True)
class _Spin:
    least: int
    most: int

    def read(self, text: str | None, name: str) -> int:
        wanted = "" if text is None else text.strip()
        if not re.fullmatch(r"[0-9]{1,9}", wanted) or not self.least <= int(wanted) <= self.most:
            raise InputError(
                f"{name} is a whole number from {self.least} to {self.most}, not {quoted(wanted)}"
            )
        return int(wanted)

    def __str__(self) -> str:
        return f"min {self.least} max {self.most}"


@dataclass(frozen=True)
class _Check:
    def read(self, text: str | None, name: str) -> bool:
        wanted = "" if text is None else text.strip().lower()
        if wanted not in ("true", "false"):
            raise InputError(f"{name} is true or false, not {quoted(wanted)}")
        return wanted == "true"


@dataclass(frozen=True)
class _Combo:
    choices: tuple[str, ...]

    def read(self, text: str | None, name: str) -> str:
        wanted = "" if text is None else text.strip().lower()
        if wanted not in self.choices:
            raise InputError(f"{name} is {' or '.join(self.choices)}, not {quoted(wanted)}")
        return wanted

    def __str__(self) -> str:
        return " ".join(f"var {choice}" for choice in self.choices)


_KINDS: Final[dict[str, tuple[str, _Spin | _Check | _Combo]]] = {
    "Hash": ("hash", _Spin(1, 16384)),
    "Threads": ("threads", _Spin(1, 64)),
    "MultiPV": ("multipv", _Spin(1, 256)),
    "Ponder": ("ponder", _Check()),
    "UCI_Chess960": ("chess960", _Check()),
    "UCI_LimitStrength": ("limit_strength", _Check()),
    "UCI_Elo": ("elo", _Spin(LOWEST, HIGHEST)),
    "Move Overhead": ("overhead", _Spin(0, 5000)),
    "Evaluation": ("evaluation", _Combo(EVALUATIONS)),
}
CLEAR_HASH: Final = "Clear Hash"


def announced(options: Options) -> list[str]:
    """The lines that say which options there are, their defaults being what is set.

    >>> announced(Options())[0]
    'option name Hash type spin default 64 min 1 max 16384'
    """
    lines = []
    for name, (field, kind) in _KINDS.items():
        value = getattr(options, field)
        shown = str(value).lower()
        if isinstance(kind, _Check):
            lines.append(f"option name {name} type check default {shown}")
        else:
            type_ = "spin" if isinstance(kind, _Spin) else "combo"
            lines.append(f"option name {name} type {type_} default {shown} {kind}")
    return [*lines, f"option name {CLEAR_HASH} type button"]


def changed(options: Options, command: SetOption) -> Options:
    """The options after one is set; names are told apart without regard to case, as the protocol wants it.

    >>> changed(Options(), SetOption("hash", "128")).hash
    128
    """
    for name, (field, kind) in _KINDS.items():
        if name.lower() == command.name.lower():
            values: dict[str, Any] = {field: kind.read(command.value, name)}
            return dataclasses.replace(options, **values)
    known = ", ".join((*_KINDS, CLEAR_HASH))
    raise InputError(f"there is no option {quoted(command.name)}; there are {known}")


def is_clear_hash(command: SetOption) -> bool:
    """Whether the button that empties the table was pressed."""
    return command.name.lower() == CLEAR_HASH.lower()


def from_command_line(evaluation: str, hash_mb: int, threads: int) -> Options:
    """The options that the command line sets, within the same bounds."""
    options = Options()
    for name, value in (("Evaluation", evaluation), ("Hash", hash_mb), ("Threads", threads)):
        try:
            options = changed(options, SetOption(name, str(value)))
        except InputError as error:
            raise InputError(f"--{name.lower()}: {error}") from None
    return options
