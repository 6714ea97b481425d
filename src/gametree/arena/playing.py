"""One game from an opening to its end, whatever the players do.

A player is an object with `move(state)`, or `move(state, history)`, such as `Bot`; or a function of
`(state, history)`. `history` holds the states before this one; whoever takes `clock` is shown it. In a game with hidden
information a player is handed a `View` in the place of the state, with what it has seen, and no history. Where a player
has `begin(seed)`, it is called before every game with a number that is another for every game of a match: there it
forgets the game before. Players who want to know more have `answer(question)` (`asking.py`).

Who plays is a side: a player of the game, or a team of players with one payoff.
"""

import inspect
import random
import time
from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from gametree.arena.asking import Forfeit, Question
from gametree.arena.clocks import Clocks, Control
from gametree.errors import InputError, UnsuitableError
from gametree.game import CHANCE, Game, offers
from gametree.search.core.plays import draw_outcome
from gametree.search.core.task import require_game
from gametree.view import View, hides, view_of

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


@dataclass(frozen=True)
class Ended:
    """A game as it went, seen by all sides."""

    points: tuple[float, ...]
    """For each side the share of the others that it has beaten, those it has tied with counted by half."""
    reason: str
    plies: int
    moves: tuple[str, ...]
    """All actions, those of the opening included, as people write them."""
    slowest: tuple[float, ...] = field(default=(), compare=False)
    """The longest that each side thought about a move, in seconds."""
    fault: int | None = None
    """The side that did what ends a game at once."""


def sides_of(game: Game) -> tuple[int, ...]:
    """For every player the side it is on: its team, numbered in the order of their first players."""
    if not offers(game, "team"):
        return tuple(range(game.players))
    numbers: dict[Any, int] = {}
    return tuple(numbers.setdefault(game.team(player), len(numbers)) for player in range(game.players))


def require_matchable(game: Game) -> None:
    """Refuses what is no game of two sides."""
    require_game(game, "a match")
    sides = len(set(sides_of(game)))
    if sides != 2:
        raise UnsuitableError(f"{type(game).__name__} has {sides} players; this is for two")


def play(
    game: Game,
    players: Sequence[Any],
    opening: Sequence[Any] = (),
    *,
    seat: int = 0,
    seed: int = 0,
    dice: int | None = None,
    most_plies: int = MOST_PLIES,
    adjudication: Adjudication | None = None,
    control: Control | None = None,
    start: Any = None,
) -> Played:
    """A game between two contestants, the first of whom is player `seat`.

    An illegal action and an exception lose the game, and the reason says which. After `most_plies` plies it is a
    draw. Chance is drawn by `dice`, or else by `seed`. Repeated positions count as the game declares (`repetition`).

    >>> from gametree.games import Nim
    >>> take_one = lambda state, history: 1
    >>> play(Nim(counters=4), (take_one, take_one)).points
    0.0
    """
    require_matchable(game)
    ended = play_sides(
        game,
        players if seat == 0 else players[::-1],
        opening,
        seeds=[2 * seed + (who if seat == 0 else 1 - who) for who in (0, 1)],
        dice=seed if dice is None else dice,
        most_plies=most_plies,
        adjudication=adjudication,
        control=control,
        start=start,
    )
    slowest = ended.slowest if seat == 0 else ended.slowest[::-1]
    return Played(seat, ended.points[seat], ended.reason, ended.plies, ended.moves, (slowest[0], slowest[1]))


def play_sides(
    game: Game,
    players: Sequence[Any],
    opening: Sequence[Any] = (),
    *,
    seeds: Sequence[int],
    dice: int = 0,
    most_plies: int = MOST_PLIES,
    adjudication: Adjudication | None = None,
    control: Control | None = None,
    start: Any = None,
) -> Ended:
    """A game of any number of sides: `players` in the order of the sides, each with a seed."""
    referee = Referee(game, start)
    rolls = random.Random(f"dice {dice}")
    slowest = [0.0] * len(players)
    clocks = Clocks(control or Control(), len(players))

    def done(points: tuple[float, ...], reason: str, fault: int | None = None) -> Ended:
        reason = reason[:LONGEST_REASON]
        return Ended(points, reason, referee.plies, tuple(referee.moves), tuple(slowest), fault)

    try:
        for action in opening:
            referee.enter(action)
    except Forfeit as wrong:
        raise InputError(f"ply {referee.plies + 1} of the opening is an {wrong}") from None
    side = 0
    try:
        for side, one in enumerate(players):
            begin(one, seeds[side])
        while (end := referee.end()) is None:
            if referee.plies >= most_plies:
                even = (0.5,) * len(players)
                return done(even, f"no end after {most_plies:,} plies: counted as a draw".replace(",", ""))
            if adjudication is not None and (end := referee.adjudicate(adjudication)) is not None:
                break
            mover = game.player(referee.state)
            if mover == CHANCE:
                referee.enter(draw_outcome(game, referee.state, rolls))
                continue
            side = referee.sides[mover]
            question = referee.question(side, clocks)
            began = time.perf_counter()
            action = asked(players[side], question)
            seconds = time.perf_counter() - began
            slowest[side] = max(slowest[side], seconds)
            if late := clocks.take(side, seconds):
                raise Forfeit(late)
            referee.enter(action)
    except Forfeit as forfeit:
        failed = getattr(players[side], "failed", None)
        if failed is not None:
            failed()
        return done(ranked([-float(one == side) for one in range(len(players))]), str(forfeit), side)
    payoffs, reason = end
    return done(ranked(payoffs), reason)


