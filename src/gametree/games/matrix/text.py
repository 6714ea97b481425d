"""Matrix games as people type them: a table, one line, nested brackets, JSON, or Gambit's .nfg.

               silent   betray
    silent     -1,-1    -3,0
    betray     0,-3     -2,-2

A line is a row; on one line `;` ends a row. A cell has the payoff of each player with commas between them, or one
number where what one player gains the other loses. Names of rows stand first in the line, those of columns in a line
above; a name with spaces stands in quotation marks. In the corner both players may be named: `A/B`. `#` begins a
remark. Nothing that is read is run.
"""

import json
import re
from fractions import Fraction
from math import prod
from typing import Any, Final, NoReturn

from gametree.errors import InputError
from gametree.games.matrix.spec import MOST_CELLS, first_fastest, form_of, read_cells, read_payoff
from gametree.strategic import Form

_NUMBER: Final = r"[-−+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?(?:/\d+)?"
_TOKEN: Final = re.compile(
    rf"""\s*(?:(?P<cell>\(\s*{_NUMBER}(?:\s*,\s*{_NUMBER})*\s*\)|{_NUMBER}(?:\s*,\s*{_NUMBER})*)(?=[\s|]|$)
        |"(?P<quoted>[^"]*)":?|(?P<name>[^\s|"]+)|(?P<bar>\|))""",
    re.VERBOSE,
)
_TOO_LARGE: Final = f"at most {MOST_CELLS:,} cells; write the rules of larger games as a Game instead"
_NFG: Final = re.compile(rf'\s*(?:(?P<text>"(?:[^"\\]|\\.)*")|(?P<number>{_NUMBER})|(?P<sign>[{{}},]))')


def parse(text: str) -> Form:
    """The strategic form that a text describes. What cannot be understood is refused with its line.

    >>> parse("0 -1; -1 0").payoffs[1]
    (Fraction(-1, 1), Fraction(1, 1))
    """
    if not isinstance(text, str):
        raise InputError(
            f"Matrix.parse takes a text, not {type(text).__name__}; Matrix(…) takes nested lists"
        )
    start = text.strip()
    if not start:
        raise InputError("the text is empty: write a matrix such as -1,-1 -3,0; 0,-3 -2,-2")
    if re.match(r"NFG\b", start):
        return parse_nfg(start)
    if start[0] in "[{":
        return _parse_brackets(start)
    return _parse_table(text)


# --- tables -----------------------------------------------------------------------------------------


def _parse_table(text: str) -> Form:
    header: list[str] | None = None
    rows: list[str | None] = []
    cells: list[list[Any]] = []
    plain = "\n".join(re.sub(r"(^|\s)#.*", "", line) for line in text.splitlines())
    lines = [part for line in plain.splitlines() for part in line.split(";")]
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        words, found = _tokens(number, line)
        if not found:
            if header is not None or cells:
                _fail(number, line, "it has no payoffs")
            header = words
            continue
        if len(words) > 1:
            _fail(number, line, f"a row has one name, in quotation marks where it has spaces; found {words}")
        if cells and len(found) != len(cells[0]):
            _fail(number, line, f"it has {len(found)} cells and the row above {len(cells[0])}")
        rows.append(words[0] if words else None)
        cells.append(found)
    if not cells:
        raise InputError("the text has no payoffs: write a matrix such as -1,-1 -3,0; 0,-3 -2,-2")
    names: list[str] | None = None
    if header is not None and len(header) == len(cells[0]) + 1:
        corner, header = header[0], header[1:]
        names = re.split(r"[/\\]", corner)
        if len(names) != 2:
            raise InputError(f"the corner {corner!r} names no two players: write it like A/B")
    if header is not None and len(header) != len(cells[0]):
        raise InputError(f"{len(header)} columns are named and there are {len(cells[0])}")
    if any(row is None for row in rows) and any(rows):
        raise InputError("some rows have a name and some have none: name all of them or none")
    sizes, payoffs = read_cells(cells)
    return form_of(sizes, payoffs, (None if rows[0] is None else [row or "" for row in rows], header), names)


