"""Text in pictures: any text as one line that can be shown, how wide it is, and how it is shortened.

Names come from users. In a picture they are text and nothing else: characters that move the cursor, turn the
direction of writing or cannot be written at all are replaced by signs that can be seen.
"""

import unicodedata
from collections.abc import Callable
from typing import Final

_JOINERS: Final = "\u200d\ufe0e\ufe0f"
"""What holds an emoji of several characters together."""

# The widths of DejaVu Sans in thousandths of the size: the widest of the usual fonts, so that what fits with
# it fits with the others.
_WIDTHS: Final = {
    **dict.fromkeys("iIjl|!'.,:;", 400),
    **dict.fromkeys(" ()[]ftr/\\-", 420),
    **dict.fromkeys("mMwW%@", 1000),
    **dict.fromkeys("+<=>−≤≥≈∞≠~^_#", 840),
}
_NARROW: Final = 0.64
_CAPITAL: Final = 0.76
_WIDE: Final = 1.2
_MONOSPACED: Final = 0.61


def shown(text: str) -> str:
    """A text as one line of characters that can be shown.

    >>> shown("a\\nb\\x1b[2J"), shown("\\u202etxet")
    ('a␊b␛[2J', '�txet')
    """
    return "".join(map(_visible, text))


def _visible(character: str) -> str:
    code = ord(character)
    if code < 0x20:
        return chr(0x2400 + code)
    if code == 0x7F:
        return "␡"
    if character in _JOINERS:
        return character
    category = unicodedata.category(character)
    if category in ("Zl", "Zp"):
        return "␊"
    return "�" if category in ("Cc", "Cf", "Cs", "Cn", "Co") else character


def clipped(text: str, most: int) -> str:
    """The text itself, or its beginning with an ellipsis where it has more than `most` characters.

    >>> clipped("left", 4), clipped("leftmost", 4)
    ('left', 'lef…')
    """
    if len(text) <= most:
        return text
    return text[: most - 1].rstrip(_JOINERS) + "…"


def width(text: str, size: float, *, bold: bool = False, monospaced: bool = False) -> float:
    """How wide a line of text is at most, in the usual fonts.

    >>> round(width("12", 10), 1)
    12.8
    """
    return sum(_width(character, monospaced) for character in text) * size * (1.12 if bold else 1)


def _width(character: str, monospaced: bool) -> float:
    if character in _JOINERS or unicodedata.combining(character):
        return 0.0
    if unicodedata.east_asian_width(character) in "WF":
        return _WIDE
    if monospaced:
        return _MONOSPACED
    if character in _WIDTHS:
        return _WIDTHS[character] / 1000
    return _NARROW if character.islower() or character.isdigit() else _CAPITAL


def columns(text: str) -> int:
    """How many columns of a terminal a line of text takes.

    >>> columns("α=3"), columns("象棋")
    (3, 4)
    """
    taken = 0
    for character in text:
        if character in _JOINERS or unicodedata.combining(character):
            continue
        taken += 2 if unicodedata.east_asian_width(character) in "WF" else 1
    return taken


def broken(text: str, most: float, measure: Callable[[str], float], between: str = " · ") -> list[str]:
    """A text in lines that measure at most so much, broken where it says `between`.

    >>> broken("cut at ≥ · fail-soft · left to right", 22, columns)
    ['cut at ≥ · fail-soft', 'left to right']
    """
    lines: list[str] = []
    for word in text.split(between):
        longer = f"{lines[-1]}{between}{word}" if lines else word
        if lines and measure(longer) <= most:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines
