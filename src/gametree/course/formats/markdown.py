"""An exercise as Markdown: to be printed, put into a course page, or read in a terminal."""

from gametree.course.exercise import Exercise
from gametree.course.key import solve, words
from gametree.course.questions import introduction, questions, rules, title
from gametree.explain.pictures.ascii import text_tree


def markdown(exercise: Exercise) -> str:
    """The exercise, with room for answers.

    >>> markdown(Exercise("minimax", [[3, 12, 8], [2, 4, 6], [14, 5, 2]])).splitlines()[0]
    '# Minimax'
    """
    lines = [*_head(exercise), introduction(exercise), "", *_tree(exercise)]
    for place, question in enumerate(questions(exercise), 1):
        lines += ["", f"## {place}. {question.label} ({_points(question.points)})", "", question.text, ""]
        if question.part in ("values", "windows"):
            lines += _table(exercise.inner)
        else:
            lines.append("Answer: ____________________")
    return "\n".join(lines) + "\n"


def markdown_key(exercise: Exercise) -> str:
    """The key of the exercise."""
    key = solve(exercise)
    lines = [*_head(exercise, " · key"), *_tree(exercise)]
    for place, question in enumerate(questions(exercise), 1):
        lines += [
            "",
            f"{place}. **{question.label}** ({_points(question.points)}): {words(question.part, exercise, key)}",
        ]
    return "\n".join(lines) + "\n"


def _head(exercise: Exercise, more: str = "") -> list[str]:
    seed = "" if exercise.seed is None else f" · seed {exercise.seed}"
    name = _plain(exercise.student) or "____________________"
    return [
        f"# {title(exercise)}{more}",
        "",
        f"Name: {name} · exercise `{exercise.id}`{seed} · {_points(exercise.points)}",
        "",
        f"Conventions: {rules(exercise)}",
        "",
    ]


def _points(points: int) -> str:
    return f"{points} point{'s' * (points != 1)}"


def _tree(exercise: Exercise) -> list[str]:
    drawn = text_tree(exercise.outline, columns=100, conventions=exercise.conventions, method=exercise.method)
    return ["```text", drawn, "```"]


def _table(nodes: tuple[str, ...]) -> list[str]:
    return [
        f"| {' | '.join(nodes)} |",
        f"|{'---|' * len(nodes)}",
        f"|{'   |' * len(nodes)}",
    ]


def _plain(text: str) -> str:
    """A name that stays text: what Markdown or HTML would read is taken apart by a backslash or an entity."""
    safe = "".join(f"\\{one}" if one in "\\`*_{}[]()#+-.!|~" else one for one in " ".join(text.split()))
    return safe.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
