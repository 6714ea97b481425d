"""A picture as TikZ, with every place written out: it needs the package `tikz` and no library of it.

The text of a picture is text in LaTeX too: whatever a name holds, it is written letter by letter, and a sign
that LaTeX does not know stands as its number, such as [U+1F600].
"""

import unicodedata
from collections.abc import Sequence
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
    Item,
    Line,
    Look,
    Polygon,
    Scene,
    Text,
)
from gametree.explain.traces.conventions import Conventions

POINTS: Final = 0.75
"""How many points of LaTeX a pixel has."""

_SIGNS: Final = {
    # LaTeX has no pieces of chess of its own: capitals for White, as everywhere.
    **dict(zip("♔♕♖♗♘♙♚♛♜♝♞♟", "KQRBNPkqrbnp")),
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"{''}",
    # Two of these in a row would become one sign.
    "'": r"'{}",
    "`": r"`{}",
    "-": r"-{}",
    "?": r"?{}",
    "!": r"!{}",
    ",": r",{}",
    "…": r"\ldots{}",
    "�": r"?{}",
    "ß": r"\ss{}",
    "æ": r"\ae{}",
    "Æ": r"\AE{}",
    "ø": r"\o{}",
    "Ø": r"\O{}",
    "ł": r"\l{}",
    "Ł": r"\L{}",
    "–": "--",
    "—": "---",
    **{
        sign: rf"\ensuremath{{{command}}}"
        for sign, command in {
            "−": "-",
            "∞": r"\infty",
            "≤": r"\leq",
            "≥": r"\geq",
            "≈": r"\approx",
            "×": r"\times",
            "·": r"\cdot",
            "→": r"\to",
            "△": r"\bigtriangleup",
            "▽": r"\bigtriangledown",
            "○": r"\bigcirc",
            "⟨": r"\langle",
            "⟩": r"\rangle",
        }.items()
    },
}
_ACCENTS: Final = {
    "\u0300": r"\`",
    "\u0301": r"\'",
    "\u0302": r"\^",
    "\u0303": r"\~",
    "\u0304": r"\=",
    "\u0306": r"\u",
    "\u0307": r"\.",
    "\u0308": r"\"",
    "\u030a": r"\r",
    "\u030b": r"\H",
    "\u030c": r"\v",
    "\u0327": r"\c",
}
_GREEK: Final = frozenset(
    (
        "alpha",
        "beta",
        "gamma",
        "delta",
        "epsilon",
        "zeta",
        "eta",
        "theta",
        "iota",
        "kappa",
        "lambda",
        "mu",
        "nu",
        "xi",
        "pi",
        "rho",
        "sigma",
        "tau",
        "upsilon",
        "phi",
        "chi",
        "psi",
        "omega",
    )
)


def tikz(
    subject: Any,
    *,
    step: int | None = None,
    conventions: Conventions | None = None,
    theme: Literal["light", "dark"] = "light",
    boards: bool = False,
    title: str = "",
    moves: bool | None = None,
    document: bool = True,
) -> str:
    """A tree or a trace for LaTeX: a document of one page that compiles as it is, or the picture alone.

    >>> text = tikz([[3, 12], [2, "x"]], document=False)
    >>> text.splitlines()[0], text.splitlines()[-1]
    ('\\\\begin{tikzpicture}[x=0.75pt,y=-0.75pt]', '\\\\end{tikzpicture}')
    """
    picture = Picture(subject, conventions=conventions, boards=boards, title=title, moves=moves, step=step)
    scene = Drawing(picture).scene()
    text = written(scene, theme)
    return _document(scene, text) if document else text


def written(scene: Scene, theme: Literal["light", "dark"] = "light") -> str:
    """A scene as the environment `tikzpicture`."""
    items = [one for group in scene.groups for one in group.items]
    lines = [*opening(scene, theme, items), *filter(None, map(item, items)), r"\end{tikzpicture}"]
    return "\n".join(lines) + "\n"


def opening(scene: Scene, theme: str, items: Sequence[Item]) -> list[str]:
    """The beginning of a `tikzpicture` of the size of a scene, with the colours of all that will be drawn in it."""
    if theme not in THEMES:
        raise InputError(f"theme={theme!r}: a picture for LaTeX is light or dark")
    used = {BOARD_LOOKS[role].fill for role in {one.role for one in items} & BOARD_LOOKS.keys()}
    colours = THEMES[theme] | {name: MATERIALS[name] for name in MATERIALS if name in used}
    return [
        rf"\begin{{tikzpicture}}[x={POINTS}pt,y=-{POINTS}pt]",
        *(rf"\definecolor{{gt{name}}}{{HTML}}{{{colour[1:].upper()}}}" for name, colour in colours.items()),
        rf"\fill[gtpaper] (0,0) rectangle {_point(scene.width, scene.height)};",
    ]


