"""The tree of a search, to look at: what is in the arrays, with actions and states."""

from collections.abc import Iterator, Sequence
from typing import Any

from gametree.game import CHANCE, Game, offers
from gametree.search.mcts.nodes import Nodes
from gametree.search.mcts.tree import BARRED, BY_CHANCE, FIRST, PLAYER, count_of, first_of, kind_of, place_of

LOOKED_AT = 2000
"""So many states are compared to find one in the tree, where nobody tells the way to it."""


class SearchTree:
    """A view on the nodes below the root. A node is a number; states are played again from the root.

    >>> from gametree.games import Nim
    >>> from gametree.search.mcts.search import MonteCarlo
    >>> thinker = MonteCarlo(Nim(counters=5), solver=False, compile="never")
    >>> found = thinker.analyze(simulations=50)
    >>> tree = thinker.tree
    >>> tree.visits(tree.root), sum(tree.visits(child) for child in tree.children(tree.root))
    (50, 50)
    """

    def __init__(self, game: Game, state: Any, nodes: Nodes, choices: Sequence[Any] = ()):
        """`choices`: what can follow the state, where that is known."""
        self._known = list(choices)
        self.game = game
        self.state = state
        self._nodes = nodes
        self._tree = nodes.tree

    @property
    def root(self) -> int:
        """The node of the state that was searched."""
        return self._nodes.growth.root

    @property
    def size(self) -> int:
        """How many nodes there are."""
        return self._nodes.growth.used

    @property
    def capacity(self) -> int:
        """How many nodes there is room for."""
        return self._nodes.capacity

    @property
    def bytes(self) -> int:
        """How much memory the tree can take, at most."""
        return self._nodes.bytes

    def visits(self, node: int) -> int:
        """How many simulations went through a node."""
        return int(self._tree.visits[node])

    def count(self, node: int) -> int:
        """How many children a node has; 0 at a leaf."""
        return count_of(int(self._tree.about[node]))

    def children(self, node: int) -> range:
        """The children of a node, the nodes to which an action or an outcome leads."""
        first = first_of(int(self._tree.about[node]))
        return range(first, first + self.count(node))

    def is_barred(self, node: int) -> bool:
        """Whether the rules on repeated positions do not let anybody go to a node."""
        return bool(int(self._tree.about[node]) & BARRED)

    def mover(self, node: int) -> int | None:
        """Who moves at a node, CHANCE where the dice do; None where the game is over, or nobody looked."""
        kind = kind_of(int(self._tree.about[node]))
        if kind == BY_CHANCE:
            return CHANCE
        return kind - PLAYER if kind >= PLAYER else None

    def place(self, node: int) -> int:
        """The place of a node's action among those of its parent."""
        return place_of(int(self._tree.parent[node]))

    def prior(self, node: int) -> float:
        """The prior of a node's action, or the probability of the outcome; refused where there are none."""
        return float(self._tree.prior[node])

    def mean(self, node: int, player: int) -> float:
        """What simulations through a node brought a player, on average and within what is proven."""
        low, high = self.bounds(node, player)
        if low >= high:
            return low
        width = self._nodes.width
        shift = player if width > 1 else 0
        mean = float(self._tree.sums[node * width + shift]) / self.visits(node) + self.base(node, shift)
        if width == 1 and player == 1:
            mean = self._total - mean
        return max(low, min(high, mean))

    def base(self, node: int, shift: int) -> float:
        """From which payoff the sum of a node is counted."""
        above = int(self._tree.parent[node])
        if self.game.payoffs is None or node == self.root or above < 0:
            return 0.0
        mover = self.mover(above & FIRST)
        if mover is None or mover == CHANCE or (self._nodes.width > 1 and mover != shift):
            return 0.0
        return float(self.game.payoffs[1 if self._nodes.width == 1 and mover == 1 else 0])

    def means(self, node: int) -> tuple[float, ...]:
        """The same for every player."""
        return tuple(self.mean(node, player) for player in range(self.game.players))

    def bounds(self, node: int, player: int) -> tuple[float, float]:
        """Between what the value of a node to a player is proven to lie; ±∞ where nothing is."""
        low, high, width = self._tree.low, self._tree.high, self._nodes.width
        if self._nodes.has_bounds:
            if width > 1:
                return float(low[node * width + player]), float(high[node * width + player])
            if player == 0:
                return float(low[node]), float(high[node])
            return self._total - float(high[node]), self._total - float(low[node])
        return -float("inf"), float("inf")

    def is_settled(self, node: int) -> bool:
        """Whether the value of a node is proven."""
        bounds = (self.bounds(node, player) for player in range(self.game.players))
        return all(low >= high for low, high in bounds)

    @property
    def _total(self) -> float:
        return float(self.game.total or 0)

    def choices(self, state: Any) -> list[Any]:
        """The actions at a state, or the outcomes."""
        if self._known and state is self.state:
            return self._known
        if offers(self.game, "chance") and self.game.player(state) == CHANCE:
            return [outcome for outcome, _ in self.game.chance(state)]
        return list(self.game.actions(state))

    def steps(self, node: int, state: Any) -> Iterator[tuple[int, Any]]:
        """The children of a node with the actions that lead there, in the order of `actions`."""
        choices = self.choices(state)
        for child in sorted(self.children(node), key=self.place):
            if not self.is_barred(child):
                yield child, choices[self.place(child)]

    # --- after a move ---------------------------------------------------------------------------------

    def find(self, state: Any, history: Sequence[Any] = ()) -> int | None:
        """The node of a state: the root, or one below it; by way of `history`, or at most two plies further."""
        if state == self.state and not (self.game.repetition and history):
            return self.root
        path = [*history, state]
        for at in range(len(path) - 1, -1, -1):
            if path[at] == self.state:
                return self._follow(path[at + 1 :])
        return None if self.game.repetition else self._look_around(state)

    def _follow(self, states: Sequence[Any]) -> int | None:
        node, here = self.root, self.state
        for state in states:
            for child, action in self.steps(node, here):
                if self.game.result(here, action) == state:
                    node, here = child, state
                    break
            else:
                return None
        return node

    def _look_around(self, state: Any) -> int | None:
        left = LOOKED_AT
        near = [(self.root, self.state)]
        for _ in range(2):
            further = []
            for node, here in near:
                for child, action in self.steps(node, here):
                    after = self.game.result(here, action)
                    if after == state:
                        return child
                    left -= 1
                    if left == 0:
                        return None
                    further.append((child, after))
            near = further
        return None
