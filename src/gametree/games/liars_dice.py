"""Liar's dice: one die each under a cup; bid higher, or call the other a liar."""

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from gametree.board.data import Board, Cell, Piece
from gametree.errors import InputError
from gametree.game import CHANCE, ORDINALS, Game, mover_at
from gametree.games.parameters import whole_number
from gametree.games.replay import replay

MOST_SIDES: Final = 20
DICE: Final = 2


class State(NamedTuple):
    """Both dice, 0 while not rolled; the bids as bits, how many they are, and whether the last one was called a lie."""

    first: int
    second: int
    bids: int
    made: int
    called: bool


class LiarsDice(Game):
    """Bid how many dice show at least a face; every bid is higher than the last, until somebody calls it a lie.

    Bids go 1×1, 1×2 … 1×6, 2×1 … 2×6. The highest face counts as every face. Who bid too much, or called a bid that
    holds, loses 1.

    >>> dice = LiarsDice()
    >>> state = dice.parse_state("6 3 1x3 2x3")
    >>> [dice.name_action(state, action) for action in dice.actions(state)]
    ['2x4', '2x5', '2x6', 'liar']
    >>> dice.utility(dice.parse_state("6 3 1x3 2x3 liar"), 1)
    1.0
    """

    payoffs: tuple[float, float] | None = (-1, 1)
    total: float | None = 0

    def __init__(self, sides: int = 6):
        self.sides: int = whole_number("sides", sides, least=2)
        if sides > MOST_SIDES:
            raise InputError(f"sides={sides}: dice of 2 to {MOST_SIDES} sides")
        self.player_names: tuple[str, ...] = ("the first player", "the second player")

    def initial(self) -> State:
        return State(0, 0, 0, 0, False)

    def player(self, state: State) -> int:
        return CHANCE if state.second == 0 else state.made % 2

    def _last(self, state: State) -> int:
        """The last bid; −1 where there is none."""
        last = DICE * self.sides - 1
        while last >= 0 and not state.bids >> last & 1:
            last -= 1
        return last

    def actions(self, state: State) -> Iterable[int]:
        """Higher bids, by number, and behind all bids the call."""
        if state.called:
            return range(0)
        bids = DICE * self.sides
        return range(self._last(state) + 1, bids + 1 if state.made > 0 else bids)

    def chance(self, state: State) -> Iterator[tuple[int, float]]:
        for face in range(1, self.sides + 1):
            yield face, 1 / self.sides

    def result(self, state: State, action: int) -> State:
        first, second, bids, made, _ = state
        if second == 0:
            return State(first if first else action, action if first else 0, bids, made, False)
        if action == DICE * self.sides:
            return State(first, second, bids, made, True)
        return State(first, second, bids | 1 << action, made + 1, False)

    def is_terminal(self, state: State) -> bool:
        return state.called

    def utility(self, state: State, player: int) -> float:
        last = self._last(state)
        face = last % self.sides + 1
        shown = 0
        if state.first == face or state.first == self.sides:
            shown += 1
        if state.second == face or state.second == self.sides:
            shown += 1
        holds = shown > last // self.sides
        bidder = (state.made - 1) % 2
        return 1.0 if holds == (player == bidder) else -1.0

    def observe(self, state: State, player: int) -> tuple[int, int, bool]:
        """The own die and the bids."""
        return state.first if player == 0 else state.second, state.bids, state.called

    # --- text ---------------------------------------------------------------------------------------

    def show(self, state: State) -> str:
        """Dice and bids in their order: "6 3 1x3 2x3 liar"."""
        words = [str(die) if die else "?" for die in (state.first, state.second)]
        words += self._said(state.bids, state.called)
        if state.called:
            words.append(f"{self.utility(state, 0):+g} {self.utility(state, 1):+g}")
        return " ".join(words)

    def show_observation(self, observation: tuple[int, int, bool], player: int) -> str:
        """Your die and the bids."""
        die, bids, called = observation
        return " ".join([str(die) if die else "?", *self._said(bids, called)])

    def _said(self, bids: int, called: bool) -> list[str]:
        words = [self._bid(bid) for bid in range(DICE * self.sides) if bids >> bid & 1]
        return [*words, "liar"] if called else words

    def _bid(self, bid: int) -> str:
        return f"{bid // self.sides + 1}x{bid % self.sides + 1}"

    def name_action(self, state: State, action: int) -> str:
        if self.player(state) == CHANCE:
            return str(action)
        return "liar" if action == DICE * self.sides else self._bid(action)

    def parse_state(self, text: str) -> State:
        """The state from what `show` prints: both dice, the bids in their order, and the call."""
        words = [word for word in text.split() if word != "?" and word[:1] not in "+-"]
        state: State = replay(self, words, " of the game", "; for example 6 3 1x3 2x3 liar")[-1]
        return state

    def board(self, state: State) -> Board:
        """The dice of both, and the last bid."""
        cells = []
        for player, die in enumerate((state.first, state.second)):
            piece = Piece(str(die) if die else "?", owner=player, shape="die" if die else "")
            cells.append(Cell(f"{ORDINALS[player]} die", x=player, piece=piece, owner=player))
        said = self._said(state.bids, state.called)
        cells.append(Cell("bid", x=2, piece=Piece(said[-1] if said else "-")))
        return Board("counters", tuple(cells), mover=mover_at(self, state), status=self.show(state))

    def touches(self, state: State, action: int) -> tuple[str, ...]:
        if self.player(state) != CHANCE:
            return ("bid",)
        return ("second die",) if state.first else ("first die",)
