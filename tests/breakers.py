"""A hundred games with a slip, as people make them; each is the sound game below but for a line or two.

`REFUSED`: every search has to say so. Of the others a search may also give the answer that Python gives, or an error
that is the rules' own.
"""

# mypy: ignore-errors

import dataclasses
import decimal
import fractions
import math
import random
from typing import NamedTuple

import numpy as np

import gametree as gt


class Sound(gt.Game):
    """Take one or two of seven; who takes the last wins."""

    payoffs = (-1, 1)

    def initial(self):
        return (7, 0)

    def player(self, s):
        return s[1]

    def actions(self, s):
        return range(1, min(2, s[0]) + 1)

    def result(self, s, a):
        return (s[0] - a, 1 - s[1])

    def is_terminal(self, s):
        return s[0] == 0

    def utility(self, s, p):
        return -1 if p == s[1] else 1


class Dice(Sound):
    """Before each turn a coin says whether one or two may be taken at most."""

    def initial(self):
        return (5, 0, 0)

    def player(self, s):
        return s[1] if s[2] else gt.CHANCE

    def chance(self, s):
        return [(1, 0.5), (2, 0.5)]

    def actions(self, s):
        return range(1, min(s[2], s[0]) + 1)

    def result(self, s, a):
        return (s[0] - a, 1 - s[1], 0) if s[2] else (s[0], s[1], a)


BREAKERS: dict[str, type[gt.Game]] = {}
REFUSED: set[str] = set()


def slip(cls):
    BREAKERS[cls.__name__] = cls
    return cls


def refused(cls):
    REFUSED.add(cls.__name__)
    return slip(cls)


def _class(name, base=Sound, refuse=True, **members):
    """A game with other members."""
    made = type(base)(name, (base,), {"__module__": __name__, **members})
    globals()[name] = made
    (refused if refuse else slip)(made)


# --- a `return` is missing, or something else is returned --------------------------------------------


@refused
class ActionsNothing(Sound):
    def actions(self, s):
        range(1, min(2, s[0]) + 1)


@refused
class ResultNothing(Sound):
    def result(self, s, a):
        (s[0] - a, 1 - s[1])


@refused
class PlayerNothing(Sound):
    def player(self, s):
        s[1]


@refused
class TerminalNothing(Sound):
    def is_terminal(self, s):
        s[0] == 0  # noqa: B015


@refused
class UtilityNothing(Sound):
    def utility(self, s, p):
        -1 if p == s[1] else 1


@refused
class InitialNothing(Sound):
    def initial(self):
        (7, 0)  # noqa: B018


@refused
class UtilityOnOnePath(Sound):
    def utility(self, s, p):  # noqa: RET503
        if p == s[1]:
            return -1


@refused
class EvaluateNothing(Sound):
    def evaluate(self, s, p):
        s[0]


@refused
class OrderNothing(Sound):
    def order(self, s, a):  # noqa: RET503
        if a == 3:
            return 1


@refused
class PriorNothing(Sound):
    def prior(self, s, a):
        pass


@refused
class ActionsANumber(Sound):
    def actions(self, s):
        return min(2, s[0])


@refused
class ActionsLists(Sound):
    def actions(self, s):
        return [[1]]

    def result(self, s, a):
        return (s[0] - a[0], 1 - s[1])


@refused
class ActionsEmpty(Sound):
    def actions(self, s):
        return range(1, min(2, s[0]))


@refused
class ActionsOnce(Sound):
    def __init__(self):
        self.given = iter((1, 1, 1, 1, 1, 1, 1))

    def actions(self, s):
        return self.given


@refused
class ActionsRandom(Sound):
    def actions(self, s):
        return [random.random(), 1]

    def result(self, s, a):
        return (s[0] - 1, 1 - s[1])


_class("ActionsEndless", refuse=False, actions=lambda self, s: _forever())


def _forever():
    while True:
        yield 1


@refused
class ResultAList(Sound):
    def result(self, s, a):
        return [s[0] - a, 1 - s[1]]


