"""Exercises as Moodle XML, for a question bank: one question of the type `cloze` for each exercise.

Every part becomes fields of the kinds that Moodle has: NUMERICAL for numbers, MULTICHOICE for the best move and for
each branch, SHORTANSWER for rows of leaves and for values that may be "–". Moodle compares with what is written down
here and cannot run a search: of the best and the worst order it asks how many leaves are visited. The order itself
is graded by `gametree grade`.
"""

import base64
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from gametree.course.exercise import Exercise
from gametree.course.grading import TOLERANCE
from gametree.course.key import CutBranch, Key, solve
from gametree.course.questions import introduction, questions, rules, title
from gametree.explain.pictures.svg import svg
from gametree.explain.traces.notation import number
from gametree.explain.traces.trace import Worth

_SPECIAL = '\\}#~/"'
CHOICES = {
    None: "not cut",
    ("alpha", "shallow"): "α-cut, shallow",
    ("alpha", "deep"): "α-cut, deep",
    ("beta", "shallow"): "β-cut, shallow",
    ("beta", "deep"): "β-cut, deep",
}


def moodle(exercises: Sequence[Exercise], category: str = "gametree") -> str:
    """A file that Moodle imports (Question bank, Import, Moodle XML format).

    >>> text = moodle([Exercise("minimax", [[3, 12, 8], [2, 4, 6], [14, 5, 2]])])
    >>> "{1:NUMERICAL:=3}" in text, '<question type="cloze">' in text
    (True, True)
    """
    quiz = Element("quiz")
    top = SubElement(quiz, "question", type="category")
    _text(SubElement(top, "category"), f"$course$/top/{category.replace('/', '//')}")
    for exercise in exercises:
        _question(SubElement(quiz, "question", type="cloze"), exercise)
    indent(quiz)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{tostring(quiz, encoding="unicode")}\n'


def _question(question: Element, exercise: Exercise) -> None:
    seed = "" if exercise.seed is None else f" (seed {exercise.seed})"
    _text(SubElement(question, "name"), f"{title(exercise)} {exercise.id}{seed}")
    body = SubElement(question, "questiontext", format="html")
    _text(body, "\n".join(_body(exercise)))
    picture = svg(exercise.outline, method=exercise.method, conventions=exercise.conventions)
    file = SubElement(body, "file", name="tree.svg", path="/", encoding="base64")
    file.text = base64.b64encode(picture.encode()).decode()
    _text(SubElement(question, "generalfeedback", format="html"), "")
    SubElement(question, "penalty").text = "0.3333333"
    SubElement(question, "hidden").text = "0"


def _text(parent: Element, text: str) -> None:
    """Text in an element: without the control characters that XML cannot hold."""
    SubElement(parent, "text").text = "".join(one for one in text if one >= " " or one == "\n")


def _body(exercise: Exercise) -> Iterator[str]:
    key = solve(exercise)
    told = ", ".join(f"{leaf.name}: {number(leaf.payoff)}" for leaf in exercise.outline.leaves)
    yield f"<p>{escape(introduction(exercise))}</p>"
    yield f'<p><img src="@@PLUGINFILE@@/tree.svg" alt="{escape(f"The tree. Leaves: {told}")}" /></p>'
    yield f"<p><em>{escape(rules(exercise))}</em></p>"
    for place, question in enumerate(questions(exercise), 1):
        text = order_text(question.part) or question.text
        yield f"<p><strong>{place}. {escape(question.label)}</strong> {escape(text)}</p>"
        yield from _fields(question.part, question.points, exercise, key)


def order_text(part: str) -> str:
    if part not in ("best-order", "worst-order"):
        return ""
    which = "fewest" if part == "best-order" else "most"
    return f"Children of a node may change places. What is the {which} number of leaves that alpha-beta can visit?"


