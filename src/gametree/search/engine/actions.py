"""The actions of a node: which one is looked at first, and which are looked at less deep or left out.

The better the order, the more of the tree is never looked at. The action that the table remembers comes first. The
others follow by the game's `order`, and among equals killers, the answer that worked against the action before (the
counter-move), and the history of cut-offs decide. Where a game has no `order`, what `evaluate` says one ply further on
and the history decide together.

What a selective search leaves out is measured in usual steps of the estimate (`node.usual_step`).
"""

from typing import Any, NamedTuple

from gametree.kernel.clock import BY_STACK, Clock
from gametree.kernel.primitives import (
    CODES,
    WON,
    Ints,
    action_code,
    action_words,
    bits,
    estimate,
    keep,
    outcome,
    take,
    threatens,
)
from gametree.search.engine.memory import (
    FRAME_PLIES,
    MOST_REDUCED,
    NOT_JUDGED,
    SHELF_WORDS,
    EngineMemory,
)
from gametree.search.engine.node import EXACT, INFINITY, LAYOUT, LOWER, STOPPED, Known, Node, View
from gametree.search.engine.profiles import (
    BY_COUNTER,
    BY_EVALUATION,
    BY_HISTORY,
    BY_KILLERS,
    FORESIGHT,
    FUTILITY,
    LMP,
    LMR,
    SELECTIVE,
    SINGULAR,
    TOGETHER,
)

RANK, PLACE, ESTIMATE, ACTION = range(4)
"""What lies on the shelf for an action, from where it begins."""
FROM_TABLE = 1 << 62
WINNING = 1 << 60
KILLER_1, KILLER_2, COUNTER = 1 << 19, (1 << 19) - 1, (1 << 19) - 2
ORDERED = 1 << 21
"""What 1/1024 of the game's `order` counts: more than everything that is remembered."""
BOUND = 1 << 18
"""The greatest number in the history, on either side."""

DEEPEST_GLANCE = 7
"""Plies from the horizon up to which an estimate may settle a state, or leave out an action."""
DEEPEST_LOSING = 3
"""The same for an action that the game's `order` puts below zero."""
DEEPEST_AT_ROOT = 12
"""The depth up to which late actions at the root are looked at less deep: who thinks longer can look at all of them,
and a sacrifice is late at first sight."""
OMITTED = -1

MARKS = 1 << 12
BUCKET_WORDS = LAYOUT.bucket_words
SHALLOWEST = 3
"""Below this depth an action is searched sooner than asked about."""
PUT_OFF = -(1 << 62)
"""The rank of an action that was put off: once is enough."""


def shelf_width(game: Any) -> int:
    """How many words of the shelf an action takes, with what lies there for it."""
    return ACTION + action_words(game)


class Row(NamedTuple):
    """The actions of a node on the shelf."""

    top: int
    """Where they begin."""
    n: int
    """How many they are; 0 where there was no room."""
    first: int
    """1 where the first is from the table, and has no rank of its own; else 0."""


def shelve(game: Any, state: Any, node: Node, hint: int, memory: EngineMemory, clock: Clock) -> Row:
    """Puts the actions of a state on the shelf, the one at the place `hint` first."""
    shelf = memory.shelf
    top = memory.top[node.plies]
    width = shelf_width(game)
    n = 0
    for action in game.actions(state):
        at = top + n * width
        if at + width > SHELF_WORDS:
            clock.stop = BY_STACK
            return Row(top, 0, 0)
        keep(game, action, shelf, at + ACTION)
        shelf[at + PLACE] = n
        shelf[at + RANK] = FROM_TABLE if n == hint else 0
        shelf[at + ESTIMATE] = NOT_JUDGED
        n += 1
    if n == 0:
        raise ValueError("a state that is not terminal has no actions")
    first = 1 if 0 <= hint < n else 0
    if first == 1:
        bring_up(shelf, top, 0, n, width)
    return Row(top, n, first)


