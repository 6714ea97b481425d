"""A trace as one HTML page that can be stepped through, forward and back: no network, no build, one file."""

from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from string import Template
from typing import Any, Final

from gametree.documents.teaching import StepsDocument
from gametree.explain.pages import steps_data
from gametree.explain.pages.shell import filled, read
from gametree.explain.pictures.drawing import Drawing
from gametree.explain.pictures.picture import Picture
from gametree.explain.traces.methods import METHODS
from gametree.explain.traces.notation import listing
from gametree.explain.traces.trace import Trace
from gametree.games.tree.outline import Outline

_WIDE: Final = 1100.0
"""Wider pictures get the whole width of the page, with all else below."""
_START: Final = "Nothing has been looked at yet."
_HERE: Final = "gametree.explain.pages"


def page(trace: Trace, *, title: str = "", boards: bool = False) -> str:
    """The whole page, to be written to a file as UTF-8. `boards` draws the states of a real game at the nodes.

    The page holds its own style and script, and its security policy allows nothing else: no request leaves it, and
    names in the tree are text whatever they look like. Without scripts it shows the last step and all sentences.

    >>> from gametree.explain.traces.trace import trace
    >>> html = page(trace([[3, 12, 8], [2, "x", "y"], [14, 5, 2]]))
    >>> html.startswith("<!DOCTYPE html>"), "#step=" in html
    (True, True)
    """
    found = _Found.of(trace, boards)
    return filled(
        _HERE,
        "steps_page",
        title or f"{METHODS[trace.method].title}, step by step",
        found.data(),
        data_id="trace",
        style=read(_HERE, "stepper.css") + _room(found.drawn),
        script=read(_HERE, "stepper.js").replace("export function", "function"),
        about=_about(trace),
        stage=found.stage(found.drawn.svg, "main"),
        list=found.sentences(),
    )


def part(trace: Trace, *, boards: bool = False) -> StepsDocument:
    """The same for a page that has its own frame: markup without style and script, and what stepper.js needs.

    >>> from gametree.explain.traces.trace import trace
    >>> made = part(trace([3, 12]))
    >>> sorted(made), "<style" in made["html"], "<script" in made["html"]
    (['data', 'html', 'style'], False, False)
    """
    found = _Found.of(trace, boards)
    svg, style = apart(found.drawn.svg)
    html = f'<div class="screenful" id="screenful">\n{found.stage(svg, "div")}</div>\n{found.sentences()}'
    return {"html": html, "style": style + _room(found.drawn), "data": found.data()}


def apart(svg: str) -> tuple[str, str]:
    """A picture without its style sheet, and the style sheet: for pages whose policy allows no inline style.

    >>> apart("<svg><style>.a{}</style><g/></svg>")
    ('<svg><g/></svg>', '.a{}')
    """
    before, _, rest = svg.partition("<style>")
    style, _, after = rest.partition("</style>")
    return before + after, style


@dataclass(frozen=True)
class _Found:
    """A trace with all that the page shows of it."""

    trace: Trace
    steps: steps_data.Steps
    drawn: steps_data.Picture

    @classmethod
    def of(cls, trace: Trace, boards: bool) -> "_Found":
        drawing = Drawing(Picture(trace, boards=boards, steps=True))
        return cls(trace, steps_data.steps(trace), steps_data.picture(drawing.scenes()))

    def data(self) -> dict[str, Any]:
        """What changes from step to step, for the script."""
        return {
            "kinds": steps_data.KINDS,
            "steps": self.steps.steps,
            "rows": self.steps.rows.things,
            "texts": self.steps.texts.things,
            "words": self.steps.words,
            "parts": self.drawn.parts.things,
            "picture": self.drawn.timelines,
        }

    def stage(self, svg: str, tag: str) -> str:
        """Tree, buttons, sentence, code and path, as they are after the last step."""
        trace, last = self.trace, self.steps.steps[-1]
        return Template(read(_HERE, "stepper.html")).substitute(
            tag=tag,
            conventions=escape(_conventions(trace)),
            shape="wide" if self.drawn.width > _WIDE else "",
            picture=svg,
            words=_words(trace, self.steps),
            last=len(trace.events),
            no_cuts="" if trace.cuts else " hidden",
            kind=steps_data.KINDS.get(last.kind, ""),
            sentence=escape(trace.events[-1].sentence if trace.events else _START),
            nodes=last.nodes,
            leaves=last.leaves,
            cuts=last.cuts,
            code="\n".join(_line(text, number == last.line) for number, text in enumerate(trace.code, 1)),
            columns="".join(f'<th scope="col">{name}</th>' for name in steps_data.columns(trace)),
            path_label=_path_label(trace),
            path="".join(_row(self.steps.rows.things[number]) for number in last.rows),
        )

    def sentences(self) -> str:
        """The sentences of all steps."""
        steps = "\n".join(_items(self.trace))
        return Template(read(_HERE, "steps_list.html")).substitute(steps=steps)


