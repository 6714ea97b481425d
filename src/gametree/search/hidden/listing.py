"""The sequence form listed by compiled rules: as the walk in `sequence_form.py`, faster.

An information set is known by a key of 64 bits, so two of them are taken for one with a chance of 2⁻⁶⁴ for each pair.
Whatever is wrong with the rules is left to the plain walk, which says it in words.
"""

import contextlib
import math
from typing import Any, Final

from gametree.errors import UnsuitableError
from gametree.game import CHANCE, Game, check_state
from gametree.kernel.clock import now
from gametree.kernel.memory import Memory
from gametree.kernel.primitives import (
    Floats,
    Ints,
    chance_outcomes,
    keep_state,
    signed_key,
    state_words,
    take_state,
)
from gametree.search.core.plays import CLOSE
from gametree.search.core.runner import prepare
from gametree.search.core.stopwatch import StopWatch
from gametree.search.hidden.sequence_form import (
    MOST_NODES,
    MOST_PLIES,
    InformationSet,
    SequenceForm,
    observed,
    sequence_form,
    too_large,
)

DONE, FULL, TROUBLE = range(3)
FEW: Final = 2_000
"""So many nodes are listed before the rules are compiled for it."""
QUICK: Final = 5_000_000
"""Nanoseconds within which the compiled rules are to come back."""
CHUNK: Final = 100_000
"""So many nodes are listed between two questions whether to stop."""
SETS: Final = 1 << 15
"""Room for so many information sets at first, and for eight times as many payoffs."""
STACK: Final = 1 << 12
"""Room for so many nodes that are still to be looked at."""
STEP: Final = 1_000_003
BITS: Final = (1 << 42) - 1


class Walk(Memory):
    """What is known of a game's sequences, and the nodes that are still to be looked at."""

    nodes: int
    top: int
    sets: int
    entries: int
    most_sets: int
    most_entries: int
    most_open: int
    set_mask: int
    entry_mask: int
    sequences: Ints
    """How many each player has."""
    here: Ints
    """The sequences of the players at the node that is looked at."""
    open: Ints
    """The states of open nodes …"""
    played: Ints
    """… the sequence of every player there …"""
    odds: Floats
    """… how likely chance is to lead there, and how deep they lie."""
    depth: Ints
    keys: Ints
    """Of each information set: its key, whose it is, its sequences, a digest of its actions, and one of its states."""
    owner: Ints
    parent: Ints
    first: Ints
    count: Ints
    digest: Ints
    states: Ints
    set_slots: Ints
    rows: Ints
    """Of each combination of sequences with which plays end: those of all, how likely chance is, what all get."""
    weights: Floats
    payoffs: Floats
    entry_slots: Ints


def place_of(walk: Walk, key: int) -> int:
    """Where an information set stands in the table, or the empty place where it belongs."""
    slot = key & walk.set_mask
    while walk.set_slots[slot] != 0 and walk.keys[walk.set_slots[slot] - 1] != key:
        slot = slot + 1 & walk.set_mask
    return slot


def entry_of(walk: Walk, at: int, players: int) -> int:
    """The entry for the sequences of an open node, a new one where there is none; −1 where there is no more room."""
    mixed = 0
    for player in range(players):
        mixed = (mixed * STEP ^ walk.played[at + player]) & BITS
    slot = (mixed ^ mixed >> 19) & walk.entry_mask
    while walk.entry_slots[slot] != 0:
        entry = walk.entry_slots[slot] - 1
        same = True
        for player in range(players):
            if walk.rows[entry * players + player] != walk.played[at + player]:
                same = False
        if same:
            return entry
        slot = slot + 1 & walk.entry_mask
    entry = walk.entries
    if entry >= walk.most_entries:
        return -1
    walk.entry_slots[slot] = entry + 1
    walk.entries = entry + 1
    for player in range(players):
        walk.rows[entry * players + player] = walk.played[at + player]
    return entry


def explore(game: Any, state: Any, players: int, upto: int, walk: Walk) -> int:
    """Looks at open nodes up to a number, `state` being the first of all. DONE, FULL, or TROUBLE with the rules."""
    width = state_words(game)
    if walk.nodes == 0:
        keep_state(game, state, walk.open, 0)
        walk.odds[0] = 1.0
        walk.top = 1
    while walk.top > 0 and walk.nodes < upto:
        at = walk.top - 1
        here = take_state(game, walk.open, at * width)
        odds = walk.odds[at]
        depth = walk.depth[at]
        if game.is_terminal(here):
            entry = entry_of(walk, at * players, players)
            if entry < 0:
                return FULL
            walk.weights[entry] += odds
            for player in range(players):
                payoff = 1.0 * game.utility(here, player)
                if not abs(payoff) < math.inf:
                    return TROUBLE
                walk.payoffs[entry * players + player] += odds * payoff
            walk.top = at
            walk.nodes += 1
            continue
        if depth >= MOST_PLIES:
            return TROUBLE
        for player in range(players):
            walk.here[player] = walk.played[at * players + player]
        mover = game.player(here)
        children = 0
        if mover == CHANCE:
            total = 0.0
            for _, probability in chance_outcomes(game, here):
                p = 1.0 * probability
                if not p >= 0.0:
                    return TROUBLE
                total += p
                if p > 0.0:
                    children += 1
            if not abs(total - 1.0) <= CLOSE:
                return TROUBLE
            if at + children > walk.most_open:
                return FULL
            child = at + children
            for outcome, probability in chance_outcomes(game, here):
                p = 1.0 * probability
                if p > 0.0:
                    child -= 1
                    keep_state(game, game.result(here, outcome), walk.open, child * width)
                    walk.odds[child] = odds * p
                    walk.depth[child] = depth + 1
                    for player in range(players):
                        walk.played[child * players + player] = walk.here[player]
        else:
            if mover < 0 or mover >= players:
                return TROUBLE
            digest = 0
            for action in game.actions(here):
                digest = (digest * STEP ^ (signed_key(action) & BITS)) & BITS
                children += 1
            if children == 0:
                return TROUBLE
            key = signed_key(game.observe(here, mover)) ^ mover + 1
            slot = place_of(walk, key)
            known = walk.set_slots[slot] - 1
            if known < 0:
                known = walk.sets
                if known >= walk.most_sets:
                    return FULL
                if at + children > walk.most_open:
                    return FULL
                walk.set_slots[slot] = known + 1
                walk.keys[known] = key
                walk.owner[known] = mover
                walk.parent[known] = walk.here[mover]
                walk.first[known] = walk.sequences[mover]
                walk.count[known] = children
                walk.digest[known] = digest
                keep_state(game, here, walk.states, known * width)
                walk.sequences[mover] += children
                walk.sets = known + 1
            elif (
                walk.owner[known] != mover
                or walk.parent[known] != walk.here[mover]
                or walk.count[known] != children
                or walk.digest[known] != digest
            ):
                return TROUBLE
            if at + children > walk.most_open:
                return FULL
            child = at + children
            sequence = walk.first[known]
            for action in game.actions(here):
                child -= 1
                keep_state(game, game.result(here, action), walk.open, child * width)
                walk.odds[child] = odds
                walk.depth[child] = depth + 1
                for player in range(players):
                    walk.played[child * players + player] = walk.here[player]
                walk.played[child * players + mover] = sequence
                sequence += 1
        walk.top = at + children
        walk.nodes += 1
    return DONE


