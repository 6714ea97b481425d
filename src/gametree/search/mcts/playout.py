"""Default policies: how a simulation goes on where the tree ends.

- UNIFORM: every action is as likely as any other.
- LIKELY: in proportion to the game's `prior`.
- GREEDY: the action whose result `evaluate` likes best, and with a chance of ε any of them.

Either goes on to the end of the game, or, with a cut-off, for so many plies; what `evaluate` says then counts.
"""

from typing import Any

from gametree.game import CHANCE
from gametree.kernel.clock import BY_PLIES, BY_RULES, RUNNING, Clock
from gametree.kernel.primitives import Choice, action_words, keep, take
from gametree.kernel.random import below, unit
from gametree.search.core import repetition
from gametree.search.core.plays import MAX_ACTIONS
from gametree.search.core.repetition import Path
from gametree.search.mcts.amaf import stamp
from gametree.search.mcts.memory import (
    LONGEST,
    MANY_ACTIONS,
    MOVES,
    NO_ACTIONS,
    NO_NUMBER,
    Choosing,
    Settings,
    Thread,
)
from gametree.search.mcts.recurring import comes_back

UNIFORM, GREEDY, LIKELY = range(3)

LOOK_UP = 255
"""A simulation looks whether it has to stop whenever its length is divisible by one more than this."""


# --- the rules, as far as they differ from game to game -----------------------------------------------


def _dice(game: Any, state: Any) -> bool:
    return game.player(state) == CHANCE  # type: ignore[no-any-return]


def _no_dice(game: Any, state: Any) -> bool:
    return False


decided_by_chance: Choice = Choice("chance", _dice, _no_dice)
"""Whether nobody moves at a state."""


def _roll(game: Any, state: Any, thread: Choosing) -> int:
    draw = unit(thread)
    place = -1
    for outcome, probability in game.chance(state):
        place += 1
        keep(game, outcome, thread.shelf, 0)
        draw -= probability
        if draw < 0.0:
            break
    return place


def _no_roll(game: Any, state: Any, thread: Choosing) -> int:
    return -1


roll: Choice = Choice("chance", _roll, _no_roll)
"""Draws an outcome and lays it on the shelf; its place among the outcomes, −1 where there is none."""


def _judged(game: Any, state: Any, player: int) -> float:
    return float(game.evaluate(state, player))


def _not_judged(game: Any, state: Any, player: int) -> float:
    return 0.0


judged: Choice = Choice("evaluate", _judged, _not_judged)


def weight_of(game: Any, state: Any, action: Any) -> float:
    """How likely an action is, by the game's `prior`."""
    return max(0.0, float(game.prior(state, action)))


def shelve(game: Any, state: Any, thread: Choosing, clock: Clock) -> int:
    """Lays the actions of a state on the shelf; how many they are, 0 where the rules are wrong."""
    words = action_words(game)
    shelf = thread.shelf
    at = 0
    for action in game.actions(state):
        if at >= MAX_ACTIONS * words:
            thread.wrong = MANY_ACTIONS
            clock.stop = BY_RULES
            return 0
        keep(game, action, shelf, at)
        at += words
    if at == 0:
        thread.wrong = NO_ACTIONS
        clock.stop = BY_RULES
    return at // words


# --- what a state is worth ----------------------------------------------------------------------------


def opinion(game: Any, state: Any, player: int, settings: Settings) -> float:
    """What a state is worth to a player in payoffs, by `evaluate`."""
    if settings.width == 1 and player == 1:
        return settings.total - _between(judged(game, state, 0), settings)
    return _between(judged(game, state, player), settings)


def _between(judgement: float, settings: Settings) -> float:
    """A judgement as a payoff. Where wins lie beyond every judgement, x becomes x / (|x| + scale) of the way to one."""
    if not settings.squashed:
        return judgement
    ahead = judgement - settings.even
    share = ahead / (abs(ahead) + settings.scale)
    half = 0.5 * (settings.greatest - settings.least)
    return settings.least + half + half * share


def judge(game: Any, state: Any, settings: Settings, thread: Thread, clock: Clock) -> None:
    """Writes down what everybody gets, by `evaluate`."""
    for player in range(settings.width):
        thread.gains[player] = opinion(game, state, player, settings)
        if thread.gains[player] != thread.gains[player]:
            thread.wrong = NO_NUMBER
            clock.stop = BY_RULES


