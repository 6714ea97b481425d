"""Judging the six elements of a game, and chance, at one state."""

import math
from collections.abc import Iterator
from typing import Any, Final

from gametree.checking.asking import (
    NOTHING,
    Answers,
    Asker,
    Failure,
    Trouble,
    problem,
    remark,
    short,
    warning,
    who,
)
from gametree.checking.snapshot import equal, is_fixed
from gametree.game import Game

TOLERANCE: Final = 1e-9


def declarations(game: Game) -> Iterator[Trouble]:
    """What a game says about itself: players and their names, payoffs, total, teams."""
    if not whole(game.players) or game.players < 1:
        yield problem(
            "players", f"`players` is {short(game.players)}", "Declare a whole number of at least 1"
        )
        return
    names = game.player_names
    if not isinstance(names, tuple) or not all(isinstance(name, str) and name for name in names):
        yield problem(
            "player-names",
            f"`player_names` is {short(names)}",
            'Declare a tuple of texts, for example ("White", "Black")',
        )
    elif names and (len(names) != game.players or len(set(names)) != len(names)):
        yield problem(
            "player-names",
            f"`player_names` is {short(names)}, and there are {game.players} players",
            "Declare a name for each player, no two the same, or none at all",
        )
    match game.payoffs:
        case None:
            pass
        case (low, high) if number(low) is not None and number(high) is not None and low <= high:
            pass
        case other:
            yield problem(
                "payoffs",
                f"`payoffs` is {short(other)}",
                "Declare the least and the greatest payoff, for example (-1, 1), or None",
            )
    if game.total is not None and number(game.total) is None:
        yield problem(
            "total",
            f"`total` is {short(game.total)}",
            "Declare what the utilities of all players sum to, or None where that differs from end to end",
        )


def elements(asker: Asker, answers: Answers) -> Iterator[Trouble]:
    """What is wrong with the six elements at a state."""
    for key, failure in answers.failures():
        if failure.method == "actions" and answers.terminal:
            yield Failure(
                "actions",
                "raises-at-end",
                f"{failure.what}, at a terminal state",
                "No search asks there, but `perft` follows `actions` everywhere: give none instead",
            ).trouble("warning")
        else:
            of_action = key[0] in ("result", "order")
            yield failure.trouble(action=answers.moves[key[1]] if of_action else NOTHING)
    for method in sorted(answers.endless):
        yield problem(
            f"{method}-endless",
            f"`{method}` does not end: it kept on giving, and was left after many thousands",
            "Let the loop in it come to an end",
        )
    if answers.terminal:
        if answers.get("actions"):
            yield remark(
                "actions-at-end",
                f"`actions` gives {short(answers.get('actions'))} although the game is over",
                "That is allowed: searches ask `is_terminal` first; `perft` follows these actions",
            )
        return
    if answers.terminal is False:
        yield from _mover(asker, answers)


def _mover(asker: Asker, answers: Answers) -> Iterator[Trouble]:
    mover, players = answers.mover, asker.game.players
    if answers.at_chance:
        if "chance" in asker.offers:
            if answers.get("chance") is not None and "chance" not in answers.endless:
                yield from _chance(answers.get("chance"))
        else:
            yield problem(
                "chance-missing",
                "`player` returned CHANCE (-1), but the game defines no `chance`",
                "Define `chance(self, state)`, which gives pairs of an outcome and its probability",
            )
        return
    if isinstance(answers.said.get(("player",)), Failure):
        return
    if not whole(mover) or not 0 <= mover.__index__() < players:
        missing = ": is a `return` missing?" if mover is None else ""
        yield problem(
            "player-range",
            f"`player` returned {short(mover)}{missing}",
            f"Players are the whole numbers 0 to {players - 1}, because `players = {players}`; or CHANCE",
        )
    actions = answers.get("actions")
    if actions is not None and "actions" not in answers.endless:
        yield from _actions(actions, answers.in_a_set)


def _actions(actions: list[Any], in_a_set: bool) -> Iterator[Trouble]:
    if in_a_set and len(actions) > 1:
        salted = any(map(_salted, actions))
        yield Trouble(
            "actions-order" if salted else "actions-set",
            "problem" if salted else "warning",
            f"`actions` returned a set, {short(set(actions))}, which has no order of its own"
            + (": it differs from one run of Python to the next" if salted else ""),
            "The order decides between equal moves: return a tuple, or `sorted(...)`",
        )
    if not actions:
        yield problem(
            "dead-end",
            "`actions` gives nothing, but `is_terminal` says that the game is not over",
            "Let `is_terminal` be true there, or give an action that passes",
        )
    twice = repeated(actions)
    if twice is not NOTHING:
        yield problem(
            "actions-duplicate",
            f"`actions` gives {short(twice)} more than once",
            "Give every action once",
        )
    if any(action is None for action in actions):
        yield warning(
            "action-none",
            "`actions` gives None as an action",
            "An `Analysis` says None where there is no best action: call it something else",
        )
    unhashable = next((action for action in actions[:20] if not hashable(action)), NOTHING)
    if unhashable is not NOTHING:
        yield warning(
            "action-unhashable",
            f"`actions` gives {short(unhashable)}, which cannot be hashed",
            "Use a number, a string or a tuple, so that searches can keep statistics on it",
        )


