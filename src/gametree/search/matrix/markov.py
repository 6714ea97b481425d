"""Shapley's value iteration: zero-sum games of two players who choose at the same time, again and again (Shapley 1953).

Each state is a matrix of the values of the states that follow, and its value is the value of that matrix. Where the
game goes on for ever, each step is worth less than the one before by `discount`, and the iteration contracts: after a
step that changed no value by more than d, all are within d · discount / (1 − discount). A game that always ends needs
no discount: its states are solved from the last to the first, exactly.

A game says nothing of this itself: simultaneous moves are moves one after the other that `observe` hides, and a state
is known to both. Payoffs are those at the end of the game; `reward(state, player)`, where a game has it, is paid at
each state that is reached.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, TypeVar

from gametree.arguments import is_finite, whole
from gametree.errors import InputError, UnsuitableError
from gametree.game import CHANCE, Game, check_state, offers, player_name
from gametree.search.core.sound import sound
from gametree.search.core.task import require_game
from gametree.search.matrix.joint import Joint, joint
from gametree.search.matrix.results import mix_text, number
from gametree.search.matrix.zero_sum import zero_sum
from gametree.strategic import Mix, exact

T = TypeVar("T")
_TOLERANCE = 1e-9
_MOST_PASSES = 100_000


@dataclass(frozen=True)
class Stage:
    """What is known of a state: its value to player 0, and how both choose there."""

    state: Any
    value: Fraction
    mixes: tuple[Mix, ...]
    choice: Joint | None
    """The joint move; None at the end of the game and where chance decides."""

    def __str__(self) -> str:
        if self.choice is None:
            return f"value {number(self.value)}"
        told = (
            f"{who}: {mix_text(mix, names)}"
            for who, mix, names in zip(self.choice.who, self.mixes, self.choice.names)
        )
        return f"value {number(self.value)}; {'; '.join(told)}"


@dataclass(frozen=True)
class Markov:
    """A solved game of simultaneous moves with a future."""

    game: Game
    root: Any
    stages: tuple[Stage, ...]
    """One for each state that was solved."""
    error: float
    """No value is further from the true one; 0 where all are exact."""
    passes: int
    discount: float
    method: str

    @cached_property
    def _known(self) -> dict[Hashable, Stage]:
        return {self.game.key(stage.state): stage for stage in self.stages}

    def at(self, state: Any) -> Stage:
        """What is known of a state."""
        found = self._known.get(self.game.key(state))
        if found is None:
            raise InputError(
                f"{state!r} does not follow from the state that was solved, is within a joint move, or was not needed"
            )
        return found

    @property
    def value(self) -> Fraction:
        """What the game is worth to player 0."""
        return self.at(self.root).value

    def __str__(self) -> str:
        within = f" within {self.error:.1g}" if self.error else ""
        return f"{self.at(self.root)}\n{len(self.stages):,} states{within}, by {self.method}"


@sound
def shapley(
    game: Game,
    state: Any = None,
    *,
    discount: float = 1.0,
    tolerance: float = _TOLERANCE,
    most_states: int = 100_000,
) -> Markov:
    """Solves a zero-sum game of two players with simultaneous moves and a future, every state of it.

    Without a `discount` the game has to end, whatever is done; then every value is exact. With one below 1 it may go on
    for ever; values are then within `tolerance`.

    >>> from gametree.games.matrix.classics import MatchingPennies
    >>> from gametree.games.matrix.repeated import Repeated
    >>> print(shapley(Repeated(MatchingPennies(), rounds=2)))
    value 0; A: 1/2 heads + 1/2 tails; B: 1/2 heads + 1/2 tails
    21 states, by backward induction over matrices
    """
    require_zero_sum(game, "shapley")
    if not (is_finite(discount) or isinstance(discount, Fraction)) or not 0 < discount <= 1:
        raise InputError(f"discount={discount!r}: what a step later is worth, above 0 and at most 1")
    if not is_finite(tolerance) or tolerance <= 0:
        raise InputError(f"tolerance={tolerance!r}: how far a value may be off, above 0")
    whole("most_states", most_states)
    root = check_state(game, state)
    graph = _Graph(game, root, most_states)
    if discount == 1:
        return _backward(graph)
    return _iterated(graph, discount, tolerance)


def require_zero_sum(game: Game, name: str) -> None:
    """Refuses a game in which one does not gain what the other loses."""
    require_game(game, name)
    if game.players != 2 or game.total is None:
        raise UnsuitableError(
            f"{type(game).__name__} is not for two players whose payoffs have one sum: {name} is about what one gains"
            " and the other loses"
        )


class JointGraph:
    """States between joint moves, each opened when it is asked for: what is paid there, who chooses, what follows."""

    def __init__(self, game: Game, root: Any, most: int):
        self.game: Game = game
        self.root: Any = root
        self.most: int = most
        self.numbers: dict[Hashable, int] = {game.key(root): 0}
        self.states: list[Any] = [root]
        self.seen: dict[tuple[int, Any], Hashable] = {}
        """The state in which a player, when he chooses, sees this."""

    def open(self, at: int) -> "Opened":
        """What the rules say of a state. Refused where a player does not know it."""
        game, state = self.game, self.states[at]
        pays = getattr(game, "reward", None)
        reward = Fraction(0) if pays is None else exact(pays(state, 0))
        move: Joint | None = None
        follow: list[tuple[Any, Fraction]] = []
        if game.is_terminal(state):
            reward += exact(game.utility(state, 0))
        elif game.player(state) == CHANCE:
            follow = [(game.result(state, one), exact(odds)) for one, odds in game.chance(state)]
        else:
            move = joint(game, state)
            follow = [(one, Fraction(1)) for one in move.states]
            self._require_open(state, move)
        return Opened(reward, move, tuple((self._number(one), odds) for one, odds in follow))

    def _require_open(self, state: Any, move: Joint) -> None:
        """Refuses a state that one of the players does not know: there the matrix would have to be a bigger one."""
        if not offers(self.game, "observe"):
            return
        here, line = self.game.key(state), state
        for mover, actions in zip(move.players, move.actions):
            if self.seen.setdefault((mover, self.game.observe(line, mover)), here) != here:
                raise UnsuitableError(
                    f"{type(self.game).__name__} hides from {player_name(self.game.player_names, mover)} which state"
                    " it is, and a matrix for each state is about states that both know: use cfr(game)"
                )
            line = self.game.result(line, actions[0])

    def _number(self, state: Any) -> int:
        key = self.game.key(state)
        if key not in self.numbers:
            if len(self.states) >= self.most:
                raise UnsuitableError(
                    f"{type(self.game).__name__} has more than {self.most:,} states (most_states={self.most}); mcts"
                    " and ismcts need no list of them"
                )
            self.numbers[key] = len(self.states)
            self.states.append(state)
        return self.numbers[key]


@dataclass(frozen=True)
class Opened:
    """What the rules say of a state."""

    reward: Fraction
    """What is paid here, at the end of the game the payoff."""
    choice: Joint | None
    """The joint move; None at the end of the game and where chance decides."""
    after: tuple[tuple[int, Fraction], ...]
    """The states that follow with their probabilities, those of a joint move in the order of its combinations."""

    def table(self, worths: Sequence[T]) -> list[list[T]]:
        """What follows a joint move as a matrix: rows for player 0, columns for player 1."""
        assert self.choice is not None
        wide = len(self.choice.actions[1]) if len(self.choice.players) > 1 else 1
        table = [list(worths[start : start + wide]) for start in range(0, len(worths), wide)]
        if self.choice.players[0] == 1:
            # Player 1 moves first in the order of the rules: he gets the columns.
            table = [list(row) for row in zip(*table)]
        return table


class _Graph:
    """All states of a game."""

    def __init__(self, game: Game, root: Any, most: int):
        self.game, self.root = game, root
        graph = JointGraph(game, root, most)
        self.opened: list[Opened] = []
        while len(self.opened) < len(graph.states):
            self.opened.append(graph.open(len(self.opened)))
        self.states = graph.states
        self.after = [one.after for one in self.opened]

    def order(self) -> list[int] | None:
        """The states, each after all that follow it; None where the game can come back to a state."""
        waiting = [len({one for one, _ in some}) for some in self.after]
        above: list[set[int]] = [set() for _ in self.after]
        for at, some in enumerate(self.after):
            for one, _ in some:
                above[one].add(at)
        ready = [at for at, count in enumerate(waiting) if count == 0]
        done = []
        while ready:
            here = ready.pop()
            done.append(here)
            for at in above[here]:
                waiting[at] -= 1
                if not waiting[at]:
                    ready.append(at)
        return done if len(done) == len(self.after) else None

    def stage(self, at: int, values: list[Fraction], discount: Fraction) -> tuple[Fraction, tuple[Mix, ...]]:
        """The value of a state from those of the states that follow, and how both choose."""
        here = self.opened[at]
        if not here.after:
            return here.reward, ()
        if here.choice is None:
            mean = sum((odds * values[one] for one, odds in here.after), Fraction(0))
            return here.reward + discount * mean, ()
        value, rows, columns = zero_sum(here.table([values[one] for one, _ in here.after]))
        mixes = {0: rows, 1: columns}
        return here.reward + discount * value, tuple(mixes[player] for player in here.choice.players)


def _backward(graph: _Graph) -> Markov:
    order = graph.order()
    if order is None:
        raise UnsuitableError(
            f"{type(graph.game).__name__} can come back to a state: give a discount below 1, such as discount=0.9"
        )
    values = [Fraction(0)] * len(graph.states)
    mixes: list[tuple[Mix, ...]] = [()] * len(graph.states)
    for at in order:
        values[at], mixes[at] = graph.stage(at, values, Fraction(1))
    return _solved(graph, values, mixes, 0.0, 1, 1.0, "backward induction over matrices")


def _iterated(graph: _Graph, discount: float, tolerance: float) -> Markov:
    share = exact(discount)
    values = [Fraction(0)] * len(graph.states)
    error = float("inf")
    for passes in range(1, _MOST_PASSES + 1):
        new, mixes = [], []
        for at in range(len(graph.states)):
            value, mix = graph.stage(at, values, share)
            # Values are rounded, or fractions would grow without end; the error bound takes it in.
            new.append(Fraction(round(value * 2**60), 2**60))
            mixes.append(mix)
        change = max(abs(float(a - b)) for a, b in zip(new, values))
        values = new
        error = (change * discount + 2**-60) / (1 - discount)
        if error <= tolerance:
            return _solved(
                graph, values, mixes, error, passes, discount, f"{passes} passes of Shapley's iteration"
            )
    raise UnsuitableError(
        f"after {_MOST_PASSES:,} passes values are within {error:.1g} only; take a larger tolerance"
    )


def _solved(
    graph: _Graph,
    values: list[Fraction],
    mixes: list[tuple[Mix, ...]],
    error: float,
    passes: int,
    discount: float,
    method: str,
) -> Markov:
    stages = tuple(
        Stage(state, value, mix, here.choice)
        for state, value, mix, here in zip(graph.states, values, mixes, graph.opened)
    )
    return Markov(graph.game, graph.root, stages, error, passes, discount, method)
