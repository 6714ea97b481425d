"""Backgammon as text: boards, the position IDs of GNU Backgammon, dice, and turns such as `8/5 6/5`."""

import base64
import binascii
import re
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from gametree.board.data import Board, Cell, Piece, discs
from gametree.errors import InputError
from gametree.games.backgammon.board import (
    BAR,
    MASK,
    NO_DICE,
    OPENING,
    PASS,
    SOURCE,
    Side,
    State,
    added,
    number,
)

if TYPE_CHECKING:
    from gametree.games.backgammon.rules import Backgammon

NAMES: Final = "XO"
PIECES: Final = discs("white", "black")
CHECKERS: Final = 15
ROWS: Final = 5
TOP: Final = (*range(13, 19), BAR, *range(19, 25))
BOTTOM: Final = (*range(12, 6, -1), BAR, *range(6, 0, -1))
LONGEST: Final = 20_000
"""No text of a position has more characters."""
_ID: Final = re.compile(r"([A-Za-z0-9+/]{14})(?:\s+([XOxo]))?(?:\s+([1-6])\s*-?\s*([1-6]))?")
_MOVE: Final = re.compile(r"((?:bar|\d{1,2})(?:\s*/\s*(?:off|\d{1,2})\s*\*?)+)\s*(?:\(\s*(\d)\s*\))?")


# --- boards -----------------------------------------------------------------------------------------


def sides(state: State) -> tuple[Side, Side]:
    """The checkers of X and of O."""
    return (state.mine, state.theirs) if state.mover == 0 else (state.theirs, state.mine)


def draw(state: State, status: str) -> str:
    """The board as X sees it; more than five checkers are a number."""
    x, o = sides(state)

    def column(point: int, is_top: bool) -> list[str]:
        """The checkers of a column from the edge of the board inwards."""
        symbol = "O" if point == BAR and is_top else "X"
        count = number(o if symbol == "O" else x, point)
        if count == 0 and point != BAR:
            symbol, count = "O", number(o, BAR - point)
        shown = [symbol] * min(count, ROWS) + ["."] * (ROWS - count)
        return shown if count <= ROWS else [*shown[:-1], str(count)]

    def half(points: Sequence[int], is_top: bool) -> list[str]:
        columns = [column(point, is_top) for point in points]
        labels = ["bar" if point == BAR else str(point) for point in points]
        lines = [labels, *([column[row] for column in columns] for row in range(ROWS))]
        lines = lines if is_top else lines[::-1]
        return [" ".join(word.rjust(3 if i == 6 else 2) for i, word in enumerate(line)) for line in lines]

    off = f"off: X {number(x, 0)}, O {number(o, 0)}"
    return "\n".join([*half(TOP, True), "", *half(BOTTOM, False), off, status])


def board(state: State, mover: int | None, status: str) -> Board:
    """The same as data. Points are numbered as X does; bar, what was borne off, and the dice lie beside the board."""
    both = sides(state)
    cells = []
    for y, points in enumerate((TOP, BOTTOM)):
        for x, point in enumerate(points):
            if point != BAR:
                counts = (number(both[0], point), number(both[1], BAR - point))
                cells.append(_stack_of(str(point), counts, x, y))
    beside = []
    for who, name in enumerate(NAMES):
        for place, point in (("bar", BAR), ("off", 0)):
            count = number(both[who], point)
            beside.append(
                Cell(f"{place} {name}", piece=PIECES[name] if count else None, count=count, owner=who)
            )
    thrown = divmod(state.dice, 10) if state.dice > OPENING else (0, 0)
    for at, die in enumerate(thrown, 1):
        beside.append(Cell(f"die {at}", piece=Piece(str(die), shape="die") if die else None))
    pieces = tuple(PIECES.values())
    return Board("points", tuple(cells), tuple(beside), pieces, ground="wood", mover=mover, status=status)


def _stack_of(point: str, counts: tuple[int, int], x: int, y: int) -> Cell:
    who = 0 if counts[0] else 1
    return Cell(point, x, y, PIECES[NAMES[who]] if counts[who] else None, counts[who])


