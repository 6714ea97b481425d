"""The rules checker on what a game says of observations: `worlds`, `mask`, `appraise`."""

from typing import Any

import pytest

from checking.race import found
from fixtures.kuhn_poker import KuhnPoker, State
from gametree import Game
from gametree.checking.checker import check
from gametree.games import Battleship, DarkHex, PhantomTicTacToe

CARDS = range(3)


class Sound(KuhnPoker):
    """Kuhn poker with all three members as they should be."""

    def observe(self, state: Any, player: int) -> Any:
        return (state.first, state.second)[player], state.said

    def worlds(self, observation: Any, player: int, draw: Any) -> Any:
        own, said = observation
        others = [card for card in CARDS if card != own]
        other = others[draw(2)]
        return State(own, other, said) if player == 0 else State(other, own, said)

    def mask(self, observation: Any, player: int) -> Any:
        own, said = observation
        return State(own, -1, said) if player == 0 else State(-1, own, said)

    def appraise(self, observation: Any, player: int) -> Any:
        return [("p", 0.5)]

    def show(self, state: Any) -> str:
        return f"{state.first} {state.second} {state.said}"


class NoWorld(Sound):
    def worlds(self, observation: Any, player: int, draw: Any) -> Any:
        return None


class OtherCards(Sound):
    def worlds(self, observation: Any, player: int, draw: Any) -> Any:
        return State(0, 1, observation[1])


class NoState(Sound):
    def worlds(self, observation: Any, player: int, draw: Any) -> Any:
        return 3


class DrawsNothing(Sound):
    def worlds(self, observation: Any, player: int, draw: Any) -> Any:
        return draw(0)


class Peeks(Sound):
    """`observe` leaves the true state where `worlds` finds it."""

    def __init__(self) -> None:
        self.note: Any = [None]

    def observe(self, state: Any, player: int) -> Any:
        self.note[0] = state
        return super().observe(state, player)

    def worlds(self, observation: Any, player: int, draw: Any) -> Any:
        return self.note[0]


class MaskOfNothing(Sound):
    def mask(self, observation: Any, player: int) -> Any:
        return 7


class ShowsTheHand(Peeks):
    def worlds(self, observation: Any, player: int, draw: Any) -> Any:
        return Sound.worlds(self, observation, player, draw)

    def mask(self, observation: Any, player: int) -> Any:
        return self.note[0]


class ForeignAction(Sound):
    def appraise(self, observation: Any, player: int) -> Any:
        return [("raise", 1)]


class Twice(Sound):
    def appraise(self, observation: Any, player: int) -> Any:
        return [("p", 1), ("p", 2)]


class NoNumber(Sound):
    def appraise(self, observation: Any, player: int) -> Any:
        return [("p", "good")]


class RaisingAppraisal(Sound):
    def appraise(self, observation: Any, player: int) -> Any:
        raise ValueError("no idea")


@pytest.mark.parametrize("game", [Sound(), PhantomTicTacToe(), DarkHex(2), Battleship(2, 1, "1")], ids=str)
def test_sound_members_pass(game: Game) -> None:
    report = check(game, compile="never", seconds=1)
    assert report.ok, report


@pytest.mark.parametrize(
    ("game", "kind", "words"),
    [
        (NoWorld, "worlds-fit", "returned None: is a `return` missing"),
        (OtherCards, "worlds-fit", "sees"),
        (NoState, "worlds-fit", "the rules raise AttributeError"),
        (DrawsNothing, "worlds-raises", "whole number of at least 1"),
        (Peeks, "worlds-peeks", "for the same observation"),
        (MaskOfNothing, "mask-shown", "`show` cannot show"),
        (ShowsTheHand, "mask-peeks", "for the same observation"),
        (ForeignAction, "appraise-actions", "no action here"),
        (Twice, "appraise-actions", "names an action twice"),
        (NoNumber, "appraise-pairs", "good"),
        (RaisingAppraisal, "appraise-raises", "no idea"),
    ],
)
def test_a_slip_is_found(game: type[Game], kind: str, words: str) -> None:
    finding = found(game(), kind)
    assert finding.severity == "problem" and words in finding.message
