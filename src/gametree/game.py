"""The contract of a game: the six elements of the textbook as methods of a class.

States are immutable and hashable, methods are pure, and a game's attributes are frozen after `__init__`.
What a class does not define keeps the default below; `offers(game, "evaluate")` tells whether it does.
"""

import difflib
import functools
import inspect
import weakref
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Final, Generic, NamedTuple

from gametree.errors import InputError, RulesError

if TYPE_CHECKING:
    # Checkers of types know this module; nothing has to be installed for it.
    from typing_extensions import TypeVar

    from gametree.board.data import Board

    S = TypeVar("S", default=Any)
    """The states of a game."""
    A = TypeVar("A", default=Any)
    """Its actions."""
else:
    from typing import TypeVar

    S, A = TypeVar("S"), TypeVar("A")

CHANCE: Final = -1
"""What `player` returns where dice or cards decide."""

T = TypeVar("T")
State = Any
Action = Any
Observation = Any


class Offered(NamedTuple):
    """The optional members, each with whether a class of games defines it itself; kernels ask here, too."""

    evaluate: bool = False
    features: bool = False
    tactical: bool = False
    order: bool = False
    chance: bool = False
    observe: bool = False
    team: bool = False
    worlds: bool = False
    mask: bool = False
    appraise: bool = False
    key: bool = False
    symmetries: bool = False
    clock: bool = False
    repetition_key: bool = False
    null: bool = False
    threatened: bool = False
    threatens: bool = False
    margin: bool = False
    distance: bool = False
    prospects: bool = False
    sensible: bool = False
    forced: bool = False
    urgency: bool = False
    value_key: bool = False
    prior: bool = False
    slice: bool = False
    slice_size: bool = False
    slice_place: bool = False
    slice_state: bool = False
    slices: bool = False
    name_slice: bool = False
    parse_slice: bool = False
    board: bool = False
    touches: bool = False
    show: bool = False
    show_observation: bool = False
    parse_state: bool = False
    name_action: bool = False
    parse_action: bool = False


ESSENTIAL: Final = ("initial", "player", "actions", "result", "is_terminal", "utility")
OPTIONAL: Final = Offered._fields
FARTHEST: Final = 32_000
"""No margin is greater."""
REPETITIONS: Final = ("draw", "loss", "win", "forbid")
PRIVATE: Final = ("_frozen", "_compiled", "_interpreted", "_rehearsed", "_universe")
"""What the library keeps in a game: that it is made, its machine code or why it has none. No rule knows of it."""


class _Frozen(type):
    """Calls `__init__`, then closes the door: the rules of a game do not change while it is played."""

    def __call__(cls: type[T], *args: Any, **kwargs: Any) -> T:
        if cls is not Game:
            for name in ESSENTIAL:
                if getattr(cls, name) is getattr(Game, name):
                    close = difflib.get_close_matches(name, vars(cls), n=1, cutoff=0.7)
                    hint = f"; it has `{close[0]}`: is that the one?" if close else ""
                    arguments = ", ".join(inspect.signature(getattr(Game, name)).parameters)
                    raise TypeError(f"{cls.__name__} does not define `{name}({arguments})`{hint}")
        game: T = super().__call__(*args, **kwargs)  # type: ignore[misc]
        object.__setattr__(game, "_frozen", True)
        return game

    def __setattr__(cls, name: str, value: Any) -> None:
        """Whoever gives a class a member later on, as in a notebook, offers it from then on."""
        super().__setattr__(name, value)
        if name in OPTIONAL:
            family: list[Any] = [cls, *cls.__subclasses__()]
            for one in family:
                one.offered = _offered(one)