def ranked(payoffs: Sequence[float]) -> tuple[float, ...]:
    """What payoffs are worth: for each the share of the others that are less, equal ones counted by half.

    >>> ranked([5, 2]), ranked([1, 0, 0]), ranked([0, 0])
    ((1.0, 0.0), (1.0, 0.25, 0.25), (0.5, 0.5))
    """
    others = max(1, len(payoffs) - 1)
    return tuple((sum((one > two) + (one == two) / 2 for two in payoffs) - 0.5) / others for one in payoffs)


class Referee:
    """Keeps the path of a game, and knows when it is over and for whom."""

    def __init__(self, game: Game, start: Any = None):
        self.game = game
        self.state: Any = game.initial() if start is None else start
        self.history: list[Any] = []
        self.moves: list[str] = []
        self.actions: list[Any] = []
        self.sides: tuple[int, ...] = sides_of(game)
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
        if not any(same(action, one) for one in legal):
            raise Forfeit(f"illegal move: {action!r} is none of the {len(legal)} legal actions")
        name = game.name_action(state, action)
        after = game.result(state, action)
        if self._is_forbidden(after):
            raise Forfeit(f"illegal move: {name} repeats a position")
        self.history.append(state)
        self.moves.append(name)
        self.actions.append(action)
        self.state = after
        self.plies += mover != CHANCE
        self._mover = mover
        self._count()

    def _is_forbidden(self, state: Any) -> bool:
        match self.game.repetition:
            case ("forbid", int(times)):
                return self._seen[self.game.repetition_key(state)] + 1 >= times
        return False

    def question(self, side: int, clocks: Clocks) -> Question:
        """What the player of a side is asked."""
        limit, patience = clocks.control.limit(), clocks.patience(side)
        if hides(self.game):
            view = view_of(self.game, self.state, self.history)
            return Question(self.game, view, (), (), side, clocks.shown(side), limit, patience)
        path = self.history, self.actions
        return Question(self.game, self.state, *path, side, clocks.shown(side), limit, patience)

    def end(self) -> tuple[Sequence[float], str] | None:
        """What every side has made, and why; None while the game goes on."""
        game, state = self.game, self.state
        if game.is_terminal(state):
            leaders = [self.sides.index(side) for side in range(max(self.sides) + 1)]
            return [game.utility(state, leader) for leader in leaders], END
        if game.repetition is None:
            return None
        recurred = recurrence_end(game, self._seen[game.repetition_key(state)], self._mover)
        return recurred and ((recurred[0], -recurred[0]), recurred[1])

    def adjudicate(self, adjudication: Adjudication) -> tuple[Sequence[float], str] | None:
        """As `end`, by a judge, who is asked once at every state."""
        self._leads.append(adjudication.judge(self.state))
        recent = self._leads[-adjudication.win_plies :]
        if adjudication.win is not None and len(recent) == adjudication.win_plies:
            for sign in (1, -1):
                if all(lead is not None and sign * lead >= adjudication.win for lead in recent):
                    return (sign, -sign), "adjudicated: a clear lead"
        recent = self._leads[-adjudication.draw_plies :]
        late = self.plies >= adjudication.draw_from and len(recent) == adjudication.draw_plies
        if adjudication.draw is not None and late:
            level = adjudication.draw
            if all(lead is not None and abs(lead) <= level for lead in recent):
                return (0, 0), "adjudicated: nobody is ahead"
        return None


def recurrence_end(game: Game, seen: int, mover: int) -> tuple[int, str] | None:
    """What it means that a position was `seen` so often, now after a move of `mover`: as `Referee.end`."""
    match game.repetition:
        case (what, int(times)) if seen >= times and what != "forbid":
            worth = {"draw": 0, "win": 1, "loss": -1}[what]
            return worth if mover == 0 else -worth, f"the position occurred {times} times: a {what}"
    return None


# --- players ----------------------------------------------------------------------------------------


def player_of(made: Any, game: Game) -> Any:
    """The player that a class, a function or an object is: a class is made, with the game where it takes one."""
    if not isinstance(made, type):
        return made
    try:
        takes = [
            one
            for one in inspect.signature(made).parameters.values()
            if one.kind in (one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD)
        ]
    except (TypeError, ValueError):
        takes = []
    wanted = bool(takes) and (takes[0].default is takes[0].empty or takes[0].name == "game")
    return made(game) if wanted else made()


def same(action: Any, legal: Any) -> bool:
    """Whether an answer is a legal action: True is 1 to Python, but nobody means it as a move."""
    if isinstance(action, bool) != isinstance(legal, bool):
        return False
    try:
        return bool(action == legal)
    except Exception:  # arrays compare element by element
        return False


def begin(player: Any, seed: int) -> None:
    """Tells a player that a game begins; what it raises forfeits the game."""
    tell = getattr(player, "begin", None)
    if tell is not None:
        try:
            tell(seed)
        except Forfeit:
            raise
        except Exception as error:
            raise Forfeit(f"an error before the game: {type(error).__name__}: {error}") from error


def asked(player: Any, question: Question) -> Any:
    """What a player answers; what it raises forfeits the game."""
    state, history = question.state, () if isinstance(question.state, View) else tuple(question.history)
    try:
        if hasattr(player, "answer"):
            return player.answer(question)
        if not hasattr(player, "move"):
            return player(state, history)
        more: dict[str, Any] = {}
        names = _parameters(player.move)
        if "history" in names:
            more["history"] = history
        if "clock" in names:
            more["clock"] = question.clock
        return player.move(state, **more)
    except Forfeit:
        raise
    except Exception as error:
        raise Forfeit(f"an error: {type(error).__name__}: {error}") from error


def _parameters(function: Callable[..., Any]) -> frozenset[str]:
    try:
        return frozenset(inspect.signature(function).parameters)
    except (TypeError, ValueError):
        return frozenset()
