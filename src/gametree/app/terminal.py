"""A game against the machine, in a terminal or from a file of moves.

`Session` is the conversation alone. What it reads and writes goes through a `Console`, so that a test, a
terminal or a pipe can be at the other end.
"""

import random
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Any, Final, Protocol

from gametree.app.boards import picture
from gametree.app.notation import player_names, read_action, says_whose_turn
from gametree.arena.bot import Bot
from gametree.arena.playing import recurrence_end
from gametree.arena.strength import LEVELS
from gametree.arena.thinking import Wanted, analyze_at_once
from gametree.board import Board
from gametree.errors import InputError
from gametree.game import CHANCE, ORDINALS, Game, offers
from gametree.result import Analysis, Limit, Move, best_first, capital, percentages
from gametree.search.core.plays import draw_outcome
from gametree.view import View, hides, seen_by, shown_to, view_of

HINT_SECONDS: Final = 1.0
_MOST_PLIES: Final = 1000
"""Two machines stop after so many plies: nobody is there to end a game that goes in circles."""
_HELP: Final = """\
a move    in the game's notation
?         the value of every move
moves     the legal moves
board     the board once more
undo      takes your last move back
level N   how well I play, 1 to 10
resign    gives the game up
quit      ends it all"""


class Console(Protocol):
    """Where a game is played."""

    interactive: bool
    width: int

    def ask(self, prompt: str) -> str | None: ...

    def say(self, text: str, style: str = "") -> None: ...

    def draw(self, board: str, names: Sequence[str], shown: Board | None = None) -> None: ...

    def clear(self) -> None: ...

    def thinking(self) -> AbstractContextManager[None]: ...


class _Left(Exception):
    """The person has left the table."""


def sides(game: Game, text: str) -> tuple[int, ...]:
    """Which players people play: "first", "2,3", "all", "none", a player's own name, or several of these.

    >>> from gametree.games import TicTacToe
    >>> sides(TicTacToe(), "O"), sides(TicTacToe(), "first, second")
    ((1,), (0, 1))
    """
    names = [name.casefold() for name in player_names(game)]
    ordinals = ORDINALS[: game.players]
    everybody = "both" if game.players == 2 else "all"
    words = text.casefold().replace(",", " ").split()
    found: set[int] = set()
    for word in [text.strip().casefold()] if text.strip().casefold() in names else words:
        if word in names:
            found.add(names.index(word))
        elif word in ordinals:
            found.add(ordinals.index(word))
        elif word.isdecimal() and 1 <= int(word) <= game.players:
            found.add(int(word) - 1)
        elif word in (everybody, "all"):
            found.update(range(game.players))
        elif word != "none" or len(words) > 1:
            break
    else:
        if words:
            return tuple(sorted(found))
    own = [name for name in player_names(game) if " " not in name]
    raise InputError(f"--player {text}: it is {', '.join([*ordinals, everybody, 'none', *own])}")


