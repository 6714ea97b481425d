"""`best_response`: the best that can be done against a given opponent.

Minimax assumes the best opponent and guarantees its value against all. Against one whose policy is known there may be
more to gain: the opponent's moves are no choice any more but a rule, or a lottery, and what is left is a decision of
one player, the best response of game theory. The difference to the minimax value is what it is worth to know the
opponent, and how much the opponent gives away.
"""

import math
import operator
from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

from gametree.arguments import is_number, is_whole
from gametree.errors import InputError, UnsuitableError
from gametree.game import Game, check_state, names_of, player_name
from gametree.result import Limit, Shown, Value, shortened
from gametree.search.core.plays import root_actions
from gametree.search.core.sound import sound
from gametree.search.core.stopwatch import StopWatch
from gametree.search.core.variant import Variant
from gametree.search.solve.graph import NOBODY, WON, Graph
from gametree.search.solve.retrograde import Solved, Worth, retrograde
from gametree.search.solve.solution import Progress
from gametree.search.solve.solver import MOST_STATES, CannotFinishError, Solver
from gametree.search.solve.strategy import Strategy

SCHEMA: Final = "gametree.response/1"
Policy = Strategy | Mapping[Any, Any] | Callable[[Any], Any]
"""What an opponent does: a strategy, a mapping from states to an action, to {action: probability} or to a list of
(action, probability), or a function of a state that gives one of these."""
Lottery = Sequence[tuple[Any, float]]
_CLOSE: Final = 1e-9
_SETTLED: Final = 1e-14
_MOST_ROUNDS: Final = 100_000


@dataclass(frozen=True, repr=False, eq=False)
class Response(Shown):
    """The best response to a policy, and what it gains over the minimax guarantee."""

    game: str
    player: int
    """Who responds."""
    value: Value
    """What the response gets against this policy; an expectation where the policy draws lots."""
    guarantee: Value
    """What minimax guarantees the player against everybody."""
    certain: bool
    """Whether the policy leaves nothing to chance."""
    moves: Mapping[Any, Any]
    """The response: for each state where the player moves and that can arise against the policy, the action."""
    line: tuple[Any, ...]
    """The likeliest play."""
    names: tuple[str, ...]
    positions: int
    """How many positions can arise against the policy."""
    exact: bool
    """Whether the value is exact; against lots in a game that goes in circles it is close to 1e-9."""
    players: tuple[str, ...] = ()
    """What the players are called; empty where the game names nobody."""

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "moves": dict(self.moves)}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        vars(self).update(kept, moves=MappingProxyType(kept["moves"]))

    @property
    def gain(self) -> float:
        """What the policy gives away: payoff against it less payoff guaranteed."""
        return float(self.value) - float(self.guarantee)

    def __call__(self, state: Any) -> Any:
        """The action at a state."""
        try:
            return self.moves[state]
        except KeyError:
            raise InputError(f"{state!r} does not arise against this policy") from None

    move = __call__
    _wide = 10

    def to_dict(self) -> dict[str, Any]:
        """The result as plain data, by the schema `gametree.response/1`."""
        return {
            "schema": SCHEMA,
            "game": self.game,
            "player": self.player,
            "value": self.value.to_dict(),
            "guarantee": self.guarantee.to_dict(),
            "gain": self.gain,
            "certain": self.certain,
            "exact": self.exact,
            "line": list(self.names),
            "positions": self.positions,
        }

    def _title(self) -> str:
        return f"{self.game}, best response of {player_name(self.players, self.player)}"

    def _rows(self) -> list[tuple[str, str]]:
        worth = str(self.value) if self.certain else f"{float(self.value):.6g} on average"
        return [
            ("against it", f"{worth} for {player_name(self.players, self.player)}"),
            ("minimax", f"{self.guarantee}, guaranteed against everybody"),
            ("gain", f"{self.gain:.6g}"),
            ("line", shortened(self.names) or "none"),
            ("looked at", f"{self.positions:,} positions that can arise against the policy"),
        ]


