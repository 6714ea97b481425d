"""What some searches ask besides the tree: how deep, what inner nodes seem to be worth, how many simulations."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from gametree.arguments import number, whole
from gametree.errors import InputError


@dataclass(frozen=True, kw_only=True)
class Settings:
    """Settings of a traced search; each method reads its own.

    >>> Settings(depth=0)
    Traceback (most recent call last):
        ...
    gametree.errors.InputError: depth=0: the search goes so many plies deep, at least 1
    """

    depth: int | None = None
    """The plies to the horizon; the whole tree without."""
    estimates: Mapping[str, float] = field(default_factory=dict)
    """What inner nodes seem to be worth to MAX, by their names: {"B": 4}. Games have `evaluate` for that."""
    turbulent: tuple[str, ...] = ()
    """The nodes, by name, at which quiescence goes on past the horizon. Games name their `tactical` actions."""
    keep: int = 2
    """Forward pruning looks at so many children of a node: those that seem best."""
    simulations: int = 30
    exploration: float | None = None
    """How much Monte-Carlo tree search explores: the c of UCB1."""
    seed: int = 0
    at_least: float | None = None
    """What proof numbers are to prove that the player to move gets; a win, or the best payoff, without."""
    payoffs: tuple[float, float] | None = None
    """The least and the greatest payoff, for Star1 and Star2; those of the leaves without."""

    def __post_init__(self) -> None:
        if self.depth is not None:
            whole("depth", self.depth, "the search goes so many plies deep, at least 1", 1)
        whole("keep", self.keep, "so many children of a node are looked at, at least 1", 1)
        whole("simulations", self.simulations, "at least 1", 1)
        if self.simulations > MOST_SIMULATIONS:
            raise InputError(
                f"simulations={self.simulations}: a trace of more than {MOST_SIMULATIONS} is too long to look at"
            )
        for name, value in self.estimates.items():
            number(f"the estimate of {name}", value, "a finite number")


MOST_SIMULATIONS: Final = 300
USUAL: Final = Settings()
"""What holds where nothing else is said."""
