"""The tree that the engine looked at, as far as its transposition table remembers it."""

from collections.abc import Iterator
from typing import Any, Literal, NamedTuple

from gametree.game import Game
from gametree.kernel.primitives import WIN, WON, identity
from gametree.search.engine.knowledge import Knowledge
from gametree.search.engine.node import (
    ABOUT,
    ACTION_MASK,
    ACTION_SHIFT,
    BOUND_SHIFT,
    DEPTH_MASK,
    EXACT,
    LOWER,
    UPPER,
    probe,
    stored_value,
)

Bound = Literal["exact", "lower", "upper", ""]
_BOUNDS: dict[int, Bound] = {EXACT: "exact", LOWER: "lower", UPPER: "upper"}


class Entry(NamedTuple):
    """What the table says of a state."""

    payoff: float
    """To player 0."""
    plies: int | None
    """From the root of the search to the end, where the state is won or lost; else None."""
    bound: Bound
    """What the payoff is; empty where only an action is remembered."""
    depth: int
    """So many plies below the state were searched."""
    best: int | None
    """The place of the action that was best, or that cut the others off."""


class EngineTree:
    """A view on the table. What is not in it was cut off, judged at the horizon, or had to make room.

    >>> from gametree.games import TicTacToe
    >>> from gametree.search.analyze import Engine
    >>> game = TicTacToe()
    >>> engine = Engine(game, compile="never")
    >>> _ = engine.analyze(depth=4)
    >>> entries = [engine.tree.entry(state) for _, _, state in engine.tree.children(game.initial())]
    >>> [(one.bound, one.depth) for one in entries if one][4:6]
    [('exact', 3), ('upper', 3)]
    """

    def __init__(self, game: Game, knowledge: Knowledge):
        self.game = game
        self._knowledge = knowledge

    @property
    def is_empty(self) -> bool:
        """Whether nothing is remembered."""
        return self._knowledge.table is None

    def entry(self, state: Any, plies: int = 0) -> Entry | None:
        """What is remembered of a state that lies so many plies below the root of the search."""
        known = self._knowledge
        if known.table is None:
            return None
        slot = probe(known.table, known.buckets, identity(self.game, state) ^ known.salt)
        if slot < 0:
            return None
        about = int(known.table[slot + ABOUT])
        score = stored_value(known.table, slot, plies)
        won = abs(score) > WON and self.game.payoffs is not None
        payoff = self.game.payoffs[score > 0] if won and self.game.payoffs is not None else score
        hint = (about >> ACTION_SHIFT & ACTION_MASK) - 1
        return Entry(
            float(payoff),
            int(WIN - abs(score)) if won else None,
            _BOUNDS.get(about >> BOUND_SHIFT & 3, ""),
            about & DEPTH_MASK,
            hint if hint >= 0 else None,
        )

    def children(self, state: Any) -> Iterator[tuple[int, Any, Any]]:
        """The actions of a state with their places, and where they lead."""
        if not self.game.is_terminal(state):
            for place, action in enumerate(self.game.actions(state)):
                yield place, action, self.game.result(state, action)
