# mypy: ignore-errors
# ruff: noqa
"""A trick-taking duel: hands are frozensets of card names, trumps in a dict."""
from dataclasses import dataclass
from typing import Optional
import gametree as gt

RANK = {"7": 0, "8": 1, "9": 2, "J": 3, "Q": 4, "K": 5, "A": 6}

@dataclass(frozen=True)
class Deal:
    hands: tuple[frozenset[str], frozenset[str]]
    led: Optional[str]
    leader: int
    tricks: tuple[int, int]

def suit(card):
    return card[1]

def beats(a, b, trump):
    if suit(a) == suit(b):
        return RANK[a[0]] > RANK[b[0]]
    return suit(a) == trump

class Whist(gt.Game):
    total = 0
    trump = "h"
    def initial(self):
        return Deal((frozenset({"7s", "As", "Kh", "9d"}), frozenset({"8s", "Qh", "Jd", "Ah"})), None, 0, (0, 0))
    def player(self, s):
        return s.leader if s.led is None else 1 - s.leader
    def actions(self, s):
        hand = s.hands[self.player(s)]
        if s.led is None:
            return sorted(hand)
        follow = [c for c in hand if suit(c) == suit(s.led)]
        return sorted(follow) if follow else sorted(hand)
    def result(self, s, card):
        me = self.player(s)
        hands = tuple(h - {card} if i == me else h for i, h in enumerate(s.hands))
        if s.led is None:
            return Deal(hands, card, s.leader, s.tricks)
        winner = me if beats(card, s.led, self.trump) else s.leader
        tricks = tuple(t + 1 if i == winner else t for i, t in enumerate(s.tricks))
        return Deal(hands, None, winner, tricks)
    def is_terminal(self, s):
        return not s.hands[0] and not s.hands[1]
    def utility(self, s, p):
        return s.tricks[p] - s.tricks[1 - p]
GAME = Whist
DEPTH = None
