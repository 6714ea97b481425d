"""A tree from a lecture, written down as nested lists, as a game."""

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from types import EllipsisType
from typing import TYPE_CHECKING, Any, Final

from gametree.errors import InputError
from gametree.game import CHANCE, Game, player_name
from gametree.games.tree.sets import seen
from gametree.games.tree.spec import (
    Chance,
    Nodes,
    Turn,
    check_movers,
    check_payoffs,
    is_number,
    odds_text,
    path_text,
    what_is_in,
)
from gametree.games.tree.text import written_name

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["Chance", "ChanceTree", "Tree", "Turn"]

_MOST_LINES: Final = 60


class Tree(Game):
    """An explicit game tree: lists are nodes, numbers are leaves (the payoff of player 0, the lectures' MAX).

    A tuple of numbers is a leaf with a payoff for each player, a string a leaf whose value is not known, a
    dict a node with named moves, and `Chance` a node where chance decides. `movers` says who moves at which
    level, again from the start when it is exhausted; chance nodes are not counted as a level.

    A state is the number of a node, level by level from the root, which is 0. An action is the position of a
    move, from 0; it is written from 1 where it has no name.

    `total` is what the payoffs sum to: 0 where leaves are numbers, and found from the leaves where they are
    tuples. `payoffs` may declare the least and the greatest payoff.

    >>> tree = Tree([[3, 12, 8], [2, "x", "y"], [14, 5, 2]])
    >>> state = tree.result(tree.initial(), 2)
    >>> [tree.utility(tree.result(state, action), 0) for action in tree.actions(state)]
    [14.0, 5.0, 2.0]
    >>> print(tree.show(state))
    MIN
      1: 14
      2: 5
      3: 2
    """

    first: "NDArray[np.int64]"
    """For each node its first child; the children of a node follow each other."""
    count: "NDArray[np.int64]"
    """For each node how many children it has."""
    mover: "NDArray[np.int64]"
    """For each node who moves there, or CHANCE."""
    payoff: "NDArray[np.float64]"
    """For each node and player the payoff; nan where there is none."""
    probability: "NDArray[np.float64]"
    """For each node how likely it follows its parent; 1 where a player decides."""
    parent: "NDArray[np.int64]"
    """For each node the one above it; −1 for the root."""

    def __new__(cls, spec: Any, *args: Any, **kwargs: Any) -> "Tree":
        # What a game has is seen from its class, so that searches which cannot do with it refuse it.
        chance, hidden = what_is_in(spec)
        wanted = _KINDS[chance, hidden]
        if issubclass(cls, wanted):
            return object.__new__(cls)
        if cls is not Tree:
            kind = "Chance nodes" if chance and not issubclass(cls, ChanceTree) else "information sets"
            raise InputError(
                f"{cls.__name__} is given {kind}: derive it from gametree.games.tree.game.{wanted.__name__}"
            )
        return object.__new__(wanted)

    def __reduce__(self) -> Any:
        return _restored, (type(self), self.__getstate__())

    def __init__(
        self,
        spec: Any,
        movers: Sequence[int] = (0, 1),
        *,
        total: float | EllipsisType | None = ...,
        payoffs: tuple[float, float] | None = None,
    ):
        import numpy as np

        movers = check_movers(movers)
        nodes = Nodes(spec, movers)
        players, vectors, total = check_payoffs(nodes, movers, total)
        self.players: int = players
        self.total: float | None = total
        self.first = np.array(nodes.first, dtype=np.int64)
        self.count = np.array(nodes.count, dtype=np.int64)
        self.mover = np.array(nodes.mover, dtype=np.int64)
        self.parent = np.array(nodes.parent, dtype=np.int64)
        self.probability = np.array(nodes.probability, dtype=np.float64)
        self.payoff = np.full((len(nodes.first), self.players), np.nan)
        for node, vector in vectors.items():
            self.payoff[node] = vector
        self._sets = nodes.sets
        self._move_names = nodes.move_names
        self._leaf_names = nodes.leaf_names
        self._leaf_words = nodes.leaf_words
        self._has_vectors = bool(nodes.vectors)
        if nodes.sets:
            self.known: NDArray[np.int64] = np.array(seen(nodes, players), dtype=np.int64)
            """For each node and player the number of what the player knows there."""
        # Where every leaf is one number, one player wants much of it and the other little.
        self.player_names: tuple[str, ...] = (
            ("MAX", "MIN") if self.players == 2 and not self._has_vectors else ()
        )
        if payoffs is not None:
            self.payoffs: tuple[float, float] | None = _check_range(self, payoffs, vectors)

    # --- other ways to write a tree -----------------------------------------------------------------

    @classmethod
    def parse(cls, text: str, movers: Sequence[int] = (0, 1), **params: Any) -> "Tree":
        """The tree that a text describes: brackets as one types them, JSON, or indented lines.

        docs/trees.md has the formats. What cannot be understood is refused with the place.

        >>> print(Tree.parse("[[3, x], {left: 2, right: 7}]").show(0))
        MAX
          1: MIN
            1: 3
            2: x
          2: MIN
            left: 2
            right: 7
        """
        from gametree.games.tree.lines import parse_lines
        from gametree.games.tree.text import parse_brackets

        if not isinstance(text, str):
            raise InputError(
                f"Tree.parse takes a text, not {type(text).__name__}; Tree(…) takes nested lists"
            )
        spec: Any
        if ("\n" in text.strip() and text.strip()[0] not in "[({") or text.strip().startswith("#"):
            spec = parse_lines(text)
        elif text.strip():
            spec = parse_brackets(text)
        else:
            raise InputError("the text is empty: write a tree such as [[3, 12, 8], [2, x, y], [14, 5, 2]]")
        if isinstance(spec, dict) and {"tree", "movers"} <= spec.keys() <= {
            "tree",
            "movers",
            "total",
            "payoffs",
        }:
            movers = spec.pop("movers")
            return cls(spec.pop("tree"), movers, **{**spec, **params})
        return cls(spec, movers, **params)

    @classmethod
    def of(
        cls,
        game: Game,
        state: Any = None,
        depth: int | None = None,
        *,
        merge_symmetric: bool = False,
        most: int = 100_000,
    ) -> "Tree":
        """The tree below a state of any game, to the end or to a depth, with the moves' names.

        States at the depth are judged by `evaluate`; where the game has none they are unknown leaves. With
        `merge_symmetric` moves to states that are mirror images of each other become one.

        >>> from gametree.games.nim import Nim
        >>> print(Tree.of(Nim(counters=2), depth=1).show(0))
        MAX
          1: x1
          2: 1
        """
        from gametree.games.tree.outline import outline

        root = outline(game, state, depth, merge_symmetric=merge_symmetric, most=most, boards=False)
        specs: dict[tuple[int, ...], Any] = {}
        for node in reversed(list(root.walk())):
            below = [(child, specs.pop(child.path)) for child in node.children]
            if not below:
                specs[node.path] = node.payoff
            elif node.player is None:
                specs[node.path] = Chance([(child.probability or 0.0, spec) for child, spec in below])
            else:
                moves: dict[str, Any] = {}
                for child, spec in below:
                    again = sum(name == child.move or name.startswith(f"{child.move} (") for name in moves)
                    moves[f"{child.move} ({again + 1})" if child.move in moves else child.move] = spec
                specs[node.path] = Turn(node.player, moves)
        total = ... if any(isinstance(leaf.payoff, tuple) for leaf in root.leaves) else game.total
        return Tree(specs[()], total=... if total is None else total)

    def spec(self) -> Any:
        """The tree as nested lists, the way it is given to `Tree`; a node that is out of turn as a `Turn`."""
        made: list[Any] = []
        for node in range(len(self.count) - 1, -1, -1):
            first, count = int(self.first[node]), int(self.count[node])
            below = [made[len(self.count) - 1 - child] for child in range(first, first + count)]
            made.append(self._spec_of(node, below))
        return made[-1]

    def _spec_of(self, node: int, below: list[Any]) -> Any:
        if not below:
            if node in self._leaf_names:
                return self._leaf_names[node]
            vector = tuple(float(value) for value in self.payoff[node])
            return vector if self._has_vectors else vector[0]
        if self.mover[node] == CHANCE:
            first = int(self.first[node])
            return Chance([(float(self.probability[first + i]), subtree) for i, subtree in enumerate(below)])
        names = self._move_names.get(node)
        moves = below if names is None else dict(zip(names, below, strict=True))
        if node not in self._sets and self.mover[node] == self._in_turn(node):
            return moves
        return Turn(self.player(node), moves, self._sets.get(node))

    def _in_turn(self, node: int) -> int:
        """Who moves at a node where MAX begins and the players alternate; −1 where more than two play."""
        above = int(self.parent[node])
        while above >= 0 and self.mover[above] == CHANCE:
            above = int(self.parent[above])
        if above < 0:
            return 0
        return 1 - int(self.mover[above]) if self.mover[above] < 2 else -1

    def to_json(self) -> str:
        """The tree as JSON, which `Tree.parse` reads.

        >>> Tree([3, "x"]).to_json()
        '[3, "x"]'
        """
        from gametree.games.tree.text import write_json

        return write_json(self.spec())

    # --- the rules ----------------------------------------------------------------------------------

    def initial(self) -> int:
        return 0

    def player(self, state: int) -> int:
        return int(self.mover[state])

    def actions(self, state: int) -> Iterable[int]:
        return range(int(self.count[state]))

    def result(self, state: int, action: int) -> int:
        return int(self.first[state]) + action

    def is_terminal(self, state: int) -> bool:
        return bool(self.count[state] == 0)

    def utility(self, state: int, player: int) -> float:
        value = float(self.payoff[state, player])
        if math.isnan(value):
            raise ValueError(self._why_no_value(state))
        return value

    @property
    def has_vectors(self) -> bool:
        """Whether the leaves are payoffs for each player, and not of player 0 alone."""
        return self._has_vectors

    def unknown(self, state: int) -> str | None:
        """The name of a leaf whose value is not known; None at every other node."""
        return self._leaf_names.get(state)

    def outcome(self, state: int) -> str:
        """WON, LOST or DRAW where a leaf was written so; "" elsewhere."""
        return self._leaf_words.get(state, "")

    def information_set(self, state: int) -> str | None:
        """The name of the information set that a node shares with others; None where it stands alone."""
        return self._sets.get(state)

    # --- text ---------------------------------------------------------------------------------------

    def _repr_svg_(self) -> str | None:
        """The tree as a picture, for notebooks; None where nobody draws it."""
        return drawn(self)

    def __repr__(self) -> str:
        leaves = int((self.count == 0).sum())
        nodes = len(self.count)
        return f"Tree({nodes} node{'s' * (nodes > 1)}, {leaves} {'leaf' if leaves == 1 else 'leaves'})"

    def name_action(self, state: int, action: int) -> str:
        names = self._move_names.get(state)
        return str(action + 1) if names is None else names[action]

    def parse_action(self, state: int, text: str) -> int:
        """The move with this name, or at this position counted from 1."""
        try:
            return int(super().parse_action(state, text))
        except InputError:
            wanted = text.strip()
            # A name that looks like a number has been tried first.
            if wanted.isascii() and wanted.isdigit() and wanted.lstrip("0") and len(wanted) < 10:
                action = int(wanted) - 1
                if action < self.count[state]:
                    return action
            if self.count[state] == 0:
                raise InputError(f"{self.path(state)} is a leaf: there is nothing to choose") from None
            raise

    def path(self, state: int) -> str:
        """The moves that lead to a node: "root → 2 → 1"."""
        names = []
        while state > 0:
            parent = int(self.parent[state])
            names.append(self.name_action(parent, state - int(self.first[parent])))
            state = parent
        return path_text(reversed(names))

    def show(self, state: int) -> str:
        """The subtree below a node, one node a line; what does not fit is counted."""
        lines: list[str] = []
        # Node, indentation and the name of the move that leads to it, the next one last.
        stack = [(state, 0, "")]
        while stack and len(lines) < _MOST_LINES:
            node, level, name = stack.pop()
            lines.append("  " * level + name + self._label(node))
            children = [(self.result(node, action), action) for action in self.actions(node)]
            for child, action in reversed(children[:_MOST_LINES]):
                odds = f" ({odds_text(self.probability[child])})" if self.mover[node] == CHANCE else ""
                stack.append((child, level + 1, f"{self.name_action(node, action)}{odds}: "))
        if self._size(state) > len(lines):
            lines.append(f"… and {self._size(state) - len(lines):,} more nodes")
        return "\n".join(lines)

    def _label(self, node: int) -> str:
        if self.count[node] == 0:
            if node in self._leaf_names:
                return self._leaf_names[node]
            shown = [f"{value:.12g}" for value in self.payoff[node]]
            return f"({', '.join(shown)})" if self._has_vectors else shown[0]
        mover = self.player(node)
        if mover == CHANCE:
            return "chance"
        name = player_name(self.player_names, mover)
        return f"{name} in {written_name(self._sets[node])}" if node in self._sets else name

    def _size(self, state: int) -> int:
        """How many nodes the subtree has. Those of one level follow each other: their ends are enough."""
        size, low, high = 0, state, state + 1
        while low < high:
            size += high - low
            low, high = int(self.first[low]), int(self.first[high - 1] + self.count[high - 1])
        return size

    def _why_no_value(self, state: int) -> str:
        if state in self._leaf_names:
            return (
                f"leaf {self._leaf_names[state]!r} has no value; write a number in its place to search"
                f" the tree (it is at {self.path(state)})"
            )
        return f"{self.path(state)} is not a leaf: only leaves have a utility"


