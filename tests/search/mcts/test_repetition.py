"""Positions that recur: what is proven on a path is what trying every path gives."""

from typing import Any

import pytest

import gametree as gt
import oracle
from fixtures.graphs import Draw2, Draw3, Forbid2, Loss2, Nodes, Win2, cycles

SIZE = 6


def payoff(score: float) -> float:
    """A score by distance as a payoff."""
    return 4.0 if score > 1e5 else -4.0 if score < -1e5 else score


def check(kind: type[Nodes], graphs: range) -> int:
    """How many positions were proven; each has to be worth what all paths together say."""
    proven = 0
    for seed in graphs:
        game = cycles(seed, 1, size=SIZE, branching=2, escapes=kind is Forbid2, kind=kind)
        for state in range(SIZE):
            if game.is_terminal(state):
                continue
            truth = oracle.score_by_paths(game, [state])
            try:
                found = gt.mcts(game, state, simulations=200, seed=seed, compile="never", memory_mb=8)
            except gt.RulesError as error:  # somebody has to go on and may not, somewhere
                assert kind is Forbid2 and "must not recur" in str(error)
                continue
            if found.exact:
                proven += 1
                assert found.values[0] == payoff(truth), (seed, state)
    return proven


@pytest.mark.parametrize("kind", [Draw2, Draw3, Forbid2, Loss2, Win2])
def test_proofs_keep_to_the_rule(kind: type[Nodes]) -> None:
    assert check(kind, range(12)) > 10


@pytest.mark.slow
@pytest.mark.parametrize("kind", [Draw2, Draw3, Forbid2, Loss2, Win2])
def test_many_proofs_keep_to_the_rule(kind: type[Nodes]) -> None:
    assert check(kind, range(1000)) > 1000


def test_states_before_the_root_count() -> None:
    class Ring(gt.Game):
        """Round and round; the first step is a choice between going back and losing."""

        payoffs = (-1, 1)
        repetition = ("forbid", 2)

        def initial(self) -> int:
            return 0

        def player(self, state: int) -> int:
            return 0

        def actions(self, state: int) -> tuple[int, ...]:
            return (1, 2)

        def result(self, state: int, action: int) -> int:
            return action if state == 0 else 7

        def is_terminal(self, state: int) -> bool:
            return state == 7

        def utility(self, state: int, player: int) -> float:
            return 1 if player == 0 else -1

    options: dict[str, Any] = {"simulations": 50, "compile": "never", "solver": False}
    assert {gt.mcts(Ring(), 0, history=[one], **options).action for one in (1, 2)} == {1, 2}
    with pytest.raises(gt.RulesError, match="must not recur"):
        gt.mcts(Ring(), 0, history=[1, 2], **options)