def _tokens(number: int, line: str) -> tuple[list[str], list[Any]]:
    """The names and the cells of a line."""
    words: list[str] = []
    cells: list[Any] = []
    place = 0
    while line[place:].strip():
        found = _TOKEN.match(line, place)
        if found is None:
            _fail(
                number, line, f"{line[place:].split()[0]!r} cannot be read: a quotation mark has no partner"
            )
        place = found.end()
        if found["bar"]:
            continue
        if found["cell"]:
            values = tuple(read_payoff(part) for part in found["cell"].strip("()").split(","))
            cells.append(values[0] if len(values) == 1 else values)
        elif cells:
            _fail(
                number, line, f"{(found['name'] or found['quoted'])!r} is no payoff, such as 3, −0.5 or 1/3"
            )
        else:
            words.append(found["quoted"] if found["quoted"] is not None else found["name"].removesuffix(":"))
    return words, cells


def _fail(number: int, line: str, message: str) -> NoReturn:
    shown = line.strip() if len(line.strip()) <= 60 else f"{line.strip()[:59]}…"
    raise InputError(f"row {number} of the text, {shown!r}: {message}")


# --- brackets and JSON ------------------------------------------------------------------------------


def _parse_brackets(text: str) -> Form:
    """Nested brackets; parentheses are payoffs of one cell, which in JSON are lists, too."""
    # What JSON has no signs for: (a, b) is a list of payoffs, and a fraction is a text.
    plain = text.replace("−", "-").replace("(", "[").replace(")", "]")
    plain = re.sub(r'(?<![\w."/])([-+]?\d+)\s*/\s*(\d+)(?![\w."/])', r'"\1/\2"', plain)
    plain = re.sub(r",(\s*[\]}])", r"\1", plain)
    plain = re.sub(r"(?<=[\[,\s])\+(?=\d)", "", plain)
    try:
        data = json.loads(plain)
    except ValueError as error:
        place = getattr(error, "pos", 0)
        raise InputError(
            f"the matrix cannot be read at {plain[place : place + 20]!r}: write it like"
            " [[(-1,-1),(-3,0)],[(0,-3),(-2,-2)]]"
        ) from None
    except RecursionError:
        raise InputError("the brackets are nested too deep for a matrix") from None
    choices: Any = None
    names: Any = None
    if isinstance(data, dict):
        unknown = data.keys() - {"players", "actions", "payoffs"}
        if unknown or "payoffs" not in data:
            raise InputError('a matrix as JSON is {"players": […], "actions": [[…], […]], "payoffs": [[…]]}')
        choices, names, data = data.get("actions"), data.get("players"), data["payoffs"]
    sizes, payoffs = read_cells(data)
    try:
        return form_of(sizes, payoffs, choices if choices is not None else (None,) * len(sizes), names)
    except TypeError:
        raise InputError("players and actions are lists of texts") from None


def write_json(form: Form) -> str:
    """A form as JSON, which `parse` reads; fractions are texts."""

    def plain(at: tuple[int, ...]) -> Any:
        if len(at) == form.players:
            return [
                int(value) if value.denominator == 1 else str(value) for value in form.payoffs[form.index(at)]
            ]
        return [plain((*at, choice)) for choice in range(form.sizes[len(at)])]

    return json.dumps(
        {"players": form.names, "actions": form.choices, "payoffs": plain(())}, ensure_ascii=False
    )


# --- Gambit's files ---------------------------------------------------------------------------------