@refused
class ResultADict(Sound):
    def result(self, s, a):
        return {"left": s[0] - a, "turn": 1 - s[1]}


@refused
class ResultRandom(Sound):
    def result(self, s, a):
        return (s[0] - a, random.getrandbits(60) % 2)


@slip
class ResultLonger(Sound):
    def result(self, s, a):
        return (s[0] - a, 1 - s[1], a)


@slip
class ResultText(Sound):
    def result(self, s, a):
        return (str(s[0] - a), 1 - s[1])


@slip
class ResultMisspelt(Sound):
    def result(self, s, a):
        return (s[0] - actoin, 1 - s[1])  # noqa: F821


@slip
class ResultDividesByZero(Sound):
    def result(self, s, a):
        return (s[0] - a, (1 - s[1]) // (s[0] - 2))


@refused
class PlayerTwo(Sound):
    def player(self, s):
        return s[1] + 1


@refused
class PlayerNegative(Sound):
    def player(self, s):
        return s[1] - 2


@refused
class PlayerText(Sound):
    def player(self, s):
        return "XO"[s[1]]


@refused
class PlayerFloat(Sound):
    def player(self, s):
        return s[1] / 1


@refused
class PlayerChance(Sound):
    def player(self, s):
        return gt.CHANCE if s[0] == 7 else s[1]


@refused
class TerminalText(Sound):
    def is_terminal(self, s):
        return "no" if s[0] else "yes"


@refused
class TerminalGenerator(Sound):
    def is_terminal(self, s):
        return (x for x in s)


@refused
class TerminalMethod(Sound):
    def over(self):
        return True

    def is_terminal(self, s):
        return self.over


@slip
class TerminalNever(Sound):
    def is_terminal(self, s):
        return False

    def actions(self, s):
        return (0,)


@slip
class TerminalAtOnce(Sound):
    def is_terminal(self, s):
        return s[0] > 0


# --- payoffs ----------------------------------------------------------------------------------------

for _name, _given in {
    "UtilityText": "1",
    "UtilityNan": math.nan,
    "UtilityDecimal": decimal.Decimal(1),
    "UtilityPair": (1, -1),
    "UtilityComplex": 1j,
    "UtilityList": [1],
    "UtilityArray": np.array([1, -1]),
    "UtilityHuge": 10**400,
}.items():
    _class(_name, utility=lambda self, s, p, given=_given: given)
_class("UtilityInfinite", refuse=False, utility=lambda self, s, p: math.inf if p else -math.inf)
_class("UtilityFraction", refuse=False, utility=lambda self, s, p: fractions.Fraction(1 - 2 * (p == s[1])))


@refused
class UtilityBothWin(Sound):
    def utility(self, s, p):
        return 1


@refused
class UtilityWinOrNothing(Sound):
    def utility(self, s, p):
        return 0 if p == s[1] else 1


@refused
class UtilityForTheMover(Sound):
    def utility(self, s, p):
        return -1


for _name, _given in {
    "PayoffsANumber": 1,
    "PayoffsReversed": (1, -1),
    "PayoffsText": ("low", "high"),
    "PayoffsThree": (-1, 0, 1),
    "PayoffsNan": (math.nan, 1),
    "PayoffsNone": (None, None),
}.items():
    _class(_name, payoffs=_given)
_class("TotalText", total="zero")
_class("TotalNan", total=math.nan)
_class("PlayersNone", players=None)
_class("PlayersZero", players=0)
_class("PlayersText", players="two")
_class("PlayersFloat", players=2.0)


# --- chance -----------------------------------------------------------------------------------------

for _name, _odds in {
    "OddsTooLow": [(1, 0.4), (2, 0.5)],
    "OddsTooHigh": [(1, 0.6), (2, 0.5)],
    "OddsMissing": [1, 2],
    "OddsNan": [(1, math.nan), (2, 0.5)],
    "OddsNegative": [(1, -0.5), (2, 1.5)],
    "OddsText": [(1, "half"), (2, "half")],
    "OddsDecimal": [(1, decimal.Decimal("0.5")), (2, decimal.Decimal("0.5"))],
    "OddsNone": [(1, None), (2, 0.5)],
    "OddsNothing": None,
    "OddsEmpty": [],
    "OddsANumber": 0.5,
    "OddsTriples": [(1, 0.5, "one"), (2, 0.5, "two")],
    "OddsADict": {1: 0.5, 2: 0.5},
    "OddsLists": [([1], 0.5), ([2], 0.5)],
}.items():
    _class(_name, base=Dice, chance=lambda self, s, odds=_odds: odds)


# --- states, keys and the class ---------------------------------------------------------------------


class Box:
    """A state that changes."""

    def __init__(self, left, turn):
        self.left, self.turn = left, turn

    def __hash__(self):
        return hash((self.left, self.turn))

    def __eq__(self, other):
        return (self.left, self.turn) == (other.left, other.turn)

    def __repr__(self):
        return f"Box({self.left}, {self.turn})"


class Boxed(Sound):
    def initial(self):
        return Box(7, 0)

    def player(self, s):
        return s.turn

    def actions(self, s):
        return range(1, min(2, s.left) + 1)

    def is_terminal(self, s):
        return s.left == 0

    def utility(self, s, p):
        return -1 if p == s.turn else 1


@refused
class ChangesTheState(Boxed):
    def result(self, s, a):
        s.left -= a
        s.turn = 1 - s.turn
        return s


@refused
class ChangesAndCopies(Boxed):
    def result(self, s, a):
        s.left -= a
        return Box(s.left, 1 - s.turn)


@refused
class InitialAList(Sound):
    def initial(self):
        return [7, 0]


@refused
class InitialADict(Sound):
    def initial(self):
        return {"left": 7}


@refused
class KeyAList(Sound):
    def key(self, s):
        return [s[0], s[1]]


@refused
class KeyADict(Sound):
    def key(self, s):
        return {"left": s[0]}


@refused
class EvaluateText(Sound):
    def evaluate(self, s, p):
        return "good"


@refused
class EvaluateNan(Sound):
    def evaluate(self, s, p):
        return math.nan


@refused
class OrderText(Sound):
    def order(self, s, a):
        return str(a)


@refused
class PriorNegative(Sound):
    def prior(self, s, a):
        return -1


@refused
class PriorText(Sound):
    def prior(self, s, a):
        return "likely"


@refused
class ClockText(Sound):
    def clock(self, s):
        return "soon"


@refused
@dataclasses.dataclass
class DataGame(Sound):
    size: int = 7


@refused
class Slotted(Sound):
    __slots__ = ("size",)


class Pair(NamedTuple):
    left: int
    turn: int


@slip
class FieldMisspelt(Sound):
    def initial(self):
        return Pair(7, 0)

    def result(self, s, a):
        return s._replace(lefft=s.left - a)


@slip
class ChangesItself(Sound):
    def result(self, s, a):
        self.last = a
        return (s[0] - a, 1 - s[1])


@slip
class ShowNothing(Sound):
    def show(self, s):
        str(s)


@slip
class NameNothing(Sound):
    def name_action(self, s, a):
        str(a)


# --- memory, arithmetic, loops ----------------------------------------------------------------------


class Deep(Sound):
    """Something happens on the fourth ply only."""

    def initial(self):
        return (7, 0, 3, 0)

    def extra(self, x, ply):
        return x

    def result(self, s, a):
        return (s[0] - a, 1 - s[1], self.extra(s[2] + a, s[3]), s[3] + 1)


class Indexed(Deep):
    def __init__(self):
        self.table = np.arange(4)
        self.rows = np.arange(6).reshape(2, 3)
        self.cells = (1, 2, 3)


@slip
class OutsideAnArray(Indexed):
    def extra(self, x, ply):
        return int(self.table[ply + 1])


@slip
class FarOutsideAnArray(Indexed):
    def extra(self, x, ply):
        return int(self.table[10**12 * (ply == 3)])


@slip
class BeforeAnArray(Indexed):
    def extra(self, x, ply):
        return int(self.table[-1 - 2 * ply])


@slip
class OutsideARow(Indexed):
    def extra(self, x, ply):
        return int(self.rows[1, ply])


@slip
class OutsideATuple(Indexed):
    def extra(self, x, ply):
        return self.cells[ply]


@slip
class OutsideAList(Indexed):
    def extra(self, x, ply):
        cells = [x, x + 1]
        return cells[ply]


@slip
class OutsideTheState(Deep):
    def extra(self, x, ply):
        return (x, x, x)[x % (2 + ply)]


@slip
class WritesOutside(Indexed):
    def extra(self, x, ply):
        cells = [0, 0]
        cells[ply] = x
        return cells[0]


def down(n):
    return 0 if n == 0 else 1 + down(n - 1)


def there(n):
    return 0 if n == 0 else back(n - 1)


def back(n):
    return 1 if n == 1 else there(n - 1)


@slip
class EndlessHelper(Deep):
    def extra(self, x, ply):
        return down(-1 if ply == 3 else 2)


@slip
class EndlessPair(Deep):
    def extra(self, x, ply):
        return there(-1 if ply == 3 else 2)


@slip
class EndlessMethod(Deep):
    def sink(self, n):
        return 0 if n == 0 else self.sink(n - 1)

    def extra(self, x, ply):
        return self.sink(-1 if ply == 3 else 2)


@slip
class EndlessWhile(Deep):
    def extra(self, x, ply):
        while ply == 3:
            x = (5 * x + 1) % 1009
        return x


@slip
class EndlessWhileInActions(Deep):
    def actions(self, s):
        n = 0
        while s[3] == 3:
            n = (5 * n + 1) % 1009
        return range(1, min(2, s[0]) + 1)


@slip
class EndlessEvaluation(Deep):
    def evaluate(self, s, p):
        n = 0
        while s[3] == 3:
            n = (5 * n + 1) % 1009
        return 0.5 - p


@slip
class TooLargePower(Deep):
    def extra(self, x, ply):
        return 2 ** (70 if ply == 3 else 7) % 11


@slip
class TooLargeProduct(Deep):
    def extra(self, x, ply):
        return (x + 3) ** 9 * (x + 3) ** 9 % 1_000_003


@slip
class TooLargeShift(Deep):
    def extra(self, x, ply):
        return (1 << 60 << (10 if ply == 3 else 1)) >> 55


@slip
class TooLargeState(Deep):
    def extra(self, x, ply):
        return x * 2**25


@slip
class NegativeShift(Deep):
    def extra(self, x, ply):
        return 1 << 2 - ply


@slip
class LowestOfAll(Deep):
    def extra(self, x, ply):
        return abs(-(2**62) * (2 if ply == 3 else 1)) % 7


@slip
class NegativePower(Deep):
    def extra(self, x, ply):
        return int(4 * 2 ** (2 - ply))


class Small(NamedTuple):
    left: np.int8
    turn: int


@slip
class TooLargeForAField(Sound):
    def initial(self):
        return Small(np.int8(7), 0)

    def result(self, s, a):
        return Small(np.int8(s.left) - np.int8(a), 1 - s.turn)

    def utility(self, s, p):
        return -1 if (s.left * 100 + 300 > 0) == (p == s[1]) else 1


SOME = (
    "ActionsNothing",
    "ResultNothing",
    "PlayerTwo",
    "TerminalText",
    "UtilityBothWin",
    "UtilityDecimal",
    "PayoffsReversed",
    "PayoffsANumber",
    "OddsTooLow",
    "OddsMissing",
    "OrderNothing",
    "PriorNegative",
    "KeyAList",
    "ChangesTheState",
    "DataGame",
    "Slotted",
    "TooLargePower",
    "TooLargeState",
    "NegativeShift",
    "OutsideATuple",
    "EndlessHelper",
)
"""Those that are tried by default."""
