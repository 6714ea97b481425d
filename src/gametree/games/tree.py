"""A tree from a lecture, written down as nested lists, as a game."""

import math
import numbers
import operator
import reprlib
from collections.abc import Iterable, Iterator, Sequence
from types import EllipsisType
from typing import TYPE_CHECKING, Any, Final, SupportsFloat

from gametree.errors import InputError
from gametree.game import CHANCE, Game

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_MOST_NODES: Final = 10_000_000
_TOLERANCE: Final = 1e-9
_MOST_LINES: Final = 60
_KINDS: Final = (
    "a node is a list of subtrees, a dict of named moves or Chance([...]); a leaf is a number,"
    " a tuple of numbers (one for each player) or a name in quotes"
)


class Chance:
    """A node where chance decides: pairs of a probability and a subtree.

    >>> Chance([(0.5, 3), (0.5, [1, 2])])
    Chance(2 outcomes)
    """

    __slots__ = ("outcomes",)

    def __init__(self, outcomes: Iterable[tuple[SupportsFloat, Any]]):
        pairs: list[Any] = list(outcomes)
        if not pairs:
            raise InputError("Chance([]) has no outcomes: write Chance([(0.5, subtree), (0.5, subtree)])")
        for pair in pairs:
            if not isinstance(pair, (tuple, list)) or len(pair) != 2:
                raise InputError(
                    "every outcome of Chance is a pair of a probability and a subtree, such as (0.5, [3, 5])"
                )
            if not _is_number(pair[0]) or not 0 < pair[0] <= 1:
                raise InputError(f"{pair[0]!r} is no probability: Chance takes numbers above 0 and at most 1")
        total = math.fsum(float(probability) for probability, _ in pairs)
        if abs(total - 1) > _TOLERANCE:
            raise InputError(f"the probabilities of a Chance sum to {total:.10g}; they have to sum to 1")
        self.outcomes: Final = tuple((float(probability), subtree) for probability, subtree in pairs)

    def __repr__(self) -> str:
        return f"Chance({len(self.outcomes)} outcome{'s' * (len(self.outcomes) > 1)})"


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
        # Whether a game has chance nodes is seen from its class, so that searches without them can refuse it.
        if _has_chance(spec) and not issubclass(cls, ChanceTree):
            if cls is not Tree:
                raise InputError(
                    f"{cls.__name__} is given Chance nodes: derive it from gametree.games.tree.ChanceTree"
                )
            return object.__new__(ChanceTree)
        return object.__new__(cls)

    def __init__(
        self,
        spec: Any,
        movers: Sequence[int] = (0, 1),
        *,
        total: float | EllipsisType | None = ...,
        payoffs: tuple[float, float] | None = None,
    ):
        import numpy as np

        movers = _check_movers(movers)
        nodes = _Nodes(spec, movers)
        self.players, vectors, self.total = _check_payoffs(nodes, movers, total)
        self.first = np.array(nodes.first, dtype=np.int64)
        self.count = np.array(nodes.count, dtype=np.int64)
        self.mover = np.array(nodes.mover, dtype=np.int64)
        self.parent = np.array(nodes.parent, dtype=np.int64)
        self.probability = np.array(nodes.probability, dtype=np.float64)
        self.payoff = np.full((len(nodes.first), self.players), np.nan)
        for node, vector in vectors.items():
            self.payoff[node] = vector
        self._move_names = nodes.move_names
        self._leaf_names = nodes.leaf_names
        self._has_vectors = bool(nodes.vectors)
        if payoffs is not None:
            self.payoffs = _check_range(self, payoffs, vectors)

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

    # --- text ---------------------------------------------------------------------------------------

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
        return _path(reversed(names))

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
                odds = f" ({self.probability[child]:.6g})" if self.mover[node] == CHANCE else ""
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
        return f"player {mover}" if self._has_vectors else ("MAX", "MIN")[mover]

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


