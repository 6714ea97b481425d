"""Models of opponents: what they are taken to do."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from gametree.arguments import is_number
from gametree.errors import InputError, UnsuitableError
from gametree.game import Game, offers


@dataclass(frozen=True)
class Noisy:
    """Opponents who mostly do what is good for them.

    With `error` ε they take their best action, but with probability ε any, all alike. With `temperature` T an action of
    value v to them has odds exp(v / T): the smaller T, the fewer errors. What an action is worth to them is told by the
    "values" of the search, or by the "evaluation" of the state that follows (a glance, one ply).

    >>> Noisy(error=0.1)
    Noisy(error=0.1)
    """

    error: float | None = None
    temperature: float | None = None
    by: Literal["values", "evaluation"] = "values"

    def __post_init__(self) -> None:
        if (self.error is None) == (self.temperature is None):
            raise InputError(
                "Noisy takes an error or a temperature: Noisy(error=0.1) or Noisy(temperature=0.5)"
            )
        if self.error is not None and not (is_number(self.error) and 0 <= self.error <= 1):
            raise InputError(
                f"Noisy(error={self.error!r}): how often an opponent plays anything, from 0 to 1"
            )
        if self.temperature is not None and not (
            is_number(self.temperature) and 0 < self.temperature < math.inf
        ):
            raise InputError(
                f"Noisy(temperature={self.temperature!r}): a number above 0; it is in units of payoff"
            )
        if self.by not in ("values", "evaluation"):
            raise InputError(f'Noisy(by={self.by!r}): it is "values" or "evaluation"')

    def __repr__(self) -> str:
        given = f"error={self.error!r}" if self.error is not None else f"temperature={self.temperature!r}"
        return f"Noisy({given}{', by=' + repr(self.by) if self.by != 'values' else ''})"


UNIFORM = Noisy(error=1.0)
"""Who plays anything, all actions alike."""


def understood(game: Game, model: Any) -> tuple[Noisy | Mapping[Any, Any] | Callable[[Any], Any], str]:
    """A model as it is given, and its name."""
    if isinstance(model, str):
        if model != "uniform":
            raise InputError(
                f'{model!r} is no model of an opponent: it is "uniform", Noisy(error=…), Noisy(temperature=…), or a'
                " policy (a function of a state, a mapping, a Strategy)"
            )
        return UNIFORM, "uniform"
    if isinstance(model, Noisy):
        if model.by == "evaluation" and not offers(game, "evaluate"):
            raise UnsuitableError(
                f"{type(game).__name__} has no `evaluate`, so {model!r} cannot judge at a glance. Define"
                ' `evaluate(self, state, player)`, pass evaluation=…, or take by="values".'
            )
        return model, repr(model)
    if isinstance(model, type) or not (callable(model) or isinstance(model, Mapping)):
        raise InputError(
            f'{model!r} is no model of an opponent: it is "uniform", Noisy(error=…), Noisy(temperature=…), or a'
            " policy (a function of a state, a mapping, a Strategy)"
        )
    return model, getattr(model, "__name__", None) or f"a {type(model).__name__}"
