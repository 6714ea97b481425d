"""What can be asked of Monte-Carlo tree search, checked: every part of the framework, by name."""

import dataclasses
from dataclasses import dataclass
from typing import Any, Final

from gametree.arguments import number, whole
from gametree.errors import InputError, UnsuitableError
from gametree.game import Game, offers
from gametree.result import Limit
from gametree.search.core.task import merged
from gametree.search.mcts import playout, policies

TREE_POLICIES: Final = {
    "ucb1": policies.UCB1,
    "ucb1-tuned": policies.UCB1_TUNED,
    "epsilon-greedy": policies.EPSILON_GREEDY,
    "boltzmann": policies.BOLTZMANN,
    "puct": policies.PUCT,
}
DEFAULT: Final = Limit(seconds=1)
EXPLORATION: Final = {"ucb1": 0.7, "ucb1-tuned": 1.0, "puct": 1.25}
"""What c is where nobody says."""
WITH_AMAF: Final = 0.1
"""And for UCB1 with AMAF, whose echoes already say what is worth a look."""
DEFAULT_POLICIES: Final = {
    "uniform": playout.UNIFORM,
    "prior": playout.LIKELY,
    "greedy": playout.GREEDY,
    "evaluate": playout.UNIFORM,
}
"""The last makes no step at all: see `plies`."""
AMAF: Final = ("rave", "grave")
WHEN_FULL: Final = ("recycle", "stop")
FINAL: Final = ("robust", "max", "secure")
CHOICES: Final[dict[str, tuple[str, ...]]] = {
    "tree_policy": tuple(TREE_POLICIES),
    "default_policy": tuple(DEFAULT_POLICIES),
    "amaf": AMAF,
    "when_full": WHEN_FULL,
    "final": FINAL,
}
"""The parts that have a few names."""