def touched(state: State, action: int) -> tuple[str, ...]:
    """The places of a turn, checker by checker, and the bar of the other where one is hit; of a throw the dice."""
    if state.dice <= OPENING:
        return "die 1", "die 2"
    mine, theirs = NAMES[state.mover], NAMES[1 - state.mover]

    def place(point: int) -> str:
        if point in (0, BAR):
            return f"{'off' if point == 0 else 'bar'} {mine}"
        return str(point if state.mover == 0 else BAR - point)

    turn = steps(state, action)
    hit = [f"bar {theirs}"] if any(step.hit for step in turn) else []
    return tuple([place(point) for step in turn for point in (step.source, step.target)] + hit)


def is_board(text: str) -> bool:
    """Whether a text looks like a board that was drawn."""
    return len(text.strip().splitlines()) > 2


def read_board(text: str) -> State:
    """The state from what `draw` prints."""
    lines = [line.split() for line in text[:LONGEST].strip().splitlines() if line.strip()]
    rows = [line for line in lines if len(line) == len(TOP) and not {"13", "12"} & set(line[:1])]
    if len(rows) != 2 * ROWS:
        raise InputError(
            f"a board has {2 * ROWS} rows of {len(TOP)} places, as `show` prints it; this text has {len(rows)}"
        )
    counts = ([0] * 26, [0] * 26)
    for points, stacks in ((TOP, zip(*rows[:ROWS])), (BOTTOM, zip(*rows[: ROWS - 1 : -1]))):
        for point, stack in zip(points, stacks):
            who, count = _stack(point, stack)
            counts[who][point if who == 0 or point == BAR else BAR - point] += count
    rest = " ".join(" ".join(line) for line in lines if line not in rows)
    said = re.search(r"off: X (\d+), O (\d+)", rest)
    for who in (0, 1):
        counts[who][0] = CHECKERS - sum(counts[who])
        if said and int(said[who + 1]) != counts[who][0]:
            raise InputError(
                f"{NAMES[who]} has {sum(counts[who][1:])} checkers on the board and {said[who + 1]} off: they are not"
                f" {CHECKERS} together"
            )
    if re.search(r"both throw a die", rest):
        return _state(counts, 0, OPENING)
    turn = re.search(r"\b([XO]) (?:to throw|would be the next|to play ([1-6])-([1-6]))", rest)
    if not turn:
        raise InputError("the text does not say who moves: end it with `X to throw` or `X to play 3-1`")
    return _state(counts, NAMES.index(turn[1]), _dice(turn[2], turn[3]))


def _stack(point: int, stack: Sequence[str]) -> tuple[int, int]:
    """Whose checkers are in a column, and how many."""
    place = "the bar" if point == BAR else f"point {point}"
    symbols = {symbol.upper() for symbol in stack} - {".", "-"}
    numbers = {symbol for symbol in symbols if symbol.isascii() and symbol.isdigit()}
    owners = symbols - numbers
    if not symbols:
        return 0, 0
    if len(owners) != 1 or not owners <= set(NAMES) or len(numbers) > 1:
        raise InputError(
            f"{' '.join(stack)[:40]!r} on {place} is no stack: it has X or O, dots, and perhaps a number"
        )
    count = sum(symbol.upper() in owners for symbol in stack)
    if numbers:
        (said,) = numbers
        count = min(int(said[:4]), CHECKERS + 1)
    return NAMES.index(owners.pop()), count


def _dice(first: str | None, second: str | None) -> int:
    if first is None or second is None:
        return NO_DICE
    high, low = max(first, second), min(first, second)
    return 10 * int(high) + int(low)


def _state(counts: tuple[list[int], list[int]], mover: int, dice: int) -> State:
    """The state with so many checkers on each point, which each side numbers for itself."""
    for who in (0, 1):
        if min(counts[who]) < 0 or sum(counts[who]) != CHECKERS:
            raise InputError(f"{NAMES[who]} has more than {CHECKERS} checkers on the board")
    for point in range(1, 25):
        if counts[0][point] and counts[1][BAR - point]:
            raise InputError(f"X and O both stand on point {point} of X")
    if counts[0][0] == counts[1][0] == CHECKERS:
        raise InputError("X and O cannot both have borne off everything")
    if counts[mover][0] == CHECKERS:
        raise InputError(f"{NAMES[mover]} has borne off everything and cannot be the one to move")
    if counts[1 - mover][0] == CHECKERS:
        dice = NO_DICE
    mine, theirs = (_side(counts[who]) for who in (mover, 1 - mover))
    return State(mine, theirs, mover, dice)