def paged(scene: Scene, theme: Literal["light", "dark"] = "light") -> str:
    """A scene as a document of one page."""
    return _document(scene, written(scene, theme))


def _document(scene: Scene, picture: str) -> str:
    wide, high = (_length(one * POINTS) for one in (scene.width, scene.height))
    return "\n".join(
        (
            r"\documentclass{article}",
            rf"\usepackage[paperwidth={wide}pt,paperheight={high}pt,margin=0pt]{{geometry}}",
            r"\usepackage{tikz}",
            r"\pagestyle{empty}",
            r"\parindent=0pt \topskip=0pt",
            r"\begin{document}",
            picture.rstrip("\n") + "%",
            r"\end{document}",
            "",
        )
    )


def item(item: Item) -> str:
    """One item as a command of TikZ; nothing where nothing is seen."""
    look = LOOKS.get(item.role) or BOARD_LOOKS[item.role]
    if isinstance(item, Text):
        return _text(item, look)
    if not look.stroke and not look.fill:
        return ""
    draw = rf"\path[{_options(look)}"
    if isinstance(item, Line):
        return f"{draw}] {' -- '.join(_point(*one) for one in item.points)};"
    if isinstance(item, Polygon):
        return f"{draw}] {' -- '.join(_point(*one) for one in item.points)} -- cycle;"
    if isinstance(item, Box):
        corners = f",rounded corners={_length(item.radius * POINTS)}pt" if item.radius else ""
        far = _point(item.x + item.width, item.y + item.height)
        return f"{draw}{corners}] {_point(item.x, item.y)} rectangle {far};"
    radii = f"x radius={_length(item.rx)},y radius={_length(item.ry)}"
    return f"{draw}] {_point(item.x, item.y)} ellipse [{radii}];"


def _options(look: Look) -> str:
    options = []
    if look.fill:
        options.append(f"fill=gt{look.fill}")
    if look.stroke:
        options += [
            f"draw=gt{look.stroke}",
            f"line width={_length(look.width * POINTS)}pt",
            "line join=round",
        ]
    if look.dashes:
        on, off = (_length(dash * POINTS) for dash in look.dashes)
        options.append(f"dash pattern=on {on}pt off {off}pt")
    return ",".join(options)


def _text(item: Text, look: Look) -> str:
    anchor = {"start": "base west", "middle": "base", "end": "base east"}[item.anchor]
    size = item.size * POINTS
    family = r"\ttfamily" if look.monospaced else r"\sffamily"
    bold = r"\bfseries" if look.bold else ""
    font = rf"{family}{bold}\fontsize{{{_length(size)}}}{{{_length(size * 1.2)}}}\selectfont"
    text = escaped(item.text)
    if look.monospaced:
        text = text.replace(" ", "~")
    return (
        rf"\node[anchor={anchor},inner sep=0pt,outer sep=0pt,text=gt{look.fill},font={font}]"
        f" at {_point(item.x, item.y)} {{{text}}};"
    )


def escaped(text: str) -> str:
    r"""A text as LaTeX prints it, letter by letter.

    >>> escaped("50% of \\input{x}"), escaped("é∞"), escaped("\U0001f600")
    ('50\\% of \\textbackslash{}input\\{x\\}', "\\'{e}\\ensuremath{\\infty}", '[U+1F600]')
    """
    return "".join(map(_sign, text))


def _sign(sign: str) -> str:
    if sign in _SIGNS:
        return _SIGNS[sign]
    if " " <= sign < "\x7f":
        return sign
    code = ord(sign)
    if 0x2400 <= code < 0x2420:
        # What stands for a control character: written as on a keyboard.
        return rf"\textasciicircum{{}}{_sign(chr(code - 0x2400 + 0x40))}"
    apart = unicodedata.normalize("NFD", sign)
    if len(apart) == 2 and apart[0].isascii() and apart[1] in _ACCENTS:
        return f"{_ACCENTS[apart[1]]}{{{apart[0]}}}"
    name = unicodedata.name(sign, "").lower().removeprefix("greek small letter ")
    if name in _GREEK:
        return rf"\ensuremath{{\{name}}}"
    return f"[U+{code:04X}]"


def _point(x: float, y: float) -> str:
    return f"({_length(x)},{_length(y)})"


def _length(value: float) -> str:
    return f"{value + 0.0:.2f}".rstrip("0").rstrip(".")
