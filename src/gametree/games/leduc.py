"""Leduc hold'em: two rounds of betting, a card of one's own and one for both."""

from collections.abc import Iterator
from typing import Final, NamedTuple

from gametree.board.data import Board, Cell, Piece
from gametree.errors import InputError
from gametree.game import CHANCE, ORDINALS, Game, mover_at
from gametree.games.kuhn import RANKS, UNSEEN
from gametree.games.parameters import whole_number
from gametree.games.replay import replay
from gametree.kernel.put import put

FOLD: Final = 0
CALL: Final = 1
RAISE: Final = 2
ROUNDS: Final = 2
MOST_RAISES: Final = 2
RAISES: Final = (2, 4)
"""By how much one raises in each round."""
SUITS: Final = "♠♥"


class State(NamedTuple):
    """Two own cards and the one for both; what is staked; the round, and its actions and raises so far.

    `history` has a digit to the base 3 for each action, the last one lowest, behind a leading 1. `folded` is the player
    who gave up, or −1.
    """

    cards: tuple[int, ...]
    stakes: tuple[int, ...]
    round: int
    acted: int
    raises: int
    history: int
    folded: int


class Leduc(Game):
    """Poker with two cards of each rank: bet on an own card, then again once a card for both is turned up.

    Both ante 1. A raise is 2 in the first round and 4 in the second, two raises a round. A pair with the card for both
    wins, then the higher card. Between perfect players the first one loses 0.0856 a deal (Southey et al. 2005).

    >>> leduc = Leduc()
    >>> state = leduc.parse_state("K J raise call K")
    >>> [leduc.name_action(state, action) for action in leduc.actions(state)]
    ['check', 'raise']
    >>> leduc.show_observation(leduc.observe(state, 1), 1)
    'J raise call K'
    """

    total: float | None = 0

    def __init__(self, ranks: int = 3, suits: bool = False):
        """`suits`: whether players tell the two cards of a rank apart."""
        self.ranks: int = whole_number("ranks", ranks, least=2)
        if ranks > len(RANKS):
            raise InputError(f"ranks={ranks}: a deck has up to {len(RANKS)}")
        self.suits: bool = bool(suits)
        self.copies: int = 1 if suits else 2
        self.player_names: tuple[str, ...] = ("the first player", "the second player")
        most = 1 + MOST_RAISES * sum(RAISES)
        self.payoffs: tuple[float, float] | None = (-most, most)

    def initial(self) -> State:
        return State((UNSEEN, UNSEEN, UNSEEN), (1, 1), 0, 0, 0, 1, -1)

    def player(self, state: State) -> int:
        if state.cards[1] == UNSEEN or (state.round == 1 and state.cards[2] == UNSEEN):
            return CHANCE
        return state.acted % 2

    def actions(self, state: State) -> Iterator[int]:
        if not self.is_terminal(state):
            if state.stakes[0] != state.stakes[1]:
                yield FOLD
            yield CALL
            if state.raises < MOST_RAISES:
                yield RAISE

    def chance(self, state: State) -> Iterator[tuple[int, float]]:
        """A card of those that are left."""
        dealt = 0
        for card in state.cards:
            if card != UNSEEN:
                dealt += 1
        for card in range(self.ranks * 2 // self.copies):
            left = self.copies
            for other in state.cards:
                if other == card:
                    left -= 1
            if left > 0:
                yield card, left / (2 * self.ranks - dealt)

    def result(self, state: State, action: int) -> State:
        cards, stakes, number, acted, raises, history, folded = state
        if self.player(state) == CHANCE:
            place = 0 if cards[0] == UNSEEN else 1 if cards[1] == UNSEEN else 2
            return State(put(cards, place, action), stakes, number, acted, raises, history, folded)
        mover = acted % 2
        history = 3 * history + action
        if action == FOLD:
            return State(cards, stakes, number, acted + 1, raises, history, mover)
        level = stakes[1 - mover]
        if action == RAISE:
            stakes = put(stakes, mover, level + RAISES[number])
            return State(cards, stakes, number, acted + 1, raises + 1, history, folded)
        stakes = put(stakes, mover, level)
        if acted > 0:
            return State(cards, stakes, number + 1, 0, 0, history, folded)
        return State(cards, stakes, number, acted + 1, raises, history, folded)

    def is_terminal(self, state: State) -> bool:
        return state.folded >= 0 or state.round == ROUNDS

    def utility(self, state: State, player: int) -> int:
        if state.folded >= 0:
            lost = state.stakes[state.folded]
            return -lost if player == state.folded else lost
        first, second = self._strength(state, 0), self._strength(state, 1)
        if first == second:
            return 0
        return state.stakes[0] if (first > second) == (player == 0) else -state.stakes[0]

    def _strength(self, state: State, player: int) -> int:
        rank, common = self._rank(state.cards[player]), self._rank(state.cards[2])
        return rank + self.ranks if rank == common else rank

    def _rank(self, card: int) -> int:
        return card // 2 if self.suits else card

    def observe(self, state: State, player: int) -> tuple[int, int, int]:
        """The own card, the one for both, and what everybody did."""
        return state.cards[player], state.cards[2], state.history

    # --- text ---------------------------------------------------------------------------------------

    def show(self, state: State) -> str:
        """Everything in the order in which it came: "K J raise call K"."""
        words = [self._card(state.cards[0]), self._card(state.cards[1])]
        words += self._betting(state.history, state.cards[2])
        if self.is_terminal(state):
            words.append(" ".join(f"{self.utility(state, player):+d}" for player in range(2)))
        return " ".join(words)

    def show_observation(self, observation: tuple[int, int, int], player: int) -> str:
        """Your card, the betting, and the card for both: "J raise call K"."""
        own, common, history = observation
        return " ".join([self._card(own), *self._betting(history, common)])

    def _betting(self, history: int, common: int) -> list[str]:
        digits: list[int] = []
        while history > 1:
            digits.append(history % 3)
            history //= 3
        words: list[str] = []
        acted = raises = number = 0
        for action in reversed(digits):
            words.append("check" if action == CALL and not raises else ("fold", "call", "raise")[action])
            raises += action == RAISE
            acted += 1
            if action == CALL and acted > 1:
                number, acted, raises = number + 1, 0, 0
                if number == 1 and common != UNSEEN:
                    words.append(self._card(common))
        return words

    def name_action(self, state: State, action: int) -> str:
        if self.player(state) == CHANCE:
            return self._card(action)
        return "check" if action == CALL and not state.raises else ("fold", "call", "raise")[action]

    def _card(self, card: int) -> str:
        if card == UNSEEN:
            return "?"
        name = RANKS[-max(4, self.ranks) :][self._rank(card)]
        return name + SUITS[card % 2] if self.suits else name

    def parse_state(self, text: str) -> State:
        """The state from what `show` prints: the cards, the first player's first, then everything in its order."""
        words = [word for word in text.split() if word != "?" and word[:1] not in "+-" and word != "0"]
        state: State = replay(self, words, " of the deal", "; for example K J raise call K check")[-1]
        return state

    def board(self, state: State) -> Board:
        """The card and the chips of each player, and the card for both."""
        cells = []
        for place, card in enumerate(state.cards):
            owner = place if place < 2 else None
            piece = Piece("?" if card == UNSEEN else self._card(card), owner=owner)
            who = ORDINALS[place] if place < 2 else "common"
            cells.append(Cell(f"{who} card", x=place, piece=piece, owner=owner))
        for player, chips in enumerate(state.stakes):
            cells.append(Cell(f"{ORDINALS[player]} chips", x=player, y=1, count=chips, owner=player))
        return Board("counters", tuple(cells), mover=mover_at(self, state), status=self.show(state))

    def touches(self, state: State, action: int) -> tuple[str, ...]:
        if self.player(state) != CHANCE:
            return (f"{ORDINALS[self.player(state)]} chips",)
        place = state.cards.index(UNSEEN)
        return (f"{ORDINALS[place]} card" if place < 2 else "common card",)
