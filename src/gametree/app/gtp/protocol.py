"""The lines of the Go Text Protocol as values. Nothing here knows a position."""

import re
from dataclasses import dataclass
from typing import Final

from gametree.errors import InputError

VERSION: Final = 2
LONGEST_NUMBER: Final = 9
"""An identity of more digits is none."""
_COLOURS: Final = {"b": 0, "black": 0, "w": 1, "white": 1}


@dataclass(frozen=True)
class Command:
    """A command: the number that the answer has to repeat, its name, and what follows."""

    id: str
    name: str
    arguments: tuple[str, ...] = ()


def read(line: str) -> Command | None:
    """The command in a line; None where there is none but spaces and a comment.

    >>> read("12 play black D4  # the corner")
    Command(id='12', name='play', arguments=('black', 'D4'))
    """
    line = line.partition("#")[0].replace("\t", " ")
    words = re.sub(r"[\x00-\x1f\x7f]", "", line).split()
    if not words:
        return None
    number = ""
    if words[0].isascii() and words[0].isdigit() and len(words[0]) <= LONGEST_NUMBER:
        number, *words = words
    if not words:
        return Command(number, "")
    return Command(number, words[0], tuple(words[1:]))


def answer(command: Command, text: str = "") -> str:
    """What is said to a command that was obeyed.

    >>> answer(Command("3", "name"), "gametree")
    '=3 gametree\\n'
    """
    return _said("=", command.id, text)


def refusal(command: Command, why: str) -> str:
    """What is said to a command that was not."""
    return _said("?", command.id, " ".join(why.split()) or "it cannot be done")


def _said(sign: str, number: str, text: str) -> str:
    # An empty line ends an answer, so there is none within; a board begins on a line of its own.
    lines = [line for line in text.splitlines() if line.strip()]
    if not lines:
        return f"{sign}{number}\n"
    return f"{sign}{number} " + ("\n" if text.startswith("\n") else "") + "\n".join(lines) + "\n"


def colour(text: str) -> int:
    """The player from a colour: Black is player 0.

    >>> colour("W"), colour("black")
    (1, 0)
    """
    try:
        return _COLOURS[text.lower()]
    except KeyError:
        raise InputError(f"syntax error: {shortened(text)} is no colour; there are black and white") from None


def whole(text: str, what: str) -> int:
    """A whole number."""
    if not re.fullmatch(r"[+-]?[0-9]{1,9}", text):
        raise InputError(f"syntax error: {what} is a whole number, not {shortened(text)}")
    return int(text)


def number(text: str, what: str) -> float:
    """A number."""
    if not re.fullmatch(r"[+-]?([0-9]{1,9}(\.[0-9]{0,9})?|\.[0-9]{1,9})", text):
        raise InputError(f"syntax error: {what} is a number, not {shortened(text)}")
    return float(text)


def shortened(text: str) -> str:
    """A text as it is quoted in a message."""
    return ascii(text if len(text) <= 40 else text[:37] + "...")
