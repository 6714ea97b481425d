"""All moves as first: RAVE (Gelly & Silver 2007) and GRAVE (Cazenave 2015).

An action that was good later in a simulation may be good now. A simulation counts for every action of the mover that it
contains, at each node from which it is still to come: `heard` and `echoes`. While a node has few visits its own mean is
blended with that of these echoes, or, as in GRAVE, with those of the last node above where the same player moves and
which has at least `reference` visits.

Actions are told apart by a code of 12 bits. Two of one state that share it share their echoes.
"""

from typing import Any

from gametree.kernel.clock import Clock
from gametree.kernel.primitives import CODES, action_code, action_words, take
from gametree.kernel.random import add_number, add_word
from gametree.search.core.repetition import Path
from gametree.search.mcts.memory import Settings, Thread, Tree
from gametree.search.mcts.tree import PLAYER, count_of, first_of, kind_of

PLY_BITS = 20


def stamp(action: Any, mover: int, ply: int, thread: Thread, clock: Clock) -> None:
    """Notes that a player played an action in the simulation under way."""
    thread.stamps[mover * CODES + action_code(action)] = clock.nodes + 1 << PLY_BITS | ply


def refer(node: int, mover: int, tree: Tree, settings: Settings, thread: Thread) -> int:
    """The node whose children tell what this one's actions are worth."""
    if tree.visits[node] >= settings.reference:
        thread.references[mover] = node
    return thread.references[mover] if thread.references[mover] >= 0 else node


def forget_references(players: int, thread: Thread) -> None:
    """A simulation begins."""
    for player in range(players):
        thread.references[player] = -1


def namesake(child: int, begin: int, end: int, guess: int, words: int, tree: Tree) -> int:
    """Among the nodes from begin to end the one with the same action as `child`, looked for from a guess on; or −1.

    Both lists of actions are in the same order, as a rule, so that the guess is right.
    """
    at = guess
    for _ in range(begin, end):
        if at >= end:
            at = begin
        same = True
        for i in range(words):
            same = same and tree.actions[at * words + i] == tree.actions[child * words + i]
        if same:
            return at
        at += 1
    return -1


def echo(
    game: Any,
    depth: int,
    tree: Tree,
    settings: Settings,
    thread: Thread,
    clock: Clock,
    path: Path,
) -> None:
    """Lets a finished simulation count for every action that it contains, at each node of its way."""
    words = action_words(game)
    for ply in range(depth + 1):
        node = path.places[ply]
        kind = kind_of(tree.about[node])
        begin = first_of(tree.about[node])
        if kind < PLAYER or begin == 0:
            continue
        mover = kind - PLAYER
        gain = thread.gains[mover] if settings.width > 1 else thread.gains[0]
        if settings.width == 1 and mover == 1:
            gain = settings.total - gain
        since = clock.nodes + 1 << PLY_BITS | ply
        for child in range(begin, begin + count_of(tree.about[node])):
            code = action_code(take(game, tree.actions, child * words))
            if thread.stamps[mover * CODES + code] >= since:
                if settings.threads > 1:
                    add_word(tree.heard, child, 1)
                    add_number(tree.echoes, child, gain)
                else:
                    tree.heard[child] += 1
                    tree.echoes[child] += gain
