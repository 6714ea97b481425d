"""Sides: the players of a game, those of one team taken together, as kernels know them.

A side is a team, or a player who plays alone. Its payoff is that of its first player, the leader; that the others get
the same is looked at wherever a payoff is asked for. What a kernel has to know of sides lies in its ledger, behind the
ledger proper; floats lie at the beginning of the scratch array.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from gametree.arguments import is_whole
from gametree.errors import InputError, RulesError
from gametree.game import Game, offers, player_name
from gametree.kernel.primitives import (
    BY_PLIES,
    ENDLESS,
    ESTIMATED,
    LEDGER_SIZE,
    STOP,
    Floats,
    Ints,
    estimate_for,
)

PLAYERS, SIDES, TEAMS, OURS, TIES, PRUNES, PROMISED, SIDE_OF = range(LEDGER_SIZE, LEDGER_SIZE + 8)
"""Places in the ledger. From SIDE_OF on: the side of each player, the leader of each side, the size of each side."""
BY_TEAMS, BY_PROMISE, BY_PLAYER = 40, 41, 42
"""More reasons to stop: members of a team get different payoffs; an evaluation breaks what was promised for it;
somebody moves who does not play."""

LOWEST, TOTAL, EVEN, CEILINGS = range(4)
"""Places in the scratch array: the least payoff, the (greatest) sum of all, what a draw pays a side; from CEILINGS on
the most that each side can get."""

OFF, IMMEDIATE, SHALLOW = range(3)
"""What a search may prune; each includes the one before."""


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

    @property
    def room(self) -> int:
        """How many words of the ledger sides take."""
        return SIDE_OF - LEDGER_SIZE + 3 * self.players

    def furnish(self, ledger: Any, ours: int) -> None:
        """Writes the sides into a ledger; `ours` is the side that asks."""
        players = self.players
        ledger[PLAYERS] = players
        ledger[SIDES] = len(self.members)
        ledger[TEAMS] = int(self.teams)
        ledger[OURS] = ours
        for player, side in enumerate(self.of):
            ledger[SIDE_OF + player] = side
        for side, members in enumerate(self.members):
            ledger[SIDE_OF + players + side] = members[0]
            ledger[SIDE_OF + 2 * players + side] = len(members)

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


def side_of(game: Any, state: Any, ledger: Ints) -> int:
    """The side that moves; −1 where whoever moves does not play."""
    mover: int = game.player(state)
    if mover < 0 or mover >= ledger[PLAYERS]:
        ledger[STOP] = BY_PLAYER
        return -1
    return ledger[SIDE_OF + mover]


def paid(game: Any, state: Any, scratch: Floats, at: int, ledger: Ints) -> bool:
    """Writes what each side gets at a terminal state into scratch[at], …; False where that is no sound payoff."""
    players = ledger[PLAYERS]
    for player in range(players):
        payoff = game.utility(state, player)
        side = ledger[SIDE_OF + player]
        if ledger[SIDE_OF + players + side] == player:
            if payoff != payoff:
                return False
            scratch[at + side] = payoff
        elif scratch[at + side] != payoff:
            ledger[STOP] = BY_TEAMS
            return False
    return True


def payoff_to(game: Any, state: Any, side: int, ledger: Ints) -> float:
    """What a side gets at a terminal state; nan where that is no sound payoff."""
    players = ledger[PLAYERS]
    payoff: float = game.utility(state, ledger[SIDE_OF + players + side])
    if ledger[TEAMS] != 0:
        for player in range(players):
            if ledger[SIDE_OF + player] == side and game.utility(state, player) != payoff:
                ledger[STOP] = BY_TEAMS
                return math.nan
    return payoff


def estimates(game: Any, state: Any, scratch: Floats, at: int, ledger: Ints) -> bool:
    """Writes each side's estimate of a state at the horizon into scratch[at], …; False where there is none."""
    if ledger[ENDLESS] != 0:
        ledger[STOP] = BY_PLIES
        return False
    ledger[ESTIMATED] = 1
    players = ledger[PLAYERS]
    total = 0.0
    for side in range(ledger[SIDES]):
        estimate = estimate_for(game, state, ledger[SIDE_OF + players + side])
        if estimate != estimate:
            return False
        scratch[at + side] = estimate
        if ledger[PROMISED] != 0:
            total += ledger[SIDE_OF + 2 * players + side] * estimate
            if estimate < scratch[LOWEST] or estimate > scratch[CEILINGS + side]:
                ledger[STOP] = BY_PROMISE
                return False
    if ledger[PROMISED] == SHALLOW and total > scratch[TOTAL] + 1e-9 * max(1.0, abs(scratch[TOTAL])):
        ledger[STOP] = BY_PROMISE
        return False
    return True


def estimate_to(game: Any, state: Any, side: int, ledger: Ints) -> float:
    """A side's estimate of a state at the horizon; nan where there is none."""
    if ledger[ENDLESS] != 0:
        ledger[STOP] = BY_PLIES
        return math.nan
    ledger[ESTIMATED] = 1
    return estimate_for(game, state, ledger[SIDE_OF + ledger[PLAYERS] + side])


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