class Session:
    """People and machines at a board, in as many seats as the game has."""

    def __init__(
        self,
        game: Game,
        place: Console,
        *,
        title: str,
        state: Any = None,
        people: Sequence[int] = (0,),
        level: int = 5,
        seed: int = 0,
    ):
        self.game = game
        self.place = place
        self.title = title
        self.people: tuple[int, ...] = tuple(people)
        self.seed: int = seed
        self.names: tuple[str, ...] = player_names(game)
        self.bot: Bot = Bot(game, level, seed)
        self.dice: random.Random = random.Random(f"dice {seed}")
        self.start: Any = game.initial() if state is None else state
        self.state: Any = self.start
        self.hidden: bool = hides(game)
        """Whether people must not see each other's hands, nor the machine's."""
        self.looking: int | None = people[0] if len(people) == 1 else None
        """Who is looking at the screen in a game with hidden information; None where nobody in particular is."""
        self.taken: list[tuple[Any, int]] = []
        """The states left behind, each with who moved there."""
        self._commands: dict[str, Callable[[], None]] = {
            "?": self._hint,
            "hint": self._hint,
            "moves": self._moves,
            "board": self._board,
            "undo": self._undo,
            "resign": self._resign,
            "help": lambda: self.place.say(_HELP),
            "h": lambda: self.place.say(_HELP),
            "quit": self._quit,
            "exit": self._quit,
            "q": self._quit,
        }

    def run(self) -> None:
        """Plays until the game ends, the input ends or the person has had enough."""
        self.place.say(self._greeting(), "bold")
        if self.people and self.place.interactive:
            self.place.say("Type a move, or help.")
        try:
            self._play()
            while self.place.interactive and self.people and self._again():
                self._play()
        except _Left:
            return

    # --- the game -----------------------------------------------------------------------------------

    def _play(self) -> None:
        self.resigned: int | None = None
        self._board()
        while not self._over():
            mover = self.game.player(self.state)
            if mover == CHANCE:
                self._throw()
            elif mover in self.people:
                self._hand_over(mover)
                self._listen()
            else:
                self._answer()
                if not self.people and len(self.taken) >= _MOST_PLIES:
                    self.place.say(f"No end after {_MOST_PLIES:,} moves: stopped.")
                    return
        self._result()

    def _hand_over(self, mover: int) -> None:
        """Lets another person look at the screen, once the one before has turned away."""
        if not self.hidden or self.looking == mover:
            return
        self.looking = None
        self.place.clear()
        prompt = f"{capital(self.names[mover])} looks now, and nobody else. Press Enter. "
        if self.place.interactive and self.place.ask(prompt) is None:
            raise _Left
        self.looking = mover
        self._board()

    def _over(self) -> bool:
        return self.resigned is not None or self.game.is_terminal(self.state) or self._recurred() is not None

    def _recurred(self) -> tuple[int, str] | None:
        """Whether the game is over because the position has occurred too often: for whom, and why."""
        if self.game.repetition is None or not self.taken:
            return None
        seen = self._occurrences(self.state, self._history) + 1
        return recurrence_end(self.game, seen, self.taken[-1][1])

    @property
    def _history(self) -> tuple[Any, ...]:
        return tuple(state for state, _ in self.taken)

    def _occurrences(self, state: Any, among: Sequence[Any]) -> int:
        key = self.game.repetition_key(state)
        return sum(self.game.repetition_key(other) == key for other in among)

    def _listen(self) -> None:
        """Takes one line from the person: a command, or a move."""
        mover = self.game.player(self.state)
        line = self.place.ask("your move> " if len(self.people) == 1 else f"{self.names[mover]}> ")
        if line is None:
            self.place.say("The input ends here, and so does the game.")
            raise _Left
        text = line.strip()
        if not text:
            return
        try:
            self._obey(text)
        except InputError as error:
            self.place.say(f"{error}", "red")

    def _obey(self, text: str) -> None:
        # A game whose moves are called "undo" or "?" keeps them: its own notation comes first.
        names = [self.game.name_action(self.state, action) for action in self.game.actions(self.state)]
        words = text.casefold().split()
        if text not in names:
            command = self._commands.get(" ".join(words))
            if command is not None:
                return command()
            if words[0] == "level":
                return self._level(words[1:])
        action = read_action(self.game, self.state, text)
        self._require_new(action)
        self._advance(action)
        # The machine's answer shows the board anyway, and a hand is shown when its owner looks.
        over = self._over()
        if over or (self.game.player(self.state) in self.people and not self._is_seen_by_another()):
            self._board()
        return None

    def _is_seen_by_another(self) -> bool:
        """Whether somebody else is looking than the one who is to move."""
        return self.hidden and len(self.people) > 1 and self.looking != self.game.player(self.state)

    def _throw(self) -> None:
        """Chance decides; whoever is to move then and sits at the board sees what came of it."""
        outcome = draw_outcome(self.game, self.state, self.dice)
        name = self.game.name_action(self.state, outcome)
        before = self.state
        self._advance(outcome)
        if self.hidden:
            if self.looking is not None and self._sees_more(self.looking, before):
                self.place.say("Chance has decided.")
                self._board()
            return
        self.place.say(f"Chance gives {name}.")
        if self._over() or self.game.player(self.state) in self.people:
            self._board()

    def _sees_more(self, player: int, before: Any) -> bool:
        """Whether a player has seen what happened."""
        return bool(self.game.observe(before, player) != self.game.observe(self.state, player))

    def _answer(self) -> None:
        mover = self.game.player(self.state)
        with self.place.thinking():
            action = self.bot.move(self.state, self._history)
        name = self.game.name_action(self.state, action)
        self._advance(action)
        if self.hidden and self.people:  # what of it a person may see is on the board
            self.place.say(f"{capital(self.names[mover])} has moved.")
        else:
            self.place.say(f"{capital(self.names[mover])} plays {name}.")
        self._board()

    def _require_new(self, action: Any) -> None:
        """Refuses a move back to a position where the rules forbid that."""
        match self.game.repetition:
            case ("forbid", int(times)):
                after = self.game.result(self.state, action)
                if self._occurrences(after, (*self._history, self.state)) + 1 >= times:
                    name = self.game.name_action(self.state, action)
                    raise InputError(f"{name} would repeat a position, which the rules forbid")

    def _advance(self, action: Any) -> None:
        self.taken.append((self.state, self.game.player(self.state)))
        self.state = self.game.result(self.state, action)

    def _result(self) -> None:
        if self.resigned is not None:
            who = "You resign" if len(self.people) == 1 else f"{capital(self.names[self.resigned])} resigns"
            won = f": {self.names[1 - self.resigned]} has won" if self.game.players == 2 else ""
            self.place.say(f"{who}{won}.", "bold")
            return
        recurred = None if self.game.is_terminal(self.state) else self._recurred()
        if recurred is not None:
            ahead, why = recurred
            self.place.say(f"{capital(why.rpartition(':')[0])}.")
            self._announce([float(ahead if player == 0 else -ahead) for player in range(self.game.players)])
        else:
            self._announce([self.game.utility(self.state, player) for player in range(self.game.players)])

    def _announce(self, payoffs: Sequence[float]) -> None:
        score = "" if set(payoffs) <= {-1, 0, 1} else " " + " to ".join(f"{payoff:g}" for payoff in payoffs)
        best = [player for player, payoff in enumerate(payoffs) if payoff == max(payoffs)]
        if len(best) == len(payoffs):
            self.place.say(f"A draw{score and ','}{score}.", "bold")
            return
        if len(self.people) == 1:
            who = "You have won" if self.people[0] in best else "You have lost"
            together = [self.names[player] for player in best if player not in self.people]
            if together and self.game.players > 2:
                who += f", {'with' if self.people[0] in best else 'to'} {_and(together)}"
        else:
            has = "has" if len(best) == 1 else "have"
            who = f"{capital(_and([self.names[player] for player in best]))} {has} won"
        self.place.say(f"{who}{score and ','}{score}.", "bold")

    def _again(self) -> bool:
        """Whether there is another game, or this one goes on from a move taken back."""
        while True:
            line = self.place.ask("Another game? [y/n/undo] ")
            answer = (line or "n").strip().casefold()
            if answer in ("n", "no", "q", "quit", "exit", ""):
                return False
            if answer in ("y", "yes"):
                self.state = self.start
                self.taken.clear()
                # Another seed, or the machine would play the same game again.
                self.seed += 1
                self.bot = Bot(self.game, self.bot.level, self.seed)
                self.dice = random.Random(f"dice {self.seed}")
                return True
            if answer == "undo" and not self.hidden and (self.resigned is not None or self._take_back()):
                return True

    # --- commands -----------------------------------------------------------------------------------

    def _board(self) -> None:
        if self.hidden and self.people and not (self._over() and len(self.people) > 1):
            self._show_view()
            return
        board = self.game.show(self.state)
        self.place.say("")
        before = self.taken[-1][0] if self.taken else None
        near = self.people[0] if len(self.people) == 1 else None
        shown = picture(self.game, self.state, before, near)
        self.place.draw(board, self.names, shown)
        mover = CHANCE if self.game.is_terminal(self.state) else self.game.player(self.state)
        if mover != CHANCE and shown is None and not says_whose_turn(board):
            self.place.say(f"{capital(self.names[mover])} to move")

    def _view(self, player: int) -> View:
        """What a player has seen: all that is shown to a person, and all that a hint is made from."""
        return view_of(self.game, self.state, self._history, player)

    def _show_view(self) -> None:
        """What the person who is looking has seen; nothing where nobody is."""
        if self.looking is None:
            return
        view = self._view(self.looking)
        masked = seen_by(self.game, view)
        self.place.say("")
        shown = None if masked is None else picture(self.game, masked, None, self.looking)
        self.place.draw(shown_to(self.game, view), self.names, shown)
        if not self._over() and self.game.player(self.state) == self.looking:
            self.place.say(f"{capital(self.names[self.looking])} to move")

    def _moves(self) -> None:
        names = [self.game.name_action(self.state, action) for action in self.game.actions(self.state)]
        most = 200
        more = f" … and {len(names) - most:,} more" if len(names) > most else ""
        self.place.say(" ".join(names[:most]) + more)

    def _hint(self) -> None:
        with self.place.thinking():
            limit = Limit(seconds=HINT_SECONDS)
            asked = self._view(self.game.player(self.state)) if self.hidden else self.state
            history = () if self.hidden else self._history
            analysis = analyze_at_once(Wanted(self.game), asked, limit, moves=True, history=history)
        rows = move_rows(self.game, analysis)
        if not rows:
            self.place.say("Nothing is known yet.")
            return
        proven = all(move.exact for move in analysis.moves)
        sure = "proven" if proven else f"estimates, {analysis.depth} plies ahead"
        if self.hidden:
            sure = "by what you have seen"
        self.place.say("\n".join([f"The best first ({sure}):", *(f"  {row}" for row in rows)]))
        if analysis.strategy is not None:
            self.place.say(f"To be mixed: {percentages(analysis.strategy)}")

    def _undo(self) -> None:
        if self.hidden:
            raise InputError("no move is taken back where people have seen what they would not see again")
        if self._take_back():
            self._board()
        else:
            self.place.say("There is nothing to take back.")

    def _take_back(self) -> bool:
        """Back to the last state in which a person moved; False where there is none."""
        if not any(mover in self.people for _, mover in self.taken):
            return False
        while True:
            self.state, mover = self.taken.pop()
            if mover in self.people:
                return True

    def _resign(self) -> None:
        self.resigned = self.game.player(self.state)

    def _level(self, words: list[str]) -> None:
        if not words:
            self.place.say(f"I play at level {self.bot.level}; level {LEVELS[-1]} is my best.")
            return
        if len(words) > 1 or not words[0].isdecimal() or int(words[0]) not in LEVELS:
            raise InputError(f"levels are {LEVELS[0]} to {LEVELS[-1]}, for example: level 7")
        self.bot = Bot(self.game, int(words[0]), self.seed)
        self.place.say(f"Level {words[0]} from now on.")

    def _quit(self) -> None:
        self.place.say("Bye.")
        raise _Left

    def _greeting(self) -> str:
        if not self.people:
            return f"{self.title}, level {self.bot.level} against itself"
        if len(self.people) == self.game.players:
            return f"{self.title}, you play {'both' if len(self.people) == 2 else 'all'} sides"
        you = _and([self.names[player] for player in self.people])
        return f"{self.title}, you are {you}, level {self.bot.level}"


def move_rows(game: Game, analysis: Analysis) -> list[str]:
    """The moves of an analysis with their values, the best first, as lines of two columns."""
    moves = best_first(analysis.moves)
    size = max((len(move.name) for move in moves), default=0)
    return [f"{move.name:<{size}}  {_worth(game, move)}" for move in moves]


def _worth(game: Game, move: Move) -> str:
    """A value in words: an even end is a draw, and without an evaluation what is not proven is not known."""
    if move.value.outcome is None and move.bound == "exact":
        even = game.total is not None and 2 * move.value.payoff == game.total
        if move.exact and even and not offers(game, "chance"):
            return "draw"
        if not move.exact and not offers(game, "evaluate") and not hides(game):
            return "not known"
    return str(move).removeprefix(f"{move.name}: ")


def _and(words: Sequence[str]) -> str:
    """Names in a sentence.

    >>> _and(["red", "green", "blue"])
    'red, green and blue'
    """
    return " and ".join(filter(None, (", ".join(words[:-1]), words[-1])))