class ChanceTree(Tree):
    """A `Tree` with chance nodes. `Tree(...)` makes one by itself where the tree has a `Chance`.

    >>> tree = Tree(Chance([(0.25, 3), (0.75, [1, 2])]))
    >>> list(tree.chance(tree.initial()))
    [(0, 0.25), (1, 0.75)]
    """

    def chance(self, state: int) -> Iterator[tuple[int, float]]:
        first = int(self.first[state])
        for outcome in range(int(self.count[state])):
            yield outcome, float(self.probability[first + outcome])


class HiddenTree(Tree):
    """A `Tree` with information sets. `Tree(...)` makes one by itself where a `Turn` has a `set`.

    >>> both = {"silent": -1, "betray": -3}
    >>> tree = Tree({"silent": Turn(1, both, set="B"), "betray": Turn(1, both, set="B")})
    >>> tree.observe(1, 1) == tree.observe(2, 1), tree.observe(1, 0) == tree.observe(2, 0)
    (True, False)
    """

    def observe(self, state: int, player: int) -> int:
        """The number of what a player knows: the information sets he was in, what he did there, and where he is now."""
        return int(self.known[state, player])


class HiddenChanceTree(HiddenTree, ChanceTree):
    """A `Tree` with information sets and chance nodes."""


_KINDS: Final[dict[tuple[bool, bool], type[Tree]]] = {
    (False, False): Tree,
    (True, False): ChanceTree,
    (False, True): HiddenTree,
    (True, True): HiddenChanceTree,
}

