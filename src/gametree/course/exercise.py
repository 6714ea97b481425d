"""An exercise: a tree, the conventions, and what is asked. The key is not in it."""

import hashlib
import json
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final, NotRequired, TypedDict, cast

from gametree.documents.teaching import ExerciseDocument, Kind
from gametree.errors import GametreeError, InputError
from gametree.explain.traces.conventions import STANDARD, Conventions
from gametree.explain.traces.methods import Method
from gametree.explain.traces.trace import Trace, trace
from gametree.games.tree.game import Chance, Tree
from gametree.games.tree.outline import Outline, Path, outline
from gametree.reading import mismatch

SCHEMA: Final = "gametree.exercise/1"
MOST_LEVELS: Final = 30

METHODS: Final[dict[str, Method]] = {
    "minimax": "minimax",
    "alphabeta": "alphabeta",
    "expectiminimax": "expectiminimax",
    "maxn": "maxn",
    "unknown": "minimax",
    "ordering": "alphabeta",
}
"""Each kind of exercise and the search it is about."""

PARTS: Final = {
    "minimax": ("values", "move"),
    "alphabeta": ("values", "move", "leaves", "cuts"),
    "expectiminimax": ("values", "move"),
    "maxn": ("values", "move"),
    "unknown": ("depends", "range", "threshold"),
    "ordering": ("leaves", "best-order", "worst-order"),
}
"""What each kind asks unless the teacher chooses."""

POSSIBLE: Final = {
    **PARTS,
    "alphabeta": (*PARTS["alphabeta"], "windows", "best-order", "worst-order"),
    "ordering": (*PARTS["alphabeta"], "windows", "best-order", "worst-order"),
}
"""What each kind can ask."""

POINTS: Final = {
    "values": 4,
    "move": 1,
    "leaves": 3,
    "cuts": 4,
    "windows": 4,
    "best-order": 2,
    "worst-order": 2,
    "depends": 1,
    "range": 2,
    "threshold": 1,
}
"""What each part is worth. It does not depend on the solution, so that it gives nothing away."""


def require_parts(kind: str, parts: Sequence[str]) -> None:
    """Refuses a kind of exercise that there is not, and parts that it cannot ask."""
    if kind not in METHODS:
        raise InputError(f"there is no kind of exercise {kind!r}; there are: {', '.join(METHODS)}")
    for part in parts:
        if part not in POSSIBLE[kind]:
            raise InputError(
                f"an exercise on {kind} has no part {part!r}; it can ask: {', '.join(POSSIBLE[kind])}"
            )
    if len(set(parts)) < len(parts):
        raise InputError(f"parts {', '.join(parts)}: each can be asked once")


@dataclass(frozen=True)
class Exercise:
    """A tree and questions about it.

    >>> exercise = Exercise("minimax", [[3, 12, 8], [2, 4, 6], [14, 5, 2]])
    >>> exercise.leaves[:4], exercise.inner
    (('B1', 'B2', 'B3', 'C1'), ('A', 'B', 'C', 'D'))
    """

    kind: str
    spec: Any
    movers: tuple[int, ...] = (0, 1)
    conventions: Conventions = STANDARD
    parts: tuple[str, ...] = ()
    seed: int | None = None
    student: str = ""

    def __post_init__(self) -> None:
        require_parts(self.kind, self.parts)
        if not self.parts:
            object.__setattr__(self, "parts", PARTS[self.kind])

    @property
    def method(self) -> Method:
        """The search that the exercise is about."""
        return METHODS[self.kind]

    @cached_property
    def trace(self) -> Trace:
        """That search, run."""
        return trace(self.outline, self.method, self.conventions)

    @cached_property
    def outline(self) -> Outline:
        """The tree as plain data; every leaf has a name too."""
        return _with_leaf_names(outline(Tree(self.spec, self.movers)), "", self.method == "alphabeta")

    @cached_property
    def names(self) -> dict[Path, str]:
        """The name of every node: letters for inner nodes, and the parent's letter with a number for leaves."""
        return {node.path: node.name for node in self.outline.walk()}

    @cached_property
    def paths(self) -> dict[str, Path]:
        """Where the node of a name is."""
        return {name: path for path, name in self.names.items()}

    @cached_property
    def leaves(self) -> tuple[str, ...]:
        """The names of the leaves, from left to right."""
        return tuple(leaf.name for leaf in self.outline.leaves)

    @cached_property
    def inner(self) -> tuple[str, ...]:
        """The names of the inner nodes, in alphabetical order: level by level."""
        found = [node.name for node in self.outline.walk() if node.children]
        return tuple(sorted(found, key=lambda name: (len(name), name)))

    @cached_property
    def moves(self) -> tuple[str, ...]:
        """The names of the nodes that the root's moves lead to."""
        return tuple(child.name for child in self.outline.children)

    @property
    def points(self) -> int:
        """What all parts together are worth."""
        return sum(POINTS[part] for part in self.parts)

    @cached_property
    def id(self) -> str:
        """Names the exercise by its contents: answers carry it, so that they are not graded against another one."""
        rules = self.conventions
        decides = [
            self.kind,
            spec_to_json(self.spec),
            self.movers,
            rules.cut,
            rules.fail,
            rules.direction,
            self.parts,
        ]
        text = json.dumps(decides)
        return f"{self.kind}-{hashlib.sha256(text.encode()).hexdigest()[:10]}"

    def to_dict(self) -> ExerciseDocument:
        """As JSON data."""
        return {
            "schema": SCHEMA,
            "id": self.id,
            "seed": self.seed,
            "student": self.student,
            "kind": cast(Kind, self.kind),
            "tree": spec_to_json(self.spec),
            "movers": list(self.movers),
            "conventions": self.conventions.to_dict(),
            "parts": list(self.parts),
        }

    @classmethod
    def from_dict(cls, data: Any) -> "Exercise":
        """The exercise in JSON data."""
        if not isinstance(data, dict) or data.get("schema") != SCHEMA:
            raise InputError(f'this is no exercise: it has no "schema": "{SCHEMA}"')
        if why := mismatch(data, _Read, "the exercise"):
            raise InputError(why)
        try:
            conventions = Conventions(**data["conventions"])
        except TypeError:
            raise InputError(
                f"the exercise names conventions that do not exist: {', '.join(map(str, data['conventions']))}"
            ) from None
        made = cls(
            data["kind"],
            spec_from_json(data.get("tree")),
            tuple(data["movers"]),
            conventions,
            tuple(data["parts"]),
            data.get("seed"),
            data.get("student", ""),
        )
        try:
            made.outline  # noqa: B018
        except GametreeError as error:
            raise InputError(f"the tree of the exercise cannot be used: {error}") from None
        return made


