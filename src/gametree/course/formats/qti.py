"""Exercises as QTI 1.2 in a zip file, which Canvas imports as a quiz, and other systems as a question bank.

Every part is an item: values are blanks in a text, the best move is a choice, each branch has a menu, rows of leaves
are short answers. Answers are compared as texts, in the ways they may be written; of the best and the worst order it is
asked how many leaves are visited. The picture of the tree lies in the zip.
"""

import io
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from typing import Final
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from gametree.course.exercise import Exercise
from gametree.course.formats.moodle import CHOICES, order_text, spellings
from gametree.course.key import Key, solve
from gametree.course.questions import Question, introduction, questions, rules, title
from gametree.explain.pictures.svg import svg
from gametree.explain.traces.notation import number

_DAY: Final = (1980, 1, 1, 0, 0, 0)
"""The same exercise makes the same file."""
Blank = tuple[str, list[tuple[str, bool]]]
"""A name, and the answers there are with whether each is right."""


def qti(exercises: Sequence[Exercise]) -> bytes:
    """A zip file that Canvas imports (Settings, Import course content, QTI .zip file).

    >>> made = qti([Exercise("minimax", [[3, 12, 8], [2, 4, 6], [14, 5, 2]])])
    >>> zipfile.ZipFile(io.BytesIO(made)).namelist()
    ['imsmanifest.xml', 'quiz.xml', 'minimax-0c135e47f0.svg']
    """
    quiz = Element("questestinterop", xmlns="http://www.imsglobal.org/xsd/ims_qtiasiv1p2")
    assessment = SubElement(quiz, "assessment", ident="gametree", title="gametree")
    section = SubElement(assessment, "section", ident="root_section")
    files: dict[str, str] = {}
    for exercise in exercises:
        files[f"{exercise.id}.svg"] = svg(
            exercise.outline, method=exercise.method, conventions=exercise.conventions
        )
        key = solve(exercise)
        for question in questions(exercise):
            _item(section, exercise, question, key)
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as pack:
        for name, text in (("imsmanifest.xml", _manifest(files)), ("quiz.xml", _xml(quiz)), *files.items()):
            pack.writestr(zipfile.ZipInfo(name, _DAY), text.encode())
    return made.getvalue()


def _xml(root: Element) -> str:
    indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{tostring(root, encoding="unicode")}\n'


def _manifest(files: Iterable[str]) -> str:
    root = Element("manifest", identifier="gametree", xmlns="http://www.imsglobal.org/xsd/imscp_v1p1")
    metadata = SubElement(root, "metadata")
    SubElement(metadata, "schema").text = "IMS Content"
    SubElement(metadata, "schemaversion").text = "1.1.3"
    SubElement(root, "organizations")
    resources = SubElement(root, "resources")
    quiz = SubElement(resources, "resource", identifier="quiz", type="imsqti_xmlv1p2")
    SubElement(quiz, "file", href="quiz.xml")
    for name in files:
        picture = SubElement(resources, "resource", identifier=name, type="webcontent", href=name)
        SubElement(picture, "file", href=name)
    return _xml(root)


def _item(section: Element, exercise: Exercise, question: Question, key: Key) -> None:
    kind, blanks = _blanks(exercise, question.part, key)
    item = SubElement(
        section, "item", ident=f"{exercise.id}-{question.part}", title=f"{title(exercise)}: {question.label}"
    )
    fields = SubElement(SubElement(item, "itemmetadata"), "qtimetadata")
    for label, entry in (("question_type", kind), ("points_possible", str(question.points))):
        field = SubElement(fields, "qtimetadatafield")
        SubElement(field, "fieldlabel").text = label
        SubElement(field, "fieldentry").text = entry
    presentation = SubElement(item, "presentation")
    text = SubElement(SubElement(presentation, "material"), "mattext", texttype="text/html")
    text.text = "\n".join(_body(exercise, question, kind, [name for name, _ in blanks]))
    processing = SubElement(item, "resprocessing")
    outcomes = SubElement(processing, "outcomes")
    SubElement(outcomes, "decvar", maxvalue="100", minvalue="0", varname="SCORE", vartype="Decimal")
    single = len(blanks) == 1
    for name, answers in blanks:
        ident = "response1" if single else f"response_{name}"
        _response(presentation, ident, name, answers, typed=kind == "short_answer_question")
        for place, (answer, right) in enumerate(answers):
            if right:
                condition = SubElement(processing, "respcondition", {"continue": "No" if single else "Yes"})
                # What is typed is compared as it stands, what is chosen by its name.
                worth = answer if kind == "short_answer_question" else f"{name}-{place}"
                equal = SubElement(SubElement(condition, "conditionvar"), "varequal", respident=ident)
                equal.text = worth
                share = SubElement(condition, "setvar", varname="SCORE", action="Set" if single else "Add")
                share.text = "100" if single else f"{100 / len(blanks):.4f}"


