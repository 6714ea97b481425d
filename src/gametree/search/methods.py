"""Every search by its name, for whoever picks one by a name: `analyze(method=…)` and the command line."""

import functools
import importlib
import inspect
from collections.abc import Callable, Mapping
from typing import Any, Final, Literal, NamedTuple, get_args, get_origin

from gametree.errors import InputError
from gametree.game import Game
from gametree.result import Analysis, Limit
from gametree.search.core.task import DEFAULTS, capabilities, merged

DEFAULT: Final = Limit(seconds=1)
_MODULES: Final = {
    "minimax": ("textbook.minimax", ("moves",)),
    "alphabeta": ("textbook.alphabeta", ("moves",)),
    "maxn": ("many.maxn", ("moves", "on_progress")),
    "paranoid": ("many.paranoid", ("moves", "on_progress")),
    "best-reply": ("many.best_reply", ("moves", "on_progress")),
    "expectiminimax": ("chance.expectiminimax", ("moves", "on_progress", "hash_mb")),
    "mtdf": ("best_first.mtdf", ("hash_mb",)),
    "sss": ("best_first.sss", ("hash_mb",)),
    "dual": ("best_first.dual", ("hash_mb",)),
    "pns": ("best_first.pns", ()),
    "dfpn": ("best_first.dfpn", ("hash_mb",)),
    "mcts": ("mcts.search", ()),
    "ismcts": ("hidden.ismcts", ()),
    "pimc": ("hidden.pimc", ("moves", "on_progress")),
    "appraise": ("hidden.appraisal", ("moves",)),
    "equilibrium": ("hidden.equilibrium_play", ("moves",)),
}
"""One function an algorithm, by module, and which keywords it takes besides those that all searches take."""
METHODS: Final = tuple(_MODULES)
_SHARED: Final = frozenset(
    [*DEFAULTS, "game", "state", "moves", "on_progress", "hash_mb", "threads", "memory_mb", "simulations"]
)
"""What is told to all searches, or to all that can use it; anything else is an option of one."""
_FUNCTIONS: Final = {"appraise": "appraise", "equilibrium": "play_equilibrium"}
"""Functions whose names differ from those of their modules."""


def search(method: str, game: Game, state: Any, several: bool, **given: Any) -> Analysis:
    """Searches a state with the method of this name; what that method does not do is refused.

    `several`: whether lines or actions are wanted, of which most searches know nothing.
    """
    if method not in METHODS:
        known = ", ".join(map(repr, METHODS))
        raise InputError(f'method={method!r}: it is "auto", {known}')
    module, own = _MODULES[method]
    if module.startswith("best_first.") and (given["moves"] or several):
        raise InputError(
            f"method={method!r} finds the value of the position and one line; other values, lines and some actions"
            ' only are for method="auto"'
        )
    if several:
        where = ", up to where chance decides" if method == "expectiminimax" else ""
        raise InputError(
            f"method={method!r} looks at all actions and gives one line{where}; with moves=True it values every"
            ' action. In games for two without chance method="auto" takes lines and actions'
        )
    found = importlib.import_module(f"gametree.search.{module}")
    if method == "mcts":
        return _monte_carlo(found.mcts, game, state, **given)
    if method == "ismcts":
        return _information_sets(found.ismcts, game, state, **given)
    unlimited = given["limit"] is None and given["depth"] is None
    told = capabilities(game, "analyze" if method == "expectiminimax" else method)
    judged = given["evaluation"] is not None or told.evaluates
    if method == "expectiminimax":
        found.NEEDS.require(game, "analyze")
        if not judged:  # who has no evaluation is taken to be even at the horizon
            given["evaluation"] = even(game)
    if unlimited and (method == "expectiminimax" or (module.startswith("many.") and judged)):
        given["limit"] = DEFAULT
    function = getattr(found, _FUNCTIONS.get(method, module.rpartition(".")[2]))
    wanted = {
        name: value for name, value in given.items() if name in (*DEFAULTS, *own) or name not in _SHARED
    }
    return function(game, state, **wanted)  # type: ignore[no-any-return]


def _monte_carlo(
    mcts: Callable[..., Analysis],
    game: Game,
    state: Any,
    limit: Limit | None,
    depth: int | None,
    hash_mb: float,
    **given: Any,
) -> Analysis:
    """Monte-Carlo tree search counts simulations as nodes, and has a tree where others have a table."""
    limit = limit if depth is None else merged(limit, depth)
    return mcts(game, state, limit, memory_mb=hash_mb, **given)