class _Nodes:
    """A tree laid out breadth-first: what follows from the spec alone, node by node."""

    def __init__(self, spec: Any, movers: tuple[int, ...]):
        self.first: list[int] = []
        self.count: list[int] = []
        self.mover: list[int] = []
        self.parent = [-1]
        self.probability = [1.0]
        self.move_names: dict[int, tuple[str, ...]] = {}
        self.leaf_names: dict[int, str] = {}
        self.numbers: dict[int, float] = {}
        self.vectors: dict[int, tuple[float, ...]] = {}
        specs = [spec]
        levels = [0]
        node = 0
        while node < len(specs):
            level = levels[node]
            children, probabilities, mover = self._read(node, specs[node], movers[level % len(movers)])
            self.first.append(len(specs))
            self.count.append(len(children))
            self.mover.append(mover)
            specs += children
            levels += [level if mover == CHANCE else level + 1] * len(children)
            self.parent += [node] * len(children)
            self.probability += probabilities
            if len(specs) > _MOST_NODES:
                raise InputError(
                    f"the tree has more than {_MOST_NODES:,} nodes: write its rules as a Game instead"
                )
            node += 1

    def _read(self, node: int, spec: Any, mover: int) -> tuple[list[Any], list[float], int]:
        """The children of a node, how likely each is, and who moves; a leaf is written down here."""
        if isinstance(spec, Chance):
            return [subtree for _, subtree in spec.outcomes], [odds for odds, _ in spec.outcomes], CHANCE
        if isinstance(spec, dict):
            for name in spec:
                if not isinstance(name, str) or not name.strip():
                    raise InputError(
                        f"{self.path(node)}: the move name {name!r} is not a text such as 'left'"
                    )
            self.move_names[node] = tuple(spec)
        if isinstance(spec, (list, dict)):
            if not spec:
                raise InputError(f"{self.path(node)} is empty: a node needs at least one subtree")
            children = list(spec.values()) if isinstance(spec, dict) else list(spec)
            return children, [1.0] * len(children), mover
        if isinstance(spec, str):
            if not spec.strip():
                raise InputError(f"{self.path(node)}: an unknown leaf needs a name, for example 'x'")
            self.leaf_names[node] = spec
        elif isinstance(spec, tuple):
            self.vectors[node] = tuple(self._number(node, value, "in a tuple") for value in spec)
        else:
            self.numbers[node] = self._number(node, spec, "as a leaf")
        return [], [], mover

    def _number(self, node: int, value: Any, place: str) -> float:
        if isinstance(value, bool):
            raise InputError(
                f"{self.path(node)}: {value} {place} is no payoff: write a number such as 1 or 0"
            )
        if not _is_number(value):
            kind = type(value).__name__
            hint = "; a numpy array becomes one with .tolist()" if hasattr(value, "tolist") else ""
            raise InputError(
                f"{self.path(node)}: {reprlib.repr(value)} ({kind}) cannot stand {place}: {_KINDS}{hint}"
            )
        try:
            number = float(value)
        except OverflowError:
            number = math.inf
        if not math.isfinite(number):
            raise InputError(
                f"{self.path(node)}: {reprlib.repr(value)} is no payoff: payoffs are finite numbers"
            )
        if isinstance(value, numbers.Integral) and int(number) != value:
            raise InputError(
                f"{self.path(node)}: {value} is too large to be kept exactly: payoffs are 64-bit floats"
            )
        return number

    def path(self, node: int) -> str:
        names = []
        while node > 0:
            parent = self.parent[node]
            position = node - self.first[parent]
            given = self.move_names.get(parent)
            names.append(str(position + 1) if given is None else given[position])
            node = parent
        return _path(reversed(names))


