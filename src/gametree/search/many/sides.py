"""Sides: the players of a game, those of one team taken together, as kernels know them.

A side is a team, or a player who plays alone. Its payoff is that of its first player, the leader; that the others get
the same is looked at wherever a payoff is asked for.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from gametree.arguments import is_whole
from gametree.errors import InputError, RulesError
from gametree.game import Game, offers, player_name
from gametree.kernel.clock import BY_PLIES, Clock
from gametree.kernel.memory import Memory
from gametree.kernel.primitives import Ints, estimate_for

BY_TEAMS, BY_PROMISE, BY_PLAYER = 40, 41, 42
"""More reasons to stop: members of a team get different payoffs; an evaluation breaks what was promised for it;
somebody moves who does not play."""


class SideTable(Memory, frozen=True):
    """Who plays with whom, as kernels know it."""

    players: int
    count: int
    """How many sides there are."""
    teams: bool
    """Whether some play together."""
    ours: int
    """The side that asks."""
    even: float
    """What a draw pays a side."""
    of: Ints
    """The side of each player; the leader and the size of each side."""
    leaders: Ints
    sizes: Ints


T = TypeVar("T", bound=SideTable)


@dataclass(frozen=True)
class Sides:
    """Who plays with whom."""

    of: tuple[int, ...]
    """For each player the side."""
    members: tuple[tuple[int, ...], ...]
    """For each side its players; the first is its leader."""

    @property
    def players(self) -> int:
        """How many players there are."""
        return len(self.of)

    @property
    def teams(self) -> bool:
        """Whether some play together."""
        return len(self.members) < len(self.of)

    def table(self, kind: type[T], compiled: bool, **more: Any) -> T:
        """The sides as a kernel knows them, with what else it keeps in that block."""
        arrays: dict[str, Any] = {
            "of": list(self.of),
            "leaders": [members[0] for members in self.members],
            "sizes": [len(members) for members in self.members],
        }
        if compiled:
            import numpy as np

            arrays = {name: np.array(numbers, np.int64) for name, numbers in arrays.items()}
        return kind.allocate(
            compiled, players=self.players, count=len(self.members), teams=self.teams, **arrays, **more
        )

    def to_players(self, vector: tuple[float, ...]) -> tuple[float, ...]:
        """Payoffs of sides as payoffs of players."""
        return tuple(float(vector[side]) for side in self.of)

    def in_words(self, names: Sequence[str]) -> str:
        """Who plays with whom, for a message: by their names, or by number where a game names nobody."""
        return " and ".join(
            f"players {', '.join(map(str, members))}"
            if len(members) > 1 and not names
            else " with ".join(player_name(names, player) for player in members)
            for members in self.members
        )


def sides_of(game: Game) -> Sides:
    """The sides of a game, by its `team`."""
    players = game.players
    if not is_whole(players) or players < 1:
        raise RulesError(f"{type(game).__name__}.players is {players!r}: a whole number of at least 1")
    teams = list(range(players))
    if offers(game, "team"):
        teams = [game.team(player) for player in range(players)]
    for player, team in enumerate(teams):
        try:
            hash(team)
        except TypeError:
            raise RulesError(
                f"{type(game).__name__}.team({player}) is {team!r}: a team is a number, the same for its players"
            ) from None
    names = list(dict.fromkeys(teams))
    of = tuple(names.index(team) for team in teams)
    members = tuple(
        tuple(player for player in range(players) if of[player] == side) for side in range(len(names))
    )
    return Sides(of, members)


def chosen_player(game: Game, player: Any) -> int:
    """A player as an argument."""
    if not is_whole(player) or not 0 <= player < game.players:
        raise InputError(f"player={player!r}: {type(game).__name__} has the players 0 to {game.players - 1}")
    return player


# --- what kernels ask -------------------------------------------------------------------------------


def side_of(game: Any, state: Any, sides: SideTable, clock: Clock) -> int:
    """The side that moves; −1 where whoever moves does not play."""
    mover: int = game.player(state)
    if mover < 0 or mover >= sides.players:
        clock.stop = BY_PLAYER
        return -1
    return sides.of[mover]


def payoff_to_us(game: Any, state: Any, sides: SideTable, clock: Clock) -> float:
    """What our side gets at a terminal state; nan where that is no sound payoff."""
    payoff: float = game.utility(state, sides.leaders[sides.ours])
    if sides.teams:
        for player in range(sides.players):
            if sides.of[player] == sides.ours and game.utility(state, player) != payoff:
                clock.stop = BY_TEAMS
                return math.nan
    return payoff


def estimate_to_us(game: Any, state: Any, sides: SideTable, clock: Clock) -> float:
    """Our side's estimate of a state at the horizon; nan where there is none."""
    if clock.endless:
        clock.stop = BY_PLIES
        return math.nan
    clock.estimated = True
    return estimate_for(game, state, sides.leaders[sides.ours])


# --- why a search stopped ---------------------------------------------------------------------------


def refusal(game: Game, sides: Sides, reason: int) -> RulesError | None:
    """The words for the reasons to stop of this page; None for another."""
    name = type(game).__name__
    if reason == BY_TEAMS:
        return RulesError(
            f"{name} says that {sides.in_words(game.player_names)} are teams, but `utility` does not give the"
            " members of a team the same. Players of one team share a payoff: give them the same, or leave `team` out"
        )
    if reason == BY_PLAYER:
        return RulesError(
            f"{name}.player returned somebody who does not play: players are 0 to {sides.players - 1}, and CHANCE where"
            " the game defines `chance`"
        )
    if reason == BY_PROMISE:
        return RulesError(
            f'pruning="always" promises that evaluations keep to `payoffs` and to the sum of the payoffs as utilities'
            f' do, and an evaluation of {name} does not. Use pruning="auto", or scale `evaluate`'
        )
    return None
