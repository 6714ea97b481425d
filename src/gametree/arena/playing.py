"""One game between two players, from an opening to its end, whatever the players do.

A player is an object with `move(state)`, or `move(state, history)`, such as `Bot`; or a function of
`(state, history)`. `history` holds the states before this one. In a game with hidden information a player is handed a
`View` in the place of the state, with what it has seen, and no history. Where a player has `begin(seed)`, it is
called before every game with a number that is another for every game of a match: there it forgets the game before.
"""

import inspect
import random
import time
from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from gametree.errors import InputError, UnsuitableError
from gametree.game import CHANCE, Game
from gametree.search.core.plays import draw_outcome
from gametree.search.core.task import require_game
from gametree.view import hides, view_of

MOST_PLIES: Final = 1_000
LONGEST_REASON: Final = 200
END: Final = "the game ended"


@dataclass(frozen=True)
class Adjudication:
    """Ends a game whose result is clear to a judge, before the players get there.

    `judge(state)` is what a state is worth to player 0 above an even game; None means that it has no opinion. The game
    is won for the side that the judge has seen ahead by `win` or more at `win_plies` states in a row, and drawn once
    it has seen nobody ahead by more than `draw` at `draw_plies` states in a row, from ply `draw_from` on.
    """

    judge: Callable[[Any], float | None]
    win: float | None = None
    win_plies: int = 6
    draw: float | None = None
    draw_plies: int = 20
    draw_from: int = 80

    def __post_init__(self) -> None:
        if self.win is None and self.draw is None:
            raise InputError("Adjudication needs win=… or draw=…: from where on a game is won or drawn")
        if min(self.win_plies, self.draw_plies) < 1:
            raise InputError("win_plies and draw_plies are at least 1: so many states in a row have to agree")

    def __repr__(self) -> str:
        won = "" if self.win is None else f"won from {self.win:g} for {self.win_plies} plies"
        drawn = (
            ""
            if self.draw is None
            else f"drawn within {self.draw:g} for {self.draw_plies} plies from ply {self.draw_from} on"
        )
        return ", ".join(filter(None, (won, drawn)))


@dataclass(frozen=True)
class Played:
    """A game as it went, seen from the first contestant."""

    seat: int
    """Which player of the game the first contestant was."""
    points: float
    """What the first contestant made: 1, 0.5 or 0."""
    reason: str
    plies: int
    moves: tuple[str, ...]
    """All actions, those of the opening included, as people write them."""
    slowest: tuple[float, float] = field(default=(0.0, 0.0), compare=False)
    """The longest that each contestant thought about a move, in seconds."""


class Forfeit(Exception):
    """A player did what ends the game at once: it has lost."""


def require_matchable(game: Game) -> None:
    """Refuses games in which two players cannot meet here."""
    require_game(game, "a match")
    if game.players != 2:
        raise UnsuitableError(f"{type(game).__name__} has {game.players} players; a match is for two")


def play(
    game: Game,
    players: Sequence[Any],
    opening: Sequence[Any] = (),
    *,
    seat: int = 0,
    seed: int = 0,
    most_plies: int = MOST_PLIES,
    adjudication: Adjudication | None = None,
    start: Any = None,
) -> Played:
    """A game between two contestants, the first of whom is player `seat`.

    An illegal action and an exception lose the game, and the reason says which. After `most_plies` plies it is a
    draw. Chance is drawn by `seed`. Repeated positions count as the game declares (`repetition`).

    >>> from gametree.games import Nim
    >>> take_one = lambda state, history: 1
    >>> play(Nim(counters=4), (take_one, take_one)).points
    0.0
    """
    referee = Referee(game, start)
    dice = random.Random(f"dice {seed}")
    slowest = [0.0, 0.0]

    def done(points: float, reason: str) -> Played:
        return Played(seat, points, reason, referee.plies, tuple(referee.moves), (slowest[0], slowest[1]))

    try:
        for action in opening:
            referee.enter(action)
    except Forfeit as wrong:
        raise InputError(f"ply {referee.plies + 1} of the opening is an {wrong}") from None
    who = 0
    try:
        for who in (0, 1):
            _begin(players[who], 2 * seed + who)
        while (end := referee.end()) is None:
            if referee.plies >= most_plies:
                return done(0.5, f"no end after {most_plies} plies: counted as a draw")
            if adjudication is not None and (end := referee.adjudicate(adjudication)) is not None:
                break
            mover = game.player(referee.state)
            if mover == CHANCE:
                referee.enter(draw_outcome(game, referee.state, dice))
                continue
            who = mover if seat == 0 else 1 - mover
            began = time.perf_counter()
            if hides(game):
                action = _asked(players[who], view_of(game, referee.state, referee.history), ())
            else:
                action = _asked(players[who], referee.state, referee.history)
            slowest[who] = max(slowest[who], time.perf_counter() - began)
            referee.enter(action)
    except Forfeit as forfeit:
        return done(float(who), str(forfeit)[:LONGEST_REASON])
    ahead, reason = end
    return done(0.5 + (ahead if seat == 0 else -ahead) / 2, reason)


