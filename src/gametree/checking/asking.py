"""Asking the rules: every call guarded, timed, and watched for changes to the state it was given."""

import inspect
import reprlib
import time
import traceback
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from gametree.checking.findings import Severity
from gametree.checking.snapshot import duplicate, is_fixed, same, snapshot
from gametree.game import CHANCE, Game, evaluations, offers, player_name
from gametree.search.core.plays import MAX_ACTIONS
from gametree.search.core.watchdog import Overdue, rule_in

NOTHING: Final = object()
_KNOWN_ENDLESS: Final = 64
"""How much is read of an iterable once its method is known not to end."""
_LISTING_SHARE: Final = 0.15
"""The part of the time after which one iterable is taken not to end."""
_SAMPLE: Final = 3

Text = str | Callable[[], str]
"""What is said; a function where it depends on what is seen later."""

_short = reprlib.Repr()
_short.maxstring = _short.maxother = 80
_short.maxtuple = _short.maxlist = 10


def short(value: Any) -> str:
    """A value as Python writes it, not too long."""
    return _short.repr(value)


@dataclass(frozen=True)
class Trouble:
    """Something found at a state: `what` begins with the method, `fix` says what to do."""

    kind: str
    severity: Severity
    what: Text
    fix: Text
    action: Any = NOTHING
    """The action of the state that it takes to see it."""
    other: Any = None
    """The node of the other state, where two are compared; `what` then ends before it is named."""


def problem(kind: str, what: Text, fix: Text, action: Any = NOTHING, other: Any = None) -> Trouble:
    """Something that breaks the contract."""
    return Trouble(kind, "problem", what, fix, action, other)


def warning(kind: str, what: Text, fix: Text, action: Any = NOTHING) -> Trouble:
    """Something that is allowed, but most likely not meant."""
    return Trouble(kind, "warning", what, fix, action)


def remark(kind: str, what: Text, fix: Text) -> Trouble:
    """Something that is good to know."""
    return Trouble(kind, "note", what, fix)


class TimeUp(Exception):
    """The time for this part of the check is over."""


@dataclass(frozen=True)
class Failure:
    """A call that gave no usable answer."""

    method: str
    suffix: str
    what: str
    fix: str

    def trouble(self, severity: Severity = "problem", action: Any = NOTHING) -> Trouble:
        """The failure as something to report."""
        return Trouble(f"{slug(self.method)}-{self.suffix}", severity, self.what, self.fix, action)


@dataclass
class Answers:
    """What the rules say about a state: {("utility", 0): 1, ("actions",): [...], ...}."""

    said: dict[tuple[Hashable, ...], Any] = field(default_factory=dict)
    endless: frozenset[str] = frozenset()
    in_a_set: bool = False
    """Whether `actions` returned a set."""

    def get(self, *key: Hashable) -> Any:
        """The answer; None where it was not asked for or is a failure."""
        answer = self.said.get(key)
        return None if isinstance(answer, Failure) else answer

    def failures(self) -> Iterator[tuple[tuple[Any, ...], Failure]]:
        """The calls that gave no usable answer."""
        return ((key, answer) for key, answer in self.said.items() if isinstance(answer, Failure))

    @property
    def terminal(self) -> bool | None:
        """Whether the game is over; None where the rules do not tell."""
        answer = self.get("is_terminal")
        return None if answer is None else bool(answer)

    @property
    def mover(self) -> Any:
        """Who moves; None at a terminal state or where the rules do not tell."""
        return self.get("player")

    @property
    def at_chance(self) -> bool:
        """Whether dice or cards decide here."""
        return same_number(self.mover, CHANCE)

    @property
    def moves(self) -> list[Any]:
        """What leads on from here: actions or outcomes; empty at a terminal state."""
        if self.terminal is not False:
            return []
        if self.at_chance:
            pairs = self.get("chance") or []
            return [pair[0] for pair in pairs if isinstance(pair, (tuple, list)) and len(pair) == 2]
        return self.get("actions") or []


