"""Which search fits a game, from its contract alone, and why, in words.

Two players whose payoffs sum to a constant: alpha-beta, with dice expectiminimax. More players, or other sums: max^n.
All of these need a judgement where they stop, or a tree that is small enough to be searched to its end. Without
either, Monte-Carlo tree search judges by playing on. Where players do not see everything, it goes by what they see.
"""

import dataclasses
import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from gametree.game import Game, check_state, offers
from gametree.result import Analysis, Limit
from gametree.search.core.plays import random_play
from gametree.search.core.sound import sound
from gametree.search.core.stopwatch import StopWatch
from gametree.search.core.task import Needs, capabilities
from gametree.search.mcts.options import usual_parts

ENGINE: Final = "engine"
SMALL: Final = 1e8
"""A tree of so many nodes is searched to its end in seconds."""
SOLVABLE: Final = 1e5
"""A game with hidden information of so many nodes is solved in a second or so."""
HUGE: Final = 1e20
"""After so many nodes counting stops."""
PATIENCE: Final = 2.0
"""Seconds that it may take to find out how large a game is, and the share of a limit."""
SHARE: Final = 0.125
PLAYS: Final = 30
LONGEST: Final = 500


@dataclass(frozen=True)
class Choice:
    """A method, why it is the one that fits, and its parts where it has some to choose from."""

    method: str
    why: str
    parts: Mapping[str, Any] = field(default_factory=dict)

    def noted(self, found: Analysis) -> Analysis:
        """The same result, which now says why its method was chosen."""
        return dataclasses.replace(found, parameters={**found.parameters, "why": self.why})


NEEDS: Final = Needs("analyze", repetition="any", hidden=True)


@sound
def fitting(
    game: Game,
    state: Any = None,
    to_a_depth: bool = False,
    judged: bool = False,
    seconds: float | None = None,
) -> Choice:
    """The method that fits a game at a state; with `to_a_depth` one that searches all actions to a depth.

    `judged`: somebody brings an evaluation along. `seconds` is what the search may take in all.

    >>> from gametree.games import Nim, TicTacToe
    >>> fitting(TicTacToe()).method, fitting(Nim()).why
    ('engine', 'two players, no chance, and a small tree')
    """
    NEEDS.require(game)
    told = capabilities(game, "analyze")
    players = f"{told.players} players" if told.players != 2 else "two players"
    if told.hidden and offers(game, "appraise"):
        return Choice("appraise", "the rules say what actions are worth by what a player sees")
    if told.hidden:
        if told.zero_sum and told.repetition is None and size_of(game, game.initial(), seconds) <= SOLVABLE:
            return Choice(
                "equilibrium", "two players who do not see everything, and a small game: it is solved"
            )
        return Choice("ismcts", f"{players} who do not see everything, and a large game")
    if told.total is None:
        players += " whose payoffs do not sum to a constant"
    chance = "chance" if told.chance else "no chance"
    exact = "maxn" if not told.zero_sum else "expectiminimax" if told.chance else ENGINE
    if judged or told.evaluates:
        return Choice(exact, f"{players}, {chance}, and an evaluation")
    if to_a_depth:
        return Choice(exact, f"{players}, {chance}, and a depth")
    if size_of(game, check_state(game, state), seconds) <= SMALL:
        return Choice(exact, f"{players}, {chance}, and a small tree")
    return Choice("mcts", f"{players}, {chance}, no evaluation, and a large tree", usual_parts(game))


def size_of(game: Game, state: Any, seconds: float | None = None) -> float:
    """About how many nodes the tree below a state has, by Knuth's estimate from a few random plays; HUGE is enough.

    Where rules are so slow that this takes longer than some seconds, the tree is as good as HUGE.
    """
    watch = StopWatch(Limit(seconds=PATIENCE if seconds is None else min(PATIENCE, seconds * SHARE))).begin(
        aside=True
    )
    size = HUGE
    with watch.in_time():
        size = _size(watch.rules(game), state)
    return size


def _size(game: Game, state: Any) -> float:
    rng = random.Random(0)
    sizes = []
    for _ in range(PLAYS):
        lines = nodes = 1.0
        plies = 0
        for step in random_play(game, state, rng, LONGEST, by_odds=False):
            lines *= len(step.choices)
            nodes += lines
            plies += 1
            if nodes >= HUGE:
                break
        if nodes >= HUGE or plies == LONGEST:
            return HUGE
        sizes.append(nodes)
    return sum(sizes) / len(sizes)
