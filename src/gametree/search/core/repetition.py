"""The path from the root to where a search is, and what the rule on positions that recur makes of it.

A key for each ply tells which positions the path has been through; the states before the root are there with how often
they occurred. Where the rule is a draw, a position that recurs on the path is one at its first recurrence: who can win
need not go in circles, and who cannot is not helped by a second round. Elsewhere occurrences are counted.

A value that rests on a recurrence above its own state belongs to this path only. `taint` says how far up such a
recurrence reaches, so that searches with a table do not remember what is true on one path alone.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from gametree.game import Game
from gametree.kernel.clock import BY_RULES, Clock
from gametree.kernel.keys import MASK, mix, signed
from gametree.kernel.memory import Memory
from gametree.kernel.primitives import NOTHING, WIN, Ints, recurrence
from gametree.search.core.memory import Sparse

NO_RULE, DRAW, LOSS, WIN_FOR_MOVER, FORBID = range(5)
_RULES = {"draw": DRAW, "loss": LOSS, "win": WIN_FOR_MOVER, "forbid": FORBID}

CLEAN = 1 << 30
"""A taint below every ply."""
NOWHERE = -1


class Path(Memory):
    """What a kernel knows of the way it has come."""

    places: Ints
    """Which action it is looking at, by its place in the order of `actions`, at every ply or depth."""
    keys: Ints
    """The key of the state at every ply, in games with a rule on positions that recur."""
    seen: Ints
    """The states before the root, by their keys: a key, how often it occurred; as many as `mask` + 1."""
    mask: int
    """0 where no state before the root matters."""
    rule: int = NO_RULE
    times: int
    """How often a position has to occur."""
    even: float
    """The payoff of a draw, and the least and the greatest one; to player 0."""
    low: float
    high: float
    declared: bool
    """Whether the game declares these two."""
    taint: int = CLEAN
    full_depth: int
    """How deep the search is in all, for kernels that count the plies that remain."""


def recurs(game: Any, state: Any, plies: int, path: Path) -> int:
    """At which ply above it a state was before, CLEAN where the game itself had it; NOWHERE where the rule is silent.

    Puts the state on the path.
    """
    key = recurrence(game, state)
    keys = path.keys
    keys[plies] = key
    found = NOWHERE
    times = 0
    for ply in range(plies - 1, -1, -1):
        if keys[ply] == key:
            if found == NOWHERE:
                found = ply
            times += 1
            if path.rule == DRAW:
                return found
    if path.mask != 0:
        before = occurrences(key, path)
        if before > 0:
            times += before
            if found == NOWHERE:
                found = CLEAN
    return found if times >= path.times - 1 else NOWHERE


def occurrences(key: int, path: Path) -> int:
    """How often the game had a position before the root."""
    seen, mask = path.seen, path.mask
    place = key & mask
    while seen[2 * place + 1] != 0:
        if seen[2 * place] == key:
            return seen[2 * place + 1]
        place = place + 1 & mask
    return 0


def bars(game: Any, state: Any, depth: int, path: Path) -> bool:
    """Whether the rule applies to a child of a node from which `depth` plies are left, in a search of whole depths."""
    return recurs(game, state, path.full_depth - depth + 1, path) != NOWHERE


def dead_end(clock: Clock) -> float:
    """Stops a search at a state from which every action leads to a position that must not recur."""
    clock.stop = BY_RULES
    return NOTHING


def note(found: int, path: Path) -> None:
    """Tells the states above that a value rests on a recurrence at ply `found`."""
    if found < path.taint:
        path.taint = found


def payoff(mover: int, path: Path) -> float:
    """What player 0 gets where `mover` has brought about a position once more."""
    if path.rule == DRAW:
        return path.even
    return path.low if (path.rule == LOSS) == (mover == 0) else path.high


def score(mover: int, plies: int, path: Path) -> float:
    """The same on the scale where wins and losses count by distance."""
    if path.rule == DRAW or not path.declared:
        return payoff(mover, path)
    return plies - WIN if (path.rule == LOSS) == (mover == 0) else WIN - plies


# --- before the search --------------------------------------------------------------------------------


class Past:
    """What a search has to know of the states before its root, in a game with a rule on positions that recur."""

    def __init__(self, game: Game, state: Any, history: Sequence[Any], plies: int):
        """`plies`: how long a path can become."""
        assert game.repetition is not None
        what, times = game.repetition
        low, high = game.payoffs or (0.0, 0.0)
        counts = Counter(recurrence(game, earlier) for earlier in history)
        self._counts = {k: n for k, n in counts.items() if what != "draw" or n >= times - 1}
        self.salt: int = 0
        """Part of every key of a table: values that rest on what the game had before are of no use in another."""
        for key, count in sorted(self._counts.items()):
            self.salt ^= signed(mix(key + count & MASK))
        self.settled: bool = what == "draw"
        """Whether a value that rests on no recurrence above its state holds on every path."""
        self.often: bool = times > 2
        """Whether it takes more than one recurrence: then a move that leads back to the root is not a draw yet."""
        self.forbidding: bool = what == "forbid"
        """Whether the rule keeps players from going to some states."""
        self._plies = plies
        self._size = 1
        while self._counts and self._size < 2 * len(self._counts):
            self._size *= 2
        self._root = recurrence(game, state)
        self._rule = {
            "rule": _RULES[what],
            "times": times,
            "even": 0.0 if game.total is None else game.total / game.players,
            "low": low,
            "high": high,
            "mask": self._size - 1 if self._counts else 0,
            "declared": game.payoffs is not None,
        }

    def path(self, compiled: bool, places: Any) -> Path:
        """A path that begins at the root."""
        keys: Any = Sparse()
        seen: Any = [0] * (2 * self._size)
        if compiled:
            import numpy as np

            keys, seen = np.zeros(self._plies + 2, np.int64), np.zeros(2 * self._size, np.int64)
        keys[0] = self._root
        for key, count in self._counts.items():
            place = key & self._size - 1
            while seen[2 * place + 1] != 0:
                place = place + 1 & self._size - 1
            seen[2 * place], seen[2 * place + 1] = key, count
        return Path.allocate(compiled, places=places, keys=keys, seen=seen, **self._rule)

    def forbids(self, game: Game, child: Any, path: Path, plies: int = 1) -> bool:
        """Whether the rule does not let a player go to a state `plies` below the root."""
        return self.forbidding and not game.is_terminal(child) and recurs(game, child, plies, path) != NOWHERE