def _chance(pairs: list[Any]) -> Iterator[Trouble]:
    probabilities = []
    for pair in pairs:
        if not isinstance(pair, (tuple, list)) or len(pair) != 2:
            yield problem(
                "chance-pair",
                f"`chance` gives {short(pair)}",
                "Give pairs of an outcome and its probability: (6, 1/36)",
            )
            return
        probability = number(pair[1])
        if probability is None or not 0 <= probability <= 1 + TOLERANCE:
            yield problem(
                "chance-probability",
                f"`chance` gives the outcome {short(pair[0])} with probability {short(pair[1])}",
                "A probability is a number from 0 to 1",
            )
            return
        probabilities.append(probability)
    total = math.fsum(probabilities)
    if abs(total - 1) > TOLERANCE:
        what = f"the probabilities of `chance` sum to {total:.10g}" if pairs else "`chance` gives no outcomes"
        yield problem("chance-sum", what, "They have to sum to 1, over all that can happen there")
    twice = repeated([pair[0] for pair in pairs])
    if twice is not NOTHING:
        yield warning(
            "chance-duplicate",
            f"`chance` gives the outcome {short(twice)} more than once",
            "Give it once, with the sum of its probabilities",
        )


class Ends:
    """The terminal states: what utilities are, and what they sum to over all ends."""

    def __init__(self, game: Game):
        self.game = game
        self.sums: set[float] = set()
        self.seen: int = 0
        self.least: float = math.inf
        self.greatest: float = -math.inf
        self.margins: set[float] = set()

    @property
    def by_margin(self) -> bool:
        """Whether games are won by more or less, so that the plays seen need not show the best that there is."""
        return len(self.margins) > 3

    def judge(self, asker: Asker, answers: Answers) -> Iterator[Trouble]:
        """What is wrong with the utilities at a terminal state."""
        payoffs = []
        for player in range(self.game.players):
            said = answers.said["utility", player]
            if isinstance(said, Failure):
                return
            payoff = number(said)
            if payoff is None or math.isinf(payoff):
                missing = ": is a `return` missing?" if said is None else ""
                yield problem(
                    "utility-number",
                    f"`utility` returned {short(said)} for {who(self.game, player)}{missing}",
                    "A payoff is a finite number, for every player at every terminal state",
                )
                return
            payoffs.append(payoff)
        self.seen += 1
        if not self.by_margin:
            self.margins.update(map(abs, payoffs))
        self.least = min(self.least, *payoffs)
        self.greatest = max(self.greatest, *payoffs)
        yield from self._sum(payoffs)
        yield from self._range(payoffs)
        yield from self._teams(asker, payoffs)

    def _sum(self, payoffs: list[float]) -> Iterator[Trouble]:
        declared = number(self.game.total)
        total = math.fsum(payoffs)
        if len(self.sums) < 10:
            self.sums.add(round(total, 9))
        if declared is not None and abs(total - declared) > TOLERANCE * max(1.0, *map(abs, payoffs)):
            yield problem(
                "utility-sum",
                f"`utility` gives {self._figures(payoffs)}: these sum to"
                f" {total:.10g}, not to {declared:.10g} (`total`)",
                self._which_total,
            )

    def _figures(self, payoffs: list[float]) -> str:
        if self.game.player_names:
            return ", ".join(
                f"{payoff:.10g} to {who(self.game, player)}" for player, payoff in enumerate(payoffs)
            )
        return f"{', '.join(f'{payoff:.10g}' for payoff in payoffs)} to players 0 to {len(payoffs) - 1}"

    def _which_total(self) -> str:
        if len(self.sums) == 1:
            (only,) = self.sums
            return f"Every end that was seen sums to {only:g}: declare `total = {only:g}`"
        return (
            "Ends differ in what they sum to: correct `utility`, or declare `total = None` if the players do"
            " not share out a fixed sum (minimax and alphabeta do not apply then)"
        )

    def _range(self, payoffs: list[float]) -> Iterator[Trouble]:
        match self.game.payoffs:
            case (low, high) if number(low) is not None and number(high) is not None and low <= high:
                for player, payoff in enumerate(payoffs):
                    if not low - TOLERANCE <= payoff <= high + TOLERANCE:
                        yield problem(
                            "utility-range",
                            f"`utility` gives {payoff:.10g} to {who(self.game, player)}, outside"
                            f" `payoffs = ({low:g}, {high:g})`",
                            self._which_payoffs,
                        )
                        return

    def _which_payoffs(self) -> str:
        seen = f"`payoffs = ({self.least:g}, {self.greatest:g})`"
        return f"Correct it, or declare the least and the greatest: {seen} has room for all that was seen"

    def _teams(self, asker: Asker, payoffs: list[float]) -> Iterator[Trouble]:
        if "team" not in asker.offers:
            return
        first: dict[int, int] = {}
        for player, payoff in enumerate(payoffs):
            team = asker.ask("team", player)
            if not whole(team) or not 0 <= team < self.game.players:
                return
            mate = first.setdefault(team, player)
            if abs(payoffs[mate] - payoff) > TOLERANCE:
                yield problem(
                    "team-payoffs",
                    f"`utility` gives {payoffs[mate]:g} to {who(self.game, mate)} and {payoff:g} to"
                    f" {who(self.game, player)}, who are both in team {team}",
                    "Players of one team share a payoff: give them the same",
                )
                return

    def remarks(self, complete: bool) -> Iterator[Trouble]:
        """What is worth knowing about all ends together."""
        if self.game.total is None and len(self.sums) == 1 and self.seen >= 20 and self.game.players == 2:
            (only,) = self.sums
            yield remark(
                "constant-sum",
                f"`utility` sums to {only:g} at all {self.seen} ends that were seen",
                f"If it always does, declare `total = {only:g}`, not None: then minimax and alphabeta apply",
            )
        if self.game.payoffs is not None and complete and self.seen:
            low, high = self.game.payoffs
            if low < self.least or high > self.greatest:
                yield remark(
                    "payoffs-loose",
                    f"`utility` is {self.least:g} to {self.greatest:g} over all ends, within"
                    f" `payoffs = ({low:g}, {high:g})`",
                    "Only payoffs at its ends count as wins and losses: declare what they really are",
                )


