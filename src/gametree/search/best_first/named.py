"""The best-first searches by name, for whoever picks a search by one."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from gametree.errors import InputError
from gametree.game import Game
from gametree.result import Analysis
from gametree.search.best_first.dfpn import dfpn
from gametree.search.best_first.dual import dual
from gametree.search.best_first.mtdf import mtdf
from gametree.search.best_first.pns import pns
from gametree.search.best_first.sss import sss

BEST_FIRST: Final[Mapping[str, Callable[..., Analysis]]] = {
    "mtdf": mtdf,
    "sss": sss,
    "dual": dual,
    "pns": pns,
    "dfpn": dfpn,
}
WITHOUT_TABLE: Final = ("pns",)


def by_name(
    method: str,
    game: Game,
    state: Any,
    *,
    moves: bool,
    lines: int,
    actions: Any,
    hash_mb: float,
    **given: Any,
) -> Analysis:
    """Searches with the method of this name; what best-first searches do not do is refused."""
    if moves or lines != 1 or actions is not None:
        raise InputError(
            f"method={method!r} finds the value of the position and one line; other values, lines and some actions"
            ' only are for method="auto"'
        )
    if method not in WITHOUT_TABLE:
        given["hash_mb"] = hash_mb
    return BEST_FIRST[method](game, state, **given)
