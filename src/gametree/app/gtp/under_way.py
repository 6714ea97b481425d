"""The game that is played over the protocol: its moves, and how colours, vertices and scores are written.

Black is player 0, whatever the game: X in Go, Hex and Othello, who begins.
"""

from typing import Any, Final

from gametree import games
from gametree.errors import InputError
from gametree.game import Game
from gametree.games.go.rules import Go
from gametree.games.othello import Othello

NAMES: Final = ("go", "hex", "othello")
COLOURS: Final = ("black", "white")


class UnderWay:
    """A game under way, with all states before the present one."""

    def __init__(self, name: str = "go", size: int | None = None, komi: float | None = None):
        if name not in NAMES:
            raise InputError(f"{name!r} is not played over this protocol; there are: {', '.join(NAMES)}")
        given = {"size": size, "komi": komi}
        parameters: dict[str, Any] = {key: value for key, value in given.items() if value is not None}
        self.name_of_game = name
        self.game: Game = games.load(name, **parameters)
        self.state: Any = self.game.initial()
        self.history: list[Any] = []

    # --- setting up ---------------------------------------------------------------------------------

    def resize(self, size: int) -> None:
        """A new game on another board."""
        parameters: dict[str, Any] = {"size": size}
        if isinstance(self.game, Go):
            parameters["komi"] = self.game.komi
        try:
            self.game = games.load(self.name_of_game, **parameters)
        except InputError as error:
            raise InputError(f"unacceptable size: {error}") from None
        self.clear()

    def clear(self) -> None:
        """Back to the beginning."""
        self.state = self.game.initial()
        self.history = []

    def set_komi(self, komi: float) -> None:
        """Sets what White gets for moving second; the stones stay where they are."""
        if isinstance(self.game, Go):
            if komi != self.game.komi:
                self.game = Go(self.game.size, komi)
        elif komi != 0:
            raise InputError(f"there is no komi in {self.name_of_game}")

    # --- moves --------------------------------------------------------------------------------------

    def play(self, who: int, text: str) -> None:
        """Makes a move for a player, whoever's turn it is, as far as the game lets that be."""
        if text.lower() == "resign":
            raise InputError("illegal move: who resigns does not play")
        state = self.turn_of(who)
        try:
            action = self.game.parse_action(state, text)
        except InputError as error:
            raise InputError(f"illegal move: {error}") from None
        if not self.allows(state, action):
            raise InputError(f"illegal move: {text} brings a position about again (superko)")
        self.history.append(self.state)
        self.state = self.game.result(state, action)

    def turn_of(self, who: int) -> Any:
        """The state with this player to move: in Go somebody may play twice, and play on after two passes."""
        state, game = self.state, self.game
        if isinstance(game, Go):
            if state.passes < 2 and state.mover == who:
                return state
            black, white = (state.mine, state.theirs) if state.mover == 0 else (state.theirs, state.mine)
            return game.place(black, white, who)
        if game.player(state) != who:
            raise InputError(f"illegal move: it is {COLOURS[1 - who]}'s turn")
        return state

    def allows(self, state: Any, action: Any) -> bool:
        """Whether an action is legal, repetition included."""
        if action is None or action not in list(self.game.actions(state)):
            return False
        if self.game.repetition is None or self.game.name_action(state, action) == "pass":
            return True
        after = self.game.result(state, action)
        key = self.game.repetition_key(after)
        before = (self.game.repetition_key(one) for one in (*self.history, self.state))
        return self.game.is_terminal(after) or key not in before

    def any_action(self, state: Any) -> Any:
        """Some legal action, for a search that found none."""
        return next(action for action in self.game.actions(state) if self.allows(state, action))

    def undo(self) -> None:
        """Takes the last move back."""
        if not self.history:
            raise InputError("cannot undo: no move has been made")
        self.state = self.history.pop()

    # --- what is said about it ----------------------------------------------------------------------

    def name(self, state: Any, action: Any) -> str:
        """A move as the protocol writes it."""
        return self.game.name_action(state, action)

    def is_over(self) -> bool:
        """Whether there is nothing left to search."""
        return self.game.is_terminal(self.state)

    def after_the_end(self) -> str:
        """What is answered to a request for a move when the game is over."""
        if isinstance(self.game, Go):
            return "pass"
        raise InputError("the game is over")

    @property
    def open_points(self) -> int:
        """About how many moves are to come, at most."""
        return sum(1 for _ in self.game.actions(self.state))

    def show(self) -> str:
        """The board."""
        return self.game.show(self.state)

    def final_score(self) -> str:
        """Who has won and by how much: B+3.5, W+12, 0 for a draw."""
        if isinstance(self.game, Go):
            return _score(self.game.score(self.state))
        if not self.game.is_terminal(self.state):
            raise InputError("cannot score: the game is not over")
        payoff = self.game.utility(self.state, 0)
        if isinstance(self.game, Othello):
            return _score(payoff)
        return "B+" if payoff > 0 else "W+"


def _score(ahead: float) -> str:
    return "0" if ahead == 0 else f"{'B' if ahead > 0 else 'W'}+{abs(ahead):g}"
