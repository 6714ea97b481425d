"""No player and no search sees more than its seat: what is hidden is replaced, and every choice and number stays."""

import dataclasses
from typing import Any

import pytest

import gametree as gt
from gametree.arena.asking import Question
from gametree.arena.players import player
from gametree.games import (
    Battleship,
    DarkHex,
    Goofspiel,
    Kuhn,
    Leduc,
    LiarsDice,
    MatchingPennies,
    PhantomTicTacToe,
)
from gametree.view import view_of
from search.hidden.coins import Partners, Tricks, alike, plays

pytestmark = pytest.mark.interpreted_anyway

GAMES: list[gt.Game] = [
    Kuhn(),
    Kuhn(players=3),
    Leduc(),
    LiarsDice(sides=2),
    Goofspiel(cards=3),
    PhantomTicTacToe(),
    DarkHex(size=2),
    Battleship(width=2, height=2, fleet="1"),
    MatchingPennies(),
    Partners(),
    Tricks(),
]
FOR_TWO = ("pimc:worlds=4,depth=2", "equilibrium")
PLAYERS = (
    "random",
    "level:1",
    "level:3",
    "analyze:nodes=40",
    "ismcts:simulations=40",
    "ismcts:simulations=40,observers=single",
    "ismcts:simulations=40,final=mixed",
    *FOR_TWO,
)


@pytest.fixture(autouse=True)
def interpreted(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is handed over is the same in both modes, and compiling a dozen games would take minutes."""
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")


def positions(game: gt.Game) -> list[tuple[Any, list[Any], list[tuple[Any, list[Any]]]]]:
    """Some states with those before them, and others that look the same to the player to move."""
    found = []
    for seed in range(3):
        for state, history in plays(game, seed):
            others = alike(game, view_of(game, state, history), state, 2)
            if others:
                found.append((state, history, others))
    assert found, f"{game!r} hides nothing"
    return found[:: max(1, len(found) // 3)][:3]


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_no_player_chooses_by_what_it_may_not_see(game: gt.Game) -> None:
    asked = positions(game)
    small = game.players == 2 and game.total is not None and not isinstance(game, PhantomTicTacToe)
    for name in PLAYERS:
        if name in FOR_TWO and (not small or (name == "equilibrium" and isinstance(game, DarkHex))):
            continue

        def choice(state: Any, history: list[Any], name: str = name) -> Any:
            one = player(name).make(game)
            one.begin(5)
            return one.answer(Question(game, view_of(game, state, history)))

        for state, history, others in asked:
            wanted = choice(state, history)
            assert wanted in view_of(game, state, history).actions
            assert all(choice(*other) == wanted for other in others), name


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_no_analysis_says_what_its_player_may_not_see(game: gt.Game) -> None:
    def told(state: Any, history: list[Any]) -> Any:
        found = gt.analyze(game, state, gt.Limit(nodes=60), history=history, moves=True)
        return dataclasses.replace(found, seconds=0.0)

    for state, history, others in positions(game):
        wanted = told(state, history)
        assert all(told(*other) == wanted for other in others)


@pytest.mark.parametrize("level", [1, 3])
@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_no_bot_chooses_by_what_it_may_not_see(game: gt.Game, level: int) -> None:
    for state, history, others in positions(game):
        wanted = gt.Bot(game, level=level, seed=2).move(state, history)
        assert all(gt.Bot(game, level=level, seed=2).move(*other) == wanted for other in others)


def test_a_partner_plays_for_both_by_his_own_hand() -> None:
    """His partner has the trick already; he takes it from him, for then nobody can follow his last card."""
    game = Tricks()
    deal = ((5, 0, 3, 2, 1, 7, 4, 6), ())
    first = game.result(deal, 5)
    state = game.result(first, 3)
    found = gt.ismcts(game, state, history=(deal, first), simulations=600, compile="never", moves=True)
    assert found.player == 2 and found.action == 7
    assert found.values == pytest.approx((2, -2, 2, -2), abs=0.2)
    assert next(float(move.value) for move in found.moves if move.action == 1) < 1.5
