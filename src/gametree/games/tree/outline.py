"""A tree as plain data: the tree below a state of any game, which is traced, drawn and asked about."""

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import count, islice
from typing import Any, Literal

from gametree.arguments import is_finite, whole
from gametree.board import Board, board_of
from gametree.errors import InputError, RulesError, UnsuitableError
from gametree.game import CHANCE, Game, check_state, nth_player, offers
from gametree.games.tree.game import Tree, drawn

MOST_LEVELS = 200
"""Deeper trees are no picture, and recursive code that students read would not get to their ends."""

Path = tuple[int, ...]
"""Indices of children from the root; () is the root."""
Kind = Literal["max", "min", "player", "chance", "leaf"]
Payoff = float | str | tuple[float, ...]
Interval = tuple[float, float]
"""The least and the most that a value can be."""


@dataclass(frozen=True, slots=True)
class Outline:
    """A node with all that is below it.

    >>> tree = outline([[3, 12, 8], [2, "x", "y"], [14, 5, 2]])
    >>> tree.name, tree.kind, tree.size, [leaf.payoff for leaf in tree.at((1,)).leaves]
    ('A', 'max', 13, [2.0, 'x', 'y'])
    """

    path: Path
    kind: Kind
    player: int | None
    """Who moves (0 is MAX); None at leaves and chance nodes."""
    name: str
    """"A", "B", … in level order for inner nodes, "" for leaves."""
    move: str
    """The action that leads here; "" at the root."""
    probability: float | None
    """How likely the node is, where its parent is a chance node."""
    payoff: Payoff | None
    """At leaves: a number, the name of an unknown, or a vector."""
    estimated: bool
    """Whether the leaf is a state at the depth limit, judged by `evaluate`."""
    shown: str
    """The state as the game shows it; "" in a `Tree`."""
    state: Any
    children: tuple["Outline", ...]
    alike: int = 1
    """How many symmetric moves this one stands for, where they were merged."""
    board: Board | None = None
    """The board of the state, where it has one."""
    mover: str = ""
    """What the game calls the player who moves; "" where it names nobody."""
    word: str = ""
    """What a leaf of a `Tree` was called instead of its payoff: WON, LOST, DRAW."""
    terms: str = ""
    """What the value of an estimated leaf consists of, such as "6 − 5"; "" where nobody tells it."""
    information: str = ""
    """The information set that a node of a `Tree` shares with others; "" where it stands alone."""

    def at(self, path: Path) -> "Outline":
        """The node at a path from the root of the whole tree; call it on the root."""
        node = self
        for index in path:
            if not 0 <= index < len(node.children):
                raise InputError(
                    f"the tree has no node at {path}: {node.path} has {len(node.children)} children"
                )
            node = node.children[index]
        return node

    def walk(self) -> Iterator["Outline"]:
        """The node and all below it, each before its children."""
        stack = [self]
        while stack:
            node = stack.pop()
            yield node
            stack.extend(reversed(node.children))

    def _repr_svg_(self) -> str | None:
        """The tree as a picture, for notebooks; None where nobody draws it."""
        return drawn(self)

    @property
    def is_leaf(self) -> bool:
        return self.kind == "leaf"

    def require_nothing_hidden(self) -> None:
        """Refuses a tree with information sets, for whoever takes it for granted that everything is seen."""
        hidden = next((node.information for node in self.walk() if node.information), None)
        if hidden is not None:
            raise UnsuitableError(
                f"the tree has information sets ({hidden}): a player does not know at which node he is, and a search"
                " that sees everything would cheat. It can be drawn; cfr and exploitability take it"
            )

    @property
    def leaves(self) -> list["Outline"]:
        return [node for node in self.walk() if node.is_leaf]

    @property
    def size(self) -> int:
        return sum(1 for _ in self.walk())

    @property
    def where(self) -> str:
        """How a sentence calls an inner node."""
        return "the root" if not self.path else self.name

    @property
    def who(self) -> str:
        """How a sentence calls the one who moves."""
        if self.kind == "player" and self.mover:
            return self.mover
        if self.kind == "player":
            return nth_player(self.player or 0)
        return {"max": "MAX", "min": "MIN"}.get(self.kind, "chance")

    def combine(self, ranges: list[Interval]) -> Interval:
        """The interval of the node's value from those of its children."""
        lows, highs = [low for low, _ in ranges], [high for _, high in ranges]
        if self.kind == "max":
            return max(lows), max(highs)
        if self.kind == "min":
            return min(lows), min(highs)
        return self.average(lows), self.average(highs)

    def average(self, values: list[float]) -> float:
        """The expected value of a chance node. Outcomes are added from the first to the last, as a student would."""
        total = 0.0
        for child, value in zip(self.children, values, strict=True):
            total += (child.probability or 0.0) * value
        return total

    @property
    def unknowns(self) -> tuple[str, ...]:
        """The names of the leaves whose value is not known, each once, from left to right."""
        names = (leaf.payoff for leaf in self.leaves)
        return tuple(dict.fromkeys(name for name in names if isinstance(name, str)))

    def with_values(self, values: Mapping[str, float]) -> "Outline":
        """The same tree with numbers in the place of unknown leaves; call it on the root.

        >>> outline([1, "x"]).with_values({"x": 5}).children[1].payoff
        5.0
        """
        for name, value in values.items():
            if name not in self.unknowns:
                known = ", ".join(self.unknowns) or "none"
                raise InputError(f"the tree has no unknown leaf {name!r}; its unknown leaves are: {known}")
            if not is_finite(value):
                raise InputError(f"{name} = {value!r}: the value of a leaf is a finite number")
        made: dict[Path, Outline] = {}
        for node in reversed(list(self.walk())):
            payoff = node.payoff
            if isinstance(payoff, str) and payoff in values:
                payoff = float(values[payoff])
            children = tuple(made.pop(child.path) for child in node.children)
            made[node.path] = replace(node, payoff=payoff, children=children)
        return made[self.path]