def teams(asker: Asker) -> Iterator[Trouble]:
    """Whether `team` gives every player a team."""
    players = asker.game.players
    for player in range(players):
        team = asker.ask("team", player)
        if isinstance(team, Failure):
            yield team.trouble()
        elif not whole(team) or not 0 <= team < players:
            yield problem(
                "team-range",
                f"`team` returned {short(team)} for {who(asker.game, player)}",
                f"Teams are the whole numbers 0 to {players - 1}",
            )


def follower(start: Any, state: Any, method: str, action: Any = NOTHING) -> Iterator[Trouble]:
    """What is wrong with a state that a method returned, by its looks alone."""
    given = f" for {short(action)}" if action is not NOTHING else ""
    if state is None:
        yield problem(f"{method}-none", f"`{method}` returned None{given}", "Is a `return` missing?", action)
        return
    if not hashable(state):
        inside = _unhashable_part(state)
        yield problem(
            "state-unhashable",
            f"`{method}` returned a state that cannot be hashed{given}: {inside}",
            "Use a NamedTuple, a tuple or another immutable value: tuples for lists, frozensets for sets",
            action,
        )
    if _class(state) is not _class(start):
        yield problem(
            "state-type",
            f"`{method}` returned {short(state)}{given}, a {type(state).__name__};"
            f" the game begins with a {type(start).__name__}",
            "All states of a game are of one class",
            action,
        )
    elif isinstance(state, tuple) and len(state) != len(start):
        yield warning(
            "state-length",
            f"`{method}` returned a tuple of {len(state)} elements{given}; the game begins with {len(start)}",
            "Was an element forgotten? If states are meant to grow or shrink, the rules run interpreted only:"
            " compiled states have one length",
            action,
        )


def number(value: Any) -> float | None:
    """A value as a float; None where it is no number, or nan."""
    if isinstance(value, (str, bytes)) or value is None:
        return None
    try:
        converted = float(value)
    except (TypeError, ValueError, OverflowError):
        return None
    return None if math.isnan(converted) else converted


def hashable(value: Any) -> bool:
    try:
        hash(value)
    except Exception:  # a user's __hash__ may raise anything
        return False
    return True


def repeated(items: list[Any]) -> Any:
    """The first item that occurs twice, or NOTHING."""
    if all(map(hashable, items)):
        seen: set[Any] = set()
        for item in items:
            if item in seen:
                return item
            seen.add(item)
        return NOTHING
    few = items[:200]
    return next((item for i, item in enumerate(few) if any(equal(item, one) for one in few[:i])), NOTHING)


def _salted(value: Any) -> bool:
    """Whether the hash of a value differs from one run of Python to the next."""
    if isinstance(value, tuple):
        return any(map(_salted, value))
    return isinstance(value, (str, bytes)) or "__hash__" not in {
        name for cls in type(value).__mro__[:-1] for name in vars(cls)
    }


def _unhashable_part(state: Any) -> str:
    if isinstance(state, tuple):
        for name, part in zip(getattr(state, "_fields", range(len(state))), state):
            if not hashable(part):
                return f"its element {name} is a {type(part).__name__}"
    return f"a {type(state).__name__} {'has no hash' if is_fixed(state) else 'changes in place'}"


def _class(state: Any) -> Any:
    # Python's, NumPy's and Boolean integers are one kind: annotations decide what they become when compiled.
    if not isinstance(state, tuple) and hasattr(state, "__index__"):
        return int
    return float if isinstance(state, float) else type(state)


def whole(value: Any) -> bool:
    """Whether a value is a whole number."""
    # Arrays of one element have an index too.
    return hasattr(value, "__index__") and not hasattr(value, "__len__")
