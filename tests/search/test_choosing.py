"""Which search fits which game, and that `analyze` takes it and says so."""

import json
from typing import Any

import pytest

import gametree as gt
from fixtures.kuhn_poker import KuhnPoker
from gametree import Chance, InputError, Limit, Tree, UnsuitableError
from gametree.game import offers
from gametree.games import Hex
from gametree.search.choice import HUGE, fitting, size_of
from gametree.search.methods import METHODS
from search.endless import Toggle

FITS = {
    "backgammon": "expectiminimax",
    "checkers": "engine",
    "chess": "engine",
    "chinese-checkers": "engine",
    "connect-four": "engine",
    "go": "mcts",
    "hex": "mcts",
    "ludo": "maxn",
    "mnk": "maxn",
    "nim": "engine",
    "othello": "engine",
    "pig": "expectiminimax",
    "tic-tac-toe": "engine",
}


def test_every_game_that_ships_has_its_method() -> None:
    shipped = {name: gt.games.load(name) for name in gt.games.names()}
    assert {
        name: fitting(game).method for name, game in shipped.items() if not offers(game, "observe")
    } == FITS


class Dicey(Hex):
    """Hex of which it is said that dice decide something."""

    def chance(self, state: Any) -> list[tuple[int, float]]:
        return []


def test_monte_carlo_trees_have_the_parts_that_fit() -> None:
    assert fitting(gt.games.load("go")).parts == {"amaf": "rave", "default_policy": "prior"}
    assert fitting(gt.games.load("hex")).parts == {"amaf": "rave"}
    assert fitting(Dicey()).parts == {}
    assert fitting(gt.games.load("chess")).parts == {}
    asked: dict[str, Any] = {"limit": Limit(nodes=50), "compile": "never"}
    assert gt.analyze(gt.games.load("hex"), **asked).parameters["amaf"] == "rave"
    assert "amaf" not in gt.analyze(gt.games.load("hex"), method="mcts", **asked).parameters


def test_a_tree_is_counted_or_called_huge() -> None:
    tree = Tree([[1, 2], [3, 4]])
    assert size_of(tree, tree.initial()) == 7
    assert size_of(gt.games.load("go"), gt.games.load("go").initial()) == HUGE
    assert size_of(Toggle(), Toggle().initial()) == HUGE


@pytest.mark.parametrize(
    ("game", "method", "why"),
    [
        (
            Tree([[3, 12, 8], [2, 4, 6]]),
            "iterative deepening alphabeta",
            "two players, no chance, and a small tree",
        ),
        (Tree([Chance([(0.5, 1), (0.5, 3)]), 1]), "expectiminimax", "two players, chance, and a small tree"),
        (Tree([(1, 2, 3), (3, 2, 1)], movers=(0, 1, 2)), "maxn", "3 players"),
        (gt.games.load("hex", size=11), "mcts", "two players, no chance, no evaluation, and a large tree"),
    ],
)
def test_analyze_takes_what_fits_and_says_why(game: gt.Game, method: str, why: str) -> None:
    heard: list[gt.Analysis] = []
    found = gt.analyze(game, limit=Limit(nodes=300), compile="never", on_progress=heard.append)
    assert found.method == method and found.parameters["why"].startswith(why)
    assert all(so_far.parameters["why"] == found.parameters["why"] for so_far in heard)
    assert json.loads(found.to_json())["parameters"]["why"].startswith(why)
    assert (why in str(found)) == (not method.startswith("iterative"))


def test_who_asks_for_a_depth_gets_a_search_to_a_depth() -> None:
    game = gt.games.load("hex", size=11)
    for asked in ({"depth": 1}, {"limit": Limit(depth=1)}, {"lines": 2, "limit": Limit(nodes=50)}):
        given: dict[str, Any] = dict(asked)
        assert gt.analyze(game, compile="never", **given).method == "iterative deepening alphabeta"


def test_what_fits_can_be_overruled() -> None:
    game = gt.games.load("tic-tac-toe")
    for method in set(METHODS) - {"appraise", "equilibrium"}:  # for hidden information
        found = gt.analyze(game, limit=Limit(nodes=200), method=method, compile="never")
        assert "why" not in found.parameters


def test_what_does_not_fit_is_refused_and_the_right_one_named() -> None:
    with pytest.raises(UnsuitableError, match="hides information"):
        gt.analyze(KuhnPoker(), method="alphabeta")
    three = Tree([(1, 2, 3), (3, 2, 1)], movers=(0, 1, 2))
    with pytest.raises(UnsuitableError, match="Use maxn"):
        gt.analyze(three, method="alphabeta")
    with pytest.raises(UnsuitableError, match="Use maxn"):
        gt.analyze(three, method="expectiminimax")
    dice = Tree([Chance([(0.5, 1), (0.5, 3)]), 1])
    with pytest.raises(UnsuitableError, match="Use expectiminimax"):
        gt.analyze(dice, method="minimax")
    with pytest.raises(UnsuitableError, match="Use maxn or paranoid"):
        gt.analyze(dice, method="best-reply")
    with pytest.raises(InputError, match='it is "auto", '):
        gt.analyze(dice, method="magic")
    with pytest.raises(InputError, match="gives one line"):
        gt.analyze(dice, lines=2)
