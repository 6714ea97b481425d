"""What a teacher may ask of an exercise, checked before anything is made."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal, get_args

from gametree.course.exercise import METHODS, require_parts
from gametree.errors import InputError
from gametree.explain.traces.conventions import STANDARD, Conventions
from gametree.explain.traces.methods import Method

Ties = Literal["any", "none", "best"]
Root = Literal["max", "min"]
Depends = Literal["any", "yes", "no"]
MOST_LEAVES: Final = 60
ATTEMPTS: Final = 5_000
_RANGE: Final = re.compile(r"([+-]?\d+)(?:(?:\.\.|-)([+-]?\d+))?")


def span(text: str, option: str) -> tuple[int, int]:
    """A range such as 2-3, -9..9 or 4.

    >>> span("2-3", "--branching"), span("-9..9", "--values"), span("2", "--branching")
    ((2, 3), (-9, 9), (2, 2))
    """
    found = _RANGE.fullmatch(text.strip().replace("−", "-"))
    if not found or len(text) > 40:
        raise InputError(f"{option} {text}: it takes a whole number or a range, for example 2-3 or -9..9")
    low, high = int(found[1]), int(found[2] if found[2] is not None else found[1])
    if low > high:
        raise InputError(f"{option} {text}: the range begins above its end; write {high}..{low}")
    return low, high


@dataclass(frozen=True)
class Recipe:
    """The wishes for an exercise; the same recipe and seed make the same exercise.

    >>> Recipe(depth=3, deep_cut=True)
    Traceback (most recent call last):
    ...
    gametree.errors.InputError: a deep cut needs a depth of at least 4: its bound comes from above the parent, and \
the node has children of its own; ask for depth=4
    """

    kind: str = "alphabeta"
    depth: int = 3
    branching: tuple[int, int] = (2, 3)
    values: tuple[int, int] = (0, 20)
    ties: Ties = "any"
    """"any"; "none": all leaves differ; "best": at least two moves at the root are equally good."""
    cuts: int | None = None
    """How many times the search is to cut."""
    deep_cut: bool = False
    """Whether at least one cut has to be deep."""
    ragged: bool = False
    """Whether leaves may stand at different depths."""
    root: Root = "max"
    depends: Depends = "any"
    """Of an unknown leaf: whether the root is to depend on it, "yes", "no" or "any"."""
    parts: tuple[str, ...] = ()
    conventions: Conventions = STANDARD
    attempts: int = ATTEMPTS

    def __post_init__(self) -> None:
        require_parts(self.kind, self.parts)
        for why in (*self._words(), *self._size(), *self._cuts()):
            raise InputError(why)

    @property
    def method(self) -> Method:
        return METHODS[self.kind]

    # --- what is wrong with it, in words ------------------------------------------------------------

    def _words(self) -> Iterator[str]:
        for name, allowed in (("ties", Ties), ("root", Root), ("depends", Depends)):
            if getattr(self, name) not in get_args(allowed):
                yield f"{name}={getattr(self, name)!r}: it is {', '.join(get_args(allowed))}"
        if self.depends != "any" and self.kind != "unknown":
            yield f"depends={self.depends!r} is about the unknown leaf of kind='unknown'"
        if self.root == "min" and self.kind == "maxn":
            yield "root='min': in max^n every player maximises, and the first one moves at the root"
        if self.attempts < 1:
            yield f"attempts={self.attempts}: at least 1"

    def _size(self) -> Iterator[str]:
        (low, high), (least, greatest) = self.branching, self.values
        branching, values = f"branching={self.branching}", f"values={self.values}"
        if not 1 <= self.depth <= 8:
            yield f"depth={self.depth}: an exercise has 1 to 8 levels of moves"
            return
        if self.kind == "expectiminimax" and self.depth < 2:
            yield "depth=1: expectiminimax needs a level of moves and one of chance, depth=2 or more"
        if not 1 <= low <= high <= 9:
            yield f"{branching}: a node has 1 to 9 children"
        if self.kind == "expectiminimax" and high > 5:
            yield f"{branching}: chance nodes have at most 5 outcomes"
        if high == 1:
            yield f"{branching}: a tree without a choice is no exercise; take 2, or 2 to 3"
        fewest = 1 if self.ragged else low**self.depth
        if fewest > MOST_LEAVES:
            yield (
                f"depth={self.depth} with {branching} has at least {fewest:,} leaves; an exercise has at most"
                f" {MOST_LEAVES}: take a smaller depth or branching"
            )
        if greatest - least > 10**9 or max(abs(least), abs(greatest)) > 10**9:
            yield f"{values}: leaves are whole numbers of at most nine digits"
        if self.ties == "none" and greatest - least + 1 < low**self.depth:
            yield (
                f"ties='none': at least {low**self.depth} leaves have to differ, and {values} holds"
                f" {greatest - least + 1}; widen the range"
            )

    def _cuts(self) -> Iterator[str]:
        if self.cuts is not None and self.cuts < 0:
            yield f"cuts={self.cuts}: the number of cuts is 0 or more"
        if (self.cuts is not None or self.deep_cut) and self.method != "alphabeta":
            yield f"the number and the depth of cuts are for alpha-beta; an exercise on {self.kind} has no cuts"
        if self.deep_cut and self.cuts == 0:
            yield "deep_cut=True asks for a cut and cuts=0 for none"
        if self.deep_cut and self.depth < 4:
            yield (
                "a deep cut needs a depth of at least 4: its bound comes from above the parent, and the node has"
                " children of its own; ask for depth=4"
            )
        if self.cuts and self.depth < 2:
            yield "a cut needs a depth of at least 2: a root alone has no bound to cut by"
