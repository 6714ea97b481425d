"""What commands have in common: the game they are told, where it stands, and how they answer."""

import enum
import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, redirect_stdout
from typing import Annotated, Any

import typer


class Compile(str, enum.Enum):
    """Whether rules become machine code."""

    auto = "auto"
    always = "always"
    never = "never"


Target = Annotated[
    str,
    typer.Argument(
        metavar="GAME", help="A game's name, or your own: mygame.py, mygame.py:Nim, package.module:Nim."
    ),
]
Settings = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="NAME=VALUE", help="A parameter of the game; may be given several times."),
]
Position = Annotated[str | None, typer.Option(metavar="TEXT", help="Where to begin, as the game writes it.")]
Played = Annotated[
    str | None,
    typer.Option("--moves-played", metavar="MOVES", help="Moves made before, for example '4 4 5'."),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON and nothing else.")]
Compiling = Annotated[Compile, typer.Option("--compile", help="Turn the rules into machine code.")]


@contextmanager
def json_only(asked: bool) -> Iterator[Callable[[Any], None]]:
    """A function that prints JSON; what rules print in the meantime goes to stderr."""
    out = sys.stdout

    def emit(data: Any) -> None:
        print(json.dumps(data, indent=2, allow_nan=False, ensure_ascii=False), file=out)

    with redirect_stdout(sys.stderr) if asked else nullcontext():
        yield emit
