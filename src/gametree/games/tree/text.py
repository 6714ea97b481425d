"""Trees as people type them on one line: `[[3, 12, 8], [2, x, y], [14, 5, 2]]`. JSON is read by the same reader.

    tree   = "[" tree ("," tree)* "]"                  a node with its moves in order
           | "{" name ":" tree ("," …)* "}"            a node with named moves
           | "chance" "(" odds ":" tree ("," …)* ")"   a node where chance decides: chance(0.5: 3, 1/2: [1, 2])
           | "MAX" node | "MIN" node | "player" n node who moves, whatever the level: MIN[3, 5]
           | who "in" name node                        the same, in an information set: MIN in B [3, 5]
           | "(" number ("," number)* ")"              a leaf with a payoff for each player
           | number | name | "text"                    a leaf: 3, −0.5, 1/3; x or "x" is an unknown one

In JSON, which has no tuples, {"payoffs": [4, 3, 2]} is a leaf with a payoff for each player and
{"chance": [[0.5, tree], [0.5, tree]]} a chance node. Nothing that is read is run.
"""

import json
import re
from fractions import Fraction
from typing import Any, Final, NoReturn

from gametree.errors import InputError
from gametree.games.tree.spec import Chance, Turn

MOST_LEVELS: Final = 150
_MOST_SHOWN: Final = 60

_TOKEN: Final = re.compile(
    r"""\s*(?:
        (?P<number>[-−+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?(?:\s*/\s*\d+)?(?![\w.]))
      | (?P<text>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')
      | (?P<name>[^\W\d][\w'′]*|\?)
      | (?P<sign>[\[\](){},:])
    )""",
    re.VERBOSE,
)
_ENDS: Final = {"[": "]", "(": ")", "{": "}"}


def parse_brackets(text: str) -> Any:
    """The nested lists that a text describes, for `Tree`. What is wrong is pointed at."""
    reader = _Reader(text)
    spec = reader.tree(0)
    if reader.kind:
        reader.fail(f"{reader.shown()} comes after the end of the tree")
    return spec


def parse_number(text: str) -> float:
    """A number as people write it: 3, −0.5, 1e3, 1/3."""
    top, _, bottom = text.replace("−", "-").partition("/")
    if not bottom:
        return int(top) if re.fullmatch(r"\s*[-+]?\d{1,15}\s*", top) else float(top)
    return float(Fraction(top.strip()) / int(bottom))