class Asker:
    """Calls the methods of a game and collects what they do wrong on the way."""

    def __init__(self, game: Game, seconds: float):
        self.game = game
        self.offers: Final = {name for name in _ASKED if offers(game, name)}
        self.evaluations: Final = [
            "evaluate" if name == "default" else f"evaluate_{name}"
            for name in evaluations(game)
            if name != "default" or not self.lacks_weights
        ]
        self.began: float = time.perf_counter()
        self.seconds = seconds
        self.deadline: float = self.began + seconds
        self.endless: set[str] = set()
        self.sets: int = 0
        """How often a set was returned where the order counts."""
        self.first_cells: set[str] | None = None
        """The cells of the board at the start."""
        self.changed: dict[str, Trouble] = {}
        """The methods that changed the state they were given, since this was last emptied."""
        self._files = {
            str(Path(inspect.getfile(cls)).resolve())
            for cls in type(game).__mro__
            if cls.__module__ not in ("builtins", "gametree.game") and _has_file(cls)
        }

    @property
    def lacks_weights(self) -> bool:
        """Whether the linear evaluation is meant but `weights` is missing."""
        return not offers_own_evaluate(self.game) and self.game.weights is None

    def within(self, share: float) -> None:
        """Sets the deadline to a share of the whole time."""
        self.deadline = self.began + share * self.seconds

    def time_is_up(self) -> bool:
        return time.perf_counter() > self.deadline

    def ask(self, method: str, *arguments: Any) -> Any:
        """The answer of a method, or a `Failure`. A state that could change in place is given as a copy."""
        if self.time_is_up():
            raise TimeUp
        watched = bool(arguments) and not is_fixed(arguments[0])
        if watched:
            arguments = (duplicate(arguments[0]), *arguments[1:])
            before = snapshot(arguments[0])
        try:
            answer = getattr(self.game, method)(*arguments)
        except Exception as error:  # whatever the rules raise is what is looked for
            return self._raised(method, error)
        except Overdue as error:
            return self._stopped(method, error)
        if watched and snapshot(arguments[0]) != before:
            self.changed[method] = problem(
                "state-changed",
                f"`{method}` changed the state that it was given",
                "States never change: build a new one instead of changing the old one in place",
            )
        return answer

    def listed(self, method: str, *arguments: Any) -> Any:
        """The answer of a method that gives an iterable, as a list; cut short where it does not end."""
        answer = self.ask(method, *arguments)
        if isinstance(answer, Failure):
            return answer
        self.sets += isinstance(answer, (set, frozenset))
        try:
            iterator = iter(answer)
        except TypeError:
            missing = ": is a `return` or `yield` missing?" if answer is None else ""
            return Failure(
                method,
                "type",
                f"`{method}` returned {short(answer)}, which is no list, tuple or generator{missing}",
                "Give them one by one with `yield`, or return a sequence",
            )
        return self._read(method, iterator)

    def _truth(self, method: str, state: Any, *rest: Any) -> Any:
        """What a question that is answered by yes or no says, where it says anything."""
        answer = self.ask(method, state, *rest)
        if isinstance(answer, Failure):
            return answer
        try:
            missing = answer is None or bool(answer) is None
        except Exception:  # an array of several elements is neither true nor false
            missing = True
        if not missing:
            return answer
        return Failure(
            method,
            "type",
            f"`{method}` returned {short(answer)}, which is neither true nor false",
            "Return True or False: is a `return` missing?" if answer is None else "Return True or False",
        )

    def _read(self, method: str, iterator: Iterator[Any]) -> Any:
        most = _KNOWN_ENDLESS if method in self.endless else MAX_ACTIONS
        started = time.perf_counter()
        items: list[Any] = []
        try:
            for item in iterator:
                items.append(item)
                if len(items) > most:
                    self.endless.add(method)
                    return items[:_KNOWN_ENDLESS]
                if len(items) % 256 == 0 and time.perf_counter() - started > _LISTING_SHARE * self.seconds:
                    self.endless.add(method)
                    return items[:_KNOWN_ENDLESS]
        except Exception as error:  # generators raise when they are read
            return self._raised(method, error)
        except Overdue as error:
            return self._stopped(method, error)
        return items

    def _stopped(self, method: str, error: Overdue) -> Failure:
        self.deadline = self.began  # nothing more is asked
        return Failure(
            method,
            "endless",
            f"`{method}` did not come back and was stopped"
            f" after {self.seconds:g} s{rule_in(error.__traceback__, True)}",
            "Is there a loop that does not end? If it only takes long, `check(game, seconds=…)` waits longer",
        )

    def _raised(self, method: str, error: Exception) -> Failure:
        return Failure(
            method,
            "raises",
            f"`{method}` raised {short_text(f'{type(error).__name__}: {error}')}{self._place(error)}",
            "It has to answer for every state that can be reached",
        )

    def _place(self, error: Exception) -> str:
        """File and line of the innermost frame that belongs to the rules."""
        frames = traceback.extract_tb(error.__traceback__)
        own = [frame for frame in frames if str(Path(frame.filename).resolve()) in self._files]
        own = own or [frame for frame in frames if Path(frame.filename).resolve() != Path(__file__).resolve()]
        return f" ({own[-1].filename}, line {own[-1].lineno})" if own else ""

    # --- everything about one state -----------------------------------------------------------------

    def collect(self, state: Any, thorough: bool = False, only_essential: bool = False) -> Answers:
        """Everything the rules say about a state; what is slow, pictures and symmetries, where `thorough`."""
        endless_before = set(self.endless)
        answers = Answers()
        said = answers.said
        said["is_terminal",] = self._truth("is_terminal", state)
        players = range(self.game.players)
        if answers.terminal:
            said["actions",] = self.listed("actions", state)
            for player in players:
                said["utility", player] = self.ask("utility", state, player)
        elif answers.terminal is False:
            said["player",] = self.ask("player", state)
            if answers.at_chance:
                if "chance" in self.offers:
                    said["chance",] = self.listed("chance", state)
            else:
                sets_before = self.sets
                said["actions",] = self.listed("actions", state)
                answers.in_a_set = self.sets > sets_before
        if not only_essential:
            self._collect_optional_members(state, answers, thorough)
        answers.endless = frozenset(self.endless - endless_before)
        return answers

    def _collect_optional_members(self, state: Any, answers: Answers, thorough: bool) -> None:
        said, players = answers.said, range(self.game.players)
        if answers.terminal is False:
            self._collect_inner(state, answers)
        for method in ("key", "repetition_key", "clock"):
            if method in self.offers:
                said[method,] = self.ask(method, state)
        if thorough and "symmetries" in self.offers:
            said["symmetries",] = self.listed("symmetries", state)
        if "observe" in self.offers:
            for player in players:
                said["observe", player] = self.ask("observe", state, player)
        for method in ("board", "show"):
            if thorough and method in self.offers:
                said[method,] = self.ask(method, state)

    def _collect_inner(self, state: Any, answers: Answers) -> None:
        said = answers.said
        if not answers.at_chance:
            if "tactical" in self.offers:
                said["tactical",] = self.listed("tactical", state)
            if "null" in self.offers:
                said["null",] = self.ask("null", state)
            if "threatened" in self.offers:
                said["threatened",] = self._truth("threatened", state)
            if "order" in self.offers:
                for i, action in enumerate(answers.moves[:20]):
                    said["order", i] = self.ask("order", state, action)
            if "threatens" in self.offers:
                for i, action in enumerate(answers.moves[:_SAMPLE]):
                    said["threatens", i] = self._truth("threatens", state, action)
        for player in range(self.game.players):
            for method in self.evaluations:
                said[method, player] = self.ask(method, state, player)
            if "features" in self.offers:
                said["features", player] = self.listed("features", state, player)
        for i, action in enumerate(answers.moves[:_SAMPLE]):
            said["result", i] = self.ask("result", state, action)

    def repeat(self, state: Any, answers: Answers, key: tuple[Hashable, ...]) -> Answers:
        """One question about a state asked once more, alone."""
        method, *rest = key
        assert isinstance(method, str)
        if method in ("result", "order", "threatens"):
            rest = [answers.moves[i] for i in rest if isinstance(i, int)]
        if method in ("is_terminal", "threatened", "threatens"):
            answer = self._truth(method, state, *rest)
        elif method in _ITERABLES:
            answer = self.listed(method, state, *rest)
        else:
            answer = self.ask(method, state, *rest)
        return Answers({key: answer})


