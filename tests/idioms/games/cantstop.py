# mypy: ignore-errors
# ruff: noqa
"""A race with an enum of dice choices, keyword-only helper arguments, dict lookups, sorted with key."""
from enum import IntEnum, Enum, auto
from typing import NamedTuple
import gametree as gt

class Phase(Enum):
    CHOOSE = auto()
    MOVE = auto()

class Card(IntEnum):
    ONE = 1
    TWO = 2
    FIVE = 5

BONUS = {3: 2, 6: -1, 9: 3}

class Race(NamedTuple):
    places: tuple
    phase: Phase
    chosen: Card
    mover: int
    used: frozenset

def advance(place, *, by, limit=10):
    place = min(place + by, limit)
    return min(max(place + BONUS.get(place, 0), 0), limit)

class CardRace(gt.Game):
    payoffs = (-1, 1)
    def initial(self):
        return Race((0, 0), Phase.CHOOSE, Card.ONE, 0, frozenset())
    def player(self, s):
        return s.mover
    def actions(self, s):
        if s.phase is Phase.CHOOSE:
            left = [card for card in Card if (s.mover, card) not in s.used]
            return sorted(left, key=lambda card: -card)
        return [0, 1]
    def result(self, s, a):
        if s.phase is Phase.CHOOSE:
            return s._replace(phase=Phase.MOVE, chosen=a)
        who = s.mover if a == 0 else 1 - s.mover
        step = s.chosen if a == 0 else -s.chosen
        places = tuple(advance(x, by=step) if i == who else x for i, x in enumerate(s.places))
        return Race(places, Phase.CHOOSE, Card.ONE, 1 - s.mover, s.used | {(s.mover, s.chosen)})
    def is_terminal(self, s):
        return len(s.used) == 6 or max(s.places) >= 10
    def utility(self, s, p):
        mine, theirs = s.places[p], s.places[1 - p]
        return (mine > theirs) - (mine < theirs)
GAME = CardRace
DEPTH = None
