"""All steps of a trace as slides: pages of a PDF, a frame of Beamer with overlays, an animation, numbered pictures.

Every slide has the tree as it is after a step, the sentence of the step and its line of the pseudo-code, on a page of
the shape of a projector. What stays from slide to slide is the same object, so that overlays and animations hold it
once.
"""

import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Final, Literal

from gametree.errors import InputError
from gametree.explain.pictures import tikz
from gametree.explain.pictures.boards import moved
from gametree.explain.pictures.drawing import Drawing
from gametree.explain.pictures.export import pages, png
from gametree.explain.pictures.lettering import broken, clipped, shown, width
from gametree.explain.pictures.picture import Picture
from gametree.explain.pictures.scene import BOARD_LOOKS, Group, Scene, Text
from gametree.explain.pictures.svg import Theme, group_written, written
from gametree.explain.traces.trace import Trace

KINDS: Final = (".pdf", ".tex", ".svg", ".gif")
SHAPE: Final = 16 / 9
SECONDS: Final = 2.5
"""How long an animation shows a step."""
_MARGIN: Final = 24.0
_SENTENCE: Final = 20.0
_CODE: Final = 15.0
_NARROWEST: Final = 860.0
_START: Final = "Nothing has been looked at yet."
_GIF: Final = 1280


def slides(trace: Trace, *, boards: bool = False, title: str = "") -> list[Scene]:
    """A scene for every step, from before the first to after the last.

    >>> from gametree.explain.traces.trace import trace
    >>> made = slides(trace([3, 12]))
    >>> len(made), round(made[0].width / made[0].height, 2)
    (9, 1.78)
    """
    drawing = Drawing(Picture(trace, boards=boards, title=title, steps=True))
    trees = list(drawing.scenes())
    return list(_Page(trace, trees[0]).scenes(trees))


class _Page:
    """The page that all slides of a trace share."""

    def __init__(self, trace: Trace, tree: Scene):
        self.trace = trace
        self.tree = tree
        wide = max(_NARROWEST, tree.width + 2 * _MARGIN)
        for _ in range(3):
            # A wider page breaks sentences into fewer lines, which makes it lower.
            high = tree.height + self._under(wide)
            wide = max(wide, high * SHAPE)
        self.wide, self.high = wide, max(tree.height + self._under(wide), wide / SHAPE)
        self.left = (self.wide - tree.width) / 2
        self.top = (self.high - self._under(wide) - tree.height) / 2
        self._kept: dict[int, tuple[Group, Group]] = {}

    def _lines(self, sentence: str, wide: float) -> list[str]:
        most = wide - 2 * _MARGIN
        return broken(shown(sentence), most, lambda text: width(text, _SENTENCE), " ")

    def _under(self, wide: float) -> float:
        """How much room the words need."""
        most = max((len(self._lines(event.sentence, wide)) for event in self.trace.events), default=1)
        return most * _SENTENCE * 1.35 + 3 * _CODE + 2 * _MARGIN

    def scenes(self, trees: Sequence[Scene]) -> Iterator[Scene]:
        last = len(trees) - 1
        for step, tree in enumerate(trees):
            event = self.trace.events[step - 1] if step else None
            sentence = event.sentence if event else _START
            code = self.trace.code[event.line - 1].strip() if event else ""
            groups = (*map(self._placed, tree.groups), self._words(step, last, sentence, code))
            yield Scene(self.wide, self.high, groups, tree.title, f"Step {step} of {last}: {sentence}")

    def _placed(self, group: Group) -> Group:
        """A group at its place on the page; the same one gives the same one."""
        kept = self._kept.get(id(group))
        if kept is None:
            items = tuple(moved(item, self.left, self.top) for item in group.items)
            kept = self._kept[id(group)] = group, Group(group.kind, group.key, items, group.note)
        return kept[1]

    def _words(self, step: int, last: int, sentence: str, code: str) -> Group:
        y = self.high - self._under(self.wide) + _CODE + _MARGIN / 2
        items = [Text(_MARGIN, y, f"step {step} of {last}", _CODE, "caption", "start")]
        y += _SENTENCE * 0.2
        for line in self._lines(sentence, self.wide):
            y += _SENTENCE * 1.35
            items.append(Text(_MARGIN, y, line, _SENTENCE, "number", "start"))
        if code:
            most = int((self.wide - 2 * _MARGIN) / (_CODE * 0.62))
            items.append(
                Text(_MARGIN, self.high - _MARGIN, clipped(shown(code), most), _CODE, "letters", "start")
            )
        return Group("caption", "words", tuple(items))


# --- what stays, and what changes ------------------------------------------------------------------


@dataclass(frozen=True)
class Layer:
    """A group, and the steps at which it is seen: pairs of the first and the last."""

    group: Group
    spans: tuple[tuple[int, int], ...]


def layers(scenes: Sequence[Scene]) -> Iterator[Layer]:
    """The groups of all scenes in the order in which they are drawn, each once."""
    for place, _ in enumerate(scenes[0].groups):
        seen: dict[int, tuple[Group, list[tuple[int, int]]]] = {}
        for step, scene in enumerate(scenes):
            group = scene.groups[place]
            _, spans = seen.setdefault(id(group), (group, []))
            if spans and spans[-1][1] == step - 1:
                spans[-1] = spans[-1][0], step
            else:
                spans.append((step, step))
        for group, spans in seen.values():
            yield Layer(group, tuple(spans))


# --- formats ----------------------------------------------------------------------------------------