def _information_sets(
    ismcts: Callable[..., Analysis],
    game: Game,
    state: Any,
    limit: Limit | None,
    depth: int | None,
    hash_mb: float,
    threads: int = 1,
    evaluation: Any = None,
    **given: Any,
) -> Analysis:
    """Information-set Monte-Carlo tree search plays on to the end of the game, on one thread."""
    if evaluation is not None:
        raise InputError(f"evaluation={evaluation!r}: ismcts plays on to the end of the game; use pimc")
    limit = limit if depth is None else merged(limit, depth)
    return ismcts(game, state, limit, memory_mb=max(hash_mb, 1.0), **given)


def function_of(method: str) -> Callable[..., Analysis]:
    """The function of a method, for whoever has options that only this one has.

    >>> from gametree.games import Nim
    >>> function_of("alphabeta")(Nim(5), depth=5).action
    1
    """
    module = _MODULES[method][0]
    name = method if method in ("mcts", "ismcts") else module.rpartition(".")[2]
    found: Callable[..., Analysis] = getattr(
        importlib.import_module(f"gametree.search.{module}"), _FUNCTIONS.get(method, name)
    )
    return found


def keywords(method: str) -> list[str]:
    """What the function of a method may be told, by name.

    >>> "depth" in keywords("alphabeta"), "exploration" in keywords("mcts")
    (True, True)
    """
    found = list(inspect.signature(function_of(method)).parameters)
    if method == "mcts":
        from gametree.search.mcts.options import Options

        found += inspect.signature(Options).parameters
    return found


Kind = Literal["number", "whole", "flag", "text", "pair", "choice"]
"""What is taken: a pair is one of numbers."""


class Option(NamedTuple):
    """Something that one search can be told and others cannot."""

    name: str
    kind: Kind
    default: Any
    choices: tuple[str, ...] = ()


@functools.cache
def options(method: str) -> tuple[Option, ...]:
    """What the search of a name can be told besides what all are told.

    >>> [(one.name, one.kind, one.default) for one in options("maxn")]
    [('ties', 'choice', 'first'), ('pruning', 'choice', 'auto'), ('sum_at_most', 'number', None)]
    """
    taken = dict(inspect.signature(function_of(method)).parameters)
    known: dict[str, tuple[str, ...]] = {}
    if method == "mcts":
        from gametree.search.mcts import options as mcts

        taken |= inspect.signature(mcts.Options).parameters
        known = mcts.CHOICES
    return tuple(
        _option(one, known.get(one.name, ()))
        for one in taken.values()
        if one.name not in _SHARED and one.kind is not one.VAR_KEYWORD
    )


def _option(one: inspect.Parameter, choices: tuple[str, ...]) -> Option:
    hint = one.annotation
    kinds = get_args(hint) if get_origin(hint) is not Literal else ()
    if get_origin(hint) is Literal or choices:
        return Option(one.name, "choice", one.default, choices or get_args(hint))
    named: tuple[tuple[type, Kind], ...] = ((bool, "flag"), (int, "whole"), (float, "number"), (str, "text"))
    for kind, name in named:
        if hint is kind or (kind in kinds and get_origin(hint) is not tuple):
            return Option(one.name, name, one.default)
    return Option(one.name, "pair", one.default)


def read_options(method: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """Options of a search from a message: refused where it has none of that name, or takes other values.

    >>> read_options("alphabeta", {"fail": "hard", "window": [-1, 1]})
    {'fail': 'hard', 'window': (-1, 1)}
    """
    known = {one.name: one for one in options(method)}
    found = {}
    for name, value in given.items():
        if name not in known:
            names = ", ".join(known) or "none"
            raise InputError(f"options: {name}: {method} takes {names}")
        found[name] = _read(known[name], value)
    return found


def _read(option: Option, value: Any) -> Any:
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    match option.kind:
        case "pair" if isinstance(value, list) and len(value) == 2:
            return tuple(value)
        case "flag" if isinstance(value, bool):
            return value
        case "choice" if value in option.choices:
            return value
        case "whole" if number and value == int(value):
            return int(value)
        case "number" if number:
            return value
        case "text" if isinstance(value, str):
            return value
    wanted = {
        "pair": "two numbers in a list",
        "flag": "true or false",
        "choice": f"one of {', '.join(option.choices)}",
        "whole": "a whole number",
        "number": "a number",
        "text": "a text",
    }
    raise InputError(f"options: {option.name}: {value!r} is not {wanted[option.kind]}")


def even(game: Game) -> Callable[[Any, int], float]:
    """The evaluation of those who have none: nobody is ahead."""
    return _always(float(game.total or 0) / game.players)


@functools.cache
def _always(share: float) -> Callable[[Any, int], float]:
    return lambda state, player: share
