"""A profile: for every player a strategy, and in that for every information set how likely each action is."""

import json
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, Protocol

from gametree.arguments import is_finite, is_whole
from gametree.documents.hidden import ProfileDocument
from gametree.errors import InputError, RulesError, UnsuitableError
from gametree.game import CHANCE, Game, player_name
from gametree.reading import mismatch, parse, short, text_of
from gametree.result import as_html, as_text
from gametree.search.core.identity import Identity
from gametree.search.core.plays import root_actions
from gametree.search.core.task import require_game
from gametree.search.hidden.sequence_form import SequenceForm, observed, sequence_form

SCHEMA: Final = "gametree.profile/1"
CLOSE: Final = 1e-6
"""So far from 1 may the probabilities at an information set sum to."""
SMALL: Final = 50_000
"""A game of so many nodes is listed to name its actions."""
MOST_SHOWN: Final = 60
"""A table has no more rows."""

Odds = Mapping[Any, float | Fraction]
"""Actions, each with its probability."""


class Draw(Protocol):
    """Where chance comes from: `random.Random`, say."""

    def random(self) -> float: ...


class Profile:
    """A strategy for each player of a game: `strategies[player]` maps observations to {action: probability}.

    Called with a state, it says how likely each action of the player to move is. Probabilities may be fractions.

    >>> from fractions import Fraction
    >>> from gametree.games import Kuhn
    >>> kuhn = Kuhn()
    >>> profile = Profile.uniform(kuhn)
    >>> profile.at(0, (2, 0, 0))
    mappingproxy({0: Fraction(1, 2), 1: Fraction(1, 2)})
    >>> changed = profile.with_strategy(0, {(2, 0, 0): {1: 1}})
    >>> changed(kuhn.parse_state("K J"))
    mappingproxy({0: 0, 1: 1})
    """

    def __init__(
        self, game: Game, strategies: Sequence[Mapping[Any, Mapping[Any, Any]]], *, known: bool = True
    ):
        """With `known=False`, actions are equally likely where the profile says nothing."""
        require_game(game, "Profile")
        if not isinstance(strategies, Sequence) or len(strategies) != game.players:
            raise InputError(
                f"a profile of {type(game).__name__} takes {game.players} strategies, one a player: mappings from"
                f" observations to {{action: probability}}; not {short(strategies)}"
            )
        self.game = game
        self._known = known
        self.form: SequenceForm | None = None
        """The sequence form that the profile was made of, where it was."""
        self._names: dict[Any, str] | None = None
        self.strategies: tuple[Mapping[Hashable, Odds], ...] = tuple(
            MappingProxyType({seen: _odds(odds, player, seen) for seen, odds in one.items()})
            for player, one in enumerate(strategies)
        )

    def __getstate__(self) -> dict[str, Any]:
        kept = [{seen: dict(odds) for seen, odds in one.items()} for one in self.strategies]
        return {**vars(self), "strategies": kept}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        closed = ({seen: MappingProxyType(odds) for seen, odds in one.items()} for one in kept["strategies"])
        vars(self).update(kept, strategies=tuple(map(MappingProxyType, closed)))

    @classmethod
    def uniform(cls, game: Game, state: Any = None) -> "Profile":
        """The profile in which every action is as likely as the others."""
        form = sequence_form(game, state)
        assert form is not None
        return cls.of(
            form, [[[Fraction(1, len(one.actions))] * len(one.actions) for one in sets] for sets in form.sets]
        )

    @classmethod
    def of(cls, form: SequenceForm, local: Sequence[Sequence[Sequence[Any]]]) -> "Profile":
        """The profile that gives the actions at each information set of a form these probabilities."""
        made = cls(
            form.game,
            [
                {one.observation: dict(zip(one.actions, odds)) for one, odds in zip(sets, mine)}
                for sets, mine in zip(form.sets, local)
            ],
        )
        made.form = form
        return made

    # --- asking ---------------------------------------------------------------------------------------

    def __call__(self, state: Any) -> Odds:
        """How likely each action is at a state, as its player sees it."""
        game = self.game
        if game.is_terminal(state):
            raise InputError("the game is over: nobody moves")
        mover = game.player(state)
        if mover == CHANCE:
            raise InputError(
                f"chance decides here; game.chance(state) says how likely what is ({short(state)})"
            )
        seen = observed(game, state, mover)
        legal = root_actions(game, state)
        odds = self.strategies[mover].get(seen)
        if odds is None:
            if self._known:
                raise InputError(self._unknown(mover, seen))
            return MappingProxyType({action: 1 / len(legal) for action in legal})
        if any(action not in odds for action in legal) or len(odds) != len(legal):
            for action, p in odds.items():
                if p and action not in legal:
                    raise InputError(
                        f"the profile plays {action!r} where {self._who(mover)} has seen {self._shown(mover, seen)},"
                        f" which is not legal there; legal are {', '.join(map(repr, legal))}"
                    )
            return MappingProxyType({action: odds.get(action, 0) for action in legal})
        return odds

    def at(self, player: int, observation: Hashable) -> Odds:
        """How likely each action of a player is after an observation."""
        if not is_whole(player) or not 0 <= player < self.game.players:
            raise InputError(f"player={player!r}: 0 to {self.game.players - 1}")
        try:
            return self.strategies[player][observation]
        except (KeyError, TypeError):
            raise InputError(self._unknown(player, observation)) from None

    def play(self, state: Any, draw: Draw) -> Any:
        """An action, drawn as the profile says; `draw` is `random.Random(seed)`, say."""
        left = draw.random()
        action = None
        for option, p in self(state).items():
            if p > 0:
                action = option
                left -= float(p)
                if left < 0:
                    break
        return action

    def __len__(self) -> int:
        """For how many information sets it has an answer."""
        return sum(map(len, self.strategies))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Profile):
            return NotImplemented
        return self.of_same_game(other.game) and self.strategies == other.strategies

    def of_same_game(self, game: Game) -> bool:
        """Whether it is a profile of this game: the same rules, parameters and arrays, not only written alike."""
        return self.game is game or Identity.of(self.game) == Identity.of(game)

    __hash__: Any = None

    def local(self, form: SequenceForm) -> list[list[list[Any]]]:
        """The probabilities in the order of a form; refused where the profile does not say."""
        found = []
        for player, sets in enumerate(form.sets):
            mine: list[list[Any]] = []
            for one in sets:
                odds = self.strategies[player].get(one.observation)
                if odds is None and self._known:
                    raise InputError(self._unknown(player, one.observation))
                if odds is None:
                    mine.append([Fraction(1, len(one.actions))] * len(one.actions))
                    continue
                for action, p in odds.items():
                    if p and action not in one.actions:
                        raise InputError(
                            f"the profile plays {action!r} where {self._who(player)} has seen"
                            f" {self._shown(player, one.observation)}: legal are {', '.join(one.names)}"
                        )
                mine.append([odds.get(action, 0) for action in one.actions])
            found.append(mine)
        return found

    # --- changing -------------------------------------------------------------------------------------

    def with_strategy(self, player: int, changes: Mapping[Any, Mapping[Any, Any]]) -> "Profile":
        """A profile that differs from this one in what a player does after some observations."""
        if not is_whole(player) or not 0 <= player < self.game.players:
            raise InputError(f"player={player!r}: 0 to {self.game.players - 1}")
        changed: list[Mapping[Any, Any]] = list(self.strategies)
        mine: dict[Any, Any] = dict(changed[player])
        for seen, odds in changes.items():
            before = mine.get(seen)
            if before is None and self._known:
                raise InputError(self._unknown(player, seen))
            mine[seen] = {**dict.fromkeys(before or (), 0), **odds}
        changed[player] = mine
        made = Profile(self.game, changed, known=self._known)
        made.form = self.form
        return made

    def compare(self, other: "Profile") -> "Comparison":
        """Where two profiles of one game differ, the greatest difference first."""
        if not isinstance(other, Profile) or not self.of_same_game(other.game):
            raise InputError(f"only profiles of one game can be compared: {self.game!r} and {short(other)}")
        rows = []
        for player, (mine, theirs) in enumerate(zip(self.strategies, other.strategies)):
            for seen in {**mine, **theirs}:
                a, b = mine.get(seen), theirs.get(seen)
                if a is None or b is None:
                    continue
                gaps: list[Any] = [abs(a.get(action, 0) - b.get(action, 0)) for action in {**a, **b}]
                rows.append(Difference(player, seen, self._shown(player, seen), a, b, max(gaps)))
        rows.sort(key=lambda row: -row.apart)
        alone = sum(
            len(mine.keys() ^ theirs.keys()) for mine, theirs in zip(self.strategies, other.strategies)
        )
        return Comparison(self, tuple(rows), alone)

    # --- showing --------------------------------------------------------------------------------------

    def _who(self, player: int) -> str:
        return player_name(self.game.player_names, player)

    def _shown(self, player: int, seen: Hashable) -> str:
        return self.game.show_observation(seen, player)

    def _unknown(self, player: int, seen: Hashable) -> str:
        return (
            f"the profile does not say what {self._who(player)} does having seen {self._shown(player, seen)}; it knows"
            f" {len(self.strategies[player]):,} information sets of {self._who(player)}"
        )

    def rows(self) -> Iterator[tuple[int, str, str]]:
        """For each information set: the player, what is seen, and what is done, as people read it."""
        for player, mine in enumerate(self.strategies):
            for seen, odds in mine.items():
                done = ((self.name(player, seen, action), p) for action, p in odds.items() if p > 0)
                yield player, self._shown(player, seen), ", ".join(f"{name} {percent(p)}" for name, p in done)

    def name(self, player: int, observation: Hashable, action: Any) -> str:
        """What people call an action; its text, where the game is too large to look for a state to name it at."""
        if self._names is None:
            form = self.form or _small_form(self.game)
            self._names = (
                {}
                if form is None
                else {
                    (one.player, one.observation, action): name
                    for sets in form.sets
                    for one in sets
                    for action, name in zip(one.actions, one.names)
                }
            )
        return self._names.get((player, observation, action), str(action))

    def __str__(self) -> str:
        rows = []
        for count, (player, seen, done) in enumerate(self.rows()):
            if count == MOST_SHOWN:
                rows.append(("…", f"{len(self) - MOST_SHOWN:,} more information sets"))
                break
            rows.append((f"{self._who(player)}, {seen}", done))
        wide = min(48, max((len(left) for left, _ in rows), default=0) + 2)
        return as_text(f"{type(self.game).__name__}, profile", rows, wide=wide)

    def __repr__(self) -> str:
        return f"<Profile of {self.game!r}: {len(self):,} information sets>"

    def _repr_html_(self) -> str:
        rows = [(f"{self._who(player)}, {seen}", done) for player, seen, done in self.rows()]
        return as_html(f"{type(self.game).__name__}, profile", rows[:MOST_SHOWN])

    # --- documents ------------------------------------------------------------------------------------

    def to_dict(self) -> dict[str, Any]:
        """The profile as plain data, by the schema `gametree.profile/1`. Fractions are texts: "1/3"."""
        which = Identity.of(self.game)
        return {
            "schema": SCHEMA,
            "game": which.game,
            "rules": which.rules,
            "parameters": which.parameters,
            "complete": self._known,
            "sets": [
                {
                    "player": player,
                    "seen": self._shown(player, seen),
                    "observation": _written(seen, "observation"),
                    "actions": [
                        {
                            "action": _written(action, "action"),
                            "name": self.name(player, seen, action),
                            "probability": as_number(p),
                        }
                        for action, p in odds.items()
                    ],
                }
                for player, mine in enumerate(self.strategies)
                for seen, odds in mine.items()
            ],
        }

    def to_json(self, indent: int | None = None) -> str:
        """The profile as JSON text."""
        return json.dumps(self.to_dict(), indent=indent, allow_nan=False, ensure_ascii=False)

    @classmethod
    def from_json(
        cls, game: Game, text: str, name: str = "the text", *, other_rules: bool = False
    ) -> "Profile":
        """The profile that a text describes; observations and actions are numbers, texts and tuples of these.

        It is one of the same game: rules, parameters and arrays. With `other_rules` the code of the rules may be
        another than it was, as after an improvement that changes nothing, or on another version of Python.
        """
        require_game(game, "Profile")
        data = parse(text, name)
        wrong = mismatch(data, ProfileDocument, name)
        if wrong:
            raise InputError(wrong)
        mine, theirs = Identity.of(game), Identity(data["game"], data["rules"], data["parameters"])
        if theirs.game != mine.game:
            raise InputError(f"{name} is a profile of {theirs.game[:80]}, not of {game!r}")
        if theirs.parameters != mine.parameters:
            raise InputError(
                f"{name} is a profile of another {game!r}: it is written alike, but its parameters or arrays differ"
            )
        if theirs.rules != mine.rules and not other_rules:
            raise InputError(
                f"{name} is a profile of {game!r} by other rules: their code, or the version of Python, has changed."
                " Where they mean the same, other_rules=True reads it"
            )
        strategies: list[dict[Any, dict[Any, Any]]] = [{} for _ in range(game.players)]
        for row in data["sets"]:
            player, seen = row["player"], _read(row["observation"])
            if player >= game.players:
                raise InputError(f"{name}: there is no player {player} in {game!r}")
            if seen in strategies[player]:
                raise InputError(f"{name}: two entries for player {player} and {row['seen'][:80]}")
            strategies[player][seen] = {
                _read(one["action"]): _probability(one["probability"], name) for one in row["actions"]
            }
        return cls(game, strategies, known=data["complete"])

    @classmethod
    def load(cls, game: Game, file: str | Path, *, other_rules: bool = False) -> "Profile":
        """The profile in a file that `to_json` wrote."""
        path = Path(file)
        return cls.from_json(game, text_of(path), path.name, other_rules=other_rules)