def content(scenes: Sequence[Scene], kind: str, theme: Theme = "light") -> bytes:
    """What a file with this ending holds."""
    fixed: Literal["light", "dark"] = "light" if theme == "auto" else theme
    if kind == ".tex":
        return beamer(scenes, fixed).encode()
    if kind == ".svg":
        return animated(scenes, theme).encode()
    if kind == ".pdf":
        first = scenes[0]
        return pages([written(scene, fixed) for scene in scenes], first.width, first.height)
    if kind == ".gif":
        return gif(scenes, fixed)
    raise InputError(f"{kind or 'a name without ending'}: slides end in {', '.join(KINDS)}")


def beamer(scenes: Sequence[Scene], theme: Literal["light", "dark"] = "light") -> str:
    """A document of Beamer with one frame: each step is an overlay."""
    first = scenes[0]
    last = len(scenes) - 1
    drawn = []
    for layer in layers(scenes):
        lines = list(filter(None, map(tikz.item, layer.group.items)))
        if not lines:
            continue
        if layer.spans == ((0, last),):
            drawn += lines
        else:
            spans = ",".join(f"{a + 1}" if a == b else f"{a + 1}-{b + 1}" for a, b in layer.spans)
            drawn += [rf"\only<{spans}>{{%", *lines, "}"]
    every = [item for scene in scenes for group in scene.groups for item in group.items]
    return "\n".join(
        (
            r"\documentclass[aspectratio=169]{beamer}",
            r"\usepackage{tikz}",
            r"\setbeamertemplate{navigation symbols}{}",
            r"\setbeamersize{text margin left=0mm,text margin right=0mm}",
            r"\begin{document}",
            r"\begin{frame}[plain]",
            r"\vspace*{-0.5mm}\noindent\resizebox{\paperwidth}{!}{%",
            *tikz.opening(first, theme, every),
            *drawn,
            r"\end{tikzpicture}%",
            "}",
            r"\end{frame}",
            r"\end{document}",
            "",
        )
    )


def animated(scenes: Sequence[Scene], theme: Theme = "light") -> str:
    """One SVG that shows step after step, and begins again. Where motion is not wanted it shows the last step."""
    count = len(scenes)
    base = scenes[-1]
    text = written(base, theme)
    head, _, rest = text.partition("<style>")
    style, _, rest = rest.partition("</style>")
    paper = rest[: rest.index("\n", rest.index("gt-paper")) + 1]
    rules, body = [], []
    used = {item.role for scene in scenes for group in scene.groups for item in group.items}
    if used & BOARD_LOOKS.keys():
        every = tuple(group for scene in scenes for group in scene.groups)
        whole = written(Scene(base.width, base.height, every, base.title, ""), theme)
        style = whole.partition("<style>")[2].partition("</style>")[0]
    names: dict[tuple[tuple[int, int], ...], str] = {}
    for layer in layers(scenes):
        shown_ = group_written(layer.group)
        if layer.spans == ((0, count - 1),):
            body.append(shown_)
            continue
        if layer.spans not in names:
            names[layer.spans] = name = f"s{len(names)}"
            rules.append(_keyframes(name, layer.spans, count))
        body.append(f'<g class="{names[layer.spans]}">{shown_}</g>')
    still = "@media (prefers-reduced-motion:reduce){[class^=s]{animation:none!important}}"
    return f"{head}<style>{style}{''.join(rules)}{still}\n</style>{paper}" + "\n".join(body) + "\n</svg>\n"


def _keyframes(name: str, spans: tuple[tuple[int, int], ...], count: int) -> str:
    """When a layer is seen: in steps, without passing from one to the next."""
    frames = ["0%{visibility:hidden}"] if spans[0][0] > 0 else []
    for first, last in spans:
        frames.append(f"{100 * first / count:.4f}%{{visibility:visible}}")
        if last + 1 < count:
            frames.append(f"{100 * (last + 1) / count:.4f}%{{visibility:hidden}}")
    at_end = "visible" if spans[-1][1] == count - 1 else "hidden"
    frames.append(f"100%{{visibility:{at_end}}}")
    seconds = f"{SECONDS * count:g}"
    return (
        f"@keyframes {name}{{{''.join(frames)}}}"
        f".{name}{{visibility:{at_end};animation:{name} {seconds}s step-end infinite}}\n"
    )


def gif(scenes: Sequence[Scene], theme: Literal["light", "dark"] = "light") -> bytes:
    """An animated GIF."""
    try:
        image = import_module("PIL.Image")
    except ImportError:
        raise InputError("GIF needs Pillow: pip install 'gametree[draw]'; SVG needs nothing") from None
    scale = _GIF / scenes[0].width
    frames: list[Any] = []
    for scene in scenes:
        made = image.open(io.BytesIO(png(written(scene, theme), scale))).convert("RGB")
        frames.append(made.quantize(colors=64))
    output = io.BytesIO()
    durations = [int(SECONDS * 1000)] * (len(frames) - 1) + [int(3 * SECONDS * 1000)]
    frames[0].save(
        output, "GIF", save_all=True, append_images=frames[1:], duration=durations, loop=0, disposal=1
    )
    return output.getvalue()


def numbered(scenes: Sequence[Scene], name: str, theme: Theme = "light") -> Iterator[tuple[str, bytes]]:
    """A picture for each step, with its number in the place of the # in the name.

    >>> from gametree.explain.traces.trace import trace
    >>> [name for name, _ in numbered(slides(trace([3, 12])), "tree-#.svg")][:2]
    ['tree-0.svg', 'tree-1.svg']
    """
    digits = len(str(len(scenes) - 1))
    for step, scene in enumerate(scenes):
        yield name.replace("#", f"{step:0{digits}}"), written(scene, theme).encode()