_drawers: Final[list[Callable[[Any], str | None]]] = []


def drawn_by(draw: Callable[[Any], str | None]) -> None:
    """Says how a tree becomes a picture. The rules know nothing of drawing; who does is told from outside."""
    _drawers.append(draw)


def drawn(tree: Any) -> str | None:
    """A tree, or an outline of one, as the text of a picture; None where nobody draws it."""
    return _drawers[-1](tree) if _drawers else None


def _check_range(
    tree: Tree, payoffs: tuple[float, float], vectors: dict[int, tuple[float, ...]]
) -> tuple[float, float]:
    match payoffs:
        case (low, high) if is_number(low) and is_number(high) and low <= high:
            for node, vector in vectors.items():
                if min(vector) < low or max(vector) > high:
                    shown = ", ".join(f"{value:.12g}" for value in vector)
                    raise InputError(
                        f"{tree.path(node)}: the payoffs ({shown}) are not within payoffs={payoffs}"
                    )
            return low, high
    raise InputError(f"payoffs={payoffs!r}: payoffs are the least and the greatest, for example (-1, 1)")


def _restored(cls: type[Tree], attributes: dict[str, Any]) -> Tree:
    """A tree as it was pickled or copied."""
    made: Tree = object.__new__(cls)
    vars(made).update(attributes)
    return made