def differing(one: Answers, other: Answers) -> list[tuple[Hashable, ...]]:
    """The questions that were answered differently."""
    return [
        key for key, answer in one.said.items() if key in other.said and not _agree(answer, other.said[key])
    ]


def _agree(one: Any, other: Any) -> bool:
    if isinstance(one, Failure) and isinstance(other, Failure):
        return one.suffix == other.suffix
    return same(one, other)


def same_number(one: Any, other: int) -> bool:
    """Whether a value is this whole number; an answer of a strange type is not."""
    return hasattr(one, "__index__") and one.__index__() == other


def offers_own_evaluate(game: Game) -> bool:
    """Whether a game defines `evaluate` itself, rather than `features`."""
    return type(game).evaluate is not Game.evaluate


def who(game: Game, player: Any) -> str:
    """What a player is called: by name where the game has names that can be used."""
    names = game.player_names
    usable = (
        isinstance(names, tuple) and len(names) == game.players and all(isinstance(one, str) for one in names)
    )
    known = usable and hasattr(player, "__index__")
    return player_name(names, player.__index__()) if known else f"player {short(player)}"


def slug(method: str) -> str:
    return method.replace("_", "-")


def short_text(text: str) -> str:
    first = text.strip().splitlines()[0] if text.strip() else text
    return first if len(first) <= 160 else first[:159] + "…"


def _has_file(cls: type) -> bool:
    try:
        inspect.getfile(cls)
    except (TypeError, OSError):
        return False
    return True


_ITERABLES: Final = ("actions", "chance", "tactical", "features", "symmetries")
_ASKED: Final = (
    "features", "tactical", "order", "chance", "observe", "worlds", "mask", "appraise", "team", "key",
    "symmetries", "clock", "repetition_key", "null", "threatened", "threatens", "board", "touches", "show",
    "parse_state", "name_action", "parse_action",
)  # fmt: skip
