"""What a search is asked to do: `Task`, made in one place from the keywords that a user gave.

`Capabilities` say what a game is, as searches see it, and `Needs` what a search takes for granted of a game. A refusal
names the game, what stands in the way, and what to use instead.
"""

import inspect
import math
import weakref
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final, Literal, Self, TypedDict, TypeVar, Unpack

from gametree.errors import InputError, RulesError, UnsuitableError
from gametree.game import CHANCE, Game, check_state, offers, with_evaluation
from gametree.kernel.primitives import estimate
from gametree.result import Analysis, Limit, Value
from gametree.search.core.overtime import OutOfTime
from gametree.search.core.rehearsal import look_over, rehearse

LARGEST: Final = 1e15
"""Beyond payoffs of this size wins by distance have no place."""
UNLIMITED: Final = Limit()
OnProgress = Callable[[Analysis], None]
F = TypeVar("F", bound=Callable[..., Any])


def require_game(game: Any, method: str) -> None:
    """Refuses what is not a game, and a class where an instance is meant."""
    if isinstance(game, type) and issubclass(game, Game):
        raise InputError(f"{method} takes a game, not its class: write {game.__name__}() for {game.__name__}")
    if not isinstance(game, Game):
        raise InputError(f"{method} takes a game (an instance of a subclass of gametree.Game), not {game!r}")


@dataclass(frozen=True)
class Capabilities:
    """What decides which searches fit a game."""

    name: str
    players: int
    total: float | None
    """What utilities sum to; None where they do not sum to a constant."""
    payoffs: tuple[float, float] | None
    chance: bool
    hidden: bool
    """Whether players do not see the whole state."""
    evaluates: bool
    """Whether it can judge a state that is not an end."""
    repetition: str | None
    """What a position that recurs is: "draw", "loss", "win" or "forbid"."""

    @property
    def zero_sum(self) -> bool:
        """Whether what one of two players gains the other loses."""
        return self.players == 2 and self.total is not None


_capabilities: "weakref.WeakKeyDictionary[Game, Capabilities]" = weakref.WeakKeyDictionary()


def capabilities(game: Any, method: str) -> Capabilities:
    """What a game can do, looked at once; `method` refuses what is not a game."""
    if isinstance(game, Game) and type(game).__hash__ is not None and game in _capabilities:
        return _capabilities[game]
    require_game(game, method)
    look_over(game)
    offered = type(game).offered
    found = _capabilities[game] = Capabilities(
        name=type(game).__name__,
        players=game.players,
        total=game.total,
        payoffs=game.payoffs,
        chance=offered.chance,
        hidden=offered.observe,
        evaluates=offered.evaluate,
        repetition=None if game.repetition is None else game.repetition[0],
    )
    return found


Repetition = Literal["any", "path", "states", "shared", "playouts", "none"]
"""How a search takes rules on repeated positions: it follows the "path" of two players; it does, but remembers
"states" alone; all players have to know what they get ("shared"), or two ("playouts"); it takes "any" or "none"."""