def may_be_singular(node: Node, row: Row, known: Known, seen: View, memory: EngineMemory) -> bool:
    """Whether the action from the table is so good, and so well known, that it may be without an equal."""
    return (
        memory.features & SINGULAR != 0
        and row.first == 1
        and row.n > 1
        and node.plies < 2 * memory.root_depth
        and node.excluded < 0
        and node.depth >= 6
        and known.depth >= node.depth - 3
        and known.bound in (LOWER, EXACT)
        and abs(known.score) < WON
        and seen.usual < INFINITY
    )


def rank_all(game: Any, state: Any, node: Node, row: Row, memory: EngineMemory) -> None:
    """Ranks the actions of a row, but for the one from the table: the greater, the earlier."""
    on = memory.features
    shelf = memory.shelf
    judged = node.depth >= 2 and game.offered.evaluate and on & BY_EVALUATION != 0
    before_it = STOPPED
    width = shelf_width(game)
    for at in range(row.top + row.first * width, row.top + row.n * width, width):
        action = take(game, shelf, at + ACTION)
        code = action_code(action)
        if game.offered.order:
            wish = max(-1e6, min(1e6, game.order(state, action)))
            rank = _remembered(code, node, memory) + int(wish * 1024.0) * ORDERED
        elif judged:
            worth = _judged(game, game.result(state, action), node.sign, memory)
            if abs(worth) < WON:
                shelf[at + ESTIMATE] = bits(node.sign * worth)
            _note_spread(abs(worth - before_it), memory)
            before_it = worth
            rank = _on_scale(worth, memory)
            if on & BY_HISTORY:
                rank += memory.history[node.mover * CODES + code]
            if on & BY_COUNTER and _answers(code, node, memory):
                rank += BOUND // 8
        else:
            rank = _remembered(code, node, memory)
        shelf[at + RANK] = rank


def _remembered(code: int, node: Node, memory: EngineMemory) -> int:
    """What happened to an action elsewhere in the tree."""
    on = memory.features
    if on & BY_KILLERS and node.plies < FRAME_PLIES:
        if memory.killers[2 * node.plies] == code + 1:
            return KILLER_1
        if memory.killers[2 * node.plies + 1] == code + 1:
            return KILLER_2
    if on & BY_COUNTER and _answers(code, node, memory):
        return COUNTER
    return memory.history[node.mover * CODES + code] if on & BY_HISTORY else 0


def _answers(code: int, node: Node, memory: EngineMemory) -> bool:
    """Whether an action is what cut against the action before."""
    before = memory.before[node.plies]
    return before > 0 and memory.answers[node.mover * CODES + before - 1] == code + 1


def _judged(game: Any, child: Any, sign: float, memory: EngineMemory) -> float:
    """What the mover would get by the estimate of the state that an action leads to."""
    memory.evaluations += 1
    return sign * (outcome(game, child, 1) if game.is_terminal(child) else estimate(game, child))


def _note_spread(step: float, memory: EngineMemory) -> None:
    """Counts by how much the estimates of two actions of one state differ."""
    if step > 0.0 and step < WON:
        memory.spread += step
        memory.spreads += 1
        if memory.spreads >= 1 << 16:
            memory.spread /= 2.0
            memory.spreads //= 2


