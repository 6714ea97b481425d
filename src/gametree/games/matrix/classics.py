"""The matrix games that everybody knows: the prisoner's dilemma, matching pennies, rock-paper-scissors."""

from typing import Final

from gametree.errors import InputError
from gametree.games.matrix.game import Matrix
from gametree.games.parameters import whole_number

_BOTH: Final = ("silent", "betray")
_WEAPONS: Final = {
    3: ("rock", "paper", "scissors"),
    5: ("rock", "paper", "scissors", "spock", "lizard"),
}


class PrisonersDilemma(Matrix):
    """Two prisoners stay silent or betray each other, each in a cell of his own; payoffs are years, negated.

    >>> print(PrisonersDilemma())
    A\\B     silent  betray
    silent  -1, -1  -3, 0
    betray  0, -3   -2, -2
    """

    def __init__(self, reward: float = -1, sucker: float = -3, temptation: float = 0, punishment: float = -2):
        if not temptation > reward > punishment > sucker:
            raise InputError(
                f"temptation {temptation} > reward {reward} > punishment {punishment} > sucker {sucker} has to hold, or"
                " it is no dilemma"
            )
        self.reward = reward
        self.sucker = sucker
        self.temptation = temptation
        self.punishment = punishment
        cells = [
            [(reward, reward), (sucker, temptation)],
            [(temptation, sucker), (punishment, punishment)],
        ]
        super().__init__(cells, rows=_BOTH, columns=_BOTH)


class MatchingPennies(Matrix):
    """Both show a side of a coin: A wins where they are the same, B where they differ.

    >>> print(MatchingPennies())
    A\\B    heads  tails
    heads  1, -1  -1, 1
    tails  -1, 1  1, -1
    """

    def __init__(self) -> None:
        super().__init__([[1, -1], [-1, 1]], rows=("heads", "tails"), columns=("heads", "tails"))


class RockPaperScissors(Matrix):
    """Rock, paper, scissors: each beats the one before; with five weapons each beats two.

    >>> print(RockPaperScissors())
    A\\B       rock   paper  scissors
    rock      0, 0   -1, 1  1, -1
    paper     1, -1  0, 0   -1, 1
    scissors  -1, 1  1, -1  0, 0
    """

    def __init__(self, weapons: int = 3):
        self.weapons: int = whole_number("weapons", weapons, least=3)
        if weapons % 2 == 0:
            raise InputError(f"weapons={weapons}: with an odd number each beats as many as beat it")
        names = _WEAPONS.get(weapons, tuple(f"weapon {at + 1}" for at in range(weapons)))
        # Each beats those that are an odd number of places before it, going round.
        cells = [
            [0 if one == other else 1 if (one - other) % weapons % 2 else -1 for other in range(weapons)]
            for one in range(weapons)
        ]
        super().__init__(cells, rows=names, columns=names)
