"""Texts with mistakes in them, by the thousand and always the same ones for a seed."""

import random
import string
from collections.abc import Sequence

_STRANGE = "\x00\x07\t\u00e9\u2654\U0001f600\ufffd\u202e\u0660\u00b2"
_WORDS = (
    "-1",
    "0",
    "-",
    str(10**30),
    "1e9",
    "nan",
    "true",
    "",
    "0000",
    "a1a1",
    "e2e4",
    "O-O-O-O",
    "99-99",
    "1x",
)


def mutated(text: str, rng: random.Random, others: Sequence[str]) -> str:
    """A text with up to four mistakes: letters, words, numbers, order, length. Words come from `others` as well."""
    for _ in range(rng.randint(1, 4)):
        words = text.split(" ")
        at = rng.randrange(len(text) + 1)
        match rng.randrange(9):
            case 0:
                text = text[:at] + rng.choice(string.printable + _STRANGE) + text[at:]
            case 1:
                text = text[:at] + text[at + 1 :]
            case 2:
                text = text[:at]
            case 3:
                rng.shuffle(words)
                text = " ".join(words)
            case 4:
                words.insert(rng.randrange(len(words) + 1), rng.choice(rng.choice(others).split() or [""]))
                text = " ".join(words)
            case 5:
                words[rng.randrange(len(words))] = rng.choice(_WORDS)
                text = " ".join(words)
            case 6:
                text = (text * rng.choice((2, 3, 50)))[:4000]
            case 7:
                text = text.swapcase()
            case _:
                text = text.replace(rng.choice("abcdefgh12345678/"), rng.choice("abcdefgh12345678/Kk "))
    return text
