"""The key: what is right for every part, worked out from the tree and the conventions by running the search.

A person reads it in words; as a file of answers it earns every point.
"""

import math
from dataclasses import dataclass, field
from typing import Any, Final, cast

from gametree.course.answers import NOT_VISITED
from gametree.course.answers import SCHEMA as ANSWERS
from gametree.course.exercise import Exercise
from gametree.course.ordering import Extreme, extreme
from gametree.documents.teaching import AnswersDocument, GivenParts, KeyDocument
from gametree.explain.traces.notation import number
from gametree.explain.traces.trace import Cut, Trace, Worth, trace
from gametree.games.tree.outline import Outline, Path

SCHEMA: Final = "gametree.key/1"
ALWAYS: Final = "always"
NEVER: Final = "never"


@dataclass(frozen=True)
class CutBranch:
    """A branch that is not looked at: what kind of cut, and the depths that are right to say."""

    kind: str
    depths: tuple[str, ...]
    """Two where the parent's own value and a bound from further up are the same number."""
    at: str
    """The node at which the search stopped."""


@dataclass(frozen=True)
class Key:
    """What is right. A part that is not asked keeps its default."""

    values: dict[str, Worth | None] = field(default_factory=dict)
    """For each inner node what it returns; None where the search does not come."""
    moves: tuple[str, ...] = ()
    """Every best move at the root."""
    leaves: tuple[str, ...] = ()
    cuts: dict[str, CutBranch] = field(default_factory=dict)
    best: Extreme | None = None
    worst: Extreme | None = None
    given: int = 0
    """How many leaves are visited in the order drawn."""
    windows: dict[str, tuple[float, float] | None] = field(default_factory=dict)
    """α and β with which each inner node is called; None where it is not."""
    low: float = 0
    high: float = 0
    """The least and the greatest value that the root can have, whatever the unknown is."""
    threshold: float | str = NEVER
    """From which x on the move towards x is a best one: a number, always or never."""


def solve(exercise: Exercise) -> Key:
    """The key of an exercise.

    >>> key = solve(Exercise("alphabeta", [[3, 12, 8], [2, 4, 6], [14, 5, 2]]))
    >>> key.moves, key.values["C"], list(key.cuts), key.leaves[3:]
    (('B',), 2.0, ['C2', 'C3'], ('C1', 'D1', 'D2', 'D3'))
    """
    if exercise.kind == "unknown":
        return _unknown(exercise)
    told = exercise.trace
    names = exercise.names
    found: dict[str, Any] = {
        "values": {name: told.values.get(exercise.paths[name]) for name in exercise.inner},
        "moves": best_moves(exercise),
        "leaves": tuple(names[path] for path in told.leaves),
        "given": len(told.leaves),
    }
    if exercise.method == "alphabeta":
        found["cuts"] = _cut_branches(exercise, told)
        found["windows"] = {name: _window(told, exercise.paths[name]) for name in exercise.inner}
    for part, field_name in (("best-order", "best"), ("worst-order", "worst")):
        if part in exercise.parts:
            found[field_name] = extreme(exercise.outline, exercise.conventions, most=part == "worst-order")
    return Key(**found)


def _window(told: Trace, path: Path) -> tuple[float, float] | None:
    """α and β with which a node is called; None where the search does not come to it."""
    for event in told.events:
        if event.kind == "enter" and event.path == path:
            assert event.alpha is not None and event.beta is not None
            return event.alpha, event.beta
    return None


def best_moves(exercise: Exercise) -> tuple[str, ...]:
    """Every move at the root that is as good as the best, by the true values of minimax."""
    root = exercise.outline
    if root.kind == "chance" or not root.children:
        return ()
    told = exercise.trace
    if exercise.method == "alphabeta":
        told = trace(root, "minimax", exercise.conventions)
    mine = root.player if root.kind == "player" else None

    def worth(path: Path) -> float:
        value = told.values[path]
        return value[mine or 0] if isinstance(value, tuple) else value

    # Sums of products at chance nodes may differ in the last bit.
    best = worth(root.path)
    return tuple(child.name for child in root.children if math.isclose(worth(child.path), best, abs_tol=1e-9))


def _cut_branches(exercise: Exercise, told: Trace) -> dict[str, CutBranch]:
    branches: dict[str, CutBranch] = {}
    names = exercise.names
    for step, event in enumerate(told.events):
        cut = event.cut
        if cut is None:
            continue
        depths: tuple[str, ...] = (cut.depth,)
        if cut.depth == "deep" and _parent_cuts_too(told, step, cut):
            depths = ("deep", "shallow")
        for path in cut.skipped:
            branches[names[path]] = CutBranch(cut.kind, depths, names[cut.path])
    return branches


def _parent_cuts_too(told: Trace, step: int, cut: Cut) -> bool:
    """Whether the parent has by its own children what the node further up has: then both set the bound."""
    event = told.events[step]
    parent = told.at(step).marks[cut.path[:-1]]
    return parent.low == event.alpha if cut.kind == "alpha" else parent.high == event.beta


# --- unknown leaves ---------------------------------------------------------------------------------


