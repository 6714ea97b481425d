"""Line charts as SVG text: a logarithmic scale upwards, panels side by side, every line labelled where it ends.

Colours change with the reader's colour scheme; the file needs no font and no script.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

WIDTH, HEIGHT = 540, 484
LEFT, RIGHT, TOP, BOTTOM = 68, 164, 40, 66
LABEL_STEP = 17
TICK = 5

STYLE = """
  .paper { fill: #ffffff } text { fill: #1f2328;
    font-family: system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif }
  .title { font-size: 14px; font-weight: 600 } .quiet { fill: #59636e }
  .grid { stroke: #d1d9e0; stroke-width: 1; fill: none } .axis { stroke: #59636e; stroke-width: 1; fill: none }
  .line { fill: none; stroke-width: 2 } .theory { stroke-width: 1.3; stroke-dasharray: 5 4 }
  .leader { fill: none; stroke-width: .8; opacity: .6 } .dot { stroke: none }
  .c0 { color: #59636e } .c1 { color: #b3261e } .c2 { color: #a35a00 } .c3 { color: #0a6cc9 } .c4 { color: #0c7a43 }
  .c5 { color: #7a3fc2 }
  .c0, .c1, .c2, .c3, .c4, .c5 { stroke: currentColor }
  text.c0, text.c1, text.c2, text.c3, text.c4, text.c5, .dot { stroke: none; fill: currentColor }
  @media (prefers-color-scheme: dark) {
    .paper { fill: #0d1117 } text { fill: #e6edf3 } .quiet { fill: #9198a1 }
    .grid { stroke: #2b323b } .axis { stroke: #9198a1 }
    .c0 { color: #9198a1 } .c1 { color: #ff8077 } .c2 { color: #e3a13a } .c3 { color: #6cb6ff } .c4 { color: #57c785 }
    .c5 { color: #c297ff }
  }
"""


@dataclass(frozen=True)
class Line:
    """A series: at each x a y above 0."""

    label: str
    """What stands in ^{…} is raised."""
    points: Sequence[tuple[float, float]]
    colour: int = 0
    """0 (grey) to 5."""
    theory: bool = False
    """Drawn dashed and without dots: computed, not measured."""


@dataclass(frozen=True)
class Panel:
    """A chart of its own, with its own axes."""

    title: str
    x: str
    y: str
    lines: Sequence[Line]
    note: str = ""
    """A remark below the chart."""


def chart(panels: Sequence[Panel], description: str) -> str:
    """The panels side by side.

    >>> chart([Panel("t", "x", "y", [Line("a", [(1, 1), (2, 100)])])], "a chart").count("<polyline")
    1
    """
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH * len(panels)} {HEIGHT}"'
        f' width="{WIDTH * len(panels)}" height="{HEIGHT}" font-size="12" role="img"'
        f' aria-label="{escape(description)}">',
        f"<title>{escape(description)}</title>",
        f"<style>{STYLE}</style>",
        f'<rect class="paper" width="{WIDTH * len(panels)}" height="{HEIGHT}"/>',
    ]
    for place, panel in enumerate(panels):
        parts.append(f'<g transform="translate({place * WIDTH} 0)">')
        parts += _panel(panel)
        parts.append("</g>")
    return "\n".join([*parts, "</svg>"]) + "\n"


def _panel(panel: Panel) -> list[str]:
    xs = [x for line in panel.lines for x, _ in line.points]
    ys = [y for line in panel.lines for _, y in line.points]
    first, last = min(xs), max(xs)
    low, high = math.floor(math.log10(min(ys))), math.ceil(math.log10(max(ys)))
    right, bottom = WIDTH - RIGHT, HEIGHT - BOTTOM

    def across(x: float) -> float:
        return LEFT + (right - LEFT) * (x - first) / max(1e-9, last - first)

    def down(y: float) -> float:
        return bottom - (bottom - TOP) * (math.log10(y) - low) / max(1, high - low)

    parts = [f'<text class="title" x="{LEFT}" y="22">{escape(panel.title)}</text>']
    for power in range(low, high + 1):
        y = down(10**power)
        parts.append(f'<path class="grid" d="M{LEFT} {y:.1f}H{right}"/>')
        parts.append(
            f'<text class="quiet" x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{_power(power)}</text>'
        )
    step = 1 if last - first <= 12 else 2
    for tick in range(math.ceil(first), math.floor(last) + 1, step):
        at = f"{across(tick):.1f}"
        parts.append(f'<path class="axis" d="M{at} {bottom}v{TICK}"/>')
        parts.append(f'<text class="quiet" x="{at}" y="{bottom + 19}" text-anchor="middle">{tick}</text>')
    middle = (TOP + bottom) / 2
    parts += [
        f'<path class="axis" d="M{LEFT} {TOP}V{bottom}H{right}"/>',
        f'<text x="{(LEFT + right) / 2:.0f}" y="{HEIGHT - 29}" text-anchor="middle">{escape(panel.x)}</text>',
        f'<text transform="translate(16 {middle:.0f}) rotate(-90)" text-anchor="middle">{escape(panel.y)}</text>',
        f'<text class="quiet" x="{LEFT}" y="{HEIGHT - 8}">{escape(panel.note)}</text>',
    ]
    for line in sorted(panel.lines, key=lambda line: not line.theory):
        kind = f"line c{line.colour}" + (" theory" if line.theory else "")
        points = [(across(x), down(y)) for x, y in line.points]
        parts.append(f'<polyline class="{kind}" points="{" ".join(f"{x:.1f},{y:.1f}" for x, y in points)}"/>')
        if not line.theory:
            parts += [
                f'<circle class="dot c{line.colour}" cx="{x:.1f}" cy="{y:.1f}" r="2.6"/>' for x, y in points
            ]
    ends = [(across(line.points[-1][0]), down(line.points[-1][1])) for line in panel.lines]
    heights = spread([y for _, y in ends], LABEL_STEP, TOP, bottom)
    for line, (x, y), height in zip(panel.lines, ends, heights):
        parts.append(
            f'<path class="leader c{line.colour}" d="M{x + 4:.1f} {y:.1f}L{right + 16} {height:.1f}h4"/>'
            f'<text class="c{line.colour}" x="{right + 23}" y="{height + 4:.1f}">{_raised(line.label)}</text>'
        )
    return parts


def spread(wanted: Sequence[float], step: float, low: float, high: float) -> list[float]:
    """Places at least `step` apart in the order of the wanted ones, and as near to them as a block can be.

    >>> spread([10, 10, 50], 20, 0, 100)
    [0.0, 20.0, 50.0]
    """
    order = sorted(range(len(wanted)), key=lambda i: wanted[i])
    blocks: list[tuple[list[int], float]] = []  # members, top
    for i in order:
        members, top = [i], min(max(float(wanted[i]), low), high)
        while blocks and blocks[-1][1] + step * len(blocks[-1][0]) > top:
            members = blocks.pop()[0] + members
            centre = sum(wanted[j] - step * k for k, j in enumerate(members)) / len(members)
            top = min(max(centre, low), high - step * (len(members) - 1))
        blocks.append((members, top))
    places = [0.0] * len(wanted)
    for members, top in blocks:
        for k, i in enumerate(members):
            places[i] = top + step * k
    return places


def _raised(label: str) -> str:
    """A label with its exponents raised."""
    plain, *raised = escape(label).split("^{")
    for part in raised:
        exponent, _, rest = part.partition("}")
        plain += f'<tspan dy="-4" font-size="10">{exponent}</tspan><tspan dy="4">{rest}</tspan>'
    return plain


def _power(power: int) -> str:
    return f"{10**power:,}" if power < 4 else "10" + "".join("⁰¹²³⁴⁵⁶⁷⁸⁹"[int(digit)] for digit in str(power))