class _Reader:
    """Reads one token ahead."""

    def __init__(self, text: str):
        self.text = text
        # Round brackets within round brackets are nodes: a payoff for each player has none in it.
        self.round = re.match(r"\s*\(\s*\(", text) is not None
        self.place = 0
        self.kind: str | None = ""
        self.token = ""
        self.start = 0
        self.advance()

    def advance(self) -> None:
        found = _TOKEN.match(self.text, self.place)
        if found is None:
            rest = self.text[self.place :]
            self.start = self.place + len(rest) - len(rest.lstrip())
            if rest.strip():
                self.refuse_character()
            self.kind, self.token = None, ""
            return
        self.kind = found.lastgroup
        self.token = found.group(self.kind or 0)
        self.start = found.start(self.kind or 0)
        self.place = found.end()

    def refuse_character(self) -> NoReturn:
        character = self.text[self.start]
        if character in "\"'":
            self.fail("the quotation mark has no partner")
        if character.isdigit() or character in "+-−.":
            word = re.match(r"[^\s,()\[\]{}:]+", self.text[self.start :])
            self.fail(f"{word.group() if word else character!r} is neither a number nor a name")
        self.fail(f"{character!r} has no meaning here")

    def fail(self, message: str, at: int | None = None) -> NoReturn:
        """Refuses the text with the place."""
        place = self.start if at is None else at
        line_start = self.text.rfind("\n", 0, place) + 1
        line_end = self.text.find("\n", place)
        line = self.text[line_start : len(self.text) if line_end < 0 else line_end]
        column = place - line_start
        left = max(0, column - _MOST_SHOWN // 2)
        part = line[left : left + _MOST_SHOWN].replace("\t", " ")
        before, after = "…" * (left > 0), "…" * (left + _MOST_SHOWN < len(line))
        number = self.text.count("\n", 0, place) + 1
        where = (
            f"line {number}, character {column + 1}"
            if "\n" in self.text.strip()
            else f"character {column + 1}"
        )
        pointer = " " * (len(before) + column - left) + "^"
        raise InputError(f"{where}: {message}\n  {before}{part}{after}\n  {pointer}")

    def shown(self) -> str:
        return repr(self.token) if self.kind else "the end of the text"

    def is_sign(self, sign: str) -> bool:
        return self.kind == "sign" and self.token == sign

    # --- the grammar --------------------------------------------------------------------------------

    def tree(self, level: int) -> Any:
        if level > MOST_LEVELS:
            self.fail(f"the text is nested more than {MOST_LEVELS} deep")
        if self.is_sign("[") or (self.round and self.is_sign("(")):
            return self.items(lambda: self.tree(level + 1), "a subtree")
        if self.is_sign("{"):
            return self.named(level)
        if self.is_sign("("):
            numbers: tuple[Any, ...] = tuple(self.items(self.number, "a payoff"))
            return numbers
        if self.kind == "number":
            return self.number()
        if self.kind == "text":
            return self.quoted()
        if self.kind == "name":
            return self.word(level)
        return self.fail(
            f"here a subtree is expected: a number, a name such as x, or [ … ]; found {self.shown()}"
        )

    def items(self, item: Any, what: str) -> list[Any]:
        """What stands between brackets, separated by commas; a comma before the end is fine."""
        opened, start = self.token, self.start
        end = _ENDS[opened]
        self.advance()
        if self.is_sign(end):
            self.fail(f"{opened}{end} is empty: at least {what} belongs between them", start)
        found = []
        while True:
            if self.is_sign(","):
                self.fail(f"before this comma {what} is missing")
            found.append(item())
            if self.is_sign(","):
                self.advance()
                if self.is_sign(end):
                    break
            elif self.is_sign(end):
                break
            elif not self.kind:
                self.fail(f"the {opened} that is opened here is not closed: {end} is missing", start)
            elif self.kind == "sign" and self.token in ")]}":
                self.fail(f"{self.token} closes what was opened with {opened}: {end} is expected")
            else:
                self.fail(f"a comma or {end} is missing before {self.shown()}")
        self.advance()
        return found

    def number(self) -> float:
        if self.kind != "number":
            self.fail(f"here a number is expected; found {self.shown()}")
        try:
            value = parse_number(self.token)
        except (ZeroDivisionError, ValueError, OverflowError):
            self.fail(f"{self.token} is no number")
        self.advance()
        return value

    def quoted(self) -> str:
        token = self.token
        if token.startswith("'"):
            token = '"' + token[1:-1].replace("\\'", "'").replace('"', '\\"') + '"'
        try:
            text = str(json.loads(token, strict=False))
        except ValueError:
            self.fail(f"{self.token} is not a text that can be read: write \\\\ for a backslash")
        self.advance()
        return text

    def named(self, level: int) -> Any:
        start = self.start
        moves: dict[str, Any] = {}

        def move() -> None:
            if self.kind not in ("name", "text", "number"):
                self.fail(f"here the name of a move is expected, as in {{left: 3}}; found {self.shown()}")
            place = self.start
            if self.kind == "text":
                name = self.quoted()
            else:
                name = self.token
                self.advance()
            if name in moves:
                self.fail(f"there are two moves {name!r} here", place)
            if not self.is_sign(":"):
                self.fail(f"after the name of a move a colon is expected; found {self.shown()}")
            self.advance()
            moves[name] = self.tree(level + 1)

        self.items(move, "a move")
        return self.special(moves, start)

    def special(self, moves: dict[str, Any], start: int) -> Any:
        """What JSON has no signs for."""
        match moves:
            case {"payoffs": list(values)} if len(moves) == 1:
                if not all(isinstance(value, (int, float)) for value in values):
                    self.fail("payoffs are a list of numbers, one for each player", start)
                return tuple(values)
            case {"chance": list(pairs)} if len(moves) == 1:
                if not all(isinstance(pair, list) and len(pair) == 2 for pair in pairs):
                    self.fail("chance is a list of pairs [probability, subtree]", start)
                return self.lottery([(odds, subtree) for odds, subtree in pairs], start)
            case {"player": int(player), "moves": list() | dict() as subtrees} if len(moves) == 2:
                return Turn(player, subtrees)
            case {"player": int(player), "moves": list() | dict() as subtrees, "set": str(name)} if (
                len(moves) == 3
            ):
                return Turn(player, subtrees, name)
        return moves

    def lottery(self, pairs: list[tuple[Any, Any]], start: int) -> Chance:
        try:
            return Chance(pairs)
        except InputError as error:
            self.fail(str(error), start)

    def word(self, level: int) -> Any:
        """A name: that of an unknown leaf, unless it says who moves at the node that follows."""
        word, start = self.token, self.start
        self.advance()
        low = word.casefold()
        if low == "chance" and self.is_sign("("):
            return self.lottery(self.items(lambda: self.outcome(level), "an outcome"), start)
        if low in ("true", "false", "null", "none", "nan", "infinity", "inf"):
            self.fail(f"{word} is no payoff: write a number, or a name such as x for an unknown leaf", start)
        if low in ("max", "min") and self.is_in():
            group = self.set_name()
            return Turn(("max", "min").index(low), self.moves(word, level), group)
        if self.is_sign("[") or self.is_sign("{"):
            if low not in ("max", "min"):
                self.fail(f"{word!r} before a node is not MAX or MIN: a comma may be missing", start)
            subtrees = self.tree(level + 1)
            if not isinstance(subtrees, (list, dict)):
                self.fail(f"after {word} a node is expected, not a leaf", start)
            return Turn(("max", "min").index(low), subtrees)
        if low == "player" and self.kind == "number":
            player = self.number()
            name = self.set_name() if self.is_in() else None
            if not isinstance(player, int) or player < 0 or not (self.is_sign("[") or self.is_sign("{")):
                self.fail("write player 0[…], player 1[…] for the one who moves at a node", start)
            return Turn(player, self.tree(level + 1), name)
        return word

    def is_in(self) -> bool:
        """Whether an information set is named next."""
        return self.kind == "name" and self.token.casefold() == "in"

    def set_name(self) -> str:
        self.advance()
        if self.kind not in ("name", "text", "number"):
            self.fail(f"after `in` the name of an information set is expected; found {self.shown()}")
        if self.kind == "text":
            return self.quoted()
        name = self.token
        self.advance()
        return name

    def moves(self, word: str, level: int) -> Any:
        """The node after a word that says who moves."""
        if not (self.is_sign("[") or self.is_sign("{")):
            self.fail(f"after {word} a node is expected, not {self.shown()}")
        return self.tree(level + 1)

    def outcome(self, level: int) -> tuple[float, Any]:
        odds = self.number()
        if not self.is_sign(":"):
            self.fail(
                f"after a probability a colon is expected, as in chance(0.5: 3, 0.5: 8); found {self.shown()}"
            )
        self.advance()
        return odds, self.tree(level + 1)


def written_name(name: str) -> str:
    """The name of an information set as it is read again: in quotation marks unless it is one word.

    >>> written_name("B"), written_name("two words")
    ('B', '"two words"')
    """
    return name if re.fullmatch(r"[^\W\d][\w'′]*", name) else json.dumps(name, ensure_ascii=False)


def write_json(spec: Any) -> str:
    """Nested lists as JSON: what `parse_brackets` makes the same lists of."""
    try:
        return json.dumps(_plain(spec), ensure_ascii=False)
    except RecursionError:
        raise InputError("the tree is too deep to be written as JSON") from None


def _plain(spec: Any) -> Any:
    match spec:
        case Chance():
            return {"chance": [[odds, _plain(subtree)] for odds, subtree in spec.outcomes]}
        case Turn():
            named = {} if spec.set is None else {"set": spec.set}
            return {"player": spec.player, "moves": _plain(spec.subtrees), **named}
        case dict():
            return {name: _plain(subtree) for name, subtree in spec.items()}
        case list():
            return [_plain(subtree) for subtree in spec]
        case tuple():
            return {"payoffs": [_plain(value) for value in spec]}
        case float() if spec.is_integer() and abs(spec) < 1e15:
            return int(spec)
    return spec