@dataclass(frozen=True, kw_only=True)
class Options:
    """The parts of the search. `docs/mcts.md` says what each does and when it helps.

    >>> Options(tree_policy="puct").c
    1.25
    >>> Options(epsilon=2)
    Traceback (most recent call last):
        ...
    gametree.errors.InputError: epsilon=2: a chance, from 0 to 1
    """

    tree_policy: str = "ucb1"
    exploration: float | None = None
    epsilon: float = 0.1
    temperature: float = 0.05
    expand_after: int = 1
    default_policy: str = "uniform"
    playout_epsilon: float = 0.2
    cutoff: int | None = None
    evaluation_scale: float | None = None
    solver: bool = True
    amaf: str | None = None
    amaf_bias: float = 0.001
    amaf_reference: int = 50
    bias: float = 0.0
    widening: tuple[float, float] | None = None
    prior_temperature: float = 0.1
    transpositions: bool = False
    when_full: str = "recycle"
    final: str = "robust"

    def __post_init__(self) -> None:
        for name, known in CHOICES.items():
            if name != "amaf":
                _one_of(name, getattr(self, name), known)
        if self.amaf is not None:
            _one_of("amaf", self.amaf, (*AMAF, None))
        for name in ("epsilon", "playout_epsilon"):
            number(name, getattr(self, name), "a chance, from 0 to 1", 0, 1)
        if self.exploration is not None:
            number("exploration", self.exploration, "how much to explore, at least 0", 0)
        for name in ("temperature", "prior_temperature"):
            number(name, getattr(self, name), "more than 0", 1e-9)
        if self.evaluation_scale is not None:
            number("evaluation_scale", self.evaluation_scale, "more than 0", 1e-300)
        for name in ("amaf_bias", "bias"):
            number(name, getattr(self, name), "at least 0", 0)
        whole("expand_after", self.expand_after, "after so many visits a leaf gets children, at least 1", 1)
        whole("amaf_reference", self.amaf_reference, "a number of visits, at least 0", 0)
        if self.cutoff is not None:
            whole("cutoff", self.cutoff, "a number of plies, at least 0", 0)
        for name in ("solver", "transpositions"):
            if not isinstance(getattr(self, name), bool):
                raise InputError(f"{name}={getattr(self, name)!r}: True or False")
        self._check_widening()

    def _check_widening(self) -> None:
        match self.widening:
            case None:
                return
            case (float() | int() as k, float() | int() as a) if k > 0 and 0 <= a <= 1:
                return
        raise InputError(
            f"widening={self.widening!r}: two numbers (k, a), so that after n visits the first k·nᵃ children take"
            " part: k more than 0, a from 0 to 1; for example (2, 0.5)"
        )

    @property
    def c(self) -> float:
        """How much to explore."""
        if self.exploration is not None:
            return float(self.exploration)
        if self.amaf is not None and self.tree_policy == "ucb1":
            return WITH_AMAF
        return EXPLORATION.get(self.tree_policy, 0.0)

    @property
    def plies(self) -> int | None:
        """How long a playout may become; None where it goes on to the end."""
        return 0 if self.default_policy == "evaluate" and self.cutoff is None else self.cutoff

    @property
    def judges(self) -> bool:
        """Whether playouts ask for an evaluation."""
        return self.default_policy in ("greedy", "evaluate") or self.cutoff is not None

    @property
    def uses_priors(self) -> bool:
        """Whether children need a prior."""
        return self.tree_policy == "puct" or self.bias > 0 or self.widening is not None

    def asked(self) -> dict[str, Any]:
        """Whatever differs from the defaults."""
        return {
            field.name: getattr(self, field.name)
            for field in dataclasses.fields(self)
            if getattr(self, field.name) != field.default
        }

    def require(self, game: Game) -> None:
        """Refuses what a game cannot give."""
        name = type(game).__name__
        if self.default_policy == "prior" and not offers(game, "prior"):
            raise UnsuitableError(
                f'{name} has no `prior`, which default_policy="prior" needs: define it, or let all actions be equally'
                ' likely (default_policy="uniform")'
            )
        if self.judges and not offers(game, "evaluate"):
            asked = (
                f"cutoff={self.cutoff}"
                if self.default_policy in ("uniform", "prior")
                else f'default_policy="{self.default_policy}"'
            )
            raise UnsuitableError(
                f"{name} has no `evaluate`, which {asked} needs: define it, or let playouts go on to the end"
                ' (default_policy="uniform" without a cut-off)'
            )
        if self.transpositions and game.repetition is not None:
            raise UnsuitableError(
                f"{name} has a rule on repeated positions: what a position is worth depends on the way to it, so"
                " transpositions are not the same; leave transpositions=True out"
            )


def usual_parts(game: Game) -> dict[str, Any]:
    """With which parts the search plays best as a rule, in a game of which nothing is known but its contract.

    Where two players move without dice, what is good later is good now more often than not, and RAVE learns from every
    move of a playout. Where a game has an opinion on moves, playouts go by it.
    """
    parts: dict[str, Any] = {}
    if game.players == 2 and not offers(game, "chance"):
        parts["amaf"] = "rave"
    if offers(game, "prior"):
        parts["default_policy"] = "prior"
    return parts


def limit_of(method: str, limit: Limit | None, simulations: int | None, instead: str = "") -> Limit:
    """The limit in seconds, simulations, or both, one second if none is given; a depth is refused."""
    if limit is None and simulations is None:
        return DEFAULT
    limit = merged(limit, None)
    if limit.depth is not None:
        raise InputError(
            f"Limit(depth={limit.depth}): {method} goes by simulations, not by depth. Give nodes (simulations) or"
            f" seconds{instead}"
        )
    if simulations is None:
        return limit
    whole("simulations", simulations)
    most = simulations if limit.nodes is None else min(simulations, limit.nodes)
    return Limit(seconds=limit.seconds, nodes=most)


def _one_of(name: str, value: Any, known: tuple[Any, ...]) -> None:
    if value not in known:
        raise InputError(
            f"{name}={value!r}: it is {', '.join(map(_quoted, known[:-1]))} or {_quoted(known[-1])}"
        )


def _quoted(value: Any) -> str:
    return f'"{value}"' if isinstance(value, str) else str(value)
