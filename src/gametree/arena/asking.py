"""What is asked of a player: a move, in a position, with what is known and how much time there is."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from gametree.arena.clocks import PATIENCE, Clock
from gametree.game import Game
from gametree.result import Limit


class Forfeit(Exception):
    """A player did what ends the game at once: it has lost."""


@dataclass(frozen=True)
class Question:
    """A position with everything that led to it. In a game with hidden information `state` is a `View` of the mover,
    and there are neither states nor actions before it."""

    game: Game
    state: Any
    history: Sequence[Any] = ()
    """The states before, oldest first."""
    actions: Sequence[Any] = ()
    """What was done in them, by players and by chance."""
    side: int = 0
    clock: Clock | None = None
    limit: Limit | None = None
    """What the match allows for a move, apart from a clock for the game."""
    patience: float = PATIENCE
    """Seconds after which nobody waits for an answer."""

    @property
    def start(self) -> Any:
        """The state in which the game began."""
        return self.history[0] if self.history else self.state

    def allowed(self, own: Limit | None, otherwise: Limit) -> Limit:
        """How much a search may do: by its own settings, else by the match, else as usual."""
        if own is not None:
            return own
        if self.clock is not None:
            found = self.clock.limit()
            more = self.limit or Limit()
            return Limit(seconds=found.seconds, nodes=more.nodes, depth=more.depth)
        return self.limit or otherwise