def _fields(part: str, points: int, exercise: Exercise, key: Key) -> Iterator[str]:
    match part:
        case "values":
            fields = (f"{name} = {_node(exercise, value)}" for name, value in key.values.items())
            yield f"<p>{' &nbsp; '.join(fields)}</p>"
        case "windows":
            fields = (f"{name} = {_said(window)}" for name, window in key.windows.items())
            yield f"<p>{' &nbsp; '.join(fields)}</p>"
        case "move":
            yield f"<p>{_choice(points, [(name, name in key.moves) for name in exercise.moves])}</p>"
        case "leaves":
            rows = (" ".join(key.leaves), ", ".join(key.leaves), ",".join(key.leaves))
            yield f"<p>{_short(points, rows)}</p>"
        case "cuts":
            branches = (node.name for node in exercise.outline.walk() if node.path)
            yield f"<p>{'<br />'.join(_branch(name, key.cuts.get(name)) for name in branches)}</p>"
        case "best-order" | "worst-order":
            found = key.best if part == "best-order" else key.worst
            assert found is not None
            yield f"<p>{_value(found.leaves, 0, points)}</p>"
        case "depends":
            depends = key.low < key.high
            yield f"<p>{_choice(points, [('yes', depends), ('no', not depends)])}</p>"
        case "range":
            yield f"<p>least {_said(key.low)} &nbsp; greatest {_said(key.high)}</p>"
        case "threshold":
            word = key.threshold
            yield f"<p>{_short(points, (word,)) if isinstance(word, str) else _said(word)}</p>"


def _node(exercise: Exercise, value: Worth | None) -> str:
    """A field for the value of a node: a number where it is sure to be one, so that the field gives nothing away."""
    match exercise.method:
        case "minimax":
            return _value(value, 0)
        case "expectiminimax":
            return _value(value, TOLERANCE)
    return _said(value)


def _value(value: Worth | None, tolerance: float, points: int = 1) -> str:
    """A field for a number. Moodle reads the plain minus sign."""
    assert isinstance(value, (int, float))
    return f"{{{points}:NUMERICAL:={_ascii(value)}{f':{tolerance:g}' if tolerance else ''}}}"


def _said(value: Worth | None) -> str:
    """A field for a value that may be no number: compared as text, in the ways it may be written."""
    return _short(1, spellings(value))


def spellings(value: Worth | None) -> list[str]:
    """The ways in which a value may be written, where answers are compared as texts.

    >>> spellings(-3.0), spellings((1.0, 2.0))[:2]
    (['-3', '−3'], ['(1, 2)', '(1,2)'])
    """
    if value is None:
        return ["-", "–", "—", "−"]
    if isinstance(value, tuple):
        rows = ([_ascii(one) for one in value], [number(one) for one in value])
        forms = [(f"({', '.join(row)})", f"({','.join(row)})", ", ".join(row), " ".join(row)) for row in rows]
        return list(dict.fromkeys(form for some in forms for form in some))
    return list(dict.fromkeys((_ascii(value), number(value), number(value).replace("−", "-"))))


def _ascii(value: float) -> str:
    """A number with a point: Moodle reads no fractions."""
    return f"{value + 0.0:.10g}"


def _short(points: int, answers: Iterable[str]) -> str:
    return f"{{{points}:SHORTANSWER:{'~'.join(f'={_safe(answer)}' for answer in answers)}}}"


def _choice(points: int, options: Iterable[tuple[str, bool]]) -> str:
    marked = ("=" * right + _safe(text) for text, right in options)
    return f"{{{points}:MULTICHOICE:{'~'.join(marked)}}}"


def _branch(name: str, cut: CutBranch | None) -> str:
    right = {(cut.kind, depth) for depth in cut.depths} if cut else {None}
    return f"{name} {_choice(1, [(text, choice in right) for choice, text in CHOICES.items()])}"


def _safe(text: str) -> str:
    """An answer inside a field: what would end it gets a backslash."""
    return "".join(f"\\{one}" if one in _SPECIAL else one for one in escape(text, quote=False))
