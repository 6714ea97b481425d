"""A trace as one HTML page that can be stepped through, forward and back: no network, no build, one file."""

from collections.abc import Iterator
from html import escape
from typing import Any, Final

from gametree.explain.pages import steps_data
from gametree.explain.pages.shell import filled
from gametree.explain.pictures.drawing import Drawing
from gametree.explain.pictures.picture import METHODS, Picture
from gametree.explain.traces.notation import listing
from gametree.explain.traces.trace import Trace
from gametree.games.tree.outline import Outline

_WIDE: Final = 860.0
"""Wider pictures get the whole width of the page, with the code below."""
_START: Final = "Nothing has been looked at yet."


def page(trace: Trace, *, title: str = "", boards: bool = False) -> str:
    """The whole page, to be written to a file as UTF-8. `boards` draws the states of a real game at the nodes.

    The page holds its own style and script, and its security policy allows nothing else: no request leaves it, and
    names in the tree are text whatever they look like. Without scripts it shows the last step and all sentences.

    >>> from gametree.explain.traces.trace import trace
    >>> html = page(trace([[3, 12, 8], [2, "x", "y"], [14, 5, 2]]))
    >>> html.startswith("<!DOCTYPE html>"), "#step=" in html
    (True, True)
    """
    title = title or f"{METHODS[trace.method]}, step by step"
    found = steps_data.steps(trace)
    drawn = steps_data.picture(Drawing(Picture(trace, boards=boards, steps=True)).scenes())
    last = found.steps[-1]
    return filled(
        "gametree.explain.pages",
        "steps_page",
        title,
        _data(found, drawn),
        data_id="trace",
        style=_room(drawn.width),
        about=_about(trace),
        conventions=escape(_conventions(trace)),
        shape="wide" if drawn.width > _WIDE else "",
        picture=drawn.svg,
        words=_words(trace, found),
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
        path="".join(_row(found.rows.things[number]) for number in last.rows),
        steps="\n".join(_items(trace)),
    )


def _data(found: steps_data.Steps, drawn: steps_data.Picture) -> dict[str, Any]:
    return {
        "kinds": steps_data.KINDS,
        "steps": found.steps,
        "rows": found.rows.things,
        "texts": found.texts.things,
        "words": found.words,
        "parts": drawn.parts.things,
        "picture": drawn.timelines,
    }


def _line(text: str, current: bool) -> str:
    indent = len(text) - len(text.lstrip())
    return f'<li{_current(current)}><span style="--in:{indent}">{escape(text)}</span></li>'


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


def _room(width: float) -> str:
    """The picture fills its box, but never gets so small that it cannot be read: then the box scrolls."""
    narrow, broad, most = (f"{share * width:.0f}px" for share in (0.55, 0.8, 1.5))
    rule = f".picture svg {{ min-width: {narrow}; max-width: {most}; }}"
    return f"{rule}\n@media (min-width: 62rem) {{ .picture svg {{ min-width: {broad}; }} }}\n"


def _about(trace: Trace) -> str:
    counts = (_plural(trace.outline.size, "node"), _plural(len(trace.events), "step"))
    return " · ".join((METHODS[trace.method], *counts))


def _conventions(trace: Trace) -> str:
    return trace.conventions.describe(trace.method, {node.kind for node in trace.outline.walk()})


def _plural(amount: int, word: str) -> str:
    return f"{amount:,} {word}{'s' * (amount != 1)}"
