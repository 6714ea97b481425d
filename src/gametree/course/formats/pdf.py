"""An exercise as PDF: pages of A4 that we draw as SVG; CairoSVG turns them into a file (extra `draw`)."""

import re
from html import escape
from typing import Final

from gametree.course.exercise import Exercise
from gametree.course.key import solve, words
from gametree.course.questions import Question, introduction, questions, rules, title
from gametree.explain.pictures.export import pages
from gametree.explain.pictures.lettering import shown, width
from gametree.explain.pictures.svg import FONT, svg

WIDE: Final = 794
HIGH: Final = 1123
"""A4 at 96 dots an inch."""
_MARGIN: Final = 64
_TEXT: Final = 14.0
_LEADING: Final = 1.45
_BOX: Final = (76, 34)
_SIZE: Final = re.compile(r'width="([\d.]+)" height="([\d.]+)"')


def pdf(exercise: Exercise) -> bytes:
    """The exercise, with room for answers."""
    sheet = _head(exercise, "")
    sheet.text(introduction(exercise))
    sheet.picture(svg(exercise.outline, method=exercise.method, conventions=exercise.conventions))
    for place, question in enumerate(questions(exercise), 1):
        _question(sheet, exercise, place, question)
    return pages(sheet.pages, WIDE, HIGH, "HTML and Markdown need nothing")


def pdf_key(exercise: Exercise) -> bytes:
    """The key."""
    key = solve(exercise)
    sheet = _head(exercise, " · key")
    subject = exercise.outline if exercise.kind == "unknown" else exercise.trace
    sheet.picture(svg(subject, method=exercise.method, conventions=exercise.conventions))
    for place, question in enumerate(questions(exercise), 1):
        sheet.keep(60)
        sheet.text(f"{place}. {question.label}", bold=True, after=2)
        sheet.text(words(question.part, exercise, key), after=10)
    return pages(sheet.pages, WIDE, HIGH, "HTML and Markdown need nothing")


class Sheet:
    """Pages that are filled from the top; what does not fit goes onto the next."""

    def __init__(self, foot: str):
        self.foot = foot
        self.items: list[list[str]] = [[]]
        self.y: float = float(_MARGIN)

    @property
    def pages(self) -> list[str]:
        """Every page as the text of an SVG file."""
        return [self._page(items, number) for number, items in enumerate(self.items, 1)]

    def _page(self, items: list[str], number: int) -> str:
        foot = _line(_MARGIN, HIGH - 36, f"{self.foot} · page {number} of {len(self.items)}", 10.5, "#525d70")
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDE}" height="{HIGH}" viewBox="0 0 {WIDE} {HIGH}">'
            f'<rect width="{WIDE}" height="{HIGH}" fill="#ffffff"/>{"".join(items)}{foot}</svg>'
        )

    def keep(self, height: float) -> None:
        """Begins a new page where this much does not fit any more."""
        if self.y + height > HIGH - _MARGIN and self.items[-1]:
            self.items.append([])
            self.y = float(_MARGIN)

    def put(self, item: str, height: float) -> None:
        self.items[-1].append(item)
        self.y += height

    def text(
        self, text: str, size: float = _TEXT, *, bold: bool = False, soft: bool = False, after: float = 8
    ) -> None:
        """A paragraph."""
        for line in wrapped(shown(text), size, WIDE - 2 * _MARGIN, bold):
            self.keep(size * _LEADING)
            colour = "#525d70" if soft else "#111111"
            self.put(_line(_MARGIN, self.y + size, line, size, colour, bold), size * _LEADING)
        self.y += after

    def picture(self, drawn: str) -> None:
        """A picture of ours, made smaller where it is too wide or too high."""
        found = _SIZE.search(drawn)
        assert found is not None
        wide, high = float(found[1]), float(found[2])
        scale = min(0.9, (WIDE - 2 * _MARGIN) / wide, (HIGH - 2 * _MARGIN) / high)
        self.keep(high * scale)
        left = (WIDE - wide * scale) / 2
        place = f'x="{left:.1f}" y="{self.y:.1f}" width="{wide * scale:.1f}" height="{high * scale:.1f}"'
        self.put(_SIZE.sub(place, drawn, count=1), high * scale + 14)

    def boxes(self, names: tuple[str, ...]) -> None:
        """A box to write in for each name."""
        wide, high = _BOX
        across = (WIDE - 2 * _MARGIN) // (wide + 12)
        for start in range(0, len(names), across):
            self.keep(high + 12)
            for place, name in enumerate(names[start : start + across]):
                x = _MARGIN + place * (wide + 12)
                self.items[-1].append(_line(x, self.y + 22, name, _TEXT, "#111111", bold=True))
                room = max(26.0, width(name, _TEXT, bold=True) + 6)
                self.items[-1].append(
                    f'<rect x="{x + room:.1f}" y="{self.y:.1f}" width="{wide - room:.1f}" height="{high}"'
                    ' fill="none" stroke="#525d70" stroke-width="1"/>'
                )
            self.y += high + 10

    def lines(self, count: int) -> None:
        """Lines to write on."""
        for _ in range(count):
            self.keep(32)
            self.y += 30
            self.items[-1].append(
                f'<path d="M{_MARGIN} {self.y:.1f}H{WIDE - _MARGIN}" stroke="#8a94a6" stroke-width="1"/>'
            )
        self.y += 10


def _head(exercise: Exercise, more: str) -> Sheet:
    seed = "" if exercise.seed is None else f" · seed {exercise.seed}"
    sheet = Sheet(f"{exercise.id}{seed}")
    sheet.text(title(exercise) + more, 24, bold=True, after=2)
    name = shown(" ".join(exercise.student.split())) or "________________________________"
    sheet.text(f"Name: {name} · {exercise.points} points", after=4)
    sheet.text(f"Graded by these conventions: {rules(exercise)}", 11, soft=True)
    return sheet


def _question(sheet: Sheet, exercise: Exercise, place: int, question: Question) -> None:
    sheet.keep(130)
    points = f"{question.points} point{'s' * (question.points != 1)}"
    sheet.text(f"{place}. {question.label} ({points})", bold=True, after=2)
    sheet.text(question.text, after=4)
    match question.part:
        case "values" | "windows":
            sheet.boxes(exercise.inner)
        case "range":
            sheet.boxes(("least", "greatest"))
        case "cuts":
            sheet.lines(3)
        case "leaves" | "best-order" | "worst-order":
            sheet.lines(2)
        case _:
            sheet.lines(1)
    sheet.y += 8


def wrapped(text: str, size: float, room: float, bold: bool = False) -> list[str]:
    """A text as lines that fit; a word that is too long for a line is broken.

    >>> wrapped("as few leaves as possible", 14, 100)
    ['as few', 'leaves as', 'possible']
    """
    lines: list[str] = []
    line = ""
    for word in text.split():
        while width(word, size, bold=bold) > room:
            fits = next(
                end
                for end in range(len(word), 0, -1)
                if end == 1 or width(word[:end], size, bold=bold) <= room
            )
            lines += [line] if line else []
            line = ""
            lines.append(word[:fits])
            word = word[fits:]
        longer = f"{line} {word}" if line else word
        if width(longer, size, bold=bold) > room:
            lines.append(line)
            line = word
        else:
            line = longer
    return [*lines, line] if line else lines


def _line(x: float, y: float, text: str, size: float, colour: str, bold: bool = False) -> str:
    weight = ' font-weight="bold"' if bold else ""
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-family="{FONT}" font-size="{size:g}" fill="{colour}"{weight}'
        f' xml:space="preserve">{escape(text, quote=False)}</text>'
    )
