"""The positions within some plies of a root as arrays, and such a graph as a game whose actions come in any order.

Positions that a table would take for the same (equal or symmetric, equally far from the root) are one node. A count
over the *tree* of a position is then a sum along the edges, layer by layer, and the tree itself is never built.
"""

import functools
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from gametree.game import Game, check_state
from gametree.kernel.clock import Clock, poll
from gametree.kernel.primitives import WON, Floats, Ints, estimate, identity, outcome
from gametree.result import Limit
from gametree.search.core.repetition import Path
from gametree.search.core.runner import Run
from gametree.search.core.stopwatch import execute

Indices = npt.NDArray[np.int64]
Numbers = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]

STOPPED, FULL, NARROW = -1, -2, -3
GREATEST = WON - 1.0


def explore(
    game: Any,
    state: Any,
    depth: int,
    plies: int,
    width: int,
    room: int,
    keys: Ints,
    places: Ints,
    children: Ints,
    layers: Ints,
    movers: Ints,
    scores: Floats,
    clock: Clock,
    path: Path,
) -> int:
    """The number of a state in the graph, which is entered with all that follows it within `depth` plies.

    `room` is a power of two, and how many nodes there may be; `layers` has one word more, which counts them. `keys`
    and `places` are a hash table of twice the size with linear probing. Less than 0: STOPPED, FULL, or NARROW, more
    than `width` actions.
    """
    key = identity(game, state) ^ plies
    slot = key & (2 * room - 1)
    while places[slot] != 0:
        if keys[slot] == key:
            return places[slot] - 1
        slot = slot + 1 & (2 * room - 1)
    if clock.nodes == clock.next and poll(clock):
        return STOPPED
    clock.nodes += 1
    node = layers[room]
    if node >= room:
        return FULL
    layers[room] = node + 1
    keys[slot] = key
    places[slot] = node + 1
    layers[node] = plies
    movers[node] = 0
    if game.is_terminal(state):
        scores[node] = outcome(game, state, plies)
        return node
    scores[node] = min(max(estimate(game, state), -GREATEST), GREATEST)
    movers[node] = 0 if game.player(state) == 0 else 1
    if depth == 0:
        return node
    i = 0
    for action in game.actions(state):
        if i >= width:
            return NARROW
        path.places[depth] = i
        child = explore(
            game,
            game.result(state, action),
            depth - 1,
            plies + 1,
            width,
            room,
            keys,
            places,
            children,
            layers,
            movers,
            scores,
            clock,
            path,
        )
        if child < 0:
            return child
        children[node * width + i] = child
        i += 1
    if i == 0:
        raise ValueError("a state that is not terminal has no actions")
    return node


@dataclass(frozen=True)
class Graph:
    """Nodes numbered layer by layer; node 0 is the root. Scores are to player 0."""

    starts: tuple[int, ...]
    """Where each layer begins, and where the last one ends."""
    children: Indices
    """A row for each node above the horizon; −1 fills what is left of a row. A terminal state has no children."""
    maximizing: Flags
    """Whether player 0 moves."""
    scores: Numbers
    """What a node is worth if it is a leaf: its outcome, or its estimate."""

    @property
    def depth(self) -> int:
        return len(self.starts) - 2

    def layer(self, ply: int) -> slice:
        return slice(self.starts[ply], self.starts[ply + 1])

    def cut(self, depth: int) -> "Graph":
        """The same position to a lesser depth: what was an inner node becomes a leaf with its estimate."""
        if depth >= self.depth:
            return self
        end = self.starts[depth + 1]
        return Graph(
            self.starts[: depth + 2],
            self.children[: self.starts[depth]],
            self.maximizing[:end],
            self.scores[:end],
        )

    def inner(self, ply: int) -> Indices:
        """The nodes of a layer above the horizon that have children."""
        return self.starts[ply] + np.flatnonzero(self.children[self.layer(ply), 0] >= 0)

    def values(self) -> Numbers:
        """The minimax value of every node."""
        values = self.scores.copy()
        for ply in range(self.depth - 1, -1, -1):
            nodes = self.inner(ply)
            rows = self.children[nodes]
            most = np.where(rows >= 0, values[rows], -np.inf).max(axis=1)
            least = np.where(rows >= 0, values[rows], np.inf).min(axis=1)
            values[nodes] = np.where(self.maximizing[nodes], most, least)
        return values


