"""What a matrix game is written down with: nested lists of payoffs, names of players and of their choices."""

import math
import numbers
import re
import reprlib
from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from math import prod
from typing import Any, Final

from gametree.errors import InputError
from gametree.strategic import Form, exact

MOST_CELLS: Final = 1_000_000
_LONGEST: Final = 1_000
"""Of the text of a payoff; the fraction that a float is exactly takes less."""
_EXPONENTS: Final = 330
EXAMPLE: Final = "Matrix([[(-1, -1), (-3, 0)], [(0, -3), (-2, -2)]])"


def read_cells(cells: Any) -> tuple[tuple[int, ...], list[tuple[Fraction, ...]]]:
    """How many choices each player has, and the payoffs of each profile.

    >>> read_cells([[0, 1], [2, 3]])[0]
    (2, 2)
    """
    if hasattr(cells, "tolist"):
        cells = cells.tolist()
    shape, leaves = _flatten(cells)
    numbers_only = all(not isinstance(leaf, tuple) for leaf in leaves)
    if numbers_only and len(shape) > 2 and shape[-1] == len(shape) - 1:
        # Arrays and JSON have no tuples: the innermost lists are the payoffs.
        wide = shape[-1]
        leaves = [tuple(leaves[at : at + wide]) for at in range(0, len(leaves), wide)]
        shape, numbers_only = shape[:-1], False
    if numbers_only:
        if len(shape) != 2:
            raise InputError(
                f"the matrix has {len(shape)} level{'s' * (len(shape) != 1)} of lists and numbers in them: two levels"
                " of numbers are a zero-sum game of two players; else each cell is a tuple of payoffs, as in"
                f" {EXAMPLE}"
            )
        return shape, [(value, -value) for value in map(_payoff, leaves)]
    vectors: list[tuple[Fraction, ...]] = []
    for leaf in leaves:
        if not isinstance(leaf, tuple):
            raise InputError(
                f"the cell {leaf!r} is a number and others are tuples: write every cell as a tuple with the payoff of"
                " each player, or each as the payoff of the first"
            )
        if len(leaf) != len(shape):
            raise InputError(
                f"the cell {reprlib.repr(leaf)} has {len(leaf)} payoffs, but {len(shape)} players choose (one for each"
                " level of lists)"
            )
        vectors.append(tuple(map(_payoff, leaf)))
    return shape, vectors


def _flatten(cells: Any) -> tuple[tuple[int, ...], list[Any]]:
    """The lengths of the lists at each level, and what is in them."""
    shape: list[int] = []
    level: list[Any] = [cells]
    while level and isinstance(level[0], list):
        lengths = {len(one) if isinstance(one, list) else -1 for one in level}
        if lengths == {0}:
            raise InputError(f"the matrix is empty: write one such as {EXAMPLE}")
        if len(lengths) > 1 or -1 in lengths:
            found = " and ".join(str(length) for length in sorted(lengths) if length >= 0)
            raise InputError(
                f"the matrix is ragged at level {len(shape) + 1}: its lists have {found} entries"
                if -1 not in lengths
                else f"at level {len(shape) + 1} of the matrix some entries are lists and some are not"
            )
        shape.append(lengths.pop())
        if prod(shape) > MOST_CELLS:
            raise InputError(
                f"the matrix has more than {MOST_CELLS:,} cells: write its rules as a Game instead"
            )
        level = [entry for one in level for entry in one]
    if not shape:
        raise InputError(
            f"a matrix is a list of rows, not {reprlib.repr(cells)}: write one such as {EXAMPLE}"
        )
    if any(isinstance(entry, list) for entry in level):
        raise InputError(f"at level {len(shape) + 1} of the matrix some entries are lists and some are not")
    return tuple(shape), level


def read_payoff(text: str) -> Fraction:
    """A payoff as people write it: 3, −0.5, 1/3 or 2e6.

    >>> read_payoff("−1/2")
    Fraction(-1, 2)
    """
    plain = text.replace("−", "-").strip()
    shown = reprlib.repr(text.strip())
    try:
        exponent = re.search(r"e([-+]?[\d_]+)\Z", plain, re.IGNORECASE)
        # A fraction spells powers of ten out: one of a million digits would be computed for ever.
        short = len(plain) <= _LONGEST and (exponent is None or abs(int(exponent[1])) <= _EXPONENTS)
        value = Fraction(plain) if short else None
    except (ValueError, ZeroDivisionError):
        raise InputError(f"the payoff {shown} is no number") from None
    if value is None:
        raise InputError(
            f"the payoff {shown} is no number of at most {_LONGEST:,} characters with an exponent"
            f" from −{_EXPONENTS} to {_EXPONENTS}"
        )
    return _bounded(value, text)


def _bounded(value: Fraction, said: Any) -> Fraction:
    """The value, refused where it is larger than any float."""
    try:
        float(value)
    except OverflowError:
        raise InputError(f"the payoff {reprlib.repr(said)} is too large: at most about 1.8e308") from None
    return value


def _payoff(value: Any) -> Fraction:
    if isinstance(value, str):
        return read_payoff(value)
    if isinstance(value, numbers.Rational) and not isinstance(value, bool):
        return _bounded(Fraction(int(value.numerator), int(value.denominator)), value)
    if not isinstance(value, numbers.Real) or isinstance(value, bool) or not math.isfinite(value):
        raise InputError(f"the payoff {reprlib.repr(value)} is no finite number")
    return exact(float(value))


def letter(player: int) -> str:
    """The name of a player without one: A, B, C, …"""
    return chr(ord("A") + player) if player < 26 else f"player {player}"


def form_of(
    sizes: tuple[int, ...],
    payoffs: Sequence[tuple[Fraction, ...]],
    choices: Sequence[Sequence[str] | None],
    names: Sequence[str] | None,
) -> Form:
    """The strategic form, with names for everything that has none."""
    players = len(sizes)
    who = tuple(names) if names is not None else tuple(map(letter, range(players)))
    if len(who) != players or len(set(who)) != players or not all(map(_is_name, who)):
        raise InputError(f"names={names!r}: {players} players choose; give each a name of his own")
    if len(choices) != players:
        raise InputError(
            f"actions={choices!r}: {players} players choose; give the names of the choices of each"
        )
    called = []
    for player, (size, given) in enumerate(zip(sizes, choices)):
        first = letter(player).lower() if player < 26 else f"p{player}."
        one = tuple(given) if given is not None else tuple(f"{first}{at + 1}" for at in range(size))
        if isinstance(given, str) or len(one) != size or len(set(one)) != size or not all(map(_is_name, one)):
            where = ("rows", "columns")[player] if player < 2 else f"actions[{player}]"
            raise InputError(
                f"{where}={given!r}: {who[player]} has {size} choices; give each a name of its own, as texts"
            )
        called.append(one)
    return Form(who, tuple(called), tuple(payoffs))


def _is_name(name: Any) -> bool:
    return isinstance(name, str) and bool(name.strip())


def nested(form: Form, at: tuple[int, ...] = ()) -> Any:
    """The payoffs of a form as nested lists of tuples."""
    if len(at) == form.players:
        return tuple(form.payoffs[form.index(at)])
    return [nested(form, (*at, choice)) for choice in range(form.sizes[len(at)])]


def first_fastest(sizes: Sequence[int]) -> list[tuple[int, ...]]:
    """All profiles in the order of Gambit's files: the choice of the first player changes fastest."""
    return [profile[::-1] for profile in product(*map(range, reversed(sizes)))]
