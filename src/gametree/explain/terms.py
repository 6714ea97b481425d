"""What an evaluation consists of: its terms at a state, as a student writes them down.

A game tells the terms of `evaluate` by a method `terms(state, player)`, those of `evaluate_NAME` by `terms_NAME`: pairs
of a weight and an amount, whose products sum to the evaluation. Where `evaluate` is the sum of `features` times
`weights`, nothing has to be told.
"""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, Final

from gametree.errors import InputError, RulesError, UnsuitableError
from gametree.explain.traces.notation import MINUS, number
from gametree.game import Game, offers
from gametree.games.tree.outline import Outline

Term = tuple[float, float]
"""A weight and an amount."""
MOST: Final = 12
"""An evaluation of more terms than this is no sum that anybody reads."""
_CLOSE: Final = 1e-6


def terms_of(game: Game, state: Any, player: int, evaluation: str | None = None) -> list[Term] | None:
    """The terms of an evaluation at a state; None where the game does not tell them.

    >>> from gametree.games import TicTacToe
    >>> game = TicTacToe()
    >>> terms_of(game, game.parse_state("X../.O./..."), 0)
    [(1, 4), (-1, 5)]
    """
    name = "" if evaluation in (None, "default") else f"_{evaluation}"
    told = getattr(game, f"terms{name}", None)
    if told is not None and _belongs(type(game), f"terms{name}", f"evaluate{name}"):
        found: Iterable[Term] = told(state, player)
        terms = list(found)
    elif not name and offers(game, "features") and game.weights is not None:
        weights = list(game.weights)
        amounts = list(game.features(state, player))
        terms = [(1.0, float(weights[0]))] if weights[0] else []
        terms += [(float(w), float(a)) for w, a in zip(weights[1:], amounts, strict=True) if w and a]
    else:
        return None
    worth = getattr(game, f"evaluate{name}")(state, player)
    total = sum(weight * amount for weight, amount in terms)
    if abs(total - worth) > _CLOSE * max(1.0, abs(worth)):
        raise RulesError(
            f"{type(game).__name__}: the terms of the evaluation sum to {total:g}, and it is {worth:g} at {state!r}"
        )
    return terms


def _belongs(cls: type, terms: str, evaluate: str) -> bool:
    """Whether the terms are those of the evaluation: who changes only the one in a subclass has not told the other."""
    line = cls.__mro__

    def depth(member: str) -> int:
        return next((at for at, one in enumerate(line) if member in vars(one)), len(line))

    return depth(terms) <= depth(evaluate)


def sum_of(terms: list[Term]) -> str:
    """Terms as a sum, without those that are nothing.

    >>> sum_of([(1, 6), (-1, 5)]), sum_of([(5, 1), (1, 2), (-5, 1), (-1, 0)]), sum_of([(1, 0)])
    ('6 − 5', '5·1 + 2 − 5·1', '0')
    """
    text = ""
    for weight, amount in terms:
        product = weight * amount
        if product == 0:
            continue
        sign = (" + " if text else "") if product > 0 else (f" {MINUS} " if text else MINUS)
        factors = [number(abs(weight))] if abs(weight) != 1 else []
        text += sign + "·".join([*factors, number(abs(amount))])
    return text or "0"


def with_terms(root: Outline, game: Game, player: int, evaluation: str | None) -> Outline:
    """The same tree, in which the leaves at the horizon tell of what their values consist."""

    def told(node: Outline) -> Outline:
        if node.estimated:
            terms = terms_of(game, node.state, player, evaluation)
            return replace(node, terms=sum_of(terms) if terms is not None and len(terms) <= MOST else "")
        return replace(node, children=tuple(map(told, node.children)))

    return told(root)


def seen_from(root: Outline, player: int, total: float) -> Outline:
    """A tree of two players in which the given one is MAX."""
    if any(node.kind == "player" for node in root.walk()):
        raise UnsuitableError("who is MAX can be said for two players whose payoffs have a constant sum")
    if player not in (0, 1):
        raise InputError(f"player {player}: it is 0 or 1")
    if player == 0:
        return root
    exchanged: Any = {"max": "min", "min": "max"}

    def seen(node: Outline) -> Outline:
        payoff = node.payoff
        return replace(
            node,
            kind=exchanged.get(node.kind, node.kind),
            player=None if node.player is None else 1 - node.player,
            payoff=total - payoff + 0.0 if isinstance(payoff, float) else payoff,
            children=tuple(map(seen, node.children)),
        )

    return seen(root)
