"""An opponent to drop into one's own program."""

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from gametree.errors import InputError
from gametree.game import Game, check_state
from gametree.result import Analysis, Limit, Move
from gametree.search.analyze import Engine
from gametree.search.suits import require_game, require_two_player

LEVELS: Final = range(1, 11)
CAREFUL: Final = 6
"""From this level on no noise makes a bot play into a loss that it sees."""


@dataclass(frozen=True)
class Strength:
    """How far a level looks, and how blurred it sees."""

    limit: Limit
    blur: float
    """The noise on each move's worth, where the best estimate among the moves is 1 and the worst is 0."""


# Node limits make every level but the last give the same move for the same seed, on any machine.
_STRENGTHS: Final = {
    1: Strength(Limit(nodes=10), 3.0),
    2: Strength(Limit(nodes=40), 2.0),
    3: Strength(Limit(nodes=160), 1.4),
    4: Strength(Limit(nodes=600), 1.0),
    5: Strength(Limit(nodes=2_400), 0.7),
    6: Strength(Limit(nodes=10_000), 0.5),
    7: Strength(Limit(nodes=30_000), 0.32),
    8: Strength(Limit(nodes=100_000), 0.18),
    9: Strength(Limit(nodes=300_000), 0.06),
}


class Bot:
    """Plays a game for two at a level from 1 (a beginner) to 10 (as strong as `seconds` a move allow).

    The lower levels look at fewer positions and confuse moves that are close to each other; from level 6 on none of
    them walks into a loss that it sees. Levels 1 to 9 answer the same state with the same action as long as the seed
    is the same; level 10 uses the clock, and remembers what it thought before.

    >>> from gametree.games import TicTacToe
    >>> game = TicTacToe()
    >>> state = game.parse_state("XX./OO./...")
    >>> game.name_action(state, Bot(game, level=9).move(state))
    'c3'
    """

    def __init__(
        self,
        game: Game,
        level: int = 5,
        seed: int = 0,
        *,
        seconds: float = 1.0,
        hash_mb: float = 16,
        threads: int = 1,
    ):
        require_game(game, "Bot")
        if isinstance(level, bool) or not isinstance(level, int) or level not in LEVELS:
            raise InputError(f"level={level!r}: it is a whole number from {LEVELS[0]} to {LEVELS[-1]}")
        require_two_player(game, "the bot")
        self.game = game
        self.level = level
        self.seed = seed
        self._strength = _STRENGTHS.get(level) or Strength(Limit(seconds=seconds), 0.0)
        self._engine = Engine(game, hash_mb=hash_mb, threads=threads)

    def move(self, state: Any, history: Sequence[Any] = ()) -> Any:
        """The action this bot chooses. `history`, the states before, is for rules on repeated positions."""
        analysis = self.think(state, history)
        if self._strength.blur == 0 and analysis.action is not None:
            return analysis.action
        if analysis.moves:
            return self._blurred(state, analysis.moves)
        if analysis.action is not None:
            return analysis.action
        actions = list(self.game.actions(state))
        return actions[int(self._random(state).random() * len(actions))]

    async def move_async(self, state: Any, history: Sequence[Any] = ()) -> Any:
        """As `move`, on a thread, so that an event loop stays responsive."""
        # Slow to import, and most programs have no event loop.
        import asyncio

        return await asyncio.to_thread(self.move, state, history)

    def think(self, state: Any, history: Sequence[Any] = ()) -> Analysis:
        """What the choice is made from: a search as far as the level looks."""
        state = check_state(self.game, state)
        if self.game.is_terminal(state):
            raise InputError("the game is over: there is nothing to move")
        if self._strength.limit.seconds is None:  # the same answer, whatever was asked before
            self._engine.clear()
        # The best move needs no values of the others, which would cost time.
        return self._engine.analyze(
            state, self._strength.limit, moves=self._strength.blur > 0, history=history
        )

    def stop(self) -> None:
        """Ends the thinking under way, from any thread: `move` returns the best it has."""
        self._engine.stop()

    def _blurred(self, state: Any, moves: Sequence[Move]) -> Any:
        rng = self._random(state)
        if self.level >= CAREFUL:
            moves = [move for move in moves if move.value.outcome != "loss"] or moves
        seen = [worth + self._strength.blur * rng.random() for worth in worths(moves)]
        return moves[seen.index(max(seen))].action

    def _random(self, state: Any) -> random.Random:
        # Where an object shows its address, two runs would not agree.
        shown = re.sub(r" at 0x[0-9a-fA-F]+", "", repr(state))
        return random.Random(f"{self.seed} {self.level} {shown}")

    def __repr__(self) -> str:
        return f"Bot({self.game!r}, level={self.level}, seed={self.seed})"


def worths(moves: Sequence[Move]) -> list[float]:
    """The moves on one scale: estimates from 0 to 1, proven wins above and proven losses below, by distance.

    >>> from gametree.result import Value
    >>> values = [Value(30), Value(-10), Value(10), Value.win(1, plies=1), Value.loss(-1, plies=2)]
    >>> worths([Move(i, value, "exact", str(i)) for i, value in enumerate(values)])
    [1.0, 0.0, 0.5, 2.0, -0.75]
    """
    # An infinite payoff has no place on a scale.
    payoffs = [min(max(move.value.payoff, -1e300), 1e300) for move in moves]
    estimates = [payoff for move, payoff in zip(moves, payoffs) if move.value.outcome is None]
    low, high = min(estimates, default=0.0), max(estimates, default=0.0)
    found = []
    for move, payoff in zip(moves, payoffs):
        value = move.value
        # A win beyond a long line counts little more than a good estimate.
        nearness = 1 / max(value.plies or 1, 1) / 2
        if value.outcome is None:
            found.append((payoff - low) / (high - low) if high > low else 0.5)
        else:
            found.append(1.5 + nearness if value.outcome == "win" else -0.5 - nearness)
    return found
