"""A picture as SVG, complete in itself: no script, no font, no link."""

import re
from collections.abc import Iterator
from functools import cache
from html import escape as _quoted
from typing import Any, Final, Literal

from gametree.errors import InputError
from gametree.explain.pictures.drawing import Drawing
from gametree.explain.pictures.picture import Picture
from gametree.explain.pictures.scene import (
    BOARD_LOOKS,
    LOOKS,
    MATERIALS,
    THEMES,
    Box,
    Ellipse,
    Group,
    Item,
    Line,
    Look,
    Polygon,
    Scene,
    Text,
)
from gametree.explain.traces.conventions import Conventions
from gametree.explain.traces.methods import Method

Theme = Literal["light", "dark", "auto"]

FONT: Final = "Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif"
_MONO: Final = "'DejaVu Sans Mono', Menlo, Consolas, monospace"


def svg(
    subject: Any,
    *,
    step: int | None = None,
    conventions: Conventions | None = None,
    theme: Theme = "light",
    boards: bool = False,
    title: str = "",
    moves: bool | None = None,
    method: Method | None = None,
) -> str:
    """A tree, or a trace at its end or at one of its steps, as the text of an SVG file.

    Takes a `Trace`, an `Outline`, a game or nested lists. The theme "auto" follows the reader's settings.
    `boards` draws the states of a real game at the nodes. `moves` says whether moves are named at the edges;
    without it those are that have a name of their own. `method` is for a tree that is still to be searched: the
    conventions that it needs are named.

    >>> from gametree.explain.traces.trace import trace
    >>> text = svg(trace([[3, 12, 8], [2, "x", "y"], [14, 5, 2]]))
    >>> text.startswith("<svg "), text.count('class="gt-slash"')
    (True, 4)
    """
    picture = Picture(
        subject,
        conventions=conventions,
        boards=boards,
        title=title,
        moves=moves,
        step=step,
        method=method,
    )
    return written(Drawing(picture).scene(), theme)


def written(scene: Scene, theme: Theme = "light") -> str:
    """A scene in the letters of SVG, a group a line."""
    wide, high = _length(scene.width), _length(scene.height)
    roles = {item.role for group in scene.groups for item in group.items}
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="gt-tree gt-{_checked(theme)}" width="{wide}"'
        f' height="{high}" viewBox="0 0 {wide} {high}" role="img">',
        f"<title>{escape(scene.title)}</title>",
        f"<desc>{escape(scene.description)}</desc>",
        f"<style>{style(theme, frozenset(roles & BOARD_LOOKS.keys()))}</style>",
        f'<rect class="gt-paper" width="{wide}" height="{high}"/>',
        *map(group_written, scene.groups),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def _checked(theme: str) -> str:
    if theme not in (*THEMES, "auto"):
        raise InputError(f"theme={theme!r}: a picture is light, dark or auto")
    return theme


@cache
def style(theme: Theme, boards: frozenset[str] = frozenset()) -> str:
    """The rules for every role, of those on boards for the given ones only. They hold in a picture of this theme."""
    scope = f".gt-tree.gt-{theme}"
    looks = LOOKS | {role: look for role, look in BOARD_LOOKS.items() if role in boards}
    first = THEMES["dark" if theme == "dark" else "light"]
    rules = [
        f"{scope}{{font-family:{FONT};stroke-linejoin:round}}",
        *_rules(scope, looks, first, whole=True),
    ]
    if theme == "auto":
        dark = "\n".join(_rules(scope, looks, THEMES["dark"], whole=False))
        rules.append(f"@media screen and (prefers-color-scheme: dark){{\n{dark}\n}}")
    return "\n" + "\n".join(rules) + "\n"


def _rules(scope: str, looks: dict[str, Look], theme: dict[str, str], *, whole: bool) -> Iterator[str]:
    """A rule for each role: its colours, and as a whole its lines and letters too."""
    colours = MATERIALS | theme
    yield f"{scope} .gt-paper{{fill:{colours['paper']}}}"
    for role, look in looks.items():
        parts = [f"fill:{colours[look.fill] if look.fill else 'none'}"]
        if look.stroke:
            parts.append(f"stroke:{colours[look.stroke]}")
        if whole:
            parts += _shape(look)
        yield f"{scope} .gt-{role}{{{';'.join(parts)}}}"


def _shape(look: Look) -> Iterator[str]:
    """All of a look but its colours."""
    if look.width:
        yield f"stroke-width:{look.width:g}"
    if look.dashes:
        yield f"stroke-dasharray:{' '.join(f'{dash:g}' for dash in look.dashes)}"
    if look.bold:
        yield "font-weight:bold"
    if look.monospaced:
        yield f"font-family:{_MONO}"


def escape(text: str) -> str:
    """A text as the content of an element; keys, which stand in quotes, have none in them."""
    return _quoted(text, quote=False)


def group_written(group: Group) -> str:
    """A group in the letters of SVG."""
    key = f' data-key="{escape(group.key)}"' if group.key else ""
    note = f"<title>{escape(group.note)}</title>" if group.note else ""
    return f'<g class="{group.kind}"{key}>{note}{"".join(map(_item, group.items))}</g>'


def _item(item: Item) -> str:
    name = f'class="gt-{item.role}"'
    if isinstance(item, (Line, Polygon)):
        tag = "polyline" if isinstance(item, Line) else "polygon"
        points = " ".join(f"{_length(x)},{_length(y)}" for x, y in item.points)
        return f'<{tag} {name} points="{points}"/>'
    if isinstance(item, Box):
        round_ = f' rx="{_length(item.radius)}"' if item.radius else ""
        return (
            f'<rect {name} x="{_length(item.x)}" y="{_length(item.y)}" width="{_length(item.width)}"'
            f' height="{_length(item.height)}"{round_}/>'
        )
    if isinstance(item, Ellipse):
        return (
            f'<ellipse {name} cx="{_length(item.x)}" cy="{_length(item.y)}" rx="{_length(item.rx)}"'
            f' ry="{_length(item.ry)}"/>'
        )
    return _text(item, name)


def _text(item: Text, name: str) -> str:
    anchor = f' text-anchor="{item.anchor}"' if item.anchor != "start" else ""
    # Spaces count where every letter has one width.
    keep = ' xml:space="preserve"' if re.search(r"^ |  | $", item.text) else ""
    return (
        f'<text {name} x="{_length(item.x)}" y="{_length(item.y)}" font-size="{item.size:g}"{anchor}{keep}>'
        f"{escape(item.text)}</text>"
    )


def _length(value: float) -> str:
    """A length to a tenth of a pixel."""
    return f"{value + 0.0:.1f}".removesuffix(".0")