@dataclass(frozen=True)
class Needs:
    """What a search takes for granted of a game."""

    method: str
    zero_sum: bool = False
    """Two players whose payoffs sum to a constant."""
    chance: bool = True
    """Chance nodes are welcome."""
    repetition: Repetition = "path"
    distances: bool = False
    """Wins and losses are ordered by their distance, beyond all payoffs."""
    estimates: bool = True
    """An evaluation has a use; a proof needs none."""
    most_players: float = math.inf
    hidden: bool = False
    """Made for players who do not see the whole state."""

    def require(self, game: Any, method: str = "") -> None:
        """Refuses a game that lacks something, in the name of a method."""
        name = method or self.method
        words = self.refusal(capabilities(game, name), name)
        if words:
            raise UnsuitableError(words)

    def refusal(self, game: Capabilities, method: str = "") -> str:
        """Why a game does not fit, and what to use instead; "" where it fits."""
        name, method = game.name, method or self.method
        if game.hidden and not self.hidden:
            return (
                f"{name} hides information (it defines `observe`); {method} assumes that every player sees"
                " the whole state. It needs a search for imperfect information: use ismcts or pimc."
            )
        if game.chance and not self.chance:
            instead = "expectiminimax or maxn" if self.zero_sum else "maxn or paranoid"
            return f"{name} has chance nodes; {method} needs none. Use {instead}."
        if self.zero_sum and game.players != 2:
            instead = "maxn" if self.chance else "maxn or paranoid"
            return f"{name} has {game.players} players; {method} needs two. Use {instead}."
        if game.players > self.most_players:
            return f"{name} has {game.players} players; {method} takes up to {self.most_players}"
        if self.zero_sum and game.total is None:
            return (
                f"the utilities of {name} do not sum to a constant (total = None), so what one player gains the"
                f" other does not lose; {method} assumes that. Use maxn."
            )
        if game.repetition is not None:
            words = _REPETITIONS[self.repetition](game, method)
            if words:
                return words
        if self.distances and any(LARGEST < abs(end) < math.inf for end in game.payoffs or ()):
            return (
                f"{name}.payoffs is {game.payoffs!r}; {method} orders wins by distance beyond payoffs of"
                f" up to ±{LARGEST:.0e}. Scale the utilities down, or leave `payoffs` out"
            )
        return ""


def _follows_paths(game: Capabilities, method: str) -> str:
    if game.repetition not in ("win", "loss") or game.payoffs is not None:
        return ""
    return (
        f"{game.name} says that a repeated position is a {game.repetition}, but not what that is worth to"
        f" {method}: declare `payoffs = (lowest, highest)`"
    )


def _remembers_states(game: Capabilities, method: str) -> str:
    if game.repetition == "draw":
        return ""
    return _follows_paths(game, method) or (
        f"{game.name} says that a repeated position is a {game.repetition!r}: what a state is worth"
        f" then depends on the path to it, and {method} remembers states alone. Use alphabeta."
    )


def _pays_all(game: Capabilities, method: str) -> str:
    if game.repetition in ("win", "loss"):
        instead = "use minimax or alphabeta" if game.players == 2 else "let a repeated position be a draw"
        return (
            f"{game.name} says that a repeated position is a {game.repetition} for one player, which does not say what"
            f" all players get; {method} needs that: {instead}"
        )
    if game.repetition == "draw" and game.total is None:
        return (
            f"{game.name} says that a repeated position is a draw, but not what players share then; {method} needs a"
            " constant sum: declare `total`"
        )
    return ""


def _plays_on(game: Capabilities, method: str) -> str:
    if game.repetition == "forbid":
        return ""
    if not game.zero_sum:
        return (
            f"{game.name} says that a repeated position is a {game.repetition}; {method} knows what that is worth only"
            " where two players share a constant total. Let `is_terminal` and `utility` say it"
        )
    if game.repetition in ("win", "loss") and game.payoffs is None:
        return (
            f"{game.name} says that a repeated position is a {game.repetition}, but not what that is worth: declare"
            " `payoffs = (lowest, highest)`"
        )
    return ""


def _takes_none(game: Capabilities, method: str) -> str:
    instead = (
        "Put what has to be counted into the state, and let the game end by it."
        if game.chance
        else "Use alphabeta."
    )
    return (
        f"{game.name} has a rule on repeated positions (`repetition`), so that what a position is worth depends on"
        f" those before it; {method} does not follow them. {instead}"
    )


_REPETITIONS = {
    "any": lambda game, method: "",
    "path": _follows_paths,
    "states": _remembers_states,
    "shared": _pays_all,
    "playouts": _plays_on,
    "none": _takes_none,
}
"""Why a rule on repeated positions does not fit, by how a search takes such rules."""


# --- the task -------------------------------------------------------------------------------------


class Settings(TypedDict, total=False):
    """How to search; the same words for every search."""

    evaluation: str | Callable[[Any, int], float] | None
    history: Sequence[Any]
    seed: int
    compile: str


class Keywords(Settings, total=False):
    """The keywords that every search takes, besides those of its own."""

    depth: int | None
    limit: Limit | None


