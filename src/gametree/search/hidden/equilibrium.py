"""What regret minimisation and linear programming give: a profile, and how far it is from an equilibrium."""

import functools
import json
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any, Final, NamedTuple

from gametree.errors import InputError
from gametree.game import Game, player_name
from gametree.result import as_html, as_text, many
from gametree.search.hidden.backward import values as values_of_sets
from gametree.search.hidden.exploitability import Gains, as_payoff
from gametree.search.hidden.profile import MOST_SHOWN, Profile, as_number
from gametree.search.hidden.sequence_form import InformationSet, SequenceForm

KEPT: Final = ("regrets", "local", "plan", "average")
"""What an iteration goes on from."""
FORM: Final = ("rows", "payoffs")
"""What tells of which game that is."""
SCHEMA: Final = "gametree.equilibrium/1"


class Point(NamedTuple):
    """How far an iteration had come."""

    seconds: float
    iterations: int
    exploitability: float
    """The mean of what the players could gain."""

    def __str__(self) -> str:
        return f"{self.iterations:,} iterations, exploitable by {self.exploitability:.3g}"


@dataclass(frozen=True, repr=False, eq=False)
class EquilibriumProfile(Gains):
    """A profile with what it is worth, and what each player could gain by leaving it.

    `float` of it is the exploitability: the mean of those gains.
    """

    game: Game
    method: str
    form: SequenceForm
    local: Sequence[Sequence[Sequence[Any]]]
    """The probabilities in the order of the form: by player, information set, action."""
    iterations: int
    seconds: float
    stopped_by: str
    """"end" where it was as good as it had to be."""
    history: tuple[Point, ...] = ()
    """How exploitable the profile was, from the first iteration on."""
    learner: Any = None
    """The regrets, to go on from: `gt.cfr(game, resume=found)`."""

    def __getstate__(self) -> dict[str, Any]:
        """What a pickle takes along: all but what `cfr` goes on from, for which there is `save`."""
        return {name: value for name, value in vars(self).items() if name != "profile"} | {"learner": None}

    @functools.cached_property
    def profile(self) -> Profile:
        """How likely each action is at each information set."""
        return Profile.of(self.form, self.local)

    @property
    def exact(self) -> bool:
        """Whether this is an equilibrium exactly, in fractions."""
        return isinstance(self.nash_conv, Fraction) and self.nash_conv == 0

    @property
    def zero_sum(self) -> bool:
        """Whether what one of two players gains the other loses."""
        return self.game.players == 2 and self.game.total is not None

    @property
    def bounds(self) -> tuple[float, float] | None:
        """Between which two numbers the value of the game lies for player 0; only two players with a constant sum
        have one."""
        if not self.zero_sum:
            return None
        return float(self.game.total or 0) - float(self.best_responses[1]), float(self.best_responses[0])

    @property
    def promise(self) -> str:
        """What the profile is good for, in a sentence."""
        gain = as_payoff(max(self.gains))
        if self.exact:
            return "a Nash equilibrium exactly, in fractions"
        if self.zero_sum:
            return (
                f"nobody can gain more than {gain} by leaving it, and the value of the game is between"
                f" {as_payoff(self.bounds[0])} and {as_payoff(self.bounds[1])}"  # type: ignore[index]
            )
        return (
            f"nobody can gain more than {gain} by leaving it alone: that was measured. It is not certain that more"
            " iterations make it less, and other equilibria may pay other amounts: only two players with a constant"
            " sum have a value"
        )

    def set_values(self) -> list[tuple[InformationSet, float | Fraction | None]]:
        """Every information set with what it is worth to its player; None where the others never let it come about.

        >>> import gametree as gt
        >>> found = gt.solve(gt.games.Kuhn()).equilibrium
        >>> {found.profile.game.show_observation(one.observation, 0): worth for one, worth in found.set_values()[:1]}
        {'J': Fraction(-1, 1)}
        """
        worth = values_of_sets(self.form, self.local)
        return [pair for sets, mine in zip(self.form.sets, worth) for pair in zip(sets, mine)]

    def save(self, file: str | Path) -> Path:
        """Writes down the regrets, so that `gt.cfr(game, resume=file)` goes on from here another day (`.npz`)."""
        if self.learner is None:
            raise InputError(
                "a linear programme leaves nothing to go on from: only what cfr returned can be saved so"
            )
        import numpy as np

        path = Path(file)
        kept: dict[str, Any] = {
            name: np.asarray(getattr(self.learner, name), dtype=np.float64) for name in KEPT
        }
        kept |= {name: np.asarray(getattr(self.form, name)) for name in FORM}
        history = np.array([tuple(point) for point in self.history], dtype=np.float64).reshape(-1, 3)
        with path.open("wb") as out:
            np.savez(
                out,
                about=np.array([repr(self.game), self.method]),
                numbers=np.array([float(self.iterations), self.seconds]),
                history=history,
                **kept,
            )
        return path

    # --- as people see it -----------------------------------------------------------------------------

    def rows(self) -> list[tuple[str, str]]:
        """What there is to say, each with a label."""
        names = self.game.player_names
        values = ", ".join(
            f"{as_payoff(value)} for {player_name(names, player)}" for player, value in enumerate(self.values)
        )
        rows = [
            ("value", values),
            ("exploitable", f"by {as_payoff(self.nash_conv / len(self.values))} on average"),
        ]
        rows.append(("promise", self.promise))
        steps = f"{many(self.iterations, 'iteration', 'iterations')}, " if self.iterations else ""
        rows.append(("looked at", f"{self.form}; {steps}in {self.seconds:.3g} s"))
        return rows

    def profile_rows(self, most: int = MOST_SHOWN) -> list[tuple[str, str]]:
        """The strategies as people read them, so many information sets of each player."""
        rows: list[tuple[str, str]] = []
        each = max(1, most // len(self.values))
        counts = [0] * len(self.values)
        for player, seen, done in self.profile.rows():
            counts[player] += 1
            who = player_name(self.game.player_names, player)
            if counts[player] <= each:
                rows.append((f"{who}, {seen}", done))
            elif counts[player] == each + 1:
                rows.append(("…", f"{len(self.form.parent[player]) - each:,} more of {who}"))
        return rows

    def __str__(self) -> str:
        return as_text(f"{type(self.game).__name__}, {self.method}", self.rows(), wide=11) + self.table()

    def table(self) -> str:
        """The strategies, a line for each information set."""
        rows = self.profile_rows()
        wide = max((len(left) for left, _ in rows), default=0) + 1
        return "\n" + as_text("", rows, wide=wide)

    def __repr__(self) -> str:
        return (
            f"<EquilibriumProfile of {self.game!r} by {self.method}: exploitable by {float(self):.3g} after"
            f" {self.iterations:,} iterations>"
        )

    def _repr_html_(self) -> str:
        return as_html(f"{type(self.game).__name__}, {self.method}", [*self.rows(), *self.profile_rows()])

    # --- documents ------------------------------------------------------------------------------------

    def to_dict(self, with_profile: bool = True) -> dict[str, Any]:
        """The result as plain data, by the schema `gametree.equilibrium/1`."""
        return {
            "schema": SCHEMA,
            "game": repr(self.game),
            "method": self.method,
            "values": [as_number(value) for value in self.values],
            "best_responses": [as_number(value) for value in self.best_responses],
            "nash_conv": as_number(self.nash_conv),
            "exploitability": float(self),
            "bounds": None if self.bounds is None else list(self.bounds),
            "promise": self.promise,
            "information_sets": sum(map(len, self.form.parent)),
            "iterations": self.iterations,
            "seconds": self.seconds,
            "stopped_by": self.stopped_by,
            "history": [point._asdict() for point in self.history],
            "profile": self.profile.to_dict() if with_profile else None,
        }

    def to_json(self, indent: int | None = None) -> str:
        """The result as JSON text."""
        return json.dumps(self.to_dict(), indent=indent, allow_nan=False, ensure_ascii=False)
