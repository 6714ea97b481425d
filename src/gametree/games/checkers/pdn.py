"""Games of checkers as PDN files: tags, moves, results. Comments and variations are read over.

>>> record, = read_pdn('[Event "an example"] 1. 11-15 {the best} 23-19 (22-17 8-11) 2. 8-11 *')
>>> record.moves()
['11-15', '23-19', '8-11']
>>> print(write_pdn(record))
[Event "an example"]
[Result "*"]
[GameType "21"]
<BLANKLINE>
1. 11-15 23-19 2. 8-11 *
<BLANKLINE>
"""

import re
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from gametree.errors import InputError
from gametree.games.checkers.notation import excerpt, read_fen
from gametree.games.checkers.rules import Checkers, State

GAME_TYPE: Final = "21"
"""The number of English draughts in the list of the PDN standard."""
RESULTS: Final = ("1-0", "0-1", "1/2-1/2", "2-0", "0-2", "1-1", "0-0", "*")

_GAME: Final = Checkers()
_TOKEN: Final = re.compile(
    r"""\s+
    | (?P<comment> \{[^}]*\} | ;[^\n]* | ^%[^\n]* )
    | (?P<tag> \[\s*(?P<name>\w+)\s+"(?P<value>(?:[^"\\]|\\.)*)"\s*\] )
    | (?P<open> \( ) | (?P<close> \) )
    | (?P<note> \$\d+ | [!?]+(?=\s|$) | \.+ )
    | (?P<number> \d+\.+ )
    | (?P<word> [^\s{}()\[\];$]+ )""",
    re.VERBOSE | re.MULTILINE,
)


@dataclass(frozen=True)
class Record:
    """A game as it was written down: tags, the position at the start, the actions, the result as text."""

    start: State
    actions: tuple[int, ...]
    result: str = "*"
    """One of RESULTS. PDN files do not agree on whose win "1-0" is, so it is kept as it was written."""
    tags: dict[str, str] = field(default_factory=dict)

    def states(self) -> list[State]:
        """Every position of the game, the first and the last one included."""
        states = [self.start]
        for action in self.actions:
            states.append(_GAME.result(states[-1], action))
        return states

    def moves(self) -> list[str]:
        """The names of the actions."""
        return [_GAME.name_action(state, action) for state, action in zip(self.states(), self.actions)]


def read_pdn(text: str) -> list[Record]:
    """The games of a PDN text. What is no legal move is refused with its place."""
    records: list[Record] = []
    tags: dict[str, str] = {}
    moves: list[str] = []

    def finish(result: str) -> None:
        records.append(_record(len(records) + 1, dict(tags), list(moves), result))
        tags.clear()
        moves.clear()

    for kind, value in _tokens(text):
        if kind == "tag":
            # Some files leave out the result at the end of a game.
            if moves:
                finish(tags.get("Result", "*"))
            name, _, content = value.partition("\n")
            tags[name] = content
        elif value in RESULTS:
            finish(value)
        else:
            moves.append(value)
    if moves or tags:
        finish(tags.get("Result", "*"))
    return records


def write_pdn(record: Record) -> str:
    """The text of one game, its main line wrapped at 79 columns."""
    tags = {**record.tags, "Result": record.result, "GameType": GAME_TYPE}
    if record.start == _GAME.initial():
        tags.pop("FEN", None)
        tags.pop("SetUp", None)
    else:
        tags.update({"SetUp": "1", "FEN": _GAME.fen(record.start)})
    lines = []
    for name, value in tags.items():
        if not re.fullmatch(r"\w+", name):
            raise InputError(f"{excerpt(name)} is no name of a tag: use letters, digits and _")
        escaped = " ".join(value.split()).replace("\\", "\\\\").replace('"', '\\"')
        lines.append(f'[{name} "{escaped}"]')
    if record.result not in RESULTS:
        raise InputError(f"{excerpt(record.result)} is no result: it is one of {', '.join(RESULTS)}")
    words = []
    for ply, move in enumerate(record.moves(), record.start.mover):
        if ply % 2 == 0:
            words.append(f"{ply // 2 + 1}.")
        elif not words:
            words.append("1...")
        words.append(move)
    body = textwrap.fill(
        " ".join([*words, record.result]), 79, break_on_hyphens=False, break_long_words=False
    )
    return "\n".join([*lines, "", body, ""])


def _tokens(text: str) -> Iterator[tuple[str, str]]:
    """Tags and words of the main line, one after the other."""
    at = 0
    depth = 0
    while at < len(text):
        found = _TOKEN.match(text, at)
        if not found:
            line = text.count("\n", 0, at) + 1
            what = "a comment that does not end" if text[at] == "{" else "no tag, move or comment"
            raise InputError(f"line {line} of the PDN text: {excerpt(text[at : at + 40])} is {what}")
        at = found.end()
        if found["open"]:
            depth += 1
        elif found["close"]:
            if depth == 0:
                raise InputError(f"line {text.count(chr(10), 0, at) + 1} of the PDN text: a ) without its (")
            depth -= 1
        elif depth == 0 and found["tag"]:
            yield "tag", found["name"] + "\n" + re.sub(r"\\(.)", r"\1", found["value"])
        elif depth == 0 and found["word"]:
            yield "word", found["word"]
    if depth:
        raise InputError("the PDN text ends within a variation: a ) is missing")


def _record(number: int, tags: dict[str, str], moves: list[str], result: str) -> Record:
    """One game, played move by move."""
    kind = tags.get("GameType", GAME_TYPE).split(",")[0].strip()
    if kind != GAME_TYPE:
        raise InputError(
            f"game {number} has GameType {excerpt(kind)}; only English draughts, {GAME_TYPE}, is read here"
        )
    try:
        start = State(*read_fen(tags["FEN"])) if "FEN" in tags else _GAME.initial()
    except InputError as error:
        raise InputError(f"game {number}, tag FEN: {error}") from None
    state = start
    actions = []
    for ply, move in enumerate(moves, 1):
        try:
            # Strong and weak moves are marked: 11-15! 24-19?
            actions.append(_GAME.parse_action(state, move.rstrip("!?")))
        except InputError as error:
            raise InputError(f"game {number}, ply {ply}: {error}") from None
        state = _GAME.result(state, actions[-1])
    return Record(start, tuple(actions), result if result in RESULTS else "*", tags)
