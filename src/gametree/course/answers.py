"""Reads what students hand in: JSON, and texts inside it as people write them. Nothing of it is ever executed."""

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any, Final

from gametree.errors import InputError
from gametree.reading import parse, text_of

SCHEMA: Final = "gametree.answers/1"
MOST_BYTES: Final = 1_000_000
NOT_VISITED: Final = "–"
"""What stands for a node that the search does not come to."""

_DASHES: Final = {"-", "–", "—", "−", "not visited", "none"}
_INFINITE: Final = {"∞", "inf", "infinity", "oo"}
_NUMBER: Final = re.compile(r"[+-]?(\d{1,15}(\.\d{0,15})?|\.\d{1,15})")
_FRACTION: Final = re.compile(r"([+-]?\d{1,15})\s*/\s*(\d{1,15})")
_SEPARATORS: Final = re.compile(r"[\s,;>→-]+")
_GREEK: Final = {"α": "alpha", "a": "alpha", "alpha": "alpha", "β": "beta", "b": "beta", "beta": "beta"}


@dataclass(frozen=True)
class Answers:
    """What one student answered, part by part, as it was written."""

    exercise: str
    student: str = ""
    given: dict[str, Any] = field(default_factory=dict)


def load(path: Path) -> Any:
    """The JSON data in a file."""
    return parse(text_of(path, MOST_BYTES, "file of answers"), path.name)


def read(data: Any, name: str = "the file") -> Answers:
    """Answers from JSON data."""
    if not isinstance(data, dict) or data.get("schema") != SCHEMA:
        raise InputError(f'{name} holds no answers: it has no "schema": "{SCHEMA}"')
    exercise, student, given = data.get("exercise"), data.get("student", ""), data.get("answers")
    if not isinstance(exercise, str):
        raise InputError(f'{name} does not say which exercise it answers: "exercise" is missing')
    if not isinstance(given, dict):
        raise InputError(f'{name} has no object "answers" with an answer for each part')
    return Answers(exercise, student if isinstance(student, str) else str(student), given)


# --- what people write ------------------------------------------------------------------------------


def number(given: Any) -> float | None:
    """A number, however it is written; None where it is none.

    >>> number("−2,5"), number("13/4"), number(3), number("∞"), number("three")
    (-2.5, 3.25, 3.0, inf, None)
    """
    if isinstance(given, bool):
        return None
    if isinstance(given, (int, float)):
        try:
            return float(given)
        except OverflowError:
            return math.inf if given > 0 else -math.inf
    if not isinstance(given, str):
        return None
    text = given.strip().replace("−", "-").replace(",", ".").lower()
    if text.lstrip("+-") in _INFINITE:
        return -math.inf if text.startswith("-") else math.inf
    if _NUMBER.fullmatch(text):
        return float(text)
    parts = _FRACTION.fullmatch(text)
    if parts and int(parts[2]):
        return float(Fraction(int(parts[1]), int(parts[2])))
    return None


def vector(given: Any) -> tuple[float, ...] | None:
    """Payoffs: a list, or a text such as (4, 3, 2)."""
    if isinstance(given, str):
        given = [word for word in re.split(r"[\s,;]+", given.strip().strip("()[]").strip()) if word]
    if not isinstance(given, list):
        return None
    numbers = [number(one) for one in given]
    return None if None in numbers else tuple(one for one in numbers if one is not None)


def is_dash(given: Any) -> bool:
    """Whether somebody says that a node is not visited."""
    return isinstance(given, str) and given.strip().lower() in _DASHES


def is_blank(given: Any) -> bool:
    """Whether nothing was answered."""
    return given is None or given in ([], {}) or (isinstance(given, str) and not given.strip())


def names(given: Any) -> list[str] | None:
    """A row of nodes: a list, or a text such as "B1 B2, C1"."""
    if isinstance(given, str):
        given = [word for word in _SEPARATORS.split(given.strip().strip("()[]")) if word]
    if not isinstance(given, list) or not all(isinstance(one, str) for one in given):
        return None
    return [name(one) for one in given]


def name(given: Any) -> str:
    """A node's name as the exercise writes it."""
    return str(given).strip().upper()[:20]


def yes_or_no(given: Any) -> bool | None:
    """An answer to a question of yes or no."""
    if isinstance(given, bool):
        return given
    words = {"yes": True, "y": True, "true": True, "no": False, "n": False, "false": False}
    return words.get(given.strip().lower()) if isinstance(given, str) else None


def cuts(given: Any) -> Iterator[tuple[str, str, str]]:
    """Branch, kind and depth of each cut; empty words where they are missing. Raises where it is no list of cuts."""
    for one in _cut_items(given):
        match one:
            case {"branch": str(branch), **rest}:
                yield name(branch), _word(rest.get("kind")), _word(rest.get("depth"))
            case (str(branch), str(text)):
                kind, depth = _kind_and_depth(text)
                yield name(branch), kind, depth
            case str():
                branch, _, text = one.strip().partition(" ")
                kind, depth = _kind_and_depth(text)
                yield name(branch), kind, depth
            case _:
                raise InputError(f"{str(one)[:60]} is no cut: write it as C2 alpha shallow")


def _cut_items(given: Any) -> list[Any]:
    if isinstance(given, dict):
        return [item for item in given.items() if not is_blank(item[1])]
    if isinstance(given, str):
        return [line for line in re.split(r"[,;\n]+", given) if line.strip()]
    if isinstance(given, list):
        return given
    raise InputError(f"{str(given)[:60]} is no list of cuts")


def _kind_and_depth(text: str) -> tuple[str, str]:
    words = [_word(word) for word in re.split(r"[\s-]+", text) if word]
    kind = next((word for word in words if word in ("alpha", "beta")), "")
    depth = next((word for word in words if word in ("shallow", "deep")), "")
    return kind, depth


def _word(given: Any) -> str:
    text = given.strip().lower() if isinstance(given, str) else ""
    return _GREEK.get(text, text)
