"""The sequence form of a game: what remains of its tree when only what players know and do is kept.

B. von Stengel, Efficient Computation of Behavior Strategies, Games and Economic Behavior 14 (1996). A sequence of a
player is what this player has done so far: the empty one, or one that ends with an action at an information set. With
perfect recall, all histories of an information set have the same sequence of its player, its parent. Payoffs belong to
one sequence of each player; how likely chance is to play along is multiplied into them. A strategy is a realization
plan, a weight for each sequence; the payoff is linear in each player's plan.
"""

import functools
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

from gametree.errors import RulesError, UnsuitableError
from gametree.game import CHANCE, Game, check_state, names_of, offers, player_name
from gametree.search.core.plays import MAX_ACTIONS, odds_problem, root_actions, sums_to_one
from gametree.search.core.sound import sound
from gametree.search.core.stopwatch import StopWatch
from gametree.search.core.task import require_game

MOST_NODES: Final = 20_000_000
"""No more nodes of a game are listed unless asked for."""
MOST_PLIES: Final = 4_096
"""A play of so many plies is taken for endless."""
LOOK_UP: Final = 256
"""So many nodes are listed between two questions whether to stop."""
SIMPLE: Final = 1_000_000
"""A number that is a fraction with no greater denominator is taken for that fraction."""

Number = Any
"""A float, or a Fraction where nothing is rounded."""


@dataclass(frozen=True)
class InformationSet:
    """The states that a player cannot tell apart, seen from this player."""

    player: int
    observation: Hashable
    """What `observe` returns in all its states."""
    actions: tuple[Any, ...]
    names: tuple[str, ...]
    parent: int
    """The sequence of the player that leads here."""
    first: int
    """The sequence that ends with the first action here; those of the others follow."""
    state: Any
    """One of its states."""

    @property
    def sequences(self) -> range:
        """The sequences that end here."""
        return range(self.first, self.first + len(self.actions))


class SequenceForm:
    """A game by sequences: sequence 0 of each player is the empty one, and parents come before what follows them."""

    def __init__(
        self,
        game: Game,
        parent: Sequence[Sequence[int]],
        first: Sequence[Sequence[int]],
        count: Sequence[Sequence[int]],
        rows: Any,
        weights: Any,
        payoffs: Any,
        nodes: int,
        describe: Callable[[], tuple[tuple[InformationSet, ...], ...]],
    ):
        self.game = game
        self.parent = parent
        """For each player and each information set: the sequence that leads there."""
        self.first = first
        """The sequence that ends with the first action there; those of the others follow."""
        self.count = count
        """How many actions there are."""
        self.rows: Sequence[Sequence[int]] = rows
        """For each combination of sequences with which a play ends: the sequence of every player."""
        self.weights: Sequence[Number] = weights
        """How likely chance is to let them play it."""
        self.payoffs: Sequence[Sequence[Number]] = payoffs
        """What every player gets there, times that weight."""
        self.nodes = nodes
        """How many nodes the tree of the game has."""
        self._describe = describe

    def __getstate__(self) -> dict[str, Any]:
        """What a pickle takes along: the information sets themselves, and not how to find them."""
        sets = self.sets
        return {**vars(self), "sets": sets, "_describe": None}

    @functools.cached_property
    def sets(self) -> tuple[tuple[InformationSet, ...], ...]:
        """The information sets of each player, none before one that leads to it."""
        return self._describe()

    @property
    def players(self) -> int:
        """How many players there are."""
        return len(self.parent)

    def sequences(self, player: int) -> int:
        """How many sequences a player has, the empty one included."""
        return 1 + int(sum(self.count[player]))

    def __str__(self) -> str:
        sets = sum(map(len, self.parent))
        each = " and ".join(f"{self.sequences(player):,}" for player in range(self.players))
        return (
            f"{sets:,} information sets, {each} sequences, {len(self.rows):,} payoffs, {self.nodes:,} nodes"
        )