def _line(text: str, current: bool) -> str:
    indent = len(text) - len(text.lstrip())
    return f'<li{_current(current)}><span class="in{indent}">{escape(text)}</span></li>'


def _current(current: bool) -> str:
    return ' aria-current="step"' if current else ""


def _row(cells: tuple[str, ...]) -> str:
    name, who, *rest = map(escape, cells)
    head = f'<th scope="row">{name}{" " if name else ""}<span class="who">{who}</span></th>'
    return f"<tr>{head}{''.join(f'<td>{cell}</td>' for cell in rest)}</tr>"


def _items(trace: Trace) -> Iterator[str]:
    """The sentences, from which the script takes them too."""
    yield f'<li><span class="number">0</span> <span class="text isolate">{_START}</span></li>'
    for step, event in enumerate(trace.events, 1):
        badge = f'<span class="kind" data-kind="{event.kind}">{steps_data.KINDS[event.kind]}</span>'
        text = f'<span class="text isolate">{escape(event.sentence)}</span>'
        current = _current(step == len(trace.events))
        yield f'<li{current}><span class="number">{step}</span> {badge} {text}</li>'


def _words(trace: Trace, found: steps_data.Steps) -> str:
    """The tree as nested lists, as it is after the last step."""
    last = {
        node.path: found.texts.things[timeline[-1]]
        for node, timeline in zip(trace.outline.walk(), found.words)
    }

    def item(node: Outline) -> str:
        below = "".join(map(item, node.children))
        text = f'<span class="isolate" data-word>{escape(last[node.path])}</span>'
        return f"<li>{text}{f'<ul>{below}</ul>' if below else ''}</li>"

    return f'<ul class="words">{item(trace.outline)}</ul>'


def _path_label(trace: Trace) -> str:
    names = listing(steps_data.columns(trace)[2:])
    return f"{names} of each node from the root to the current one"


def _room(drawn: steps_data.Picture) -> str:
    """The picture fills its box, but never gets so small that it cannot be read: then the box scrolls."""

    def least(share: float) -> str:
        return f"min-width: {share * drawn.width:.0f}px; min-height: {share * drawn.height:.0f}px;"

    most = f"max-width: {1.7 * drawn.width:.0f}px; max-height: {1.7 * drawn.height:.0f}px;"
    narrow = f"#tree svg {{ min-width: {0.55 * drawn.width:.0f}px; {most} }}"
    return f"{narrow}\n@media screen and (min-width: 62rem) {{ #tree svg {{ {least(0.6)} }} }}\n"


def _about(trace: Trace) -> str:
    counts = (_plural(trace.outline.size, "node"), _plural(len(trace.events), "step"))
    return " · ".join((METHODS[trace.method].title, *counts))


def _conventions(trace: Trace) -> str:
    return trace.conventions.describe(trace.method, {node.kind for node in trace.outline.walk()})


def _plural(amount: int, word: str) -> str:
    return f"{amount:,} {word}{'s' * (amount != 1)}"
