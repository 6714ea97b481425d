"""What is found out about simultaneous choices, as values that print, and say how they were obtained."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from gametree.errors import InputError
from gametree.game import Game, check_state
from gametree.search.core.task import require_game
from gametree.search.hidden.profile import Profile as StrategyProfile
from gametree.search.matrix.joint import joint
from gametree.strategic import Form, Mix, Profile


def number(value: Fraction) -> str:
    """An exact number as it is read: short fractions as they are, longer ones to six digits.

    >>> number(Fraction(-1, 18)), number(Fraction(3)), number(Fraction(123456, 7654321))
    ('-1/18', '3', '≈0.0161289')
    """
    return str(value) if len(str(value)) <= 9 else f"≈{float(value):.6g}"


def mix_text(mix: Mix, names: tuple[str, ...]) -> str:
    """A mixed strategy in words: the name of what is certain, else each choice with its probability.

    >>> mix_text((Fraction(1, 3), Fraction(0), Fraction(2, 3)), ("rock", "paper", "scissors"))
    '1/3 rock + 2/3 scissors'
    """
    used = [(name, share) for name, share in zip(names, mix) if share]
    return used[0][0] if len(used) == 1 else " + ".join(f"{number(share)} {name}" for name, share in used)


@dataclass(frozen=True)
class Equilibrium:
    """Strategies of which none can be bettered while the others stay: a Nash equilibrium.

    `gains` of the form are exactly zero, unless `exact` is False: then the probabilities are roots of a polynomial, and
    stand here rounded.
    """

    form: Form
    mixes: tuple[Mix, ...]
    """For each player the probability of each choice."""
    method: str
    """How it was found."""
    exact: bool = True

    @property
    def values(self) -> tuple[Fraction, ...]:
        """What each player gets on average."""
        return tuple(self.form.expected(self.mixes, player) for player in range(self.form.players))

    @property
    def supports(self) -> tuple[tuple[int, ...], ...]:
        """For each player the choices that he makes at times."""
        return tuple(tuple(at for at, share in enumerate(mix) if share) for mix in self.mixes)

    @property
    def pure(self) -> Profile | None:
        """The choices, where everybody's is certain."""
        supports = self.supports
        return tuple(one[0] for one in supports) if all(len(one) == 1 for one in supports) else None

    @property
    def strict(self) -> bool:
        """Whether every other strategy of any player is worse for him."""
        return self.pure is not None and all(
            sum(worth == max(worths) for worth in worths) == 1
            for worths in (self.form.of_choices(self.mixes, player) for player in range(self.form.players))
        )

    def probability(self, player: int, choice: str) -> Fraction:
        """How likely a player makes the choice of this name."""
        return self.mixes[player][self.form.choices[player].index(choice)]

    def profile(self, game: Game, state: Any = None) -> StrategyProfile:
        """The same as a profile of the game that it was found in: to be played, asked, kept, and measured.

        >>> from gametree.games.matrix.game import Matrix
        >>> from gametree.search.matrix.equilibria import equilibrium
        >>> pennies = Matrix([[1, -1], [-1, 1]])
        >>> found = equilibrium(pennies).profile(pennies)
        >>> found(pennies.initial())
        mappingproxy({0: Fraction(1, 2), 1: Fraction(1, 2)})
        """
        require_game(game, "Equilibrium.profile")
        line = check_state(game, state)
        move = joint(game, line)
        strategies: list[dict[Any, dict[Any, Fraction]]] = [{} for _ in range(game.players)]
        fits = game.players == len(self.mixes)
        for mover, actions in zip(move.players, move.actions):
            fits = fits and len(actions) == len(self.mixes[mover])
            if fits:
                strategies[mover][game.observe(line, mover)] = dict(zip(actions, self.mixes[mover]))
            line = game.result(line, actions[0])
        if not fits:
            raise InputError(f"this is an equilibrium of another game, not of {game!r}: the choices differ")
        return StrategyProfile(game, strategies)

    def __str__(self) -> str:
        parts = [
            f"{who}: {mix_text(mix, names)}"
            for who, mix, names in zip(self.form.names, self.mixes, self.form.choices)
        ]
        rounded = "" if self.exact else " (irrational, rounded)"
        return f"{'; '.join(parts)} → {', '.join(map(number, self.values))}{rounded}"

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON; fractions are texts."""
        return {
            "strategies": {
                who: {name: str(share) for name, share in zip(names, mix) if share}
                for who, mix, names in zip(self.form.names, self.mixes, self.form.choices)
            },
            "values": dict(zip(self.form.names, map(str, self.values))),
            "exact": self.exact,
            "method": self.method,
        }


@dataclass(frozen=True)
class Component:
    """Equilibria that hang together: all mixtures of the first's strategies against all mixtures of the second's.

    A component with one pair is a single equilibrium.
    """

    equilibria: tuple[Equilibrium, ...]
    """Its extreme equilibria."""
    subsets: tuple[tuple[tuple[Mix, ...], tuple[Mix, ...]], ...]
    """The maximal Nash subsets: strategies of the first and of the second whose mixtures all fit together."""

    @property
    def is_point(self) -> bool:
        return len(self.equilibria) == 1

    def __str__(self) -> str:
        if self.is_point:
            return str(self.equilibria[0])
        form = self.equilibria[0].form
        lines = []
        for subset in self.subsets:
            sides = (_hull(mixes, names) for mixes, names in zip(subset, form.choices))
            lines.append(" against ".join(f"{who}: {side}" for who, side in zip(form.names, sides)))
        return "\n  and ".join(lines)


def _hull(mixes: tuple[Mix, ...], names: tuple[str, ...]) -> str:
    told = [mix_text(mix, names) for mix in mixes]
    return told[0] if len(told) == 1 else f"any mixture of {', '.join(f'({one})' for one in told)}"


@dataclass(frozen=True)
class Equilibria:
    """The equilibria of a game that were looked for."""

    form: Form
    components: tuple[Component, ...]
    """Each a single equilibrium, or infinitely many by their extreme ones."""
    degenerate: bool
    """Whether some strategy has more best responses than choices that it mixes."""
    complete: bool
    """Whether there are no others."""
    method: str
    note: str = ""
    """What was not looked at, where something was not."""

    @property
    def equilibria(self) -> tuple[Equilibrium, ...]:
        """The extreme equilibria of all components."""
        return tuple(dict.fromkeys(one for component in self.components for one in component.equilibria))

    def __iter__(self) -> Iterator[Equilibrium]:
        return iter(self.equilibria)

    def __len__(self) -> int:
        return len(self.equilibria)

    def __getitem__(self, at: int) -> Equilibrium:
        return self.equilibria[at]

    def __str__(self) -> str:
        points = sum(component.is_point for component in self.components)
        wide = len(self.components) - points
        parts = [plural(points, "equilibrium", "equilibria")] if points or not wide else []
        if wide:
            parts.append(plural(wide, "component", "components") + " of infinitely many")
        kind = " (the game is degenerate)" if self.degenerate else ""
        lines = [" and ".join(parts) + kind, *(f"  {component}" for component in self.components)]
        return "\n".join([*lines, f"by {self.method}", *([self.note] if self.note else [])])

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {
            "components": [[one.to_dict() for one in component.equilibria] for component in self.components],
            "degenerate": self.degenerate,
            "complete": self.complete,
            "method": self.method,
        }


def plural(count: int, one: str, many: str) -> str:
    """A count with its noun.

    >>> plural(1, "equilibrium", "equilibria"), plural(3, "equilibrium", "equilibria")
    ('1 equilibrium', '3 equilibria')
    """
    return f"{count} {one if count == 1 else many}"


@dataclass(frozen=True)
class Removal:
    """A choice that is dominated, and by which mixture."""

    player: int
    choice: int
    by: Mix
    """The dominating mixture, over all choices of the player."""
    strict: bool
    round: int
    form: Form
    left: tuple[tuple[int, ...], ...]
    """The choices of each player that were still there."""

    @property
    def sentence(self) -> str:
        """Why the choice goes."""
        form = self.form
        names = form.choices[self.player]
        better = mix_text(self.by, names)
        others = [form.names[one] for one in range(form.players) if one != self.player]
        whatever = f"whatever {' and '.join(others)} {'do' if len(others) > 1 else 'does'}"
        who = form.names[self.player]
        if self.strict:
            return f"{whatever}, {who} gets more from {better} than from {names[self.choice]}"
        return f"{whatever}, {who} gets at least as much from {better} as from {names[self.choice]}, and sometimes more"


@dataclass(frozen=True)
class Elimination:
    """Dominated choices, removed round by round until none is left."""

    form: Form
    removals: tuple[Removal, ...]
    left: tuple[tuple[int, ...], ...]
    """The choices of each player that remain."""
    weak: bool
    mixed: bool
    """Whether domination by mixtures was looked for, too."""

    @property
    def remaining(self) -> Form:
        """The form with what remains."""
        return self.form.only(self.left)

    @property
    def solution(self) -> Profile | None:
        """The choices, where one remains for each player."""
        return tuple(one[0] for one in self.left) if all(len(one) == 1 for one in self.left) else None

    def __str__(self) -> str:
        kind = "weakly" if self.weak else "strictly"
        lines = [f"round {one.round}: {one.sentence}" for one in self.removals]
        if not lines:
            lines = [f"no choice is {kind} dominated"]
        kept = (
            f"{who}: {', '.join(names[at] for at in some)}"
            for who, names, some in zip(self.form.names, self.form.choices, self.left)
        )
        how = "by pure and mixed strategies" if self.mixed else "by pure strategies"
        order = "; with weak dominance another order may leave others" if self.weak and self.removals else ""
        return "\n".join([*lines, f"left: {'; '.join(kept)}", f"iterated {kind[:-2]} dominance {how}{order}"])


@dataclass(frozen=True)
class Security:
    """What a player can be sure of, whatever the others do: his maximin."""

    form: Form
    player: int
    value: Fraction
    mix: Mix
    """How he makes sure of it."""
    pure_value: Fraction
    """What he can be sure of without mixing."""
    pure_choice: int

    def __str__(self) -> str:
        names = self.form.choices[self.player]
        line = (
            f"{self.form.names[self.player]} is sure of {number(self.value)} by {mix_text(self.mix, names)}"
        )
        if self.value != self.pure_value:
            line += f", without mixing of {number(self.pure_value)} by {names[self.pure_choice]}"
        return line


@dataclass(frozen=True)
class Correlated:
    """A correlated equilibrium: a draw of profiles that everybody follows who is told his own part alone."""

    form: Form
    shares: tuple[tuple[Profile, Fraction], ...]
    """The profiles that may be drawn, with their probabilities."""
    aim: str
    """What is greatest among all correlated equilibria."""
    method: str

    @property
    def values(self) -> tuple[Fraction, ...]:
        return tuple(
            sum((share * self.form.payoff(profile, player) for profile, share in self.shares), Fraction(0))
            for player in range(self.form.players)
        )

    def is_equilibrium(self) -> bool:
        """Whether nobody gains by disobeying any advice: the definition (Aumann 1974)."""
        form = self.form
        total = sum((share for _, share in self.shares), Fraction(0))
        return (
            total == 1
            and all(share > 0 for _, share in self.shares)
            and not any(
                _gain(form, self.shares, player, told, instead) > 0
                for player in range(form.players)
                for told in range(form.sizes[player])
                for instead in range(form.sizes[player])
            )
        )

    def __str__(self) -> str:
        drawn = [f"  {number(share)} {self.form.told(profile)}" for profile, share in self.shares]
        worth = ", ".join(map(number, self.values))
        return "\n".join(["correlated equilibrium", *drawn, f"→ {worth}; {self.aim}", f"by {self.method}"])


def _gain(
    form: Form, shares: Iterable[tuple[Profile, Fraction]], player: int, told: int, instead: int
) -> Fraction:
    """What a player gains by another choice each time he is told one."""
    gain = Fraction(0)
    for profile, share in shares:
        if profile[player] == told:
            other = (*profile[:player], instead, *profile[player + 1 :])
            gain += share * (form.payoff(other, player) - form.payoff(profile, player))
    return gain
