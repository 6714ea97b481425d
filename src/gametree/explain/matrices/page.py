"""The argument about a matrix game as one HTML page to step through, forward and back."""

from html import escape

from gametree.explain.matrices.argument import argument
from gametree.explain.matrices.picture import scenes
from gametree.explain.matrices.tree import MOST_CELLS, outline_of
from gametree.explain.pages import steps_data
from gametree.explain.pages.shell import filled
from gametree.explain.pictures.svg import svg
from gametree.strategic import Form


def page(form: Form, title: str = "") -> str:
    """The whole page: the matrix at each step, the sentences, and the tree with its information set.

    >>> from gametree.games.matrix.classics import PrisonersDilemma
    >>> page(PrisonersDilemma().form).count("<li>")
    9
    """
    steps = argument(form)
    drawn = steps_data.picture(scenes(form, steps))
    tree = svg(outline_of(form), theme="auto") if len(form.payoffs) <= MOST_CELLS // 4 else ""
    return filled(
        "gametree.explain.matrices",
        "matrix_page",
        title or f"A matrix game of {form.names[0]} and {form.names[1]}",
        {"parts": drawn.parts.things, "picture": drawn.timelines},
        data_id="argument",
        about=f"{form.sizes[0]} × {form.sizes[1]} choices · {len(steps) - 1} steps",
        last=len(steps) - 1,
        sentence=escape(steps[-1].sentence),
        matrix=drawn.svg,
        tree=tree,
        items="".join(f"<li>{escape(step.sentence)}</li>" for step in steps),
    )
