"""What a traced search is told on the command line besides the tree: estimates, a number of simulations, and so on."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

import typer

from gametree.errors import InputError
from gametree.explain.traces.settings import Settings


@dataclass(frozen=True)
class OfSearch:
    """The settings of searches that are traced."""

    estimates: Annotated[
        list[str] | None,
        typer.Option(
            "--estimate",
            metavar="NAME=NUMBER",
            help="What the evaluation says of an inner node of a tree; may be repeated.",
        ),
    ] = None
    turbulent: Annotated[
        str | None,
        typer.Option(metavar="LIST", help="The nodes at which quiescence goes on, for example B,D."),
    ] = None
    keep: Annotated[
        int | None, typer.Option(metavar="N", help="Forward pruning looks at N children of a node.")
    ] = None
    simulations: Annotated[
        int | None, typer.Option(metavar="N", help="How many simulations of mcts are told.")
    ] = None
    exploration: Annotated[
        float | None, typer.Option(metavar="C", help="How much mcts explores: the c of UCB1.")
    ] = None
    seed: Annotated[int | None, typer.Option(metavar="N", help="The seed of mcts.")] = None
    at_least: Annotated[
        float | None, typer.Option(metavar="NUMBER", help="The payoff that pns is to prove.")
    ] = None
    payoff_range: Annotated[
        str | None,
        typer.Option(metavar="LOW,HIGH", help="The least and the greatest payoff, for star1 and star2."),
    ] = None

    def settings(self, depth: int | None) -> Settings:
        """As the trace takes them."""
        given = {
            "depth": depth,
            "keep": self.keep,
            "simulations": self.simulations,
            "exploration": self.exploration,
            "seed": self.seed,
            "at_least": self.at_least,
        }
        return Settings(
            estimates=dict(setting("--estimate", text) for text in self.estimates or ()),
            turbulent=tuple(name.strip() for name in (self.turbulent or "").split(",") if name.strip()),
            payoffs=None if self.payoff_range is None else _pair(self.payoff_range),
            **{name: value for name, value in given.items() if value is not None},  # type: ignore[arg-type]
        )


def setting(option: str, text: str) -> tuple[str, float]:
    """A name and a number, as in x=3."""
    name, _, value = text.partition("=")
    try:
        return name.strip(), float(value.replace("−", "-"))
    except ValueError:
        raise InputError(
            f"{option} {text}: write a name and a number, for example {option} {'x' if option == '--value' else 'B'}=3"
        ) from None


def _pair(text: str) -> tuple[float, float]:
    numbers: Sequence[str] = text.split(",")
    try:
        low, high = map(float, numbers)
    except ValueError:
        raise InputError(
            f"--payoff-range {text}: write two numbers, for example --payoff-range=-1,1"
        ) from None
    if not low <= high:
        raise InputError(f"--payoff-range {text}: the least comes first, for example --payoff-range=-1,1")
    return low, high
