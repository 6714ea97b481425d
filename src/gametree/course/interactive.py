"""An exercise that is answered in its tree and checked at once: the sheet, the marks, the first mistake explained.

The key stays here. What leaves is the mark for each part, and one sentence about the first mistake.
"""

from typing import Final, cast

from gametree.course.answers import Answers
from gametree.course.exercise import Exercise
from gametree.course.grades import Grades, Mistake
from gametree.course.grading import NO_ANSWER, grade
from gametree.course.key import unknown_leaf
from gametree.course.questions import introduction, questions, rules, title
from gametree.documents.lecturing import CheckedDocument, FirstMistake, SheetDocument, SheetNode
from gametree.documents.teaching import GivenParts
from gametree.explain.pages.steps import apart
from gametree.explain.pictures.svg import svg
from gametree.explain.traces.notation import listing, number
from gametree.games.tree.outline import Outline, Path

_HINTS: Final = {
    "best-order": "Alpha-beta cuts most where the best child of each node comes first.",
    "worst-order": "Alpha-beta cuts least where the best child of each node comes last.",
    "depends": "Put −∞ and then ∞ in the place of {x}: the value depends on it where the two results differ.",
    "range": "Put −∞ and then ∞ in the place of {x}: the two results are the ends.",
    "threshold": "Compare what the move towards {x} is worth with the best of the other moves.",
}

_TAKES: Final = {"max": "greatest", "min": "least"}


def sheet(exercise: Exercise) -> SheetDocument:
    """The exercise as a page shows it, without the key.

    >>> sheet(Exercise("minimax", [[3, 12], [2, 4]]))["nodes"][1]["name"]
    'B'
    """
    picture = svg(exercise.outline, method=exercise.method, conventions=exercise.conventions, theme="auto")
    plain, style = apart(picture)
    return {
        "document": exercise.to_dict(),
        "title": title(exercise),
        "introduction": introduction(exercise),
        "rules": rules(exercise),
        "points": exercise.points,
        "picture": {"svg": plain, "style": style},
        "nodes": [_node(node) for node in exercise.outline.walk()],
        "questions": [
            {"part": one.part, "label": one.label, "text": one.text, "points": one.points}
            for one in questions(exercise)
        ],
    }


def _node(node: Outline) -> SheetNode:
    payoff = list(node.payoff) if isinstance(node.payoff, tuple) else node.payoff
    return {
        "path": list(node.path),
        "name": node.name,
        "who": node.who if node.children else "leaf",
        "move": node.move,
        "payoff": cast("float | list[float | str] | str | None", payoff),  # type: ignore[typeddict-item]
    }


def checked(exercise: Exercise, given: GivenParts) -> CheckedDocument:
    """Marks, and the first mistake in one sentence.

    >>> exercise = Exercise("minimax", [[3, 12, 8], [2, 4, 6], [14, 5, 2]])
    >>> found = checked(exercise, {"values": {"A": 3, "B": 3, "C": 4, "D": 2}, "move": "B"})
    >>> found["score"], found["mistake"]["where"], found["mistake"]["sentence"]
    (4.0, 'C', 'MIN moves at C and takes the least of 2, 4 and 6: 2.')
    """
    grades = grade(exercise, Answers(exercise.id, exercise.student, dict(given)))
    return {
        "exercise": exercise.id,
        "score": grades.score,
        "points": grades.points,
        "parts": [
            {"part": one.part, "verdict": one.verdict, "score": one.score, "points": one.points}
            for one in grades.parts
        ],
        "mistake": _first(exercise, grades, given),
    }


def _first(exercise: Exercise, grades: Grades, given: GivenParts) -> FirstMistake | None:
    """The first mistake in what was answered: something wrong before something that is missing."""
    for part in grades.parts:
        if part.answered and part.mistakes:
            wrong = [one for one in part.mistakes if one.said != NO_ANSWER]
            mistake = (wrong or list(part.mistakes))[0]
            path = exercise.paths.get(_about(part.part, mistake))
            return {
                "part": part.part,
                "where": mistake.where,
                "said": mistake.said,
                "path": None if path is None else list(path),
                "sentence": explained(exercise, part.part, mistake),
            }
    return None


def _about(part: str, mistake: Mistake) -> str:
    """The name of the node that a mistake is about."""
    if part == "leaves":
        return mistake.said
    return "A" if part == "move" else mistake.where


def explained(exercise: Exercise, part: str, mistake: Mistake) -> str:
    """What is so at the place of a mistake, and why."""
    if part in _HINTS:
        return _HINTS[part].replace("{x}", unknown_leaf(exercise)[0] if "{x}" in _HINTS[part] else "")
    if mistake.said == NO_ANSWER:
        return f"{mistake.where} has no answer yet."
    path = exercise.paths.get(_about(part, mistake))
    if path is None:
        return _nowhere(part, mistake)
    node, cut = exercise.outline.at(path), _cut_sentence(exercise, path)
    if cut:
        return cut
    if part == "leaves":
        return f"Another leaf comes before {node.name}: the search goes down to the end of a branch before the next."
    if part == "cuts":
        return f"The search looks at {node.name}: nothing above it has a bound that makes it needless."
    return _backed_up(exercise, node)


def _nowhere(part: str, mistake: Mistake) -> str:
    if part == "leaves" and mistake.said == "the end":
        return "The search is not over there: it looks at another leaf."
    return f"The tree has no node {_about(part, mistake)}."


def _cut_sentence(exercise: Exercise, path: Path) -> str:
    """Why the search does not look at a node, or stops looking at its children; "" where it does neither."""
    for event in exercise.trace.events:
        if event.cut and (event.path == path or any(path[: len(one)] == one for one in event.cut.skipped)):
            return event.sentence
    return ""


def _backed_up(exercise: Exercise, node: Outline) -> str:
    """How the value of a node follows from those of its children."""
    told = exercise.trace
    values = [told.values[child.path] for child in node.children if child.path in told.values]
    shown, value = listing([number(one) for one in values]), number(told.values[node.path])
    if node.kind == "chance":
        sum_ = " + ".join(
            f"{number(child.probability)} · {number(one)}" for child, one in zip(node.children, values)
        )
        return f"Chance decides at {node.name}: {sum_} = {value}."
    if node.kind == "player":
        return f"{node.who} moves at {node.name} and takes the best payoff for itself: of {shown} that is {value}."
    return f"{node.who} moves at {node.name} and takes the {_TAKES[node.kind]} of {shown}: {value}."