@dataclass(frozen=True)
class Difference:
    """What two profiles do at one information set."""

    player: int
    observation: Hashable
    seen: str
    first: Odds
    second: Odds
    apart: Any
    """The greatest difference between two probabilities of an action."""


@dataclass(frozen=True, repr=False)
class Comparison:
    """Where two profiles differ, the greatest difference first."""

    profile: Profile
    rows: tuple[Difference, ...]
    alone: int
    """How many information sets only one of them knows."""

    @property
    def greatest(self) -> float:
        """The greatest difference between two probabilities of an action."""
        return float(self.rows[0].apart) if self.rows else 0.0

    def __str__(self) -> str:
        game = self.profile.game
        shown = []
        for row in self.rows[:20]:
            if row.apart == 0:
                break
            both = ", ".join(
                f"{self.profile.name(row.player, row.observation, action)} {percent(row.first.get(action, 0))} and"
                f" {percent(row.second.get(action, 0))}"
                for action in {**row.second, **row.first}
            )
            shown.append((f"{player_name(game.player_names, row.player)}, {row.seen}", both))
        same = sum(row.apart == 0 for row in self.rows)
        shown.append(("the same", f"{same:,} of {len(self.rows):,} information sets"))
        if self.alone:
            shown.append(("in one alone", f"{self.alone:,} information sets"))
        return as_text(
            f"{type(game).__name__}, two profiles", shown, wide=max(len(left) for left, _ in shown) + 2
        )

    __repr__ = __str__


