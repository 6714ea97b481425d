"""Trees as indented text: one node a line, what is below it further to the right.

    MAX
      left: MIN
        3
        12
      right: MIN
        2
        x

A line is the name of a move, a colon and what the move leads to; the name may be left out. A line with lines below
it says who moves (MAX, MIN, player 2, chance) or nothing: `left:`, or `-` where the move has no name. Where nothing
is said the players alternate. `MIN in B` is a node of the information set B. Below `chance` the probability is
the name, `0.5: 3`, or follows it, `six (1/6): 3`. The first line may be left out. `#` begins a remark. This is also
how `Tree.show` writes a tree.
"""

import re
from dataclasses import dataclass, field
from typing import Any, Final, NoReturn

from gametree.errors import InputError
from gametree.game import CHANCE
from gametree.games.tree.spec import Chance, Turn
from gametree.games.tree.text import MOST_LEVELS, parse_brackets, parse_number

_ODDS: Final = re.compile(r"(?P<name>.*?)\s*\(\s*(?P<odds>[\d.eE/\s+-]+)\s*\)")
_NUMBER: Final = re.compile(r"[\d.eE/\s+-]+")


@dataclass
class _Line:
    """A line of the text, and the lines below it."""

    number: int
    indent: int
    text: str
    below: list["_Line"] = field(default_factory=list)


@dataclass
class _Head:
    """What a line says before what is below it."""

    name: str | None = None
    odds: float | None = None
    mover: int | None = None
    set: str | None = None
    leaf: str | None = None


def parse_lines(text: str) -> Any:
    """The nested lists that an indented text describes, for `Tree`. What is wrong is named with its line."""
    top = _arrange(text)
    if not top:
        raise InputError("the text is empty: write a tree such as [[3, 12, 8], [2, x, y], [14, 5, 2]]")
    if len(top) == 1:
        head = _read(top[0])
        if head.name is None and head.odds is None:
            return _spec(top[0], head)
    # Without a first line of its own the root is a node with all that stands at the left.
    return _node(top, _Head(), top[0])


def _arrange(text: str) -> list[_Line]:
    """The lines by what is below what."""
    top: list[_Line] = []
    open_lines: list[_Line] = []
    for number, raw in enumerate(text.expandtabs(4).splitlines(), start=1):
        content = re.sub(r"(^|\s)#.*", "", raw).rstrip()
        if not content.strip():
            continue
        line = _Line(number, len(content) - len(content.lstrip()), content.strip())
        while open_lines and open_lines[-1].indent >= line.indent:
            open_lines.pop()
        siblings = open_lines[-1].below if open_lines else top
        if siblings and siblings[0].indent != line.indent:
            _fail(
                line,
                f"it is neither below line {siblings[-1].number} nor beside it: indent it like one of them",
            )
        if len(open_lines) >= MOST_LEVELS:
            _fail(line, f"the text is nested more than {MOST_LEVELS} deep")
        siblings.append(line)
        open_lines.append(line)
    return top


def _fail(line: _Line, message: str) -> NoReturn:
    shown = line.text if len(line.text) <= 60 else f"{line.text[:59]}…"
    raise InputError(f"line {line.number}, {shown!r}: {message}")


def _read(line: _Line) -> _Head:
    """Name, probability, who moves and leaf, each where the line has it."""
    name, colon, rest = _split(line.text)
    head = _Head()
    if colon:
        if name.casefold() not in ("", "-"):
            _read_name(line, name, head)
    else:
        rest = name
    who = re.fullmatch(r"(.*?)\s+in\s+(\S+|\"[^\"]+\")", rest)
    mover = None if who is None else _mover(who[1])
    if who is not None and mover is not None and mover != CHANCE:
        head.set = who[2].strip('"')
    else:
        mover = _mover(rest)
    if mover is not None:
        head.mover = mover
    elif rest and rest != "-":
        if line.below and (colon or _NUMBER.fullmatch(rest)):
            _fail(
                line,
                f"{rest!r} is a leaf, but there are lines below it; a move with this name ends in a colon",
            )
        if line.below:
            # A word with lines below it is a move without its colon.
            _read_name(line, rest, head)
        else:
            head.leaf = rest
    if not line.below and head.leaf is None:
        _fail(
            line, "there is nothing below it: write a number or a name such as x, or indent what is below it"
        )
    return head


def _split(text: str) -> tuple[str, str, str]:
    """What stands before and after the colon; one in brackets or quotation marks is no such colon."""
    if text[0] in "[({" or re.match(r"chance\s*\(", text):
        return text, "", ""
    if text[0] == '"':
        end = text.find('"', 1)
        if end > 0 and text[end + 1 :].lstrip().startswith(":"):
            return text[1:end], ":", text[end + 1 :].lstrip()[1:].strip()
        return text, "", ""
    name, colon, rest = text.partition(":")
    return name.strip(), colon, rest.strip()


def _read_name(line: _Line, name: str, head: _Head) -> None:
    found = _ODDS.fullmatch(name)
    if found:
        head.name, odds = found["name"] or None, found["odds"]
    elif _NUMBER.fullmatch(name):
        head.name, odds = name, name
    else:
        head.name = name
        return
    try:
        head.odds = parse_number(odds)
    except (ValueError, ZeroDivisionError, OverflowError):
        if found:
            _fail(line, f"{odds!r} is no probability")


def _mover(text: str) -> int | None:
    match text.casefold().split():
        case ["max"]:
            return 0
        case ["min"]:
            return 1
        case ["chance"]:
            return CHANCE
        case ["player", digits] if digits.isascii() and digits.isdigit() and len(digits) < 4:
            return int(digits)
    return None


def _spec(line: _Line, head: _Head) -> Any:
    if line.below:
        return _node(line.below, head, line)
    try:
        return parse_brackets(head.leaf or "")
    except InputError as error:
        _fail(line, str(error))


def _node(lines: list[_Line], head: _Head, line: _Line) -> Any:
    heads = [_read(one) for one in lines]
    if head.mover == CHANCE:
        return _chance(lines, heads, line)
    subtrees = [_spec(one, its) for one, its in zip(lines, heads, strict=True)]
    for one, its in zip(lines, heads, strict=True):
        if its.odds is not None and its.name != one.text.partition(":")[0].strip():
            _fail(one, "it has a probability, but the line above it does not say `chance`")
    names = [its.name for its in heads]
    positions = [str(index) for index in range(1, len(lines) + 1)]
    if all(name is None or name == position for name, position in zip(names, positions, strict=True)):
        node: Any = subtrees
    else:
        node = {}
        for one, name, position, subtree in zip(lines, names, positions, subtrees, strict=True):
            if (name or position) in node:
                _fail(one, f"there are two moves {name or position!r} below line {line.number}")
            node[name or position] = subtree
    return node if head.mover is None else Turn(head.mover, node, head.set)


def _chance(lines: list[_Line], heads: list[_Head], line: _Line) -> Chance:
    pairs = []
    for one, head in zip(lines, heads, strict=True):
        if head.odds is None:
            _fail(one, "below chance each line begins with its probability, for example 0.5: 3")
        pairs.append((head.odds, _spec(one, head)))
    try:
        return Chance(pairs)
    except InputError as error:
        _fail(line, str(error))
