"""The searches of many players by name, for whoever picks a search by one."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from gametree.errors import InputError
from gametree.game import Game, offers
from gametree.result import Analysis, Limit
from gametree.search.many.best_reply import best_reply
from gametree.search.many.maxn import maxn
from gametree.search.many.paranoid import paranoid

MANY: Final[Mapping[str, Callable[..., Analysis]]] = {
    "maxn": maxn,
    "paranoid": paranoid,
    "best-reply": best_reply,
}


def by_name(method: str, game: Game, state: Any, *, lines: int, actions: Any, **given: Any) -> Analysis:
    """Searches with the method of this name; without a limit, for a second where the game can be judged."""
    if lines != 1 or actions is not None:
        raise InputError(
            f'method={method!r} looks at all actions and gives one line; method="auto" takes lines and actions'
        )
    judged = given["evaluation"] is not None or (isinstance(game, Game) and offers(game, "evaluate"))
    if given["limit"] is None and given["depth"] is None and judged:
        given["limit"] = Limit(seconds=1)
    return MANY[method](game, state, **given)
