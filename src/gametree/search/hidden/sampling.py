"""Monte-Carlo counterfactual regret minimisation: walks over a part of the tree, with a table of information sets.

M. Lanctot, K. Waugh, M. Zinkevich & M. Bowling, Monte Carlo Sampling for Regret Minimization in Extensive Games, NIPS
2009. External sampling follows all actions of one player and draws those of chance and of the others. Outcome sampling
plays one line, and weighs what it brings by how likely it was to be drawn.
"""

from typing import Any, Final

from gametree.game import CHANCE
from gametree.kernel.primitives import Floats, Ints, chance_outcomes, signed_key
from gametree.kernel.random import Generator, unit
from gametree.search.hidden.sequence_form import MOST_PLIES

NOBODY: Final = -1
EXPLORED: Final = 0.6
"""Outcome sampling plays any action with this probability at the player's own information sets."""

FINE, FULL, ENDLESS, WRONG = range(4)
"""What a walk ran into: no room for more information sets, a play without end, rules that cannot be right."""


class Pool(Generator):
    """Information sets by their keys, and the regrets and sums of strategies that belong to their actions."""

    keys: Ints
    slots: Ints
    mask: int
    sets: int
    most_sets: int
    first: Ints
    """Where the numbers of an information set begin …"""
    count: Ints
    """… and for how many actions."""
    used: int
    """How many numbers there are."""
    most_numbers: int
    regrets: Floats
    average: Floats
    values: Floats
    """What actions are worth, at each information set of the walk that is under way."""
    top: int
    rounds: int
    """How many walks for each player one call makes."""
    done: int
    outcome: bool
    """Whether one line is drawn, or all actions of a player are followed."""
    trouble: int
    fixed: bool
    """Whether the others play their average and only the player who is followed learns."""
    depth: int


def entry(pool: Pool, key: int, actions: int) -> int:
    """The number of an information set, a new one where it has not been seen; −1 where there is no more room."""
    slot = key & pool.mask
    while pool.slots[slot] != 0:
        found = pool.slots[slot] - 1
        if pool.keys[found] == key:
            if pool.count[found] != actions:
                pool.trouble = WRONG
                return -1
            return found
        slot = slot + 1 & pool.mask
    found = pool.sets
    if found >= pool.most_sets or pool.used + actions > pool.most_numbers:
        pool.trouble = FULL
        return -1
    pool.slots[slot] = found + 1
    pool.keys[found] = key
    pool.first[found] = pool.used
    pool.count[found] = actions
    pool.used += actions
    pool.sets = found + 1
    return found


def positive(numbers: Floats, begin: int, end: int) -> float:
    """The sum of what is above 0."""
    total = 0.0
    for i in range(begin, end):
        total += max(numbers[i], 0.0)
    return total


def likely(numbers: Floats, total: float, i: int, actions: int) -> float:
    """How likely an action is in proportion to a number; all alike where none is above 0."""
    return max(numbers[i], 0.0) / total if total > 0.0 else 1.0 / actions


def walk(game: Any, state: Any, player: int, own: float, others: float, drawn: float, pool: Pool) -> float:
    """What a walk brings for a player; from the root for all in turn, so many rounds, where the player is NOBODY.

    `own`, `others` and `drawn` say how likely the player, the others with chance, and the draw were to come here.
    """
    if player == NOBODY:
        for _ in range(pool.rounds):
            for one in range(game.players):
                pool.top = 0
                pool.depth = 0
                walk(game, state, one, 1.0, 1.0, 1.0, pool)
                if pool.trouble != FINE:
                    return 0.0
            pool.done += 1
        return 0.0
    if game.is_terminal(state):
        payoff: float = 1.0 * game.utility(state, player)
        return payoff
    pool.depth += 1
    if pool.depth > MOST_PLIES:
        pool.trouble = ENDLESS
        return 0.0
    mover = game.player(state)
    result = 0.0
    if mover == CHANCE:
        left = unit(pool)
        chosen = -1
        i = 0
        for _, probability in chance_outcomes(game, state):
            if probability > 0.0 and left >= 0.0:
                chosen = i
                left -= probability
            i += 1
        i = 0
        for outcome, probability in chance_outcomes(game, state):
            if i == chosen:
                p = 1.0 * probability
                result = walk(game, game.result(state, outcome), player, own, others * p, drawn * p, pool)
                break
            i += 1
        pool.depth -= 1
        return result
    actions = 0
    for _action in game.actions(state):
        actions += 1
    known = entry(pool, signed_key(game.observe(state, mover)) ^ mover + 1, actions)
    if known < 0:
        return 0.0
    begin = pool.first[known]
    end = begin + actions
    if mover == player and not pool.outcome:
        base = pool.top
        pool.top = base + actions
        i = 0
        for action in game.actions(state):
            worth = walk(game, game.result(state, action), player, own, others, drawn, pool)
            if pool.trouble != FINE:
                return 0.0
            pool.values[base + i] = worth
            i += 1
        total = positive(pool.regrets, begin, end)
        for i in range(actions):
            result += likely(pool.regrets, total, begin + i, actions) * pool.values[base + i]
        for i in range(actions):
            pool.regrets[begin + i] += pool.values[base + i] - result
        pool.top = base
        pool.depth -= 1
        return result
    numbers = pool.average if pool.fixed and mover != player else pool.regrets
    total = positive(numbers, begin, end)
    explores = EXPLORED if pool.outcome and mover == player else 0.0
    left = unit(pool)
    chosen = actions - 1
    chance = 0.0
    for i in range(actions):
        p = explores / actions + (1.0 - explores) * likely(numbers, total, begin + i, actions)
        if left < p:
            chosen = i
            chance = p
            break
        left -= p
        if p > 0.0:
            chosen = i
            chance = p
    share = likely(numbers, total, begin + chosen, actions)
    if mover != player and not pool.outcome and not pool.fixed:
        # Who is drawn here is as likely to be, as he is to come here: his average needs no weight.
        for i in range(actions):
            pool.average[begin + i] += likely(pool.regrets, total, begin + i, actions)
    i = 0
    for action in game.actions(state):
        if i == chosen:
            after = game.result(state, action)
            if mover == player:
                result = walk(game, after, player, own * share, others, drawn * chance, pool)
            else:
                result = walk(game, after, player, own, others * share, drawn * chance, pool)
            break
        i += 1
    if pool.trouble != FINE:
        return 0.0
    if pool.outcome:
        brought = result / chance
        result = share * brought
        if mover == player:
            weight = others / drawn
            for i in range(actions):
                pool.average[begin + i] += own * likely(pool.regrets, total, begin + i, actions) / drawn
            # The strategy is read before any regret changes it.
            for i in range(actions):
                pool.values[i] = -result * weight
            pool.values[chosen] += brought * weight
            for i in range(actions):
                pool.regrets[begin + i] += pool.values[i]
    pool.depth -= 1
    return result
