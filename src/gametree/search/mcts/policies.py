"""Tree policies: which child a simulation goes to next. N visits of the node, n of the child, x̄ its mean to the mover.

    UCB1            x̄ + c √(ln N / n)                                 Auer, Cesa-Bianchi & Fischer 2002; UCT 2006
    UCB1-tuned      x̄ + c √(ln N / n · min(1/4, V)), V = s² + √(2 ln N / n)                               same
    ε-greedy        any child with a chance of ε, else the greatest x̄
    Boltzmann       a child with a chance in proportion to e^(x̄ / T)
    PUCT            x̄ + c · prior · √N / (1 + n)                       Rosin 2011, as in Silver et al. 2017

Payoffs are taken between 0 and 1 in these: c and T are multiplied by the spread of the payoffs. A child without a visit
goes first, any of these, except in PUCT, where it is taken to be as good as its parent. To each may be added

    progressive bias       + b · prior / (n + 1)                        Chaslot et al. 2008
    progressive widening   only the first ⌈k N^a⌉ children take part    Coulom 2007
    AMAF                   (1 − β) x̄ + β · mean of the echoes           see amaf.py

and children that are proven to be no better than what the mover has for sure do not take part (see bounds.py).
"""

import math

from gametree.kernel.primitives import Floats
from gametree.kernel.random import below, unit
from gametree.search.mcts.amaf import namesake, refer
from gametree.search.mcts.memory import Settings, Thread, Tree
from gametree.search.mcts.tree import BARRED, FIRST, KNOWN, PLAYER, count_of, first_of, kind_of, worst

INFINITY = math.inf

UCB1, UCB1_TUNED, EPSILON_GREEDY, BOLTZMANN, PUCT = range(5)


def choose(words: int, node: int, mover: int, tree: Tree, settings: Settings, thread: Thread) -> int:
    """The child to go to; −1 where there is none that the rules allow."""
    roots = settings.roots
    # The most frequent case has a loop of its own.
    if settings.plain and tree.about[node] & KNOWN == 0:
        return _ucb1(node, mover, tree, settings, thread)

    # Step 1. Whose view? A node's sum is worth sign · sum + offset · n to the mover.
    width = settings.width
    shift = mover if width > 1 else 0
    sign = 1.0
    total_payoff = 0.0
    if width == 1 and mover != 0:
        sign = -1.0
        total_payoff = settings.total
    offset = total_payoff + sign * worst(mover, shift, settings)
    policy = settings.policy
    spread = thread.spread
    bias = settings.bias * spread

    # Step 2. Who takes part?
    begin = first_of(tree.about[node])
    end = begin + count_of(tree.about[node])
    total = tree.visits[node]
    if settings.transpositions:
        total = 0
        for child in range(begin, end):
            total += tree.visits[child]
    total = max(total, 1)
    window = end - begin
    if settings.wide != 0.0:
        window = max(1, math.ceil(settings.wide * float(total) ** settings.wider))
    floor = -INFINITY
    bounded = settings.solver and tree.about[node] & KNOWN != 0
    if bounded:
        floor = tree.low[node * width + shift] if sign > 0.0 else total_payoff - tree.high[node * width]
    source = -1
    near = -1
    if settings.amaf:
        source = refer(node, mover, tree, settings, thread)
        near = first_of(tree.about[source])

    # Step 3. What does everybody get the same of?
    explore = settings.exploration * spread
    log_total = 0.0
    if policy == PUCT:
        explore *= math.sqrt(total)
    elif policy == UCB1_TUNED:
        log_total = math.log(total)
    else:
        explore *= root_of_log(total, roots)
    at_random = policy == EPSILON_GREEDY and unit(thread) < settings.epsilon
    own_mean = 0.0
    if tree.visits[node] > 0:
        before = kind_of(tree.about[tree.parent[node] & FIRST]) - PLAYER if tree.parent[node] >= 0 else -1
        own_mean = tree.sums[node * width + shift] / tree.visits[node] + worst(before, shift, settings)
        own_mean = total_payoff + sign * own_mean

    # Step 4. The child with the greatest score.
    chosen = -1
    best = -INFINITY
    taking_part = 0
    for child in range(begin, end):
        if tree.about[child] & BARRED:
            continue
        n = tree.visits[child]
        mean = own_mean
        if n > 0:
            mean = offset + sign * (tree.sums[child * width + shift] * inverse(n, roots))
        if bounded:
            least = tree.low[child * width + shift] if sign > 0.0 else total_payoff - tree.high[child * width]
            most = tree.high[child * width + shift] if sign > 0.0 else total_payoff - tree.low[child * width]
            # Of several players the others may still fare differently with what is equal to the mover.
            if most < floor or (most == floor and width == 1):
                continue
            mean = max(least, min(most, mean))
        taking_part += 1
        if at_random:
            if below(thread, taking_part) == 0:
                chosen = child
        else:
            score = mean
            known = n > 0
            if source >= 0:
                other = child
                if source != node:
                    others = first_of(tree.about[source])
                    other = namesake(child, others, others + count_of(tree.about[source]), near, words, tree)
                if other >= 0:
                    near = other + 1
                    if tree.heard[other] > 0:
                        echoing = float(tree.heard[other])
                        beta = echoing / (echoing + n + settings.amaf_bias * echoing * n)
                        score = (1.0 - beta) * mean + beta * tree.echoes[other] / echoing
                        known = True
            if policy == PUCT:
                score += explore * tree.prior[child] / (1 + n)
            elif n == 0 and not known:
                score = INFINITY
            elif policy == BOLTZMANN:
                # The greatest of these is a draw in proportion to e^(mean / T) (Gumbel).
                noise = -math.log(-math.log(unit(thread)))
                score += settings.temperature * spread * noise
            elif policy == UCB1_TUNED:
                # Who was only heard of is as uncertain as who was visited once.
                often = max(n, 1)
                average = tree.sums[child * width + shift] / often
                variance = (tree.squares[child * width + shift] / often - average * average) / (
                    spread * spread
                )
                variance = max(0.0, variance) + math.sqrt(2.0 * log_total / often)
                score += explore * math.sqrt(log_total / often * min(0.25, variance))
            elif policy != EPSILON_GREEDY:
                score += explore * inverse_root(max(n, 1), roots)
            if bias != 0.0:
                score += bias * tree.prior[child] / (n + 1)
            if score > best:
                best = score
                chosen = child
                if score == INFINITY:
                    return _any_new(child, end, tree, settings, thread)
        if taking_part >= window:
            break
    return chosen


