"""Functions of one unknown made of straight pieces: what min, max and averages make of it. Exact, in fractions."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from gametree.explain.traces.notation import MINUS, number

Piece = tuple[Fraction | None, Fraction, Fraction]
"""From where on (None for −∞), slope, and value at 0."""


@dataclass(frozen=True)
class Piecewise:
    """A continuous function that never falls, as straight pieces from left to right.

    >>> half = Piecewise.average([(0.5, Piecewise.constant(3)), (0.5, Piecewise.unknown())])
    >>> print(Piecewise.greatest([half, Piecewise.constant(2)]).describe("x"))
    2 if x ≤ 1, else 1.5 + 0.5·x
    """

    pieces: tuple[Piece, ...]

    @staticmethod
    def constant(value: float) -> "Piecewise":
        return Piecewise(((None, Fraction(0), Fraction(value)),))

    @staticmethod
    def unknown() -> "Piecewise":
        return Piecewise(((None, Fraction(1), Fraction(0)),))

    @staticmethod
    def greatest(parts: Sequence["Piecewise"]) -> "Piecewise":
        return _fold(parts, max)

    @staticmethod
    def least(parts: Sequence["Piecewise"]) -> "Piecewise":
        return _fold(parts, min)

    @staticmethod
    def average(parts: Sequence[tuple[float, "Piecewise"]]) -> "Piecewise":
        """The expected value, for parts with their probabilities."""
        starts = _starts([part for _, part in parts])
        pieces = []
        for start in starts:
            here = [(Fraction(odds), *part._at(start)) for odds, part in parts]
            slope = sum((odds * slope for odds, slope, _ in here), Fraction(0))
            pieces.append((start, slope, sum((odds * level for odds, _, level in here), Fraction(0))))
        return Piecewise(_join(pieces))

    @property
    def low(self) -> float:
        _, slope, level = self.pieces[0]
        return -math.inf if slope else float(level)

    @property
    def high(self) -> float:
        _, slope, level = self.pieces[-1]
        return math.inf if slope else float(level)

    def value(self, x: float) -> float:
        slope, level = self._at(Fraction(x))
        return float(slope * Fraction(x) + level)

    def _at(self, x: Fraction | None) -> tuple[Fraction, Fraction]:
        """Slope and value at 0 of the piece that begins at x or holds there."""
        found = self.pieces[0]
        if x is not None:
            for piece in self.pieces[1:]:
                if piece[0] is not None and piece[0] <= x:
                    found = piece
        return found[1], found[2]

    def describe(self, name: str) -> str:
        """The function in words: "5 if x ≤ 5, else x, at most 9"."""
        texts = [_line(slope, level, name) for _, slope, level in self.pieces]
        ends = [number(float(start)) for start, _, _ in self.pieces[1:] if start is not None]
        if len(texts) == 1:
            return texts[0]
        if len(texts) == 2:
            return f"{texts[0]} if {name} ≤ {ends[0]}, else {texts[1]}"
        if len(texts) == 3 and not self.pieces[0][1] and not self.pieces[2][1]:
            return f"{texts[0]} if {name} ≤ {ends[0]}, else {texts[1]}, at most {texts[2]}"
        middle = [
            f"{text} if {left} ≤ {name} ≤ {right}"
            for text, left, right in zip(texts[1:], ends, ends[1:], strict=False)
        ]
        return ", ".join(
            [f"{texts[0]} if {name} ≤ {ends[0]}", *middle, f"{texts[-1]} if {name} ≥ {ends[-1]}"]
        )


def _fold(parts: Sequence[Piecewise], pick: Callable[[Fraction, Fraction], Fraction]) -> Piecewise:
    result = parts[0]
    for part in parts[1:]:
        result = _pick(result, part, pick)
    return result


def _pick(one: Piecewise, other: Piecewise, pick: Callable[[Fraction, Fraction], Fraction]) -> Piecewise:
    """The greater, or the lesser, of two functions: where they cross a new piece begins."""
    starts = _starts([one, other])
    pieces: list[Piece] = []
    for index, start in enumerate(starts):
        end = starts[index + 1] if index + 1 < len(starts) else None
        (slope, level), (slope2, level2) = one._at(start), other._at(start)
        crossings = [start]
        if slope != slope2:
            cross = (level2 - level) / (slope - slope2)
            if (start is None or start < cross) and (end is None or cross < end):
                crossings.append(cross)
        for first, last in zip(crossings, [*crossings[1:], end], strict=True):
            x = _between(first, last)
            chosen = pick(slope * x + level, slope2 * x + level2) == slope * x + level
            pieces.append((first, slope, level) if chosen else (first, slope2, level2))
    return Piecewise(_join(pieces))


def _starts(parts: Sequence[Piecewise]) -> list[Fraction | None]:
    found = {start for part in parts for start, _, _ in part.pieces if start is not None}
    return [None, *sorted(found)]


def _between(first: Fraction | None, last: Fraction | None) -> Fraction:
    if first is None:
        return Fraction(0) if last is None else last - 1
    return first + 1 if last is None else (first + last) / 2


def _join(pieces: Sequence[Piece]) -> tuple[Piece, ...]:
    """Neighbours on one straight line become one piece."""
    joined: list[Piece] = []
    for piece in pieces:
        if not joined or joined[-1][1:] != piece[1:]:
            joined.append(piece)
    return tuple(joined)


def _line(slope: Fraction, level: Fraction, name: str) -> str:
    rising = name if number(float(slope)) == "1" else f"{number(float(slope))}·{name}"
    shown = number(float(level))
    if not slope:
        return shown
    if shown == "0":
        return rising
    return (
        f"{shown} + {rising}"
        if not shown.startswith(MINUS)
        else f"{rising} {MINUS} {shown.removeprefix(MINUS)}"
    )