class _Read(TypedDict):
    """As much of an `ExerciseDocument` as has to be there; what it says is checked where it is used."""

    kind: str
    movers: list[int]
    conventions: dict[str, Any]
    parts: list[str]
    seed: NotRequired[int | None]
    student: NotRequired[str]


def _with_leaf_names(node: Outline, parent: str, shown: bool) -> Outline:
    """Leaves are called by their parent and their place: the second child of C, where it is a leaf, is C2.

    Where answers name leaves, their names stand at the edges.
    """
    if not node.children:
        name = f"{parent or 'A'}{node.path[-1] + 1 if node.path else 1}"
        return replace(node, name=name, move=name if shown or len(node.path) == 1 else node.move)
    below = tuple(_with_leaf_names(child, node.name, shown) for child in node.children)
    return replace(node, children=below)


# --- trees as JSON ----------------------------------------------------------------------------------
# Lists are nodes, numbers and names are leaves; chance nodes and payoff vectors are objects.


def spec_to_json(spec: Any) -> Any:
    """What a `Tree` is made of, as data that JSON can hold.

    >>> spec_to_json([3, Chance([(0.5, [1, "x"]), (0.5, (1, 2))])])
    [3, {'chance': [[0.5, [1, 'x']], [0.5, {'payoffs': [1, 2]}]]}]
    """
    if isinstance(spec, Chance):
        return {"chance": [[odds, spec_to_json(subtree)] for odds, subtree in spec.outcomes]}
    if isinstance(spec, tuple):
        return {"payoffs": list(spec)}
    if isinstance(spec, list):
        return [spec_to_json(one) for one in spec]
    return spec


def spec_from_json(data: Any, level: int = 0) -> Any:
    """The way back. Says what cannot be read.

    >>> spec_from_json([3, {"payoffs": [1, 2]}])
    [3, (1, 2)]
    """
    if level > MOST_LEVELS:
        raise InputError(f"the tree has more than {MOST_LEVELS} levels")
    match data:
        case bool() | None:
            pass
        case int() | str():
            return data
        case float() if math.isfinite(data):
            return data
        case list():
            return [spec_from_json(one, level + 1) for one in data]
        case {"chance": list(outcomes)} if all(isinstance(o, list) and len(o) == 2 for o in outcomes):
            return Chance([(odds, spec_from_json(subtree, level + 1)) for odds, subtree in outcomes])
        case {"payoffs": list(payoffs)}:
            return tuple(payoffs)
    raise InputError(
        f"{str(data)[:60]} is no part of a tree: a node is a list, a leaf a number or a name,"
        ' a chance node {"chance": [[0.5, …], …]}, a payoff vector {"payoffs": [1, 2, 3]}'
    )