def _ucb1(node: int, mover: int, tree: Tree, settings: Settings, thread: Thread) -> int:
    """The same with nothing but UCB1, where a node has one sum and nothing is proven of its children."""
    roots = settings.roots
    begin = first_of(tree.about[node])
    end = begin + count_of(tree.about[node])
    sign = 1.0 if mover == 0 else -1.0
    offset = settings.loss if mover == 0 else settings.total - settings.others_loss
    explore = settings.exploration * thread.spread * root_of_log(tree.visits[node], roots)
    chosen = -1
    best = -INFINITY
    for child in range(begin, end):
        if tree.about[child] & BARRED:
            continue
        n = tree.visits[child]
        if n == 0:
            return _any_new(child, end, tree, settings, thread)
        score = offset + sign * (tree.sums[child] * inverse(n, roots)) + explore * inverse_root(n, roots)
        if score > best:
            best = score
            chosen = child
    return chosen


def _any_new(first: int, end: int, tree: Tree, settings: Settings, thread: Thread) -> int:
    """One of the children that nobody has been to, of which this is the first.

    Which one is left to chance: where visits are few, the first moves by the rules would else be the only ones looked
    at. With progressive widening it is the likeliest.
    """
    if settings.wide != 0.0:
        return first
    count = end - first
    child = first + below(thread, count)
    for _ in range(count):
        is_new = tree.visits[child] == 0 and tree.about[child] & BARRED == 0
        if is_new and (not settings.amaf or tree.heard[child] == 0):
            return child
        child = child + 1 if child + 1 < end else first
    return first


# --- roots, looked up where they are needed most ------------------------------------------------------

LISTED = 2048


def listed_roots() -> list[float]:
    """1 / n, 1 / √n and √(ln n) for small n, one list behind the other."""
    numbers = [float(max(1, n)) for n in range(LISTED)]
    return [
        *(1.0 / n for n in numbers),
        *(1.0 / math.sqrt(n) for n in numbers),
        *(math.sqrt(math.log(n)) for n in numbers),
    ]


def inverse(n: int, roots: Floats) -> float:
    """1 / n."""
    return roots[n] if n < LISTED else 1.0 / n


def inverse_root(n: int, roots: Floats) -> float:
    """1 / √n."""
    return roots[LISTED + n] if n < LISTED else 1.0 / math.sqrt(n)


def root_of_log(n: int, roots: Floats) -> float:
    """√(ln n)."""
    return roots[2 * LISTED + n] if n < LISTED else math.sqrt(math.log(n))