def listed(
    game: Game,
    state: Any = None,
    *,
    compile: str = "auto",
    most_nodes: int = MOST_NODES,
    watch: StopWatch | None = None,
) -> SequenceForm | None:
    """The sequence form with floats, by compiled rules where there are many nodes; None where it was told to stop."""
    state = check_state(game, state)
    told_to_stop = None if watch is None else lambda: not watch.look_up()
    if compile != "always":
        try:
            few = most_nodes if compile == "never" else min(FEW, most_nodes)
            return sequence_form(game, state, most_nodes=few, watch=watch)
        except UnsuitableError:
            if compile == "never" or most_nodes <= FEW:
                raise
    with contextlib.nullcontext() if watch is None else watch.paused():
        native = prepare(explore, game, [state], compile == "always")
    if native is None:
        return sequence_form(game, state, most_nodes=most_nodes, watch=watch)
    room = SETS
    while True:
        walk = _memory(game, native, room)
        status, chunk = DONE, CHUNK if watch is None else 1
        while status == DONE and (walk.top or not walk.nodes):
            if told_to_stop is not None and told_to_stop():
                return None
            if walk.nodes > most_nodes:
                raise UnsuitableError(too_large(game, most_nodes))
            begun = now()
            status = native(state, game.players, walk.nodes + chunk, walk)
            chunk = min(CHUNK, 2 * chunk) if now() - begun < QUICK else max(1, chunk // 2)
        if status == DONE:
            return _form(game, native, walk)
        if status == TROUBLE:  # the plain walk finds it, too, and says what it is
            return sequence_form(game, state, most_nodes=most_nodes, watch=watch)
        room *= 8


def _memory(game: Game, native: Any, room: int) -> Walk:
    import numpy as np

    players, words = game.players, native.native.codec.size
    opened = STACK * room // SETS

    def ints(size: int) -> Any:
        return np.zeros(size, dtype=np.int64)

    return Walk.allocate(
        True,
        most_sets=room,
        most_entries=8 * room,
        most_open=opened,
        set_mask=2 * room - 1,
        entry_mask=16 * room - 1,
        sequences=np.ones(players, dtype=np.int64),
        here=ints(players),
        open=ints((opened + 1) * words),
        played=ints((opened + 1) * players),
        odds=np.zeros(opened + 1),
        depth=ints(opened + 1),
        keys=ints(room),
        owner=ints(room),
        parent=ints(room),
        first=ints(room),
        count=ints(room),
        digest=ints(room),
        states=ints(room * words),
        set_slots=ints(2 * room),
        rows=ints(8 * room * players),
        weights=np.zeros(8 * room),
        payoffs=np.zeros(8 * room * players),
        entry_slots=ints(16 * room),
    )


def _form(game: Game, native: Any, walk: Any) -> SequenceForm:
    """What was walked over, player by player."""
    players, codec, size, entries = game.players, native.native.codec, walk.sets, walk.entries
    owner, words = walk.owner[:size], codec.size
    mine = [(owner == player).nonzero()[0] for player in range(players)]
    states = walk.states[: size * words].reshape(size, words).copy()
    parent, first, count = (
        [array[:size][which] for which in mine] for array in (walk.parent, walk.first, walk.count)
    )

    def describe() -> tuple[tuple[InformationSet, ...], ...]:
        found = []
        for player, which in enumerate(mine):
            row = []
            for i, number in enumerate(which):
                state = codec.unpack(states[number].tobytes())
                actions = tuple(game.actions(state))
                names = tuple(game.name_action(state, action) for action in actions)
                seen = observed(game, state, player)
                row.append(
                    InformationSet(
                        player, seen, actions, names, int(parent[player][i]), int(first[player][i]), state
                    )
                )
            found.append(tuple(row))
        return tuple(found)

    return SequenceForm(
        game,
        parent,
        first,
        count,
        rows=walk.rows[: entries * players].reshape(entries, players).copy(),
        weights=walk.weights[:entries].copy(),
        payoffs=walk.payoffs[: entries * players].reshape(entries, players).copy(),
        nodes=walk.nodes,
        describe=describe,
    )
