"""Teaching: trees as plain data, traces of the textbook searches, pictures, exercises."""

from gametree.explain.pictures.ascii import text_tree
from gametree.explain.pictures.export import save
from gametree.explain.pictures.svg import svg
from gametree.explain.pictures.tikz import tikz
from gametree.explain.reasons import Why, why
from gametree.explain.traces.conventions import Conventions
from gametree.explain.traces.settings import Settings
from gametree.explain.traces.trace import Cut, Event, Mark, Snapshot, Trace, suggest, trace
from gametree.explain.unknowns.dependence import Dependence, dependence
from gametree.games.tree.outline import Outline, outline

__all__ = [
    "Conventions",
    "Cut",
    "Dependence",
    "Event",
    "Mark",
    "Outline",
    "Settings",
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
