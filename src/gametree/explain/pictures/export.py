"""Pictures as files: SVG, TikZ and text by ourselves, PNG and PDF with the help of CairoSVG."""

import io
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, Final, Literal

from gametree.errors import InputError
from gametree.explain.pictures import tikz
from gametree.explain.pictures.ascii import text_tree
from gametree.explain.pictures.scene import Scene
from gametree.explain.pictures.svg import Theme, svg, written

FORMATS: Final = (".svg", ".png", ".pdf", ".tex", ".tikz", ".txt")


def png(picture: str, scale: float = 2.0) -> bytes:
    """An SVG text of ours as PNG, in the given number of pixels for each of the SVG's."""
    made: bytes = _cairosvg().svg2png(bytestring=picture.encode(), scale=scale)
    return made


def pdf(picture: str) -> bytes:
    """An SVG text of ours as PDF of one page."""
    made: bytes = _cairosvg().svg2pdf(bytestring=picture.encode())
    return made


def pages(
    pictures: Sequence[str], wide: float, high: float, otherwise: str = "SVG and TikZ need nothing"
) -> bytes:
    """One PDF of several pages of this size in pixels: each SVG is drawn onto the same surface of cairo.

    `otherwise` is what a reader without CairoSVG is told to take.
    """
    _cairosvg("PDF needs", otherwise)
    parser, surface, cairo = (
        import_module(name) for name in ("cairosvg.parser", "cairosvg.surface", "cairocffi")
    )
    output = io.BytesIO()
    points = 0.75
    paper = cairo.PDFSurface(output, wide * points, high * points)

    def same(*_: Any) -> Any:
        return paper

    kind: Callable[..., Any] = type("Paper", (surface.PDFSurface,), {"surface_class": staticmethod(same)})
    for page in pictures:
        drawn = kind(parser.Tree(bytestring=page.encode()), output, 96)
        drawn.context.show_page()
    paper.finish()
    return output.getvalue()


def _cairosvg(what: str = "PNG and PDF need", otherwise: str = "SVG and TikZ need nothing") -> Any:
    try:
        return import_module("cairosvg")
    except ImportError:
        raise InputError(f"{what} CairoSVG: pip install 'gametree[draw]'; {otherwise}") from None
    except OSError as error:
        # The Python package is there, the library that draws is not.
        said = str(error).splitlines()[0]
        raise InputError(
            f"{what} the library cairo, which was not found ({said}): install it with your system's packages;"
            f" {otherwise}"
        ) from None


def scene_bytes(scene: Scene, kind: str, theme: Theme = "light") -> bytes:
    """What a file with this ending holds of a scene."""
    if kind == ".svg":
        return written(scene, theme).encode()
    fixed = on_paper(theme)
    if kind in (".tex", ".tikz"):
        return (tikz.paged(scene, fixed) if kind == ".tex" else tikz.written(scene, fixed)).encode()
    drawn = written(scene, fixed)
    return png(drawn) if kind == ".png" else pdf(drawn)


def on_paper(theme: Theme) -> Literal["light", "dark"]:
    """Paper has no reader whose settings could be followed."""
    return "light" if theme == "auto" else theme


def save(subject: Any, file: str | Path, *, theme: Theme = "light", **options: Any) -> Path:
    """Draws a tree or a trace into a file; its ending says how.

    `.tex` is a document that compiles as it is, `.tikz` the picture alone, to be put into slides. `options` are
    those of `svg`.
    """
    path = Path(file)
    path.write_bytes(bytes_of(subject, path.suffix.lower(), theme=theme, **options))
    return path


def bytes_of(subject: Any, kind: str, *, theme: Theme = "light", **options: Any) -> bytes:
    """What a file with this ending holds.

    >>> bytes_of([3, 5], ".svg")[:5]
    b'<svg '
    """
    fixed = on_paper(theme)
    if kind == ".svg":
        return svg(subject, theme=theme, **options).encode()
    if kind == ".png":
        return png(svg(subject, theme=fixed, **options))
    if kind == ".pdf":
        return pdf(svg(subject, theme=fixed, **options))
    if kind in (".tex", ".tikz"):
        return tikz.tikz(subject, theme=fixed, document=kind == ".tex", **options).encode()
    if kind == ".txt":
        told = {key: value for key, value in options.items() if key in ("step", "conventions", "moves")}
        return (text_tree(subject, **told) + "\n").encode()
    raise InputError(f"{kind or 'a name without ending'}: a picture's name ends in {', '.join(FORMATS)}")
