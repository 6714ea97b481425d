"""The value of every position of a graph, circles included: retrograde analysis.

Ströhlein (1970) and Thompson (1986) solved chess endings backwards from their ends. So here, for any payoffs: from the
best ends for MAX to the worst, which positions can MAX drive there (the attractor)? A position where MAX moves belongs
to it as soon as one action leads into it; one where MIN moves, when its last action does. Then the same for MIN from
the other side. What neither can drive anywhere is worth what play that never ends is worth. Every edge is looked at
once for each side.

Wins come as soon and losses as late as they can: positions are found layer by layer, and the layer is the distance.
"""

from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from gametree.errors import RulesError
from gametree.game import Game
from gametree.result import Value
from gametree.search.solve.graph import NOBODY, WON, Graph, identity


@dataclass(frozen=True)
class Worth:
    """What every node of a graph is worth to player 0."""

    game: Game
    score: "array[float]"
    """Payoffs; wins are WON, losses −WON."""
    plies: "array[int]"
    """How far off the end is that the better side drives at: it wins soon, the other loses late."""
    endless: float
    """What play that never ends is worth."""

    def value(self, node: int, player: int) -> Value:
        """What a node is worth to a player."""
        return value_of(self.game, self.score[node], self.plies[node], player)

    def rank(self, node: int, player: int) -> tuple[float, float]:
        """How welcome a node is to a player: first what it is worth, then how soon or late that comes."""
        score = self.score[node] if player == 0 else -self.score[node]
        endless = self.endless if player == 0 else -self.endless
        plies = self.plies[node]
        return score, float(-plies if score > endless else plies if score < endless else 0)


class Solved:
    """A graph with the value of each of its positions: what to play anywhere, and what that is worth."""

    def __init__(self, graph: Graph, worth: Worth, drawn: Sequence[int] = ()):
        """Whoever goes to one of the nodes `drawn` has a draw."""
        self.graph = graph
        self.worth = worth
        self.drawn: frozenset[int] = frozenset(drawn)

    def value(self, state: Any, player: int) -> Value:
        """What a position of the graph is worth to a player."""
        return self.worth.value(self.node(state), player)

    def rank(self, node: int, player: int) -> tuple[float, float]:
        """How welcome it is to a player to go to a node."""
        if node in self.drawn:
            half = (self.graph.game.total or 0) / 2
            return half if player == 0 else -half, 0.0
        return self.worth.rank(node, player)

    def choices(self, state: Any) -> list[tuple[Any, Any, int]]:
        """The actions of a position, each with the state and the node that follow."""
        game = self.graph.game
        after = [(action, game.result(state, action)) for action in game.actions(state)]
        return [(action, child, self.node(child)) for action, child in after]

    def best(self, state: Any) -> tuple[Any, Any, int]:
        """The best action for the player who moves, the first of several, with the state and the node that follow."""
        player = self.graph.game.player(state)
        return max(self.choices(state), key=lambda choice: self.rank(choice[2], player))

    def line(self, state: Any, most: int = 1000) -> list[Any]:
        """Best play from a state: to the end of the game, or until a position recurs."""
        line: list[Any] = []
        game, seen = self.graph.game, set[Any]()
        same = identity(game)
        while not game.is_terminal(state) and same(state) not in seen and len(line) < most:
            seen.add(same(state))
            action, state, node = self.best(state)
            line.append(action)
            if node in self.drawn:
                break
        return line

    def proof(self, node: int, player: int) -> set[int]:
        """The nodes that come up where a player plays a best action everywhere and the other anything."""
        seen, waiting = {node}, [node]
        for node in waiting:
            children: Sequence[int] = self.graph.children(node)
            if self.graph.mover[node] == player:
                children = [max(children, key=lambda child: self.rank(child, player))]
            new = dict.fromkeys(child for child in children if child not in seen)
            seen.update(new)
            waiting.extend(new)
        return seen

    def node(self, state: Any) -> int:
        """The number of a position."""
        node = self.graph.find(state)
        if node is None:
            raise RulesError(
                f"{type(self.graph.game).__name__}.result led to another state when asked again: rules have to be pure"
                " (`gametree check` looks for that)"
            )
        return node


def value_of(game: Game, score: float, plies: int, player: int) -> Value:
    """What a score is worth to a player; `plies` counts for wins and losses only."""
    assert game.total is not None
    if abs(score) == WON:
        assert game.payoffs is not None
        payoff = game.payoffs[1] if score > 0 else game.payoffs[0]
        mine = payoff if player == 0 else game.total - payoff
        won = (score > 0) == (player == 0)
        return Value.win(mine, plies) if won else Value.loss(mine, plies)
    return Value(score if player == 0 else game.total - score)


def retrograde(graph: Graph, endless: float, drawn: Sequence[int] = ()) -> Worth:
    """The value of every node of a graph that is complete, where play that never ends is worth `endless` to player 0.

    Whoever goes to a node of `drawn` has a draw, as in play that never ends: the position has been there before, and
    a rule says so.
    """
    assert graph.complete
    analysis = _Retrograde(graph, endless, frozenset(drawn))
    return Worth(graph.game, analysis.score, analysis.plies, endless)


class _Retrograde:
    """One run: ends first, then layer after layer away from them."""

    def __init__(self, graph: Graph, endless: float, drawn: frozenset[int]):
        nodes = len(graph)
        self._graph = graph
        self._parents = _parents(graph, drawn)
        self._open = array("q", [graph.first[n + 1] - graph.first[n] for n in range(nodes)])
        """For each node how many of its actions lead to nodes whose value is not known."""
        self._known = bytearray(nodes)
        self.score = array("d", [endless]) * nodes
        self.plies = array("q", [0]) * nodes
        ends: dict[float, list[int]] = {}
        for node in range(nodes):
            if graph.mover[node] == NOBODY:
                ends.setdefault(graph.score[node], []).append(node)
        for player in (0, 1):
            wanted = [s for s in ends if (s > endless if player == 0 else s < endless)]
            for score in sorted(wanted, reverse=player == 0):
                self._attract(player, score, ends[score])
            self._open = array("q", [graph.first[n + 1] - graph.first[n] for n in range(nodes)])

    def _attract(self, player: int, score: float, ends: list[int]) -> None:
        """All that a player can drive to ends of this score, and was not driven to better ones before."""
        for node in ends:
            self._settle(node, score, 0)
        layer, plies = ends, 0
        mover = self._graph.mover
        while layer:
            plies += 1
            found = []
            for node in layer:
                for parent in self._parents[node]:
                    if self._known[parent]:
                        continue
                    self._open[parent] -= 1
                    if mover[parent] == player or self._open[parent] == 0:
                        self._settle(parent, score, plies)
                        found.append(parent)
            layer = found

    def _settle(self, node: int, score: float, plies: int) -> None:
        self._known[node] = 1
        self.score[node] = score
        self.plies[node] = plies


def _parents(graph: Graph, drawn: frozenset[int]) -> list[list[int]]:
    """For each node those that lead to it, as often as they do; to a drawn one nobody can be driven."""
    parents: list[list[int]] = [[] for _ in range(len(graph))]
    for node in range(len(graph)):
        for child in graph.children(node):
            if child not in drawn:
                parents[child].append(node)
    return parents