DEFAULTS: Final[Keywords] = {
    "depth": None,
    "limit": None,
    "evaluation": None,
    "history": (),
    "seed": 0,
    "compile": "auto",
}


@dataclass(frozen=True, kw_only=True)
class Task:
    """A state to be searched, within which limit and how: checked, and the same for every search.

    `seed` is there for every search; a method without chance needs none.
    """

    method: str
    game: Game
    """Judged by the evaluation that was asked for."""
    state: Any
    limit: Limit
    history: Sequence[Any] = ()
    """The states before, oldest first, for rules on repeated positions."""
    seed: int = 0
    compile: str = "auto"
    threads: int = 1
    moves: bool = False
    """Whether the value of every action is wanted."""
    on_progress: OnProgress | None = None

    @classmethod
    def of(
        cls,
        needs: Needs,
        game: Game,
        state: Any,
        *,
        moves: bool = False,
        on_progress: OnProgress | None = None,
        **keywords: Unpack[Keywords],
    ) -> "Task":
        """The task that a search is given by its keywords; refused where the game lacks what the search needs."""
        given = complete(needs.method, keywords)
        game = admitted(needs, game, given["evaluation"], given["compile"])
        limit = merged(given["limit"], given["depth"])
        state = check_state(game, state)
        rehearse(game, state)
        return cls(
            method=needs.method,
            game=game,
            state=state,
            limit=limit,
            history=given["history"],
            seed=given["seed"],
            compile=given["compile"],
            moves=moves,
            on_progress=on_progress,
        )

    @classmethod
    def at(cls, method: str, game: Game, state: Any, limit: Limit, **more: Any) -> Self:
        """The task of a search that has admitted its game before."""
        state = check_state(game, state)
        rehearse(game, state)
        return cls(method=method, game=game, state=state, limit=limit, **more)

    def analysis(
        self,
        *,
        player: int,
        line: Sequence[Any] = (),
        names: tuple[str, ...] | None = None,
        parameters: Mapping[str, Any] = MappingProxyType({}),
        method: str = "",
        **found: Any,
    ) -> Analysis:
        """What a search has found, said as every search says it: here results are made."""
        parameters = {**asked_for(self.limit), **parameters}
        if names is None:
            names = names_in_time(self.game, self.state, line)
            line = tuple(line)[: len(names)]
        return Analysis(
            game=type(self.game).__name__,
            players=self.game.player_names,
            method=method or self.method,
            player=player,
            action=line[0] if line else None,
            line=tuple(line),
            names=names,
            parameters=parameters,
            **found,
        )

    def leaf(
        self, value: float, values: tuple[float, ...], player: int, over: bool, /, **parameters: Any
    ) -> Analysis:
        """The result where nothing is to be searched: the game is `over`, or depth 0 leaves an estimate."""
        if any(map(math.isnan, (value, *values))):
            raise RulesError(f"{type(self.game).__name__}: the value of {self.state!r} is nan")
        return self.analysis(
            player=player,
            value=Value(value),
            values=values,
            depth=None if over else 0,
            nodes=1,
            seconds=0.0,
            exact=over,
            stopped_by="end" if over else "depth",
            parameters=parameters,
        )

    @property
    def capabilities(self) -> Capabilities:
        """What decides how the game is searched."""
        return capabilities(self.game, self.method)


def complete(method: str, keywords: Mapping[str, Any]) -> Keywords:
    """The keywords that a user gave, with the defaults of the others; refused where a search knows no such keyword."""
    for name in keywords:
        if name not in DEFAULTS:
            raise TypeError(f"{method}() got an unexpected keyword argument {name!r}")
    return {**DEFAULTS, **keywords}  # type: ignore[typeddict-item]


def admitted(needs: Needs, game: Any, evaluation: Any, compile: str) -> Game:
    """A game as a search takes it: suited, and judged by an evaluation."""
    words = needs.refusal(capabilities(game, needs.method))
    require_mode(compile)
    if words:
        raise UnsuitableError(words)
    if evaluation is not None and not needs.estimates:
        raise InputError(
            f"evaluation={evaluation!r}: {needs.method} proves to the end of the game and asks for no estimate;"
            " leave it out, or use alphabeta"
        )
    rehearse(game, None)
    return game if evaluation is None else with_evaluation(game, evaluation)


