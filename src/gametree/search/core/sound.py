"""What every search does around its work: the game is looked over, and what goes wrong is told in the user's words.

Where compiled rules gave up, the search begins anew, interpreted: the answer is never silently another than Python's.
Where something fails in code of ours, the rules are to blame if a random line finds a slip of theirs.
"""

import functools
from collections.abc import Callable
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

from gametree.errors import FellBackError, GametreeError
from gametree.game import Game
from gametree.result import Limit
from gametree.search.core import rehearsal, stopwatch, watchdog

P = ParamSpec("P")
R = TypeVar("R")


def sound(search: Callable[P, R]) -> Callable[P, R]:
    """A search, or a method of an object that searches a game, whose errors are words."""

    @functools.wraps(search)
    def searched(*args: P.args, **kwargs: P.kwargs) -> R:
        game = args[0] if args else kwargs.get("game")
        try:
            with stopwatch.counting():
                if isinstance(game, Game):
                    rehearsal.look_over(game)
                    rehearsal.rehearse(game, None, _seconds(args, kwargs))
                try:
                    return search(*args, **kwargs)
                except FellBackError as error:
                    spent = error.seconds
            if args and hasattr(args[0], "clear"):  # what remembers forgets before
                args[0].clear()
            with stopwatch.spent(spent):  # the game is known to run interpreted now; the time counts
                return search(*args, **kwargs)
        except GametreeError:
            raise
        except RecursionError as error:
            in_words(error)
            raise
        except Exception as error:
            if _is_ours(error):
                _blame(args, kwargs)
            raise

    return searched


def _seconds(args: tuple[Any, ...], kwargs: dict[str, Any]) -> float | None:
    """The seconds that a search may take, where that is limited."""
    given = (one.seconds for one in (*args, *kwargs.values()) if isinstance(one, Limit))
    return next((seconds for seconds in given if seconds is not None), None)


def in_words(error: RecursionError) -> None:
    """Says which rule calls itself without end, and where."""
    trace = error.__traceback__
    if trace is not None:
        while trace.tb_next is not None:
            trace = trace.tb_next
        code = trace.tb_frame.f_code
        where = f"{Path(code.co_filename).name}:{trace.tb_lineno}"
        error.args = (f"{code.co_name} ({where}) calls itself without end, or deeper than Python goes",)


def _is_ours(error: BaseException) -> bool:
    """Whether an error was raised by code of the library itself."""
    trace: Any = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return trace is not None and watchdog.is_ours(trace.tb_frame.f_code.co_filename)


def _blame(args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    """Raises a RulesError where the rules of the game that was searched have a slip."""
    given = [*args, *kwargs.values()]
    game = next((one for one in given if isinstance(one, Game)), None) or getattr(args[0], "game", None)
    if isinstance(game, Game):
        rehearsal.search_for_slips(game, game.initial())