def _response(
    presentation: Element, ident: str, name: str, answers: list[tuple[str, bool]], typed: bool
) -> None:
    if typed:
        response = SubElement(presentation, "response_str", ident=ident, rcardinality="Single")
        SubElement(response, "render_fib")
        return
    response = SubElement(presentation, "response_lid", ident=ident, rcardinality="Single")
    SubElement(SubElement(response, "material"), "mattext").text = name
    render = SubElement(response, "render_choice")
    for place, (answer, _) in enumerate(answers):
        label = SubElement(render, "response_label", ident=f"{name}-{place}")
        SubElement(SubElement(label, "material"), "mattext", texttype="text/plain").text = answer


def _body(exercise: Exercise, question: Question, kind: str, names: list[str]) -> Iterator[str]:
    leaves = ", ".join(f"{leaf.name}: {number(leaf.payoff)}" for leaf in exercise.outline.leaves)
    yield f"<p>{escape(introduction(exercise))}</p>"
    source = f"$IMS-CC-FILEBASE$/{exercise.id}.svg"
    yield f'<p><img src="{source}" alt="{escape(f"The tree. Leaves: {leaves}")}" /></p>'
    yield f"<p><em>{escape(rules(exercise))}</em></p>"
    yield f"<p>{escape(order_text(question.part) or question.text)}</p>"
    if kind in ("fill_in_multiple_blanks_question", "multiple_dropdowns_question"):
        yield f"<p>{' &nbsp; '.join(f'{name} [{name}]' for name in names)}</p>"


def _blanks(exercise: Exercise, part: str, key: Key) -> tuple[str, list[Blank]]:
    """The type of an item, and its blanks."""
    match part:
        case "values" | "windows":
            found = key.values if part == "values" else key.windows
            blanks = [(name, _right(spellings(value))) for name, value in found.items()]
            return "fill_in_multiple_blanks_question", blanks
        case "move":
            return "multiple_choice_question", [
                ("move", [(name, name in key.moves) for name in exercise.moves])
            ]
        case "depends":
            depends = key.low < key.high
            return "multiple_choice_question", [("depends", [("yes", depends), ("no", not depends)])]
        case "range":
            ends = (("least", key.low), ("greatest", key.high))
            return "fill_in_multiple_blanks_question", [(name, _right(spellings(end))) for name, end in ends]
        case "cuts":
            branches = [node.name for node in exercise.outline.walk() if node.path]
            return "multiple_dropdowns_question", [(name, _menu(name, key)) for name in branches]
        case "leaves":
            rows = (" ".join(key.leaves), ", ".join(key.leaves), ",".join(key.leaves))
            return "short_answer_question", [("leaves", _right(rows))]
        case "best-order" | "worst-order":
            order = key.best if part == "best-order" else key.worst
            assert order is not None
            return "short_answer_question", [(part, _right([str(order.leaves)]))]
    word = key.threshold
    return "short_answer_question", [
        ("threshold", _right([word] if isinstance(word, str) else spellings(word)))
    ]


def _right(answers: Iterable[str]) -> list[tuple[str, bool]]:
    return [(answer, True) for answer in dict.fromkeys(answers)]


def _menu(name: str, key: Key) -> list[tuple[str, bool]]:
    cut = key.cuts.get(name)
    right = {None} if cut is None else {(cut.kind, depth) for depth in cut.depths}
    return [(text, kind in right) for kind, text in CHOICES.items()]
