"""What a kernel may call besides the game's own methods.

Each function has a body for interpreted runs; `compiled/codegen/primitives.py` gives the same name a compiled one.
Annotations of kernel parameters use `Ints` and `Floats` for arrays.
"""

import math
import struct
from collections.abc import Iterable
from typing import Any

from gametree.game import FARTHEST, offers
from gametree.kernel.keys import signed, state_key
from gametree.kernel.marking import primitive

Ints = list[int]
"""A C-contiguous int64 array; interpreted, a list."""
Floats = list[float]
"""A C-contiguous float64 array; interpreted, a list."""

WIN = float(1 << 52)
"""A score beyond every evaluation: a win in n plies is WIN − n, exactly."""
WON = float(1 << 51)
"""Scores from here on are wins."""
NOTHING = float("nan")
NEVER = 1 << 40
"""The clock of a game that no rule ends."""


class Choice:
    """A kernel function that depends on what a game offers; compiled code holds only the one that applies."""

    def __init__(self, member: str, offered: Any, otherwise: Any):
        self.member = member
        self.offered = offered
        self.otherwise = otherwise

    def of(self, game: Any) -> Any:
        """The function for this game."""
        return self.offered if offers(game, self.member) else self.otherwise

    def __call__(self, game: Any, *arguments: Any) -> Any:
        return self.of(game)(game, *arguments)


@primitive
def estimate(game: Any, state: Any) -> float:
    """The game's evaluation for player 0; `nan` where it has none."""
    return float(game.evaluate(state, 0)) if offers(game, "evaluate") else float("nan")


@primitive
def estimate_for(game: Any, state: Any, player: int) -> float:
    """The game's evaluation for a player; `nan` where it has none."""
    return float(game.evaluate(state, player)) if offers(game, "evaluate") else float("nan")


@primitive
def outcome(game: Any, state: Any, plies: int) -> float:
    """The score of a terminal state that lies `plies` below the root: wins and losses count by distance."""
    payoff = float(game.utility(state, 0))
    if game.payoffs is None:
        return payoff
    low, high = game.payoffs
    if payoff >= high:
        return WIN - plies
    return plies - WIN if payoff <= low else payoff


@primitive
def store(value: Any, words: Ints, at: int) -> int:
    """Writes a state or an action into `words` from index `at`; returns the index behind it."""
    if isinstance(value, tuple):
        for part in value:
            at = store(part, words, at)
        return at
    words[at] = value
    return at + 1


# --- what a search with memory needs ----------------------------------------------------------------


@primitive
def action_words(game: Any) -> int:
    """How many items of a shelf an action takes."""
    return 1


@primitive
def keep(game: Any, action: Any, shelf: Any, at: int) -> None:
    """Puts an action on the shelf."""
    shelf[at] = action


@primitive
def take(game: Any, shelf: Any, at: int) -> Any:
    """The action that lies on the shelf at `at`."""
    return shelf[at]


@primitive
def bits(number: float) -> int:
    """The 64 bits of a float as a signed int."""
    return int(struct.unpack("=q", struct.pack("=d", number))[0])


@primitive
def unbits(word: int) -> float:
    """The float that 64 bits are."""
    return float(struct.unpack("=d", struct.pack("=q", word))[0])


@primitive
def above(number: float) -> float:
    """The next greater float: (x, above(x)) is the narrowest window."""
    return math.nextafter(number, math.inf)


@primitive
def identity(game: Any, state: Any) -> int:
    """The key under which a state is remembered, as a signed int; symmetric states share it."""
    key = state_key(game.key(state))
    if offers(game, "symmetries"):
        for image in game.symmetries(state):
            key = min(key, state_key(game.key(image)))
    return signed(key)


@primitive
def chance_outcomes(game: Any, state: Any) -> Iterable[tuple[Any, float]]:
    """The outcomes at a chance node, each with its probability; none in a game without chance."""
    return game.chance(state)  # type: ignore[no-any-return]


@primitive
def plies_left(game: Any, state: Any) -> int:
    """Plies until a rule ends the game whatever happens; NEVER where no rule does."""
    plies = game.clock(state)
    return NEVER if plies is None else int(plies)


@primitive
def passed(game: Any, state: Any) -> Any:
    """The state after passing; the state itself where passing is not sound to assume."""
    after = game.null(state)
    return state if after is None else after


@primitive
def threatened(game: Any, state: Any) -> bool:
    """Whether the mover has to answer a threat; never so in a game that does not say."""
    return bool(game.threatened(state))


@primitive
def threatens(game: Any, state: Any, action: Any) -> bool:
    """Whether the player after an action has to answer a threat."""
    return bool(game.threatens(state, action))


@primitive
def recurrence(game: Any, state: Any) -> int:
    """The key under which a position counts as repeated, as a signed int."""
    return signed(state_key(game.repetition_key(state)))


CODE_BITS = 12
CODES = 1 << CODE_BITS
"""How many codes of actions there are."""


@primitive
def action_code(action: Any) -> int:
    """A small number for an action, the same wherever it is played: 0 to CODES − 1.

    A number from 0 to CODES − 1 is its own code, so that no two of them share one.
    """
    if hasattr(action, "__index__"):
        return (int(action) ^ int(action) >> CODE_BITS) & CODES - 1
    return state_key(action) & CODES - 1


NUMBER_BITS = 40
"""What a line has room for beside the place of an action, in a word."""


@primitive
def action_number(action: Any) -> int:
    """An action that is a whole number from 0 to 2^NUMBER_BITS − 1; −1 for any other."""
    return action if type(action) is int and 0 <= action < 1 << NUMBER_BITS else -1


# --- what the exact solver needs --------------------------------------------------------------------


@primitive
def state_words(game: Any) -> int:
    """How many items of a shelf a state takes."""
    return 1


@primitive
def keep_state(game: Any, state: Any, shelf: Any, at: int) -> None:
    """Puts a state on the shelf."""
    shelf[at] = state


@primitive
def take_state(game: Any, shelf: Any, at: int) -> Any:
    """The state that lies on the shelf at `at`."""
    return shelf[at]


@primitive
def fetch(table: Ints, at: int) -> None:
    """Tells the processor that a place of a table will be read soon."""


@primitive
def prospects(game: Any, state: Any) -> tuple[int, int]:
    """Bounds on the final margin to the player to move; both are the margin at a terminal state."""
    low, high = game.prospects(state)
    return max(int(low), -FARTHEST), min(int(high), FARTHEST)


@primitive
def forced(game: Any, state: Any) -> Any:
    """The state after what is forced; the state itself where the game does not tell."""
    return game.forced(state)


@primitive
def likeness(game: Any, state: Any) -> int:
    """The key that states of one margin may share, as a signed int."""
    return signed(state_key(game.value_key(state))) if offers(game, "value_key") else identity(game, state)


# --- what Monte-Carlo tree search needs -------------------------------------------------------------


@primitive
def position(game: Any, state: Any) -> int:
    """The key of a state, as a signed int: equal ones have the same actions, so mirror images differ."""
    return signed(state_key(game.key(state)))


# --- what searches for hidden information need -------------------------------------------------------


@primitive
def signed_key(value: Any) -> int:
    """The key of anything that states are made of, as a signed int."""
    return signed(state_key(value))
