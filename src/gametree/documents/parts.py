"""What several documents are made of. Infinite numbers are texts, because JSON has none.

The numbers of an `Annotated` type are the least and the greatest that it may be.
"""

from typing import Annotated, Literal, TypeAlias, TypedDict

Number: TypeAlias = float | Literal["inf", "-inf"]
Count: TypeAlias = Annotated[int, 0]
Amount: TypeAlias = Annotated[float, 0]
Share: TypeAlias = Annotated[float, 0, 1]


class Decided(TypedDict):
    """A proven win or loss."""

    payoff: Number
    outcome: Literal["win", "loss"]
    plies: Count | None
    """How many plies away it is; null where that is not known."""


class Open(TypedDict):
    """A payoff that is neither a win nor a loss, or no proven one."""

    payoff: Number
    outcome: None
    plies: None


ValueDocument: TypeAlias = Decided | Open
