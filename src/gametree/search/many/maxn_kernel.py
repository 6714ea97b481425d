"""The kernel of max^n: payoff vectors, immediate and shallow pruning, ties, chance.

Luckhardt & Irani, An Algorithmic Solution of N-Person Games (1986): at each node the player to move takes the child
whose vector is best for that player. Korf, Multi-player Alpha-beta Pruning (1991): where no payoff is below a bound and
their sum is not above another, a node can be left when its player has all that can be had (immediate), and when what
its player has already leaves the player of the node above no more than that one has elsewhere (shallow). What deep
pruning would do to the value is why it is not done: it is sound for two players only.
"""

from typing import Any

from gametree.game import CHANCE
from gametree.kernel.primitives import BY_RULES as NO_WAY_OUT
from gametree.kernel.primitives import (
    NEXT,
    NODES,
    STOP,
    Floats,
    Ints,
    chance_outcomes,
    has_chance,
    has_repetition,
    poll,
)
from gametree.search.core.repetition import FORBID, Path, bars
from gametree.search.many.sides import (
    CEILINGS,
    EVEN,
    LOWEST,
    OFF,
    OURS,
    PLAYERS,
    PRUNES,
    SHALLOW,
    SIDE_OF,
    SIDES,
    TIES,
    TOTAL,
    estimates,
    paid,
    side_of,
)

STOPPED, CUT, KNOWN = range(-1, 2)
"""What the kernel returns: told to stop; left early, the vector is of no use; the vector is there."""
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


def charm(scratch: Floats, at: int, side: int, ledger: Ints) -> float:
    """How much a side that is indifferent likes a vector, by the rule on ties."""
    rule = ledger[TIES]
    if rule == FIRST:
        return 0.0
    if rule in (PARANOID, FRIENDLY):
        ours = scratch[at + ledger[OURS]]
        return ours if rule == FRIENDLY else -ours
    others = 0.0
    for other in range(ledger[SIDES]):
        if other != side:
            others += ledger[SIDE_OF + 2 * ledger[PLAYERS] + other] * scratch[at + other]
    return others if rule == GENEROUS else -others


def prefers(scratch: Floats, new: int, old: int, side: int, ledger: Ints) -> bool:
    """Whether a side takes the vector at `new` rather than the one at `old`."""
    if scratch[new + side] != scratch[old + side]:
        return scratch[new + side] > scratch[old + side]
    return charm(scratch, new, side, ledger) > charm(scratch, old, side, ledger)


def hopeless(scratch: Floats, above: int, bar: float, side: int, payoff: float, ledger: Ints) -> bool:
    """Whether `above` cannot do better than `bar` where `side` gets at least `payoff`.

    Sums of floats are not exact: where a number is not whole, the difference has to be more than rounding explains. A
    tie is enough only where ties go to the first.
    """
    sizes = SIDE_OF + 2 * ledger[PLAYERS]
    size, others = ledger[sizes + side], ledger[PLAYERS] - ledger[sizes + side] - ledger[sizes + above]
    most = scratch[TOTAL] - size * payoff - others * scratch[LOWEST]
    wanted = ledger[sizes + above] * bar
    if most % 1.0 == 0.0 and wanted % 1.0 == 0.0:
        return most <= wanted if ledger[TIES] == FIRST else most < wanted
    return most + 1e-9 * max(1.0, abs(scratch[TOTAL]), abs(most), abs(wanted)) < wanted


def value(
    game: Any,
    state: Any,
    depth: int,
    at: int,
    above: int,
    bar: float,
    scratch: Floats,
    ledger: Ints,
    path: Path,
) -> int:
    """Writes the max^n vector of a state that is not terminal, `depth` ≥ 1 plies deep, into scratch[at], ….

    `above` is the side that moves at the node above and `bar` what it has there already (NOBODY where there is none).
    KNOWN proves that the vector is the one of max^n without pruning; CUT proves that it gives `above` no more than
    `bar`. Leaves are valued by their parent, so that only inner nodes cost a call.
    """
    below = at + ledger[SIDES]
    mover = game.player(state)
    i = 0
    if has_chance(game) and mover == CHANCE:
        for side in range(ledger[SIDES]):
            scratch[at + side] = 0.0
        for outcome, probability in chance_outcomes(game, state):
            if ledger[NODES] == ledger[NEXT] and poll(ledger):
                return STOPPED
            ledger[NODES] += 1
            child = game.result(state, outcome)
            if game.is_terminal(child):
                known = paid(game, child, scratch, below, ledger)
            elif has_repetition(game) and bars(game, child, depth, path):
                known = share(scratch, below, ledger)
            elif depth == 1:
                known = estimates(game, child, scratch, below, ledger)
            else:
                path.places[depth] = i
                known = value(game, child, depth - 1, below, NOBODY, 0.0, scratch, ledger, path) == KNOWN
            if not known:
                return STOPPED
            i += 1
            for side in range(ledger[SIDES]):
                scratch[at + side] += probability * scratch[below + side]
        return KNOWN
    mine = side_of(game, state, ledger)
    if mine < 0:
        return STOPPED
    found = False
    for action in game.actions(state):
        if ledger[NODES] == ledger[NEXT] and poll(ledger):
            return STOPPED
        ledger[NODES] += 1
        child = game.result(state, action)
        if game.is_terminal(child):
            code = KNOWN if paid(game, child, scratch, below, ledger) else STOPPED
        elif has_repetition(game) and bars(game, child, depth, path):
            if path.rule == FORBID:
                i += 1
                continue
            code = KNOWN if share(scratch, below, ledger) else STOPPED
        elif depth == 1:
            code = KNOWN if estimates(game, child, scratch, below, ledger) else STOPPED
        else:
            path.places[depth] = i
            code = value(
                game,
                child,
                depth - 1,
                below,
                mine if found else NOBODY,
                scratch[at + mine] if found else 0.0,
                scratch,
                ledger,
                path,
            )
        if code == STOPPED:
            return STOPPED
        i += 1
        if code == KNOWN and (not found or prefers(scratch, below, at, mine, ledger)):
            found = True
            for side in range(ledger[SIDES]):
                scratch[at + side] = scratch[below + side]
            if ledger[PRUNES] != OFF:
                if ledger[TIES] == FIRST and scratch[at + mine] >= scratch[CEILINGS + mine]:
                    return KNOWN
                if (
                    ledger[PRUNES] == SHALLOW
                    and above != NOBODY
                    and above != mine
                    and hopeless(scratch, above, bar, mine, scratch[at + mine], ledger)
                ):
                    return CUT
    if i == 0:
        raise ValueError("a state that is not terminal has no actions")
    if not found:
        ledger[STOP] = NO_WAY_OUT
        return STOPPED
    return KNOWN


def share(scratch: Floats, at: int, ledger: Ints) -> bool:
    """Writes what every side gets where a position has recurred: its share of a draw."""
    for side in range(ledger[SIDES]):
        scratch[at + side] = scratch[EVEN]
    return True


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