def parse_nfg(text: str) -> Form:
    """The strategic form in Gambit's .nfg, with payoffs or with outcomes."""
    match = re.match(r"NFG\s+1\s+[RD]\s*", text)
    if match is None:
        raise InputError('an .nfg file begins with NFG 1 R "title"')
    tokens: list[str] = []
    place = match.end()
    while text[place:].strip():
        found = _NFG.match(text, place)
        if found is None:
            raise InputError(f"the .nfg file cannot be read at {text[place:].strip()[:20]!r}")
        place = found.end()
        if found.group().strip() != ",":
            tokens.append(found.group().strip())
    reader = _Nfg(tokens)
    reader.name()
    names = reader.names()
    choices: list[list[str]] = []
    reader.sign("{")
    if reader.peek() == "{":
        choices = [reader.names() for _ in names]
        reader.sign("}")
    else:
        sizes = []
        while reader.peek() != "}":
            size = reader.number()
            if size > MOST_CELLS:
                raise InputError(f"the .nfg file gives a player {float(size):g} choices: {_TOO_LARGE}")
            sizes.append(int(size))
        reader.sign("}")
        choices = [[str(at + 1) for at in range(size)] for size in sizes]
    if reader.peek().startswith('"'):
        reader.name()
    return _payoffs_of_nfg(reader, names, choices)


def _payoffs_of_nfg(reader: "_Nfg", names: list[str], choices: list[list[str]]) -> Form:
    sizes = tuple(map(len, choices))
    if len(sizes) != len(names) or 0 in sizes:
        raise InputError(f"the .nfg file names {len(names)} players and the choices of {len(sizes)}")
    if prod(sizes) > MOST_CELLS:
        raise InputError(f"the .nfg file has {' × '.join(map(str, sizes))} cells: {_TOO_LARGE}")
    order = first_fastest(sizes)
    found: list[tuple[Fraction, ...]]
    if reader.peek() == "{":
        outcomes = [(Fraction(0),) * len(names)]
        reader.sign("{")
        while reader.peek() != "}":
            reader.sign("{")
            reader.name()
            outcomes.append(tuple(reader.number() for _ in names))
            reader.sign("}")
        reader.sign("}")
        numbers = [int(reader.number()) for _ in order]
        if any(not 0 <= number < len(outcomes) for number in numbers):
            raise InputError(f"the .nfg file has {len(outcomes) - 1} outcomes, and names another one")
        found = [outcomes[number] for number in numbers]
    else:
        found = [tuple(reader.number() for _ in names) for _ in order]
    if reader.peek():
        raise InputError(f"the .nfg file goes on after its last payoff: {reader.peek()!r}")
    by_profile = dict(zip(order, found))
    distinct = [[name or str(at + 1) for at, name in enumerate(some)] for some in choices]
    return form_of(sizes, [by_profile[profile] for profile in sorted(by_profile)], distinct, names)


class _Nfg:
    """The tokens of an .nfg file, one after the other."""

    def __init__(self, tokens: list[str]):
        self.tokens = tokens[::-1]

    def peek(self) -> str:
        return self.tokens[-1] if self.tokens else ""

    def _next(self, what: str, fits: bool) -> str:
        if not fits:
            raise InputError(f"the .nfg file has {self.peek() or 'its end'!r} where {what} is expected")
        return self.tokens.pop()

    def sign(self, sign: str) -> None:
        self._next(sign, self.peek() == sign)

    def name(self) -> str:
        text = self._next("a text in quotation marks", self.peek().startswith('"'))
        return text[1:-1].replace('\\"', '"')

    def number(self) -> Fraction:
        return read_payoff(self._next("a number", bool(re.fullmatch(_NUMBER, self.peek()))))

    def names(self) -> list[str]:
        self.sign("{")
        found = []
        while self.peek() != "}":
            found.append(self.name())
        self.sign("}")
        return found


def write_nfg(form: Form, title: str) -> str:
    """A form as Gambit writes it.

    >>> print(write_nfg(parse("1 2"), "two"))
    NFG 1 R "two"
    { "A" "B" }
    { { "a1" } { "b1" "b2" } }
    <BLANKLINE>
    1 -1 2 -2
    <BLANKLINE>
    """

    def quoted(name: str) -> str:
        return '"' + name.replace('"', '\\"') + '"'

    names = " ".join(map(quoted, form.names))
    choices = " ".join("{ " + " ".join(map(quoted, some)) + " }" for some in form.choices)
    payoffs = " ".join(
        str(value) for profile in first_fastest(form.sizes) for value in form.payoffs[form.index(profile)]
    )
    return f"NFG 1 R {quoted(title)}\n{{ {names} }}\n{{ {choices} }}\n\n{payoffs}\n"
