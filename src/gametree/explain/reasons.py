"""Why this move, and why not mine? The line that refutes it, what it loses, and when."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, cast

from gametree.documents.parts import ValueDocument
from gametree.documents.teaching import WhyDocument, WhyLine
from gametree.errors import InputError
from gametree.explain.traces.notation import count, number
from gametree.game import Game, check_state, nth_player, offers
from gametree.result import Analysis, Limit, Value, capital
from gametree.search.analyze import NEEDS, Engine
from gametree.search.core.task import require_game

SCHEMA: Final = "gametree.why/1"
DEFAULT: Final = Limit(seconds=1)
_LONGEST: Final = 200
"""A line that has not come to its end after so many plies is left as it is."""
_SLIGHT: Final = 1e-9

Verdict = Literal["same", "slower", "sooner", "worse", "loses", "draws"]


@dataclass(frozen=True)
class Line:
    """A move, what it is worth to the one who makes it, and what follows when both play their best."""

    action: Any
    value: Value
    exact: bool
    depth: int | None
    names: tuple[str, ...]
    """The moves as people write them, this one first."""
    states: tuple[Any, ...]
    """The state after each of them."""
    over: bool
    """Whether the game is over at the end of the line."""

    @property
    def name(self) -> str:
        return self.names[0]


@dataclass(frozen=True)
class Why:
    """A best move, another move, and what lies between them.

    >>> from gametree.games import TicTacToe
    >>> game = TicTacToe()
    >>> answer = why(game, game.parse_state("X.O/.X./..O"), 6, compile="never")
    >>> for sentence in answer.sentences():
    ...     print(sentence)
    Best for X is c2: it draws with best play. The line is c2 a2 a1 b3 b1, and the game is a draw.
    a1 turns a draw into a loss: O wins in two plies.
    After a1 O plays c2, and O has won.
    """

    game: Game
    state: Any
    player: int
    """Who moves."""
    best: Line
    other: Line | None
    """The move that was asked about; None where none was, or where it is the best one."""
    verdict: Verdict | None
    turn: int | None
    """After how many plies of the other line the damage is done: the end of the game, or where the evaluation has
    fallen half of the way. None where nothing is lost but a chance."""

    def boards(self) -> list[tuple[str, str]]:
        """The boards that show it, each with a line about it: after the answer, and at the end of the line."""
        line = self.best if self.other is None or self.verdict == "same" else self.other
        shown = [(min(2, len(line.states)), " ".join(line.names[:2]))]
        if len(line.states) > 2:
            shown.append((len(line.states), "the whole line"))
        return [(f"After {what}:", self.game.show(line.states[ply - 1])) for ply, what in shown]

    def sentences(self, players: Sequence[str] = ()) -> list[str]:
        """The answer in words, with what the players are called; as the game says where that is left out."""
        return _Words(self, players or self.game.player_names or tuple(map(nth_player, (0, 1)))).all()

    def __str__(self) -> str:
        return "\n".join(self.sentences())

    def to_dict(self) -> WhyDocument:
        """The answer as plain data."""
        return {
            "schema": SCHEMA,
            "game": type(self.game).__name__,
            "position": self.game.show(self.state),
            "player": self.player,
            "best": _line_data(self.best),
            "other": None if self.other is None else _line_data(self.other),
            "verdict": self.verdict,
            "turn": self.turn,
            "sentences": self.sentences(),
        }


def why(
    game: Game,
    state: Any = None,
    not_action: Any = None,
    limit: Limit | None = None,
    *,
    compile: str = "auto",
    on_progress: Callable[[Analysis], None] | None = None,
) -> Why:
    """Why the best move of a state is best, and why another one, `not_action`, is not.

    Both moves are searched with the same limit (one second each where none is given). For every game of two players
    without chance or hidden information.
    """
    require_game(game, "why")
    NEEDS.require(game, "why")
    state = check_state(game, state)
    if game.is_terminal(state):
        raise InputError("the game is over here: there is no move to ask about")
    limit = DEFAULT if limit is None else limit
    engine = Engine(game, compile=compile)
    actions = list(game.actions(state))
    if not_action is not None and not_action not in actions:
        legal = ", ".join(game.name_action(state, action) for action in actions[:20])
        raise InputError(f"{not_action!r} is not a legal action here; legal are: {legal}")
    best = _line(engine, state, engine.analyze(state, limit, on_progress=on_progress))
    if not_action is None or not_action == best.action:
        return Why(game, state, game.player(state), best, None, None, None)
    if best.value.outcome is None and not best.exact:
        # Estimates are compared at the same depth.
        limit = Limit(seconds=limit.seconds, nodes=limit.nodes, depth=best.depth)
    other = _line(engine, state, engine.analyze(state, limit, actions=[not_action], on_progress=on_progress))
    verdict = "same" if _symmetric(game, best, other) else _compare(game, best, other)
    return Why(
        game, state, game.player(state), best, other, verdict, _turn(game, state, best, other, verdict)
    )


def _line(engine: Engine, state: Any, found: Analysis) -> Line:
    """The line of an analysis; a proven win or loss is followed to its end."""
    if found.value is None or found.action is None:
        raise InputError("the search was stopped before it knew a move: give it more seconds, nodes or depth")
    game = engine.game
    names: list[str] = []
    states: list[Any] = []
    actions = list(found.line) or [found.action]
    here = state
    value: Value | None = found.value
    while actions and len(states) < _LONGEST:
        for action in actions:
            names.append(game.name_action(here, action))
            here = game.result(here, action)
            states.append(here)
        actions = []
        if value is not None and value.outcome is not None and not game.is_terminal(here):
            left = max(1, (value.plies or 0) - len(states)) if value.plies is not None else None
            onward = engine.analyze(here, Limit(seconds=1, depth=left))
            actions = list(onward.line)
    return Line(
        found.action,
        found.value,
        found.exact,
        found.depth,
        tuple(names),
        tuple(states),
        game.is_terminal(here),
    )


def _compare(game: Game, best: Line, other: Line) -> Verdict:
    if other.value >= best.value or (
        best.value.outcome is other.value.outcome is None
        and float(best.value) - float(other.value) <= _SLIGHT
    ):
        return "same"
    if best.value.outcome == other.value.outcome == "win":
        return "slower"
    if best.value.outcome == other.value.outcome == "loss":
        return "sooner"
    if other.value.outcome == "loss":
        return "loses"
    if other.exact and _is_draw(game, other.value):
        return "draws"
    return "worse"


def _symmetric(game: Game, best: Line, other: Line) -> bool:
    """Whether both moves lead to the same position, turned or mirrored."""
    after = game.key(best.states[0])
    images = (game.key(image) for image in game.symmetries(other.states[0]))
    return after == game.key(other.states[0]) or any(after == image for image in images)


def _is_draw(game: Game, value: Value) -> bool:
    return game.payoffs is not None and value.outcome is None and float(value) == sum(game.payoffs) / 2


def _turn(game: Game, state: Any, best: Line, other: Line, verdict: Verdict) -> int | None:
    """When the damage is done on the other line."""
    if verdict == "same":
        return None
    if other.value.outcome is not None:
        return other.value.plies
    if best.value.outcome is not None or not offers(game, "evaluate"):
        return None
    player = game.player(state)
    half = (float(best.value) + float(other.value)) / 2
    if float(game.evaluate(state, player)) <= half:
        # Nothing is lost that was there: the other move misses what the best one gains.
        return None
    below = None
    for ply, here in enumerate(other.states, start=1):
        judge = game.utility if game.is_terminal(here) else game.evaluate
        if float(judge(here, player)) > half:
            below = None
        elif below is None:
            below = ply
    return below


class _Words:
    """The sentences of an answer."""

    def __init__(self, answer: Why, players: Sequence[str]):
        self.answer = answer
        self.game = answer.game
        self.me = players[answer.player]
        self.foe = players[1 - answer.player]

    def all(self) -> list[str]:
        best, other = self.answer.best, self.answer.other
        lines = [self.praise(best)]
        if other is None:
            return lines
        lines.append(self.blame(best, other))
        if self.answer.verdict != "same":
            lines.append(self.refutation(other))
        return lines

    def praise(self, line: Line) -> str:
        return f"Best for {self.me} is {line.name}: {self.worth(line)}.{self.follows(line)}"

    def worth(self, line: Line) -> str:
        """What a move does, for the one who makes it."""
        value = line.value
        if value.outcome == "win":
            return self.when("it wins", value)
        if value.outcome == "loss":
            if line is self.answer.other:
                return f"it loses {_plies(value)}"
            return f"every move loses, and none holds out longer: {_plies(value)}"
        if line.exact:
            return (
                "it draws with best play"
                if _is_draw(self.game, value)
                else f"it is worth {number(float(value))}"
            )
        return f"it is judged {number(round(float(value), 4))} for {self.me}, looking {_deep(line)} ahead"

    def when(self, verb: str, value: Value) -> str:
        return f"{verb} at once" if value.plies == 1 else f"{verb} {_plies(value)}"

    def follows(self, line: Line) -> str:
        if len(line.names) == 1:
            return ""
        ending = f", and {_small(self.end(line))}" if line.over else "."
        return f" The line is {' '.join(line.names)}{ending}"

    def end(self, line: Line) -> str:
        """What the end of a game is, in words."""
        payoff = float(self.game.utility(line.states[-1], self.answer.player))
        if self.game.payoffs is not None:
            low, high = self.game.payoffs
            if payoff == high:
                return f"{capital(self.me)} has won."
            if payoff == low:
                return f"{capital(self.foe)} has won."
            if payoff == (low + high) / 2:
                return "The game is a draw."
        return f"{capital(self.me)} gets {number(payoff)}."

    def blame(self, best: Line, other: Line) -> str:
        name, value = other.name, other.value
        match self.answer.verdict:
            case "same":
                if _symmetric(self.game, best, other):
                    return f"{name} is the same move on the board turned or mirrored."
                seen = "" if other.exact or value.outcome else " as far as can be seen"
                return f"{name} is as good{seen}: {self.worth(other)}."
            case "slower":
                later = (value.plies or 0) - (best.value.plies or 0)
                return f"{name} wins too, but {count(later, 'ply', 'plies')} later: {_plies(value)}."
            case "sooner":
                earlier = (best.value.plies or 0) - (value.plies or 0)
                return f"{name} loses {count(earlier, 'ply', 'plies')} sooner: {_plies(value)}."
            case "loses":
                instead = (
                    "a win"
                    if best.value.outcome == "win"
                    else "a draw"
                    if best.exact
                    else "a game that holds"
                )
                return f"{name} turns {instead} into a loss: {self.foe} wins {_plies(value)}."
            case "draws":
                return f"{name} lets the win slip: with best play the game is a draw."
        now, then = (number(round(float(one.value), 4)) for one in (best, other))
        if best.value.outcome == "win":
            return f"{name} is no win that can be seen: it is judged {then}, looking {_deep(other)} ahead."
        lost = number(round(float(best.value) - float(other.value), 4))
        judged = f"it is judged {then} instead of {now}, looking {_deep(other)} ahead"
        return f"{name} gives away {lost} in the evaluation: {judged}."

    def refutation(self, other: Line) -> str:
        if len(other.names) == 1:
            return self.end(other) if other.over else f"{other.name} is all that was looked at."
        reply = f"After {other.name} {self.foe} plays {other.names[1]}"
        if self.game.player(other.states[0]) == self.answer.player:
            reply = f"After {other.name} comes {other.names[1]}"
        if other.over and len(other.names) == 2:
            return f"{reply}, and {_small(self.end(other))}"
        turn = self.answer.turn
        done = ""
        if turn is not None and other.value.outcome is None and turn <= len(other.names):
            done = f" What is lost shows after {count(turn, 'ply', 'plies')}, with {other.names[turn - 1]}."
        ending = f", and {_small(self.end(other))}" if other.over else "."
        return f"{reply}; the line goes on {' '.join(other.names[2:]) or 'no further'}{ending}{done}"


def _plies(value: Value) -> str:
    return "by force" if value.plies is None else f"in {count(value.plies, 'ply', 'plies')}"


def _deep(line: Line) -> str:
    return "to the end" if line.depth is None else count(line.depth, "ply", "plies")


def _small(sentence: str) -> str:
    """A sentence as the end of another: names of players such as X stay as they are."""
    return sentence[:1].lower() + sentence[1:] if sentence.startswith(("The ", "Player ")) else sentence


def _line_data(line: Line) -> WhyLine:
    return {
        "action": line.name,
        "value": cast(ValueDocument, line.value.to_dict()),
        "exact": line.exact,
        "depth": line.depth,
        "line": list(line.names),
        "over": line.over,
    }