def outline(
    tree: Any,
    state: Any = None,
    depth: int | None = None,
    *,
    merge_symmetric: bool = False,
    most: int = 500,
    boards: bool = True,
) -> Outline:
    """The tree below a state of a game, to the end or to a depth.

    Takes a game, a `Tree`, what a `Tree` is made of (nested lists), or an outline, which is returned as it is.
    States at the depth are judged by `evaluate`; where a game has none they are unknown leaves x1, x2, …. So are the
    leaves named "?" of a `Tree`. With `merge_symmetric` moves to states that are mirror images of each other become
    one. `boards` says whether nodes have what the game shows of their states.
    """
    if isinstance(tree, Outline):
        return tree
    game = tree if isinstance(tree, Game) else Tree(tree)
    return outlined(game, unfold(game, state, depth, merge_symmetric, most), boards)


def outlined(game: Game, nodes: "list[Node]", boards: bool = True) -> Outline:
    """The outline of a tree that has been unfolded."""
    plain_tree = isinstance(game, Tree)
    called: dict[int | None, str] = dict(enumerate(game.player_names))
    one_scale = _has_one_scale(game)
    numbers = count()
    names = [letters(next(numbers)) if node.children else "" for node in nodes]
    # Children come after their parents in level order: made from the last to the first.
    done: dict[int, Outline] = {}
    for index in range(len(nodes) - 1, -1, -1):
        node = nodes[index]
        kind: Kind = "leaf"
        if node.mover == CHANCE:
            kind = "chance"
        elif node.mover is not None:
            kind = "player" if not one_scale else ("max" if node.mover == 0 else "min")
        done[index] = Outline(
            node.path,
            kind,
            None if node.mover == CHANCE else node.mover,
            names[index],
            node.move,
            node.probability,
            node.payoff,
            node.estimated,
            "" if plain_tree or not boards else game.show(node.state),
            None if plain_tree else node.state,
            tuple(done.pop(child) for child in node.children),
            node.alike,
            None if plain_tree or not boards else _board(game, node.state),
            called.get(node.mover, ""),
            game.outcome(node.state) if isinstance(game, Tree) else "",
            "",
            (game.information_set(node.state) or "") if isinstance(game, Tree) else "",
        )
    return done[0]


def _board(game: Game, state: Any) -> Board | None:
    """The board of a state. One that had to be found in what the game shows is taken where it has rows."""
    board = board_of(game, state)
    if offers(game, "board") or not offers(game, "show"):
        return None if board.kind == "buttons" else board
    return board if board.kind == "grid" and board.size[1] > 1 else None


def letters(index: int) -> str:
    """The name of the n-th inner node, counted from 0.

    >>> letters(0), letters(25), letters(26), letters(701), letters(702)
    ('A', 'Z', 'AA', 'ZZ', 'AAA')
    """
    name = ""
    index += 1
    while index:
        index, digit = divmod(index - 1, 26)
        name = chr(ord("A") + digit) + name
    return name