class Game(Generic[S, A], metaclass=_Frozen):
    """The rules of a game. Write the six methods that have no default; add others as you need them.

    >>> class Nim(Game):
    ...     def initial(self): return (21, 0)
    ...     def player(self, s): return s[1]
    ...     def actions(self, s): return range(1, min(3, s[0]) + 1)
    ...     def result(self, s, a): return (s[0] - a, 1 - s[1])
    ...     def is_terminal(self, s): return s[0] == 0
    ...     def utility(self, s, p): return -1 if p == s[1] else 1
    >>> list(Nim().actions((2, 0)))
    [1, 2]
    """

    __signature__: ClassVar[inspect.Signature]
    offered: ClassVar[Offered] = Offered()
    """What the class defines beyond the six elements."""
    players: int = 2
    player_names: tuple[str, ...] = ()
    """What people call the players, in their order: ("X", "O"). Where it is empty they are "player 0" and so on."""
    payoffs: tuple[float, float] | None = None
    """The least and the greatest that `utility` can be, where known. They are the losses and wins."""
    total: float | None = 0
    """What the utilities of all players sum to; None where that differs from end to end."""
    repetition: tuple[str, int] | None = None
    """What a position that recurs is worth to the player who brings it about, and at which occurrence:
    ("draw", 3) in chess, ("forbid", 2) for superko."""
    weights: Any = None
    """With `features`: w0, w1 … wn, an array."""
    compiled_checks: ClassVar[bool] = True
    """Whether compiled rules look out for ints beyond 64 bits, indices out of range and endless loops and calls."""

    # --- the six elements ---------------------------------------------------------------------------

    def initial(self) -> S:
        """The state in which the game begins."""
        raise TypeError(f"{type(self).__name__} does not define `initial(self)`")

    def player(self, state: S, /) -> int:
        """Who moves: 0 to players − 1, or CHANCE."""
        raise TypeError(f"{type(self).__name__} does not define `player(self, state)`")

    def actions(self, state: S, /) -> Iterable[A]:
        """The legal actions, in a fixed order; ties go to the first."""
        raise TypeError(f"{type(self).__name__} does not define `actions(self, state)`")

    def result(self, state: S, action: A, /) -> S:
        """The state that follows. Never changes `state`."""
        raise TypeError(f"{type(self).__name__} does not define `result(self, state, action)`")

    def is_terminal(self, state: S, /) -> bool:
        """Whether the game is over."""
        raise TypeError(f"{type(self).__name__} does not define `is_terminal(self, state)`")

    def utility(self, state: S, player: int, /) -> float:
        """What `player` gets at a terminal state."""
        raise TypeError(f"{type(self).__name__} does not define `utility(self, state, player)`")

    # --- judgement ----------------------------------------------------------------------------------

    def evaluate(self, state: S, player: int, /) -> float:
        """The estimate h of a state for `player`. The default is w0 + w1·f1 + … + wn·fn over `features`."""
        if self.weights is None:
            raise TypeError("the game defines neither `evaluate` nor `features` with `weights`")
        total = self.weights[0]
        i = 1
        for feature in self.features(state, player):
            total += self.weights[i] * feature
            i += 1
        return total  # type: ignore[no-any-return]

    def features(self, state: S, player: int, /) -> Iterable[float]:
        """The numbers f1 … fn that a linear evaluation weighs."""
        raise TypeError(f"{type(self).__name__} does not define `features(self, state, player)`")

    def tactical(self, state: S, /) -> Iterable[A]:
        """The actions that quiescence follows past the horizon."""
        return ()

    def order(self, state: S, action: A, /) -> float:
        """A bigger number is looked at earlier."""
        return 0

    # --- chance, hidden information, teams ----------------------------------------------------------

    def chance(self, state: S, /) -> Iterable[tuple[A, float]]:
        """The outcomes at a chance node, each with its probability."""
        return ()

    def observe(self, state: S, player: int, /) -> Hashable:
        """All that `player` ever saw and did. The default says that nothing is hidden."""
        return state

    def worlds(self, observation: Any, player: int, draw: "Callable[[int], int]", /) -> S | None:
        """A state in which `player`, who is to move, sees `observation`, drawn at random: one of the worlds in which he
        may be. `draw(n)` is a number from 0 to n − 1. The true state is never handed over.

        The default is None: then worlds are found by playing the rules again (`search/hidden/worlds.py`).
        """
        return None

    def mask(self, observation: Any, player: int, /) -> S | None:
        """A state to be shown to `player`, made from what he sees alone: for `show` and `board`, with something in the
        place of what is hidden from him. It is not played from.

        The default is None: then he is shown his observation.
        """
        return None

    def appraise(self, observation: Any, player: int, /) -> "Iterable[tuple[A, float]]":
        """What is known about a player's actions from what he sees: each with a number, the more the better.

        Where a game says it, it is played by that instead of a search.
        """
        return ()

    def team(self, player: int, /) -> int:
        """Players of one team share a payoff. The default says that everybody plays alone."""
        return player

    # --- identity of states -------------------------------------------------------------------------

    def key(self, state: S, /) -> Hashable:
        """Equal keys: same player, same actions, same values. The default is the whole state."""
        return state

    def symmetries(self, state: S, /) -> Iterable[S]:
        """The states that are this one, turned or mirrored; the state itself may be left out."""
        return ()

    def clock(self, state: S, /) -> int | None:
        """Plies until a rule ends the game whatever happens; None where no rule does."""
        return None

    def repetition_key(self, state: S, /) -> Hashable:
        """What has to recur for a position to count as repeated. The default is `key`."""
        return self.key(state)

    def null(self, state: S, /) -> S | None:
        """The state after passing, where passing is sound to assume; None where it is not."""
        return None

    def threatened(self, state: S, /) -> bool:
        """Whether the player to move has to answer a threat at once, as in check: no estimate can be trusted here.

        Such a state is searched further, nothing in it is left out, and past the horizon all its actions are followed.
        It may be asked at the end of the game, too.
        """
        return False

    def threatens(self, state: S, action: A, /) -> bool:
        """Whether the other player is `threatened` after an action.

        A game that can tell without making the action is searched faster: most are left out before they are made.
        """
        return self.threatened(self.result(state, action))

    # --- hints for the exact solver -----------------------------------------------------------------

    def margin(self, state: S, player: int, /) -> int:
        """By how much `player` has won at a terminal state: a whole number, negative after a loss, 0 for a draw.

        What one player wins the other loses. Where a quick win is better than a slow one, let it be more. The default
        is `utility`.
        """
        payoff = self.utility(state, player)
        if not -FARTHEST <= payoff <= FARTHEST or payoff != int(payoff):
            raise ValueError(f"a margin is a whole number up to {FARTHEST}, and the utility is {payoff}")
        return int(payoff)

    def distance(self, state: S, margin: int, /) -> int | None:
        """In how many plies the game is over from a state that the player to move ends with this margin, if both play
        perfectly; None where the margin does not tell.

        A game tells it in which a quicker win is a greater margin, and nothing else is.
        """
        return None

    def prospects(self, state: S, /) -> tuple[int, int]:
        """Bounds on the margin with which the game will end for the player to move, if both play perfectly.

        At a terminal state both are the margin. The tighter, the less has to be searched. The default knows nothing.
        """
        if self.is_terminal(state):
            margin = self.margin(state, self.player(state))
            return margin, margin
        return -FARTHEST, FARTHEST

    def sensible(self, state: S, /) -> Iterable[A]:
        """The actions that are worth a look: leaving out the others does not change the margin of the state.

        It is asked only where `prospects` leaves the margin open, and then gives at least one. The default is
        `actions`.
        """
        return self.actions(state)

    def forced(self, state: S, /) -> S:
        """The state that follows once every forced action was played: where all others lose at once, and so on.

        Between perfect players the game ends from there as from here. The default is the state itself.
        """
        return state

    def urgency(self, state: S, action: A, /) -> float:
        """As `order`, for the exact solver, which asks for proofs: the sensible actions with bigger numbers come first.

        The default is `order`.
        """
        return self.order(state, action)

    def value_key(self, state: S, /) -> Hashable:
        """Equal keys: same margin to the player to move. Actions may differ, as in a mirror image.

        The default is the least key of the state and its `symmetries`.
        """
        return self.key(state)

    # --- a hint for Monte-Carlo tree search ---------------------------------------------------------

    def prior(self, state: S, action: A, /) -> float:
        """How likely an action is to be the best, before anything is searched: a weight of at least 0.

        The weights of a state's actions need not sum to anything. The default is the same for all.
        """
        return 1.0

    # --- endgame databases --------------------------------------------------------------------------

    def slice(self, state: S, /) -> int:
        """The part of the game that a state lies in: a whole number that no action ever raises, such as the material
        or the stones left. Databases are solved slice by slice, the lowest first. Negative: it lies in none.

        The default puts the whole game into one slice.
        """
        return 0

    def slice_size(self, slice: int, /) -> int:
        """How many places a slice has: its states are numbered from 0 to one less."""
        raise TypeError(f"{type(self).__name__} does not number its states: it does not define `slice_size`")

    def slice_place(self, state: S, /) -> int:
        """The number of a state in its slice. States that are worth the same to their movers may share one.

        Negative: the state has none, so no database holds it.
        """
        raise TypeError(f"{type(self).__name__} does not number its states: it does not define `slice_place`")

    def slice_state(self, slice: int, place: int, /) -> S | None:
        """The state that has a number; None where no state has it."""
        raise TypeError(f"{type(self).__name__} does not number its states: it does not define `slice_state`")

    def slices(self, most: int, /) -> Iterable[int]:
        """The slices up to a size, say a number of pieces: those worth a database."""
        return (0,)

    def name_slice(self, slice: int, /) -> str:
        """A slice as people call it: "KQK"."""
        return str(slice)

    def parse_slice(self, text: str, /) -> int:
        """The slice that a text names."""
        if not text.strip().isdecimal():
            raise InputError(f"{text!r} is no slice of {type(self).__name__}: a slice is a whole number")
        return int(text)

    # --- boards and text ----------------------------------------------------------------------------

    def board(self, state: S, /) -> "Board | None":
        """The position as it is seen: cells with places and pieces, for everybody who draws or reads it.

        The default says nothing; then `board_of` looks for a board in what `show` prints and in the state, and where it
        finds none gives a button for each action.
        """
        return None

    def touches(self, state: S, action: A, /) -> Sequence[str]:
        """The ids of the cells that an action touches, in the order in which a person points at them: from where, by
        which cells, to where; then those of what is taken off the board. Pieces that only turn over are not named.

        The default says nothing; then the cells are those that `board` changes.
        """
        return ()

    def show(self, state: S, /) -> str:
        """The state as a person sees it."""
        return str(state)

    def show_observation(self, observation: Observation, player: int, /) -> str:
        """What a player has seen (`observe`), as this player sees it."""
        return str(observation)

    def parse_state(self, text: str, /) -> S:
        """The state that a text describes."""
        raise InputError(f"{type(self).__name__} reads no positions: it does not define `parse_state`")

    def name_action(self, state: S, action: A, /) -> str:
        """An action as people write it."""
        return str(action)

    def parse_action(self, state: S, text: str, /) -> A:
        """The legal action that a text names, or the outcome where chance decides. The default compares with every
        name."""
        by_chance = offers(self, "chance") and not self.is_terminal(state) and self.player(state) == CHANCE
        legal = (outcome for outcome, _ in self.chance(state)) if by_chance else self.actions(state)
        names = {self.name_action(state, action): action for action in legal}
        wanted = text.strip()
        if wanted in names:
            return names[wanted]
        folded = [action for name, action in names.items() if name.casefold() == wanted.casefold()]
        if len(folded) == 1:
            return folded[0]
        shown = ", ".join(list(names)[:20]) + (", …" if len(names) > 20 else "")
        raise InputError(f"{wanted!r} is not a legal action here; legal are: {shown}")

    # --- house rules --------------------------------------------------------------------------------

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        for name in (*ESSENTIAL, *OPTIONAL):
            member = inspect.getattr_static(cls, name)
            if not (callable(member) or isinstance(member, (staticmethod, classmethod))):
                raise TypeError(_hides(cls, name))
        if "offered" in vars(cls):
            raise TypeError(_hides(cls, "offered"))
        cls.offered = _offered(cls)
        parameters = list(inspect.signature(cls.__init__).parameters.values())[1:]
        cls.__signature__ = inspect.Signature(parameters)
        repetition = cls.repetition
        if repetition is not None and not isinstance(repetition, property):
            _check_repetition(cls, repetition)

    def __setattr__(self, name: str, value: Any) -> None:
        if name in ESSENTIAL or name in OPTIONAL or name == "offered":
            raise AttributeError(_hides(type(self), name))
        if getattr(self, "_frozen", False):
            raise AttributeError(
                f"{type(self).__name__}.{name} cannot change after __init__: rules are fixed while a game is"
                f" played. Put what changes into the state, or make a new {type(self).__name__}."
                " The contents of an array may change: `game.weights[:] = …`"
            )
        if name == "repetition" and value is not None:
            _check_repetition(type(self), value)
        object.__setattr__(self, name, value)

    def __getstate__(self) -> dict[str, Any]:
        """What a copy or a pickle takes along: machine code stays here."""
        return {name: value for name, value in vars(self).items() if name not in PRIVATE[1:]}

    def __repr__(self) -> str:
        parameters = list(inspect.signature(type(self).__init__).parameters)[1:]
        shown = [
            f"{name}={getattr(self, name)!r}"
            for name in parameters
            if isinstance(getattr(self, name, None), (int, float, str, bool))
        ]
        return f"{type(self).__name__}({', '.join(shown)})"