def _on_scale(worth: float, memory: EngineMemory) -> int:
    """An estimate as a rank: the usual difference between two actions weighs as much as the whole history."""
    if worth > WON:
        return WINNING
    if worth != worth or memory.spreads == 0:
        return 0
    unit = memory.spread / memory.spreads
    return int(max(-1e9, min(1e9, worth / unit)) * (BOUND // 2))


def bring_up(shelf: Ints, top: int, k: int, n: int, width: int) -> int:
    """Moves the highest rank from place k on to place k, the others keeping their order among equals."""
    at = top + k * width
    pick = at
    for other in range(at + width, top + n * width, width):
        if shelf[other] > shelf[pick]:
            pick = other
    if pick != at:
        for word in range(width):
            kept = shelf[at + word]
            shelf[at + word] = shelf[pick + word]
            shelf[pick + word] = kept
    return at


# --- an action whose turn it is ---------------------------------------------------------------------------


class Turn(NamedTuple):
    """An action whose turn it is."""

    at: int
    """Where it lies on the shelf."""
    place: int
    """Where it stands in the order of `actions`."""
    ranked: bool
    """Whether its rank says something: that of the action from the table does not."""
    tried: int
    """How many actions were searched before it."""
    dispensable: bool
    """Whether it may be left out: a better one than a loss is known, and no more than a bound is asked for."""
    late: bool
    marked: bool
    """Whether other threads are told that it is being searched."""


def draw(
    game: Any, k: int, node: Node, seen: View, row: Row, tried: int, best: float, memory: EngineMemory
) -> Turn:
    """The k-th action, in order of rank.

    Once actions are late, all that follow are left out but for threats: their order does not matter any more.
    """
    on = memory.features
    width = shelf_width(game)
    dispensable = tried > 0 and not node.principal and not seen.urgent and best > -WON
    near = dispensable and on & LMP != 0 and node.depth <= DEEPEST_GLANCE
    late = near and is_late(tried, node.depth, seen.improving)
    ranked = k >= row.first
    at = row.top + k * width
    if ranked and not late:
        bring_up(memory.shelf, row.top, k, row.n, width)
    marked = on & TOGETHER != 0 and tried > 0 and node.depth >= SHALLOWEST
    if marked:
        at = undisturbed(game, node.key, row.top, k, row.n, memory)
    return Turn(at, memory.shelf[at + PLACE], ranked, tried, dispensable, late, marked)


def is_late(tried: int, depth: int, improving: bool) -> bool:
    """Whether so many actions have been tried that none of the others will be better (late move pruning)."""
    enough = 3 + depth * depth
    return tried > (enough if improving else enough // 2)


def less_deep(
    game: Any, state: Any, action: Any, node: Node, seen: View, row: Row, turn: Turn, memory: EngineMemory
) -> int:
    """By how many plies less deep an action is searched at first; OMITTED where it is left out altogether.

    An action that threatens is neither reduced nor left out. Whether it does is asked only where it matters: it costs
    as much as making it.
    """
    on = memory.features
    depth = node.depth
    shallow = node.plies > 0 or depth <= DEEPEST_AT_ROOT
    reducible = on & LMR != 0 and turn.tried >= 2 and depth >= 3 and row.n > 3 and shallow and not seen.urgent
    if on & SELECTIVE == 0 or not (turn.dispensable or reducible) or threatens(game, state, action):
        return 0
    rank = memory.shelf[turn.at + RANK]
    # A late action is first searched less deep: only where it surprises is it worth the whole depth.
    less = 0
    if reducible:
        less = memory.reductions[
            min(depth, MOST_REDUCED - 1) * MOST_REDUCED + min(turn.tried, MOST_REDUCED - 1)
        ]
        if node.principal:
            less -= 1
        elif not seen.improving:
            less += 1
        less = max(0, less - spared(game, rank))
    # At a small depth it will hardly be better; nor will one that loses something, or a calm one where much is
    # missing. With foresight the depth is what such an action would get.
    if turn.dispensable:
        if turn.late:
            return OMITTED
        if on & FUTILITY and game.offered.tactical and turn.ranked and rank < ORDERED:
            if game.offered.order and depth <= DEEPEST_LOSING and rank < -ORDERED:
                return OMITTED
            soon = max(1, depth - less) if on & FORESIGHT else depth
            if soon <= DEEPEST_GLANCE and is_hopeless(seen.score, node.floor, soon, seen.usual):
                return OMITTED
    return less


def is_hopeless(judged: float, floor: float, depth: int, usual: float) -> bool:
    """Whether too much is missing for a calm action to make up for (futility)."""
    return judged + (1.0 + 0.8 * depth) * usual <= floor


def spared(game: Any, rank: int) -> int:
    """How many plies less an action is reduced for its rank; negative where the history speaks against it.

    It says something only of an action that the game's `order` does not set apart from others.
    """
    if not game.offered.order or abs(rank) >= ORDERED // 2:
        return 0
    if rank >= COUNTER:
        return 1
    return rank // (BOUND // 2) if rank >= 0 else -(-rank // (BOUND // 2))


def note_cut(game: Any, state: Any, node: Node, top: int, at: int, memory: EngineMemory) -> None:
    """The action at `at` cut: it is a killer at its ply and the answer to the one before, and counts in the history.

    Those from `top` on that were looked at before it count against themselves. Killers and answers are calm actions:
    the others have their place by the game's order.
    """
    on = memory.features
    action = take(game, memory.shelf, at + ACTION)
    code = action_code(action)
    calm = on & (BY_KILLERS | BY_COUNTER) != 0 and is_calm(game, state, action)
    killer = 2 * node.plies
    if calm and on & BY_KILLERS and node.plies < FRAME_PLIES and memory.killers[killer] != code + 1:
        memory.killers[killer + 1] = memory.killers[killer]
        memory.killers[killer] = code + 1
    before = memory.before[node.plies]
    if calm and on & BY_COUNTER and before > 0:
        memory.answers[node.mover * CODES + before - 1] = code + 1
    bonus = min(node.depth * node.depth * 16, 1 << 13)
    if on & BY_HISTORY:
        ours = node.mover * CODES
        _credit(ours + code, bonus, memory.history)
        for other in range(top, at, shelf_width(game)):
            _credit(ours + action_code(take(game, memory.shelf, other + ACTION)), -bonus, memory.history)


def is_calm(game: Any, state: Any, action: Any) -> bool:
    """Whether the game's `order` does not set an action apart."""
    return not game.offered.order or game.order(state, action) == 0.0


def _credit(at: int, bonus: int, history: Ints) -> None:
    """Adds to the history so that it never leaves its bounds: the nearer to one, the smaller the step."""
    history[at] += bonus * 16 - (history[at] * abs(bonus) >> 14)


# --- several threads --------------------------------------------------------------------------------------
#
# Two threads that search one tree in one order would find the same at the same time. So whoever begins to search an
# action that is not the first of its state leaves a mark, and who finds it marked takes another one first; when it
# comes back to the action, the value is mostly in the table (after ABDADA, Weill 1996, in the simple form of Kerrigan
# 2017). The marks lie behind the table. Losing one, or finding an old one, costs time and nothing else.


def undisturbed(game: Any, key: int, top: int, k: int, n: int, memory: EngineMemory) -> int:
    """Brings an action to place k that no other thread is searching, where there is one."""
    at = top + k * shelf_width(game)
    while memory.shelf[at] > PUT_OFF:
        word = _mark(game, key, at, memory)
        if memory.table[_place(word, memory)] != word:
            break
        memory.shelf[at] = PUT_OFF
        at = bring_up(memory.shelf, top, k, n, shelf_width(game))
    return at


def mark(game: Any, key: int, at: int, memory: EngineMemory) -> None:
    """Tells the others that the action at `at` is being searched."""
    word = _mark(game, key, at, memory)
    memory.table[_place(word, memory)] = word


def unmark(game: Any, key: int, at: int, memory: EngineMemory) -> None:
    """Takes the mark away."""
    memory.table[_place(_mark(game, key, at, memory), memory)] = 0


def _mark(game: Any, key: int, at: int, memory: EngineMemory) -> int:
    return key ^ action_code(take(game, memory.shelf, at + ACTION))


def _place(word: int, memory: EngineMemory) -> int:
    return BUCKET_WORDS * memory.buckets + (word & (MARKS - 1))