def _unknown(exercise: Exercise) -> Key:
    """A minimax tree in which x stands once is worth x clipped to a range: its ends are found with x = ±∞."""
    root = exercise.outline
    low, high = value_with(root, -math.inf), value_with(root, math.inf)
    towards = next(child for child in root.children if child.unknowns)
    least, greatest = value_with(towards, -math.inf), value_with(towards, math.inf)
    others = [value_with(child, 0.0) for child in root.children if child is not towards]
    threshold: float | str
    if root.kind == "max":
        rival = max(others, default=-math.inf)
        threshold = ALWAYS if least >= rival else NEVER if greatest < rival else rival
    else:
        rival = min(others, default=math.inf)
        threshold = ALWAYS if greatest <= rival else NEVER if least > rival else rival
    return Key(low=low, high=high, threshold=threshold)


def value_with(node: Outline, x: float) -> float:
    """The minimax value of a node where the unknown leaf is worth x."""
    if not node.children:
        assert not isinstance(node.payoff, tuple)
        return x if isinstance(node.payoff, str) or node.payoff is None else node.payoff
    values = [value_with(child, x) for child in node.children]
    return max(values) if node.kind == "max" else min(values)


def unknown_leaf(exercise: Exercise) -> tuple[str, str]:
    """The name of the unknown, and of the move at the root that leads towards it."""
    child = next(child for child in exercise.outline.children if child.unknowns)
    return child.unknowns[0], child.name


# --- for people, and for programs -------------------------------------------------------------------


def right_answers(exercise: Exercise, key: Key | None = None) -> dict[str, Any]:
    """One right answer to each part, as a student would hand it in.

    >>> right_answers(Exercise("minimax", [[3, 12], [2, 4]]))["values"]
    {'A': 3, 'B': 3, 'C': 2}
    """
    key = key or solve(exercise)
    return {part: _answer(part, exercise, key) for part in exercise.parts}


def answer_file(exercise: Exercise, given: dict[str, Any], student: str = "") -> AnswersDocument:
    """Answers as the JSON data of a file."""
    return {
        "schema": ANSWERS,
        "exercise": exercise.id,
        "student": student,
        "answers": cast(GivenParts, given),
    }


def key_file(exercise: Exercise) -> KeyDocument:
    """The key as JSON data: one right answer to each part, and in words what else is right."""
    key = solve(exercise)
    return {
        "schema": SCHEMA,
        "exercise": exercise.id,
        "student": exercise.student,
        "answers": cast(GivenParts, right_answers(exercise, key)),
        "words": {part: words(part, exercise, key) for part in exercise.parts},
    }


def _answer(part: str, exercise: Exercise, key: Key) -> Any:
    match part:
        case "values":
            return {name: _plain(value) for name, value in key.values.items()}
        case "windows":
            return {name: _plain(window) for name, window in key.windows.items()}
        case "move":
            return key.moves[0]
        case "leaves":
            return list(key.leaves)
        case "cuts":
            return [
                {"branch": branch, "kind": cut.kind, "depth": cut.depths[0]}
                for branch, cut in key.cuts.items()
            ]
        case "best-order" | "worst-order":
            return _order(exercise, key.best if part == "best-order" else key.worst)
        case "depends":
            return "yes" if key.low < key.high else "no"
        case "range":
            return {"least": _plain(key.low), "greatest": _plain(key.high)}
    return key.threshold if isinstance(key.threshold, str) else _plain(key.threshold)


def _order(exercise: Exercise, found: Extreme | None) -> list[str]:
    assert found is not None
    return [exercise.names[path] for path in found.order]


def _plain(value: Worth | None) -> Any:
    """A value as JSON has it: whole numbers without a fraction, infinity as a text."""
    if value is None:
        return NOT_VISITED
    if isinstance(value, tuple):
        return [_plain(one) for one in value]
    if value in (float("inf"), float("-inf")):
        return number(value)
    return int(value) if value == int(value) else round(value, 10)


def words(part: str, exercise: Exercise, key: Key) -> str:
    """What is right, in words."""
    match part:
        case "values":
            return ", ".join(
                f"{name} {NOT_VISITED if value is None else number(value)}"
                for name, value in key.values.items()
            )
        case "windows":
            return ", ".join(
                f"{name} {NOT_VISITED if window is None else number(window)}"
                for name, window in key.windows.items()
            )
        case "move":
            return " or ".join(key.moves)
        case "leaves":
            return " ".join(key.leaves)
        case "cuts":
            return (
                "; ".join(
                    f"{branch} {'α' if cut.kind == 'alpha' else 'β'}-cut, {' or '.join(cut.depths)}"
                    for branch, cut in key.cuts.items()
                )
                or "none"
            )
        case "best-order" | "worst-order":
            found = key.best if part == "best-order" else key.worst
            assert found is not None
            return f"any order with {found.leaves} visited leaves, for example {' '.join(_order(exercise, found))}"
        case "depends":
            return "yes" if key.low < key.high else "no"
        case "range":
            return f"from {number(key.low)} to {number(key.high)}"
    if isinstance(key.threshold, str):
        return key.threshold
    return f"x {'≥' if exercise.outline.kind == 'max' else '≤'} {number(key.threshold)}"
