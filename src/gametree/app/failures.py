"""What went wrong, in one line and one exit code.

A refusal of gametree's own is bad input. An exception from the rules a user wrote is shown with the user's
own line, never with ours. What remains is a fault in gametree: that alone prints a traceback.
"""

import sys
import traceback
from typing import Final

from gametree.errors import GametreeError
from gametree.own_code import theirs

OK: Final = 0
PROBLEMS: Final = 1
BAD_INPUT: Final = 2
FAULT: Final = 70
INTERRUPTED: Final = 130
BROKEN_PIPE: Final = 141

_PLAIN: Final = {
    "Value error, ": "",
    "Input should be a valid integer, unable to parse string as an integer": "it takes a whole number",
    "Input should be a valid number, unable to parse string as a number": "it takes a number",
    "Input should be greater than or equal to": "it takes a number of at least",
    "Input should be less than or equal to": "it takes a number of at most",
}


def report(error: Exception) -> int:
    """Prints the one line on stderr; the exit code."""
    line = message(error)
    if line is None:
        traceback.print_exception(error)
        _complain("this is a fault in gametree itself; please report it with the lines above")
        return FAULT
    _complain(line)
    return BAD_INPUT


def _complain(line: str) -> None:
    print(f"gametree: {line}", file=sys.stderr)


def message(error: Exception) -> str | None:
    """The line for an exception; None where neither the user nor the user's rules are the cause."""
    if isinstance(error, GametreeError):
        return _flat(str(error))
    usage = getattr(error, "format_message", None)
    if usage is not None:
        return _in_plain_words(_flat(usage())) + _where_help_is(error)
    line = theirs(error)
    if line is None:
        return None
    notes = "".join(f" ({note})" for note in getattr(error, "__notes__", ()))
    return _flat(f"{_named(error)}{notes}, {line}")


def _named(error: BaseException) -> str:
    text = error.msg if isinstance(error, SyntaxError) else str(error)
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def _flat(text: str) -> str:
    return " ".join(text.split())


def _in_plain_words(text: str) -> str:
    """What Typer says of an option, without the words of the library that reads it."""
    for said, plain in _PLAIN.items():
        text = text.replace(said, plain)
    return text.removesuffix(".")


def _where_help_is(error: Exception) -> str:
    context = getattr(error, "ctx", None)
    return f" (see {context.command_path} --help)" if context is not None else ""