def _offered(cls: type) -> Offered:
    own = {name: getattr(cls, name) is not getattr(Game, name) for name in OPTIONAL}
    own["evaluate"] = own["evaluate"] or own["features"]
    return Offered(**own)


def _hides(cls: type, name: str) -> str:
    return (
        f"{cls.__name__}: the attribute `{name}` hides the member `{name}` of the contract."
        f" Call it something else, for example `{name}_`."
    )


def _check_repetition(cls: type, value: Any) -> None:
    match value:
        case (str(what), int(times)) if what in REPETITIONS and times >= 2:
            return
    raise TypeError(
        f"{cls.__name__}.repetition is {value!r}; it takes what a repeated position is worth and at which"
        f" occurrence, for example ('draw', 3); the first is one of {', '.join(REPETITIONS)}"
    )


def offers(game: Game, member: str) -> bool:
    """Whether a game defines an optional member itself.

    >>> offers(Game(), "evaluate")
    False
    """
    return bool(getattr(type(game).offered, member))


def evaluations(game: Game) -> tuple[str, ...]:
    """The names of a game's evaluations: `evaluate_lolli` is "lolli", plain `evaluate` is "default"."""
    named = sorted(name.removeprefix("evaluate_") for name in dir(type(game)) if name.startswith("evaluate_"))
    return ("default", *named) if offers(game, "evaluate") else tuple(named)