def rational(number: Any) -> Fraction:
    """The simple fraction that a number stands for: 1/3 for 0.333…; the number itself where there is none.

    >>> rational(1 / 3), rational(0.1), rational(2)
    (Fraction(1, 3), Fraction(1, 10), Fraction(2, 1))
    """
    exact = Fraction(number)
    simple = exact.limit_denominator(SIMPLE)
    return simple if float(simple) == float(number) else exact


@sound
def sequence_form(
    game: Game,
    state: Any = None,
    *,
    exact: bool = False,
    most_nodes: int = MOST_NODES,
    watch: StopWatch | None = None,
) -> SequenceForm | None:
    """The sequence form of a game from a state on, listed by plain rules; None where it was told to stop.

    With `exact`, probabilities and payoffs are fractions, and a float is read as the simple fraction it stands for.

    >>> from gametree.games.kuhn import Kuhn
    >>> str(sequence_form(Kuhn()))
    '12 information sets, 13 and 13 sequences, 30 payoffs, 58 nodes'
    """
    require_game(game, "sequence_form")
    listing = Listing(game, exact, most_nodes)
    state = check_state(game, state)
    if watch is None:
        return listing.listed(state, None)
    listing.rules, found = watch.rules(game), None
    with watch.in_time():
        found = listing.listed(state, lambda: not watch.look_up())
    return found


