"""Goofspiel: both bid a card at the same time for each prize."""

from collections.abc import Iterator
from typing import Final, NamedTuple

from gametree.board.data import Board, Cell, Piece
from gametree.errors import InputError
from gametree.game import CHANCE, ORDINALS, Game, mover_at
from gametree.games.parameters import whole_number
from gametree.games.replay import replay
from gametree.kernel.put import put

MOST_CARDS: Final = 13
ORDERS: Final = ("random", "ascending", "descending")
PAYS: Final = ("points", "win")


class State(NamedTuple):
    """The prizes as they were turned up, and what both bid for them; 0 where that is not known yet."""

    prizes: tuple[int, ...]
    first: tuple[int, ...]
    second: tuple[int, ...]


class Goofspiel(Game):
    """A prize is turned up, both bid a card of their hand for it, unseen; the higher card takes it, equal ones nobody.

    Prizes and hands are 1 to `cards`. `order` is how prizes come: "random", "ascending" or "descending". `pays` is what
    counts in the end: the difference in "points", or who has more of them ("win"). With `sealed`, bids stay unseen, and
    only who took the prize is told. What is fair for both is worth 0 (Ross 1971).

    >>> goof = Goofspiel(cards=3)
    >>> state = goof.parse_state("3: 2 1")
    >>> goof.show(state)
    '3: 2 1, ?:'
    >>> goof.observe(goof.parse_state("3: 2 1, 2: 3"), 1)
    ((3, 2, 0), (1, 0, 0), (2, 0, 0))
    """

    total: float | None = 0

    def __init__(self, cards: int = 4, order: str = "random", pays: str = "points", sealed: bool = False):
        self.cards: int = whole_number("cards", cards, least=2)
        if cards > MOST_CARDS:
            raise InputError(f"cards={cards}: a hand has 2 to {MOST_CARDS}")
        for name, value, known in (("order", order, ORDERS), ("pays", pays, PAYS)):
            if value not in known:
                raise InputError(f"{name}={value!r}: it is {' or '.join(known)}")
        self.order_of_prizes: int = ORDERS.index(order)
        self.pays: str = pays
        self.win: bool = pays == "win"
        self.sealed: bool = bool(sealed)
        most = 1 if pays == "win" else cards * (cards + 1) // 2
        self.payoffs: tuple[float, float] | None = (-most, most)
        self.player_names: tuple[str, ...] = ("the first player", "the second player")

    def __repr__(self) -> str:
        order = ORDERS[self.order_of_prizes]
        return f"Goofspiel(cards={self.cards}, order={order!r}, pays={self.pays!r}, sealed={self.sealed})"

    def initial(self) -> State:
        none = (0,) * self.cards
        state = State(none, none, none)
        return state if self.order_of_prizes == 0 else self._turned_up(state, 0)

    def _turned_up(self, state: State, place: int) -> State:
        """With the next prize, where its order is known."""
        if self.order_of_prizes == 0 or place == self.cards:
            return state
        prize = place + 1 if self.order_of_prizes == 1 else self.cards - place
        return State(put(state.prizes, place, prize), state.first, state.second)

    def _round(self, state: State) -> int:
        """How many prizes both have bid for."""
        rounds = 0
        for bid in state.second:
            if bid > 0:
                rounds += 1
        return rounds

    def player(self, state: State) -> int:
        now = self._round(state)
        if now == self.cards:
            return 0
        if state.prizes[now] == 0:
            return CHANCE
        return 0 if state.first[now] == 0 else 1

    def actions(self, state: State) -> Iterator[int]:
        """The cards that are left in the hand."""
        if not self.is_terminal(state):
            played = state.first if self.player(state) == 0 else state.second
            for card in range(1, self.cards + 1):
                if card not in played:
                    yield card

    def chance(self, state: State) -> Iterator[tuple[int, float]]:
        left = self.cards - self._round(state)
        for prize in range(1, self.cards + 1):
            if prize not in state.prizes:
                yield prize, 1 / left

    def result(self, state: State, action: int) -> State:
        now = self._round(state)
        if state.prizes[now] == 0:
            return State(put(state.prizes, now, action), state.first, state.second)
        if state.first[now] == 0:
            return State(state.prizes, put(state.first, now, action), state.second)
        return self._turned_up(State(state.prizes, state.first, put(state.second, now, action)), now + 1)

    def is_terminal(self, state: State) -> bool:
        return self._round(state) == self.cards

    def utility(self, state: State, player: int) -> int:
        ahead = 0
        for i in range(self.cards):
            if state.first[i] > state.second[i]:
                ahead += state.prizes[i]
            elif state.first[i] < state.second[i]:
                ahead -= state.prizes[i]
        if self.win:
            ahead = 1 if ahead > 0 else -1 if ahead < 0 else 0
        return ahead if player == 0 else -ahead

    def observe(self, state: State, player: int) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
        """The prizes, the own bids, and those of the other for prizes that both have bid for.

        Where bids are sealed, for each prize 1 instead of them where it was won, 2 where it was lost, 3 where nobody
        took it.
        """
        mine = state.first if player == 0 else state.second
        theirs = state.second if player == 0 else state.first
        for i in range(self.cards):
            if state.second[i] == 0:
                theirs = put(theirs, i, 0)
            elif self.sealed:
                theirs = put(theirs, i, 1 if mine[i] > theirs[i] else 2 if mine[i] < theirs[i] else 3)
        return state.prizes, mine, theirs

    # --- text ---------------------------------------------------------------------------------------

    def show(self, state: State) -> str:
        """A prize with both bids after the other: "3: 2 1, 2: 3"."""
        shown = self._rounds(state.prizes, state.first, state.second)
        if self.is_terminal(state):
            return f"{shown}  {self.utility(state, 0):+d} {self.utility(state, 1):+d}"
        return shown

    def show_observation(
        self, observation: tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]], player: int
    ) -> str:
        """The prizes, each with your bid and the other's, or with who took it."""
        prizes, mine, theirs = observation
        if self.sealed:
            took = ("", "won", "lost", "nobody's")
            return ", ".join(
                f"{prize}: {bid or ''} {took[told]}".strip()
                for prize, bid, told in zip(prizes, mine, theirs)
                if prize
            )
        return self._rounds(prizes, mine, theirs)

    def _rounds(self, prizes: tuple[int, ...], first: tuple[int, ...], second: tuple[int, ...]) -> str:
        shown = []
        for prize, one, other in zip(prizes, first, second):
            if not prize:
                shown.append("?:")
                break
            shown.append(f"{prize}: {one or ''} {other or ''}".strip())
            if not other:
                break
        return ", ".join(shown)

    def parse_state(self, text: str) -> State:
        """The state from "3: 2 1, 2: 3": each prize with both bids, the first player's first."""
        words = text.partition("  ")[0].replace(":", " ").replace(",", " ").split()
        moves = [word for i, word in enumerate(words) if word != "?" and (i % 3 or self.order_of_prizes == 0)]
        state: State = replay(self, moves, " of the game", "; for example 3: 2 1, 2: 3")[-1]
        return state

    def board(self, state: State) -> Board:
        """For each prize what was turned up and bid."""
        cells = []
        for y, (name, cards) in enumerate(
            (("prize", state.prizes), (ORDINALS[0], state.first), (ORDINALS[1], state.second))
        ):
            for x, card in enumerate(cards):
                piece = Piece(str(card or "-"), owner=None if y == 0 else y - 1)
                cells.append(Cell(f"{name} {x + 1}", x=x, y=y, piece=piece))
        return Board("counters", tuple(cells), mover=mover_at(self, state), status=self.show(state))

    def touches(self, state: State, action: int) -> tuple[str, ...]:
        now = self._round(state)
        mover = self.player(state)
        touched = (f"{'prize' if mover == CHANCE else ORDINALS[mover]} {now + 1}",)
        turned = mover == 1 and self.order_of_prizes and now + 1 < self.cards
        return (*touched, f"prize {now + 2}") if turned else touched
