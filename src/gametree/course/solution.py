"""The key as a person reads it, and as a file of answers that earns every point."""

from typing import Any, Final

from gametree.course.answers import NOT_VISITED
from gametree.course.answers import SCHEMA as ANSWERS
from gametree.course.exercise import Exercise
from gametree.course.key import Key, solve
from gametree.course.ordering import Extreme
from gametree.explain.traces.notation import number
from gametree.explain.traces.trace import Worth

SCHEMA: Final = "gametree.key/1"


def answers(exercise: Exercise, key: Key | None = None) -> dict[str, Any]:
    """One right answer to each part, as a student would hand it in.

    >>> answers(Exercise("minimax", [[3, 12], [2, 4]]))["values"]
    {'A': 3, 'B': 3, 'C': 2}
    """
    key = key or solve(exercise)
    return {part: _answer(part, exercise, key) for part in exercise.parts}


def answer_file(exercise: Exercise, given: dict[str, Any], student: str = "") -> dict[str, Any]:
    """Answers as the JSON data of a file."""
    return {"schema": ANSWERS, "exercise": exercise.id, "student": student, "answers": given}


def key_file(exercise: Exercise) -> dict[str, Any]:
    """The key as JSON data: one right answer to each part, and in words what else is right."""
    key = solve(exercise)
    return {
        "schema": SCHEMA,
        "exercise": exercise.id,
        "student": exercise.student,
        "answers": answers(exercise, key),
        "words": {part: words(part, exercise, key) for part in exercise.parts},
    }


def _answer(part: str, exercise: Exercise, key: Key) -> Any:
    match part:
        case "values":
            return {name: _plain(value) for name, value in key.values.items()}
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