def _side(counts: Sequence[int]) -> Side:
    side = Side(0, 0)
    for point, count in enumerate(counts):
        for _ in range(count):
            side = added(side, point)
    return side


# --- position IDs -----------------------------------------------------------------------------------


def write_id(state: State) -> str:
    """The position ID of GNU Backgammon: the checkers, as seen by the player to move, without dice.

    >>> from gametree.games.backgammon.rules import Backgammon
    >>> write_id(Backgammon().initial())
    '4HPwATDgc/ABMA'
    """
    bits = "".join(
        "1" * number(side, point) + "0" for side in (state.theirs, state.mine) for point in range(1, 26)
    )
    word = int(bits.ljust(80, "0")[::-1], 2)
    return base64.b64encode(word.to_bytes(10, "little")).decode().rstrip("=")


def is_id(text: str) -> bool:
    """Whether a text looks like a position ID, perhaps with who moves and dice."""
    return _ID.fullmatch(text.strip()) is not None


def read_id(text: str) -> State:
    """The state from a position ID, then X or O for who moves (X where it is left out), then the dice."""
    said = _ID.fullmatch(text.strip())
    if said is None:
        raise InputError(
            f"{text.strip()[:40]!r} is no position ID: it has 14 letters, such as 4HPwATDgc/ABMA"
        )
    try:
        word = int.from_bytes(base64.b64decode(said[1] + "==", validate=True), "little")
    except (binascii.Error, ValueError):
        raise InputError(f"{said[1]} is no position ID") from None
    runs = f"{word:080b}"[::-1].split("0")[:50]
    if len(runs) < 50:
        raise InputError(f"{said[1]} is no position ID: it has too many checkers")
    theirs, mine = ([0, *map(len, runs[at : at + 25])] for at in (0, 25))
    for counts in (mine, theirs):
        counts[0] = CHECKERS - sum(counts)
    mover = NAMES.index((said[2] or "X").upper())
    return _state((mine, theirs) if mover == 0 else (theirs, mine), mover, _dice(said[3], said[4]))


# --- dice and turns ---------------------------------------------------------------------------------


def read_dice(text: str, outcomes: Sequence[int]) -> int:
    """The throw from "3-1", "31" or "3 1"; the order counts only where it has a meaning."""
    said = re.fullmatch(r"\s*([1-6])\s*[-,x ]?\s*([1-6])\s*", text)
    if not said:
        raise InputError(f"{text.strip()[:40]!r} is no throw of two dice: write 3-1")
    for first, second in ((said[1], said[2]), (said[2], said[1])):
        if int(first + second) in outcomes:
            return int(first + second)
    raise InputError(f"{said[1]}-{said[2]}: at the beginning the dice differ, the higher one begins")


class Step(NamedTuple):
    """One checker, one die."""

    source: int
    target: int
    hit: bool