@sound
def best_response(
    game: Game,
    policy: Policy,
    state: Any = None,
    *,
    player: int = 0,
    limit: Limit | None = None,
    endless: float | None = None,
    most_states: int = MOST_STATES,
    on_progress: Callable[[Progress], None] | None = None,
) -> Response:
    """The best that `player` (0 is MAX) can do where the other plays by `policy`, beside the minimax guarantee.

    >>> from gametree.games import Nim
    >>> answer = best_response(Nim(counters=8), lambda state: 1)
    >>> str(answer.value), str(answer.guarantee), answer.gain
    ('win in 5', 'loss in 4', 2.0)
    """
    state = check_state(game, state)
    solver = Solver(game, endless=endless, most_states=most_states)
    solver.require_certainty()
    if not is_whole(player) or player not in (0, 1):
        raise InputError(f"player={player!r}: who responds, 0 or 1")
    if game.repetition is not None and game.repetition[0] != "draw":
        raise UnsuitableError(
            f"in {type(game).__name__} a repeated position is a {game.repetition[0]}, so what to answer depends on the"
            " positions before; best_response knows positions alone"
        )
    watch = StopWatch(limit or Limit()).begin()
    solved = solver.values(state, watch.left(), on_progress=on_progress)
    against = Opponent(game, policy, player)
    graph = Graph(against, merge_symmetric=False)
    graph.number(state)
    done = False
    left = watch.left() or Limit(nodes=1)
    rest = StopWatch(left).begin(aside=True)
    with graph.in_time(rest):
        done = graph.explore(most_states, lambda: not rest.count())
    if not done:
        raise CannotFinishError(
            f"not all positions that can arise against the policy could be looked at ({len(graph):,} were found); raise"
            " most_states or the limit"
        )
    worth = (
        retrograde(graph, solver.endless) if against.certain else _expected(graph, against, solver.endless)
    )
    answer = Solved(graph, worth)
    line = answer.line(state) if against.certain else _likeliest(answer, against, state)
    return Response(
        game=type(game).__name__,
        player=player,
        value=answer.value(state, player),
        guarantee=solved.value(state, player),
        certain=against.certain,
        moves=MappingProxyType(
            {at: answer.best(at)[0] for n, at in enumerate(graph.states) if graph.mover[n] == player}
        ),
        line=tuple(line),
        names=names_of(game, state, line),
        positions=len(graph),
        exact=against.certain or not graph.circular(),
        players=game.player_names,
    )


class Opponent(Variant):
    """A game in which one player does what a policy says: only what it may play can be played."""

    def __init__(self, game: Game, policy: Any, responder: int):
        super().__init__(game)
        self.policy = policy
        self.responder = responder
        self._drawn: dict[Any, Lottery] = {}

    def actions(self, state: Any) -> Iterable[Any]:
        if self.game.player(state) == self.responder:
            return self.game.actions(state)
        return [action for action, _ in self.lottery(state)]

    @property
    def certain(self) -> bool:
        """Whether no lots were drawn at the states asked about so far."""
        return all(len(lots) == 1 for lots in self._drawn.values())

    def lottery(self, state: Any) -> Lottery:
        """The actions that the policy may play at a state, each with its probability."""
        if state not in self._drawn:
            said = self._said(state)
            lots = list(said.items()) if isinstance(said, Mapping) else [(said, 1.0)]
            if isinstance(said, list):
                lots = self._pairs(state, said)
            self._drawn[state] = self._checked(state, lots)
        return self._drawn[state]

    def _pairs(self, state: Any, said: list[Any]) -> list[tuple[Any, Any]]:
        if not said or not all(isinstance(pair, tuple) and len(pair) == 2 for pair in said):
            raise InputError(
                f"the policy gives {said!r} at {state!r}: it gives an action, a mapping from actions to probabilities,"
                " or a list of pairs (action, probability)"
            )
        return said

    def _said(self, state: Any) -> Any:
        if isinstance(self.policy, Mapping):
            try:
                return self.policy[state]
            except KeyError:
                raise InputError(f"the policy has no move for {state!r}, which can arise") from None
        return self.policy(state)

    def _checked(self, state: Any, lots: list[tuple[Any, Any]]) -> Lottery:
        legal = root_actions(self.game, state)
        total = 0.0
        for action, chance in lots:
            if action not in legal:
                raise InputError(f"the policy plays {action!r} at {state!r}, which is not legal there")
            if not is_number(chance) or not 0 <= chance <= 1 + _CLOSE:
                raise InputError(
                    f"the policy plays {action!r} at {state!r} with probability {chance!r}: 0 to 1"
                )
            total += chance
        if abs(total - 1) > 1e-6:
            raise InputError(f"the probabilities of the policy at {state!r} sum to {total:g}, not to 1")
        return [(action, chance / total) for action, chance in lots if chance > 0]