def percent(p: Any) -> str:
    """A probability as people read it.

    >>> percent(1), percent(1 / 3), percent(0.00001)
    ('100 %', '33.3 %', '<0.1 %')
    """
    share = 100 * float(p)
    if 0 < share < 0.05:
        return "<0.1 %"
    if 99.95 <= share < 100:
        return ">99.9 %"
    return f"{share:.1f} %" if share % 1 else f"{share:.0f} %"


def _small_form(game: Game) -> SequenceForm | None:
    try:
        return sequence_form(game, most_nodes=SMALL)
    except (RulesError, UnsuitableError):
        return None


def _odds(odds: Any, player: int, seen: Any) -> Odds:
    where = f"player {player} after {short(seen)}"
    if not isinstance(odds, Mapping) or not odds:
        raise InputError(f"{where}: {short(odds)} is no mapping from actions to probabilities")
    total: Any = 0
    for action, p in odds.items():
        if not (isinstance(p, Fraction) or is_finite(p)) or not -1e-12 <= p <= 1 + CLOSE:
            raise InputError(f"{where}: {action!r} has the probability {p!r}, which is not from 0 to 1")
        total += p
    if abs(total - 1) > CLOSE:
        raise InputError(f"{where}: the probabilities sum to {float(total):g}, not to 1")
    return MappingProxyType(dict(odds))


def _written(value: Any, what: str) -> Any:
    """Numbers, texts and tuples as JSON has them."""
    if isinstance(value, tuple):
        return [_written(part, what) for part in value]
    if value is None or isinstance(value, (str, bool)) or is_finite(value):
        return value
    if hasattr(value, "item"):  # a NumPy scalar
        return _written(value.item(), what)
    raise InputError(
        f"the {what} {short(value)} cannot be written as JSON: it is a {type(value).__name__}. Let it be a number, a"
        " text or a tuple of these"
    )


def _read(value: Any) -> Any:
    return tuple(map(_read, value)) if isinstance(value, list) else value


def as_number(p: Any) -> Any:
    """A number as JSON has it: a fraction is a text."""
    if isinstance(p, Fraction):
        return int(p) if p.denominator == 1 else f"{p.numerator}/{p.denominator}"
    return p


def _probability(value: Any, name: str) -> Any:
    if not isinstance(value, str):
        return value
    try:
        numerator, denominator = value.split("/")
        return Fraction(int(numerator), int(denominator))
    except (ValueError, ZeroDivisionError):
        raise InputError(f'{name}: {value[:40]!r} is no fraction; write "1/3"') from None