def steps(state: State, action: int) -> list[Step]:
    """What an action does, the farthest checker first."""
    dice = (state.dice // 10, *(state.dice % 10,) * 3)
    targets = set()
    found = []
    moves = [(action >> SOURCE * i & MASK, die) for i, die in enumerate(dice)]
    for source, die in sorted((move for move in moves if move[0]), reverse=True):
        target = max(0, source - die)
        hit = target > 0 and number(state.theirs, BAR - target) == 1 and target not in targets
        targets.add(target)
        found.append(Step(source, target, hit))
    return found


def write_turn(state: State, action: int) -> str:
    """A turn as people write it: `24/18*/14`, `8/5(2) 6/3`."""
    if action == PASS:
        return "pass"
    paths: list[list[Step]] = []
    for step in steps(state, action):
        # A checker that goes on is written as one move, unless it only takes another's place.
        path = next((one for one in paths if one[-1].target == step.source and len(one) < 4), None)
        if path is None:
            paths.append([step])
        else:
            path.append(step)
    words = [_path(path) for path in paths]
    # Of checkers that go the same way the first one hits.
    counts = Counter(word.replace("*", "") for word in words)
    told = {word.replace("*", ""): word for word in reversed(words)}
    return " ".join(told[way] + (f"({count})" if count > 1 else "") for way, count in counts.items())


def _path(path: Sequence[Step]) -> str:
    """A checker's way; where it hits nothing in between, only its ends are told."""
    stops = [step for i, step in enumerate(path) if step.hit or i == len(path) - 1]
    source = "bar" if path[0].source == BAR else str(path[0].source)
    return "/".join([source, *(_target(step) for step in stops)])


def _target(step: Step) -> str:
    return ("off" if step.target == 0 else str(step.target)) + ("*" if step.hit else "")


def read_turn(state: State, text: str, legal: Sequence[int]) -> int:
    """The legal turn that a text names."""
    wanted = " ".join(text.lower().replace(",", " ").split())[:200]
    if wanted in ("pass", "no move", "cannot move", "-", "—"):
        if PASS in legal:
            return PASS
        raise InputError(f"who can move has to; legal are: {_some(state, legal)}")
    read = _MOVE.findall(wanted)
    if not read or _MOVE.sub("", wanted).strip():
        raise InputError(
            f"{wanted[:40]!r} is no turn: write 8/5 6/5, bar/22, 13/7*, 6/off or 6/5(2);"
            f" legal are: {_some(state, legal)}"
        )
    change, stops, hits = _effect(read)
    turns = {action: steps(state, action) for action in legal}
    meant = [a for a, turn in turns.items() if _change(turn) == change and hits <= _hits(turn)]
    if len(meant) > 1:
        # The turns differ in what is hit on the way: the points in between tell; who names none means no hit.
        meant = [a for a in meant if stops <= {step.target for step in turns[a]}] or meant
        if all(path.count("/") == 1 for path, _ in read):
            least = min(len(_hits(turns[a])) for a in meant)
            meant = [a for a in meant if len(_hits(turns[a])) == least]
    if len(meant) == 1:
        return meant[0]
    if meant:
        ways = " or ".join(write_turn(state, action) for action in meant)
        raise InputError(f"{wanted!r} can be played in more ways than one: write {ways}")
    raise InputError(f"{wanted!r} is not legal with these dice; legal are: {_some(state, legal)}")


def _hits(turn: Sequence[Step]) -> set[int]:
    return {step.target for step in turn if step.hit}


def _some(state: State, legal: Sequence[int]) -> str:
    return ", ".join(write_turn(state, action) for action in legal[:20]) + (", …" if len(legal) > 20 else "")


def _effect(read: Sequence[tuple[str, str]]) -> tuple[Counter[int], set[int], set[int]]:
    """How the numbers of checkers change, which points are touched, and which of them with a hit."""
    change: Counter[int] = Counter()
    stops: set[int] = set()
    hits: set[int] = set()
    for path, times in read:
        words = [word.strip() for word in path.split("/")]
        points = [_point(word.rstrip("* ")) for word in words]
        change[points[0]] -= int(times or 1)
        change[points[-1]] += int(times or 1)
        stops |= set(points[1:])
        hits |= {point for point, word in zip(points, words) if "*" in word}
    return Counter({point: n for point, n in change.items() if n}), stops, hits


def _point(word: str) -> int:
    return {"bar": BAR, "off": 0}.get(word, int(word) if word.isdigit() else -1)


def _change(moved: Sequence[Step]) -> Counter[int]:
    change: Counter[int] = Counter()
    for step in moved:
        change[step.source] -= 1
        change[step.target] += 1
    return Counter({point: n for point, n in change.items() if n})


def read_game(game: "Backgammon", text: str) -> State:
    """The state after throws and turns, "31 8/5 6/5 42 pass". The first throw is X's die and O's."""
    state = game.initial()
    words = text[:LONGEST].split()
    at = 0
    while at < len(words):
        end = at + 1
        if state.dice > OPENING and not game.is_terminal(state):
            while end < len(words) and not re.fullmatch(r"[1-6]-?[1-6]:?", words[end]):
                end += 1
        try:
            word = " ".join(words[at:end])
            state = game.result(state, game.parse_action(state, word.rstrip(":")))
        except InputError as error:
            raise InputError(
                f"word {at + 1} of the text: {error} (a position is a board, a position ID such as 4HPwATDgc/ABMA"
                " with who moves and the dice, or the game so far: 31 8/5 6/5)"
            ) from None
        at = end
    return state
