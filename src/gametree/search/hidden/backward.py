"""Passes over a sequence form: plans forwards from the root, values and best responses backwards from the ends.

All is plain arithmetic, so that fractions stay fractions. `kernel.py` does the same with floats, fast.
"""

import operator
from collections.abc import Sequence
from functools import reduce
from typing import Any

from gametree.search.hidden.sequence_form import Number, SequenceForm

Plan = Sequence[Number]
"""A weight for each sequence of a player: how likely the player is to play along it, as far as it is up to him."""
Local = Sequence[Sequence[Number]]
"""For each information set of a player, the probability of each action."""


def plan_of(form: SequenceForm, player: int, local: Local) -> list[Number]:
    """The realization plan of a player who plays each action with a given probability."""
    plan: list[Number] = [1] + [0] * (form.sequences(player) - 1)
    for parent, first, odds in zip(form.parent[player], form.first[player], local):
        for place, p in enumerate(odds):
            plan[first + place] = plan[parent] * p
    return plan


def gains(form: SequenceForm, player: int, plans: Sequence[Plan], weigh: bool = False) -> list[Number]:
    """For each sequence of a player: the payoff of the plays that end with it, as the others let it come about.

    With `weigh`, how likely the others and chance are to let it come about.
    """
    others = [other for other in range(form.players) if other != player]
    gain: list[Number] = [0] * form.sequences(player)
    for row, weight, payoffs in zip(form.rows, form.weights, form.payoffs):
        likely = reduce(operator.mul, (plans[other][row[other]] for other in others), 1)
        gain[row[player]] += likely * (weight if weigh else payoffs[player])
    return gain


def best_response(form: SequenceForm, player: int, gain: list[Number]) -> tuple[Number, list[int]]:
    """What a player can get at the most, and the place of the best action at each information set.

    One backward pass: what follows an information set is known before the set itself is looked at.
    """
    gain = list(gain)
    parent, first, count = form.parent[player], form.first[player], form.count[player]
    best = [0] * len(parent)
    for i in range(len(best) - 1, -1, -1):
        worth = gain[first[i] : first[i] + count[i]]
        best[i] = max(range(len(worth)), key=worth.__getitem__)
        gain[parent[i]] += worth[best[i]]
    return gain[0], best


def expectation(
    form: SequenceForm, player: int, gain: list[Number], local: Local
) -> tuple[Number, list[Number]]:
    """What a player gets who plays so, and the part of it from each information set on (had he played there)."""
    gain = list(gain)
    parent, first = form.parent[player], form.first[player]
    worth: list[Number] = [0] * len(parent)
    for i in range(len(worth) - 1, -1, -1):
        worth[i] = sum(p * gain[first[i] + place] for place, p in enumerate(local[i]))
        gain[parent[i]] += worth[i]
    return gain[0], worth


def values(form: SequenceForm, locals_: Sequence[Local]) -> list[list[Any]]:
    """The value of every information set to its player, had he played there; None where the others never let him."""
    plans = [plan_of(form, player, local) for player, local in enumerate(locals_)]
    found: list[list[Any]] = []
    for player, local in enumerate(locals_):
        _, worth = expectation(form, player, gains(form, player, plans), local)
        _, weight = expectation(form, player, gains(form, player, plans, weigh=True), local)
        found.append([w / p if p else None for w, p in zip(worth, weight)])
    return found