def with_evaluation(game: Game, evaluation: str | Callable[[State, int], float] | None) -> Game:
    """The same game, judged by another evaluation: one of its own by name, or a function of (state, player)."""
    if evaluation is None or (evaluation == "default" and offers(game, "evaluate")):
        return game
    cls = type(game)
    if callable(evaluation):
        member: Any = _static(evaluation)
    else:
        member = inspect.getattr_static(cls, f"evaluate_{evaluation}", None)
        if member is None:
            known = ", ".join(evaluations(game)) or "none"
            raise InputError(
                f"{cls.__name__} has no evaluation {evaluation!r}; it has: {known}."
                f" Define `evaluate_{evaluation}(self, state, player)` to add it."
            )
    return with_class(game, _changed(cls, "evaluate", member))


def with_class(game: Game, cls: type[Game], **attributes: Any) -> Game:
    """A game of another class with the same attributes, and some besides; its machine code is its own."""
    other: Game = object.__new__(cls)
    other.__dict__.update(game.__dict__)
    for name in ("_compiled", "_interpreted"):
        other.__dict__.pop(name, None)
    other.__dict__.update(attributes)
    return other


def with_chance(game: Game) -> Game:
    """The same game with a `chance` that is never asked, where it has none: code for chance nodes needs its type."""
    if offers(game, "chance"):
        return game
    return with_class(game, _changed(type(game), "chance", _as_if_thrown))