def _expected(graph: Graph, against: Opponent, endless: float) -> Worth:
    """What the nodes are worth on average: from the ends backwards, again and again where there are circles.

    Value iteration (Bellman 1957) from what play that never ends is worth: after n rounds a value is the best average
    over plays of n plies, those that have not ended counted as endless.
    """
    value = array("d", [endless]) * len(graph)
    for node in range(len(graph)):
        if graph.mover[node] == NOBODY:
            value[node] = _payoff(against, graph.score[node])
    odds = [
        [chance for _, chance in against.lottery(graph.states[node])]
        if graph.mover[node] not in (NOBODY, against.responder)
        else []
        for node in range(len(graph))
    ]
    pick = max if against.responder == 0 else min
    order = graph.backwards()
    for _ in range(_MOST_ROUNDS):
        change = 0.0
        for node in order:
            if graph.mover[node] == NOBODY:
                continue
            children = [value[child] for child in graph.children(node)]
            new = math.fsum(map(operator.mul, odds[node], children)) if odds[node] else pick(children)
            change = max(change, abs(new - value[node]))
            value[node] = new
        if change <= _SETTLED:
            rounded = array("d", [round(number, 12) for number in value])
            return Worth(against, rounded, _distances(graph, rounded, against.responder), endless)
    raise CannotFinishError(
        f"the value against the policy has not settled after {_MOST_ROUNDS:,} rounds: plays are too long"
    )


def _distances(graph: Graph, value: "array[float]", responder: int) -> "array[int]":
    """How far the nearest end is that best responses may come to.

    Where actions are worth the same, the one that comes nearer to it is better: waiting for ever earns nothing.
    """
    parents: list[list[int]] = [[] for _ in graph.states]
    for node in range(len(graph)):
        for child in graph.children(node):
            if graph.mover[node] != responder or value[child] == value[node]:
                parents[child].append(node)
    waiting = [node for node in range(len(graph)) if graph.mover[node] == NOBODY]
    plies = array("q", [len(graph)]) * len(graph)
    for node in waiting:
        plies[node] = 0
    for node in waiting:
        for parent in parents[node]:
            if plies[parent] > plies[node] + 1:
                plies[parent] = plies[node] + 1
                waiting.append(parent)
    return plies


def _payoff(game: Game, score: float) -> float:
    if abs(score) < WON:
        return score
    assert game.payoffs is not None
    return float(game.payoffs[1] if score > 0 else game.payoffs[0])


def _likeliest(answer: Solved, against: Opponent, state: Any) -> list[Any]:
    """The response's best actions and the policy's likeliest, until the end or a position that recurs."""
    line: list[Any] = []
    seen = set[Any]()
    while not against.is_terminal(state) and state not in seen:
        seen.add(state)
        if against.player(state) == against.responder:
            action = answer.best(state)[0]
        else:
            action = max(against.lottery(state), key=lambda lot: lot[1])[0]
        line.append(action)
        state = against.result(state, action)
    return line