def require_mode(compile: str) -> None:
    """Refuses a `compile` other than the three that there are."""
    if compile not in ("auto", "always", "never"):
        raise InputError(f'compile={compile!r}: it is "auto", "always" or "never"')


def merged(limit: Limit | None, depth: int | None) -> Limit:
    """One limit from the two ways to give a depth."""
    if limit is not None and not isinstance(limit, Limit):
        raise InputError(f"limit={limit!r}: write limit=Limit(seconds={limit!r}) or depth={limit!r}")
    given = limit or UNLIMITED
    if depth is None:
        return given
    asked = Limit(depth=depth).depth
    depths = [d for d in (asked, given.depth) if d is not None]
    return Limit(seconds=given.seconds, nodes=given.nodes, depth=min(depths, default=None))


def asked_for(limit: Limit) -> dict[str, Any]:
    """The parts of a limit that were given."""
    given = {"depth": limit.depth, "nodes": limit.nodes, "seconds": limit.seconds}
    return {name: value for name, value in given.items() if value is not None}


def spelled_out(function: F) -> F:
    """Lets `help` show the keywords that every search takes, with their defaults, in place of `**keywords`."""
    signature = inspect.signature(function)
    *own, rest = signature.parameters.values()
    named = [parameter for parameter in own if parameter.kind is parameter.KEYWORD_ONLY]
    kinds = inspect.get_annotations(rest.annotation.__args__[0])
    common = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=kinds[name])
        for name, default in DEFAULTS.items()
        if name in kinds
    ]
    positional = own[: len(own) - len(named)]
    function.__signature__ = signature.replace(parameters=[*positional, *common, *named])  # type: ignore[attr-defined]
    return function


def names_in_time(game: Game, state: Any, line: Sequence[Any]) -> tuple[str, ...]:
    """The names of the actions of a line, the first of them in any case; no more than there is time for."""
    names: list[str] = []
    try:
        for action in line:
            names.append(game.name_action(state, action))
            state = game.result(state, action) if offers(game, "name_action") else state
    except OutOfTime:
        names = names or [str(action) for action in line[:1]]
    return tuple(names)


# --- where nothing is to be searched -------------------------------------------------------------------


def at_once(task: Task, **parameters: Any) -> Analysis | None:
    """The result of a game of two where nothing is to be searched: a terminal state, or depth 0."""
    over = bool(task.game.is_terminal(task.state))
    return leaf(task, over, **parameters) if over or task.limit.depth == 0 else None


def leaf(task: Task, over: bool, **parameters: Any) -> Analysis:
    """The result of a game of two that is `over`, or at depth 0."""
    game, state = task.game, task.state
    if over:
        payoff = float(game.utility(state, 0))
    else:
        need_evaluation(game, task.method, 0)
        payoff = estimate(game, state)
    player = who_would_move(game, state, over)
    values = to_both(game, payoff)
    return task.leaf(values[max(player, 0)], values, player, over, **parameters)


def who_would_move(game: Game, state: Any, over: bool) -> int:
    """Who moves at a state, CHANCE where chance does. Rules need not say it where the game is over: then player 0."""
    try:
        player = game.player(state)
    except Exception:
        if not over:
            raise
        return 0
    return player if player in range(game.players) or (player == CHANCE and not over) else 0


def to_both(game: Game, payoff: float) -> tuple[float, ...]:
    """What both players get where player 0 gets `payoff`."""
    assert game.total is not None
    return payoff, float(game.total - payoff)


def need_evaluation(game: Game, method: str, depth: int | None) -> None:
    """Refuses a search to a depth where a game cannot judge what lies there."""
    if not offers(game, "evaluate"):
        name = type(game).__name__
        raise UnsuitableError(
            f"{name} has no `evaluate`, so {method} cannot stop at depth {depth}."
            " Define `evaluate(self, state, player)`, pass evaluation=…, or search without a depth."
        )