# --- unfolding --------------------------------------------------------------------------------------


@dataclass(slots=True)
class Node:
    """A node while the tree is being unfolded."""

    path: Path
    state: Any
    move: str = ""
    probability: float | None = None
    alike: int = 1
    mover: int | None = None
    """Who moves, or CHANCE; None at a leaf."""
    payoff: Payoff | None = None
    estimated: bool = False
    children: list[int] = field(default_factory=list)


def unfold(
    game: Game,
    state: Any,
    depth: int | None,
    merge_symmetric: bool,
    most: int,
    stops: Callable[[Any], bool] = lambda state: False,
) -> list[Node]:
    """The nodes below a state, level by level, to the end of the game, to a depth, or where `stops` says so."""
    if depth is not None:
        whole("depth", depth, "the depth is a number of moves, 0 or more", least=0)
    if offers(game, "observe") and not isinstance(game, Tree):
        raise UnsuitableError(
            f"{type(game).__name__} hides information (it defines `observe`); the tree of its states is not the"
            " tree that its players see"
        )
    nodes = [Node((), check_state(game, state))]
    for node in nodes:
        if len(node.path) > MOST_LEVELS:
            raise InputError(f"the tree has more than {MOST_LEVELS} levels: give a depth")
        if game.is_terminal(node.state) or len(node.path) == depth or stops(node.state):
            _judge(game, node)
            continue
        node.mover = game.player(node.state)
        for child in _below(game, node, merge_symmetric, most):
            node.children.append(len(nodes))
            nodes.append(child)
        if len(nodes) > most:
            way = "Give a smaller depth, or" if depth is None or depth > 1 else "You can"
            raise InputError(
                f"the tree has more than {most:,} nodes, too many to look at one by one. {way} raise the limit"
                f" with most={most * 10}"
            )
    _name_unknown(nodes)
    return nodes


def _has_one_scale(game: Game) -> bool:
    """Whether one number is enough for a leaf: two players, of whom one loses what the other gains."""
    return game.players == 2 and game.total is not None and not (isinstance(game, Tree) and game.has_vectors)


def _below(game: Game, parent: Node, merge: bool, most: int) -> Iterator[Node]:
    """One node for each move, or for each kind of moves where symmetric ones are merged."""
    state = parent.state
    found: dict[Any, Node] = {}
    moves: Iterator[tuple[Any, float | None]]
    if parent.mover == CHANCE:
        moves = iter(game.chance(state))
    else:
        moves = ((action, None) for action in game.actions(state))
    # One more than allowed is enough to be refused.
    for action, odds in islice(moves, most + 1):
        name = game.name_action(state, action)
        child = Node((*parent.path, len(found)), game.result(state, action), name, odds)
        twin = (
            next((found[key] for key in _images(game, child.state) if key in found), None) if merge else None
        )
        if twin is None:
            found[game.key(child.state) if merge else len(found)] = child
        else:
            twin.alike += 1
            if twin.probability is not None and odds is not None:
                twin.probability += odds
    if not found:
        raise RulesError(f"{type(game).__name__} has no actions in a state that is not terminal: {state!r}")
    yield from found.values()


def _images(game: Game, state: Any) -> Iterator[Any]:
    yield game.key(state)
    for image in game.symmetries(state):
        yield game.key(image)


def _judge(game: Game, node: Node) -> None:
    """Writes down what a leaf is worth."""
    state = node.state
    if isinstance(game, Tree) and (unknown := game.unknown(state)) is not None:
        node.payoff = unknown
        return
    if game.is_terminal(state):
        worth = game.utility
    elif offers(game, "evaluate"):
        worth = game.evaluate
        node.estimated = True
    else:
        node.payoff = "?"
        return
    one = _has_one_scale(game)
    values = tuple(float(worth(state, player)) for player in range(1 if one else game.players))
    if any(math.isnan(value) for value in values):
        raise RulesError(f"{type(game).__name__} values {state!r} at nan")
    node.payoff = values[0] if one else values


def _name_unknown(nodes: list[Node]) -> None:
    """Each leaf without a name of its own gets one, from left to right."""
    taken = {node.payoff for node in nodes if isinstance(node.payoff, str)}
    index = 0
    for node in sorted(nodes, key=lambda one: one.path):
        if node.payoff == "?":
            index += 1
            while f"x{index}" in taken:
                index += 1
            node.payoff = f"x{index}"
