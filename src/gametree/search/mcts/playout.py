"""Default policies: how a simulation goes on where the tree ends.

- UNIFORM: every action is as likely as any other.
- LIKELY: in proportion to the game's `prior`.
- GREEDY: the action whose result `evaluate` likes best, and with a chance of ε any of them.

Either goes on to the end of the game, or, with a cut-off, for so many plies; what `evaluate` says then counts.
"""

from typing import Any

from gametree.game import CHANCE
from gametree.kernel.primitives import (
    BY_PLIES,
    BY_RULES,
    RUNNING,
    STOP,
    Choice,
    Floats,
    Ints,
    action_words,
    bits,
    has_repetition,
    keep,
    take,
    unbits,
)
from gametree.kernel.random import below, unit
from gametree.search.core import repetition
from gametree.search.core.repetition import Path
from gametree.search.mcts.amaf import stamp
from gametree.search.mcts.recurring import comes_back
from gametree.search.mcts.words import (
    AMAF,
    CARELESS,
    CUTOFF,
    DEFAULT,
    EVEN,
    GREATEST,
    GREEDY,
    HEAVIEST,
    LEAST,
    LIKELY,
    LONGEST,
    MANY_ACTIONS,
    MOVES,
    NO_ACTIONS,
    NO_NUMBER,
    PLIES,
    RANDOM,
    SCALE,
    SQUASHED,
    TOTAL,
    WIDTH,
    WRONG,
)

LOOK_UP = 255
"""A simulation looks whether it has to stop whenever its length is divisible by one more than this."""


# --- the rules, as far as they differ from game to game -----------------------------------------------


def _dice(game: Any, state: Any) -> bool:
    return game.player(state) == CHANCE  # type: ignore[no-any-return]


def _no_dice(game: Any, state: Any) -> bool:
    return False


decided_by_chance = Choice("chance", _dice, _no_dice)
"""Whether nobody moves at a state."""


def _roll(game: Any, state: Any, at: int, ledger: Ints) -> int:
    draw = unit(ledger, RANDOM)
    place = -1
    for outcome, probability in game.chance(state):
        place += 1
        keep(game, outcome, ledger, at)
        draw -= probability
        if draw < 0.0:
            break
    return place


def _no_roll(game: Any, state: Any, at: int, ledger: Ints) -> int:
    return -1


roll = Choice("chance", _roll, _no_roll)
"""Draws an outcome and lays it down at `at`; its place among the outcomes, −1 where there is none."""


def _judged(game: Any, state: Any, player: int) -> float:
    return float(game.evaluate(state, player))


def _not_judged(game: Any, state: Any, player: int) -> float:
    return 0.0


judged = Choice("evaluate", _judged, _not_judged)


def _by_prior(game: Any, state: Any, action: Any) -> float:
    return max(0.0, float(game.prior(state, action)))


def _by_nothing(game: Any, state: Any, action: Any) -> float:
    return 1.0


weight_of = Choice("prior", _by_prior, _by_nothing)
"""How likely an action is, by the game's `prior`."""


def shelve(game: Any, state: Any, shelf: int, most: int, ledger: Ints) -> int:
    """Lays the actions of a state down from `shelf` on; how many they are, 0 where the rules are wrong."""
    words = action_words(game)
    at = shelf
    for action in game.actions(state):
        if at >= shelf + most * words:
            ledger[WRONG] = MANY_ACTIONS
            ledger[STOP] = BY_RULES
            return 0
        keep(game, action, ledger, at)
        at += words
    if at == shelf:
        ledger[WRONG] = NO_ACTIONS
        ledger[STOP] = BY_RULES
    return (at - shelf) // words


# --- what a state is worth ----------------------------------------------------------------------------


def opinion(game: Any, state: Any, player: int, ledger: Ints) -> float:
    """What a state is worth to a player in payoffs, by `evaluate`."""
    if ledger[WIDTH] == 1 and player == 1:
        return unbits(ledger[TOTAL]) - _between(judged(game, state, 0), ledger)
    return _between(judged(game, state, player), ledger)


def _between(judgement: float, ledger: Ints) -> float:
    """A judgement as a payoff. Where wins lie beyond every judgement, x becomes x / (|x| + scale) of the way to one."""
    if ledger[SQUASHED] == 0:
        return judgement
    ahead = judgement - unbits(ledger[EVEN])
    share = ahead / (abs(ahead) + unbits(ledger[SCALE]))
    half = 0.5 * (unbits(ledger[GREATEST]) - unbits(ledger[LEAST]))
    return unbits(ledger[LEAST]) + half + half * share


def judge(game: Any, state: Any, gains: Floats, ledger: Ints) -> None:
    """Writes down what everybody gets, by `evaluate`."""
    for player in range(ledger[WIDTH]):
        gains[player] = opinion(game, state, player, ledger)
        if gains[player] != gains[player]:
            ledger[WRONG] = NO_NUMBER
            ledger[STOP] = BY_RULES


