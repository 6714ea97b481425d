"""What a teacher may ask of an exercise, checked before anything is made."""

import re
from dataclasses import dataclass
from typing import Final

from gametree.course.exercise import METHODS, POSSIBLE
from gametree.errors import InputError
from gametree.explain.traces.conventions import STANDARD, Conventions
from gametree.explain.traces.trace import Method

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
the node has children of its own; ask for --depth 4
    """

    kind: str = "alphabeta"
    depth: int = 3
    branching: tuple[int, int] = (2, 3)
    values: tuple[int, int] = (0, 20)
    ties: str = "any"
    """"any"; "none": all leaves differ; "best": at least two moves at the root are equally good."""
    cuts: int | None = None
    """How many times the search is to cut."""
    deep_cut: bool = False
    """Whether at least one cut has to be deep."""
    ragged: bool = False
    """Whether leaves may stand at different depths."""
    root: str = "max"
    depends: str = "any"
    """Of an unknown leaf: whether the root is to depend on it, "yes", "no" or "any"."""
    parts: tuple[str, ...] = ()
    conventions: Conventions = STANDARD
    attempts: int = ATTEMPTS

    def __post_init__(self) -> None:
        self._check_words()
        self._check_size()
        self._check_cuts()

    @property
    def method(self) -> Method:
        return METHODS[self.kind]

    def _check_words(self) -> None:
        if self.kind not in METHODS:
            raise InputError(f"there is no kind of exercise {self.kind!r}; there are: {', '.join(METHODS)}")
        for part in self.parts:
            if part not in POSSIBLE[self.kind]:
                raise InputError(
                    f"an exercise on {self.kind} has no part {part!r}; it can ask: {', '.join(POSSIBLE[self.kind])}"
                )
        for name, allowed in (
            ("ties", ("any", "none", "best")),
            ("root", ("max", "min")),
            ("depends", ("any", "yes", "no")),
        ):
            if getattr(self, name) not in allowed:
                raise InputError(f"--{name} {getattr(self, name)}: it is {', '.join(allowed)}")
        if self.depends != "any" and self.kind != "unknown":
            raise InputError("--depends is about the unknown leaf of --kind unknown")
        if self.root == "min" and self.kind == "maxn":
            raise InputError(
                "--root min: in max^n every player maximises, and the first one moves at the root"
            )
        if self.attempts < 1:
            raise InputError(f"--attempts {self.attempts}: at least 1")

    def _check_size(self) -> None:
        (low, high), (least, greatest) = self.branching, self.values
        if not 1 <= self.depth <= 8:
            raise InputError(f"--depth {self.depth}: an exercise has 1 to 8 levels of moves")
        if self.kind == "expectiminimax" and self.depth < 2:
            raise InputError(
                "--depth 1: expectiminimax needs a level of moves and one of chance, --depth 2 or more"
            )
        if not 1 <= low <= high <= 9:
            raise InputError(f"--branching {low}-{high}: a node has 1 to 9 children")
        if self.kind == "expectiminimax" and high > 5:
            raise InputError(f"--branching {low}-{high}: chance nodes have at most 5 outcomes")
        if high == 1:
            raise InputError("--branching 1: a tree without a choice is no exercise; take 2 or 2-3")
        fewest = 1 if self.ragged else low**self.depth
        if fewest > MOST_LEAVES:
            raise InputError(
                f"--depth {self.depth} with --branching {low}-{high} has at least {fewest:,} leaves; an exercise"
                f" has at most {MOST_LEAVES}: take a smaller depth or branching"
            )
        if greatest - least > 10**9 or max(abs(least), abs(greatest)) > 10**9:
            raise InputError(f"--values {least}..{greatest}: leaves are whole numbers of at most nine digits")
        if self.ties == "none" and greatest - least + 1 < low**self.depth:
            raise InputError(
                f"--ties none: at least {low**self.depth} leaves have to differ, and --values {least}..{greatest}"
                f" holds {greatest - least + 1}; widen the range"
            )

    def _check_cuts(self) -> None:
        if self.cuts is not None and self.cuts < 0:
            raise InputError(f"--cuts {self.cuts}: the number of cuts is 0 or more")
        if (self.cuts is not None or self.deep_cut) and self.method != "alphabeta":
            raise InputError(
                f"--cuts and --deep-cut are for alpha-beta; an exercise on {self.kind} has no cuts"
            )
        if self.deep_cut and self.cuts == 0:
            raise InputError("--deep-cut asks for a cut and --cuts 0 for none")
        if self.deep_cut and self.depth < 4:
            raise InputError(
                "a deep cut needs a depth of at least 4: its bound comes from above the parent, and the node has"
                " children of its own; ask for --depth 4"
            )
        if self.cuts and self.depth < 2:
            raise InputError("a cut needs a depth of at least 2: a root alone has no bound to cut by")
