"""Judging what a game tells the exact solver: margins at the end, bounds and sensible actions before it.

Whether a bound is true takes a search. What a look one ply ahead can tell is whether bounds contradict each other.
"""

from collections.abc import Iterator
from typing import Any

from gametree.checking.asking import Answers, Asker, Failure, Trouble, problem, short, who
from gametree.checking.elements import number, whole
from gametree.game import FARTHEST, offers

_MOST_ACTIONS = 60


def hints(asker: Asker, state: Any, answers: Answers) -> Iterator[Trouble]:
    """What is wrong with the hints at a state."""
    game = asker.game
    if game.players != 2 or game.total != 0 or answers.at_chance or "actions" in asker.endless:
        return
    if not any(offers(game, name) for name in ("margin", "prospects", "sensible")):
        return
    if answers.terminal:
        yield from _at_the_end(asker, state, answers)
    elif answers.terminal is False and 0 < len(answers.moves) <= _MOST_ACTIONS:
        yield from _before_it(asker, state, answers)


def _at_the_end(asker: Asker, state: Any, answers: Answers) -> Iterator[Trouble]:
    first, second = (who(asker.game, player) for player in (0, 1))
    margins = [asker.ask("margin", state, player) for player in (0, 1)]
    if any(isinstance(margin, Failure) for margin in margins):
        if offers(asker.game, "margin"):
            yield from (margin.trouble() for margin in margins[:1] if isinstance(margin, Failure))
        return
    if not all(whole(margin) and abs(margin) <= FARTHEST for margin in margins):
        yield problem(
            "margin-number",
            f"`margin` returned {short(margins[0])} for {first} and {short(margins[1])} for {second}",
            f"A margin is a whole number from −{FARTHEST} to {FARTHEST}",
        )
        return
    payoff = number(answers.get("utility", 0)) or 0.0
    if margins[0] != -margins[1] or (margins[0] > 0) != (payoff > 0) or (margins[0] < 0) != (payoff < 0):
        yield problem(
            "margin-sign",
            f"`margin` returned {margins[0]} for {first} and {margins[1]} for {second}, where `utility` gives"
            f" {payoff:g} to {first}",
            "What one player wins the other loses, and whoever wins has the positive margin",
        )
        return
    bounds = _bounds(asker, state)
    mover = asker.ask("player", state)
    if isinstance(bounds, Trouble):
        yield bounds
    elif mover in (0, 1) and bounds != (margins[mover], margins[mover]):
        yield problem(
            "prospects-end",
            f"`prospects` returned {short(bounds)} at the end of the game, where the margin of"
            f" {who(asker.game, mover)} is {margins[mover]}",
            "At a terminal state both numbers are the margin of the player whom `player` names",
        )


def _before_it(asker: Asker, state: Any, answers: Answers) -> Iterator[Trouble]:
    bounds = _bounds(asker, state)
    if isinstance(bounds, Trouble):
        yield bounds
        return
    low, high = bounds
    promises: list[tuple[int, int]] = []
    for action in answers.moves:
        child = asker.ask("result", state, action)
        found = Failure("result", "", "", "") if isinstance(child, Failure) else _bounds(asker, child)
        if not isinstance(found, tuple):
            return
        turned = asker.ask("player", child) != answers.mover
        promises.append((-found[1], -found[0]) if turned else found)
    at_least, at_most = max(low for low, _ in promises), max(high for _, high in promises)
    if low > at_most or high < at_least:
        yield problem(
            "prospects-contradiction",
            f"`prospects` returned {short(bounds)}, but after the best action they say {short((at_least, at_most))}",
            "Both cannot be true: the margin of a state is that of its best action",
        )
        return
    if low < high:
        yield from _sensible(asker, state, answers, promises)


def _sensible(
    asker: Asker, state: Any, answers: Answers, promises: list[tuple[int, int]]
) -> Iterator[Trouble]:
    chosen = asker.listed("sensible", state)
    if isinstance(chosen, Failure):
        yield chosen.trouble()
        return
    foreign = [action for action in chosen if action not in answers.moves]
    if foreign or not chosen:
        yield problem(
            "sensible-subset",
            f"`sensible` gives {short(chosen)} of `actions` {short(answers.moves)}",
            "Sensible actions are some of the legal ones, at least one where `prospects` leaves the margin open",
        )
        return
    kept = max(high for action, (_, high) in zip(answers.moves, promises) if action in chosen)
    for action, (low, _) in zip(answers.moves, promises):
        if low > kept:
            yield problem(
                "sensible-loss",
                f"`sensible` leaves out {short(action)}, which is better than all that it gives",
                "Leave out only what does not change the margin of the state",
            )
            return


def _bounds(asker: Asker, state: Any) -> tuple[int, int] | Trouble:
    """What `prospects` says, or what is wrong with it."""
    said = asker.ask("prospects", state)
    if isinstance(said, Failure):
        return said.trouble()
    match said:
        case (low, high) if whole(low) and whole(high) and low <= high:
            return int(low), int(high)
    return problem(
        "prospects-bounds",
        f"`prospects` returned {short(said)}",
        "Return two whole numbers between which the margin will be, the lower one first",
    )
