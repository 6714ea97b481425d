"""Moves that can be made early in a game: what they change is the board."""

from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final

from gametree.game import CHANCE, Game, mover_at

BLANKS: Final = (0, None, "", " ", ".", "-", "_", "·", False)
SHAPES: Final = {"X": "cross", "O": "nought"}
_PLIES: Final = 24
_BRANCHES: Final = 40
_FIRST_BRANCHES: Final = 400


@dataclass(frozen=True)
class Step:
    """A move that can be made early in a game."""

    before: Any
    mover: int
    action: Any
    after: Any


def choices(game: Game, state: Any, most: int) -> list[Any]:
    """What can happen at a state, up to a number: actions or outcomes; nothing where the game is over."""
    mover = mover_at(game, state)
    if mover is None:
        return []
    return list(
        islice([one for one, _ in game.chance(state)] if mover == CHANCE else game.actions(state), most)
    )


def first_moves(game: Game) -> list[Step]:
    """Moves of a first game, with what else could have been played on the way."""
    steps: list[Step] = []
    # Rules that fail are not found out here, where somebody only wants to see a board: what was seen has to do.
    with suppress(Exception):
        state = game.initial()
        for ply in range(_PLIES):
            found = choices(game, state, _BRANCHES if ply else _FIRST_BRANCHES)
            if not found:
                break
            steps += [Step(state, game.player(state), one, game.result(state, one)) for one in found]
            state = game.result(state, found[7 * ply % len(found)])
    return steps


def owners_of(changes: Iterable[tuple[Any, int]]) -> dict[Any, int]:
    """Whose piece a symbol is: that of the player whose moves bring it about, nearly always."""
    votes: dict[Any, Counter[int]] = {}
    for symbol, mover in changes:
        votes.setdefault(symbol, Counter())[mover] += 1
    found = {}
    for symbol, counts in votes.items():
        player, most = counts.most_common(1)[0]
        if player >= 0 and most >= 0.9 * counts.total():
            found[symbol] = player
    return found