def pay(game: Any, state: Any, settings: Settings, thread: Thread, clock: Clock) -> None:
    """Writes down what everybody gets at the end of the game."""
    for player in range(settings.width):
        thread.gains[player] = game.utility(state, player)
        if thread.gains[player] != thread.gains[player]:
            thread.wrong = NO_NUMBER
            clock.stop = BY_RULES


def pay_repetition(mover: int, settings: Settings, thread: Thread, path: Path) -> None:
    """Writes down what everybody gets where `mover` has brought about a position once more."""
    thread.gains[0] = repetition.payoff(mover, path)
    if settings.width > 1:
        thread.gains[1] = settings.total - thread.gains[0]


# --- the playout --------------------------------------------------------------------------------------


def playout(
    game: Any, state: Any, ply: int, settings: Settings, thread: Thread, clock: Clock, path: Path
) -> None:
    """Plays on from a state that is not terminal and writes down what everybody gets; not where it is told to stop."""
    words = action_words(game)
    end = ply + settings.cutoff
    while not game.is_terminal(state):
        thread.plies = ply
        if ply >= end:
            if settings.cutoff >= LONGEST:
                clock.stop = BY_PLIES
            else:
                judge(game, state, settings, thread, clock)
            return
        if ply & LOOK_UP == LOOK_UP and clock.stop != RUNNING:
            return
        if decided_by_chance(game, state):
            place = roll(game, state, thread)
            path.places[MOVES + ply] = place
            if place < 0:
                thread.wrong = NO_ACTIONS
                clock.stop = BY_RULES
                return
            state = game.result(state, take(game, thread.shelf, 0))
            ply += 1
            continue
        count = shelve(game, state, thread, clock)
        if count == 0:
            return
        place = below(thread, count)
        # What a game does not offer is no part of the code: its loops would slow down the others.
        if (
            game.offered.evaluate
            and settings.default_policy == GREEDY
            and unit(thread) >= settings.playout_epsilon
        ):
            place = _favourite(game, state, count, settings, thread)
        elif game.offered.prior and settings.default_policy == LIKELY:
            place = _likely(game, state, count, thread)
        path.places[MOVES + ply] = place
        action = take(game, thread.shelf, place * words)
        child = game.result(state, action)
        if game.repetition is not None:
            left = count
            while not game.is_terminal(child) and comes_back(game, child, ply + 1, thread, clock, path):
                if path.rule != repetition.FORBID:
                    pay_repetition(game.player(state), settings, thread, path)
                    return
                # Another action takes its place on the shelf.
                left -= 1
                if left == 0:
                    clock.stop = BY_RULES
                    return
                keep(game, take(game, thread.shelf, left * words), thread.shelf, place * words)
                place = below(thread, left)
                path.places[MOVES + ply] = -1
                action = take(game, thread.shelf, place * words)
                child = game.result(state, action)
        if settings.amaf:
            stamp(action, game.player(state), ply, thread, clock)
        state = child
        ply += 1
    thread.plies = ply
    pay(game, state, settings, thread, clock)


def _likely(game: Any, state: Any, count: int, thread: Thread) -> int:
    """The place of an action drawn in proportion to its prior.

    Any is drawn, and taken with its prior over the greatest that was ever met as chance. Where that fails as often as
    there are actions, all priors are asked for.
    """
    words = action_words(game)
    for _ in range(count):
        place = below(thread, count)
        weight = weight_of(game, state, take(game, thread.shelf, place * words))
        heaviest = max(weight, thread.heaviest)
        thread.heaviest = heaviest
        if unit(thread) * heaviest < weight:
            return place
    chosen = 0
    total = 0.0
    for place in range(count):
        weight = weight_of(game, state, take(game, thread.shelf, place * words))
        total += weight
        if unit(thread) * total < weight:
            chosen = place
    return chosen


def _favourite(game: Any, state: Any, count: int, settings: Settings, thread: Thread) -> int:
    """The place of the action whose result is worth most to the mover, by its payoff or by `evaluate`."""
    words = action_words(game)
    mover = game.player(state)
    chosen = 0
    best = 0.0
    for place in range(count):
        child = game.result(state, take(game, thread.shelf, place * words))
        worth = (
            game.utility(child, mover) if game.is_terminal(child) else opinion(game, child, mover, settings)
        )
        if place == 0 or worth > best:
            chosen = place
            best = worth
    return chosen
