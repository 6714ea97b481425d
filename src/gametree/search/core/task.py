"""What a search is asked to do: `Task`, made in one place from the keywords that a user gave."""

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypedDict, TypeVar, Unpack

from gametree.errors import InputError, UnsuitableError
from gametree.game import Game, check_state, with_evaluation
from gametree.result import Analysis, Limit
from gametree.search.core.capabilities import Capabilities, Needs, capabilities

OnProgress = Callable[[Analysis], None]
F = TypeVar("F", bound=Callable[..., Any])


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
        return cls(
            method=needs.method,
            game=game,
            state=check_state(game, state),
            limit=merged(given["limit"], given["depth"]),
            history=given["history"],
            seed=given["seed"],
            compile=given["compile"],
            moves=moves,
            on_progress=on_progress,
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
    return with_evaluation(game, evaluation)


def require_mode(compile: str) -> None:
    """Refuses what is none of the three ways to run."""
    if compile not in ("auto", "always", "never"):
        raise InputError(f'compile={compile!r}: it is "auto", "always" or "never"')


def whole(name: str, number: Any, what: str = "a whole number of at least 1") -> int:
    """A count that a user gave, at least 1."""
    if isinstance(number, bool) or not isinstance(number, int) or number < 1:
        raise InputError(f"{name}={number!r}: {what}")
    return number


def merged(limit: Limit | None, depth: int | None) -> Limit:
    """One limit from the two ways to give a depth."""
    if limit is not None and not isinstance(limit, Limit):
        raise InputError(f"limit={limit!r}: write limit=Limit(seconds={limit!r}) or depth={limit!r}")
    given = limit or Limit()
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
