"""Kuhn poker: one card each, one bet. The smallest game in which bluffing pays."""

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from gametree.board.data import Board, Cell, Piece
from gametree.errors import InputError
from gametree.game import CHANCE, ORDINALS, Game, mover_at
from gametree.games.parameters import whole_number
from gametree.kernel.put import put

PASS: Final = 0
BET: Final = 1
RANKS: Final = "23456789TJQKA"
MOST_PLAYERS: Final = 10
UNSEEN: Final = -1
"""A card that is not dealt yet."""


class State(NamedTuple):
    """The card of each player, and who passed (0) and bet (1): bit i of `history` is the i-th of the `plies`."""

    cards: tuple[int, ...]
    plies: int
    history: int


class Kuhn(Game):
    """Everybody antes 1 and gets one card; in turn they pass or bet 1, once somebody bets they call or fold.

    The highest card of those who are still in wins the pot. With two players the deck is J, Q, K, and the first player
    loses 1/18 a deal on average between perfect players (Kuhn 1950). With n players it has n + 1 cards (Szafron, Gibson
    & Sturtevant 2013). After a bet, to bet is to call and to pass is to fold.

    >>> kuhn = Kuhn()
    >>> deal = kuhn.result(kuhn.result(kuhn.initial(), 2), 0)
    >>> kuhn.show(deal)
    'K J'
    >>> kuhn.observe(deal, 1)
    (0, 0, 0)
    >>> kuhn.utility(kuhn.result(kuhn.result(deal, BET), BET), 0)
    2
    """

    total: float | None = 0

    def __init__(self, players: int = 2):
        self.players: int = whole_number("players", players, least=2)
        if players > MOST_PLAYERS:
            raise InputError(f"players={players}: Kuhn poker has 2 to {MOST_PLAYERS} players")
        self.player_names: tuple[str, ...] = tuple(
            f"the {ORDINALS[player]} player" for player in range(players)
        )
        self.payoffs: tuple[float, float] | None = (-2, 2 * (players - 1))

    def initial(self) -> State:
        return State((UNSEEN,) * self.players, 0, 0)

    def player(self, state: State) -> int:
        if state.cards[self.players - 1] == UNSEEN:
            return CHANCE
        return state.plies % self.players

    def actions(self, state: State) -> Iterable[int]:
        return range(0) if self.is_terminal(state) else range(2)

    def chance(self, state: State) -> Iterator[tuple[int, float]]:
        """The cards that are left, each as likely as the others."""
        left = self.players + 1 - self._dealt(state)
        for card in range(self.players + 1):
            if card not in state.cards:
                yield card, 1 / left

    def _dealt(self, state: State) -> int:
        dealt = 0
        for card in state.cards:
            if card != UNSEEN:
                dealt += 1
        return dealt

    def result(self, state: State, action: int) -> State:
        cards, plies, history = state
        if cards[self.players - 1] == UNSEEN:
            return State(put(cards, self._dealt(state), action), plies, history)
        return State(cards, plies + 1, history | action << plies)

    def _first_bet(self, state: State) -> int:
        """Which ply was the first bet; −1 where nobody has bet."""
        for ply in range(state.plies):
            if state.history >> ply & 1:
                return ply
        return -1

    def is_terminal(self, state: State) -> bool:
        first = self._first_bet(state)
        return state.plies == self.players if first < 0 else state.plies == first + self.players

    def utility(self, state: State, player: int) -> int:
        first = self._first_bet(state)
        pot = self.players
        best = winner = -1
        mine = 1
        for ply in range(max(first, 0), state.plies):
            who = ply % self.players
            bets = state.history >> ply & 1
            pot += bets
            if who == player:
                mine += bets
            if (bets or first < 0) and state.cards[who] > best:
                best = state.cards[who]
                winner = who
        return pot - mine if winner == player else -mine

    def observe(self, state: State, player: int) -> tuple[int, int, int]:
        """The own card, and what everybody did."""
        return state.cards[player], state.plies, state.history

    # --- text ---------------------------------------------------------------------------------------

    def show(self, state: State) -> str:
        shown = " ".join(map(self._card, state.cards))
        if self.is_terminal(state):
            gains = " ".join(f"{self.utility(state, player):+d}" for player in range(self.players))
            return f"{shown}  {self._betting(state.plies, state.history)}  {gains}"
        return f"{shown}  {self._betting(state.plies, state.history)}".rstrip()

    def show_observation(self, observation: tuple[int, int, int], player: int) -> str:
        """Your card and the betting, as in "K pass bet"."""
        card, plies, history = observation
        return f"{self._card(card)} {self._betting(plies, history)}".rstrip()

    def name_action(self, state: State, action: int) -> str:
        if self.player(state) == CHANCE:
            return self._card(action)
        if self._first_bet(state) >= 0:
            return "call" if action == BET else "fold"
        return "bet" if action == BET else "pass"

    def _card(self, card: int) -> str:
        """A card by its letter: J, Q, K with two players; an A, then a T come in with more."""
        names = RANKS[-max(4, self.players + 1) :]
        return "?" if card == UNSEEN else names[card]

    def _betting(self, plies: int, history: int) -> str:
        words: list[str] = []
        bet = False
        for ply in range(plies):
            bets = history >> ply & 1
            words.append(("fold", "call")[bets] if bet else ("pass", "bet")[bets])
            bet = bet or bool(bets)
        return " ".join(words)

    def parse_state(self, text: str) -> State:
        """The state from "K J pass bet": the cards, the first player's first, then what everybody did."""
        words = text.split()
        state = self.initial()
        for word in words:
            if self.is_terminal(state):
                if state.plies and word[:1] in "+-":  # what `show` says of the end
                    break
                raise InputError(f"{text[:80]!r}: the game is over before {word!r}")
            if word == "?" and self.player(state) == CHANCE:
                break
            options = (
                [outcome for outcome, _ in self.chance(state)]
                if self.player(state) == CHANCE
                else list(self.actions(state))
            )
            names = {self.name_action(state, option).casefold(): option for option in options}
            if word.casefold() not in names:
                who = self.player(state)
                whose = "the deal" if who == CHANCE else self.player_names[who]
                raise InputError(
                    f"{text[:80]!r}: {word!r} does not fit {whose}: {' or '.join(names)}; write cards and actions, for"
                    " example K J pass bet"
                )
            state = self.result(state, names[word.casefold()])
        return state

    def board(self, state: State) -> Board:
        """The card and the chips of each player."""
        cells = []
        for player, card in enumerate(state.cards):
            piece = Piece("?" if card == UNSEEN else self._card(card), owner=player)
            who = ORDINALS[player]
            chips = 1 + sum(state.history >> ply & 1 for ply in range(player, state.plies, self.players))
            cells.append(Cell(f"{who} card", x=player, piece=piece, owner=player))
            cells.append(Cell(f"{who} chips", x=player, y=1, count=chips, owner=player))
        return Board("counters", tuple(cells), mover=mover_at(self, state), status=self.show(state))

    def touches(self, state: State, action: int) -> tuple[str, ...]:
        if self.player(state) == CHANCE:
            return (f"{ORDINALS[self._dealt(state)]} card",)
        return (f"{ORDINALS[self.player(state)]} chips",)