class Listing:
    """A walk over the tree of a game, the first action first."""

    def __init__(self, game: Game, exact: bool, most_nodes: int):
        self._game = game
        self.rules: Game = game
        """The game as it is asked."""
        self._exact = exact
        self._most = most_nodes
        self._sets: list[dict[Hashable, InformationSet]] = [{} for _ in range(game.players)]
        self._sequences = [1] * game.players
        self._ways: list[dict[Hashable, tuple[Any, ...]]] = [{} for _ in range(game.players)]
        """How each information set was first reached."""
        self._entries: dict[tuple[int, ...], list[Number]] = {}

    def listed(self, start: Any, told_to_stop: Callable[[], bool] | None) -> SequenceForm | None:
        """The form, or None where it was told to stop."""
        game, rules, number = self._game, self.rules, rational if self._exact else float
        stack: list[tuple[Any, tuple[int, ...], Number, tuple[Any, ...]]]
        stack = [(start, (0,) * game.players, number(1), ())]
        nodes = 0
        while stack:
            state, played, odds, way = stack.pop()
            nodes += 1
            if nodes % LOOK_UP == 0 and told_to_stop is not None and told_to_stop():
                return None
            if nodes > self._most:
                raise UnsuitableError(too_large(game, self._most))
            if rules.is_terminal(state):
                self._end(state, played, odds, number, way, start)
                continue
            if len(way) >= MOST_PLIES:
                raise UnsuitableError(endless(game))
            mover = rules.player(state)
            if mover == CHANCE and offers(game, "chance"):
                if not sums_to_one(rules, state):
                    raise odds_problem(game, state, names_of(game, start, way))
                following = [
                    (rules.result(state, outcome), played, odds * number(p), (*way, outcome))
                    for outcome, p in rules.chance(state)
                    if p > 0
                ]
            else:
                following = self._move(state, played, odds, way, mover, start)
            stack.extend(reversed(following))
        sets = tuple(tuple(known.values()) for known in self._sets)
        return SequenceForm(
            game,
            parent=[[one.parent for one in mine] for mine in sets],
            first=[[one.first for one in mine] for mine in sets],
            count=[[len(one.actions) for one in mine] for mine in sets],
            rows=list(self._entries),
            weights=[entry[0] for entry in self._entries.values()],
            payoffs=[entry[1:] for entry in self._entries.values()],
            nodes=nodes,
            describe=lambda: sets,
        )

    def _end(
        self, state: Any, played: tuple[int, ...], odds: Number, number: Any, way: Any, start: Any
    ) -> None:
        entry = self._entries.setdefault(played, [number(0)] * (1 + self._game.players))
        entry[0] += odds
        for player in range(self._game.players):
            payoff = self.rules.utility(state, player)
            try:
                entry[1 + player] += odds * number(payoff)
            except (TypeError, ValueError, OverflowError):
                raise RulesError(
                    f"{type(self._game).__name__}.utility returned {payoff!r}: an expected payoff needs finite numbers",
                    names_of(self._game, start, way),
                ) from None

    def _move(
        self, state: Any, played: tuple[int, ...], odds: Number, way: tuple[Any, ...], mover: int, start: Any
    ) -> list[Any]:
        game = self.rules
        if not 0 <= mover < game.players:
            raise RulesError(
                f"{type(game).__name__}.player returned {mover!r}: it is 0 to {game.players - 1}, or CHANCE",
                names_of(game, start, way),
            )
        actions = tuple(root_actions(game, state))
        if len(actions) > MAX_ACTIONS:
            raise RulesError(
                f"{type(game).__name__}.actions gave more than {MAX_ACTIONS:,} actions: does it end?"
            )
        seen = observed(game, state, mover)
        known = self._sets[mover].get(seen)
        if known is None:
            names = tuple(game.name_action(state, action) for action in actions)
            known = InformationSet(mover, seen, actions, names, played[mover], self._sequences[mover], state)
            self._sets[mover][seen] = known
            self._ways[mover][seen] = way
            self._sequences[mover] += len(actions)
        elif known.actions != actions or known.parent != played[mover]:
            self._refuse(known, actions, way, start)
        return [
            (
                game.result(state, action),
                (*played[:mover], known.first + place, *played[mover + 1 :]),
                odds,
                (*way, action),
            )
            for place, action in enumerate(actions)
        ]

    def _refuse(self, known: InformationSet, actions: tuple[Any, ...], way: Any, start: Any) -> None:
        """Says in what two states differ that `observe` makes one."""
        game, mover = self._game, known.player
        who = player_name(game.player_names, mover)
        here = ", ".join(names_of(game, start, way)) or "nothing"
        there = ", ".join(names_of(game, start, self._ways[mover][known.observation])) or "nothing"
        same = (
            f"`{type(game).__name__}.observe` gives {who} the same, {known.observation!r}, after {there} and after"
            f" {here}"
        )
        if known.actions != actions:
            raise RulesError(
                f"{same}, where other actions are legal: {known.actions!r} and {actions!r}. A player has to know"
                " what is legal; let `observe` tell the two apart, or `actions` not"
            )
        raise RulesError(
            f"{same}, although {who} did or saw other things before: {who} forgets. Equilibria by sequences need"
            " perfect recall: let `observe` hold all that a player ever saw and did"
        )


def observed(game: Game, state: Any, player: int) -> Hashable:
    """What a player sees of a state, refused where it cannot be told from other things."""
    seen = game.observe(state, player)
    try:
        hash(seen)
    except TypeError:
        raise RulesError(
            f"{type(game).__name__}.observe returned {seen!r}, which cannot be hashed ({type(seen).__name__} changes in"
            " place). Return a tuple or another immutable value"
        ) from None
    if seen is None:
        raise RulesError(f"{type(game).__name__}.observe returned None: is a `return` missing?")
    return seen


def too_large(game: Game, most: int) -> str:
    """The refusal of a game with more nodes than may be listed."""
    return (
        f"{type(game).__name__} has more than {most:,} nodes: too many to list. Raise most_nodes, take a smaller game,"
        " or sample it: gt.mccfr(game)"
    )


def endless(game: Game) -> str:
    """The refusal of a game without an end."""
    return (
        f"{type(game).__name__} has plays of more than {MOST_PLIES:,} plies: equilibria by sequences need a game that"
        " ends. Let a rule end it (a counter in the state)"
    )
