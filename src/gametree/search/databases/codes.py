"""What a database says of a place, as a small number.

    0           no state has this place
    1           a draw
    2 + 2 n     the player who moves wins in n plies
    3 + 2 n     the player who moves loses in n plies

Four of them share a word: place p has the 16 bits from 16 · (p mod 4) on in word p // 4, of which the highest is 0.
"""

from typing import Final

from gametree.kernel.primitives import Ints

NONE: Final = 0
DRAW: Final = 1
WIN: Final = 2
LOSS: Final = 3
MOST_PLIES: Final = (1 << 14) - 2
"""No win takes longer."""
UNKNOWN: Final = -1
"""No code: there is no database for a state."""


def read(codes: Ints, start: int, place: int) -> int:
    """The code of a place; its slice begins at the word `start`."""
    return codes[start + (place >> 2)] >> ((place & 3) << 4) & 0x7FFF


def write(codes: Ints, start: int, place: int, code: int) -> None:
    """Puts a code where there is none yet."""
    codes[start + (place >> 2)] |= code << ((place & 3) << 4)


def plies_of(code: int) -> int:
    """In how many plies the game is decided; only for a win or a loss."""
    return code - 2 >> 1


def is_win(code: int) -> bool:
    """Whether the player who moves wins."""
    return code > DRAW and code & 1 == 0


def is_loss(code: int) -> bool:
    """Whether the player who moves loses."""
    return code > DRAW and code & 1 == 1


def won_in(plies: int) -> int:
    """The code of a win."""
    return WIN + 2 * plies


def lost_in(plies: int) -> int:
    """The code of a loss."""
    return LOSS + 2 * plies
