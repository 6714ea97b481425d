"""Positions that recur: what the rule of a game makes of them, on the path of a search and in the game before it.

The path of a search is in the ledger, a key for each ply from the root on; the states before the root are there with
how often they occurred. Where the rule is a draw, a position that recurs on the path is one at its first recurrence:
who can win need not go in circles, and who cannot is not helped by a second round. Elsewhere occurrences are counted.

A value that rests on a recurrence above its own state belongs to this path only. `TAINT` says how far up such a
recurrence reaches, so that searches with a table do not remember what is true on one path alone.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from gametree.game import Game
from gametree.kernel.keys import MASK as WORD
from gametree.kernel.keys import mix, signed
from gametree.kernel.primitives import BY_RULES, NOTHING, STOP, WIN, Ints, bits, recurrence, unbits

RULE, TIMES, EVEN, LOW, HIGH, TAINT, KEYS, SEEN, MASK, DECLARED, FULL_DEPTH = range(9, 20)
NO_RULE, DRAW, LOSS, WIN_FOR_MOVER, FORBID = range(5)
_RULES = {"draw": DRAW, "loss": LOSS, "win": WIN_FOR_MOVER, "forbid": FORBID}

CLEAN = 1 << 30
"""A taint below every ply."""
NOWHERE = -1


def recurs(game: Any, state: Any, plies: int, ledger: Ints) -> int:
    """At which ply above it a state was before, CLEAN where the game itself had it; NOWHERE where the rule is silent.

    Puts the state on the path.
    """
    key = recurrence(game, state)
    keys = ledger[KEYS]
    ledger[keys + plies] = key
    found = NOWHERE
    times = 0
    for at in range(keys + plies - 1, keys - 1, -1):
        if ledger[at] == key:
            if found == NOWHERE:
                found = at - keys
            times += 1
            if ledger[RULE] == DRAW:
                return found
    if ledger[MASK] != 0:
        before = occurrences(key, ledger)
        if before > 0:
            times += before
            if found == NOWHERE:
                found = CLEAN
    return found if times >= ledger[TIMES] - 1 else NOWHERE


def occurrences(key: int, ledger: Ints) -> int:
    """How often the game had a position before the root."""
    seen, mask = ledger[SEEN], ledger[MASK]
    place = key & mask
    while ledger[seen + 2 * place + 1] != 0:
        if ledger[seen + 2 * place] == key:
            return ledger[seen + 2 * place + 1]
        place = place + 1 & mask
    return 0


def bars(game: Any, state: Any, depth: int, ledger: Ints) -> bool:
    """Whether the rule applies to a child of a node from which `depth` plies are left, in a search of whole depths."""
    return recurs(game, state, ledger[FULL_DEPTH] - depth + 1, ledger) != NOWHERE


def dead_end(ledger: Ints) -> float:
    """Stops a search at a state from which every action leads to a position that must not recur."""
    ledger[STOP] = BY_RULES
    return NOTHING


def note(found: int, ledger: Ints) -> None:
    """Tells the states above that a value rests on a recurrence at ply `found`."""
    if found < ledger[TAINT]:
        ledger[TAINT] = found


def payoff(mover: int, ledger: Ints) -> float:
    """What player 0 gets where `mover` has brought about a position once more."""
    if ledger[RULE] == DRAW:
        return unbits(ledger[EVEN])
    if (ledger[RULE] == LOSS) == (mover == 0):
        return unbits(ledger[LOW])
    return unbits(ledger[HIGH])


def score(mover: int, plies: int, ledger: Ints) -> float:
    """The same on the scale where wins and losses count by distance."""
    if ledger[RULE] == DRAW or ledger[DECLARED] == 0:
        return payoff(mover, ledger)
    return plies - WIN if (ledger[RULE] == LOSS) == (mover == 0) else WIN - plies


# --- before the search --------------------------------------------------------------------------------


class Past:
    """What a search has to know of the states before its root."""

    def __init__(self, game: Game, state: Any, history: Sequence[Any], plies: int):
        """`plies`: how long a path can become."""
        self._entries: dict[int, int] = {}
        self._counts: dict[int, int] = {}
        self._plies = plies
        self.room = 0
        self.salt = 0
        """Part of every key of a table: values that rest on what the game had before are of no use in another."""
        self.often = False
        """Whether it takes more than one recurrence: then a move that leads back to the root is not a draw yet."""
        self.settled = True
        """Whether a value that rests on no recurrence above its state holds on every path."""
        if game.repetition is None:
            return
        what, times = game.repetition
        low, high = game.payoffs or (0.0, 0.0)
        even = 0.0 if game.total is None else game.total / 2
        counts = Counter(recurrence(game, earlier) for earlier in history)
        telling = {k: n for k, n in counts.items() if what != "draw" or n >= times - 1}
        for key, count in sorted(telling.items()):
            self.salt ^= signed(mix(key + count & WORD))
        self.settled = what == "draw"
        self.often = times > 2
        size = 1
        while telling and size < 2 * len(telling):
            size *= 2
        self._counts = telling
        self._size = size
        self.room = plies + 2 + 2 * size
        self._root = recurrence(game, state)
        self._entries = {
            RULE: _RULES[what],
            TIMES: times,
            EVEN: bits(float(even)),
            LOW: bits(float(low)),
            HIGH: bits(float(high)),
            TAINT: CLEAN,
            MASK: size - 1 if telling else 0,
            DECLARED: int(game.payoffs is not None),
        }

    def furnish(self, ledger: Any, at: int) -> None:
        """Writes the rule, the root and the states before it into a ledger, from index `at` on."""
        if not self._entries:
            return
        for place, word in self._entries.items():
            ledger[place] = word
        ledger[KEYS] = at
        ledger[at] = self._root
        seen = ledger[SEEN] = at + self._plies + 2
        mask = self._size - 1
        for key, count in self._counts.items():
            place = key & mask
            while ledger[seen + 2 * place + 1] != 0:
                place = place + 1 & mask
            ledger[seen + 2 * place] = key
            ledger[seen + 2 * place + 1] = count

    def forbids(self, game: Game, child: Any, ledger: Any, plies: int = 1) -> bool:
        """Whether the rule does not let a player go to a state `plies` below the root."""
        return (
            self.may_forbid(game)
            and not game.is_terminal(child)
            and recurs(game, child, plies, ledger) != NOWHERE
        )

    @staticmethod
    def may_forbid(game: Game) -> bool:
        """Whether the rule keeps players from going to some states."""
        return game.repetition is not None and game.repetition[0] == "forbid"