def with_open_cards(game: Game) -> Game:
    """The same game, in which everybody sees everything."""
    if not offers(game, "observe"):
        return game
    return with_class(game, _changed(type(game), "observe", Game.observe))


def without_numbers(game: Game) -> Game:
    """The same game, whose states have no numbers: where no database is open, searches need no code to ask one."""
    if not offers(game, "slice_place"):
        return game
    return with_class(game, _changed(type(game), "slice_place", Game.slice_place))


def _as_if_thrown(self: Any, state: Any) -> Iterable[tuple[Any, float]]:
    for action in self.actions(state):
        yield action, 1.0


@functools.lru_cache(maxsize=128)
def _static(function: Any) -> Any:
    return staticmethod(function)


@functools.lru_cache(maxsize=384)
def _changed(cls: type[Game], name: str, member: Any) -> type[Game]:
    """A class with another member; the same one for the same function, so that it is compiled once."""
    made: Any = _Frozen(cls.__name__, (cls,), {name: member, "__module__": cls.__module__})
    return made  # type: ignore[no-any-return]


_first_types: "weakref.WeakKeyDictionary[Game, type]" = weakref.WeakKeyDictionary()


def check_state(game: Game, state: State) -> State:
    """The state to search from: the initial one where none is given, refused where it cannot be hashed.

    What kind of state a game begins with is looked at once: `initial` may have a position to read.
    """
    name = type(game).__name__
    if state is None or game not in _first_types:
        first = game.initial()
        if first is None:
            raise RulesError(f"{name}.initial returned None: is a `return` missing?")
        _first_types[game] = type(first)
        if state is None:
            state = first
    try:
        hash(state)
    except TypeError:
        kind = type(state).__name__
        raise RulesError(
            f"a state of {name} cannot be hashed ({kind} changes in place)."
            " Use a NamedTuple, a tuple or another immutable value."
        ) from None
    usual = _first_types[game]
    if type(state) is not usual and (issubclass(usual, tuple) or isinstance(state, str)):
        hint = "; game.parse_state makes one of a text" if isinstance(state, str) else ""
        raise InputError(
            f"a state of {name} is a {usual.__name__}, not the {type(state).__name__} {state!r}{hint}."
            " (A limit is given as limit=…)"
        )
    return state


ORDINALS: Final = (
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
)


def mover_at(game: Game, state: State) -> int | None:
    """Who moves, CHANCE where dice or cards decide; None where the game is over."""
    return None if game.is_terminal(state) else game.player(state)


def player_name(names: Sequence[str], player: int) -> str:
    """What people call a player, by the names that a game gives (`player_names`), else by number.

    >>> player_name(("White", "Black"), 1), player_name((), 1)
    ('Black', 'player 1')
    """
    return names[player] if 0 <= player < len(names) else f"player {player}"


def nth_player(player: int) -> str:
    """What a sentence calls a player by the order in which they sit.

    >>> nth_player(0), nth_player(11)
    ('the first player', 'player number 12')
    """
    return f"the {ORDINALS[player]} player" if player < len(ORDINALS) else f"player number {player + 1}"


def names_of(game: Game, state: State, line: Iterable[Action]) -> tuple[str, ...]:
    """The actions of a line of play from a state, as people write them."""
    names = []
    for action in line:
        names.append(game.name_action(state, action))
        state = game.result(state, action)
    return tuple(names)
