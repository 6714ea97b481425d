"""The command `gametree`: which commands there are, and what becomes of their failures.

A command is the function of the same name in `commands/`. It is imported when it is asked for.
"""

import dataclasses
import difflib
import inspect
import os
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Annotated, Any, Final

import typer
from typer.core import TyperGroup
from typer.main import get_command

from gametree.app import failures
from gametree.app.spelling import Refused, spelled
from gametree.arena import standby
from gametree.errors import GametreeError

COMMANDS: Final = {
    "play": "Plays a game against you.",
    "analyze": "Finds the best move and what it is worth.",
    "why": "Says why the best move is best and yours is not.",
    "solve": "Proves what a position is worth.",
    "strategy": "Finds a move for every position that can arise.",
    "explain": "Shows a search on a tree, step by step.",
    "dilemma": "Plays a tournament of the iterated prisoner's dilemma.",
    "exercise": "Makes exercises on game trees, with keys.",
    "grade": "Grades answers to exercises, or programs.",
    "match": "Lets two players meet, and says who is stronger.",
    "tournament": "Lets many players meet, and rates them.",
    "check": "Looks for mistakes in the rules of a game.",
    "perft": "Counts the lines of play of every length.",
    "calibrate": "Measures the levels of your own game.",
    "compile": "Makes the machine code of your own game beforehand.",
    "stats": "Measures how wide and how long a game is.",
    "games": "Lists the games that can be named.",
    "uci": "Plays chess as a UCI engine.",
    "gtp": "Plays Go, Hex or Othello over the Go Text Protocol.",
    "ugi": "Plays any game for two as a UGI engine.",
    "serve": "Shows any game in the browser.",
    "engine": "Answers other programs, a JSON object a line.",
    "book": "Builds, shows or asks a book of exact scores.",
    "tune": "Finds better weights or numbers for a player, by playing.",
    "cluster": "Starts a cluster, joins one, or shows its workers.",
    "endgame": "Builds, verifies, shows or asks endgame databases.",
    "bench": "Prints the node-count signature of rules and searches.",
    "cache": "Shows or removes the machine code kept on disk.",
}


def as_command(function: Callable[..., None], name: str) -> Any:
    """The command that a function describes: its parameters are the options, and those of its groups."""
    own = inspect.signature(function, eval_str=True).parameters
    groups: dict[str, Any] = {
        key: one.annotation for key, one in own.items() if dataclasses.is_dataclass(one.annotation)
    }

    def call(context: typer.Context, **given: Any) -> None:
        settings = given.get("settings")
        made = {
            key: group(**{field.name: given.pop(field.name) for field in dataclasses.fields(group)})
            for key, group in groups.items()
        }
        try:
            function(**made, **given)
        except Refused:
            raise
        except GametreeError as error:
            raise Refused(spelled(str(error), context.command.params, settings)) from error

    parameters = [inspect.Parameter("context", inspect.Parameter.KEYWORD_ONLY, annotation=typer.Context)]
    for key, one in own.items():
        inner = inspect.signature(groups[key], eval_str=True).parameters.values() if key in groups else (one,)
        parameters += [each.replace(kind=inspect.Parameter.KEYWORD_ONLY) for each in inner]
    call.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    call.__annotations__ = {one.name: one.annotation for one in parameters}
    call.__doc__ = function.__doc__
    alone = typer.Typer(add_completion=False, rich_markup_mode=None)
    alone.command(name)(call)
    made = get_command(alone)
    for parameter in made.params:
        if parameter.param_type_name == "argument":
            _without_types(parameter)
    return made


def _without_types(argument: Any) -> None:
    """Newer versions of Typer write `{GAME}` and `GAME <str>`: a reader of the help needs no types of Python."""
    name = argument.metavar or argument.name.upper()
    several = "..." if argument.nargs != 1 else ""
    described = argument.get_help_record

    def record(context: Any) -> tuple[str, str] | None:
        found = described(context)
        return found and (name, found[1])

    argument.get_help_record = record
    argument.get_usage_pieces = lambda *_: [(name if argument.required else f"[{name}]") + several]


class _Commands(TyperGroup):
    """The commands, each imported when it is asked for: `--help` has to be there at once."""

    def list_commands(self, ctx: Any) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        if cmd_name not in COMMANDS:
            close = difflib.get_close_matches(cmd_name, COMMANDS)
            ctx.fail(f"No such command '{cmd_name}'." + (f" Did you mean {close[0]}?" if close else ""))
        module = import_module(f"gametree.app.commands.{cmd_name}")
        return as_command(getattr(module, cmd_name), cmd_name)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


app: typer.Typer = typer.Typer(
    cls=_Commands,
    add_completion=False,
    # Plain help: at once, in any width, without colours.
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Exit codes: 0 all is well; 1 `check` found problems or `grade` mistakes, `solve` was stopped by its limit,"
    " or a strategy does not hold; 2 the input is wrong or the rules raised an error; 70 a fault in gametree itself;"
    " 130 interrupted by Ctrl-C; 141 nobody reads the output any more.",
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command line; its exit code."""
    code = _run(arguments)
    if arguments is None and standby.making():
        # Waiting for the compiler would take seconds, and taking it down in order is not safe while a thread is in it.
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)
    return code


def _run(arguments: Sequence[str] | None) -> int:
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            # A board that a terminal cannot show is no reason to fail.
            reconfigure(errors="replace")
    try:
        given = None if arguments is None else list(arguments)
        code = app(args=given, prog_name="gametree", standalone_mode=False)
        sys.stdout.flush()
    except KeyboardInterrupt:
        code = failures.INTERRUPTED
    except BrokenPipeError:
        return _unread()
    except SystemExit as leaving:
        if isinstance(leaving.__context__, BrokenPipeError):
            return _unread()
        code = leaving.code
    except Exception as error:
        return failures.report(error)
    if code == failures.INTERRUPTED:
        print("\ngametree: interrupted", file=sys.stderr)
    return code if isinstance(code, int) else failures.OK


def _unread() -> int:
    """Nobody reads standard output any more; what is left in it must not be complained about at exit."""
    with open(os.devnull, "w") as nowhere:  # noqa: PTH123
        os.dup2(nowhere.fileno(), sys.__stdout__.fileno() if sys.__stdout__ else 1)
    return failures.BROKEN_PIPE


@app.callback(invoke_without_command=True)
def command(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
) -> None:
    """Games from plain Python rules: play them, analyze them, check them.

    \b
    gametree play tic-tac-toe
    gametree analyze connect-four --moves-played "4 4 5" --moves
    gametree check mygame.py
    """
    if version:
        from gametree import __version__

        print(f"gametree {__version__}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        print(context.get_help())
