"""All moves as first: RAVE (Gelly & Silver 2007) and GRAVE (Cazenave 2015).

An action that was good later in a simulation may be good now. A simulation counts for every action of the mover that it
contains, at each node from which it is still to come: `heard` and `echoes`. While a node has few visits its own mean is
blended with that of these echoes, or, as in GRAVE, with those of the last node above where the same player moves and
which has at least `REFERENCE` visits.

Actions are told apart by a code of 12 bits. Two of one state that share it share their echoes.
"""

from typing import Any

from gametree.kernel.primitives import CODES, NODES, Floats, Ints, action_code, action_words, take, unbits
from gametree.kernel.random import add_number, add_word
from gametree.search.core.repetition import Path
from gametree.search.mcts.tree import PLAYER, count_of, first_of, kind_of
from gametree.search.mcts.words import PLY_BITS, REFERENCE, REFERENCES, STAMPS, THREADS, TOTAL, WIDTH


def stamp(game: Any, action: Any, mover: int, ply: int, ledger: Ints) -> None:
    """Notes that a player played an action in the simulation under way."""
    ledger[STAMPS + mover * CODES + action_code(action)] = ledger[NODES] + 1 << PLY_BITS | ply


def refer(node: int, mover: int, visits: Ints, ledger: Ints) -> int:
    """The node whose children tell what this one's actions are worth."""
    if visits[node] >= ledger[REFERENCE]:
        ledger[REFERENCES + mover] = node
    return ledger[REFERENCES + mover] if ledger[REFERENCES + mover] >= 0 else node


def forget_references(players: int, ledger: Ints) -> None:
    """A simulation begins."""
    for player in range(players):
        ledger[REFERENCES + player] = -1


def namesake(child: int, begin: int, end: int, guess: int, words: int, actions: Ints) -> int:
    """Among the nodes from begin to end the one with the same action as `child`, looked for from a guess on; or −1.

    Both lists of actions are in the same order, as a rule, so that the guess is right.
    """
    at = guess
    for _ in range(begin, end):
        if at >= end:
            at = begin
        same = True
        for i in range(words):
            same = same and actions[at * words + i] == actions[child * words + i]
        if same:
            return at
        at += 1
    return -1


def echo(
    game: Any,
    depth: int,
    about: Ints,
    actions: Ints,
    heard: Ints,
    echoes: Floats,
    gains: Floats,
    ledger: Ints,
    path: Path,
) -> None:
    """Lets a finished simulation count for every action that it contains, at each node of its way."""
    words = action_words(game)
    for ply in range(depth + 1):
        node = path.places[ply]
        kind = kind_of(about[node])
        begin = first_of(about[node])
        if kind < PLAYER or begin == 0:
            continue
        mover = kind - PLAYER
        gain = gains[mover] if ledger[WIDTH] > 1 else gains[0]
        if ledger[WIDTH] == 1 and mover == 1:
            gain = unbits(ledger[TOTAL]) - gain
        since = ledger[NODES] + 1 << PLY_BITS | ply
        for child in range(begin, begin + count_of(about[node])):
            code = action_code(take(game, actions, child * words))
            if ledger[STAMPS + mover * CODES + code] >= since:
                if ledger[THREADS] > 1:
                    add_word(heard, child, 1)
                    add_number(echoes, child, gain)
                else:
                    heard[child] += 1
                    echoes[child] += gain
