"""What a tree is written down with: nested lists, laid out node by node."""

import math
import numbers
import operator
import reprlib
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from types import EllipsisType
from typing import Any, Final, SupportsFloat

from gametree.arguments import is_whole
from gametree.errors import InputError
from gametree.game import CHANCE

_MOST_NODES: Final = 10_000_000
_TOLERANCE: Final = 1e-9
OUTCOMES: Final = {"WON": 1.0, "LOST": -1.0, "DRAW": 0.0}
"""What a leaf may be called instead of its payoff to player 0."""
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
            if not is_number(pair[0]) or not 0 < pair[0] <= 1:
                raise InputError(f"{pair[0]!r} is no probability: Chance takes numbers above 0 and at most 1")
        total = math.fsum(float(probability) for probability, _ in pairs)
        if abs(total - 1) > _TOLERANCE:
            raise InputError(f"the probabilities of a Chance sum to {total:.10g}; they have to sum to 1")
        self.outcomes: Final = tuple((float(probability), subtree) for probability, subtree in pairs)

    def __repr__(self) -> str:
        return f"Chance({len(self.outcomes)} outcome{'s' * (len(self.outcomes) > 1)})"


class Turn:
    """A node where a certain player moves, whatever the level; below it the players go on in their order.

    Nodes with the same `set` belong to one information set: the player knows that he is at one of them, not at which.

    >>> Turn(1, [3, 5])
    Turn(1, [3, 5])
    """

    __slots__ = ("player", "set", "subtrees")

    def __init__(self, player: int, subtrees: Any, set: str | None = None):
        if not is_whole(player) or player < 0:
            raise InputError(
                f"Turn({player!r}, …): a player is a number, 0 for the first (MAX), 1 for the second"
            )
        if not isinstance(subtrees, (list, dict)):
            raise InputError(
                f"Turn({player}, …) takes a list of subtrees or a dict of named moves, not {reprlib.repr(subtrees)}"
            )
        if set is not None and (not isinstance(set, str) or not set.strip()):
            raise InputError(f"set={set!r}: an information set has a name, for example set='B'")
        self.player: Final = player
        self.set: Final = set
        self.subtrees: Final[list[Any] | dict[str, Any]] = subtrees

    def __repr__(self) -> str:
        named = "" if self.set is None else f", set={self.set!r}"
        return f"Turn({self.player}, {reprlib.repr(self.subtrees)}{named})"


class Nodes:
    """A tree laid out breadth-first: what follows from the spec alone, node by node."""

    def __init__(self, spec: Any, movers: tuple[int, ...]):
        self.first: list[int] = []
        self.count: list[int] = []
        self.mover: list[int] = []
        self.parent: list[int] = [-1]
        self.probability: list[float] = [1.0]
        self.move_names: dict[int, tuple[str, ...]] = {}
        self.leaf_names: dict[int, str] = {}
        self.leaf_words: dict[int, str] = {}
        """Leaves that were written as WON, LOST or DRAW."""
        self.sets: dict[int, str] = {}
        """For nodes that share an information set with others, its name."""
        self.numbers: dict[int, float] = {}
        self.vectors: dict[int, tuple[float, ...]] = {}
        specs = [spec]
        levels = [0]
        node = 0
        while node < len(specs):
            level, here = levels[node], specs[node]
            mover = movers[level % len(movers)]
            if isinstance(here, Turn):
                if here.set is not None:
                    self.sets[node] = here.set
                mover, here = here.player, here.subtrees
                level = movers.index(mover) if mover in movers else level
            children, probabilities, mover = self._read(node, here, mover)
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
            if spec in OUTCOMES:
                self.leaf_words[node] = spec
                self.numbers[node] = OUTCOMES[spec]
            else:
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
        if not is_number(value):
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
        return path_text(reversed(names))


def check_payoffs(
    nodes: Nodes, movers: tuple[int, ...], total: float | EllipsisType | None
) -> tuple[int, dict[int, tuple[float, ...]], float | None]:
    """How many players there are, their payoffs at each known leaf, and what these sum to."""
    if not (total is ... or total is None or (is_number(total) and math.isfinite(total))):
        raise InputError(f"total={total!r}: total is what the payoffs of all players sum to, or None")
    if nodes.numbers and nodes.vectors:
        one, other = (nodes.path(next(iter(leaves))) for leaves in (nodes.numbers, nodes.vectors))
        raise InputError(
            f"{one} is a number and {other} is a tuple: write every leaf as the payoff of player 0,"
            " or every leaf as a tuple with the payoff of each player"
        )
    named = max(*movers, *nodes.mover) + 1
    who = f"movers={movers}" if named == max(movers) + 1 else "Turn"
    if not nodes.vectors:
        if nodes.numbers and named > 2:
            raise InputError(
                f"{who} names player {named - 1}, but the leaves are payoffs of player 0 alone:"
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
        raise InputError(f"{who} names player {named - 1}, but the leaves have {players} payoffs")
    sums = {node: math.fsum(vector) for node, vector in nodes.vectors.items()}
    if total is ...:
        some = next(iter(sums.values()))
        return players, nodes.vectors, some if all(_close(one, some) for one in sums.values()) else None
    for node, their_sum in sums.items():
        if total is not None and not _close(their_sum, total):
            raise InputError(f"{nodes.path(node)}: the payoffs sum to {their_sum:.12g}, not to total={total}")
    return players, nodes.vectors, total


def check_movers(movers: Sequence[int]) -> tuple[int, ...]:
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


def what_is_in(spec: Any) -> tuple[bool, bool]:
    """Whether a spec has chance nodes, and whether it has information sets.

    Walks with a stack of its own, for trees deeper than Python's.
    """
    chance = hidden = False
    done: set[int] = set()
    above: set[int] = set()
    stack: list[tuple[Any, Iterator[Any]]] = []
    here: Any = spec
    while True:
        if id(here) in above:
            raise InputError("the tree contains itself: a list cannot be one of its own subtrees")
        if isinstance(here, (list, dict, Chance, Turn)) and id(here) not in done:
            chance = chance or isinstance(here, Chance)
            hidden = hidden or (isinstance(here, Turn) and here.set is not None)
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
            return chance, hidden


def _subtrees(spec: Any) -> Iterator[Any]:
    if isinstance(spec, Chance):
        return (subtree for _, subtree in spec.outcomes)
    if isinstance(spec, Turn):
        return iter([spec.subtrees])
    return iter(spec.values() if isinstance(spec, dict) else spec)


def is_number(value: Any) -> bool:
    return isinstance(value, numbers.Real) and not isinstance(value, bool)


def _close(one: float, other: float) -> bool:
    return math.isclose(one, other, rel_tol=_TOLERANCE, abs_tol=_TOLERANCE)


def path_text(names: Iterable[str]) -> str:
    return " → ".join(["root", *names])


def odds_text(probability: float) -> str:
    """A probability as it is read: 0.25, 1/6, or with all its digits.

    >>> odds_text(0.25), odds_text(1 / 6), odds_text(0.123456789012)
    ('0.25', '1/6', '0.123456789012')
    """
    short = f"{probability:.6g}"
    if float(short) == probability:
        return short
    fraction = Fraction(probability).limit_denominator(1000)
    return str(fraction) if float(fraction) == probability else f"{probability:.12g}"