class Referee:
    """Keeps the path of a game, and knows when it is over and for whom."""

    def __init__(self, game: Game, start: Any = None):
        self.game = game
        self.state: Any = game.initial() if start is None else start
        self.history: list[Any] = []
        self.moves: list[str] = []
        self.plies: int = 0
        self._mover = 0
        self._seen: Counter[Hashable] = Counter()
        self._leads: list[float | None] = []
        self._count()

    def _count(self) -> None:
        if self.game.repetition is not None:
            self._seen[self.game.repetition_key(self.state)] += 1

    def enter(self, action: Any) -> None:
        """Makes a move, or raises `Forfeit` where it is illegal."""
        game, state = self.game, self.state
        mover = game.player(state)
        legal = (
            [outcome for outcome, _ in game.chance(state)] if mover == CHANCE else list(game.actions(state))
        )
        if not any(_same(action, one) for one in legal):
            raise Forfeit(f"illegal move: {action!r} is none of the {len(legal)} legal actions")
        name = game.name_action(state, action)
        after = game.result(state, action)
        if self._is_forbidden(after):
            raise Forfeit(f"illegal move: {name} repeats a position")
        self.history.append(state)
        self.moves.append(name)
        self.state = after
        self.plies += mover != CHANCE
        self._mover = mover
        self._count()

    def _is_forbidden(self, state: Any) -> bool:
        match self.game.repetition:
            case ("forbid", int(times)):
                return self._seen[self.game.repetition_key(state)] + 1 >= times
        return False

    def end(self) -> tuple[int, str] | None:
        """Whether player 0 has won (1), drawn (0) or lost (−1), and why; None while the game goes on."""
        game, state = self.game, self.state
        if game.is_terminal(state):
            first, second = game.utility(state, 0), game.utility(state, 1)
            return (first > second) - (first < second), END
        if game.repetition is None:
            return None
        return recurrence_end(game, self._seen[game.repetition_key(state)], self._mover)

    def adjudicate(self, adjudication: Adjudication) -> tuple[int, str] | None:
        """As `end`, by a judge, who is asked once at every state."""
        self._leads.append(adjudication.judge(self.state))
        recent = self._leads[-adjudication.win_plies :]
        if adjudication.win is not None and len(recent) == adjudication.win_plies:
            for sign in (1, -1):
                if all(lead is not None and sign * lead >= adjudication.win for lead in recent):
                    return sign, "adjudicated: a clear lead"
        recent = self._leads[-adjudication.draw_plies :]
        late = self.plies >= adjudication.draw_from and len(recent) == adjudication.draw_plies
        if adjudication.draw is not None and late:
            level = adjudication.draw
            if all(lead is not None and abs(lead) <= level for lead in recent):
                return 0, "adjudicated: nobody is ahead"
        return None


def recurrence_end(game: Game, seen: int, mover: int) -> tuple[int, str] | None:
    """What it means that a position was `seen` so often, now after a move of `mover`: as `Referee.end`."""
    match game.repetition:
        case (what, int(times)) if seen >= times and what != "forbid":
            worth = {"draw": 0, "win": 1, "loss": -1}[what]
            return worth if mover == 0 else -worth, f"the position occurred {times} times: a {what}"
    return None


def _same(action: Any, legal: Any) -> bool:
    # True is 1 to Python, but nobody means it as a move; arrays compare element by element.
    if isinstance(action, bool) != isinstance(legal, bool):
        return False
    try:
        return bool(action == legal)
    except Exception:
        return False


def _begin(player: Any, seed: int) -> None:
    begin = getattr(player, "begin", None)
    if begin is not None:
        try:
            begin(seed)
        except Exception as error:
            raise Forfeit(f"an error before the game: {type(error).__name__}: {error}") from error


def _asked(player: Any, state: Any, history: Sequence[Any]) -> Any:
    """What a player answers; what it raises forfeits the game."""
    try:
        if not hasattr(player, "move"):
            return player(state, tuple(history))
        if _takes_history(player.move):
            return player.move(state, history=tuple(history))
        return player.move(state)
    except Exception as error:
        raise Forfeit(f"an error: {type(error).__name__}: {error}") from error


def _takes_history(function: Callable[..., Any]) -> bool:
    try:
        parameters = inspect.signature(function).parameters
    except (TypeError, ValueError):
        return False
    return "history" in parameters
