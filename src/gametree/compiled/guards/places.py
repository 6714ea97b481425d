"""Where in the rules machine code may give up, and what it says then: a number that the entry point returns.

Kept apart from what compiles: a second run has no need to load that.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

OVERFLOW: Final = "overflow"
RECURSION: Final = "recursion"
LOOP: Final = "loop"
BEYOND: Final = "beyond"
"""A text, a tuple or a set has grown beyond its room."""

OVER: Final = 997
"""A rule was asked when the time of the search was over."""
OUTGROWN: Final = 998
"""Beyond its room, nobody knows where."""
ANYWHERE: Final = 999
"""Beyond 64 bits, nobody knows where."""
FIRST: Final = 1000
"""Numbers from here on are places."""


@dataclass(frozen=True)
class Place:
    """A line of the rules at which machine code may give up."""

    why: str
    file: str
    function: str
    line: int

    def __str__(self) -> str:
        where = f"{Path(self.file).name}:{self.line}" if self.line else ""
        return " ".join(part for part in (self.function, f"({where})" if where else "") if part)

    def to_row(self) -> list[Any]:
        """As it is kept on disk, beside the machine code."""
        return [self.why, self.file, self.function, self.line]


def read(rows: Any) -> tuple[Place, ...]:
    """The places that were kept beside machine code."""
    return tuple(Place(*row) for row in rows)
