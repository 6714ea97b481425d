"""Teaching: trees as plain data, traces of the textbook searches, pictures, exercises."""

from gametree.explain.ascii import text_tree
from gametree.explain.conventions import Conventions
from gametree.explain.export import save
from gametree.explain.outline import Outline, outline
from gametree.explain.svg import svg
from gametree.explain.tikz import tikz
from gametree.explain.trace import Cut, Event, Mark, Snapshot, Trace, suggest, trace
from gametree.explain.unknown import Dependence, dependence
from gametree.explain.why import Why, why

__all__ = [
    "Conventions",
    "Cut",
    "Dependence",
    "Event",
    "Mark",
    "Outline",
    "Snapshot",
    "Trace",
    "Why",
    "dependence",
    "outline",
    "save",
    "suggest",
    "svg",
    "text_tree",
    "tikz",
    "trace",
    "why",
]
