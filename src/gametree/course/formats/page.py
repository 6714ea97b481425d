"""An exercise as one HTML page: the tree, a form to fill in, and a button that saves the answers as JSON.

The page holds its own style and script and asks the network for nothing. The key is not in it.
"""

from collections.abc import Iterator
from html import escape
from typing import Final

from gametree.course.exercise import Exercise
from gametree.course.key import solve, words
from gametree.course.questions import Question, introduction, questions, rules, title
from gametree.explain.pages.shell import filled
from gametree.explain.pictures.svg import svg
from gametree.explain.traces.notation import number
from gametree.games.tree.outline import Outline

_KINDS: Final = (
    ("", "not cut"),
    ("alpha shallow", "α-cut, shallow"),
    ("alpha deep", "α-cut, deep"),
    ("beta shallow", "β-cut, shallow"),
    ("beta deep", "β-cut, deep"),
)


def page(exercise: Exercise) -> str:
    """The page for a student.

    >>> html = page(Exercise("minimax", [[3, 12, 8], [2, 4, 6], [14, 5, 2]]))
    >>> html.startswith("<!DOCTYPE html>"), 'data-part="values"' in html
    (True, True)
    """
    body = "\n".join(
        (
            '<form id="answers" autocomplete="off">',
            *(_section(exercise, place, question) for place, question in enumerate(questions(exercise), 1)),
            _hand_in(exercise),
            "</form>",
        )
    )
    picture = svg(exercise.outline, method=exercise.method, conventions=exercise.conventions, theme="auto")
    return _filled(exercise, picture, body, "")


def key_page(exercise: Exercise) -> str:
    """The page with the key."""
    key = solve(exercise)
    items = "\n".join(
        f"<dt>{place}. {escape(question.label)}</dt><dd>{escape(words(question.part, exercise, key))}</dd>"
        for place, question in enumerate(questions(exercise), 1)
    )
    body = (
        '<section class="card" aria-labelledby="key"><h2 id="key">Key</h2>'
        f'<dl class="solution">{items}</dl></section>'
    )
    subject = exercise.outline if exercise.kind == "unknown" else exercise.trace
    picture = svg(subject, method=exercise.method, conventions=exercise.conventions, theme="auto")
    return _filled(exercise, picture, body, " · key")


def _filled(exercise: Exercise, picture: str, body: str, more: str) -> str:
    seed = "" if exercise.seed is None else f" · seed {exercise.seed}"
    student = f" · {exercise.student}" if exercise.student else ""
    return filled(
        "gametree.course.formats",
        "page",
        title(exercise) + more,
        {"exercise": exercise.id, "parts": list(exercise.parts), "document": exercise.to_dict()},
        data_id="about",
        about=escape(f"{exercise.id}{seed} · {exercise.points} points{student}"),
        introduction=escape(introduction(exercise)),
        conventions=escape(rules(exercise)),
        picture=picture,
        words=f'<div class="words"><ul>{_words(exercise.outline)}</ul></div>',
        body=body,
    )


def _words(node: Outline) -> str:
    """The tree as nested lists, for those who do not see the picture."""
    odds = f", probability {number(node.probability)}" if node.probability is not None else ""
    if not node.children:
        return f"<li>{escape(f'leaf {node.name}: {number(node.payoff)}{odds}')}</li>"
    inside = "".join(_words(child) for child in node.children)
    return f"<li>{escape(f'{node.name}, {node.who}{odds}')}<ul>{inside}</ul></li>"


# --- the form ---------------------------------------------------------------------------------------


def _section(exercise: Exercise, place: int, question: Question) -> str:
    points = f"{question.points} point{'s' * (question.points != 1)}"
    legend = f'<legend>{place}. {escape(question.label)} <span class="soft">· {points}</span></legend>'
    fields = "\n".join(_fields(exercise, question))
    return (
        f'<section class="card"><fieldset>{legend}\n<p id="{question.part}-text">{escape(question.text)}</p>\n'
        f"{fields}\n</fieldset></section>"
    )


def _fields(exercise: Exercise, question: Question) -> Iterator[str]:
    part = question.part
    if part in ("values", "windows"):
        wide = exercise.kind == "maxn" or part == "windows"
        yield f'<div class="grid{" wide" * wide}">'
        yield from (_labelled(part, name, name) for name in exercise.inner)
        yield "</div>"
    elif part == "move":
        yield from _choices(part, [(name, name) for name in exercise.moves])
    elif part == "depends":
        yield from _choices(part, [("yes", "yes"), ("no", "no")])
    elif part == "range":
        yield '<div class="grid wide pair">'
        yield from (_labelled(part, name, name) for name in ("least", "greatest"))
        yield "</div>"
    elif part == "cuts":
        yield from _cuts(exercise)
    else:
        yield from _row(exercise, part)


def _labelled(part: str, name: str, label: str) -> str:
    return (
        f'<label><span>{escape(label)}</span><input type="text" id="{part}-{name}" data-part="{part}"'
        f' data-name="{escape(name)}" aria-describedby="{part}-text"></label>'
    )


def _choices(part: str, options: list[tuple[str, str]]) -> Iterator[str]:
    yield '<div class="choices">'
    for value, label in options:
        yield (
            f'<label><input type="radio" name="{part}" id="{part}-{escape(value)}" value="{escape(value)}"'
            f' data-part="{part}">{escape(label)}</label>'
        )
    yield "</div>"


def _row(exercise: Exercise, part: str) -> Iterator[str]:
    label = {"threshold": "a number, always or never"}.get(part, "leaves in order")
    yield (
        f'<div class="row"><input type="text" id="{part}-row" data-part="{part}" aria-label="{label}"'
        f' aria-describedby="{part}-text" spellcheck="false">'
    )
    if part == "threshold":
        yield "</div>"
        return
    yield (
        f'<button type="button" class="screen" data-into="{part}-row" data-undo="1">Undo</button>'
        f'<button type="button" class="screen" data-into="{part}-row">Clear</button></div>'
    )
    yield '<div class="picks screen" role="group" aria-label="Add a leaf">'
    for name in exercise.leaves:
        yield f'<button type="button" data-into="{part}-row" data-leaf="{name}" aria-label="Add {name}">{name}</button>'
    yield "</div>"


def _cuts(exercise: Exercise) -> Iterator[str]:
    options = "".join(f'<option value="{value}">{label}</option>' for value, label in _KINDS)
    yield '<div class="grid wide">'
    for node in exercise.outline.walk():
        if node.path:
            yield (
                f'<label><span>{node.name}</span><select id="cuts-{node.name}" data-part="cuts"'
                f' data-name="{node.name}" aria-describedby="cuts-text">{options}</select></label>'
            )
    yield "</div>"
    yield ('<div class="choices"><label><input type="checkbox" id="no-cuts">no branch is cut</label></div>')


def _hand_in(exercise: Exercise) -> str:
    return (
        '<section class="card hand-in screen" aria-labelledby="hand-in"><h2 id="hand-in">Hand in</h2>\n'
        f'<label>Your name<input type="text" id="student" value="{escape(exercise.student)}"'
        ' autocomplete="name"></label>\n'
        '<p><button class="main" type="submit">Save my answers as a file</button></p>\n'
        '<p id="status" role="status" class="soft"></p>\n'
        "<noscript><p>Scripts are off: print this page and fill it in by hand.</p></noscript></section>"
    )
