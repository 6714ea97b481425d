"""`gametree explain`: a tree, searched before your eyes."""

import enum
import sys
from contextlib import redirect_stdout
from pathlib import Path
from typing import Annotated, Final

import typer

from gametree.errors import InputError


class Method(str, enum.Enum):
    """Which search is explained."""

    auto = "auto"
    minimax = "minimax"
    alphabeta = "alphabeta"
    expectiminimax = "expectiminimax"
    maxn = "maxn"


class Fail(str, enum.Enum):
    """What a node returns outside its window."""

    soft = "soft"
    hard = "hard"


class Bounds(str, enum.Enum):
    """What is written beside a node."""

    alpha_beta = "alpha-beta"
    intervals = "intervals"


class Shapes(str, enum.Enum):
    """What stands for MAX and MIN."""

    squares_circles = "squares-circles"
    triangles = "triangles"


class Direction(str, enum.Enum):
    """In which order children are looked at."""

    left_to_right = "left-to-right"
    right_to_left = "right-to-left"


class Form(str, enum.Enum):
    """Which pseudo-code."""

    aima = "aima"
    bound = "bound"
    value_move = "value-move"


class Theme(str, enum.Enum):
    """The colours of a picture."""

    light = "light"
    dark = "dark"
    auto = "auto"


CUTS: Final = {">=": ">=", "≥": ">=", "ge": ">=", ">": ">", "gt": ">"}
_File = Path | None


def explain(
    tree: Annotated[
        str | None,
        typer.Argument(
            metavar="TREE",
            help="The tree as text, a file with it, or - for standard input; nothing with --game.",
            show_default=False,
        ),
    ] = None,
    method: Annotated[Method, typer.Option(help="Which search; auto takes what fits.")] = Method.auto,
    steps: Annotated[
        bool, typer.Option("--steps", help="Every step: with keys in a terminal, else all in a row.")
    ] = False,
    step: Annotated[int | None, typer.Option(metavar="N", help="Draw the tree after N steps.")] = None,
    values: Annotated[
        list[str] | None,
        typer.Option("--value", metavar="NAME=NUMBER", help="A number for an unknown leaf; may be repeated."),
    ] = None,
    movers: Annotated[
        str | None, typer.Option(metavar="LIST", help="Who moves at each level, for example 0,2; 0 is MAX.")
    ] = None,
    cut: Annotated[str, typer.Option(metavar="ge|gt", help="Cut at ≥ or only at >.")] = "ge",
    fail: Annotated[Fail, typer.Option(help="Fail-soft or fail-hard.")] = Fail.soft,
    bounds: Annotated[Bounds, typer.Option(help="What stands beside the nodes.")] = Bounds.alpha_beta,
    shapes: Annotated[Shapes, typer.Option(help="What stands for MAX and MIN.")] = Shapes.squares_circles,
    direction: Annotated[
        Direction, typer.Option(help="Which child is looked at first.")
    ] = Direction.left_to_right,
    form: Annotated[Form, typer.Option(help="Which pseudo-code.")] = Form.aima,
    game: Annotated[
        str | None, typer.Option(metavar="GAME", help="Instead of a tree: a game's name, or your own file.")
    ] = None,
    settings: Annotated[
        list[str] | None, typer.Option("--set", metavar="NAME=VALUE", help="A parameter of the game.")
    ] = None,
    position: Annotated[
        str | None, typer.Option(metavar="TEXT", help="Where to begin, as the game writes it.")
    ] = None,
    played: Annotated[
        str | None, typer.Option("--moves-played", metavar="MOVES", help="Moves made before.")
    ] = None,
    depth: Annotated[int | None, typer.Option(metavar="N", help="Plies below the position.")] = None,
    merge: Annotated[bool, typer.Option("--merge", help="Merge moves that are mirror images.")] = False,
    strategy: Annotated[
        bool, typer.Option("--strategy", help="The mover's best strategy against every answer.")
    ] = False,
    svg: Annotated[_File, typer.Option(metavar="FILE", help="Draw it as SVG.")] = None,
    png: Annotated[_File, typer.Option(metavar="FILE", help="As PNG (extra draw).")] = None,
    pdf: Annotated[_File, typer.Option(metavar="FILE", help="As PDF (extra draw).")] = None,
    tikz: Annotated[
        _File, typer.Option(metavar="FILE", help="As LaTeX: a document, or the picture alone in a .tikz.")
    ] = None,
    html: Annotated[_File, typer.Option(metavar="FILE", help="As a page to step through.")] = None,
    theme: Annotated[Theme, typer.Option(help="The colours of pictures.")] = Theme.light,
    title: Annotated[str, typer.Option(metavar="TEXT", help="Above the picture.")] = "",
    boards: Annotated[
        bool | None, typer.Option("--boards/--no-boards", help="Draw the game's positions at the nodes.")
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print the trace as JSON and nothing else.")
    ] = False,
    ascii_only: Annotated[bool, typer.Option("--ascii", help="Nothing but ASCII characters.")] = False,
) -> None:
    """Searches a tree and shows what happens: values, α and β, what is cut and why, what x and y change.

    \b
    Examples:
      gametree explain "[[3,12,8],[2,x,y],[14,5,2]]" --steps
      gametree explain homework.txt --method minimax --svg tree.svg
      gametree explain --game tic-tac-toe --position "XOX/.O./X.O" --html steps.html

    \b
    The first of these draws
      MAX                  A [3] α=3 β=∞
              ┌────────────────┼──────────────┐
              ┃                │              │
      MIN  B (3) α=−∞ β=3  C (≤2) α=3 β=∞  D (2) α=3 β=5
           ┌───┼──┐         ┌──┼──┐        ┌──┼──┐
           ┃   │  │         │  ╪  ╪        │  │  │
           3  12  8         2  x  y       14  5  2
    and says that the value is 3 whatever x and y are, because C was left after its first leaf.
    """
    from gametree.app import explained
    from gametree.explain.traces.conventions import Conventions

    if cut not in CUTS:
        raise InputError(f"--cut {cut}: write ge to cut at ≥, or gt to cut at > only")
    kept = Conventions(
        cut=CUTS[cut],  # type: ignore[arg-type]
        fail=fail.value,
        bounds=bounds.value,
        shapes=shapes.value,
        direction=direction.value,
        form=form.value,
    )
    # What the rules of a user's game print must not get between the lines of JSON.
    with redirect_stdout(sys.stderr if as_json else sys.stdout):
        start = explained.Start(game, settings, position, played, depth, merge, strategy)
        root = start.outline(tree) if game is not None else explained.of_text(tree, movers, start)
        # Nothing is cut off a strategy: it is there to be read whole.
        which = Method.minimax if strategy and method is Method.auto else method
        seen = explained.search(root, which.value, kept, values or ())
    needs = {"--json": as_json, "--steps": steps, "--step": step is not None, "--html": html is not None}
    seen.require([option for option, asked in needs.items() if asked])
    pictures = {".svg": svg, ".png": png, ".pdf": pdf, ".tex": tikz, ".html": html}
    options = {"step": step, "conventions": kept, "title": title}
    seen.save(pictures, theme.value, (game is not None) if boards is None else boards, options)
    if as_json:
        seen.print_json()
    else:
        seen.show(steps=steps, step=step, ascii_only=ascii_only)
