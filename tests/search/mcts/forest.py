"""Random trees with dice and several players, and what they are worth by plain recursion."""

import random
from typing import Any

from gametree import CHANCE, Chance, Game
from gametree.games.tree.game import ChanceTree

PAYOFFS = (-10.0, 10.0)


def truth(game: Game, state: Any) -> tuple[float, ...]:
    """What everybody gets at a state when each player takes what is best for himself: max^n with averages.

    Ties go to the first action. With two players who share a constant total this is (expecti)minimax.
    """
    if game.is_terminal(state):
        return tuple(float(game.utility(state, player)) for player in range(game.players))
    mover = game.player(state)
    if mover == CHANCE:
        parts = [(p, truth(game, game.result(state, outcome))) for outcome, p in game.chance(state)]
        return tuple(sum(p * values[player] for p, values in parts) for player in range(game.players))
    best: tuple[float, ...] | None = None
    for action in game.actions(state):
        values = truth(game, game.result(state, action))
        if best is None or values[mover] > best[mover]:
            best = values
    assert best is not None
    return best


def random_spec(
    rng: random.Random,
    depth: int,
    *,
    players: int = 2,
    branching: int = 3,
    chance: float = 0.0,
    ties: bool = True,
    ragged: bool = True,
) -> Any:
    """A tree for `ChanceTree`: numbers for two players, vectors for more; without `ties` no two are equal."""

    def payoff() -> float:
        return float(rng.randint(-4, 4)) if ties else rng.uniform(-9, 9)

    def subtree(left: int) -> Any:
        if left == 0 or (ragged and left < depth and rng.random() < 0.2):
            return payoff() if players == 2 else tuple(payoff() for _ in range(players))
        below = [subtree(left - 1) for _ in range(rng.randint(1 if ragged else branching, branching))]
        if left < depth and rng.random() < chance:
            weights = [rng.randint(1, 4) for _ in below]
            return Chance([(weight / sum(weights), part) for weight, part in zip(weights, below)])
        return below

    return subtree(depth)


def random_tree(
    seed: int,
    depth: int = 3,
    players: int = 2,
    chance: float = 0.0,
    ties: bool = True,
    ragged: bool = True,
) -> Game:
    """A tree of its own; all of them share one compilation."""
    rng = random.Random(f"mcts {seed} {depth} {players} {chance}")
    spec = random_spec(rng, depth, players=players, chance=chance, ties=ties, ragged=ragged)
    # What the ends of a small tree happen to sum to would be a constant of the machine code.
    return ChanceTree(spec, tuple(range(players)), payoffs=PAYOFFS, total=0 if players == 2 else None)
