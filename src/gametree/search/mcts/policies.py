"""Tree policies: which child a simulation goes to next. N visits of the node, n of the child, x̄ its mean to the mover.

    UCB1            x̄ + c √(ln N / n)                                 Auer, Cesa-Bianchi & Fischer 2002; UCT 2006
    UCB1-tuned      x̄ + c √(ln N / n · min(1/4, V)), V = s² + √(2 ln N / n)                               same
    ε-greedy        any child with a chance of ε, else the greatest x̄
    Boltzmann       a child with a chance in proportion to e^(x̄ / T)
    PUCT            x̄ + c · prior · √N / (1 + n)                       Rosin 2011, as in Silver et al. 2017

Payoffs are taken between 0 and 1 in these: c and T are multiplied by the spread of the payoffs. A child without a visit
goes first, except in PUCT, where it is taken to be as good as its parent. To each may be added

    progressive bias       + b · prior / (n + 1)                        Chaslot et al. 2008
    progressive widening   only the first ⌈k N^a⌉ children take part    Coulom 2007
    AMAF                   (1 − β) x̄ + β · mean of the echoes           see amaf.py

and children that are proven to be no better than what the mover has for sure do not take part (see bounds.py).
"""

import math

from gametree.compiled.draws import below, unit
from gametree.compiled.primitives import Floats, Ints, unbits
from gametree.search.mcts.amaf import namesake, refer
from gametree.search.mcts.tree import BARRED, COUNT
from gametree.search.mcts.words import (
    AMAF,
    AMAF_BIAS,
    BIAS,
    BOLTZMANN,
    EPSILON,
    EPSILON_GREEDY,
    EXPLORATION,
    POLICY,
    PUCT,
    RANDOM,
    SOLVER,
    SPREAD,
    TEMPERATURE,
    TOTAL,
    TRANSPOSITIONS,
    UCB1_TUNED,
    WIDE,
    WIDER,
    WIDTH,
)

INFINITY = math.inf


def choose(
    words: int,
    node: int,
    mover: int,
    visits: Ints,
    sums: Floats,
    first: Ints,
    about: Ints,
    actions: Ints,
    low: Floats,
    high: Floats,
    prior: Floats,
    squares: Floats,
    heard: Ints,
    echoes: Floats,
    ledger: Ints,
) -> int:
    """The child to go to; −1 where there is none that the rules allow."""
    # Step 1. Whose view? A node's sum is worth sign · sum + offset · n to the mover.
    width = ledger[WIDTH]
    shift = mover if width > 1 else 0
    sign = 1.0
    offset = 0.0
    if width == 1 and mover != 0:
        sign = -1.0
        offset = unbits(ledger[TOTAL])
    policy = ledger[POLICY]
    spread = unbits(ledger[SPREAD])
    bias = unbits(ledger[BIAS]) * spread

    # Step 2. Who takes part?
    begin = first[node]
    end = begin + (about[node] & COUNT)
    total = visits[node]
    if ledger[TRANSPOSITIONS] != 0:
        total = 0
        for child in range(begin, end):
            total += visits[child]
    total = max(total, 1)
    window = end - begin
    if ledger[WIDE] != 0:
        window = max(1, math.ceil(unbits(ledger[WIDE]) * float(total) ** unbits(ledger[WIDER])))
    floor = -INFINITY
    if ledger[SOLVER] != 0:
        floor = low[node * width + shift] if sign > 0.0 else offset - high[node * width]
    source = -1
    near = -1
    if ledger[AMAF] != 0:
        source = refer(node, mover, visits, ledger)
        near = first[source]

    # Step 3. What does everybody get the same of?
    log_total = math.log(total)
    explore = unbits(ledger[EXPLORATION]) * spread
    if policy == PUCT:
        explore *= math.sqrt(total)
    at_random = policy == EPSILON_GREEDY and unit(ledger, RANDOM) < unbits(ledger[EPSILON])
    own_mean = 0.0
    if visits[node] > 0:
        own_mean = offset + sign * sums[node * width + shift] / visits[node]

    # Step 4. The child with the greatest score.
    chosen = -1
    best = -INFINITY
    taking_part = 0
    for child in range(begin, end):
        if about[child] & BARRED:
            continue
        n = visits[child]
        mean = own_mean
        if n > 0:
            mean = offset + sign * sums[child * width + shift] / n
        if ledger[SOLVER] != 0:
            least = low[child * width + shift] if sign > 0.0 else offset - high[child * width]
            most = high[child * width + shift] if sign > 0.0 else offset - low[child * width]
            if most <= floor:
                continue
            mean = max(least, min(most, mean))
        taking_part += 1
        if at_random:
            if below(ledger, RANDOM, taking_part) == 0:
                chosen = child
        else:
            score = mean
            known = n > 0
            if source >= 0:
                other = child
                if source != node:
                    other = namesake(
                        child, first[source], first[source] + (about[source] & COUNT), near, words, actions
                    )
                if other >= 0:
                    near = other + 1
                    if heard[other] > 0:
                        echoing = float(heard[other])
                        beta = echoing / (echoing + n + unbits(ledger[AMAF_BIAS]) * echoing * n)
                        score = (1.0 - beta) * mean + beta * echoes[other] / echoing
                        known = True
            if policy == PUCT:
                score += explore * prior[child] / (1 + n)
            elif n == 0:
                if not known:
                    score = INFINITY
            elif policy == BOLTZMANN:
                # The greatest of these is a draw in proportion to e^(mean / T) (Gumbel).
                noise = -math.log(-math.log(unit(ledger, RANDOM)))
                score += unbits(ledger[TEMPERATURE]) * spread * noise
            elif policy == UCB1_TUNED:
                average = sums[child * width + shift] / n
                variance = (squares[child * width + shift] / n - average * average) / (spread * spread)
                variance = max(0.0, variance) + math.sqrt(2.0 * log_total / n)
                score += explore * math.sqrt(log_total / n * min(0.25, variance))
            elif policy != EPSILON_GREEDY:
                score += explore * math.sqrt(log_total / n)
            if bias != 0.0:
                score += bias * prior[child] / (n + 1)
            if score > best:
                best = score
                chosen = child
                if score == INFINITY:
                    return chosen
        if taking_part >= window:
            break
    return chosen
