"""Information sets of a tree: which nodes a player cannot tell apart, and what he knows at each node."""

from typing import Any

from gametree.errors import InputError
from gametree.games.tree.spec import Nodes


def seen(nodes: Nodes, players: int) -> list[list[int]]:
    """For each node and player a number for what the player knows there: his own past, and where he is.

    Refused are sets whose nodes differ in who moves or in the moves, and players who would forget.
    """
    firsts: dict[str, int] = {}
    numbers: dict[Any, int] = {}
    pasts: list[list[Any]] = [[()] * players]
    found: list[list[int]] = []
    for node, mover in enumerate(nodes.mover):
        past = pasts[node]
        if nodes.count[node] == 0:
            known: list[Any] = [("end", node)] * players
        else:
            known = list(past)
        if nodes.count[node] and mover >= 0:
            name = nodes.sets.get(node)
            if name is not None:
                _check(nodes, pasts, firsts.setdefault(name, node), node, name)
            place = ("node", node) if name is None else ("set", name)
            known[mover] = (*past[mover], place)
        found.append([numbers.setdefault((player, one), len(numbers)) for player, one in enumerate(known)])
        for move in range(nodes.count[node]):
            after = list(past)
            if mover >= 0:
                after[mover] = (*known[mover], move)
            pasts.append(after)
    return found


def _check(nodes: Nodes, pasts: list[list[Any]], one: int, other: int, name: str) -> None:
    """Refuses two nodes that cannot be in one information set."""
    where = f"{nodes.path(one)} and {nodes.path(other)} are both in the information set {name!r}, but"
    mover = nodes.mover[one]
    if nodes.mover[other] != mover:
        raise InputError(
            f"{where} player {mover} moves at the first and player {nodes.mover[other]} at the other"
        )
    if nodes.count[one] != nodes.count[other] or nodes.move_names.get(one) != nodes.move_names.get(other):
        raise InputError(f"{where} they have different moves, by which the player could tell them apart")
    if pasts[one][mover] != pasts[other][mover]:
        raise InputError(
            f"{where} player {mover} has seen or done something else before, and would have to forget it (perfect"
            " recall)"
        )
