"""The kernel of max^n: payoff vectors, immediate and shallow pruning, ties, chance.

Luckhardt & Irani, An Algorithmic Solution of N-Person Games (1986): at each node the player to move takes the child
whose vector is best for that player. Korf, Multi-player Alpha-beta Pruning (1991): where no payoff is below a bound and
their sum is not above another, a node can be left when its player has all that can be had (immediate), and when what
its player has already leaves the player of the node above no more than that one has elsewhere (shallow). What deep
pruning would do to the value is why it is not done: it is sound for two players only.
"""

from typing import Any

from gametree.game import CHANCE
from gametree.kernel.clock import BY_RULES, Clock, poll
from gametree.kernel.primitives import chance_outcomes
from gametree.search.core.repetition import Path
from gametree.search.many.children import BARRED, INNER, kind_of
from gametree.search.many.sides import side_of
from gametree.search.many.vectors import CUT, KNOWN, OFF, SHALLOW, STOPPED, Vectors, add, clear, copy, known

NOBODY = -1
FIRST, PARANOID, FRIENDLY, SPITEFUL, GENEROUS = range(5)
RULES = {
    "first": FIRST,
    "paranoid": PARANOID,
    "friendly": FRIENDLY,
    "spiteful": SPITEFUL,
    "generous": GENEROUS,
}
"""Who is indifferent takes the first; what is worst, best for the side that asks; what is worst, best for the rest."""


class MaxN(Vectors, frozen=True):
    """What max^n keeps besides."""

    ties: int = FIRST
    prunes: int = OFF


def charm(at: int, side: int, memory: MaxN) -> float:
    """How much a side that is indifferent likes a vector, by the rule on ties."""
    rule = memory.ties
    if rule == FIRST:
        return 0.0
    if rule in (PARANOID, FRIENDLY):
        ours = memory.rows[at + memory.ours]
        return ours if rule == FRIENDLY else -ours
    others = 0.0
    for other in range(memory.count):
        if other != side:
            others += memory.sizes[other] * memory.rows[at + other]
    return others if rule == GENEROUS else -others


def prefers(new: int, old: int, side: int, memory: MaxN) -> bool:
    """Whether a side takes the vector at `new` rather than the one at `old`."""
    rows = memory.rows
    if rows[new + side] != rows[old + side]:
        return rows[new + side] > rows[old + side]
    return charm(new, side, memory) > charm(old, side, memory)


def hopeless(above: int, bar: float, side: int, payoff: float, memory: MaxN) -> bool:
    """Whether `above` cannot do better than `bar` where `side` gets at least `payoff`.

    Sums of floats are not exact: where a number is not whole, the difference has to be more than rounding explains. A
    tie is enough only where ties go to the first.
    """
    size, wanting = memory.sizes[side], memory.sizes[above]
    most = memory.total - size * payoff - (memory.players - size - wanting) * memory.lowest
    wanted = wanting * bar
    if most % 1.0 == 0.0 and wanted % 1.0 == 0.0:
        return most <= wanted if memory.ties == FIRST else most < wanted
    return most + 1e-9 * max(1.0, abs(memory.total), abs(most), abs(wanted)) < wanted


def value(
    game: Any,
    state: Any,
    depth: int,
    at: int,
    above: int,
    bar: float,
    memory: MaxN,
    clock: Clock,
    path: Path,
) -> int:
    """Writes the max^n vector of a state that is not terminal, `depth` ≥ 1 plies deep, into the row at `at`.

    `above` is the side that moves at the node above and `bar` what it has there already (NOBODY where there is none).
    KNOWN proves that the vector is the one of max^n without pruning; CUT proves that it gives `above` no more than
    `bar`. Leaves are valued by their parent, so that only inner nodes cost a call.
    """
    rows = memory.rows
    below = at + memory.count
    i = 0
    if game.offered.chance and game.player(state) == CHANCE:
        clear(at, memory)
        for outcome, probability in chance_outcomes(game, state):
            if clock.nodes == clock.next and poll(clock):
                return STOPPED
            clock.nodes += 1
            child = game.result(state, outcome)
            kind = kind_of(game, child, depth, path)
            if kind == INNER:
                path.places[depth] = i
                code = value(game, child, depth - 1, below, NOBODY, 0.0, memory, clock, path)
            else:
                code = known(game, child, kind, below, memory, clock)
            if code != KNOWN:
                return STOPPED
            i += 1
            add(probability, below, at, memory)
        return KNOWN
    mine = side_of(game, state, memory, clock)
    if mine < 0:
        return STOPPED
    found = False
    for action in game.actions(state):
        if clock.nodes == clock.next and poll(clock):
            return STOPPED
        clock.nodes += 1
        child = game.result(state, action)
        kind = kind_of(game, child, depth, path)
        if kind == BARRED:
            i += 1
            continue
        if kind == INNER:
            path.places[depth] = i
            who = mine if found else NOBODY
            so_far = rows[at + mine] if found else 0.0
            code = value(game, child, depth - 1, below, who, so_far, memory, clock, path)
        else:
            code = known(game, child, kind, below, memory, clock)
        if code == STOPPED:
            return STOPPED
        i += 1
        if code == KNOWN and (not found or prefers(below, at, mine, memory)):
            found = True
            copy(below, at, memory)
            if memory.prunes != OFF:
                if memory.ties == FIRST and rows[at + mine] >= memory.ceilings[mine]:
                    return KNOWN
                if (
                    memory.prunes == SHALLOW
                    and above != NOBODY
                    and above != mine
                    and hopeless(above, bar, mine, rows[at + mine], memory)
                ):
                    return CUT
    if i == 0:
        raise ValueError("a state that is not terminal has no actions")
    if not found:
        clock.stop = BY_RULES
        return STOPPED
    return KNOWN


def ceiling(total: float | None, low: float, high: float, size: int, players: int) -> float:
    """The most that each member of a side of some size can get.

    >>> ceiling(0, -1, 5, 1, 3), ceiling(None, -1, 5, 1, 3), ceiling(0, -1, 1, 2, 4)
    (2.0, 5.0, 1.0)
    """
    if total is None:
        return float(high)
    rest = (total - (players - size) * low) / size
    if rest % 1.0 != 0.0:
        rest += 1e-9 * max(1.0, abs(rest))
    return float(min(high, rest))
