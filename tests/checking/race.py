"""A small game with sound rules, for others to break, and a look at what is found then."""

from typing import Any, NamedTuple

from gametree import Game
from gametree.checking.checker import Finding, check


class Pile(NamedTuple):
    """How much lies on the pile, and who adds next."""

    high: int
    mover: int


class Race(Game):
    """Add one or two in turn; whoever reaches five wins. Sound rules, for others to break."""

    payoffs: Any = (-1, 1)

    def initial(self) -> Any:
        return Pile(0, 0)

    def player(self, state: Any) -> Any:
        return state.mover

    def actions(self, state: Any) -> Any:
        return () if self.is_terminal(state) else (1, 2)

    def result(self, state: Any, action: Any) -> Any:
        return Pile(min(5, state.high + action), 1 - state.mover)

    def is_terminal(self, state: Any) -> Any:
        return state.high >= 5

    def utility(self, state: Any, player: int) -> Any:
        return -1 if player == state.mover else 1


def found(game: Game, kind: str, **options: Any) -> Finding:
    """The finding of a kind; the test fails with the whole report where there is none."""
    report = check(game, **{"compile": "never", "seconds": 10, "plays": 30, **options})
    match = [finding for finding in report.findings if finding.kind == kind]
    assert match, f"no {kind} in:\n{report}"
    return match[0]