def graph_of(game: Game, state: Any, depth: int, *, compile: str = "auto") -> Graph:
    """All positions within `depth` plies of a state; room for them is doubled until they fit."""
    state = check_state(game, state)
    run = Run(explore, game, Limit(depth=depth), compile)
    width, room = 8, 1 << 10
    while True:
        new = np.zeros if run.compiled else _list
        found = (
            new(2 * room, dtype=np.int64),  # keys
            new(2 * room, dtype=np.int64),  # places
            new(room * width, dtype=np.int64),
            new(room + 1, dtype=np.int64),
            new(room, dtype=np.int64),
            new(room, dtype=np.float64),
        )
        run.renew()
        run.start, run.approach = depth, (state, [])
        given = (state, depth, 0, width, room, *found, run.clock, run.path)
        result = execute(run, functools.partial(run.call, *given), repeatable=False)
        if result == 0:
            return _layered(width, *(np.asarray(array) for array in found[2:]))
        if result == NARROW:
            width *= 2
        elif result == FULL:
            room *= 4
        else:
            raise RuntimeError("the positions could not be counted: the search was stopped")


def _list(size: int, dtype: Any) -> list[Any]:
    return [dtype(0).item()] * size


def _layered(width: int, children: Any, layers: Any, movers: Any, scores: Any) -> Graph:
    """The graph with its nodes renumbered layer by layer, each layer in the order of the first visit."""
    nodes = int(layers[-1])
    order = np.argsort(layers[:nodes], kind="stable")
    number = np.empty(nodes, dtype=np.int64)
    number[order] = np.arange(nodes)
    plies = layers[order]
    starts = tuple(int(start) for start in np.searchsorted(plies, np.arange(plies[-1] + 2)))
    rows = children.reshape(-1, width)[order[: starts[-2]]]
    # Nobody's child is the root: 0 says that there is no child.
    rows = np.where(rows > 0, number[rows], -1)
    used = int((rows >= 0).sum(axis=1).max(initial=1))
    rows = np.ascontiguousarray(rows[:, :used])
    return Graph(starts, rows, movers[order] == 0, scores[order])


# --- a graph as a game ------------------------------------------------------------------------------


class At(NamedTuple):
    """A node of the graph."""

    node: int


class Ordered(Game):
    """A graph as a game: the i-th action of a node leads to the i-th node of its row.

    >>> import gametree as gt
    >>> tree = Graph((0, 1, 3), np.array([[1, 2]]), np.array([True, False, False]), np.array([0.0, 3.0, 5.0]))
    >>> gt.alphabeta(Ordered(tree)).value == 5
    True
    """

    def __init__(self, graph: Graph, rows: Indices | None = None):
        """`rows`: the children in another order than the graph has them."""
        self.rows = graph.children if rows is None else rows
        self.degrees = np.zeros(len(graph.scores), dtype=np.int64)
        self.degrees[: len(self.rows)] = (self.rows >= 0).sum(axis=1)
        self.movers = np.where(graph.maximizing, 0, 1)
        self.scores = graph.scores

    def initial(self) -> At:
        return At(0)

    def player(self, state: At) -> int:
        return int(self.movers[state.node])

    def actions(self, state: At) -> range:
        return range(self.degrees[state.node])

    def result(self, state: At, action: int) -> At:
        return At(int(self.rows[state.node, action]))

    def is_terminal(self, state: At) -> bool:
        return bool(self.degrees[state.node] == 0)

    def utility(self, state: At, player: int) -> float:
        score = float(self.scores[state.node])
        return score if player == 0 else -score
