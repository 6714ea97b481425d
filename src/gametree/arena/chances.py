"""Winning chances: what a value means, on one scale for all games, so that a gauge can show it.

A win is 1, a loss 0, a fair share of what is to be won ½ (1/n among n players). Payoffs lie between the least and the
greatest by their distance. An estimate x that may be any number comes nearer to an end the larger it is, and never
reaches it: x / (|x| + s) of the way from a fair share, where s is how large estimates of the game usually are. With a
lead of s one of two has three quarters. The same mapping makes payoffs of judgements in Monte-Carlo tree search.
"""

from dataclasses import dataclass
from typing import Final

from gametree.game import Game, offers
from gametree.result import Analysis, Value
from gametree.search.mcts.lines import random_line, usual_judgement

_GAMES: Final = 6
_LONGEST: Final = 200


@dataclass(frozen=True)
class Scale:
    """What the values of a game are measured by.

    >>> scale = Scale(least=-1, greatest=1, fair=0, estimate=4)
    >>> scale.chance(Value(0)), scale.chance(Value(4)), scale.chance(Value.win(1)), scale.chance(Value(-1e9)) > 0
    (0.5, 0.75, 1.0, True)
    """

    least: float
    greatest: float
    fair: float
    """What everybody gets where nobody is ahead."""
    estimate: float | None = None
    """How large estimates usually are; None where they are payoffs."""

    def chance(self, value: Value, decided: bool = False) -> float:
        """The winning chance that a value stands for. `decided`: it is the payoff of one of two players."""
        if value.outcome is not None:
            return 1.0 if value.outcome == "win" else 0.0
        lead = value.payoff - self.fair
        share = (self.fair - self.least) / (self.greatest - self.least)
        if decided and lead:
            return 1.0 if lead > 0 else 0.0
        if self.estimate is None:
            return min(1.0, max(0.0, (value.payoff - self.least) / (self.greatest - self.least)))
        reach = lead / (abs(lead) + self.estimate)
        return share + reach * ((1 - share) if reach > 0 else share)

    def of(self, found: Analysis, dice: bool) -> tuple[list[float], list[float], list[float]]:
        """The chances of every player, of every line and of every move that was found, to who moves at the root."""
        two = len(found.values) == 2
        decided = two and not dice
        if two and found.value is not None:
            own = self.chance(found.value, decided and found.exact)
            players = [own, 1 - own] if found.player != 1 else [1 - own, own]
        else:
            players = [self.chance(Value(one)) for one in found.values]
        lines = [self.chance(one.value, decided and one.exact) for one in found.lines]
        moves = [self.chance(one.value, decided and one.exact) for one in found.moves]
        return players, lines, moves


def scale_of(game: Game, judged: bool) -> Scale | None:
    """By what the values of a game are measured, where that is known; a few random games may have to be played.

    `judged`: the values come from a search that stops at estimates. Those of Monte-Carlo tree search are payoffs.

    >>> from gametree.games import TicTacToe
    >>> scale_of(TicTacToe(), judged=True)
    Scale(least=-1.0, greatest=1.0, fair=0.0, estimate=1.0)
    """
    ends = game.payoffs or _seen(game)
    if ends is None or ends[0] == ends[1]:
        return None
    least, greatest = map(float, ends)
    fair = (least + greatest) / 2 if game.total is None else float(game.total) / game.players
    squashed = judged and game.payoffs is not None and offers(game, "evaluate")
    return Scale(least, greatest, fair, usual_judgement(game, fair) if squashed else None)


def _seen(game: Game) -> tuple[float, float] | None:
    """The least and the greatest payoff at the ends of a few random games."""
    seen: list[float] = []
    for number in range(_GAMES):
        last = random_line(game, game.initial(), number, _LONGEST)[-1]
        if game.is_terminal(last):
            seen += [float(game.utility(last, player)) for player in range(game.players)]
    return (min(seen), max(seen)) if seen else None