def _check_payoffs(
    nodes: _Nodes, movers: tuple[int, ...], total: float | EllipsisType | None
) -> tuple[int, dict[int, tuple[float, ...]], float | None]:
    """How many players there are, their payoffs at each known leaf, and what these sum to."""
    if not (total is ... or total is None or (_is_number(total) and math.isfinite(total))):
        raise InputError(f"total={total!r}: total is what the payoffs of all players sum to, or None")
    if nodes.numbers and nodes.vectors:
        one, other = (nodes.path(next(iter(leaves))) for leaves in (nodes.numbers, nodes.vectors))
        raise InputError(
            f"{one} is a number and {other} is a tuple: write every leaf as the payoff of player 0,"
            " or every leaf as a tuple with the payoff of each player"
        )
    named = max(movers) + 1
    if not nodes.vectors:
        if nodes.numbers and named > 2:
            raise InputError(
                f"movers={movers} names player {named - 1}, but the leaves are payoffs of player 0 alone:"
                f" write each as a tuple of {named} payoffs"
            )
        if total is None and nodes.numbers:
            raise InputError(
                "total=None: with numbers as leaves the payoff of player 1 follows from the total;"
                " write tuples where the payoffs have no common sum"
            )
        common = 0 if total is ... else total
        pairs: dict[int, tuple[float, ...]] = {
            node: (value, (common or 0) - value) for node, value in nodes.numbers.items()
        }
        return max(2, named), pairs, common
    players = max(2, len(next(iter(nodes.vectors.values()))))
    for node, vector in nodes.vectors.items():
        if len(vector) != players:
            raise InputError(
                f"{nodes.path(node)} has {len(vector)} payoff{'' if len(vector) == 1 else 's'}, but there are"
                f" {players} players: write one for each in every tuple"
            )
    if named > players:
        raise InputError(f"movers={movers} names player {named - 1}, but the leaves have {players} payoffs")
    sums = {node: math.fsum(vector) for node, vector in nodes.vectors.items()}
    if total is ...:
        some = next(iter(sums.values()))
        return players, nodes.vectors, some if all(_close(one, some) for one in sums.values()) else None
    for node, their_sum in sums.items():
        if total is not None and not _close(their_sum, total):
            raise InputError(f"{nodes.path(node)}: the payoffs sum to {their_sum:.12g}, not to total={total}")
    return players, nodes.vectors, total


def _check_movers(movers: Sequence[int]) -> tuple[int, ...]:
    how = "movers takes the player of each level, for example (0, 1)"
    try:
        checked = tuple(operator.index(mover) for mover in movers)
    except TypeError:
        raise InputError(f"movers={movers!r}: {how}") from None
    if CHANCE in checked:
        raise InputError(f"movers={movers!r}: chance decides where the tree has Chance([...]); {how}")
    if not checked or min(checked) < 0 or any(isinstance(mover, bool) for mover in movers):
        raise InputError(f"movers={movers!r}: {how}")
    return checked


def _check_range(
    tree: Tree, payoffs: tuple[float, float], vectors: dict[int, tuple[float, ...]]
) -> tuple[float, float]:
    match payoffs:
        case (low, high) if _is_number(low) and _is_number(high) and low <= high:
            for node, vector in vectors.items():
                if min(vector) < low or max(vector) > high:
                    shown = ", ".join(f"{value:.12g}" for value in vector)
                    raise InputError(
                        f"{tree.path(node)}: the payoffs ({shown}) are not within payoffs={payoffs}"
                    )
            return low, high
    raise InputError(f"payoffs={payoffs!r}: payoffs are the least and the greatest, for example (-1, 1)")


def _has_chance(spec: Any) -> bool:
    """Whether a spec has chance nodes. Walks with a stack of its own, for trees deeper than Python's."""
    found = False
    done: set[int] = set()
    above: set[int] = set()
    stack: list[tuple[Any, Iterator[Any]]] = []
    here: Any = spec
    while True:
        if id(here) in above:
            raise InputError("the tree contains itself: a list cannot be one of its own subtrees")
        if isinstance(here, (list, dict, Chance)) and id(here) not in done:
            found = found or isinstance(here, Chance)
            above.add(id(here))
            stack.append((here, _subtrees(here)))
        while stack:
            node, subtrees = stack[-1]
            here = next(subtrees, stack)
            if here is not stack:
                break
            stack.pop()
            above.discard(id(node))
            done.add(id(node))
        if not stack:
            return found


def _subtrees(spec: Any) -> Iterator[Any]:
    if isinstance(spec, Chance):
        return (subtree for _, subtree in spec.outcomes)
    return iter(spec.values() if isinstance(spec, dict) else spec)


def _is_number(value: Any) -> bool:
    return isinstance(value, numbers.Real) and not isinstance(value, bool)


def _close(one: float, other: float) -> bool:
    return math.isclose(one, other, rel_tol=_TOLERANCE, abs_tol=_TOLERANCE)


def _path(names: Iterable[str]) -> str:
    return " → ".join(["root", *names])