def pay(game: Any, state: Any, gains: Floats, ledger: Ints) -> None:
    """Writes down what everybody gets at the end of the game."""
    for player in range(ledger[WIDTH]):
        gains[player] = game.utility(state, player)
        if gains[player] != gains[player]:
            ledger[WRONG] = NO_NUMBER
            ledger[STOP] = BY_RULES


def pay_repetition(mover: int, gains: Floats, ledger: Ints, path: Path) -> None:
    """Writes down what everybody gets where `mover` has brought about a position once more."""
    gains[0] = repetition.payoff(mover, path)
    if ledger[WIDTH] > 1:
        gains[1] = unbits(ledger[TOTAL]) - gains[0]


# --- the playout --------------------------------------------------------------------------------------


def playout(
    game: Any, state: Any, ply: int, shelf: int, most: int, gains: Floats, ledger: Ints, path: Path
) -> None:
    """Plays on from a state that is not terminal and writes down what everybody gets; not where it is told to stop."""
    words = action_words(game)
    end = ply + ledger[CUTOFF]
    while not game.is_terminal(state):
        ledger[PLIES] = ply
        if ply >= end:
            if ledger[CUTOFF] >= LONGEST:
                ledger[STOP] = BY_PLIES
            else:
                judge(game, state, gains, ledger)
            return
        if ply & LOOK_UP == LOOK_UP and ledger[STOP] != RUNNING:
            return
        if decided_by_chance(game, state):
            place = roll(game, state, shelf, ledger)
            path.places[MOVES + ply] = place
            if place < 0:
                ledger[WRONG] = NO_ACTIONS
                ledger[STOP] = BY_RULES
                return
            state = game.result(state, take(game, ledger, shelf))
            ply += 1
            continue
        count = shelve(game, state, shelf, most, ledger)
        if count == 0:
            return
        place = below(ledger, RANDOM, count)
        if ledger[DEFAULT] == GREEDY and unit(ledger, RANDOM) >= unbits(ledger[CARELESS]):
            place = _favourite(game, state, count, shelf, ledger)
        elif ledger[DEFAULT] == LIKELY:
            place = _likely(game, state, count, shelf, ledger)
        path.places[MOVES + ply] = place
        action = take(game, ledger, shelf + place * words)
        child = game.result(state, action)
        if has_repetition(game):
            left = count
            while not game.is_terminal(child) and comes_back(game, child, ply + 1, ledger, path):
                if path.rule != repetition.FORBID:
                    pay_repetition(game.player(state), gains, ledger, path)
                    return
                # Another action takes its place on the shelf.
                left -= 1
                if left == 0:
                    ledger[STOP] = BY_RULES
                    return
                keep(game, take(game, ledger, shelf + left * words), ledger, shelf + place * words)
                place = below(ledger, RANDOM, left)
                path.places[MOVES + ply] = -1
                action = take(game, ledger, shelf + place * words)
                child = game.result(state, action)
        if ledger[AMAF] != 0:
            stamp(game, action, game.player(state), ply, ledger)
        state = child
        ply += 1
    ledger[PLIES] = ply
    pay(game, state, gains, ledger)


def _likely(game: Any, state: Any, count: int, shelf: int, ledger: Ints) -> int:
    """The place of an action drawn in proportion to its prior.

    Any is drawn, and taken with its prior over the greatest that was ever met as chance. Where that fails as often as
    there are actions, all priors are asked for.
    """
    words = action_words(game)
    for _ in range(count):
        place = below(ledger, RANDOM, count)
        weight = weight_of(game, state, take(game, ledger, shelf + place * words))
        heaviest = max(weight, unbits(ledger[HEAVIEST]))
        ledger[HEAVIEST] = bits(heaviest)
        if unit(ledger, RANDOM) * heaviest < weight:
            return place
    chosen = 0
    total = 0.0
    for place in range(count):
        weight = weight_of(game, state, take(game, ledger, shelf + place * words))
        total += weight
        if unit(ledger, RANDOM) * total < weight:
            chosen = place
    return chosen


def _favourite(game: Any, state: Any, count: int, shelf: int, ledger: Ints) -> int:
    """The place of the action whose result is worth most to the mover, by its payoff or by `evaluate`."""
    words = action_words(game)
    mover = game.player(state)
    chosen = 0
    best = 0.0
    for place in range(count):
        child = game.result(state, take(game, ledger, shelf + place * words))
        worth = game.utility(child, mover) if game.is_terminal(child) else opinion(game, child, mover, ledger)
        if place == 0 or worth > best:
            chosen = place
            best = worth
    return chosen
